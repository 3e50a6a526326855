//! Crossed tiles of which one side is pixels of a few elements, and those of 2 or 4 by 2 or 4 elements. Called by `copy`.

use super::super::generic::{fill_zero, step, step_mut};
use super::super::tile::{Blocks, Step, Tile};
use super::{Pixels, Simd};

/// Repetitions of a crossed tile of 2 or 4 by 2 or 4 elements, at all places that two tables lead to.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "x86-64 alone reads it so far"))]
pub(in super::super) struct Quads<'a> {
    pub(in super::super) src: *const u8,
    /// Bytes between two values of x.
    pub(in super::super) src_step: isize,
    pub(in super::super) dst: *mut u8,
    /// Bytes between two values of y.
    pub(in super::super) dst_step: isize,
    /// Values of x and y.
    pub(in super::super) sides: [usize; 2],
    pub(in super::super) z: Step,
    pub(in super::super) src_by: &'a [isize],
    pub(in super::super) dst_by: &'a [isize],
}

/// Whether one side of a tile is pixels of 2, 3, 4 or 8 elements that are shorter than a vector.
#[derive(Clone, Copy)]
pub(super) enum Narrow {
    No,
    /// The destination, this many.
    Pixels(usize),
    /// The source, this many.
    Planes(usize),
}

#[inline(always)]
pub(super) fn narrow(tile: &Tile, bytes: isize) -> Narrow {
    if tile.tables.src_x.is_some() || tile.tables.dst_y.is_some() {
        return Narrow::No;
    }
    let (x, y, valid_y) = (tile.x.len, tile.y.len, tile.valid_y);
    // Pixels of 16 bytes are what transposes of the narrowest registers write.
    let few = |n: usize| matches!(n, 2..=4) || n == 8 && bytes == 1;
    if few(x) && tile.y.dst == x as isize * bytes && valid_y >= 8 {
        Narrow::Pixels(x)
    } else if few(y) && tile.x.src == y as isize * bytes && valid_y == y && tile.valid_x >= 8 {
        Narrow::Planes(y)
    } else {
        Narrow::No
    }
}

/// One repetition of such a tile, its padding along y left out; nothing for others.
///
/// # Safety
/// As [`super::copy::copy`], with the strides that `narrow` says.
#[inline(always)]
pub(super) unsafe fn pixels_or_planes<S: Simd, const B: usize>(
    simd: S,
    src: *const u8,
    dst: *mut u8,
    tile: &Tile,
    valid_y: usize,
    narrow: Narrow,
) {
    let claims = tile.claims;
    match narrow {
        Narrow::Pixels(n) => {
            let (plane, valid) = (tile.x.src, tile.valid_x);
            let job = Pixels { src, dst, plane, len: valid_y, valid, claims };
            match n {
                // SAFETY: the caller's promise: pixels of this many elements lie in the destination.
                2 => unsafe { simd.pixels::<B, 2>(&job) },
                // SAFETY: as above.
                3 => unsafe { simd.pixels::<B, 3>(&job) },
                // SAFETY: as above.
                4 => unsafe { simd.pixels::<B, 4>(&job) },
                // SAFETY: as above; there are no others.
                _ => unsafe { simd.pixels::<B, 8>(&job) },
            }
        }
        Narrow::Planes(n) => {
            let job = Pixels { src, dst, plane: tile.y.dst, len: tile.valid_x, valid: n, claims };
            match n {
                // SAFETY: the caller's promise: pixels of this many elements lie in the source.
                2 => unsafe { simd.planes::<B, 2>(&job) },
                // SAFETY: as above.
                3 => unsafe { simd.planes::<B, 3>(&job) },
                // SAFETY: as above.
                4 => unsafe { simd.planes::<B, 4>(&job) },
                // SAFETY: as above; there are no others.
                _ => unsafe { simd.planes::<B, 8>(&job) },
            }
            let rest = Step { len: tile.x.len - tile.valid_x, ..tile.x };
            let at = step_mut(dst, tile.valid_x, tile.x.dst);
            // SAFETY: 2. of the contract; x from `valid_x` on is in the tile.
            unsafe { fill_zero(at, rest, Step { len: valid_y, ..tile.y }, B) };
        }
        Narrow::No => {}
    }
}

/// All repetitions of `tile`, which is crossed, at all places of `blocks`; `false` where it has padding or is none of such pixels,
/// and then nothing was done.
///
/// # Safety
/// As [`super::copy::copy`].
#[inline(always)]
pub(super) unsafe fn in_blocks<S: Simd, const B: usize>(
    simd: S,
    src: *const u8,
    dst: *mut u8,
    tile: &Tile,
    blocks: &Blocks,
) -> bool {
    let Tile { x, y, z, valid_x, valid_y, .. } = *tile;
    let narrow = narrow(tile, B as isize);
    if (valid_x, valid_y, blocks.valid_z) != (x.len, y.len, z.len) || matches!(narrow, Narrow::No) {
        return false;
    }
    let claims = tile.claims;
    // A loop for each kind: what these differ in would be looked at for each tile.
    macro_rules! each {
        ($kind:ident, $n:literal, $plane:expr, $valid:expr, $len:expr) => {
            for (&src_by, &dst_by) in blocks.src.iter().zip(blocks.dst) {
                let (src, dst) = (src.wrapping_offset(src_by), dst.wrapping_offset(dst_by));
                for i in 0..z.len {
                    let (src, dst) = (step(src, i, z.src), step_mut(dst, i, z.dst));
                    let job = Pixels { src, dst, plane: $plane, len: $len, valid: $valid, claims };
                    // SAFETY: the caller's promise: pixels of this many elements lie on this side.
                    unsafe { simd.$kind::<B, $n>(&job) };
                }
            }
        };
    }
    match narrow {
        Narrow::Pixels(2) => each!(pixels, 2, x.src, x.len, y.len),
        Narrow::Pixels(3) => each!(pixels, 3, x.src, x.len, y.len),
        Narrow::Pixels(4) => each!(pixels, 4, x.src, x.len, y.len),
        Narrow::Pixels(_) => each!(pixels, 8, x.src, x.len, y.len),
        Narrow::Planes(2) => each!(planes, 2, y.dst, y.len, x.len),
        Narrow::Planes(3) => each!(planes, 3, y.dst, y.len, x.len),
        Narrow::Planes(4) => each!(planes, 4, y.dst, y.len, x.len),
        Narrow::Planes(_) => each!(planes, 8, y.dst, y.len, x.len),
        Narrow::No => return false,
    }
    true
}

/// All repetitions of `tile`, which is crossed, at all places of `blocks`; `false` where it has padding or is none of 2 or 4 by 2 or 4
/// elements that the family takes, and then nothing was done.
///
/// # Safety
/// As [`super::copy::copy`].
#[inline(always)]
pub(super) unsafe fn quads<S: Simd, const B: usize>(
    simd: S,
    src: *const u8,
    dst: *mut u8,
    tile: &Tile,
    blocks: &Blocks,
) -> bool {
    let Tile { x, y, z, valid_x, valid_y, tables, .. } = *tile;
    let whole = (valid_x, valid_y, blocks.valid_z) == (x.len, y.len, z.len);
    let plain = tables.src_x.is_none() && tables.dst_y.is_none();
    if !whole || !plain || !matches!((x.len, y.len), (2 | 4, 2 | 4)) {
        return false;
    }
    let (src_by, dst_by) = (blocks.src, blocks.dst);
    let job = Quads { src, src_step: x.src, dst, dst_step: y.dst, sides: [x.len, y.len], z, src_by, dst_by };
    // SAFETY: the caller's promise, and the sides were just compared.
    unsafe { simd.quads::<B>(&job) }
}
