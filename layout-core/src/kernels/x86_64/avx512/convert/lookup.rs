//! Conversions of 8 bits to 8, 16 or 32 by a table of all 256 results, 64 elements at a time. Called by `drive::convert` where so
//! many elements have the same parameters that the table is worth writing.

use core::arch::x86_64::*;

use super::super::super::super::drive::{LINE, Rows};
use super::super::super::super::generic::{step, step_mut};
use super::super::super::super::parts::convert::{lines, zero};
use super::super::memory::*;

/// The results in registers: the first, second, third and fourth 64 of them.
type Quarters = [__m512i; 4];

/// Converts the elements of `job` to what the `W` (1, 2 or 4) bytes say that `table` has for each of them; of 4, the first two
/// are zero.
///
/// # Safety
/// That of [`super::super::super::super::drive::ConvertRows`] for these sizes; 256 results of `W` bytes can be read at `table`.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(in super::super) unsafe fn look_up<const W: usize>(job: &Rows, table: *const u8) {
    let (mut lows, mut highs) = ([_mm512_setzero_si512(); 4], [_mm512_setzero_si512(); 4]);
    for (quarter, (low, high)) in lows.iter_mut().zip(&mut highs).enumerate() {
        let at = table.wrapping_add(quarter * LINE * W);
        // SAFETY: the caller's promise.
        let first = unsafe { load64(at) };
        if W == 4 {
            // SAFETY: as above.
            let second = unsafe { load64(at.wrapping_add(LINE)) };
            // SAFETY: as above.
            let third = unsafe { load64(at.wrapping_add(2 * LINE)) };
            // SAFETY: as above.
            let last = unsafe { load64(at.wrapping_add(3 * LINE)) };
            let upper = |odd| every_other(every_other(first, second, odd), every_other(third, last, odd), 1);
            (*low, *high) = (upper(0), upper(1));
        } else if W == 1 {
            *low = first;
        } else {
            // SAFETY: as above.
            let second = unsafe { load64(at.wrapping_add(LINE)) };
            (*low, *high) = (every_other(first, second, 0), every_other(first, second, 1));
        }
    }
    let (low, high) = (&lows, &highs);
    for y in 0..job.count {
        let (src, dst) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_y));
        let mut x = 0;
        if job.stream {
            let (first, end) = lines(dst, job.valid, W);
            // SAFETY: these elements are in the row, and fewer than a line.
            unsafe { some::<W>(src, dst, first, low, high) };
            x = first;
            while x + LINE <= end {
                // SAFETY: as above.
                let bytes = unsafe { load64(src.wrapping_add(x)) };
                let lines = results::<W>(bytes, low, high);
                for (i, &line) in lines[..W].iter().enumerate() {
                    // SAFETY: as above; whole lines begin at `first`.
                    unsafe { stream(dst.wrapping_add(x * W + i * LINE), line) };
                }
                x += LINE;
            }
        }
        while x + LINE <= job.valid {
            // SAFETY: these elements are in the row.
            let bytes = unsafe { load64(src.wrapping_add(x)) };
            let lines = results::<W>(bytes, low, high);
            for (i, &line) in lines[..W].iter().enumerate() {
                // SAFETY: as above.
                unsafe { store64(dst.wrapping_add(x * W + i * LINE), line) };
            }
            x += LINE;
        }
        // SAFETY: these elements are in the row, and fewer than a line.
        unsafe { some::<W>(src.wrapping_add(x), dst.wrapping_add(x * W), job.valid - x, low, high) };
        if job.valid < job.len {
            // SAFETY: the rest of the row can be written.
            unsafe { zero(dst.wrapping_add(job.valid * W), (job.len - job.valid) * W) };
        }
    }
}

/// Converts `len` elements, at most a line.
///
/// # Safety
/// They can be read and written.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn some<const W: usize>(src: *const u8, dst: *mut u8, len: usize, low: &Quarters, high: &Quarters) {
    if len == 0 {
        return;
    }
    // SAFETY: the caller's promise.
    let bytes = unsafe { load64_first(src, len) };
    let lines = results::<W>(bytes, low, high);
    for (i, &line) in lines[..W].iter().enumerate() {
        let left = (len * W).saturating_sub(i * LINE).min(LINE);
        // SAFETY: this stops at the last element.
        unsafe { store64_first(dst.wrapping_add(i * LINE), line, left) };
    }
}

/// The results for 64 bytes, in `W` registers.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn results<const W: usize>(bytes: __m512i, low: &Quarters, high: &Quarters) -> [__m512i; 4] {
    if W == 1 {
        return [picked(bytes, low), bytes, bytes, bytes];
    }
    if W == 4 {
        // Zips stay in quarters of a register: every fourth group of four.
        let bytes = super::in_order(bytes);
        let (low, high) = (picked(bytes, low), picked(bytes, high));
        let (a, b) = (_mm512_unpacklo_epi8(low, high), _mm512_unpackhi_epi8(low, high));
        let zero = _mm512_setzero_si512();
        return [
            _mm512_unpacklo_epi16(zero, a),
            _mm512_unpackhi_epi16(zero, a),
            _mm512_unpacklo_epi16(zero, b),
            _mm512_unpackhi_epi16(zero, b),
        ];
    }
    // Zips stay in quarters of a register.
    let bytes = _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), bytes);
    let (low, high) = (picked(bytes, low), picked(bytes, high));
    [_mm512_unpacklo_epi8(low, high), _mm512_unpackhi_epi8(low, high), bytes, bytes]
}

/// The byte of the table for each of `bytes`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn picked(bytes: __m512i, table: &Quarters) -> __m512i {
    let first = _mm512_permutex2var_epi8(table[0], bytes, table[1]);
    let second = _mm512_permutex2var_epi8(table[2], bytes, table[3]);
    _mm512_mask_mov_epi8(first, _mm512_movepi8_mask(bytes), second)
}

/// Every other byte of two registers, from `first` on.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn every_other(a: __m512i, b: __m512i, first: usize) -> __m512i {
    // SAFETY: the table has 64 bytes.
    let at = unsafe { load64(EVERY_OTHER[first].as_ptr()) };
    _mm512_permutex2var_epi8(a, at, b)
}

static EVERY_OTHER: [[u8; LINE]; 2] = {
    let mut tables = [[0; LINE]; 2];
    let mut i = 0;
    while i < LINE {
        (tables[0][i], tables[1][i]) = (2 * i as u8, 2 * i as u8 + 1);
        i += 1;
    }
    tables
};
