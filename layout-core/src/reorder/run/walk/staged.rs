//! Walks a box whose elements change their type on the way between layouts of which no tile holds many elements, as those for the
//! operands of dot products: in parts that fit in a buffer, and in two steps. Elements are converted in rows between one side
//! and the buffer, which lies in that side's order, and moved as they are between the buffer and the other side. Called by the
//! module around it.

use core::mem::MaybeUninit;

use super::super::super::attributes::{Roles, Scaling};
use super::super::super::plan::{MAX_LOOPS, Reorder};
use super::super::super::policy::Stores;
use super::super::boxes::Boxes;
use super::take::ONCE;
use crate::kernels::{Step, Tables, Tile, copy_kernel};
use crate::reorder::problem::Node;

/// Bytes of the buffer.
const STAGE: usize = 16 * 1024;
#[repr(align(64))]
struct Stage([MaybeUninit<u8>; STAGE]);

/// A side of a reorder.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Src,
    Dst,
}

/// One loop in which elements are converted, or several that go on in the same steps.
#[derive(Clone, Copy)]
struct Run {
    step: Step,
    /// The innermost of the plan's loops.
    node: usize,
}

/// The values of each loop that a part has at most, and how they lie in the buffer.
struct Parts {
    sizes: [u64; MAX_LOOPS],
    strides: [isize; MAX_LOOPS],
    /// The side in whose order the buffer lies: elements are converted between the two.
    side: Side,
    /// Bytes of an element there.
    element: usize,
    /// The plan's loops in the order of that side, innermost first; the number of those that a part runs more than once.
    order: [u8; MAX_LOOPS],
    len: usize,
}

impl Node {
    fn stride(&self, side: Side) -> usize {
        match side {
            Side::Src => self.src.unsigned_abs(),
            Side::Dst => self.dst.unsigned_abs(),
        }
    }
}

impl Boxes<'_> {
    /// Whether the box is moved in two steps.
    pub(super) fn is_staged(&self) -> bool {
        let (plan, last) = (self.plan, self.plan.nodes.len() - 1);
        let whole = !self.padding && (self.valid_x, self.valid_y, self.valid_z) == (None, None, None);
        let all = || self.count[..=last].iter().fold(1, |all: u64, &count| all.saturating_mul(count));
        plan.takes_two_steps([self.count[last], self.count[last - 1]], all)
            && whole
            && self.fill.is_none()
            && self.scaling.is_none_or(Scaling::is_plain)
    }

    /// Moves the box.
    ///
    /// # Safety
    /// That of [`Reorder::run_ptr`]; [`Boxes::is_staged`] holds.
    #[inline(never)]
    pub(super) unsafe fn walk_staged(&self) {
        let plan = self.plan;
        let parts = self.parts();
        let Some(kernel) = copy_kernel(parts.element) else {
            // SAFETY: the caller's promise.
            return unsafe { self.walk_converted() };
        };
        let mut moved = Reorder {
            kernel,
            src_element: parts.element as u8,
            dst_element: parts.element as u8,
            roles: Roles::NONE,
            stores: if plan.streams() { Stores::Streaming } else { Stores::Temporal },
            src_base: 0,
            dst_base: 0,
            ..plan.clone()
        };
        for i in 0..plan.nodes.len() {
            let node = plan.nodes.get(i);
            let buffered = parts.strides[i];
            moved.nodes.set(
                i,
                match parts.side {
                    Side::Src => Node { src: buffered, ..node },
                    Side::Dst => Node { dst: buffered, ..node },
                },
            );
        }
        match parts.side {
            Side::Src => moved.src_dtype = plan.dst_dtype,
            // The buffer is no memory that lines are waited for.
            Side::Dst => {
                (moved.dst_dtype, moved.stores) = (plan.src_dtype, Stores::Temporal);
                (moved.logical, moved.padded) = (0, 0);
            }
        }
        let mut stage = Stage([MaybeUninit::uninit(); STAGE]);
        let stage = stage.0.as_mut_ptr().cast::<u8>();
        let mut part = Boxes { count: [1; MAX_LOOPS], ..*self };
        loop {
            let (mut src, mut dst) = (plan.src_base, plan.dst_base);
            for i in 0..plan.nodes.len() {
                let end = self.start[i] + self.count[i];
                part.count[i] = parts.sizes[i].min(end - part.start[i]);
                let (src_at, dst_at) = plan.nodes.at(i, part.start[i]);
                (src, dst) = (src.wrapping_add(src_at), dst.wrapping_add(dst_at));
            }
            let (src, dst) = (self.src.wrapping_offset(src), self.dst.wrapping_offset(dst));
            match parts.side {
                Side::Src => {
                    // SAFETY: the part lies in the box, and fits in the buffer.
                    unsafe { part.convert(&parts, src, stage) };
                    // SAFETY: as above, and what is read was just written.
                    unsafe { part.as_bytes(&moved, stage, dst).walk() };
                }
                Side::Dst => {
                    // SAFETY: as above.
                    unsafe { part.as_bytes(&moved, src, stage).walk() };
                    // SAFETY: as above, and what is read was just written.
                    unsafe { part.convert(&parts, stage, dst) };
                }
            }
            // The next part, the innermost loop first.
            let mut i = plan.nodes.len();
            loop {
                if i == 0 {
                    return;
                }
                i -= 1;
                part.start[i] += parts.sizes[i];
                if part.start[i] < self.start[i] + self.count[i] {
                    break;
                }
                part.start[i] = self.start[i];
            }
        }
    }

    /// As many values of all loops, moved as they are by the plan `moved`.
    fn as_bytes<'a>(&self, moved: &'a Reorder, src: *const u8, dst: *mut u8) -> Boxes<'a> {
        Boxes { count: self.count, ..Boxes::new(moved, src, dst) }
    }

    /// How to cut the box: as many values of the innermost loops of both sides as fit in the buffer.
    fn parts(&self) -> Parts {
        let plan = self.plan;
        let (src, dst) = (usize::from(plan.src_element), usize::from(plan.dst_element));
        let (side, element) = if dst > src { (Side::Dst, src) } else { (Side::Src, dst) };
        let (mut sizes, mut left) = ([1; MAX_LOOPS], (STAGE / element) as u64);
        let mut grows = true;
        while grows {
            grows = false;
            for side in [side, if side == Side::Src { Side::Dst } else { Side::Src }] {
                let is_open = |&i: &usize| self.count[i] > 1 && sizes[i] == 1;
                let next =
                    (0..plan.nodes.len()).filter(is_open).min_by_key(|&i| plan.nodes.get(i).stride(side));
                let Some(i) = next.filter(|_| left > 1) else { continue };
                // Parts of about the same size.
                let size = self.count[i].div_ceil(self.count[i].div_ceil(left.min(self.count[i])));
                if size > 1 {
                    (sizes[i], left, grows) = (size, left / size, true);
                }
            }
        }
        let mut order = [0; MAX_LOOPS];
        let mut len = 0;
        for i in (0..plan.nodes.len()).filter(|&i| sizes[i] > 1) {
            (order[len], len) = (i as u8, len + 1);
        }
        order[..len].sort_unstable_by_key(|&i| plan.nodes.get(i.into()).stride(side));
        let (mut strides, mut stride) = ([0; MAX_LOOPS], element);
        for &i in &order[..len] {
            strides[usize::from(i)] = stride as isize;
            stride *= sizes[usize::from(i)] as usize;
        }
        Parts { sizes, strides, side, element, order, len }
    }

    /// Converts the elements of the part at hand, from `src` to `dst`, of which one is the buffer.
    ///
    /// # Safety
    /// These elements can be read and written, and do not overlap.
    unsafe fn convert(&self, parts: &Parts, src: *const u8, dst: *mut u8) {
        let plan = self.plan;
        let mut runs = [Run { step: ONCE, node: 0 }; MAX_LOOPS];
        let mut len = 0usize;
        for &node in &parts.order[..parts.len] {
            let node = usize::from(node);
            let Node { src, dst, .. } = plan.nodes.get(node);
            let (src, dst) = match parts.side {
                Side::Src => (src, parts.strides[node]),
                Side::Dst => (parts.strides[node], dst),
            };
            let count = self.count[node] as usize;
            if count == 1 {
                continue;
            }
            if let Some(last) = len.checked_sub(1) {
                let Run { step, node: first } = runs[last];
                let follows = |along: isize, next: isize| along.wrapping_mul(step.len as isize) == next;
                let alike = self.scaling.is_none_or(|scaling| scaling.goes_on(first, step.len, node));
                if follows(step.src, src) && follows(step.dst, dst) && alike {
                    runs[last].step.len *= count;
                    continue;
                }
            }
            (runs[len], len) = (Run { step: Step { len: count, src, dst }, node }, len + 1);
        }
        let [x, y, z] = [runs[0], runs[1], runs[2]];
        let placed = self.scaling.and_then(|scaling| scaling.place(&self.start, [x.node, y.node, z.node]));
        let to_stage = parts.side == Side::Src;
        let tile = Tile {
            x: x.step,
            y: y.step,
            z: z.step,
            valid_x: x.step.len,
            valid_y: y.step.len,
            stream: !to_stage && plan.streams(),
            claims: !to_stage && plan.claims(),
            tables: Tables::NONE,
            epilogue: placed.as_ref().map(|placed| &placed.epilogue),
        };
        let outer = &runs[3.min(len)..len];
        let mut value = [0; MAX_LOOPS];
        let (mut src, mut dst) = (src, dst);
        loop {
            if let Some(placed) = &placed {
                placed.locate(outer.iter().map(|run| run.node).zip(value));
            }
            // SAFETY: the caller's promise: the elements of the part for these values of the outer loops.
            unsafe { (plan.kernel)(src, dst, &tile) };
            let mut i = 0;
            loop {
                let Some(run) = outer.get(i) else { return };
                value[i] += 1;
                if value[i] < run.step.len as u64 {
                    (src, dst) = (src.wrapping_offset(run.step.src), dst.wrapping_offset(run.step.dst));
                    break;
                }
                let back = (value[i] - 1) as isize;
                src = src.wrapping_offset(run.step.src.wrapping_mul(back).wrapping_neg());
                dst = dst.wrapping_offset(run.step.dst.wrapping_mul(back).wrapping_neg());
                value[i] = 0;
                i += 1;
            }
        }
    }
}
