//! Portable kernels: plain Rust for every CPU, and the reference for the others. Called through `kernels`.
//!
//! * `copy` moves elements of 1, 2, 4, 8 or 16 bytes: it looks at the strides of the tile once and takes the best loop
//!   for them. `convert` changes the type of elements in rows.
//! * `run` moves and zeroes contiguous bytes, `transpose` crosses two unit strides in registers, `small` does the same
//!   where one side has 2, 3 or 4 elements, `strided` takes any strides.

mod convert;
mod copy;
mod memory;
mod run;
mod small;
mod strided;
mod transpose;

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) use convert::plain;
pub(super) use convert::{F32_TO_F32, convert_rows};
pub(super) use copy::copy;
pub(crate) use memory::fill_padding;
pub(super) use memory::{opaque, transfer};
pub(super) use run::{copy_run, zero_run};

use super::tile::{Kernel, Step, Tile};
pub(super) use strided::{fill_zero, strided};

/// Rows of `y` that are finished, padding included, before the next ones: few enough to stay in the first-level cache.
const CHUNK: usize = 64;

/// Calls `body` for the data of `tile`, one repetition and at most [`CHUNK`] rows at a time where there is padding, and
/// writes zero to the padding of those rows before it goes on. `bytes` is the width of the destination's elements.
///
/// # Safety
/// The contract of [`super::Kernel`], and that of `body`, which is called with pointers and a part that fulfil the first.
unsafe fn each_part(src: *const u8, dst: *mut u8, tile: &Tile, bytes: usize, body: Kernel) {
    let whole = tile.valid_x == tile.x.len && tile.valid_y == tile.y.len;
    for z in 0..tile.z.len {
        let src = step(src, z, tile.z.src);
        let dst = step_mut(dst, z, tile.z.dst);
        if whole {
            // SAFETY: the caller's promise; the part is one repetition of the tile.
            unsafe { body(src, dst, &tile.part(tile.x.len, tile.y.len)) };
            continue;
        }
        let valid_y = if tile.valid_x == 0 { 0 } else { tile.valid_y };
        let mut y = 0;
        while y < valid_y {
            let rows = if valid_y - y < CHUNK { valid_y - y } else { CHUNK };
            let at = step_mut(dst, y, tile.y.dst);
            // SAFETY: the caller's promise; the part is data of one repetition, rows y to y + rows.
            unsafe { body(step(src, y, tile.y.src), at, &tile.part(tile.valid_x, rows)) };
            let padding = Step { len: tile.x.len - tile.valid_x, ..tile.x };
            let at = step_mut(at, tile.valid_x, tile.x.dst);
            // SAFETY: 2. of the contract; x from `valid_x` on and these rows are in the tile.
            unsafe { fill_zero(at, padding, Step { len: rows, ..tile.y }, bytes) };
            y += rows;
        }
        let at = step_mut(dst, valid_y, tile.y.dst);
        // SAFETY: 2. of the contract; all of x and the rows from `valid_y` on are in the tile.
        unsafe { fill_zero(at, tile.x, Step { len: tile.y.len - valid_y, ..tile.y }, bytes) };
    }
}

/// `pointer` moved by `count` strides.
#[inline(always)]
pub(super) const fn step(pointer: *const u8, count: usize, stride: isize) -> *const u8 {
    pointer.wrapping_offset((count as isize).wrapping_mul(stride))
}

/// `pointer` moved by `count` strides.
#[inline(always)]
pub(super) const fn step_mut(pointer: *mut u8, count: usize, stride: isize) -> *mut u8 {
    pointer.wrapping_offset((count as isize).wrapping_mul(stride))
}
