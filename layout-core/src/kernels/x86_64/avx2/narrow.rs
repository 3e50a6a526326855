//! Pixels of 2, 3, 4 or 8 elements to planes and back, and a few elements of each pixel to lines.

use core::arch::x86_64::*;

use super::super::super::drive::{Pixels, Strips};
use super::super::super::generic::{step, step_mut};
use super::super::parts::bytes::first_halves;
use super::super::parts::few::{by_line, few_kernel};
use super::super::parts::opaque;
use super::super::parts::pixels::{SIDE, parted, pixel_kernels, woven};
use super::super::parts::square::next;
use super::super::parts::zip::zip_network;
use super::memory::*;

pixel_kernels! { "avx2,f16c" }
few_kernel! { "avx2,f16c" }
zip_network! {
    turn, __m128i, "avx2,f16c",
    _mm_unpacklo_epi8 _mm_unpackhi_epi8, _mm_unpacklo_epi16 _mm_unpackhi_epi16,
    _mm_unpacklo_epi32 _mm_unpackhi_epi32, _mm_unpacklo_epi64 _mm_unpackhi_epi64
}
