//! Runs of any elements to lines and back, by lookups. Called by the module around it.

use core::arch::x86_64::*;

use super::super::super::super::drive::{LINE, Woven, fetches};
use super::super::super::super::generic::{step, step_mut};
use super::super::super::parts::prefetch;
use super::super::super::parts::woven::{AHEAD, some_runs, tables, woven_kernel};
use super::super::super::parts::zip::{lanes, unrolled};
use super::super::memory::*;
use super::super::transpose::{join2, turn32};
use super::lane;

woven_kernel! {
    "avx2,f16c", __m256i, 32, _mm256_setzero_si256 join2 _mm256_broadcastsi128_si256 lane turn32,
    _mm256_shuffle_epi8 _mm256_or_si256, load32 load32_first store32
}
