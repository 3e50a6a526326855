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
    /// Walks what `cut` has of the box.
    ///
    /// # Safety
    /// That of [`Reorder::run_ptr`](super::super::super::Reorder::run_ptr).
    pub(in super::super) unsafe fn walk_cut(&self, cut: Cutting<'_>) {
        let last = self.plan.nodes.len() - 1;
        let is_out = |i: usize| {
            let (start, end) = cut.range(i);
            self.start[i].max(start) >= end.min(self.start[i] + self.count[i])
        };
        if (0..=last).any(is_out) {
            return;
        }
        let mut part = Boxes { ..*self };
        for i in 0..=last {
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
