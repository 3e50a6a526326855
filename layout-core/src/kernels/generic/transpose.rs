//! Crossed unit strides: the destination is contiguous along x, the source along y.
//!
//! Squares of 8 bytes by 8 bytes' worth of rows are turned in registers: 8 / B rows of one u64 each, in which halves,
//! then quarters … of neighbouring rows change places. All loads and stores are 8 bytes wide, and LLVM puts two
//! squares into one vector where it can.

use super::super::tile::Tile;
use super::memory::{load, store};
use super::strided::strided;
use super::{step, step_mut};

/// Bytes along y that are finished for all x before the next ones, so that the pages and lines of the source are still
/// at hand for the neighbouring x.
const BAND: usize = 512;

/// Bytes of a cache line: the destination is written a whole one at a time.
const LINE: usize = 64;

/// Moves elements of `B` bytes (1, 2, 4, 8 or 16), once and without padding, where `x.dst` and `y.src` are `B`.
///
/// # Safety
/// The contract of [`super::super::Kernel`] for elements of `B` bytes, with `x.dst == B` and `y.src == B`.
#[inline(always)]
pub(super) unsafe fn transpose<const B: usize>(src: *const u8, dst: *mut u8, tile: &Tile) {
    let side = if B < 8 { 8 / B } else { 1 };
    let band = BAND / B;
    let line = LINE / B;
    let (x_end, y_end) = (tile.x.len / side * side, tile.y.len / side * side);
    let mut y0 = 0;
    while y0 < y_end {
        let y1 = if y_end - y0 < band { y_end } else { y0 + band };
        let mut x0 = 0;
        while x0 < x_end {
            let x1 = if x_end - x0 < line { x_end } else { x0 + line };
            let mut y = y0;
            while y < y1 {
                let mut x = x0;
                while x < x1 {
                    let from = step(step(src, x, tile.x.src), y, B as isize);
                    let to = step_mut(step_mut(dst, x, B as isize), y, tile.y.dst);
                    // SAFETY: x + side <= x.len and y + side <= y.len, so that every row of the square is in the tile.
                    unsafe { square::<B>(from, tile.x.src, to, tile.y.dst) };
                    x += side;
                }
                y += side;
            }
            x0 = x1;
        }
        y0 = y1;
    }
    // What no square covers: the last rows of y, then the last columns of x.
    if y_end < tile.y.len {
        let part = tile.part(tile.x.len, tile.y.len - y_end);
        // SAFETY: the part lies in the tile.
        unsafe { strided::<[u8; B]>(step(src, y_end, B as isize), step_mut(dst, y_end, tile.y.dst), &part) };
    }
    if x_end < tile.x.len {
        let part = tile.part(tile.x.len - x_end, y_end);
        // SAFETY: the part lies in the tile.
        unsafe { strided::<[u8; B]>(step(src, x_end, tile.x.src), step_mut(dst, x_end, B as isize), &part) };
    }
}

/// Transposes one square of 8 / B by 8 / B elements; for B of 8 and 16 one element.
///
/// # Safety
/// Its rows can be read at `src + i * src_stride` and written at `dst + j * dst_stride`, 8 (or B) bytes each.
#[inline(always)]
unsafe fn square<const B: usize>(src: *const u8, src_stride: isize, dst: *mut u8, dst_stride: isize) {
    if B >= 8 {
        // SAFETY: the caller's promise.
        unsafe { super::memory::transfer::<[u8; B]>(src, dst) };
        return;
    }
    let side = 8 / B;
    let mut rows = [0u64; 8];
    for (i, row) in rows.iter_mut().enumerate().take(side) {
        // SAFETY: the caller's promise.
        *row = u64::from_le(unsafe { load(step(src, i, src_stride)) });
    }
    let mut distance = 1;
    while distance < side {
        let bits = 8 * B * distance;
        // `bits` ones, `bits` zeros, and so on from below.
        let mask = u64::MAX / ((1 << bits) + 1);
        for i in 0..side {
            if i & distance == 0 {
                let swap = (rows[i] >> bits ^ rows[i + distance]) & mask;
                rows[i] ^= swap << bits;
                rows[i + distance] ^= swap;
            }
        }
        distance *= 2;
    }
    for (j, row) in rows.iter().enumerate().take(side) {
        // SAFETY: the caller's promise.
        unsafe { store(step_mut(dst, j, dst_stride), row.to_le()) };
    }
}
