//! Groups of 4 bytes, the operands of dot products (`16o4i` of 8-bit, `16o2i` of 16-bit elements), of which one side has the
//! elements apart: takes the tiles that consist of such. Called by `copy`.

use super::super::generic::{step, step_mut};
use super::super::tile::{Blocks, Tile};
use super::{Pixels, Simd};

/// Groups of a line.
const LINE: usize = 16;

/// Groups of 4 bytes that follow one another in lines of 16, on one side; on the other side the first elements of all groups
/// follow one another, and then, a plane further, the second ones.
#[derive(Clone, Copy)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "x86-64 alone reads it so far"))]
pub(in super::super) struct Groups {
    pub(in super::super) src: *const u8,
    pub(in super::super) dst: *mut u8,
    /// Bytes between two planes.
    pub(in super::super) plane: isize,
    /// Planes that hold data; of the others zero is written.
    pub(in super::super) planes: usize,
    /// Groups.
    pub(in super::super) len: usize,
    /// Groups that hold data; of the others zero is written.
    pub(in super::super) valid: usize,
    /// Bytes from the first group to each, of which every sixteenth is looked at; null where the lines follow one another.
    pub(in super::super) lines: *const isize,
    /// Repetitions, and the bytes between two of them.
    pub(in super::super) count: usize,
    pub(in super::super) src_z: isize,
    pub(in super::super) dst_z: isize,
    pub(in super::super) claims: bool,
}

/// Lines of 16 groups of 4 bytes on one side, a line for each tap; on the other side a run for each of the 16, in which the
/// taps of the first element of its groups come first. All this for each of several blocks.
#[derive(Clone, Copy)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "no other family reads it so far"))]
pub(in super::super) struct Woven<'a> {
    pub(in super::super) src: *const u8,
    pub(in super::super) dst: *mut u8,
    /// Bytes between two runs.
    pub(in super::super) run: isize,
    /// Runs that hold data.
    pub(in super::super) runs: usize,
    /// Elements of a group that hold data.
    pub(in super::super) elements: usize,
    /// Bytes between two lines.
    pub(in super::super) line: isize,
    /// Lines; elements of a run that lie between two of a group.
    pub(in super::super) taps: usize,
    /// Bytes from `src` and from `dst` to each block; as many.
    pub(in super::super) src_blocks: &'a [isize],
    pub(in super::super) dst_blocks: &'a [isize],
}

#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "NEON takes whole blocks alone"))]
impl Woven<'_> {
    /// Block `i` by itself.
    #[inline(always)]
    pub(in super::super) fn block(&self, i: usize) -> Woven<'static> {
        Woven {
            src: self.src.wrapping_offset(self.src_blocks[i]),
            dst: self.dst.wrapping_offset(self.dst_blocks[i]),
            src_blocks: &[0],
            dst_blocks: &[0],
            ..*self
        }
    }

    /// Bytes of a run that hold data.
    #[inline(always)]
    pub(in super::super) const fn run_len<const B: usize>(&self) -> usize {
        self.elements * self.taps * B
    }

    /// How many blocks from the first on can be moved by whole registers on the side of the runs, `blocks` of which there are:
    /// those behind which as much follows in the same run.
    #[inline(always)]
    pub(in super::super) fn whole<const B: usize>(&self, blocks: &[isize]) -> usize {
        let len = self.run_len::<B>();
        let follow = blocks.windows(2).all(|two| two[1].wrapping_sub(two[0]) == len as isize);
        if self.runs < 16 || self.elements * B < 4 || !follow {
            return 0;
        }
        // The last blocks fill a register together.
        (blocks.len() + 1).saturating_sub(super::LINE.div_ceil(len))
    }
}

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
            let part = Pixels { src, dst, plane: job.plane, len, valid: job.planes, claims: false };
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
