//! Crossed unit strides: the destination is contiguous along x, the source along y.
//!
//! Squares are turned in registers: 8 / B rows of one u64 each, in which neighbouring elements, then pairs … of rows
//! change places. Loads and stores are 8 bytes wide, 4 in squares of half the side.

use core::mem::MaybeUninit;

use super::super::tile::{Step, Tile};
use super::memory::{load, store, transfer};
use super::run::copy_run;
use super::strided::strided;
use super::{step, step_mut};

/// Bytes along y that are finished for all x before the next ones, so that the pages and lines of the source are still
/// at hand for the neighbouring x.
const BAND: usize = 2048;

/// Bytes of a cache line: the destination is written a whole one at a time.
const LINE: usize = 64;

/// Lines at this distance compete for the same places of a first-level cache, of which there are at least `WAYS`.
const ALIAS: usize = 4096;
const WAYS: usize = 8;

/// Moves elements of `B` bytes (1, 2, 4, 8 or 16), once and without padding, where `x.dst` and `y.src` are `B`.
///
/// # Safety
/// The contract of [`super::super::Kernel`] for elements of `B` bytes, with `x.dst == B` and `y.src == B`.
#[inline(always)]
pub(super) unsafe fn transpose<const B: usize>(src: *const u8, dst: *mut u8, tile: &Tile) {
    let (band, line) = (BAND / B, LINE / B);
    let stage = line > WAYS * places(tile.x.src);
    let mut y = 0;
    while y < tile.y.len {
        let rows = smaller(tile.y.len - y, band);
        let mut x = 0;
        while x < tile.x.len {
            let columns = smaller(tile.x.len - x, line);
            let from = step(step(src, x, tile.x.src), y, B as isize);
            let to = step_mut(step_mut(dst, x, B as isize), y, tile.y.dst);
            let part = tile.part(columns, rows);
            if stage && columns == line {
                // SAFETY: the part lies in the tile.
                unsafe { staged::<B>(from, to, &part) };
            } else {
                // SAFETY: the part lies in the tile.
                unsafe { squares::<B>(from, to, &part) };
            }
            x += columns;
        }
        y += rows;
    }
}

const fn smaller(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}

/// How many different places of a first-level cache lines at this distance fall into.
const fn places(stride: isize) -> usize {
    let stride = stride.unsigned_abs() | ALIAS;
    ALIAS >> stride.trailing_zeros()
}

/// Transposes one column of lines of the destination, by squares of 8 bytes a row.
///
/// # Safety
/// As [`transpose`].
#[inline(always)]
unsafe fn squares<const B: usize>(src: *const u8, dst: *mut u8, tile: &Tile) {
    match B {
        // SAFETY: the caller's promise.
        1 => unsafe { squares_of::<B, 8>(src, dst, tile) },
        // SAFETY: the caller's promise.
        2 => unsafe { squares_of::<B, 4>(src, dst, tile) },
        // SAFETY: the caller's promise.
        4 => unsafe { squares_of::<B, 2>(src, dst, tile) },
        // SAFETY: the caller's promise.
        _ => unsafe { squares_of::<B, 1>(src, dst, tile) },
    }
}

/// [`squares`] of `SIDE` by `SIDE` elements, and narrower ones where these do not fit: blocks of 4 bytes are common.
///
/// # Safety
/// As [`transpose`].
#[inline(always)]
unsafe fn squares_of<const B: usize, const SIDE: usize>(src: *const u8, dst: *mut u8, tile: &Tile) {
    let (x_end, y_end) = (tile.x.len / SIDE * SIDE, tile.y.len / SIDE * SIDE);
    let mut y = 0;
    while y < y_end {
        let mut x = 0;
        while x < x_end {
            let from = step(step(src, x, tile.x.src), y, B as isize);
            let to = step_mut(step_mut(dst, x, B as isize), y, tile.y.dst);
            // SAFETY: x + SIDE <= x.len and y + SIDE <= y.len, so that every row of the square is in the tile.
            unsafe { square::<B, SIDE>(from, tile.x.src, to, tile.y.dst) };
            x += SIDE;
        }
        y += SIDE;
    }
    // What no square covers: the last rows of y, then the last columns of x.
    if y_end < tile.y.len {
        let part = tile.part(tile.x.len, tile.y.len - y_end);
        // SAFETY: the part lies in the tile.
        unsafe { rest::<B, SIDE>(step(src, y_end, B as isize), step_mut(dst, y_end, tile.y.dst), &part) };
    }
    if x_end < tile.x.len {
        let part = tile.part(tile.x.len - x_end, y_end);
        // SAFETY: the part lies in the tile.
        unsafe { rest::<B, SIDE>(step(src, x_end, tile.x.src), step_mut(dst, x_end, B as isize), &part) };
    }
}

/// What squares of `SIDE` leave over: by squares of 4 bytes a row, then one element at a time. Not inlined, because it
/// is the rarer way and would be there twice.
///
/// # Safety
/// As [`transpose`].
#[inline(never)]
unsafe fn rest<const B: usize, const SIDE: usize>(src: *const u8, dst: *mut u8, tile: &Tile) {
    match (B, SIDE) {
        // SAFETY: the caller's promise.
        (1, 8) => unsafe { squares_of::<1, 4>(src, dst, tile) },
        // SAFETY: the caller's promise.
        (2, 4) => unsafe { squares_of::<2, 2>(src, dst, tile) },
        // SAFETY: the caller's promise.
        _ => unsafe { strided::<[u8; B]>(src, dst, tile) },
    }
}

/// [`squares`] through a buffer, for rows of the source that drive one another out of the first-level cache: each
/// line of it is read once and whole.
///
/// # Safety
/// As [`transpose`], with `x.len * B == LINE`.
#[inline(always)]
unsafe fn staged<const B: usize>(src: *const u8, dst: *mut u8, tile: &Tile) {
    let mut buffer = MaybeUninit::<[[u64; LINE / 8]; LINE]>::uninit();
    let buffer = buffer.as_mut_ptr().cast::<u8>();
    let line = LINE / B;
    let mut y = 0;
    while y < tile.y.len {
        let rows = smaller(tile.y.len - y, line);
        for x in 0..tile.x.len {
            let from = step(step(src, x, tile.x.src), y, B as isize);
            // SAFETY: `rows` elements of column x are in the tile; the buffer has LINE lines and x is below that.
            unsafe { copy_run(from, buffer.wrapping_add(x * LINE), rows * B) };
        }
        let part = Tile { x: Step { src: LINE as isize, ..tile.x }, ..tile.part(tile.x.len, rows) };
        // SAFETY: what is read of the buffer was just written; the rows of the destination are in the tile.
        unsafe { squares::<B>(buffer, step_mut(dst, y, tile.y.dst), &part) };
        y += rows;
    }
}

/// Transposes one square of `SIDE` by `SIDE` elements, whose rows have 8 or 4 bytes; or moves one element.
///
/// # Safety
/// `SIDE` elements can be read at `src + i * src_stride` and written at `dst + j * dst_stride`, for i and j below `SIDE`.
#[inline(always)]
unsafe fn square<const B: usize, const SIDE: usize>(
    src: *const u8,
    src_stride: isize,
    dst: *mut u8,
    dst_stride: isize,
) {
    if SIDE == 1 {
        // SAFETY: the caller's promise.
        unsafe { transfer::<[u8; B]>(src, dst) };
        return;
    }
    let mut rows = [0u64; SIDE];
    for (i, row) in rows.iter_mut().enumerate() {
        let from = step(src, i, src_stride);
        *row = if B * SIDE == 8 {
            // SAFETY: the caller's promise.
            u64::from_le(unsafe { load(from) })
        } else {
            // SAFETY: the caller's promise.
            u32::from_le(unsafe { load(from) }) as u64
        };
    }
    let mut distance = 1;
    while distance < SIDE {
        let bits = 8 * B * distance;
        // `bits` ones, `bits` zeros, and so on from below.
        let mask = u64::MAX / ((1 << bits) + 1);
        for i in 0..SIDE {
            if i & distance == 0 {
                let swap = ((rows[i] >> bits) ^ rows[i + distance]) & mask;
                rows[i] ^= swap << bits;
                rows[i + distance] ^= swap;
            }
        }
        distance *= 2;
    }
    for (j, &row) in rows.iter().enumerate() {
        let to = step_mut(dst, j, dst_stride);
        if B * SIDE == 8 {
            // SAFETY: the caller's promise.
            unsafe { store(to, row.to_le()) };
        } else {
            // SAFETY: the caller's promise.
            unsafe { store(to, (row as u32).to_le()) };
        }
    }
}
