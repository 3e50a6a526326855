//! Groups of 4 bytes, the operands of dot products (`16o4i` of 8-bit, `16o2i` of 16-bit elements), of which one side has the
//! elements apart: takes the tiles that consist of such. Called by `copy`.

use super::super::generic::{step, step_mut};
use super::super::tile::{Blocks, Tile};
use super::{Groups, Pixels, Simd, Woven};

/// Groups of a line.
const LINE: usize = 16;

/// Takes tiles in which one side is groups in lines, and the other planes of their elements; `false` where `tile` is none, or
/// the family has no way of its own, and then nothing was done.
///
/// # Safety
/// The contract of [`super::super::Kernel`] for elements of `B` bytes, with `x.dst == y.src == B`.
#[inline(always)]
pub(super) unsafe fn groups<S: Simd, const B: usize>(
    simd: S,
    src: *const u8,
    dst: *mut u8,
    tile: &Tile,
) -> bool {
    let Tile { x, y, z, valid_x, valid_y, tables, .. } = *tile;
    let lines = tables.together > 0 && tables.together.is_multiple_of(LINE);
    let in_lines = |table: Option<&[isize]>| match table {
        Some(table) if lines => Some(table.as_ptr()),
        Some(_) => None,
        None => Some(core::ptr::null()),
    };
    let (data_x, data_y) = (if valid_y == 0 { 0 } else { valid_x }, if valid_x == 0 { 0 } else { valid_y });
    let job = Groups {
        src,
        dst,
        plane: 0,
        planes: 0,
        len: 0,
        valid: 0,
        lines: core::ptr::null(),
        count: z.len,
        src_z: z.src,
        dst_z: z.dst,
        claims: tile.claims,
    };
    let (to_groups, job) = if x.len * B == 4 && y.dst == 4 && tables.src_x.is_none() {
        let Some(lines) = in_lines(tables.dst_y) else { return false };
        (true, Groups { plane: x.src, planes: data_x, len: y.len, valid: data_y, lines, ..job })
    } else if y.len * B == 4 && x.src == 4 && tables.dst_y.is_none() && valid_y == y.len {
        let Some(lines) = in_lines(tables.src_x) else { return false };
        (false, Groups { plane: y.dst, planes: y.len, len: x.len, valid: data_x, lines, ..job })
    } else {
        return false;
    };
    if tables.blocks.is_some_and(|blocks| blocks.valid_z < z.len || blocks.src.len() != blocks.dst.len()) {
        return false;
    }
    let (src_blocks, dst_blocks): (&[isize], &[isize]) =
        tables.blocks.map_or((&[0], &[0]), |blocks| (blocks.src, blocks.dst));
    for (&src_by, &dst_by) in src_blocks.iter().zip(dst_blocks) {
        let job = Groups { src: src.wrapping_offset(src_by), dst: dst.wrapping_offset(dst_by), ..job };
        let done = if to_groups {
            // SAFETY: the caller's promise; a table holds lines of groups.
            unsafe { simd.group::<B>(&job) }
        } else {
            // SAFETY: as above.
            unsafe { simd.ungroup::<B>(&job) }
        };
        // SAFETY: as above.
        if !done && !unsafe { spread::<S, B>(simd, &job, tile, to_groups) } {
            // As of the first block.
            return false;
        }
    }
    true
}

/// The same by pixels, a number of lines that lie together at a time, for tiles with a table and without padding; `false` for
/// others.
///
/// # Safety
/// As [`Simd::group`] where the groups are the destination's, else as [`Simd::ungroup`].
#[inline(always)]
unsafe fn spread<S: Simd, const B: usize>(simd: S, job: &Groups, tile: &Tile, to_groups: bool) -> bool {
    let whole = job.valid == job.len && job.planes * B == 4;
    if job.lines.is_null() || !whole {
        return false;
    }
    for z in 0..job.count {
        let (src, dst) = (step(job.src, z, job.src_z), step_mut(job.dst, z, job.dst_z));
        let mut done = 0;
        while done < job.len {
            let len =
                if job.len - done < tile.tables.together { job.len - done } else { tile.tables.together };
            // SAFETY: the table has an entry for each group.
            let line = unsafe { job.lines.wrapping_add(done).read() };
            let (src, dst) = if to_groups {
                (src.wrapping_add(done * B), dst.wrapping_offset(line))
            } else {
                (src.wrapping_offset(line), dst.wrapping_add(done * B))
            };
            let part = Pixels { src, dst, plane: job.plane, len, valid: job.planes };
            match (B, to_groups) {
                // SAFETY: the caller's promise, for the groups that lie together.
                (1, true) => unsafe { simd.pixels::<B, 4>(&part) },
                // SAFETY: as above.
                (1, false) => unsafe { simd.planes::<B, 4>(&part) },
                // SAFETY: as above.
                (_, true) => unsafe { simd.pixels::<B, 2>(&part) },
                // SAFETY: as above.
                (_, false) => unsafe { simd.planes::<B, 2>(&part) },
            }
            done += len;
        }
    }
    true
}

/// Takes tiles that are 16 repetitions of groups of 4 bytes, as the lines of [`Woven`] on one side; `false` where `tile` is
/// none, and then nothing was done.
///
/// # Safety
/// As [`groups`].
#[inline(always)]
pub(super) unsafe fn woven<S: Simd, const B: usize>(
    simd: S,
    src: *const u8,
    dst: *mut u8,
    tile: &Tile,
    blocks: &Blocks,
) -> bool {
    let Tile { x, y, z, valid_x, valid_y, tables, .. } = *tile;
    let plain = tables.src_x.is_none() && tables.dst_y.is_none();
    if !plain || blocks.src.len() != blocks.dst.len() {
        return false;
    }
    let whole_y = valid_y == y.len;
    let job = Woven {
        src,
        dst,
        run: 0,
        runs: blocks.valid_z,
        elements: 0,
        line: 0,
        taps: 0,
        src_blocks: blocks.src,
        dst_blocks: blocks.dst,
    };
    if z.len == 16 && z.dst == 4 && x.len * B == 4 && x.src == (y.len * B) as isize && y.len <= 16 && whole_y
    {
        let job = Woven { run: z.src, line: y.dst, taps: y.len, elements: valid_x, ..job };
        // SAFETY: the runs of all repetitions and the lines of all y are in the tile.
        return unsafe { simd.weave::<B>(&job) };
    }
    let whole = whole_y && valid_x == x.len && blocks.valid_z == z.len;
    if whole && z.len <= 16 && z.src == 4 && y.len * B <= 4 && y.dst == (x.len * B) as isize && x.len <= 16 {
        let job = Woven { run: z.dst, line: x.src, taps: x.len, elements: y.len, ..job };
        // SAFETY: the lines of all x and the runs of all repetitions are in the tile.
        return unsafe { simd.unweave::<B>(&job) };
    }
    false
}
