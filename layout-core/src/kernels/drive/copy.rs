//! Moves elements unchanged: looks at the strides of the tile once and takes the job that fits. Called by `kernels`.

use core::mem::MaybeUninit;

use super::super::copy_bytes;
use super::super::generic::{self, step, step_mut};
use super::super::tile::{Blocks, Step, Tables, Tile};
use super::cross::cross;
use super::grid::{fill_rows, is_few, is_tiny, pieces_of};
use super::groups::{groups, woven};
use super::narrow::{Narrow, in_blocks, narrow, pixels_or_planes, quads};
use super::repeat::{fetch_rows, filled_by_halves, through_buffer};
use super::small::{is_small, small, small_tiles, squares};
use super::{LINE, Rows, Simd, Strips};

/// Bytes of a tile that is repeated as it is: to look at each repetition would take longer than its move.
const REPEATED: usize = 256;

/// Bytes of a lane, which most ways read of each row at least.
const LANE: usize = 16;

/// Moves the elements of `B` bytes (1, 2, 4, 8 or 16) of `tile` and writes zero to its padding.
///
/// # Safety
/// The contract of [`super::super::Kernel`] for elements of `B` bytes on both sides; the tile has no blocks.
#[inline(always)]
pub(in super::super) unsafe fn copy<S: Simd, const B: usize>(
    simd: S,
    src: *const u8,
    dst: *mut u8,
    tile: &Tile,
) {
    let bytes = B as isize;
    let crossed = tile.x.dst == bytes && tile.y.src == bytes && tile.x.src != bytes;
    let once = Blocks { src: &[0], dst: &[0], valid_z: tile.z.len };
    let repeats = tile.z.len > 1 && tile.x.len * tile.y.len * B <= REPEATED;
    let plain = tile.tables.src_x.is_none() && tile.tables.dst_y.is_none() && tile.valid_y == tile.y.len;
    if const { B <= 4 } && crossed && repeats && plain {
        let job = Strips::even(src, dst, tile);
        // SAFETY: the caller's promise, the strides were just compared, and there are no tables.
        if job.is_dense(tile.z, B) && unsafe { simd.without_gaps::<B>(&job, tile.z) } {
            return;
        }
    }
    if const { B <= 4 } && crossed && repeats {
        // SAFETY: as above.
        if unsafe { quads::<S, B>(simd, src, dst, tile, &once) } {
            return;
        }
    }
    if const { B <= 2 } && crossed {
        // SAFETY: as above.
        if unsafe { groups::<S, B>(simd, src, dst, tile) } {
            return;
        }
    }
    let rows = tile.x.src == bytes;
    // Vectors of 16 bytes need no transpose, so that the source may lie as it likes.
    let crosses = tile.y.src == bytes || B == 16;
    let alone = crosses && tile.x.dst == bytes && !rows;
    let folds = alone && folds::<S>(tile, bytes);
    let tiny = alone && (!folds || tile.y.len * B <= 4) && is_tiny(tile, B);
    let tiny = tiny && matches!(narrow(tile, bytes), Narrow::No);
    if const { B <= 4 } && alone && repeats && !folds {
        // SAFETY: the caller's promise, and the strides were just compared.
        if unsafe { in_blocks::<S, B>(simd, src, dst, tile, &once) } {
            return;
        }
    }
    let again = tile.z.len > 1 || tile.y.len * B < LANE;
    if const { B <= 4 } && crossed && !tiny && again {
        // SAFETY: as above.
        if unsafe { small_tiles::<S, B>(simd, src, dst, tile, &once) } {
            return;
        }
    }
    // SAFETY: the caller's promise.
    if unsafe { pieces_of::<S, B>(simd, src, dst, tile, tiny) } {
        return;
    }
    if tile.x.dst != bytes || !(rows || crosses) {
        // SAFETY: the caller's promise.
        unsafe { generic::copy::<B>(src, dst, tile) };
        return;
    }
    let mut folded = [const { MaybeUninit::uninit() }; FOLDED + Tables::SLACK];
    let whole;
    let tile = if folds {
        whole = fold(tile, &mut folded);
        &whole
    } else {
        tile
    };
    let swapped;
    // Not copied for nothing, which a small tensor would feel.
    let tile = if rows && tile.z.len > tile.y.len && tile.valid_y == tile.y.len {
        // The loop with more rows inside.
        swapped = Tile { y: tile.z, z: tile.y, valid_y: tile.z.len, ..*tile };
        &swapped
    } else {
        tile
    };
    let valid_y = if tile.valid_x == 0 { 0 } else { tile.valid_y };
    let narrow = if rows || B > 4 || folds { Narrow::No } else { narrow(tile, bytes) };
    // Past the caches it does not matter in which order lines are written, and short rows are read best as they lie.
    let lies_apart = tile.stream && tile.x.len * B <= SHORT && is_nearer(tile.z, tile.y);
    let bands = tile.x.len * B < LINE || lies_apart;
    if rows && tile.z.len > 1 && valid_y == tile.y.len && bands {
        // SAFETY: the caller's promise.
        unsafe { banded::<S, B>(simd, src, dst, tile) };
        return;
    }
    if !rows && is_small(tile, B) && matches!(narrow, Narrow::No) {
        // SAFETY: the caller's promise, and the strides were just compared.
        unsafe { small::<S, B>(simd, src, dst, tile) };
        return;
    }
    if const { B == 4 && S::REGISTER == LINE } && !rows && tile.stream {
        let filled = filled_by_halves(tile, dst, B);
        if filled > 0 {
            // SAFETY: the caller's promise; each repetition fills so many bytes from its first one on.
            unsafe { through_buffer::<S, B>(simd, src, dst, tile, filled) };
            return;
        }
    }
    for z in 0..tile.z.len {
        let (src, dst) = (step(src, z, tile.z.src), step_mut(dst, z, tile.z.dst));
        if valid_y > 0 {
            if rows {
                // SAFETY: the elements of a row follow one another on both sides; 1. to 4. of the contract.
                unsafe { simd.rows(&rows_of(src, dst, tile, B, valid_y)) };
            } else {
                if let Narrow::Pixels(_) = narrow {
                    fetch_rows(simd, src, tile, B);
                }
                // SAFETY: the caller's promise, and the strides were just compared.
                unsafe { cross_one::<S, B>(simd, src, dst, tile, valid_y, narrow) };
            }
        }
        if valid_y < tile.y.len {
            // SAFETY: 2. of the contract; these rows are in the tile.
            unsafe { fill_rows(dst, tile, valid_y, B) };
        }
    }
}

/// [`copy`] for a tile that is repeated at all places of `blocks`; apart, so that each part, which is a tile for itself, does not need
/// the stack of two.
///
/// # Safety
/// As [`copy`]; `blocks` are the tile's.
#[inline(always)]
pub(in super::super) unsafe fn repeated<S: Simd, const B: usize>(
    simd: S,
    src: *const u8,
    dst: *mut u8,
    tile: &Tile,
    blocks: &Blocks,
) {
    let bytes = B as isize;
    let crossed = tile.x.dst == bytes && tile.y.src == bytes && tile.x.src != bytes;
    if const { B <= 2 } && crossed {
        // SAFETY: the caller's promise, and the strides were just compared.
        if unsafe { woven::<S, B>(simd, src, dst, tile, blocks) } {
            return;
        }
    }
    if const { B <= 4 } && crossed {
        // SAFETY: as above.
        if unsafe { quads::<S, B>(simd, src, dst, tile, blocks) } {
            return;
        }
    }
    if const { B <= 2 } && crossed {
        // SAFETY: as above.
        if unsafe { groups::<S, B>(simd, src, dst, tile) } {
            return;
        }
    }
    if const { B <= 4 } && crossed {
        // SAFETY: as above.
        if unsafe { small_tiles::<S, B>(simd, src, dst, tile, blocks) } {
            return;
        }
    }
    // SAFETY: the caller's promise.
    if !crossed && unsafe { pieces_of::<S, B>(simd, src, dst, tile, false) } {
        return;
    }
    // SAFETY: as above, and the strides were just compared.
    if const { B <= 4 } && crossed && unsafe { in_blocks::<S, B>(simd, src, dst, tile, blocks) } {
        return;
    }
    // SAFETY: as above.
    if crossed && unsafe { squares::<S, B>(simd, src, dst, tile, blocks) } {
        return;
    }
    let parts = (0..blocks.parts()).map(|i| blocks.part(tile, i));
    for (src_by, dst_by, part) in parts.filter(|part| part.2.z.len > 0) {
        let (src, dst) = (src.wrapping_offset(src_by), dst.wrapping_offset(dst_by));
        if const { B == 16 } {
            // SAFETY: the caller's promise; the part lies in the tile and has no blocks.
            unsafe { generic::copy::<B>(src, dst, &part) };
        } else {
            // SAFETY: as above.
            unsafe { copy_bytes(simd.token(), B, src, dst, &part) };
        }
    }
}

/// Defines `copy` for a family: the function that plans call. Nothing behind it is compiled for a lesser processor, so that jobs can be inlined.
#[cfg_attr(
    not(any(target_arch = "x86_64", target_arch = "aarch64")),
    allow(unused_macros, reason = "other processors have no family")
)]
macro_rules! copy_entry {
    ($features:literal, $family:ty) => {
        /// Moves the elements of `B` bytes of `tile`.
        ///
        /// # Safety
        /// The contract of [`super::super::Kernel`]; the processor has the features, which the token proves.
        #[target_feature(enable = $features)]
        pub(in super::super) unsafe fn copy<const B: usize>(
            token: $family,
            src: *const u8,
            dst: *mut u8,
            tile: &Tile,
        ) {
            if tile.tables.blocks.is_some() {
                // SAFETY: the caller's promise.
                unsafe { repeated::<B>(token, src, dst, tile) };
            } else {
                // SAFETY: as above.
                unsafe { alone::<B>(token, src, dst, tile) };
            }
        }

        /// Apart, as [`repeated`]: a function has the stack of all of its branches.
        ///
        /// # Safety
        /// As [`copy`].
        #[inline(never)]
        #[target_feature(enable = $features)]
        unsafe fn alone<const B: usize>(token: $family, src: *const u8, dst: *mut u8, tile: &Tile) {
            // SAFETY: the caller's promise.
            unsafe { drive::copy::<$family, B>(token, src, dst, tile) };
        }

        /// # Safety
        /// As [`copy`].
        #[inline(never)]
        #[target_feature(enable = $features)]
        unsafe fn repeated<const B: usize>(token: $family, src: *const u8, dst: *mut u8, tile: &Tile) {
            if let Some(blocks) = tile.tables.blocks {
                // SAFETY: the caller's promise.
                unsafe { drive::repeated::<$family, B>(token, src, dst, tile, blocks) };
            }
        }
    };
}
pub(in super::super) use copy_entry;

/// The first `count` rows of one repetition of `tile`.
#[inline(always)]
fn rows_of(src: *const u8, dst: *mut u8, tile: &Tile, bytes: usize, count: usize) -> Rows {
    Rows {
        src,
        src_y: tile.y.src,
        dst,
        dst_y: tile.y.dst,
        valid: tile.valid_x * bytes,
        len: tile.x.len * bytes,
        count,
        stream: tile.stream,
        claims: tile.claims,
    }
}

/// Bytes that the rows of a band span on either side: a part of the first-level cache.
const SPAN: usize = 16 * 1024;

/// Bytes of rows of which several lie in a page.
const SHORT: usize = 1024;

/// Whether the values of `a` are nearer to one another in the source than those of `b`.
#[inline(always)]
fn is_nearer(a: Step, b: Step) -> bool {
    a.src.unsigned_abs() < b.src.unsigned_abs()
}

/// Short rows in bands that are finished for all repetitions before the next one: the repetitions often
/// share lines of one side, or pages.
///
/// # Safety
/// As [`copy`], for rows that all hold data.
#[inline(always)]
unsafe fn banded<S: Simd, const B: usize>(simd: S, src: *const u8, dst: *mut u8, tile: &Tile) {
    let furthest = tile.y.src.unsigned_abs().max(tile.y.dst.unsigned_abs());
    let band = (SPAN / furthest.max(1)).max(8);
    let mut y = 0;
    while y < tile.y.len {
        let count = if tile.y.len - y < band { tile.y.len - y } else { band };
        let (src, dst) = (step(src, y, tile.y.src), step_mut(dst, y, tile.y.dst));
        for z in 0..tile.z.len {
            let (src, dst) = (step(src, z, tile.z.src), step_mut(dst, z, tile.z.dst));
            // SAFETY: the elements of a row follow one another on both sides; 1. to 4. of the contract for these rows.
            unsafe { simd.rows(&rows_of(src, dst, tile, B, count)) };
        }
        y += count;
    }
}

/// Values of x that repetitions are made one with at most.
const FOLDED: usize = 256;

/// Whether less than a line is contiguous along x but the repetitions go on where it ends. Tiles that are as well moved for themselves
/// are left apart.
#[inline(always)]
fn folds<S: Simd>(tile: &Tile, bytes: isize) -> bool {
    if is_few::<S>(tile, bytes as usize) {
        return false;
    }
    let end = tile.x.len as isize * bytes;
    let short = tile.x.len > 0 && (end as usize) < LINE && tile.valid_x == tile.x.len;
    let fits = tile.z.len > 1 && tile.x.len * tile.z.len <= FOLDED && !tile.stays(bytes as usize);
    short && fits && tile.z.dst == end && tile.tables.src_x.is_none()
}

/// `tile`, which folds, with x and its repetitions as one loop.
#[inline(always)]
fn fold<'a>(tile: &Tile<'a>, table: &'a mut [MaybeUninit<isize>; FOLDED + Tables::SLACK]) -> Tile<'a> {
    let len = tile.x.len * tile.z.len;
    let mut last = 0;
    for z in 0..tile.z.len {
        for x in 0..tile.x.len {
            last = (z as isize).wrapping_mul(tile.z.src).wrapping_add((x as isize).wrapping_mul(tile.x.src));
            table[z * tile.x.len + x] = MaybeUninit::new(last);
        }
    }
    table[len..len + Tables::SLACK].fill(MaybeUninit::new(last));
    // SAFETY: `len` and as many as the slack has were just written.
    let table = unsafe { core::slice::from_raw_parts(table.as_ptr().cast(), len + Tables::SLACK) };
    Tile {
        x: Step { len, ..tile.x },
        z: Step { len: 1, ..tile.z },
        valid_x: len,
        tables: Tables { src_x: Some(table), ..tile.tables },
        ..*tile
    }
}

/// One repetition of a crossed tile, its padding along y left out.
///
/// # Safety
/// As [`copy`], with the strides that `narrow` says.
#[inline(always)]
unsafe fn cross_one<S: Simd, const B: usize>(
    simd: S,
    src: *const u8,
    dst: *mut u8,
    tile: &Tile,
    valid_y: usize,
    narrow: Narrow,
) {
    match narrow {
        // SAFETY: the caller's promise.
        Narrow::No => unsafe { cross::<S, B>(simd, src, dst, tile, valid_y) },
        // SAFETY: as above.
        _ => unsafe { pixels_or_planes::<S, B>(simd, src, dst, tile, valid_y, narrow) },
    }
}
