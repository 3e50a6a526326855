//! Crossed unit strides, the destination contiguous along x and the source along y: cuts a tile into bands that stay in
//! the first-level cache. Called by `copy` and `convert`.

use super::super::generic::{step, step_mut};
use super::super::tile::Tile;
use super::strips::strips;
use super::{Fold, LINE, Simd, Strips};

/// Bytes along y that are finished for all x before the next ones, so that the pages and lines of the source are still
/// at hand for the neighbouring x.
const BAND: usize = 256;

/// Transposes one repetition of `tile`, the first `valid_y` values of y; x may be two loops, as `fold` says.
///
/// # Safety
/// The contract of [`super::super::Kernel`] for elements of `B` bytes, with `x.dst == B`; `y.src == B` unless `B` is
/// 16; neither `valid_x` nor `valid_y` is 0.
#[inline(always)]
pub(super) unsafe fn cross<S: Simd, const B: usize>(
    simd: S,
    src: *const u8,
    dst: *mut u8,
    tile: &Tile,
    valid_y: usize,
    fold: Option<Fold>,
) {
    // A single strip writes its rows in turn whatever their number.
    let band = if tile.x.len * B <= LINE { valid_y } else { BAND / B };
    let mut y = 0;
    while y < valid_y {
        let height = if valid_y - y < band { valid_y - y } else { band };
        let job = Strips {
            src: step(src, y, tile.y.src),
            src_x: tile.x.src,
            src_y: tile.y.src,
            dst: step_mut(dst, y, tile.y.dst),
            dst_y: tile.y.dst,
            valid: tile.valid_x,
            width: tile.x.len,
            height,
            stream: tile.stream,
            fold,
        };
        // SAFETY: 1. to 4. of the contract, for these rows of the tile.
        unsafe { strips::<S, B>(simd, &job) };
        y += height;
    }
}
