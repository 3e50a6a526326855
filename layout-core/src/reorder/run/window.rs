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
            let last =
                if level == differs { to[level] } else { self.plan.nodes.get(levels[level] as usize).n };
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

#[cfg(test)]
mod tests {
    use crate::descriptor::{DType, Descriptor, Location};
    use crate::kernels::Tile;
    use crate::reorder::Reorder;
    use alloc::vec::Vec;
    use core::cell::RefCell;
    use proptest::prelude::*;

    std::thread_local! {
        /// Addresses of elements read and written.
        static TOUCHED: RefCell<(Vec<usize>, Vec<usize>)> = const { RefCell::new((Vec::new(), Vec::new())) };
    }

    /// A kernel that notes what it would read and write. Boxes of padding do without one.
    ///
    /// # Safety
    /// None is needed.
    unsafe fn note(src: *const u8, dst: *mut u8, tile: &Tile) {
        let at = |base: usize, steps: [isize; 3], [z, y, x]: [usize; 3]| {
            let distance = z as isize * steps[0] + y as isize * steps[1] + x as isize * steps[2];
            base.wrapping_add_signed(distance)
        };
        TOUCHED.with_borrow_mut(|(read, written)| {
            for z in 0..tile.z.len {
                for y in 0..tile.y.len {
                    for x in 0..tile.x.len {
                        let value = [z, y, x];
                        if x < tile.valid_x && y < tile.valid_y {
                            read.push(at(src.addr(), [tile.z.src, tile.y.src, tile.x.src], value));
                        }
                        written.push(at(dst.addr(), [tile.z.dst, tile.y.dst, tile.x.dst], value));
                    }
                }
            }
        });
    }

    /// Offsets at which `d` has an element, or owns anything, in order.
    fn places(d: &Descriptor, padding: bool) -> Vec<usize> {
        let is_place = |location| match location {
            Location::Element(_) => true,
            Location::Padding => padding,
            _ => false,
        };
        (0..d.required_len()).filter(|&offset| is_place(d.locate(offset).unwrap())).collect()
    }

    proptest! {
        /// Every element of the source is read once and nothing else is; every owned place of the destination is written
        /// once and nothing else is.
        #[test]
        fn every_place_once(
            formats in prop::array::uniform2(prop::sample::select(
                &["ab", "ba", "aB8b", "BA4b2a", "aB3b", "AB2b3a2b", "bA6a", "AB2a4b3a", "aB2b2b2b"][..],
            )),
            dims in prop::array::uniform2(1usize..30),
            before in prop::array::uniform4(0usize..20),
            after in prop::array::uniform4(prop_oneof![Just(0usize), 0usize..20]),
            halos in prop::array::uniform8(prop_oneof![3 => Just(0usize), 1 => 0usize..9]),
        ) {
            let part = |side: usize| {
                let (format, at) = (formats[side], 2 * side..2 * side + 2);
                let (before, after) = (&before[at.clone()], &after[at.clone()]);
                let whole: Vec<_> = (0..2).map(|a| before[a] + dims[a] + after[a]).collect();
                let whole = Descriptor::new(DType::ALL[side], &whole, format).unwrap();
                let whole = whole.with_halo(&halos[at.clone()], &halos[at.start + 4..at.end + 4]).unwrap();
                whole.submemory(before, &dims).unwrap()
            };
            let (src, dst) = (part(0), part(1));
            prop_assert_ne!(src.dtype(), dst.dtype());
            let mut plan = Reorder::new(&src, &dst).unwrap();
            plan.kernel = note;
            TOUCHED.set((Vec::new(), Vec::new()));
            let (size, mut memory) = (dst.dtype().size(), std::vec![1u8; plan.dst_len()]);
            let base = memory.as_mut_ptr();
            // SAFETY: the kernel touches no memory, and what is all padding is written to as much as the plan says.
            unsafe { plan.run_ptr(core::ptr::null(), base) };
            let (mut read, mut written) = TOUCHED.take();
            for place in &mut written {
                *place -= base.addr();
            }
            let zeros = memory.chunks(size).enumerate().filter(|(_, element)| element.iter().all(|&byte| byte == 0));
            written.extend(zeros.map(|(i, _)| i * size));
            read.sort_unstable();
            written.sort_unstable();
            let bytes = |places: Vec<usize>, d: &Descriptor| -> Vec<usize> {
                places.into_iter().map(|place| place * d.dtype().size()).collect()
            };
            prop_assert_eq!(read, bytes(places(&src, false), &src));
            prop_assert_eq!(written, bytes(places(&dst, true), &dst));
        }
    }
}
