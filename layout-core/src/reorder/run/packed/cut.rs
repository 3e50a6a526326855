//! [`Cut`]: the values of all loops that a part has. Made by the module around it; here boxes are cut to it.

use core::cell::Cell;

use super::super::super::plan::MAX_LOOPS;
use super::super::boxes::Boxes;

/// A range of values of every loop, which goes on from part to part.
pub(in super::super) struct Cut {
    pub(super) start: [Cell<u64>; MAX_LOOPS],
    end: [Cell<u64>; MAX_LOOPS],
    /// The values of all parts, and how many each has at most.
    all: [(u64, u64); MAX_LOOPS],
    sizes: [u64; MAX_LOOPS],
    len: usize,
}

/// A cut, and which of its loops each loop of a plan is.
#[derive(Clone, Copy)]
pub(in super::super) struct Cutting<'a> {
    pub(super) cut: &'a Cut,
    pub(super) order: &'a [u8; MAX_LOOPS],
}

impl Cutting<'_> {
    fn range(&self, i: usize) -> (u64, u64) {
        let i = usize::from(self.order[i]);
        (self.cut.start[i].get(), self.cut.end[i].get())
    }
}

impl Cut {
    /// The first part of `all`, with as many values of each loop as `sizes` says.
    pub(super) fn new(all: &Boxes<'_>, sizes: &[u64; MAX_LOOPS]) -> Cut {
        let range = |i: usize| (all.start[i], all.start[i] + all.count[i]);
        let end = |i: usize| range(i).1.min(range(i).0 + sizes[i]);
        Cut {
            start: all.start.map(Cell::new),
            end: core::array::from_fn(|i| Cell::new(end(i))),
            all: core::array::from_fn(range),
            sizes: *sizes,
            len: all.plan.nodes.len(),
        }
    }

    /// Goes on to the next part, the innermost loop first; `false` where there is none.
    pub(super) fn go_on(&self) -> bool {
        for i in (0..self.len).rev() {
            let (first, end) = self.all[i];
            let next = self.end[i].get();
            let start = if next < end { next } else { first };
            self.start[i].set(start);
            self.end[i].set(end.min(start + self.sizes[i]));
            if next < end {
                return true;
            }
        }
        false
    }
}

impl Boxes<'_> {
    /// Makes one loop of those of an axis, `levels`, where they follow one another on the side that [`Rows`](super::Rows) go along and
    /// in its buffer: what the cut has of the places below `end`. Else does nothing, and returns `false`.
    pub(in super::super) fn join_levels(&mut self, levels: &[u8], end: u64) -> bool {
        let (Some(rows), Some(Cutting { cut, .. })) = (self.rows, self.cut) else { return false };
        let &[lowest, .., top] = levels else { return false };
        let nodes = &self.plan.nodes;
        let follows = |pair: &[u8]| {
            let [inner, outer] = [pair[0].into(), pair[1].into()];
            let n = nodes.get(inner).n as isize;
            let whole = cut.start[inner].get() == 0 && cut.end[inner].get() == nodes.get(inner).n;
            // Of the joined loop the parameters are those of the lowest.
            let alike = self.scaling.is_none_or(|scaling| scaling.goes_on(inner, n as usize, outer));
            whole
                && alike
                && rows.strides(nodes, outer)
                    == rows.strides(nodes, inner).map(|stride| stride.wrapping_mul(n))
        };
        if !levels.windows(2).all(follows) {
            return false;
        }
        let [lowest, top] = [usize::from(lowest), usize::from(top)];
        let inside = levels[..levels.len() - 1].iter().fold(1, |all: u64, &i| all * nodes.get(i.into()).n);
        let first = cut.start[top].get();
        let places = end.min(cut.end[top].get().saturating_mul(inside)).saturating_sub(first * inside);
        for &level in levels {
            (self.start[usize::from(level)], self.count[usize::from(level)]) = (0, 1);
        }
        (self.start[top], self.count[lowest]) = (first, places);
        true
    }

    /// Walks what `cut` has of the box.
    ///
    /// # Safety
    /// That of [`Reorder::run_ptr`](super::super::super::Reorder::run_ptr).
    pub(in super::super) unsafe fn walk_cut(&self, cut: Cutting<'_>) {
        let last = self.plan.nodes.len() - 1;
        let is_joined = |i: usize| self.joined >> i & 1 == 1;
        let is_out = |i: usize| {
            let (start, end) = cut.range(i);
            !is_joined(i) && self.start[i].max(start) >= end.min(self.start[i] + self.count[i])
        };
        if (0..=last).any(|i| is_out(i) || self.count[i] == 0) {
            return;
        }
        let mut part = Boxes { ..*self };
        for i in (0..=last).filter(|&i| !is_joined(i)) {
            let (start, end) = cut.range(i);
            let (start, end) = (self.start[i].max(start), end.min(self.start[i] + self.count[i]));
            let (gone, count) = (start - self.start[i], end - start);
            (part.start[i], part.count[i]) = (start, count);
            let valid = match last - i {
                0 => &mut part.valid_x,
                1 => &mut part.valid_y,
                2 => &mut part.valid_z,
                _ => continue,
            };
            if let Some(all) = *valid {
                let left = all.saturating_sub(gone);
                *valid = Some(left).filter(|&left| 0 < left && left < count);
                part.padding |= left == 0;
            }
        }
        if part.padding {
            (part.valid_x, part.valid_y, part.valid_z) = (None, None, None);
        }
        match self.rows {
            // SAFETY: the caller's promise.
            None => unsafe { part.walk() },
            // SAFETY: as above.
            Some(rows) => unsafe { rows.walk(&mut part, cut.cut) },
        }
    }
}
