//! Moves elements unchanged; chooses the loop by the strides of the tile.

use super::super::tile::Tile;
use super::run::copy_run;
use super::small::small;
use super::strided::strided;
use super::transpose::transpose;
use super::{each_part, step, step_mut};

/// Moves the elements of `B` bytes (1, 2, 4, 8 or 16) of `tile` and writes zero to its padding.
///
/// # Safety
/// The contract of [`super::super::Kernel`] for elements of `B` bytes on both sides.
pub(in super::super) unsafe fn copy<const B: usize>(src: *const u8, dst: *mut u8, tile: &Tile) {
    let bytes = B as isize;
    // SAFETY: the caller's promise. The parts fulfil it, and the strides were compared for each loop.
    unsafe {
        if tile.x.src == bytes && tile.x.dst == bytes {
            each_part(src, dst, tile, B, |src, dst, part| rows::<B>(src, dst, part));
        } else if tile.x.dst == bytes && tile.y.src == bytes {
            each_part(src, dst, tile, B, |src, dst, part| {
                if !small::<B>(src, dst, part) {
                    transpose::<B>(src, dst, part);
                }
            });
        } else {
            each_part(src, dst, tile, B, |src, dst, part| strided::<[u8; B]>(src, dst, part));
        }
    }
}

/// Rows that are contiguous on both sides.
///
/// # Safety
/// The contract of [`super::super::Kernel`] for elements of `B` bytes, with `x.src == x.dst == B`.
#[inline(always)]
unsafe fn rows<const B: usize>(src: *const u8, dst: *mut u8, tile: &Tile) {
    for y in 0..tile.y.len {
        // SAFETY: the elements of the row follow one another on both sides.
        unsafe { copy_run(step(src, y, tile.y.src), step_mut(dst, y, tile.y.dst), tile.x.len * B) };
    }
}
