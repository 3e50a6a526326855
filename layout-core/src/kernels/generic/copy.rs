//! Moves elements unchanged; chooses the loop by the strides of the tile.

use super::super::tile::{Kernel, Tile};
use super::memory::transfer;
use super::run::copy_run;
use super::small::{is_tiny, small, tiny};
use super::strided::{strided, tabled};
use super::transpose::transpose;
use super::{each_part, step, step_mut};

/// Moves the elements of `B` bytes (1, 2, 4, 8 or 16) of `tile` and writes zero to its padding.
///
/// # Safety
/// The contract of [`super::super::Kernel`] for elements of `B` bytes on both sides.
pub(in super::super) unsafe fn copy<const B: usize>(src: *const u8, dst: *mut u8, tile: &Tile) {
    if let Some(blocks) = tile.tables.blocks {
        for i in 0..blocks.parts() {
            let (src_by, dst_by, part) = blocks.part(tile, i);
            // SAFETY: the caller's promise; the part lies in the tile and has no blocks.
            unsafe { copy::<B>(src.wrapping_offset(src_by), dst.wrapping_offset(dst_by), &part) };
        }
        return;
    }
    let bytes = B as isize;
    if tile.tables.src_x.is_some() || tile.tables.dst_y.is_some() {
        // SAFETY: the caller's promise.
        return unsafe { tabled::<[u8; B]>(src, dst, tile) };
    }
    let body: Kernel = if tile.x.src == bytes && tile.x.dst == bytes {
        rows::<B>
    } else if is_tiny(tile) {
        // SAFETY: `tiny` visits the elements of the tile.
        return tiny(src, dst, tile, |src, dst| unsafe { transfer::<[u8; B]>(src, dst) });
    } else if tile.x.dst == bytes && tile.y.src == bytes {
        cross::<B>
    } else {
        strided::<[u8; B]>
    };
    // SAFETY: the caller's promise; the strides that `body` asks for were just compared.
    unsafe { each_part(src, dst, tile, B, body) };
}

/// The destination is contiguous along x, the source along y.
///
/// # Safety
/// The contract of [`super::super::Kernel`] for elements of `B` bytes, with `x.dst == y.src == B`.
unsafe fn cross<const B: usize>(src: *const u8, dst: *mut u8, tile: &Tile) {
    // SAFETY: the caller's promise.
    if !unsafe { small::<B>(src, dst, tile) } {
        // SAFETY: the caller's promise.
        unsafe { transpose::<B>(src, dst, tile) };
    }
}

/// Rows that are contiguous on both sides.
///
/// # Safety
/// The contract of [`super::super::Kernel`] for elements of `B` bytes, with `x.src == x.dst == B`.
unsafe fn rows<const B: usize>(src: *const u8, dst: *mut u8, tile: &Tile) {
    for y in 0..tile.y.len {
        // SAFETY: the elements of the row follow one another on both sides.
        unsafe { copy_run(step(src, y, tile.y.src), step_mut(dst, y, tile.y.dst), tile.x.len * B) };
    }
}
