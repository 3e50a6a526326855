//! [`Parts`]: how loops are cut into parts that fit in a buffer, and in what order their elements lie there. Made by `packed` and
//! by `walk::staged`.

use core::cell::Cell;

use super::super::plan::MAX_LOOPS;
use super::boxes::Boxes;
use super::loops::ONCE;
use crate::kernels::Step;
use crate::reorder::problem::Node;

/// From so many elements on, a loop is cut at whole lines.
const LINES: u64 = 128;
const LINE: u64 = 64;

/// A side of a reorder.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Src,
    Dst,
}

/// The loops that a part runs more than once in the order of one side, without gaps.
struct Order {
    /// Innermost first.
    nodes: [u8; MAX_LOOPS],
    len: usize,
    /// Elements between two values of each of the plan's loops.
    strides: [isize; MAX_LOOPS],
}

/// The values of each loop that a part has at most, and how they lie in a buffer.
pub(super) struct Parts {
    pub(super) sizes: [u64; MAX_LOOPS],
    src: Order,
    dst: Order,
}

/// One loop, or several that go on in the same steps.
#[derive(Clone, Copy)]
pub(super) struct Run {
    pub(super) step: Step,
    /// The innermost of the plan's loops.
    pub(super) node: usize,
}

/// The loops of a part, innermost first.
pub(super) struct Runs {
    all: [Run; MAX_LOOPS],
    len: usize,
}

impl Node {
    pub(super) fn stride(&self, side: Side) -> isize {
        match side {
            Side::Src => self.src,
            Side::Dst => self.dst,
        }
    }

    pub(super) fn distance(&self, side: Side) -> usize {
        self.stride(side).unsigned_abs()
    }
}

impl Order {
    fn new(boxes: &Boxes<'_>, sizes: &[u64; MAX_LOOPS], side: Side) -> Order {
        let nodes = &boxes.plan.nodes;
        let mut order = Order { nodes: [0; MAX_LOOPS], len: 0, strides: [0; MAX_LOOPS] };
        // The tile's loop along this side may have one value, and others continue it.
        order.strides[nodes.len() - if side == Side::Dst { 1 } else { 2 }] = 1;
        for i in (0..nodes.len()).filter(|&i| nodes.get(i).n > 1) {
            (order.nodes[order.len], order.len) = (i as u8, order.len + 1);
        }
        // Loops of a broadcast source, which stay where they are, come last: the tile's loop along the side is the innermost.
        order.nodes[..order.len]
            .sort_unstable_by_key(|&i| nodes.get(i.into()).distance(side).wrapping_sub(1));
        // What follows without a gap in memory, where an axis may end inside of a loop, does so here; but not behind a loop that is
        // cut, of which a part may have values that the next one would meet.
        let (loops, mut end, mut last) = (order.len, 1, Some((1, 0)));
        order.len = 0;
        for k in 0..loops {
            let at = order.nodes[k];
            let (i, memory) = (usize::from(at), nodes.get(at.into()).distance(side) as u128);
            let stride = match last {
                Some((stride, before)) if before > 0 && stride * memory % before == 0 => {
                    (stride * memory / before).min(end)
                }
                _ => end,
            };
            last = last.filter(|_| sizes[i] == nodes.get(i).n && memory > 0).map(|_| (stride, memory));
            if sizes[i] > 1 {
                order.strides[i] = stride as isize;
                end += stride * u128::from(sizes[i] - 1);
                (order.nodes[order.len], order.len) = (at, order.len + 1);
            }
        }
        order
    }
}

impl Parts {
    /// As many values of the innermost loops of both sides as there is `room` for, those of the side `first` before the others.
    pub(super) fn new(boxes: &Boxes<'_>, room: usize, first: Side, packed: bool) -> Parts {
        let (nodes, count) = (&boxes.plan.nodes, &boxes.count);
        let (mut sizes, mut left) = ([1; MAX_LOOPS], room as u64);
        let sides = match first {
            Side::Src => [Side::Src, Side::Dst],
            Side::Dst => [Side::Dst, Side::Src],
        };
        // Rows of both sides that are packed are to be long enough.
        let rounds: &[u64] = if packed { &[LINE, u64::MAX] } else { &[u64::MAX] };
        for &most in rounds {
            let (mut grown, mut grows) = (0u32, true);
            while grows {
                grows = false;
                for side in sides {
                    let is_open = |&i: &usize| grown >> i & 1 == 0 && sizes[i] < count[i];
                    let next = (0..nodes.len()).filter(is_open).min_by_key(|&i| nodes.get(i).distance(side));
                    let Some(i) = next.filter(|_| left > 1) else { continue };
                    let distance = nodes.get(i).distance(side);
                    let inner = (0..nodes.len()).filter(|&k| nodes.get(k).distance(side) < distance);
                    if inner.fold(1u64, |run, k| run.saturating_mul(sizes[k])) >= most {
                        continue;
                    }
                    let room = left.saturating_mul(sizes[i]);
                    // Parts of about the same size.
                    let wanted = room.min(count[i]).min(most);
                    let mut size = count[i].div_ceil(count[i].div_ceil(wanted));
                    if size < count[i] && size >= LINES && size.next_multiple_of(LINE) <= room {
                        size = size.next_multiple_of(LINE);
                    } else if packed && size < count[i] && size > 1 {
                        // Whole bytes.
                        size &= !1;
                    }
                    grown |= 1 << i;
                    grows = true;
                    if size > sizes[i] {
                        (left, sizes[i]) = (room / size, size);
                    }
                }
            }
        }
        let [src, dst] = [Side::Src, Side::Dst].map(|side| Order::new(boxes, &sizes, side));
        Parts { sizes, src, dst }
    }

    fn order(&self, side: Side) -> &Order {
        match side {
            Side::Src => &self.src,
            Side::Dst => &self.dst,
        }
    }

    /// Elements between two values of loop `i` in a buffer in the order of `side`.
    pub(super) fn stride(&self, side: Side, i: usize) -> isize {
        self.order(side).strides[i]
    }

    /// Elements from the first of a part to that for which its loops have `values`, in a buffer in the order of `side`.
    pub(super) fn distance(&self, side: Side, values: &[Cell<u64>; MAX_LOOPS]) -> isize {
        let strides = &self.order(side).strides;
        strides
            .iter()
            .zip(values)
            .fold(0, |at: isize, (stride, value)| at.wrapping_add(stride.wrapping_mul(value.get() as isize)))
    }

    /// The loops of the part `of` in the order of `side`, with what `step` says are the distances of loop `i` on the two sides of a
    /// step. Those that go on in the same steps are one, unless `alike` says that they differ: it gets the innermost loop, how many
    /// values of it there are already, and the next loop.
    pub(super) fn runs(
        &self,
        of: &Boxes<'_>,
        side: Side,
        step: impl Fn(usize) -> (isize, isize),
        alike: impl Fn(usize, usize, usize) -> bool,
    ) -> Runs {
        let mut runs = Runs { all: [Run { step: ONCE, node: 0 }; MAX_LOOPS], len: 0 };
        let order = self.order(side);
        for &node in &order.nodes[..order.len] {
            let node = usize::from(node);
            let (src, dst) = step(node);
            let len = of.count[node] as usize;
            if len == 1 {
                continue;
            }
            if let Some(Run { step, node: first }) = runs.all[..runs.len].last_mut()
                && step.goes_on(src, dst)
                && alike(*first, step.len, node)
            {
                step.len *= len;
                continue;
            }
            runs.all[runs.len] = Run { step: Step { len, src, dst }, node };
            runs.len += 1;
        }
        runs
    }
}

impl Step {
    /// Whether the values of this loop are followed by the next one of a loop with these distances.
    pub(super) fn goes_on(&self, src: isize, dst: isize) -> bool {
        let follows = |along: isize, next: isize| along.wrapping_mul(self.len as isize) == next;
        follows(self.src, src) && follows(self.dst, dst)
    }
}

impl Runs {
    /// Run `i`, if there is none one value.
    pub(super) fn get(&self, i: usize) -> Run {
        self.all[i]
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Takes run `i` out.
    pub(super) fn take(&mut self, i: usize) -> Run {
        let run = self.all[i];
        if i < self.len {
            self.all.copy_within(i + 1..self.len, i);
            self.len -= 1;
            self.all[self.len] = Run { step: ONCE, node: 0 };
        }
        run
    }

    /// Calls `f` for every combination of values of the runs, with how far it is from the first on both sides, and the values.
    pub(super) fn each(&self, mut f: impl FnMut(isize, isize, &[u64; MAX_LOOPS])) {
        let mut value = [0; MAX_LOOPS];
        let (mut src, mut dst) = (0isize, 0isize);
        loop {
            f(src, dst, &value);
            let mut i = 0;
            loop {
                let Some(Run { step, .. }) = self.all[..self.len].get(i) else { return };
                value[i] += 1;
                if value[i] < step.len as u64 {
                    (src, dst) = (src.wrapping_add(step.src), dst.wrapping_add(step.dst));
                    break;
                }
                let back = (value[i] - 1) as isize;
                src = src.wrapping_sub(step.src.wrapping_mul(back));
                dst = dst.wrapping_sub(step.dst.wrapping_mul(back));
                value[i] = 0;
                i += 1;
            }
        }
    }

    /// The loops with these values, for [`Placed::locate`](super::super::attributes::Placed::locate).
    pub(super) fn values<'a>(
        &'a self,
        values: &'a [u64; MAX_LOOPS],
    ) -> impl Iterator<Item = (usize, u64)> + Clone + 'a {
        self.all[..self.len].iter().zip(values).map(|(run, &value)| (run.node, value))
    }
}
