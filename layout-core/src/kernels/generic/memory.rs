//! Loads and stores at any address. Called by the other files of this folder; and the padding of a tile, by `reorder`. And addresses of
//! which the compiler knows nothing.

use super::super::tile::Tile;
use super::{step_mut, zero_run};

/// Reads a `T` at `src`, whatever its alignment.
///
/// # Safety
/// `size_of::<T>()` bytes can be read at `src`, and any bytes are a `T`.
#[inline(always)]
pub(super) unsafe fn load<T: Copy>(src: *const u8) -> T {
    // SAFETY: the caller's promise; no alignment is needed.
    unsafe { src.cast::<T>().read_unaligned() }
}

/// Writes `value` at `dst`, whatever its alignment.
///
/// # Safety
/// `size_of::<T>()` bytes can be written at `dst`.
#[inline(always)]
pub(super) unsafe fn store<T: Copy>(dst: *mut u8, value: T) {
    // SAFETY: the caller's promise; no alignment is needed.
    unsafe { dst.cast::<T>().write_unaligned(value) }
}

/// Moves one `T` from `src` to `dst`.
///
/// # Safety
/// As [`load`] and [`store`].
#[inline(always)]
pub(in super::super) unsafe fn transfer<T: Copy>(src: *const u8, dst: *mut u8) {
    // SAFETY: the caller's promise.
    let value = unsafe { load::<T>(src) };
    // SAFETY: the caller's promise.
    unsafe { store(dst, value) }
}

/// `pointer`, of which the compiler forgets where it comes from. Else it computes the distances of all rows of a square
/// before a loop over squares, more than there are registers, and reads each back from the stack.
#[inline(always)]
#[allow(
    clippy::pointers_in_nomem_asm_block,
    reason = "there is no instruction that could follow the pointer"
)]
pub(in super::super) fn opaque<T>(pointer: *mut T) -> *mut T {
    #[cfg(all(not(miri), any(target_arch = "x86_64", target_arch = "aarch64")))]
    let mut pointer = pointer;
    #[cfg(all(not(miri), any(target_arch = "x86_64", target_arch = "aarch64")))]
    // SAFETY: no instruction at all; the pointer comes out as it went in, provenance included.
    unsafe {
        core::arch::asm!("/* {0} */", inout(reg) pointer, options(pure, nomem, nostack, preserves_flags))
    };
    pointer
}

/// Writes `value` to the padding of `tile`, whose elements have `bytes` (1, 2, 4, 8 or 16) bytes; `value` is one of them, and
/// the same again as often as there is room.
///
/// # Safety
/// 2. and 4. of the contract of [`Kernel`](super::super::tile::Kernel); the tile has no tables.
pub(crate) unsafe fn fill_padding(value: &[u8; 16], bytes: usize, dst: *mut u8, tile: &Tile<'_>) {
    for z in 0..tile.z.len {
        for y in 0..tile.y.len {
            let first = if y < tile.valid_y { tile.valid_x } else { 0 };
            let row = step_mut(step_mut(step_mut(dst, z, tile.z.dst), y, tile.y.dst), first, tile.x.dst);
            let len = tile.x.len - first;
            if tile.x.dst == bytes as isize && *value == [0; 16] {
                // SAFETY: the caller's promise: these bytes are of elements of the row.
                unsafe { zero_run(row, len * bytes) };
                continue;
            }
            if tile.x.dst == bytes as isize {
                let mut at = 0;
                while at < len * bytes {
                    let part = value.len().min(len * bytes - at);
                    // SAFETY: the caller's promise: these bytes are of elements of the row.
                    unsafe { core::ptr::copy_nonoverlapping(value.as_ptr(), row.wrapping_add(at), part) };
                    at += part;
                }
                continue;
            }
            for x in 0..len {
                let element = step_mut(row, x, tile.x.dst);
                // SAFETY: as above, for an element.
                unsafe { core::ptr::copy_nonoverlapping(value.as_ptr(), element, bytes) };
            }
        }
    }
}
