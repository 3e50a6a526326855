//! Pixels of 2, 3, 4 or 8 elements and of 5 to 7 bytes to planes and back, blocks of which few elements hold data, and a few
//! elements of each pixel to lines.

use core::arch::x86_64::*;

use super::super::super::drive::{LINE, Pixels, Strips};
use super::super::super::generic::{step, step_mut};
use super::super::parts::few::{by_line, cell, few_kernel};
use super::super::parts::packed::{apart_tables, packed_kernel};
use super::super::parts::pixels::{AHEAD, SIDE, parted, pixel_kernels, woven};
use super::super::parts::square::next;
use super::super::parts::zip::{lanes, unrolled, zip_network};
use super::super::parts::{opaque, prefetch_write};
use super::memory::*;
use super::transpose::join1;
use super::woven::{lane, same};

pixel_kernels! {
    "sse4.1", __m128i, 16, _mm_setzero_si128 join1 same lane turn,
    _mm_shuffle_epi8 _mm_or_si128, load16 load16_first store16 store16_first,
    claims: false
}
packed_kernel! {
    "sse4.1", 16, _mm_setzero_si128 join1 same lane turn _mm_shuffle_epi8,
    load16 store16
}
few_kernel! { "sse4.1" }
zip_network! {
    turn, __m128i, "sse4.1",
    _mm_unpacklo_epi8 _mm_unpackhi_epi8, _mm_unpacklo_epi16 _mm_unpackhi_epi16,
    _mm_unpacklo_epi32 _mm_unpackhi_epi32, _mm_unpacklo_epi64 _mm_unpackhi_epi64
}
