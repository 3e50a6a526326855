//! Rows of whole blocks and a part of one. Called by the folder's `mod`.

use super::super::super::super::drive::LINE;
use super::super::super::super::generic::{step, step_mut, transfer};
use super::super::super::super::tile::{Joined, Step};
use super::super::super::parts::lines::joined::{BAND, Part, joined_kernel};
use super::super::super::parts::maker::writes_in_turn;
use super::super::super::parts::zip::unrolled;
use super::super::super::parts::{ACROSS, prefetch_write};
use super::super::memory::*;

joined_kernel! { "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi", padded_block }

/// Moves `valid` bytes, and zeros behind them up to `W`.
///
/// # Safety
/// They can be read at `src`, and `W` bytes, which is 16, 32 or 64, written at `dst`; they do not overlap.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn padded_block<const W: usize>(src: *const u8, dst: *mut u8, valid: usize) {
    match W {
        // SAFETY of all arms: the caller's promise.
        16 => {
            // SAFETY: see above.
            let part = unsafe { load16_first(src, valid) };
            // SAFETY: see above.
            unsafe { store16(dst, part) };
        }
        32 => {
            // SAFETY: see above.
            let part = unsafe { load32_first(src, valid) };
            // SAFETY: see above.
            unsafe { store32(dst, part) };
        }
        _ => {
            // SAFETY: see above.
            let part = unsafe { load64_first(src, valid) };
            // SAFETY: see above.
            unsafe { store64(dst, part) };
        }
    }
}
