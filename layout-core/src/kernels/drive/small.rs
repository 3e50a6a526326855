//! Crossed tiles that are small: all of their repetitions in one call. Called by `copy`.

use super::super::generic::{self, step, step_mut};
use super::super::tile::{Blocks, Step, Tile};
use super::cross::pieces;
use super::grid::fill_rows;
use super::narrow::{Narrow, narrow};
use super::{Eights, LINE, Simd, Strips};

/// Whether a repetition of `tile`, which is crossed, is so small that looking at it would cost more than moving it: lines
/// of one register that fill it, without padding, and near one another if they are many; or a single row.
#[inline(always)]
pub(super) fn is_small(tile: &Tile, bytes: usize) -> bool {
    let Tile { x, y, valid_x, valid_y, tables, .. } = *tile;
    let whole = valid_x == x.len && valid_y == y.len && tables.src_x.is_none() && tables.dst_y.is_none();
    let squares = matches!(x.len * bytes, 16 | 32) && y.len * bytes >= 16 && y.len * bytes <= LINE;
    let stays = !tile.claims && !tile.stream && bytes <= 4 && tile.stays(bytes);
    whole && bytes < 16 && (squares || y.len == 1 || stays)
}

/// Whether a repetition of `tile`, which is crossed, is 8 by 8 elements without padding, and without gaps on either side.
#[inline(always)]
fn is_eight_by_eight(tile: &Tile, bytes: usize) -> bool {
    let Tile { x, y, valid_x, valid_y, tables, .. } = *tile;
    let side = 8 * bytes as isize;
    let whole = valid_x == 8 && valid_y == 8 && tables.src_x.is_none() && tables.dst_y.is_none();
    x.len == 8 && y.len == 8 && x.src == side && y.dst == side && whole
}

/// Bytes of a lane.
const LANE: usize = 16;

/// All repetitions of `tile`, which is crossed, at all places of `blocks`; `false` where it is not such squares as the family
/// has a kernel for, and then nothing was done.
///
/// # Safety
/// As [`copy`](super::copy::copy).
#[inline(always)]
pub(super) unsafe fn squares<S: Simd, const B: usize>(
    simd: S,
    src: *const u8,
    dst: *mut u8,
    tile: &Tile,
    blocks: &Blocks,
) -> bool {
    let z = tile.z;
    let whole = is_eight_by_eight(tile, B) && blocks.valid_z == z.len;
    whole
        && blocks.src.iter().zip(blocks.dst).all(|(&src_by, &dst_by)| {
            let (src, dst) = (src.wrapping_offset(src_by), dst.wrapping_offset(dst_by));
            let job = Eights { src, dst, count: z.len, src_z: z.src, dst_z: z.dst };
            // SAFETY: the caller's promise: the squares are in the tile, and have no gaps.
            unsafe { simd.eights::<B>(&job) }
        })
}

impl Strips {
    /// Bytes of a repetition that [has no gaps](Strips::is_dense) at most.
    pub(in super::super) const DENSE: usize = 256;

    /// Whether the repetitions are short and have no padding and no gaps on either side, and their rows or their lines are too short to be
    /// turned.
    #[inline(always)]
    pub(in super::super) fn is_dense(&self, again: Step, bytes: usize) -> bool {
        let (row, line) = (self.height * bytes, self.width * bytes);
        let len = row * self.width;
        let follow = self.src_step == row as isize && self.dst_step == line as isize;
        let no_gaps = again.src == len as isize && again.dst == len as isize;
        let short = row < LANE || line < LANE;
        bytes <= 4
            && short
            && (5..=Self::DENSE).contains(&len)
            && self.valid == self.width
            && follow
            && no_gaps
    }

    /// The crossed `tile` as a job, which is even if it has no tables; its padding along y is left out.
    #[inline(always)]
    pub(in super::super) fn of(src: *const u8, dst: *mut u8, tile: &Tile) -> Strips {
        let (rows, lines) = (tile.tables.src_x, tile.tables.dst_y);
        let null = core::ptr::null();
        Strips {
            src_x: rows.map_or(null, <[isize]>::as_ptr),
            dst_y: lines.map_or(null, <[isize]>::as_ptr),
            even: rows.is_none() && lines.is_none(),
            even_x: rows.is_none(),
            ..Strips::even(src, dst, tile)
        }
    }

    /// The crossed `tile`, which has no tables, as a job; its padding along y is left out.
    #[inline(always)]
    pub(in super::super) fn even(src: *const u8, dst: *mut u8, tile: &Tile) -> Strips {
        Strips {
            src,
            src_x: core::ptr::null(),
            src_y: tile.y.src,
            dst,
            dst_y: core::ptr::null(),
            even: true,
            even_x: true,
            src_step: tile.x.src,
            dst_step: tile.y.dst,
            valid: tile.valid_x,
            width: tile.x.len,
            height: tile.valid_y,
            stream: tile.stream,
            claims: tile.claims,
        }
    }
}

/// All repetitions of `tile`, which is crossed, at all places of `blocks`, if it is small; `false` where the family has no kernel for such,
/// and then nothing was done.
///
/// # Safety
/// As [`copy`](super::copy::copy).
#[inline(always)]
pub(super) unsafe fn small_tiles<S: Simd, const B: usize>(
    simd: S,
    src: *const u8,
    dst: *mut u8,
    tile: &Tile,
    blocks: &Blocks,
) -> bool {
    let narrow = is_eight_by_eight(tile, B) || !matches!(narrow(tile, B as isize), Narrow::No);
    let job = Strips::of(src, dst, tile);
    // SAFETY: the caller's promise.
    if blocks.valid_z != tile.z.len || !unsafe { simd.tiles::<B>(&job, tile.z, blocks, narrow) } {
        return false;
    }
    for &by in if tile.valid_y < tile.y.len { blocks.dst } else { &[] } {
        for z in 0..tile.z.len {
            let dst = step_mut(dst.wrapping_offset(by), z, tile.z.dst);
            // SAFETY: 2. of the contract; these rows are in the tile.
            unsafe { fill_rows(dst, tile, tile.valid_y, B) };
        }
    }
    true
}

/// All repetitions of `tile`, which is small.
///
/// # Safety
/// As [`copy`](super::copy::copy); x is contiguous in the destination and y in the source.
#[inline(always)]
pub(super) unsafe fn small<S: Simd, const B: usize>(simd: S, src: *const u8, dst: *mut u8, tile: &Tile) {
    let Tile { x, y, z, .. } = *tile;
    let eights = Eights { src, dst, count: z.len, src_z: z.src, dst_z: z.dst };
    // SAFETY: all repetitions are in the tile, and have no gaps.
    if is_eight_by_eight(tile, B) && unsafe { simd.eights::<B>(&eights) } {
        return;
    }
    let mut job = Strips { stream: false, claims: false, ..Strips::even(src, dst, tile) };
    if y.len == 1 {
        // The first repetition tells for all of them.
        let done = B <= 2
            && (0..z.len).all(|i| {
                (job.src, job.dst) = (step(src, i, z.src), step_mut(dst, i, z.dst));
                // SAFETY: the repetition lies in the tile, and there is data in all of it.
                unsafe { simd.few::<B>(&job) }
            });
        if !done {
            // SAFETY: the caller's promise.
            unsafe { generic::strided::<[u8; B]>(src, dst, &Tile { y: z, valid_y: z.len, z: y, ..*tile }) };
        }
        return;
    }
    // Repetitions that fill the gaps between rows, else one after the other.
    let beside = z.len > 1 && z.dst.unsigned_abs() < y.dst.unsigned_abs();
    // SAFETY: as above.
    if beside && unsafe { simd.repeated::<B>(&job, z) } {
        return;
    }
    for i in 0..z.len {
        (job.src, job.dst) = (step(src, i, z.src), step_mut(dst, i, z.dst));
        if x.len * B == LINE {
            // SAFETY: the repetition lies in the tile, and there is data in all of it.
            unsafe { simd.near_column::<B>(&job) };
        } else {
            // SAFETY: as above.
            unsafe { pieces::<S, B>(simd, &job, 0, x.len) };
        }
    }
}
