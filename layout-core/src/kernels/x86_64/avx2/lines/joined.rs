//! Rows of whole blocks and a part of one. Called by the folder's `mod`.

use core::arch::x86_64::_mm256_setzero_si256;

use super::super::super::super::drive::LINE;
use super::super::super::super::generic::{step, step_mut, transfer};
use super::super::super::super::tile::{Joined, Step};
use super::super::super::parts::lines::joined::{BAND, Part, joined_kernel};
use super::super::super::parts::maker::writes_in_turn;
use super::super::super::parts::zip::unrolled;
use super::super::super::parts::{ACROSS, prefetch_write};
use super::super::memory::*;

joined_kernel! { "avx2,f16c", padded_block }

/// Moves `valid` bytes, and zeros behind them up to `W`.
///
/// # Safety
/// They can be read at `src`, and `W` bytes, which is 16, 32 or 64, written at `dst`; they do not overlap.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn padded_block<const W: usize>(src: *const u8, dst: *mut u8, valid: usize) {
    let data = ones32(if valid <= 32 { valid } else { valid - 32 });
    let zeros = _mm256_setzero_si256();
    // SAFETY of all: the caller's promise.
    match (W, valid) {
        (16, _) => {
            // SAFETY: see above.
            let part = unsafe { load16_first(src, valid) };
            // SAFETY: see above.
            unsafe { store16(dst, part) };
        }
        (32, _) => {
            // SAFETY: see above.
            let part = unsafe { load32_part(src, valid, data) };
            // SAFETY: see above.
            unsafe { store32(dst, part) };
        }
        (_, ..=32) => {
            // A second load by a mask without ones would cost as much as any load.
            // SAFETY: see above.
            let part = unsafe { load32_part(src, valid, data) };
            // SAFETY: see above.
            unsafe { store64(dst, [part, zeros]) };
        }
        _ => {
            // SAFETY: see above.
            let first = unsafe { load32(src) };
            // SAFETY: see above.
            let second = unsafe { load32_part(src.wrapping_add(32), valid - 32, data) };
            // SAFETY: see above.
            unsafe { store64(dst, [first, second]) };
        }
    }
}
