//! Tiles that are narrower than a square of registers: pixels of 2, 3 or 4 elements to planes and back, where the count
//! is a constant, so that LLVM knows the strides and vectorises the loop; and tiles of a few dozen elements, where
//! choosing a loop would cost more than the elements.

use super::super::tile::Tile;
use super::memory::transfer;
use super::{step, step_mut};

/// Whether `tile` is for [`tiny`]: no padding and few elements.
#[inline(always)]
pub(super) const fn is_tiny(tile: &Tile) -> bool {
    tile.x.len <= 8 && tile.y.len <= 16 && tile.valid_x == tile.x.len && tile.valid_y == tile.y.len
}

/// Calls `element` with the addresses of each element of `tile`, its repetitions included.
#[inline(always)]
pub(super) fn tiny(src: *const u8, dst: *mut u8, tile: &Tile, element: impl Fn(*const u8, *mut u8)) {
    match tile.x.len {
        4 => tiny_of(src, dst, tile, 4, element),
        8 => tiny_of(src, dst, tile, 8, element),
        len => tiny_of(src, dst, tile, len, element),
    }
}

/// [`tiny`] with `x.len == len`, which is a constant where this is inlined.
#[inline(always)]
fn tiny_of(src: *const u8, dst: *mut u8, tile: &Tile, len: usize, element: impl Fn(*const u8, *mut u8)) {
    for z in 0..tile.z.len {
        let (src, dst) = (step(src, z, tile.z.src), step_mut(dst, z, tile.z.dst));
        for y in 0..tile.y.len {
            let (src, dst) = (step(src, y, tile.y.src), step_mut(dst, y, tile.y.dst));
            for x in 0..len {
                element(step(src, x, tile.x.src), step_mut(dst, x, tile.x.dst));
            }
        }
    }
}

/// Takes tiles of `B`-byte elements whose one side is 2, 3 or 4 elements that follow one another; `false` where
/// `tile` is none, and then nothing was done.
///
/// # Safety
/// The contract of [`super::super::Kernel`] for elements of `B` bytes, with `x.dst == B` and `y.src == B`.
#[inline(always)]
pub(super) unsafe fn small<const B: usize>(src: *const u8, dst: *mut u8, tile: &Tile) -> bool {
    let bytes = B as isize;
    if tile.y.len <= 4 && tile.x.src == tile.y.len as isize * bytes {
        match tile.y.len {
            // SAFETY: the caller's promise, and the strides were just compared.
            2 => unsafe { planes::<B, 2>(src, dst, tile) },
            // SAFETY: as above.
            3 => unsafe { planes::<B, 3>(src, dst, tile) },
            // SAFETY: as above.
            4 => unsafe { planes::<B, 4>(src, dst, tile) },
            _ => return false,
        }
        return true;
    }
    if tile.x.len <= 4 && tile.y.dst == tile.x.len as isize * bytes {
        match tile.x.len {
            // SAFETY: the caller's promise, and the strides were just compared.
            2 => unsafe { pixels::<B, 2>(src, dst, tile) },
            // SAFETY: as above.
            3 => unsafe { pixels::<B, 3>(src, dst, tile) },
            // SAFETY: as above.
            4 => unsafe { pixels::<B, 4>(src, dst, tile) },
            _ => return false,
        }
        return true;
    }
    false
}

/// Pixels to planes: N elements that follow one another go to N rows.
///
/// # Safety
/// As [`small`], with `y.len == N` and `x.src == N * B`.
#[inline(always)]
unsafe fn planes<const B: usize, const N: usize>(src: *const u8, dst: *mut u8, tile: &Tile) {
    let planes: [*mut u8; N] = core::array::from_fn(|n| step_mut(dst, n, tile.y.dst));
    for x in 0..tile.x.len {
        for (n, plane) in planes.iter().enumerate() {
            // SAFETY: element (x, n) is in the tile.
            unsafe { transfer::<[u8; B]>(src.wrapping_add((x * N + n) * B), plane.wrapping_add(x * B)) };
        }
    }
}

/// Planes to pixels: an element of each of N rows goes to N places that follow one another.
///
/// # Safety
/// As [`small`], with `x.len == N` and `y.dst == N * B`.
#[inline(always)]
unsafe fn pixels<const B: usize, const N: usize>(src: *const u8, dst: *mut u8, tile: &Tile) {
    let planes: [*const u8; N] = core::array::from_fn(|n| step(src, n, tile.x.src));
    for y in 0..tile.y.len {
        for (n, plane) in planes.iter().enumerate() {
            // SAFETY: element (n, y) is in the tile.
            unsafe { transfer::<[u8; B]>(plane.wrapping_add(y * B), dst.wrapping_add((y * N + n) * B)) };
        }
    }
}
