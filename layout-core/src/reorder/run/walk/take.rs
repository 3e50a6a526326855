//! Which of the loops around a tile the kernel takes: those that repeat a small tile, and those that make it one of blocks.
//! Called by `walk`, which goes through the others.

use super::super::super::plan::{Class, MAX_LOOPS, Reorder, format};
use super::super::boxes::Boxes;
use super::super::loops::ONCE;
use super::super::tables::{X, Y};
use crate::kernels::{Step, Tile, takes_quads, takes_short_pixels, takes_tiles};
use crate::reorder::problem::Node;

/// A loop around the tile.
#[derive(Clone, Copy)]
pub(super) struct Loop {
    /// Its first value and their number in the box.
    start: u64,
    pub(super) count: u64,
    pub(super) src: isize,
    pub(super) dst: isize,
    /// Whether the strides hold for all values.
    strided: bool,
}

/// The loops around the tile, outermost first.
pub(super) struct Around<'a> {
    pub(super) boxes: &'a Boxes<'a>,
    /// Which of the plan's loops: a small tensor would feel it if their numbers were copied.
    pub(super) nodes: [u8; MAX_LOOPS],
    pub(super) len: usize,
    /// The loop of which the tile has so many values, and what is left goes on by as many at a time.
    divided: (u8, u64),
    /// The loops that were taken out last, the outer one first; their number.
    taken: [usize; 2],
    taken_len: usize,
}

impl<'a> Around<'a> {
    /// No loop of `boxes` yet.
    pub(super) fn new(boxes: &'a Boxes<'a>) -> Around<'a> {
        let divided = (u8::MAX, 1);
        Around { boxes, nodes: [0; MAX_LOOPS], len: 0, divided, taken: [0; 2], taken_len: 0 }
    }

    /// Loop `i` of those around the tile.
    #[inline]
    pub(super) fn get(&self, i: usize) -> Loop {
        let at = self.nodes[i] as usize;
        let Node { src, dst, .. } = self.boxes.plan.nodes.get(at);
        let strided = self.boxes.plan.nodes.fits_tile(at);
        let (start, count) = (self.boxes.start[at], self.boxes.count[at]);
        if self.nodes[i] == self.divided.0 {
            let by = self.divided.1;
            let (src, dst) = (src.wrapping_mul(by as isize), dst.wrapping_mul(by as isize));
            return Loop { start, count: count / by, src, dst, strided };
        }
        Loop { start, count, src, dst, strided }
    }

    /// Takes out the innermost loop if it has one stride on each side.
    pub(super) fn take_last(&mut self) -> Option<Step> {
        let last = self.last()?;
        self.len -= 1;
        (self.taken, self.taken_len) = ([self.nodes[self.len] as usize, self.taken[0]], self.taken_len + 1);
        Some(last)
    }

    /// The innermost loop, if it has one stride on each side.
    fn last(&self) -> Option<Step> {
        let last = self.get(self.len.checked_sub(1)?);
        last.strided.then_some(Step { len: last.count as usize, src: last.src, dst: last.dst })
    }

    /// Makes the loop innermost that `wanted` accepts, if there is one with one stride on each side.
    pub(super) fn bring_last(&mut self, wanted: impl Fn(&Loop) -> bool) {
        let fits = |one: &Loop| one.strided && wanted(one);
        if let Some(found) = (0..self.len).find(|&i| fits(&self.get(i))) {
            self.nodes[found..self.len].rotate_left(1);
        }
    }

    /// Makes a loop innermost that runs `many` times, the next one of those, unless the innermost does.
    pub(super) fn bring_longer(&mut self, many: u64) {
        let fits = |one: Loop| one.strided && one.count >= many;
        if let Some(found) = (0..self.len).rfind(|&i| fits(self.get(i))) {
            self.nodes[found..self.len].rotate_left(1);
        }
    }

    /// Makes the rest of a loop of which the tile has a part the outermost one.
    pub(super) fn put_rest_first(&mut self) {
        if let Some(found) = self.nodes[..self.len].iter().position(|&node| node == self.divided.0) {
            self.nodes[..=found].rotate_right(1);
        }
    }

    /// Makes a loop innermost that runs twice as often as the innermost one or more, where that repeats `rows` a few times.
    pub(super) fn bring_longest(&mut self, rows: usize, few: usize) {
        const NEAR: usize = 3;
        let Some(last) = self.len.checked_sub(1) else { return };
        let runs = |one: Loop| if one.strided { one.count } else { 1 };
        let (mut found, mut count) = (last, runs(self.get(last)));
        if count.saturating_mul(rows as u64) > few as u64 {
            return;
        }
        for i in (last.saturating_sub(NEAR)..last).rev() {
            let other = runs(self.get(i));
            if other / 2 >= count {
                (found, count) = (i, other);
            }
        }
        self.nodes[found..self.len].rotate_left(1);
    }

    /// Takes out the longest loop that has one stride on each side.
    pub(super) fn take_longest(&mut self) -> Option<Step> {
        let runs = |i: &usize| self.get(*i).count;
        let found = (0..self.len).filter(|&i| self.get(i).strided).max_by_key(runs)?;
        self.nodes[found..self.len].rotate_left(1);
        self.take_last()
    }

    /// Takes out the innermost loop if it is one over segments of which runs can be moved as rows of `tile`, all of it data.
    pub(super) fn take_segments(&mut self, tile: &Tile<'_>) -> Option<usize> {
        let plan = self.boxes.plan;
        let at = self.len.checked_sub(1)?;
        let node = self.nodes[at] as usize;
        let whole = tile.valid_x == tile.x.len && tile.valid_y == tile.y.len;
        let fits = match plan.class {
            Class::Rows => whole && plan.has_short_segments(),
            Class::Strided => whole && tile.z.len == 1,
            Class::Stream | Class::Transpose => false,
        };
        if plan.nodes.fits_tile(node) || !fits || !plan.moves_bytes() || self.boxes.scaling.is_some() {
            return None;
        }
        self.len = at;
        Some(node)
    }

    /// The plan's loops that are left, outermost first.
    pub(super) fn nodes(&self) -> impl Iterator<Item = usize> + Clone {
        self.nodes[..self.len].iter().map(|&node| node as usize)
    }

    /// The plan's loops that are x, y and z of the tile, where z has `z_len` values; any loop stands for one that runs once.
    pub(super) fn tile_nodes(&self, plan: &Reorder, z_len: usize) -> [usize; 3] {
        let (x, y) = (plan.nodes.len() - 1, plan.nodes.len() - 2);
        match self.taken_len {
            2 => [x, self.taken[1], self.taken[0]],
            1 if z_len == 1 => [x, self.taken[0], x],
            1 => [x, y, self.taken[0]],
            _ => [x, y, x],
        }
    }

    /// Takes out the loop with one stride on each side for which `key` is the least.
    pub(super) fn take_least(&mut self, key: impl Fn(&Loop) -> usize) -> Option<Step> {
        let strided = (0..self.len).map(|i| self.get(i)).filter(|one| one.strided);
        let least = strided.map(|one| key(&one)).min()?;
        self.take(usize::MAX, |one| key(one) == least)
    }

    /// Takes out the loop that `wanted` accepts, or of more than `most` values as many as divide it, `least` of them or more: these go
    /// first. Of a second loop no part is taken.
    pub(super) fn take_part(
        &mut self,
        [least, most]: [usize; 2],
        wanted: impl Fn(&Loop) -> bool,
    ) -> Option<Step> {
        let fits = |one: &Loop| one.strided && wanted(one);
        let found = (0..self.len).find(|&i| fits(&self.get(i)))?;
        let long = self.get(found);
        if long.count <= most as u64 || self.divided.0 != u8::MAX {
            return self.take(most, wanted);
        }
        let len = (least.max(2) as u64..=most as u64).rev().find(|&len| long.count.is_multiple_of(len))?;
        self.divided = (self.nodes[found], len);
        Some(Step { len: len as usize, src: long.src, dst: long.dst })
    }

    /// The same, a part of it only where a part `pays`.
    pub(super) fn take_or_part(
        &mut self,
        pays: bool,
        most: usize,
        wanted: impl Fn(&Loop) -> bool,
    ) -> Option<Step> {
        match self.take(most, &wanted) {
            None if pays => self.take_part([2, most], wanted),
            taken => taken,
        }
    }

    /// Takes out the loop of at most `most` values that `wanted` accepts.
    fn take(&mut self, most: usize, wanted: impl Fn(&Loop) -> bool) -> Option<Step> {
        let fits = |one: &Loop| one.strided && one.count <= most as u64 && wanted(one);
        let found = (0..self.len).find(|&i| fits(&self.get(i)))?;
        let one = self.get(found);
        self.nodes.copy_within(found + 1..self.len, found);
        self.len -= 1;
        Some(Step { len: one.count as usize, src: one.src, dst: one.dst })
    }
}

/// Bytes along x and y up to which a crossed tile is made longer.
pub(super) const ENOUGH: usize = 256;

/// Bytes of a cache line.
pub(super) const LINE: isize = 64;

/// Pieces of a tile that take less time than a few calls.
const FEW: usize = 256;

impl Loop {
    /// How far the value `next` is from `value`, both counted from the first one of the box. It is loop `node` of the plan.
    #[inline]
    pub(super) fn between(&self, plan: &Reorder, node: usize, value: u64, next: u64) -> (isize, isize) {
        if self.strided {
            let by = next.wrapping_sub(value) as isize;
            return (self.src.wrapping_mul(by), self.dst.wrapping_mul(by));
        }
        let (from, to) = (plan.nodes.at(node, self.start + value), plan.nodes.at(node, self.start + next));
        (to.0.wrapping_sub(from.0), to.1.wrapping_sub(from.1))
    }
}

impl Reorder {
    /// Whether the tile's z is the 16 groups of 4 bytes of a line of the destination, of which a run of the source holds the
    /// elements: kernels for that write data and padding.
    pub(in super::super) fn weaves(&self) -> bool {
        let (bytes, last) = (isize::from(self.dst_element), self.nodes.len() - 1);
        let (x, y, z) = (self.nodes.get(last), self.nodes.get(last - 1), self.nodes.get(last - 2));
        let groups = x.n as isize * bytes == 4 && x.src == (y.n as isize).wrapping_mul(bytes) && y.n <= 16;
        let lines = z.n == 16 && z.dst == 4 && self.nodes.is_strided(last - 2);
        self.class == Class::Transpose && bytes <= 2 && self.moves_bytes() && groups && lines
    }
}

/// The loop that makes the tile blocks of 16 groups of 4 bytes on one side, for which there is a kernel; taken out, with those
/// that continue the runs of the other side: these go to the tables of both sides.
pub(super) fn woven(
    plan: &Reorder,
    tile: &Tile,
    around: &mut Around<'_>,
    xs: &mut X,
    ys: &mut Y,
) -> Option<Step> {
    let (bytes, x, y) = (plan.dst_element as usize, tile.x, tile.y);
    if plan.class != Class::Transpose || !plan.moves_bytes() || bytes > 2 || tile.valid_y < y.len {
        return None;
    }
    let (x_len, y_len) = (x.len * bytes, y.len * bytes);
    let to_lines = x_len == 4 && x.src == y_len as isize && y.len <= 16;
    let to_runs = y_len <= 4 && y.dst == x_len as isize && x.len <= 16 && tile.valid_x == x.len;
    let z = if to_lines {
        around.take(16, |one| one.dst == 4 && one.count == 16)?
    } else if to_runs {
        around.take(16, |one| one.src == 4)?
    } else {
        return None;
    };
    let (mut count, run) = (1, if to_lines { 4 * y.len } else { x.len * y_len });
    xs.extend(ONCE, 1, 0);
    ys.extend(ONCE, 1, 0);
    let end = |one: &Loop| if to_lines { one.src } else { one.dst };
    while let Some(step) = around.take(Y::ROOM / count, |one| end(one) == (run * count) as isize) {
        xs.extend(ONCE, step.len, step.src);
        ys.extend(ONCE, step.len, step.dst);
        count *= step.len;
    }
    Some(z)
}

/// Of a tile of groups of four elements that come from four rows of elements of 4 bits, the loop over blocks in which these rows go
/// on, or a part of it: lines of the rows, which may be shorter than these, are then read once, and in turn.
pub(super) fn beside(plan: &Reorder, tile: &Tile, around: &mut Around<'_>) -> Option<Step> {
    let Tile { x, y, valid_x, valid_y, .. } = *tile;
    let groups = x.len == 4 && x.dst == 1 && y.src == 1 && y.dst == 4 && (valid_x, valid_y) == (4, y.len);
    let moved = plan.packing.src.is_some() && format(plan.src_dtype) == format(plan.dst_dtype);
    if plan.class != Class::Transpose || !groups || !moved {
        return None;
    }
    around.take_part([2, Y::ROOM], |one| one.src == y.len as isize)
}

/// Whether `tile` is 8 by 8 elements of 4 bytes without padding, and without gaps on either side: so small that a call for each
/// few of them would take as long as their move.
pub(super) fn is_square(plan: &Reorder, tile: &Tile) -> bool {
    let Tile { x, y, valid_x, valid_y, .. } = *tile;
    let small = plan.class == Class::Transpose && plan.moves_bytes() && plan.dst_element == 4;
    small && (x.len, y.len, valid_x, valid_y) == (8, 8, 8, 8) && x.src == 32 && y.dst == 32
}

/// Whether `tile` is a few rows of a line at most, all of them data: the same holds of these.
pub(super) fn are_pieces(plan: &Reorder, tile: &Tile) -> bool {
    let Tile { x, y, z, valid_x, valid_y, .. } = *tile;
    let bytes = x.len * plan.dst_element as usize;
    let short = (16..=LINE as usize).contains(&bytes) && y.len * z.len <= FEW;
    plan.class == Class::Rows && plan.moves_bytes() && short && (valid_x, valid_y) == (x.len, y.len)
}

/// Whether `tile` is pixels of 2, 4 or 8 elements on one side, no more than a line of each plane, all of them data.
pub(super) fn are_short_pixels(plan: &Reorder, tile: &Tile) -> bool {
    let Tile { x, y, valid_x, valid_y, tables, .. } = *tile;
    let bytes = plan.dst_element as usize;
    let small = plan.class == Class::Transpose && plan.moves_bytes() && bytes <= 4;
    if !small || (valid_x, valid_y) != (x.len, y.len) || tables.src_x.is_some() || tables.dst_y.is_some() {
        return false;
    }
    let few = |n: usize| matches!(n, 2 | 4) || n == 8 && bytes == 1;
    let short = |n: usize| n >= 8 && n * bytes <= LINE as usize;
    let pixels = few(x.len) && y.dst == (x.len * bytes) as isize && short(y.len);
    let planes = few(y.len) && x.src == (y.len * bytes) as isize && short(x.len);
    (pixels || planes) && takes_short_pixels(tile.token)
}

/// Whether `tile` is 2 or 4 by 2 or 4 elements, all of them data, of which there are kernels for many at a time.
pub(super) fn are_quads(plan: &Reorder, tile: &Tile) -> bool {
    let Tile { x, y, valid_x, valid_y, .. } = *tile;
    let small = plan.class == Class::Transpose && plan.moves_bytes() && plan.dst_element <= 4;
    let few = |n: usize| matches!(n, 2 | 4);
    let turns = x.src != plan.dst_element as isize;
    small
        && turns
        && few(x.len)
        && few(y.len)
        && (valid_x, valid_y) == (x.len, y.len)
        && takes_quads(tile.token)
}

/// Whether the crossed `tile` is so small that it is better repeated by the innermost loop than made longer. For tiles of bytes that are
/// moved, without tables.
pub(super) fn is_small(plan: &Reorder, tile: &Tile, around: &Around<'_>) -> bool {
    let bytes = plan.dst_element as usize;
    let go_on = |len: usize, distance: fn(&Loop) -> isize| {
        let fits = |one: &Loop| {
            distance(one) == (len * bytes) as isize && one.count.saturating_mul(len as u64) <= ENOUGH as u64
        };
        (0..around.len).find(|&i| fits(&around.get(i)))
    };
    let grows = || {
        let (lines, rows) = (go_on(tile.x.len, |one| one.dst), go_on(tile.y.len, |one| one.src));
        lines.is_some() && rows.is_some() && lines != rows
    };
    around.last().is_some_and(|z| z.len > 1 && takes_tiles(bytes, tile, z, grows))
}

/// Takes the innermost loops, as far as there is room, to repeat the tile by: small ones do not pay for a call each.
pub(super) fn repeat(around: &mut Around<'_>, src: &mut Y, dst: &mut Y) {
    let mut count = 1;
    src.extend(ONCE, 1, 0);
    dst.extend(ONCE, 1, 0);
    let fits = |around: &Around<'_>, room| around.len > 0 && around.get(around.len - 1).count <= room as u64;
    while fits(around, Y::ROOM / count)
        && let Some(step) = around.take_last()
    {
        src.extend(ONCE, step.len, step.src);
        dst.extend(ONCE, step.len, step.dst);
        count *= step.len;
    }
}
