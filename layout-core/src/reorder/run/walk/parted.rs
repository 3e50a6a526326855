//! Boxes whose tile is short along x or y, where a loop goes on that is longer than a table has room for, or that no part of a tile
//! divides: that loop is parted. Asked by the module around it.

use super::super::super::plan::{Class, TILE_LOOPS};
use super::super::boxes::Boxes;
use super::super::tables::{X, Y};
use super::lines::Lines;
use super::take::are_quads;
use crate::kernels::{LINE, Tile};

impl Boxes<'_> {
    /// The loop that goes on where x ends in the destination or y in the source, and how many of its values a tile takes, where it is
    /// neither whole nor left alone. `None` where there are kernels for so few elements, or for so long a run.
    fn long(&self, tile: &Tile) -> Option<(usize, u64)> {
        let (plan, last) = (self.plan, self.plan.nodes.len() - 1);
        let bytes = isize::from(plan.dst_element);
        let (x, y) = (tile.x, tile.y);
        let whole = plan.class == Class::Transpose && x.src != bytes && tile.valid_x > 0;
        if !whole || tile.stays(bytes as usize) || are_quads(plan, tile) {
            return None;
        }
        let [x_end, y_end] = [x.len, y.len].map(|len| len as isize * bytes);
        // Pixels that follow one another are turned by other kernels.
        let narrow = |len: usize| len <= 4 || len == 8 && bytes == 1;
        if bytes <= 4 && (narrow(x.len) && y.dst == x_end || narrow(y.len) && x.src == y_end) {
            return None;
        }
        let find = |end: isize, room: usize, of: fn(&crate::reorder::problem::Node) -> isize| {
            let goes_on = |&i: &usize| {
                let node = plan.nodes.get(i);
                plan.nodes.is_strided(i) && self.count[i] > room as u64 && of(&node) == end
            };
            (0..=last + 1 - TILE_LOOPS).find(goes_on).map(|i| (i, room as u64))
        };
        let short = |end: isize| 4 * end <= LINE as isize;
        let least = if bytes == 8 { LINE as isize } else { 16 };
        if short(y_end) && tile.valid_y == y.len && x_end >= least {
            let long = find(y_end, Y::ROOM / y.len, |node| node.src);
            // Rows of a register are made longer by a divisor of the loop, where that is not too short.
            let divides =
                |(i, most): &(usize, u64)| (most / 4..=*most).any(|part| self.count[*i].is_multiple_of(part));
            return long.filter(|long| x_end != 16 || !divides(long));
        }
        if short(x_end) && tile.valid_x == x.len && y_end >= least {
            return find(x_end, X::ROOM / x.len, |node| node.dst);
        }
        None
    }

    /// The loop over blocks of lines of which a tile takes a few, and how many of its values are whole tiles, where others are left.
    fn uneven(&self, tile: &Tile) -> Option<(usize, u64)> {
        let plan = self.plan;
        let lines = Lines::of(plan, tile)?;
        let goes_on = |&i: &usize| {
            let node = plan.nodes.get(i);
            plan.nodes.is_strided(i) && self.count[i] > 1 && lines.goes_on(node.src, node.dst)
        };
        let node = (0..=plan.nodes.len() - TILE_LOOPS).find(goes_on)?;
        lines.even(self.count[node]).map(|even| (node, even))
    }

    /// How many rows of the tile hold data, where the others are padding and a loop goes on in the source where these end: with it
    /// they are rows of registers.
    fn few_rows(&self, tile: &Tile) -> Option<u64> {
        let (plan, last) = (self.plan, self.plan.nodes.len() - 1);
        let (bytes, valid) = (usize::from(plan.dst_element), self.valid_y?);
        let y_end = valid as usize * bytes;
        // In the orders of buffers the source may go on along another loop.
        let crossed = plan.class == Class::Transpose
            && tile.x.src != bytes as isize
            && tile.y.src == bytes as isize
            && tile.valid_x > 0;
        if !crossed || valid == 0 || 4 * y_end >= LINE || tile.x.len * bytes < 16 {
            return None;
        }
        let goes_on = |i: usize| {
            let node = plan.nodes.get(i);
            plan.nodes.is_strided(i) && self.count[i] * valid >= 8 && node.src == y_end as isize
        };
        (0..=last + 1 - TILE_LOOPS).any(goes_on).then_some(valid)
    }

    /// Walks the first `valid` rows of the box, which hold data, and then those that are padding: faster than all of them in turn where
    /// it has [`few`](Boxes::few_rows).
    ///
    /// # Safety
    /// As [`Boxes::walk`].
    unsafe fn walk_rows_apart(&self, valid: u64) {
        let y = self.plan.nodes.len() - 2;
        let mut part = Boxes { valid_y: None, ..*self };
        part.count[y] = valid;
        // SAFETY: the caller's promise; these are the box.
        unsafe { part.walk() };
        (part.start[y], part.count[y]) = (self.start[y] + valid, self.count[y] - valid);
        part.padding = true;
        // SAFETY: as above.
        unsafe { part.walk() };
    }

    /// Walks the parts of the box if its rows or a loop are to be parted; else does nothing and returns `false`.
    ///
    /// # Safety
    /// As [`Boxes::walk`].
    pub(super) unsafe fn walk_parted(&self) -> bool {
        let tile = self.tile();
        if let Some(valid) = self.few_rows(&tile) {
            // SAFETY: the caller's promise.
            unsafe { self.walk_rows_apart(valid) };
            return true;
        }
        let Some((node, most)) = self.long(&tile).or_else(|| self.uneven(&tile)) else { return false };
        let end = self.start[node] + self.count[node];
        let mut part = Boxes { ..*self };
        while part.start[node] < end {
            part.count[node] = most.min(end - part.start[node]);
            // SAFETY: the caller's promise: this is part of the box.
            unsafe { part.walk_moved() };
            part.start[node] += part.count[node];
        }
        true
    }
}
