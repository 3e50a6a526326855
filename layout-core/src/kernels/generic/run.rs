//! Contiguous runs of bytes: moved and zeroed without a call for the short ones that tiles are full of.

use super::memory::{store, transfer};

/// The length from which the platform's own memcpy is taken, in bytes.
const LONG: usize = 256;

/// Moves `len` bytes from `src` to `dst`.
///
/// # Safety
/// `len` bytes can be read at `src` and written at `dst`, and they do not overlap.
#[inline(always)]
pub(in super::super) unsafe fn copy_run(src: *const u8, dst: *mut u8, len: usize) {
    if len >= LONG {
        // SAFETY: the caller's promise.
        unsafe { core::ptr::copy_nonoverlapping(src, dst, len) };
        return;
    }
    pieces(len, |at, bytes| {
        let (src, dst) = (src.wrapping_add(at), dst.wrapping_add(at));
        match bytes {
            // SAFETY: the caller's promise; `pieces` stays within `len`.
            16 => unsafe { transfer::<[u64; 2]>(src, dst) },
            // SAFETY: as above.
            8 => unsafe { transfer::<u64>(src, dst) },
            // SAFETY: as above.
            4 => unsafe { transfer::<u32>(src, dst) },
            // SAFETY: as above.
            2 => unsafe { transfer::<u16>(src, dst) },
            // SAFETY: as above.
            _ => unsafe { transfer::<u8>(src, dst) },
        }
    });
}

/// Writes `len` bytes of zero at `dst`.
///
/// # Safety
/// `len` bytes can be written at `dst`.
#[inline(always)]
pub(in super::super) unsafe fn zero_run(dst: *mut u8, len: usize) {
    // Without a loop, of which the compiler makes a call of memset.
    match len {
        // SAFETY of all: the caller's promise.
        // SAFETY: see above.
        64.. => unsafe { dst.write_bytes(0, len) },
        // SAFETY: see above.
        32.. => unsafe { both_ends(dst, len, [0u64; 4]) },
        // SAFETY: see above.
        16.. => unsafe { both_ends(dst, len, [0u64; 2]) },
        // SAFETY: see above.
        8.. => unsafe { both_ends(dst, len, 0u64) },
        // SAFETY: see above.
        4.. => unsafe { both_ends(dst, len, 0u32) },
        // SAFETY: see above.
        2.. => unsafe { both_ends(dst, len, 0u16) },
        // SAFETY: see above.
        1 => unsafe { store(dst, 0u8) },
        0 => {}
    }
}

/// Writes `value` to the first and to the last of `len` bytes at `dst`, of which it fills half at least.
///
/// # Safety
/// They can be written, and are as many as `value` has.
#[inline(always)]
unsafe fn both_ends<T: Copy>(dst: *mut u8, len: usize, value: T) {
    // SAFETY of both: the caller's promise.
    // SAFETY: see above.
    unsafe { store(dst, value) };
    // SAFETY: see above.
    unsafe { store(dst.wrapping_add(len - size_of::<T>()), value) };
}

/// Calls `piece(at, bytes)` so that the pieces cover `0..len` and nothing else; the last one may overlap the one before,
/// which spares a loop over the odd bytes.
#[inline(always)]
fn pieces(len: usize, piece: impl Fn(usize, usize)) {
    if len >= 16 {
        let mut at = 0;
        while at + 16 <= len {
            piece(at, 16);
            at += 16;
        }
        if at < len {
            piece(len - 16, 16);
        }
    } else if len >= 8 {
        piece(0, 8);
        piece(len - 8, 8);
    } else if len >= 4 {
        piece(0, 4);
        piece(len - 4, 4);
    } else if len >= 2 {
        piece(0, 2);
        piece(len - 2, 2);
    } else if len == 1 {
        piece(0, 1);
    }
}
