//! Lines whose elements become shorter on their way: parts of the source are converted in rows, into a buffer in its own order, and the
//! lines are put together from there. A line of shorter elements comes from fewer places. Called by the module around it.

use super::super::super::attributes::{Placed, Roles, Scaling};
use super::super::super::plan::{Line, MAX_LOOPS, NO_AXIS, OfAxis, Reorder};
use super::super::super::policy::Stores;
use super::super::loops::{ONCE, each};
use super::Gathered;
use super::table;
use crate::kernels::{Step, Tables, Tile};
use crate::reorder::problem::Node;
use core::mem::MaybeUninit;

/// Bytes of the buffer.
const STAGE: usize = 16 * 1024;

#[repr(align(64))]
struct Stage([MaybeUninit<u8>; STAGE]);

/// How the loops are cut into parts that fit in the buffer.
struct Parts<'a> {
    plan: &'a Reorder,
    placed: Option<&'a Placed<'a>>,
    of: [OfAxis; MAX_LOOPS],
    /// How often each loop runs, and how many values of it a part has at most.
    count: [u64; MAX_LOOPS],
    sizes: [u64; MAX_LOOPS],
    /// Bytes between two values of it in the buffer.
    held: [isize; MAX_LOOPS],
    /// The loops of a part in the order of the source, the innermost first.
    order: [u8; MAX_LOOPS],
    len: usize,
}

/// A part: the first value of each loop, and how many it has.
struct Part {
    start: [u64; MAX_LOOPS],
    count: [u64; MAX_LOOPS],
}

impl<'a> Parts<'a> {
    /// The parts of `plan`, of which loop i runs `count[i]` times and `line` has the loops of a line; `None` where what these have
    /// does not fit, or the source is contiguous along no loop.
    fn new(plan: &'a Reorder, count: [u64; MAX_LOOPS], line: &Line) -> Option<Parts<'a>> {
        let of = plan.axes_of_loops(plan.tails.len > 0);
        let (sizes, held, order) = (count, [0; MAX_LOOPS], [0; MAX_LOOPS]);
        let mut parts = Parts { plan, placed: None, of, count, sizes, held, order, len: 0 };
        let room = (STAGE / usize::from(plan.dst_element)) as u64;
        loop {
            let all = parts.sizes.iter().fold(1u64, |all, &size| all.saturating_mul(size));
            if all <= room {
                break;
            }
            let far = (0..plan.nodes.len()).filter(|&i| parts.can_be_cut(i, line));
            let far = far.max_by_key(|&i| plan.nodes.get(i).src.unsigned_abs())?;
            let others = (all / parts.sizes[far]).max(1);
            // Parts of about the same size, of whole lines.
            let taken = line.taken(far);
            let most = (room / others / taken).max(1);
            let lines = count[far].div_ceil(taken);
            let size = lines.div_ceil(lines.div_ceil(most)) * taken;
            if size >= parts.sizes[far] {
                return None;
            }
            parts.sizes[far] = size;
        }
        let order = &mut parts.order[..];
        for i in (0..plan.nodes.len()).filter(|&i| parts.sizes[i] > 1) {
            (order[parts.len], parts.len) = (i as u8, parts.len + 1);
        }
        let order = &mut order[..parts.len];
        // Where strides are equal, all but one are of loops of which the source has one value.
        order.sort_unstable_by_key(|&i| (plan.nodes.get(i.into()).src, usize::MAX - usize::from(i)));
        let mut next = isize::from(plan.dst_element);
        for &mut i in order {
            parts.held[usize::from(i)] = next;
            next *= parts.sizes[usize::from(i)] as isize;
        }
        let innermost = plan.nodes.get(parts.order[0].into()).src;
        (parts.len > 0 && innermost == isize::from(plan.src_element)).then_some(parts)
    }

    /// Whether loop `i` can be cut, or left to what is around the parts: a line has some of its values, not all, and a part has one
    /// value of the higher loops of its axis.
    fn can_be_cut(&self, i: usize, line: &Line) -> bool {
        let is_higher =
            |k: usize| self.of[k].axis == self.of[i].axis && self.of[k].places > self.of[i].places;
        let highest = self.of[i].axis == NO_AXIS
            || (0..self.plan.nodes.len()).all(|k| !is_higher(k) || self.sizes[k] == 1);
        line.taken(i) < self.sizes[i] && highest
    }

    /// The plan that moves the elements of a part from the buffer.
    fn moved(&self) -> Reorder {
        let plan = self.plan;
        let mut moved = Reorder {
            src_dtype: plan.dst_dtype,
            src_element: plan.dst_element,
            roles: Roles::NONE,
            stores: if plan.streams() { Stores::Streaming } else { Stores::Temporal },
            src_base: 0,
            ..plan.clone()
        };
        for i in 0..plan.nodes.len() {
            moved.nodes.set(i, Node { n: self.count[i], src: self.held[i], ..plan.nodes.get(i) });
        }
        moved
    }

    /// Converts the elements of `part` that hold data, from `src`, where its first element is, to `buffer`. `t` and later axes end
    /// somewhere; of the others `count` says what there is.
    ///
    /// # Safety
    /// That of [`Reorder::run_ptr`]; the buffer has room for the part.
    unsafe fn convert(
        &self,
        t: usize,
        part: &Part,
        count: &mut [u64; MAX_LOOPS],
        src: *const u8,
        buffer: *mut u8,
    ) {
        let plan = self.plan;
        if t == usize::from(plan.tails.len) {
            // SAFETY: the caller's promise.
            return unsafe { self.convert_box(count, src, buffer) };
        }
        let levels = plan.tails.levels(t);
        let (mut first, mut all) = (0, 1);
        for &i in levels {
            first += part.start[usize::from(i)] * self.of[usize::from(i)].places;
            all *= part.count[usize::from(i)];
        }
        let mut left = plan.tails.dim[t].saturating_sub(first).min(all);
        let (mut src, mut buffer) = (src, buffer);
        // As many whole values of the highest loop as there are, then what is left of the next one.
        for &i in levels.iter().rev() {
            let i = usize::from(i);
            all /= part.count[i];
            let taken = left / all;
            if taken > 0 {
                count[i] = taken;
                // SAFETY: the caller's promise: these hold data.
                unsafe { self.convert(t + 1, part, count, src, buffer) };
            }
            let by = taken as isize;
            src = src.wrapping_offset(plan.nodes.get(i).src.wrapping_mul(by));
            buffer = buffer.wrapping_offset(self.held[i].wrapping_mul(by));
            (left, count[i]) = (left - taken * all, 1);
        }
        for &i in levels {
            count[usize::from(i)] = part.count[usize::from(i)];
        }
    }

    /// Converts so many values of each loop, all of which hold data, from `src` to `buffer`.
    ///
    /// # Safety
    /// As [`Parts::convert`].
    unsafe fn convert_box(&self, count: &[u64; MAX_LOOPS], src: *const u8, buffer: *mut u8) {
        let plan = self.plan;
        let (src_element, dst_element) = (isize::from(plan.src_element), isize::from(plan.dst_element));
        // The rows are the first loop, of one element at least.
        let mut loops = [ONCE; MAX_LOOPS];
        loops[0] = Step { len: 1, src: src_element, dst: dst_element };
        let mut len = 1;
        for &i in &self.order[..self.len] {
            let i = usize::from(i);
            let step = Step { len: count[i] as usize, src: plan.nodes.get(i).src, dst: self.held[i] };
            if step.len == 1 {
                continue;
            }
            let last = &mut loops[len - 1];
            if last.goes_on(step.src, step.dst) {
                last.len *= step.len;
            } else {
                (loops[len], len) = (step, len + 1);
            }
        }
        let [x, y, z, ..] = loops;
        let tile = Tile {
            x,
            y,
            z,
            valid_x: x.len,
            valid_y: y.len,
            stream: false,
            claims: false,
            tables: Tables::NONE,
            epilogue: self.placed.map(|placed| &placed.epilogue),
            token: plan.token(),
        };
        each(&loops[3..len.max(3)], (0, 0), |from, to| {
            // SAFETY: the caller's promise.
            unsafe { (plan.kernel)(src.wrapping_offset(from), buffer.wrapping_offset(to), &tile) };
        });
    }
}

impl Reorder {
    /// Runs the plan by lines of elements that are converted before, if that is possible; else does nothing and returns `false`.
    ///
    /// # Safety
    /// That of [`Reorder::run_ptr`]; it `gathers`.
    #[inline(never)]
    pub(super) unsafe fn run_narrowed(
        &self,
        src: *const u8,
        dst: *mut u8,
        scaling: Option<&Scaling<'_>>,
        part: Option<(usize, u64, u64)>,
    ) -> bool {
        if !scaling.is_none_or(Scaling::is_common) {
            return false;
        }
        let (mut count, mut begin) = (self.counts(), [0; MAX_LOOPS]);
        let placed = scaling.and_then(|scaling| scaling.place(&[0; MAX_LOOPS], [0; 3]));
        let mut line = Line::NONE;
        line.find_loops(self, &count, self.tails.len > 0, self.dst_element);
        if let Some((i, start, end)) = part {
            // Of an axis' lower loop, the part is no range of places.
            if line.taken(i) > 1 || !self.axes_of_loops(self.tails.len > 0)[i].top {
                return false;
            }
            (begin[i], count[i]) = (start, end.min(count[i]).saturating_sub(start));
            if count[i] == 0 {
                return true;
            }
        }
        let Some(parts) = Parts::new(self, count, &line) else { return false };
        let parts = Parts { placed: placed.as_ref(), ..parts };
        let moved = parts.moved();
        let mut own = Line::NONE;
        let Some(mut gathered) = Gathered::new(&moved, &mut own, None, None) else { return false };
        // Of a loop that is cut, lines of the part may have other values than those of the whole.
        if (0..MAX_LOOPS).any(|i| gathered.line.taken(i) != line.taken(i)) {
            return false;
        }
        // SAFETY: the caller's promise.
        unsafe { parts.run(&begin, &mut gathered, (src, dst)) };
        true
    }
}

impl Parts<'_> {
    /// Moves all parts, of which the first begins at `begin`.
    ///
    /// # Safety
    /// That of [`Reorder::run_ptr`].
    unsafe fn run(
        &self,
        begin: &[u64; MAX_LOOPS],
        gathered: &mut Gathered<'_>,
        memory: (*const u8, *mut u8),
    ) {
        let plan = self.plan;
        let mut stage = Stage([MaybeUninit::uninit(); STAGE]);
        let stage = stage.0.as_mut_ptr().cast::<u8>();
        let mut tables = table::Tables::new(plan.token());
        let mut part = Part { start: *begin, count: [1; MAX_LOOPS] };
        loop {
            let (mut src, mut dst) = (plan.src_base, plan.dst_base);
            for (i, &begin) in begin.iter().enumerate().take(plan.nodes.len()) {
                let start = part.start[i];
                part.count[i] = self.sizes[i].min(begin + self.count[i] - start);
                let (src_at, dst_at) = plan.nodes.at(i, start);
                (src, dst) = (src.wrapping_add(src_at), dst.wrapping_add(dst_at));
            }
            // SAFETY: the caller's promise.
            unsafe { self.convert(0, &part, &mut part.count.clone(), memory.0.wrapping_offset(src), stage) };
            gathered.begin_at(&part.start, &part.count, &self.of, dst);
            // SAFETY: as above; what is read of the buffer was just written.
            unsafe { gathered.run(stage, memory.1, &mut tables) };
            // The next part, the innermost loop first.
            let mut i = plan.nodes.len();
            loop {
                if i == 0 {
                    return;
                }
                i -= 1;
                part.start[i] += self.sizes[i];
                if part.start[i] < begin[i] + self.count[i] {
                    break;
                }
                part.start[i] = begin[i];
            }
        }
    }
}
