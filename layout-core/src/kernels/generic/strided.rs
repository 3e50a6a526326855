//! Loops for any strides, one element at a time: what remains where no side has a unit stride, edges of other kernels,
//! and padding.

use super::super::tile::{Step, Tile};
use super::memory::{store, transfer};
use super::run::zero_run;
use super::{step, step_mut};

/// Moves the elements of type `T` of `tile`, once and without padding.
///
/// # Safety
/// The contract of [`super::super::Kernel`] for elements of `T`'s size.
pub(in super::super) unsafe fn strided<T: Copy>(src: *const u8, dst: *mut u8, tile: &Tile) {
    // SAFETY: the caller's promise.
    each(src, dst, tile, |src, dst| unsafe { transfer::<T>(src, dst) });
}

/// Moves the elements of type `T` of `tile`, along whose x or y the distances stand in tables, and writes zero to its padding.
///
/// # Safety
/// The contract of [`super::super::Kernel`] for elements of `T`'s size.
pub(super) unsafe fn tabled<T: Copy>(src: *const u8, dst: *mut u8, tile: &Tile) {
    let distance = |table: Option<&[isize]>, i: usize, stride: isize| match table {
        Some(table) => table[i],
        None => (i as isize).wrapping_mul(stride),
    };
    for z in 0..tile.z.len {
        let (src, dst) = (step(src, z, tile.z.src), step_mut(dst, z, tile.z.dst));
        for y in 0..tile.y.len {
            let from = step(src, y, tile.y.src);
            let to = dst.wrapping_offset(distance(tile.tables.dst_y, y, tile.y.dst));
            let valid = if y < tile.valid_y { tile.valid_x } else { 0 };
            for x in 0..valid {
                let from = from.wrapping_offset(distance(tile.tables.src_x, x, tile.x.src));
                // SAFETY: the caller's promise.
                unsafe { transfer::<T>(from, step_mut(to, x, tile.x.dst)) };
            }
            // SAFETY: the caller's promise; the elements along x follow one another.
            unsafe { zero_run(step_mut(to, valid, tile.x.dst), (tile.x.len - valid) * size_of::<T>()) };
        }
    }
}

/// Calls `element` with the addresses of each element of `tile`, the longer loop inside.
#[inline(always)]
pub(super) fn each(src: *const u8, dst: *mut u8, tile: &Tile, element: impl Fn(*const u8, *mut u8)) {
    let (outer, inner) =
        if tile.x.len < 8 && tile.x.len < tile.y.len { (tile.x, tile.y) } else { (tile.y, tile.x) };
    for o in 0..outer.len {
        let (src, dst) = (step(src, o, outer.src), step_mut(dst, o, outer.dst));
        for i in 0..inner.len {
            element(step(src, i, inner.src), step_mut(dst, i, inner.dst));
        }
    }
}

/// Writes zero to the elements of `bytes` bytes at all `x` and `y`.
///
/// # Safety
/// The elements can be written.
pub(in super::super) unsafe fn fill_zero(dst: *mut u8, x: Step, y: Step, bytes: usize) {
    if x.len == 0 || y.len == 0 {
        return;
    }
    let follows = |one: Step| one.dst == bytes as isize;
    let (x, y) = if !follows(x) && follows(y) { (y, x) } else { (x, y) };
    if follows(x) {
        if y.dst == (x.len * bytes) as isize {
            // SAFETY: the caller's promise; the elements follow one another along both.
            return unsafe { zero_run(dst, x.len * y.len * bytes) };
        }
        for row in 0..y.len {
            // SAFETY: the caller's promise; the elements along x follow one another.
            unsafe { zero_run(step_mut(dst, row, y.dst), x.len * bytes) };
        }
        return;
    }
    for row in 0..y.len {
        let dst = step_mut(dst, row, y.dst);
        for i in 0..x.len {
            let at = step_mut(dst, i, x.dst);
            match bytes {
                // SAFETY: the caller's promise.
                8 => unsafe { store(at, 0u64) },
                // SAFETY: the caller's promise.
                4 => unsafe { store(at, 0u32) },
                // SAFETY: the caller's promise.
                2 => unsafe { store(at, 0u16) },
                // SAFETY: the caller's promise.
                1 => unsafe { store(at, 0u8) },
                // SAFETY: the caller's promise.
                _ => unsafe { zero_run(at, bytes) },
            }
        }
    }
}
