//! Groups of four elements of 4 bits and the four rows that they are made of, 32 bytes of each row at a time, two such pieces in a
//! register. Called by `packed` by way of `avx512`.

use core::arch::x86_64::*;

use super::super::super::super::drive::{FROM_SIGNED, FROM_UNSIGNED, Fours};
use super::super::super::super::generic::step;
use super::super::super::parts::prefetch;
use super::super::super::parts::zip::lanes;
use super::super::memory::*;
use super::turned::beside;

/// Repetitions of rows ahead that are fetched, and bytes of groups.
const AHEAD: usize = 4;
const BYTES_AHEAD: usize = 1024;

/// A register of the first piece and of the second, of each row.
///
/// # Safety
/// 32 bytes can be read at each.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn rows(job: &Fours<'_>, [one, two]: [*const u8; 2]) -> [__m512i; 4] {
    let mut rows = [_mm512_setzero_si512(); 4];
    for (k, row) in rows.iter_mut().enumerate() {
        prefetch(step(step(two, AHEAD, job.rows_z), k, job.row));
        // SAFETY: the caller's promise.
        let one = unsafe { load32(step(one, k, job.row)) };
        // SAFETY: as above.
        let two = unsafe { load32(step(two, k, job.row)) };
        *row = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(one), two);
    }
    rows
}

/// The 4-byte parts of a register in the order in which zips of its lanes put them in line, and back.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn in_lanes(line: __m512i) -> __m512i {
    _mm512_permutexvar_epi32(_mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15), line)
}

/// The bytes of four registers in turn, by the order within lanes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn in_turn([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    let (ab, cd) = (_mm512_unpacklo_epi8(a, b), _mm512_unpacklo_epi8(c, d));
    let (ab_high, cd_high) = (_mm512_unpackhi_epi8(a, b), _mm512_unpackhi_epi8(c, d));
    [
        _mm512_unpacklo_epi16(ab, cd),
        _mm512_unpackhi_epi16(ab, cd),
        _mm512_unpacklo_epi16(ab_high, cd_high),
        _mm512_unpackhi_epi16(ab_high, cd_high),
    ]
}

/// Rows to groups of 4 bits.
///
/// # Safety
/// That of [`Fours`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(in super::super::super::super) unsafe fn weave(job: &Fours<'_>) {
    job.each(|from, to| {
        // SAFETY: the caller's promise.
        let rows = unsafe { rows(job, from) };
        let [a, b, c, d] = lanes!(64, k => in_lanes(rows[k]));
        let lines = in_turn([
            beside(a, _mm512_slli_epi16::<4>(b)),
            beside(c, _mm512_slli_epi16::<4>(d)),
            beside(_mm512_srli_epi16::<4>(a), b),
            beside(_mm512_srli_epi16::<4>(c), d),
        ]);
        for (i, line) in lines.into_iter().enumerate() {
            // SAFETY: as above: a piece makes two lines.
            unsafe { store64(to[i / 2].wrapping_add(i % 2 * 64), line) };
        }
    });
}

/// Rows to groups of bytes, extended by zeros or, if `SIGN`, by the sign.
///
/// # Safety
/// That of [`Fours`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(in super::super::super::super) unsafe fn spread<const SIGN: bool>(job: &Fours<'_>) {
    // Word w of lane l is word 4 * w + l.
    let order = _mm512_set_epi16(
        31, 27, 23, 19, 15, 11, 7, 3, 30, 26, 22, 18, 14, 10, 6, 2, 29, 25, 21, 17, 13, 9, 5, 1, 28, 24, 20,
        16, 12, 8, 4, 0,
    );
    let table = if SIGN { &FROM_SIGNED } else { &FROM_UNSIGNED };
    // SAFETY: a table has 16 bytes.
    let table = _mm512_broadcast_i32x4(unsafe { load16(table.as_ptr()) });
    let low = _mm512_set1_epi8(0x0F);
    job.each(|from, to| {
        // SAFETY: the caller's promise.
        let rows = unsafe { rows(job, from) };
        let rows = lanes!(64, k => _mm512_permutexvar_epi16(order, rows[k]));
        for (i, both) in in_turn(rows).into_iter().enumerate() {
            let first = _mm512_shuffle_epi8(table, _mm512_and_si512(both, low));
            let second = _mm512_shuffle_epi8(table, _mm512_and_si512(_mm512_srli_epi16::<4>(both), low));
            let to = to[i / 2].wrapping_add(i % 2 * 128);
            let (low, high) = (_mm512_unpacklo_epi32(first, second), _mm512_unpackhi_epi32(first, second));
            // SAFETY: as above: a piece makes four lines.
            unsafe { store64(to, low) };
            // SAFETY: as above.
            unsafe { store64(to.wrapping_add(64), high) };
        }
    });
}

/// Groups of 4 bits to rows.
///
/// # Safety
/// That of [`Fours`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(in super::super::super::super) unsafe fn part(job: &Fours<'_>) {
    let order = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    job.each(|to, from| {
        let mut lines = [_mm512_setzero_si512(); 4];
        for (i, line) in lines.iter_mut().enumerate() {
            let from = from[i / 2].wrapping_add(i % 2 * 64);
            prefetch(from.wrapping_add(BYTES_AHEAD));
            // SAFETY: the caller's promise: a piece is made of two lines.
            let own = unsafe { load64(from) };
            *line = _mm512_shuffle_epi8(own, order);
        }
        let [a, b, c, d] = lines;
        let (ab, cd) = (_mm512_unpacklo_epi32(a, b), _mm512_unpacklo_epi32(c, d));
        let (ab_high, cd_high) = (_mm512_unpackhi_epi32(a, b), _mm512_unpackhi_epi32(c, d));
        let (p, q) = (_mm512_unpacklo_epi64(ab, cd), _mm512_unpackhi_epi64(ab, cd));
        let (r, s) = (_mm512_unpacklo_epi64(ab_high, cd_high), _mm512_unpackhi_epi64(ab_high, cd_high));
        let rows = [
            beside(p, _mm512_slli_epi16::<4>(r)),
            beside(_mm512_srli_epi16::<4>(p), r),
            beside(q, _mm512_slli_epi16::<4>(s)),
            beside(_mm512_srli_epi16::<4>(q), s),
        ];
        for (k, row) in rows.into_iter().enumerate() {
            let row = in_lanes(row);
            let [one, two] = lanes!(32, i => step(to[i], k, job.row).cast_mut());
            let (low, high) = (_mm512_castsi512_si256(row), _mm512_extracti64x4_epi64::<1>(row));
            // SAFETY: the caller's promise.
            unsafe { store32(one, low) };
            // SAFETY: as above.
            unsafe { store32(two, high) };
        }
    });
}
