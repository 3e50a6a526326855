//! Cuts a permutation that fits no scratch into three that do little each: cycles of long stretches, slabs that fit, and cycles
//! again. Called when a plan is made.
//!
//! The places of a tensor without gaps are numbers, and their digits are the loops: the destination's number has the digits of
//! the source's in another order. Digits can be cut in two. Let S be the last digits of the source and D the last ones of the
//! destination, cut so that T, all of both, fits the scratch. Then
//!
//! 1. stretches of S move, so that all of T comes last, in the order of the source;
//! 2. slabs of T are permuted, so that D comes last;
//! 3. stretches of D move to their places.
//!
//! Where one of the three has nothing to do, it is left out; a good cut is one that leaves out a step, or whose stretches are
//! long.

use super::loops::{List, Loop, Loops};
use super::stage::SCRATCH;

/// The steps of a permutation: each a list of loops, if there is anything to do. The first and the last move along cycles.
#[derive(Clone, Copy)]
pub(super) struct Steps {
    pub(super) first: Option<Loops>,
    pub(super) slabs: Option<Loops>,
    pub(super) last: Option<Loops>,
}

/// Digits and their two orders, the most significant first.
#[derive(Clone, Copy)]
struct Orders {
    /// Number of values of each digit.
    n: List<usize>,
    src: List<usize>,
    dst: List<usize>,
}

/// What moving stretches of so many bytes along cycles costs, where moving a byte through the scratch costs 256: each
/// stretch takes the time of some lines beside its own.
fn cost_of_cycles(unit: usize) -> usize {
    256 + (192 << 8) / unit
}

impl Orders {
    /// The digits of loops without gaps, from which those are taken away that are outermost or innermost on both sides: these
    /// are returned as well, and the number of elements that move together.
    fn of(loops: &Loops) -> Option<(Orders, Loops, usize)> {
        let mut loops = *loops;
        loops.sort();
        let (mut outer, mut unit) = (Loops::EMPTY, 1);
        while let Some(&widest) = loops.last() {
            if !widest.is_shared() {
                break;
            }
            outer.push(loops.remove(loops.len() - 1))?;
        }
        if let Some(&run) = loops.first()
            && run.is_shared()
            && run.src == 1
        {
            unit = loops.remove(0).n;
        }
        // No gaps on the source's side; the destination has the same places.
        let mut weight = unit as isize;
        for node in loops.iter() {
            if node.src != weight || node.dst < 0 {
                return None;
            }
            weight *= node.n as isize;
        }
        let mut orders = Orders { n: List::new(1), src: List::new(0), dst: List::new(0) };
        let mut by_dst: List<(isize, usize)> = List::new((0, 0));
        for (i, node) in loops.iter().enumerate() {
            orders.n.push(node.n)?;
            orders.src.push(i)?;
            by_dst.push((node.dst, i))?;
        }
        orders.src.reverse();
        by_dst.sort_unstable_by_key(|&(stride, _)| core::cmp::Reverse(stride));
        for &(_, i) in by_dst.iter() {
            orders.dst.push(i)?;
        }
        Some((orders, outer, unit))
    }

    /// The same with digit `which` cut in two, of which the low one has `low` values.
    fn cut(&self, which: usize, low: usize) -> Option<Orders> {
        let mut orders = *self;
        if low == self.n[which] {
            return Some(orders);
        }
        orders.n[which] /= low;
        orders.n.push(low)?;
        let added = orders.n.len() - 1;
        for (order, old) in [(&mut orders.src, &self.src), (&mut orders.dst, &self.dst)] {
            let mut cut = List::new(0);
            for &digit in old.iter() {
                cut.push(digit)?;
                if digit == which {
                    cut.push(added)?;
                }
            }
            *order = cut;
        }
        Some(orders)
    }

    /// Calls `visit` with the digits cut in such a way that the last so many digits of one side have a size in question, and
    /// with the number of these digits.
    fn for_each_end(&self, in_src: bool, unit_bytes: usize, mut visit: impl FnMut(&Orders, usize)) {
        let order = if in_src { &self.src } else { &self.dst };
        let mut bytes = unit_bytes;
        for (place, &digit) in order.iter().rev().enumerate() {
            if bytes > SCRATCH / 2 {
                return;
            }
            let n = self.n[digit];
            for low in sizes(n, bytes) {
                if low > 1
                    && let Some(cut) = self.cut(digit, low)
                {
                    visit(&cut, place + 1);
                }
            }
            bytes = bytes.saturating_mul(n);
        }
    }

    /// The order in which the digits that `inside` are last, as they are in `end`, and the others as they are in `rest`.
    fn moved_last(rest: &List<usize>, end: &List<usize>, inside: u64) -> Option<List<usize>> {
        let mut order = List::new(0);
        for (list, wanted) in [(rest, false), (end, true)] {
            for &digit in list.iter().filter(|&&digit| (inside >> digit & 1 == 1) == wanted) {
                order.push(digit)?;
            }
        }
        Some(order)
    }

    /// The loops that take the digits from one order to another, with what lies around them; `None` where that is nothing.
    fn loops(&self, from: &List<usize>, to: &List<usize>, outer: &Loops, unit: usize) -> Option<Loops> {
        if from[..] == to[..] {
            return None;
        }
        let mut loops = Loops::EMPTY;
        for digit in 0..self.n.len() {
            let weight = |order: &List<usize>| {
                let after = order.iter().rev().take_while(|&&other| other != digit);
                after.map(|&other| self.n[other]).product::<usize>() * unit
            };
            loops.push(Loop { n: self.n[digit], src: weight(from) as isize, dst: weight(to) as isize })?;
        }
        if unit > 1 {
            loops.push(Loop { n: unit, src: 1, dst: 1 })?;
        }
        for &node in outer.iter() {
            loops.push(node)?;
        }
        loops.merge();
        Some(loops)
    }

    /// Bytes of the digits that two orders end with alike.
    fn common_end(&self, one: &[usize], other: &[usize], unit_bytes: usize) -> usize {
        let alike = one.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b);
        alike.fold(unit_bytes, |bytes, (&digit, _)| bytes.saturating_mul(self.n[digit]))
    }

    /// What going from one order to another along cycles costs.
    fn cost(&self, from: &[usize], to: &[usize], unit_bytes: usize) -> usize {
        if from == to { 0 } else { cost_of_cycles(self.common_end(from, to, unit_bytes)) }
    }
}

/// Sizes of stretches to try, in bytes: from a line to half the scratch, in powers of two.
const SIZES: usize = (SCRATCH / 2 / 64).ilog2() as usize + 1;

/// For each of the sizes the largest divisor of `n` with which elements of `bytes` bytes keep to it, 1 for none; each
/// divisor once.
fn sizes(n: usize, bytes: usize) -> [usize; SIZES] {
    let mut sizes = [1; SIZES];
    let mut take = |divisor: usize| {
        let size = divisor.saturating_mul(bytes);
        // The least power of two from 64 on that is not smaller.
        let at = size.div_ceil(64).next_power_of_two().ilog2() as usize;
        if let Some(best) = sizes.get_mut(at) {
            *best = divisor.max(*best);
        }
    };
    let limit = SCRATCH / 2 / bytes;
    for low in 1..=limit.min(n.isqrt()) {
        if n.is_multiple_of(low) {
            take(low);
            take(n / low);
        }
    }
    sizes
}

/// The best cut of `loops`, whose elements have so many bytes, and what it costs to move a byte, where moving it through the
/// scratch costs 256; without steps where moving everything along cycles costs no more. `None` where there are gaps between
/// places.
pub(super) fn choose(loops: &Loops, element: usize) -> Option<(Option<Steps>, usize)> {
    let (orders, outer, unit) = Orders::of(loops)?;
    let unit_bytes = unit * element;
    let mut best = orders.cost(&orders.src, &orders.dst, unit_bytes);
    let mut found = None;
    orders.for_each_end(true, unit_bytes, |cut, src_len| {
        cut.for_each_end(false, unit_bytes, |cut, dst_len| {
            // The cut of the other side may have added a digit to this end.
            let at_end = |order: &List<usize>, len: usize| {
                order.iter().rev().take(len).fold(0u64, |set, &digit| set | 1 << digit)
            };
            let added = cut.src.len() - orders.src.len();
            for src_len in src_len..=src_len + added.min(1) {
                let inside = at_end(&cut.src, src_len) | at_end(&cut.dst, dst_len);
                let digits = (0..cut.n.len()).filter(|digit| inside >> digit & 1 == 1);
                let bytes = digits.fold(unit_bytes, |bytes, digit| bytes.saturating_mul(cut.n[digit]));
                if bytes > SCRATCH {
                    continue;
                }
                for rest in [&cut.src, &cut.dst] {
                    let (Some(before), Some(after)) = (
                        Orders::moved_last(rest, &cut.src, inside),
                        Orders::moved_last(rest, &cut.dst, inside),
                    ) else {
                        continue;
                    };
                    let slabs = if before[..] == after[..] { 0 } else { 256 };
                    let cost = slabs
                        + cut.cost(&cut.src, &before, unit_bytes)
                        + cut.cost(&after, &cut.dst, unit_bytes);
                    if cost < best {
                        best = cost;
                        found = Some((*cut, before, after));
                    }
                }
            }
        });
    });
    let steps = found.map(|(cut, before, after)| Steps {
        first: cut.loops(&cut.src, &before, &outer, unit),
        slabs: cut.loops(&before, &after, &outer, unit),
        last: cut.loops(&after, &cut.dst, &outer, unit),
    });
    Some((steps, best))
}
