//! Goes through the lines: for each way in which axes end inside of them, those that hold as much. Called by the module around it.

use super::super::super::attributes::Placed;
use super::super::super::plan::MAX_LOOPS;
use super::super::loops::{ONCE, each};
use super::table::Tables;
use super::{AXES, Axis, Gathered, Held};
use crate::kernels::{LINE, Step};
use core::cmp::Ordering;

/// The lines at hand.
pub(super) struct Walk<'a> {
    pub(super) of: &'a Gathered<'a>,
    /// What is done to numbers besides.
    pub(super) placed: Option<&'a Placed<'a>>,
    pub(super) memory: (*const u8, *mut u8),
    pub(super) tables: &'a mut Tables,
    /// The values of the loops around them.
    start: [u64; MAX_LOOPS],
    count: [u64; MAX_LOOPS],
    /// What they hold of each axis.
    pub(super) held: [Held; AXES],
    /// The axes that loops around them count.
    counted: [u8; AXES],
    counted_len: usize,
}

impl Gathered<'_> {
    /// Moves all lines; `tables` are those of others of the same kind, or new.
    ///
    /// # Safety
    /// That of [`Reorder::run_ptr`](super::super::super::Reorder::run_ptr).
    pub(super) unsafe fn run(&self, src: *const u8, dst: *mut u8, tables: &mut Tables) {
        let start = [0; MAX_LOOPS];
        let placed = self.scaling.and_then(|scaling| scaling.place(&start, [0; 3]));
        let mut walk = Walk {
            of: self,
            placed: placed.as_ref(),
            memory: (src, dst),
            tables,
            start,
            count: self.around.map(|one| one.count),
            held: self.axes.map(|axis| axis.held(axis.first)),
            counted: [0; AXES],
            counted_len: 0,
        };
        for axis in 0..AXES as u8 {
            if self.around[..self.around_len].iter().any(|one| one.axis == axis) {
                walk.counted[walk.counted_len] = axis;
                walk.counted_len += 1;
            }
        }
        // SAFETY: the caller's promise.
        unsafe { walk.fork(0) };
    }

    /// Where lines begin to hold something else of axis `a`, whose lines are counted by one number: the first that does not hold a
    /// whole block of data, that holds none, that is not all padding, and that holds nothing.
    fn cuts(&self, Axis { dim, padded, block, first }: Axis, step: u64, all: u64) -> [u64; 4] {
        let begin = |end: u64| end.saturating_sub(first).div_ceil(step).min(all);
        let whole = |end: u64| match end.checked_sub(first + block) {
            Some(rest) => (rest / step + 1).min(all),
            None => 0,
        };
        [whole(dim), begin(dim), whole(padded), begin(padded)]
    }
}

impl Walk<'_> {
    /// Moves the lines of the box, for each way in which axes from the `k`th that loops count on end inside of them.
    ///
    /// # Safety
    /// That of [`Reorder::run_ptr`](super::super::super::Reorder::run_ptr).
    unsafe fn fork(&mut self, k: usize) {
        let of = self.of;
        if k == self.counted_len {
            // SAFETY: the caller's promise.
            return unsafe { self.lines() };
        }
        let a = usize::from(self.counted[k]);
        let (mut levels, mut len) = ([0; MAX_LOOPS], 0);
        for (i, one) in of.around[..of.around_len].iter().enumerate() {
            if usize::from(one.axis) == a {
                (levels[len], len) = (i, len + 1);
            }
        }
        let levels = &mut levels[..len];
        levels.sort_unstable_by_key(|&i| of.around[i].places);
        // Those axes alone have loops.
        let lowest = levels[0];
        let (axis, step) = (of.axes[a], of.around[lowest].places);
        let all = levels.iter().fold(1u64, |all, &i| all.saturating_mul(of.around[i].count));
        let mut at = 0;
        for end in of.cuts(axis, step, all) {
            while at < end {
                self.held[a] = axis.held(axis.first + at * step);
                let taken = self.select(levels, at, end);
                // SAFETY: as above.
                unsafe { self.fork(k + 1) };
                at += taken;
            }
        }
    }

    /// Sets the loops `levels` of an axis, lowest first, to as many lines as they have together from line `at` on, below `end`; returns
    /// how many.
    fn select(&mut self, levels: &[usize], at: u64, end: u64) -> u64 {
        let around = &self.of.around;
        // The highest loop that goes on from here.
        let (mut stride, mut level, mut below) = (1, 0, 1u64);
        for (k, &i) in levels.iter().enumerate() {
            if at.is_multiple_of(below) && below <= end - at {
                (stride, level) = (below, k);
            }
            below = below.saturating_mul(around[i].count);
        }
        let (mut rest, mut taken) = (at, 1);
        for (k, &i) in levels.iter().enumerate() {
            let n = around[i].count;
            let digit = rest % n;
            rest /= n;
            (self.start[i], self.count[i]) = match k.cmp(&level) {
                Ordering::Less => (0, n),
                Ordering::Equal => {
                    taken = (n - digit).min((end - at) / stride);
                    (digit, taken)
                }
                Ordering::Greater => (digit, 1),
            };
        }
        taken * stride
    }

    /// Moves the lines of the box, all of which hold as much of each axis.
    ///
    /// # Safety
    /// That of [`Reorder::run_ptr`](super::super::super::Reorder::run_ptr).
    unsafe fn lines(&mut self) {
        let of = self.of;
        if self.held.iter().any(|held| held.owned == 0) {
            return;
        }
        let (mut src, mut dst) = (of.src, of.dst);
        let (mut around, mut len) = ([ONCE; MAX_LOOPS], 0);
        for (i, one) in of.around[..of.around_len].iter().enumerate() {
            src = src.wrapping_add(one.src.wrapping_mul(self.start[i] as isize));
            dst = dst.wrapping_add(one.dst.wrapping_mul(self.start[i] as isize));
            match self.count[i] {
                0 => return,
                1 => {}
                count => {
                    around[len] = Step { len: count as usize, src: one.src, dst: one.dst };
                    len += 1;
                }
            }
        }
        let around = &mut around[..len.max(2)];
        if !of.plan.moves_bytes() {
            around[..len].reverse();
            // SAFETY: the caller's promise.
            return unsafe { self.convert_lines((src, dst), &around[..len.max(1)]) };
        }
        let (around, loops) = around.split_at(len.max(2) - 2);
        // One loop alone is the inner one.
        let loops = if len == 1 { [loops[0], ONCE] } else { [loops[1], loops[0]] };
        let table = self.tables.get(of.line, &self.held);
        let distances = around.iter().chain(&loops).fold(0, |all, one| all | one.dst.unsigned_abs());
        let aligned = (self.memory.1.wrapping_offset(dst) as usize | distances).is_multiple_of(LINE);
        let stream = of.plan.streams() && aligned && table.written == u64::MAX;
        each(around, (src, dst), |src, dst| {
            let (src, dst) = (self.memory.0.wrapping_offset(src), self.memory.1.wrapping_offset(dst));
            // SAFETY: the caller's promise: these are bytes of elements that hold data, and places that the destination owns.
            unsafe { (of.kernel)(table, src, dst, loops, stream) };
        });
    }
}
