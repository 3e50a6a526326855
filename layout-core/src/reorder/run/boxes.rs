//! [`Boxes`]: cuts the padded index space into boxes that are whole in every loop, so that no tile looks for a tail.
//! Called by `run`; hands each box to `walk`.
//!
//! Along an axis the data `0..dim` is, digit by digit from the top, all values below the extent's digit with the lower
//! loops whole and the higher ones at the extent's digits; the padding `dim..padded` likewise. Where the lowest loop of
//! an axis lies in the tile, its last piece of data and the padding beside it make one box, whose tiles write both.

use super::super::attributes::Scaling;
use super::super::plan::{Class, MAX_LOOPS, Reorder};
use super::join::Join;
use super::packed::{Cutting, Rows};
use crate::kernels::LINE;

/// Bytes, read and written, of a band in which all boxes are walked: a part of the second-level cache.
pub(super) const BAND: usize = 256 * 1024;
/// The same where there are segments: each of them writes a part of the lines.
const SEGMENTS: usize = 64 * 1024;

/// Groups of a block that are moved together.
const GROUPS: u64 = 16;

/// The box at hand, and the memory to move.
pub(super) struct Boxes<'a> {
    pub(super) plan: &'a Reorder,
    /// What the run gives to the numbers.
    pub(super) scaling: Option<&'a Scaling<'a>>,
    /// What padding is filled with where that is all there is to do.
    pub(super) fill: Option<&'a [u8; 16]>,
    pub(super) src: *const u8,
    pub(super) dst: *mut u8,
    /// First value of each loop.
    pub(super) start: [u64; MAX_LOOPS],
    /// Number of values of each loop.
    pub(super) count: [u64; MAX_LOOPS],
    /// Values of x and y of the tile that hold data, where these are not all.
    pub(super) valid_x: Option<u64>,
    pub(super) valid_y: Option<u64>,
    /// The same of z, where the plan [weaves](Reorder::weaves).
    pub(super) valid_z: Option<u64>,
    /// Whether the box is padding.
    pub(super) padding: bool,
    /// The part of a block that is moved with the whole one of the box.
    pub(super) join: Option<Join>,
    /// A loop and the range of its values that are wanted; all of every loop where there is none.
    pub(super) part: Option<(usize, u64, u64)>,
    /// The values of all loops that are wanted, in place of `part`.
    pub(super) cut: Option<Cutting<'a>>,
    /// What is done with elements of 4 bits in place of moving them.
    pub(super) rows: Option<&'a Rows<'a>>,
    /// Loops, a bit each, of axes that are gone through along their lowest loop, which may then count beyond its end.
    pub(super) joined: u32,
}

/// Digits of an extent in the loops of an axis, lowest first.
pub(super) type Digits = [u64; MAX_LOOPS];

impl<'a> Boxes<'a> {
    /// All loops whole.
    pub(super) fn new(plan: &'a Reorder, src: *const u8, dst: *mut u8) -> Boxes<'a> {
        let mut count = [1; MAX_LOOPS];
        for (i, count) in count.iter_mut().enumerate().take(plan.nodes.len()) {
            *count = plan.nodes.get(i).n;
        }
        Boxes {
            plan,
            scaling: None,
            fill: None,
            src,
            dst,
            start: [0; MAX_LOOPS],
            count,
            valid_x: None,
            valid_y: None,
            valid_z: None,
            padding: false,
            join: None,
            part: None,
            cut: None,
            rows: None,
            joined: 0,
        }
    }

    /// Walks all boxes. Where these share lines, or segments do, it is done with a band of the other loops, one that fits into
    /// the nearer caches, before it goes on to the next.
    ///
    /// # Safety
    /// That of [`Reorder::run_ptr`].
    pub(super) unsafe fn bands(&mut self) {
        let plan = self.plan;
        let bytes = plan.bytes_read() + plan.bytes_written();
        let wanted = self.part;
        let is_free = |&i: &usize| plan.nodes.is_strided(i) && !plan.tails.all_levels().contains(&(i as u8));
        let lines = plan.across_lines(bytes);
        match lines.or_else(|| plan.across_outer(bytes)) {
            Some((node, count)) if wanted.is_none_or(|(part, ..)| part == node) => {
                let (_, mut at, end) = wanted.unwrap_or((node, 0, plan.nodes.get(node).n));
                while at < end {
                    let next = end.min(at + count);
                    self.part = Some((node, at, next));
                    // SAFETY: the caller's promise; this is part of all boxes.
                    unsafe { self.fork(0) };
                    at = next;
                }
                self.part = wanted;
                return;
            }
            // What is wanted is a part of another loop.
            Some((node, count)) if lines.is_some() && is_free(&node) => {
                let n = plan.nodes.get(node).n;
                for at in (0..n).step_by(count as usize) {
                    (self.start[node], self.count[node]) = (at, count.min(n - at));
                    // SAFETY: as above.
                    unsafe { self.fork(0) };
                }
                (self.start[node], self.count[node]) = (0, n);
                return;
            }
            _ => {}
        }
        let most = if plan.has_short_segments() { SEGMENTS } else { BAND };
        if bytes <= 4 * most || !plan.has_short_segments() && !plan.has_interleaved_boxes() {
            // SAFETY: the caller's promise.
            return unsafe { self.fork(0) };
        }
        let free = (0..plan.nodes.len()).filter(is_free).fold(0, |free, i| free | 1 << i);
        // SAFETY: the caller's promise.
        unsafe { self.band(0, free, bytes, most) };
    }

    /// Walks the boxes in bands of at most `most` of `bytes` bytes, of the loops from `node` on that `free` has a bit for.
    ///
    /// # Safety
    /// That of [`Reorder::run_ptr`].
    unsafe fn band(&mut self, node: usize, free: u32, bytes: usize, most: usize) {
        let nodes = &self.plan.nodes;
        let is_row = |i: usize| i + 1 == nodes.len() && self.plan.class == Class::Rows;
        let next = (node..nodes.len()).find(|&i| free >> i & 1 == 1 && !is_row(i) && nodes.get(i).n > 1);
        let Some(node) = next.filter(|_| bytes > most) else {
            // SAFETY: the caller's promise.
            return unsafe { self.fork(0) };
        };
        let n = nodes.get(node).n;
        let (first, end) = match self.part {
            Some((part, start, end)) if part == node => (start, end.min(n)),
            _ => (0, n),
        };
        // Tiles keep whole lines, and the groups of a block.
        let grain = match nodes.len() - node {
            ..=2 => LINE as u64,
            3 => GROUPS,
            _ => 1,
        };
        let one = bytes as u64 / n;
        let count = (most as u64 / one.max(1)).max(1).next_multiple_of(grain);
        let mut at = first;
        while at < end {
            let here = count.min(end - at);
            (self.start[node], self.count[node]) = (at, here);
            // SAFETY: the caller's promise; this is part of all boxes.
            unsafe { self.band(node + 1, free, (one * here) as usize, most) };
            at += here;
        }
        (self.start[node], self.count[node]) = (0, n);
    }

    /// Walks all boxes of the tail axes from `t` on.
    ///
    /// # Safety
    /// That of [`Reorder::run_ptr`].
    pub(super) unsafe fn fork(&mut self, t: usize) {
        let plan = self.plan;
        if t == plan.tails.len as usize {
            // SAFETY: the caller's promise.
            unsafe { self.walk_part() };
            return;
        }
        let levels = plan.tails.levels(t);
        let (dim, padded) = (plan.tails.dim[t], plan.tails.padded[t]);
        // What lies in the padding of another axis is padding, wherever this one ends.
        let with_padding = self.padding || self.rows.is_some_and(|rows| rows.pads(self.scaling.is_some()));
        let dim = if with_padding { padded } else { dim };
        if let Some((start, data)) = plan.window(t) {
            let data = if with_padding { start } else { data };
            // SAFETY: the caller's promise.
            unsafe { self.fork_window(t, [start, data, dim, padded]) };
            return;
        }
        // Padding that is written by itself is in no such loop.
        let all = dim == padded || self.rows.is_some_and(|rows| !rows.stores());
        if all && self.join_levels(levels, dim) {
            let joined = levels.iter().fold(0, |all, &level| all | 1 << level);
            self.joined |= joined;
            // SAFETY: the caller's promise.
            unsafe { self.fork(t + 1) };
            self.joined &= !joined;
            return;
        }
        if levels.is_empty() {
            // No data, and one index of padding.
            let outside = core::mem::replace(&mut self.padding, true);
            // SAFETY: the caller's promise.
            unsafe { self.fork(t + 1) };
            self.padding = outside;
            return;
        }
        let (dim, padded) = (self.digits(levels, dim), self.digits(levels, padded));
        // The highest loop in which the two extents differ; above it they share their digits.
        let differs = (0..levels.len()).rev().find(|&level| dim[level] != padded[level]);
        // SAFETY of each `fork` below: the caller's promise, whatever the box.
        // Data.
        let join = self.join_of(t, [dim[0], self.end(levels, 0, &padded, differs)], dim[1]);
        for level in (0..levels.len()).rev() {
            self.select(levels, level, &dim, 0..dim[level]);
            if join.is_some() {
                // The whole block and the part of one are the only two boxes.
                self.join = if level == 1 { join } else { break };
                // SAFETY: see above.
                unsafe { self.fork(t + 1) };
                self.join = None;
                continue;
            }
            if self.count[levels[level] as usize] == 0 {
                continue;
            }
            match self.valid_of(levels[0]).filter(|_| level == 0) {
                Some(_) => {
                    let end = self.end(levels, 0, &padded, differs);
                    self.select(levels, 0, &dim, 0..end);
                    self.set_valid(levels[0], Some(dim[0]));
                    // SAFETY: see above.
                    unsafe { self.fork(t + 1) };
                    self.set_valid(levels[0], None);
                }
                // SAFETY: see above.
                None => unsafe { self.fork(t + 1) },
            }
        }
        // Padding: what remains of each digit of `dim`, up to where the two extents part; then the digits of `padded`.
        let Some(differs) = differs else { return };
        let outside = core::mem::replace(&mut self.padding, true);
        for level in 0..=differs {
            let done = level == 0 && dim[0] > 0 && self.valid_of(levels[0]).is_some();
            let end = self.end(levels, level, &padded, Some(differs));
            let first = if level == 0 { dim[0] } else { dim[level] + 1 };
            if !done && first < end {
                self.select(levels, level, &dim, first..end);
                // SAFETY: see above.
                unsafe { self.fork(t + 1) };
            }
        }
        for level in (0..differs).rev() {
            if padded[level] > 0 {
                self.select(levels, level, &padded, 0..padded[level]);
                // SAFETY: see above.
                unsafe { self.fork(t + 1) };
            }
        }
        self.padding = outside;
    }

    /// Walks what is wanted of the box.
    ///
    /// # Safety
    /// That of [`Reorder::run_ptr`].
    unsafe fn walk_part(&mut self) {
        if let Some(cut) = self.cut {
            // SAFETY: the caller's promise.
            return unsafe { self.walk_cut(cut) };
        }
        let Some((node, start, end)) = self.part else {
            // SAFETY: the caller's promise.
            return unsafe { self.walk_all() };
        };
        let whole = (self.start[node], self.count[node]);
        let first = start.max(whole.0);
        let last = end.min(whole.0 + whole.1);
        if first < last {
            (self.start[node], self.count[node]) = (first, last - first);
            // SAFETY: the caller's promise; this is part of the box.
            unsafe { self.walk_all() };
            (self.start[node], self.count[node]) = whole;
        }
    }

    /// Where the values of loop `level` end that have the digits of `dim` above them: at the digit of `padded` where the
    /// two have no higher difference, else at the loop's end.
    fn end(&self, levels: &[u8], level: usize, padded: &Digits, differs: Option<usize>) -> u64 {
        match differs {
            Some(differs) if differs > level => self.plan.nodes.get(levels[level] as usize).n,
            _ => padded[level],
        }
    }

    /// Sets the loops above `level` to `digits`, `level` to `values`, and those below to all their values.
    pub(super) fn select(
        &mut self,
        levels: &[u8],
        level: usize,
        digits: &Digits,
        values: core::ops::Range<u64>,
    ) {
        for (i, &at) in levels.iter().enumerate() {
            let at = at as usize;
            (self.start[at], self.count[at]) = match i.cmp(&level) {
                core::cmp::Ordering::Less => (0, self.plan.nodes.get(at).n),
                core::cmp::Ordering::Equal => (values.start, values.end - values.start),
                core::cmp::Ordering::Greater => (digits[i], 1),
            };
        }
    }

    /// Digits of `extent`, the highest one taking what is left.
    pub(super) fn digits(&self, levels: &[u8], extent: u64) -> Digits {
        let mut digits = [0; MAX_LOOPS];
        let mut rest = extent;
        for (i, &at) in levels.iter().enumerate() {
            let n = self.plan.nodes.get(at as usize).n;
            (digits[i], rest) = if i + 1 == levels.len() { (rest, 0) } else { (rest % n, rest / n) };
        }
        digits
    }

    /// `Some` for the loops of the tile of which a kernel writes data and padding.
    fn valid_of(&mut self, level: u8) -> Option<&mut Option<u64>> {
        let len = self.plan.nodes.len();
        match len - level as usize {
            1 => Some(&mut self.valid_x),
            2 => Some(&mut self.valid_y),
            3 if self.plan.weaves() => Some(&mut self.valid_z),
            _ => None,
        }
    }

    fn set_valid(&mut self, level: u8, valid: Option<u64>) {
        if let Some(place) = self.valid_of(level) {
            *place = valid;
        }
    }
}
