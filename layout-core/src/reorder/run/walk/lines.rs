//! Tiles of which one side is groups of 4 bytes in lines, the operands of dot products: which loops they take, and where these are
//! parted. Called by `walk`.

use super::super::super::plan::{Class, Reorder, TILE_LOOPS};
use super::super::loops::ONCE;
use super::super::tables::{X, Y};
use super::lengthen::y_step;
use super::take::{Around, ENOUGH, LINE};
use crate::kernels::{Step, Tile, claims, takes_padded_groups};

/// Blocks of groups that a tile goes through side by side at most: their lines often compete for the same places of a cache.
const MOST_PLACES: usize = 4;

/// Groups of 4 bytes in lines, all of them data, on one side of a tile.
#[derive(Clone, Copy)]
pub(super) struct Lines {
    /// Whether it is the destination.
    written: bool,
    /// Groups that lie together.
    len: usize,
    /// How many blocks of these a tile has room for.
    most: usize,
    /// Bytes of a row of the other side, where the next block goes on.
    row: isize,
}

impl Lines {
    /// Those of `tile`, if it has any.
    pub(super) fn of(plan: &Reorder, tile: &Tile) -> Option<Lines> {
        let whole = tile.valid_x == tile.x.len && tile.valid_y == tile.y.len;
        if whole { Lines::between(plan, tile.x, tile.y) } else { None }
    }

    /// Those of the two innermost loops `x` and `y` of a box.
    fn between(plan: &Reorder, x: Step, y: Step) -> Option<Lines> {
        let bytes = plan.dst_element as usize;
        if plan.class != Class::Transpose || !plan.moves_bytes() || bytes > 2 {
            return None;
        }
        let written = x.len * bytes == 4 && y.dst == 4 && y.len.is_multiple_of(16);
        let read = y.len * bytes == 4 && x.src == 4 && x.len.is_multiple_of(16);
        if !written && !read {
            return None;
        }
        let len = if written { y.len } else { x.len };
        let most = MOST_PLACES.min(2 * ENOUGH / bytes / len).min(Y::ROOM / len);
        Some(Lines { written, len, most, row: (len * bytes) as isize })
    }

    /// Whether a loop of these strides goes on where the rows of the other side end.
    pub(super) fn goes_on(&self, src: isize, dst: isize) -> bool {
        if self.written { src == self.row } else { dst == self.row }
    }

    /// As many blocks of `count` as fill tiles of as many as there is room for, where no number of them divides `count` with which rows
    /// are whole lines.
    pub(super) fn even(&self, count: u64) -> Option<u64> {
        let parts = (1..=self.most as u64).rev().filter(|&part| count.is_multiple_of(part));
        let longest = parts.max().unwrap_or(1).saturating_mul(self.row as u64);
        let rest = count % self.most.max(1) as u64;
        (longest < LINE as u64 && count > self.most as u64 && rest > 0).then_some(count - rest)
    }
}

/// Takes loops into a tile of which one side is groups of 4 bytes in lines, so that there are as many bytes in a row of the
/// other side as a few of its lines have; returns how many groups lie together, `None` where the tile is none of these.
pub(super) fn lines(
    plan: &Reorder,
    tile: &mut Tile,
    around: &mut Around<'_>,
    xs: &mut X,
    ys: &mut Y,
) -> Option<usize> {
    let lines = Lines::of(plan, tile)?;
    let step = around.take_part([2, lines.most], |one| lines.goes_on(one.src, one.dst));
    if lines.written {
        if let Some(step) = step {
            ys.extend(y_step(tile.y), step.len, step.dst);
            tile.y.len *= step.len;
            // Whole lines of the source are read; those of the destination are then written on along a few blocks.
            if step.len as isize * lines.row >= LINE && claims() {
                around.put_rest_first();
            }
        }
        tile.valid_y = tile.y.len;
        return Some(lines.len);
    }
    if let Some(step) = step {
        xs.extend(tile.x, step.len, step.src);
        tile.x.len *= step.len;
    }
    tile.valid_x = tile.x.len;
    // The lines of a block before those of the next.
    tile.z = around.take_least(|one| one.src.unsigned_abs()).unwrap_or(ONCE);
    Some(lines.len)
}

/// Whether `tile` is groups of 4 bytes in a line of the destination of which some are padding, for which there are kernels for many at
/// a time.
pub(super) fn are_padded_groups(plan: &Reorder, tile: &Tile) -> bool {
    let padded = tile.valid_x < tile.x.len || tile.valid_y < tile.y.len;
    let lines = if padded { Lines::between(plan, tile.x, tile.y) } else { None };
    lines.is_some_and(|lines| lines.written && lines.len * 4 == LINE as usize)
        && takes_padded_groups(tile.token)
}

impl Reorder {
    /// Whether all loops have one stride, and tiles are groups of 4 bytes in lines of the destination that read a part of each line of the
    /// source, along which the loop around them goes on: [`lines`] makes its rest the outermost one.
    pub(in super::super) fn has_blocks_beside(&self) -> bool {
        let Some(z) = self.nodes.len().checked_sub(TILE_LOOPS) else { return false };
        let [z, y, x] = [z, z + 1, z + 2].map(|i| {
            let node = self.nodes.get(i);
            Step { len: node.n as usize, src: node.src, dst: node.dst }
        });
        let beside = |lines: Lines| lines.written && lines.goes_on(z.src, z.dst);
        let strided = || (0..self.nodes.len()).all(|i| self.nodes.is_strided(i));
        claims() && Lines::between(self, x, y).is_some_and(beside) && strided()
    }
}
