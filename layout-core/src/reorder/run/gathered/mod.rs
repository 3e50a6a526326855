//! Layouts whose blocks differ, so that no tile has rows of more than a few elements: each line of the destination is put together
//! from the few places of the source that it comes from, everywhere the same way. Called by `run` in place of the boxes where the plan
//! says so; axes that end inside of a line change what of it holds data, and nothing else.
//!
//! Here are the loops around the lines, `walk` goes through them, `table` writes what the kernel is told, `converted` takes lines
//! whose elements change through a buffer, and `narrowed` those whose elements become shorter.

mod converted;
mod narrowed;
mod table;
mod walk;

use super::super::attributes::Scaling;
use super::super::plan::{CUT, Line, MAX_LOOPS, NO_AXIS, OfAxis, Reorder};
use crate::grammar::MAX_RANK;
use crate::kernels::{GatherLines, fence, gather_lines, takes_pieces};
use table::Tables;

/// The tail axes of a plan, and last [`CUT`], which is none of the tensor's.
const AXES: usize = MAX_RANK + 1;

/// What lines hold of an axis: of `block` places each those below `dim` are data, and those up to `padded` are written.
#[derive(Clone, Copy)]
struct Axis {
    dim: u64,
    padded: u64,
    block: u64,
    /// The first place that is wanted.
    first: u64,
}

/// How many places of an axis a line has that hold data, and that are written.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Held {
    data: u8,
    owned: u8,
}

/// A loop around the lines.
#[derive(Clone, Copy)]
struct Around {
    count: u64,
    src: isize,
    dst: isize,
    /// The plan's loop.
    node: u8,
    /// The axis that it counts, if any, and by how many places.
    axis: u8,
    places: u64,
}

/// A reorder by lines.
struct Gathered<'a> {
    plan: &'a Reorder,
    scaling: Option<&'a Scaling<'a>>,
    kernel: GatherLines,
    line: &'a Line,
    axes: [Axis; AXES],
    /// Outermost first.
    around: [Around; MAX_LOOPS],
    around_len: usize,
    src: isize,
    dst: isize,
}

impl Axis {
    /// What a line has whose first place is `place`.
    fn held(&self, place: u64) -> Held {
        let of = |end: u64| end.saturating_sub(place).min(self.block) as u8;
        Held { data: of(self.dim), owned: of(self.padded) }
    }
}

impl Around {
    const ONCE: Around = Around { count: 1, src: 0, dst: 0, node: 0, axis: NO_AXIS, places: 0 };
}

impl<'a> Gathered<'a> {
    /// The lines of `plan`, to be described by `line`; `part` is the range of values of a loop that are wanted. `None` where the processor has no kernel for them,
    /// parameters differ from element to element, or the part is none of whole lines.
    fn new(
        plan: &'a Reorder,
        line: &'a mut Line,
        scaling: Option<&'a Scaling<'a>>,
        part: Option<(usize, u64, u64)>,
    ) -> Option<Gathered<'a>> {
        let kernel = gather_lines(plan.token())?;
        if !scaling.is_none_or(Scaling::is_common) {
            return None;
        }
        let (nodes, with_tails) = (&plan.nodes, plan.tails.len > 0);
        let count = plan.counts();
        let found = if takes_pieces(plan.token()) {
            line.find_any(plan, &count, with_tails)
        } else {
            line.find(plan, &count, with_tails, plan.src_element)
        };
        if !found {
            return None;
        }
        let mut axes = [Axis { dim: 1, padded: 1, block: 1, first: 0 }; AXES];
        for (t, axis) in axes.iter_mut().enumerate().take(plan.tails.len.into()) {
            (axis.dim, axis.padded) = (plan.tails.dim[t], plan.tails.padded[t]);
        }
        let around = [Around::ONCE; MAX_LOOPS];
        let (src, dst) = (plan.src_base, plan.dst_base);
        let mut out = Gathered { plan, scaling, kernel, line, axes, around, around_len: 0, src, dst };
        let of = plan.axes_of_loops(with_tails);
        for i in 0..nodes.len() {
            let (node, taken) = (nodes.get(i), out.line.taken(i));
            let mut around = Around {
                count: count[i].div_ceil(taken),
                src: node.src.wrapping_mul(taken as isize),
                dst: node.dst.wrapping_mul(taken as isize),
                node: i as u8,
                axis: of[i].axis,
                places: of[i].places.saturating_mul(taken),
            };
            if around.axis == NO_AXIS && 1 < taken && taken < count[i] {
                (around.axis, around.places) = (CUT, taken);
                out.axes[usize::from(CUT)] = Axis { dim: count[i], padded: count[i], block: taken, first: 0 };
            } else if around.axis != NO_AXIS {
                out.axes[usize::from(around.axis)].block *= taken;
            }
            if let Some((_, start, end)) = part.filter(|part| part.0 == i) {
                // Of an axis' lower loop, the part is no range of places.
                if taken > 1 || !of[i].top {
                    return None;
                }
                around.count = end.min(count[i]).saturating_sub(start);
                (out.src, out.dst) = (
                    out.src.wrapping_add(node.src.wrapping_mul(start as isize)),
                    out.dst.wrapping_add(node.dst.wrapping_mul(start as isize)),
                );
                if around.axis != NO_AXIS {
                    out.axes[usize::from(around.axis)].first = start * around.places;
                }
            }
            out.put(around);
        }
        Some(out)
    }

    /// Leaves to a run the lines of a part: `count[i]` values of loop i from `start[i]` on, where `dst` is; of loops that a line has, all
    /// values.
    fn begin_at(
        &mut self,
        start: &[u64; MAX_LOOPS],
        count: &[u64; MAX_LOOPS],
        of: &[OfAxis; MAX_LOOPS],
        dst: isize,
    ) {
        self.dst = dst;
        for axis in &mut self.axes[..usize::from(CUT)] {
            axis.first = 0;
        }
        for (of, start) in of.iter().zip(start).filter(|(of, _)| of.axis != NO_AXIS) {
            self.axes[usize::from(of.axis)].first += start * of.places;
        }
        for one in &mut self.around[..self.around_len] {
            let node = usize::from(one.node);
            one.count = count[node].div_ceil(self.line.taken(node));
            if one.axis == CUT {
                let axis = &mut self.axes[usize::from(CUT)];
                (axis.dim, axis.padded) = (count[node], count[node]);
            }
        }
    }

    /// Adds a loop: lines of the destination are written in turn.
    fn put(&mut self, around: Around) {
        if around.count == 1 {
            return;
        }
        let mut at = self.around_len;
        while at > 0 && self.around[at - 1].dst.unsigned_abs() < around.dst.unsigned_abs() {
            self.around[at] = self.around[at - 1];
            at -= 1;
        }
        self.around[at] = around;
        self.around_len += 1;
    }
}

impl Reorder {
    /// Runs the plan by lines, if that is possible; else does nothing and returns `false`.
    ///
    /// # Safety
    /// That of [`Reorder::run_ptr`]; it `gathers`.
    #[inline(never)]
    pub(super) unsafe fn run_gathered(
        &self,
        src: *const u8,
        dst: *mut u8,
        scaling: Option<&Scaling<'_>>,
        part: Option<(usize, u64, u64)>,
    ) -> bool {
        let done = if self.narrows() {
            // SAFETY: the caller's promise.
            unsafe { self.run_narrowed(src, dst, scaling, part) }
        } else {
            // SAFETY: as above.
            unsafe { self.run_lines(src, dst, scaling, part) }
        };
        if done && self.streams() {
            fence();
        }
        done
    }

    /// The same by lines of the elements that the source has. Apart, so that the other way needs no stack for its tables.
    ///
    /// # Safety
    /// As there.
    #[inline(never)]
    unsafe fn run_lines(
        &self,
        src: *const u8,
        dst: *mut u8,
        scaling: Option<&Scaling<'_>>,
        part: Option<(usize, u64, u64)>,
    ) -> bool {
        let mut line = Line::NONE;
        let Some(gathered) = Gathered::new(self, &mut line, scaling, part) else { return false };
        // SAFETY: the caller's promise.
        unsafe { gathered.run(src, dst, &mut Tables::new(self.token())) };
        true
    }
}
