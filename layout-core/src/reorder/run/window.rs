//! The boxes of an axis whose places do not start with data, or whose blocks begin at different places on the two sides.
//! Called by `boxes`; what one box covers there is whole in every loop here too, and has single strides.

use super::boxes::Boxes;

impl Boxes<'_> {
    /// Walks all boxes of the tail axes from `t` on, where `t` has a window: padding, data and padding again.
    ///
    /// # Safety
    /// That of [`super::super::Reorder::run_ptr`].
    pub(super) unsafe fn fork_window(&mut self, t: usize, [start, data, dim, padded]: [u64; 4]) {
        // SAFETY of each call: the caller's promise.
        let outside = core::mem::replace(&mut self.padding, true);
        // SAFETY: see above.
        unsafe { self.fork_range(t, start, data) };
        self.padding = outside;
        // SAFETY: see above.
        unsafe { self.fork_range(t, data, dim) };
        self.padding = true;
        // SAFETY: see above.
        unsafe { self.fork_range(t, dim, padded) };
        self.padding = outside;
    }

    /// Walks the boxes of the places `start..end` of axis `t`: digit by digit up from `start` to where the two part, the
    /// values between them there, and digit by digit down to `end`.
    ///
    /// # Safety
    /// That of [`super::super::Reorder::run_ptr`].
    unsafe fn fork_range(&mut self, t: usize, start: u64, end: u64) {
        let levels = self.plan.tails.levels(t);
        if start >= end {
            return;
        }
        if levels.is_empty() {
            // One place.
            // SAFETY: the caller's promise.
            unsafe { self.fork(t + 1) };
            return;
        }
        let (from, to) = (self.digits(levels, start), self.digits(levels, end));
        // They differ somewhere.
        let differs = (0..levels.len()).rev().find(|&level| from[level] != to[level]).unwrap_or(0);
        // Below its lowest digit `start` begins whole loops.
        let lowest = (0..differs).find(|&level| from[level] != 0).unwrap_or(differs);
        for level in lowest..=differs {
            let first = from[level] + u64::from(level > lowest);
            let last = if level == differs { to[level] } else { self.plan.nodes.get(levels[level] as usize).n };
            // SAFETY: the caller's promise.
            unsafe { self.fork_values(t, level, &from, first, last) };
        }
        for level in (0..differs).rev() {
            // SAFETY: the caller's promise.
            unsafe { self.fork_values(t, level, &to, 0, to[level]) };
        }
    }

    /// Walks the boxes whose loop `level` of axis `t` has the values `first..last`, those above it `digits` and those below
    /// it all values; a skewed loop is cut.
    ///
    /// # Safety
    /// That of [`super::super::Reorder::run_ptr`].
    unsafe fn fork_values(
        &mut self,
        t: usize,
        level: usize,
        digits: &super::boxes::Digits,
        first: u64,
        last: u64,
    ) {
        if first >= last {
            return;
        }
        let plan = self.plan;
        let levels = plan.tails.levels(t);
        self.select(levels, level, digits, first..last);
        let lowest = levels[0] as usize;
        if !plan.nodes.is_skewed(lowest) {
            // SAFETY: the caller's promise.
            unsafe { self.fork(t + 1) };
            return;
        }
        let mut at = self.start[lowest];
        let end = at + self.count[lowest];
        while at < end {
            let cut = plan.nodes.next_cut(lowest, at).min(end);
            (self.start[lowest], self.count[lowest]) = (at, cut - at);
            // SAFETY: the caller's promise.
            unsafe { self.fork(t + 1) };
            at = cut;
        }
    }
}
