//! Groups of four elements of 4 bits and the four rows that they are made of, 32 bytes of each row at a time. Called by `packed` by
//! way of `avx2`.

use core::arch::x86_64::*;

use super::super::super::super::drive::{FROM_SIGNED, FROM_UNSIGNED, Fours};
use super::super::super::super::generic::step;
use super::super::super::parts::prefetch;
use super::super::memory::*;
use super::turned::{beside, parted};

/// Repetitions of rows ahead that are fetched, and bytes of groups.
const AHEAD: usize = 4;
const BYTES_AHEAD: usize = 1024;

/// A piece of each row.
///
/// # Safety
/// 32 bytes can be read at each.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn rows(job: &Fours<'_>, from: *const u8) -> [__m256i; 4] {
    let mut rows = [_mm256_setzero_si256(); 4];
    for (k, row) in rows.iter_mut().enumerate() {
        prefetch(step(step(from, AHEAD, job.rows_z), k, job.row));
        // SAFETY: the caller's promise.
        *row = unsafe { load32(step(from, k, job.row)) };
    }
    rows
}

/// The bytes of four registers in turn, by the order within lanes.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn in_turn([a, b, c, d]: [__m256i; 4]) -> [__m256i; 4] {
    let (ab, cd) = (_mm256_unpacklo_epi8(a, b), _mm256_unpacklo_epi8(c, d));
    let (ab_high, cd_high) = (_mm256_unpackhi_epi8(a, b), _mm256_unpackhi_epi8(c, d));
    [
        _mm256_unpacklo_epi16(ab, cd),
        _mm256_unpackhi_epi16(ab, cd),
        _mm256_unpacklo_epi16(ab_high, cd_high),
        _mm256_unpackhi_epi16(ab_high, cd_high),
    ]
}

/// The lower lanes of two registers, and the upper ones.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn by_lanes(a: __m256i, b: __m256i) -> [__m256i; 2] {
    [_mm256_permute2x128_si256::<0x20>(a, b), _mm256_permute2x128_si256::<0x31>(a, b)]
}

/// Rows to groups of 4 bits.
///
/// # Safety
/// That of [`Fours`].
#[target_feature(enable = "avx2,f16c")]
pub(in super::super::super::super) unsafe fn weave(job: &Fours<'_>) {
    job.each(|from, to| {
        for (from, to) in from.into_iter().zip(to) {
            // SAFETY: the caller's promise.
            let [a, b, c, d] = unsafe { rows(job, from) };
            let parts = in_turn([
                beside(a, _mm256_slli_epi16::<4>(b)),
                beside(c, _mm256_slli_epi16::<4>(d)),
                beside(_mm256_srli_epi16::<4>(a), b),
                beside(_mm256_srli_epi16::<4>(c), d),
            ]);
            let ([first, third], [second, last]) =
                (by_lanes(parts[0], parts[1]), by_lanes(parts[2], parts[3]));
            for (i, line) in [[first, second], [third, last]].into_iter().enumerate() {
                // SAFETY: as above: a piece makes two lines.
                unsafe { store64(to.wrapping_add(64 * i), line) };
            }
        }
    });
}

/// Rows to groups of bytes, extended by zeros or, if `SIGN`, by the sign.
///
/// # Safety
/// That of [`Fours`].
#[target_feature(enable = "avx2,f16c")]
pub(in super::super::super::super) unsafe fn spread<const SIGN: bool>(job: &Fours<'_>) {
    let table = if SIGN { &FROM_SIGNED } else { &FROM_UNSIGNED };
    // SAFETY: a table has 16 bytes.
    let table = _mm256_broadcastsi128_si256(unsafe { load16(table.as_ptr()) });
    job.each(|from, to| {
        for (from, to) in from.into_iter().zip(to) {
            // SAFETY: the caller's promise.
            let rows = unsafe { rows(job, from) };
            for (i, both) in in_turn(rows).into_iter().enumerate() {
                let [lower, upper] = parted(both);
                let (first, second) = (_mm256_shuffle_epi8(table, lower), _mm256_shuffle_epi8(table, upper));
                let (low, high) =
                    (_mm256_unpacklo_epi32(first, second), _mm256_unpackhi_epi32(first, second));
                for (lane, half) in by_lanes(low, high).into_iter().enumerate() {
                    // SAFETY: as above: a piece makes four lines.
                    unsafe { store32(to.wrapping_add(128 * lane + 32 * i), half) };
                }
            }
        }
    });
}

/// Groups of 4 bits to rows.
///
/// # Safety
/// That of [`Fours`].
#[target_feature(enable = "avx2,f16c")]
pub(in super::super::super::super) unsafe fn part(job: &Fours<'_>) {
    let order =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    job.each(|to, from| {
        for (to, from) in to.into_iter().zip(from) {
            prefetch(from.wrapping_add(BYTES_AHEAD));
            prefetch(from.wrapping_add(BYTES_AHEAD + 64));
            // SAFETY of both: the caller's promise: a piece is made of two lines.
            // SAFETY: see above.
            let [first, second] = unsafe { load64(from) };
            // SAFETY: see above.
            let [third, last] = unsafe { load64(from.wrapping_add(64)) };
            let ([a, b], [c, d]) = (by_lanes(first, third), by_lanes(second, last));
            let (a, b) = (_mm256_shuffle_epi8(a, order), _mm256_shuffle_epi8(b, order));
            let (c, d) = (_mm256_shuffle_epi8(c, order), _mm256_shuffle_epi8(d, order));
            let (ab, cd) = (_mm256_unpacklo_epi32(a, b), _mm256_unpacklo_epi32(c, d));
            let (ab_high, cd_high) = (_mm256_unpackhi_epi32(a, b), _mm256_unpackhi_epi32(c, d));
            let (p, q) = (_mm256_unpacklo_epi64(ab, cd), _mm256_unpackhi_epi64(ab, cd));
            let (r, s) = (_mm256_unpacklo_epi64(ab_high, cd_high), _mm256_unpackhi_epi64(ab_high, cd_high));
            let rows = [
                beside(p, _mm256_slli_epi16::<4>(r)),
                beside(_mm256_srli_epi16::<4>(p), r),
                beside(q, _mm256_slli_epi16::<4>(s)),
                beside(_mm256_srli_epi16::<4>(q), s),
            ];
            for (k, row) in rows.into_iter().enumerate() {
                // SAFETY: the caller's promise.
                unsafe { store32(step(to, k, job.row).cast_mut(), row) };
            }
        }
    });
}
