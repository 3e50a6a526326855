//! [`Line`]: the loops that fill a line of the destination, and the places of the source that it is put together from.

mod able;

use super::{MAX_LOOPS, Reorder};
use crate::grammar::MAX_RANK;
use crate::kernels::{LINE, MOST_PLACES};
use crate::reorder::problem::min;

/// Loops of a line at most: each has two values or more.
pub(in super::super::super) const LEVELS: usize = 6;

/// Elements of a line at most.
const MOST: usize = LINE;

/// The axis of a loop that counts none; and of one that does not either, but ends inside of the last line.
pub(in super::super::super) const NO_AXIS: u8 = u8::MAX;
pub(in super::super::super) const CUT: u8 = MAX_RANK as u8;

/// A loop of a line.
#[derive(Clone, Copy)]
pub(in super::super::super) struct Level {
    pub(in super::super::super) node: u8,
    /// How many of its values a line has.
    pub(in super::super::super) taken: u64,
    /// How many of these hold data in any line: where most of an axis is padding, as many as the source has.
    held: u64,
    src: isize,
    /// The tail axis that it counts, [`CUT`] or [`NO_AXIS`], and by how many places.
    pub(in super::super::super) axis: u8,
    pub(in super::super::super) places: u64,
}

/// Where an element of a line comes from.
#[derive(Clone, Copy)]
pub(in super::super::super) struct Spot {
    pub(in super::super::super) place: u8,
    pub(in super::super::super) byte: u8,
}

/// What a line of the destination, or of a buffer in its order, is put together from.
pub(in super::super::super) struct Line {
    /// Innermost first.
    pub(in super::super::super) levels: [Level; LEVELS],
    pub(in super::super::super) len: usize,
    /// Bytes of an element in the source, and in the line.
    pub(in super::super::super) element: usize,
    /// Elements of a line.
    pub(in super::super::super) elements: usize,
    /// Where each comes from.
    pub(in super::super::super) spots: [Spot; MOST],
    /// Bytes from the first element of the line in the source to each element.
    pub(in super::super::super) from: [isize; MOST],
    /// Bytes from the first element of the line in the source to each place; none where elements are taken one by one.
    pub(in super::super::super) places: [isize; MOST_PLACES],
    pub(in super::super::super) places_len: usize,
}

/// A loop in the order of the source: its stride, how many values a line has, how many of these hold data, and how many elements of the
/// line one is.
type Ordered = (isize, usize, usize, usize);

impl Line {
    /// No line yet: others are found in its place, since copies would take a part of the time that a small tensor takes.
    pub(in super::super::super) const NONE: Line = Line {
        levels: [Level { node: 0, taken: 1, held: 1, src: 0, axis: NO_AXIS, places: 0 }; LEVELS],
        len: 0,
        element: 1,
        elements: 1,
        spots: [Spot { place: 0, byte: 0 }; MOST],
        from: [0; MOST],
        places: [0; MOST_PLACES],
        places_len: 0,
    };

    /// Finds the loops of `plan` that lie without a gap in the destination, of which loop i has `count[i]` values: as many as fill a
    /// line of elements of `element` bytes. Of axes that end inside of loops, where it is `with_tails`, other loops than the highest are
    /// cut only where the parts are whole. `false` where that is not three fourths of a line, or comes from more than [`MOST_PLACES`].
    pub(in super::super::super) const fn find(
        &mut self,
        plan: &Reorder,
        count: &[u64; MAX_LOOPS],
        with_tails: bool,
        element: u8,
    ) -> bool {
        self.find_loops(plan, count, with_tails, element);
        self.is_long() && self.find_places()
    }

    /// Whether it is three fourths of a line or more.
    const fn is_long(&self) -> bool {
        4 * self.elements * self.element >= 3 * LINE
    }

    /// The same for processors that take elements one by one where there are too many places.
    pub(in super::super::super) const fn find_any(
        &mut self,
        plan: &Reorder,
        count: &[u64; MAX_LOOPS],
        with_tails: bool,
    ) -> bool {
        self.find_loops(plan, count, with_tails, plan.src_element);
        if !self.is_long() {
            return false;
        }
        if !self.find_places() {
            self.places_len = 0;
        }
        self.find_elements();
        true
    }

    /// Finds where the elements are.
    const fn find_elements(&mut self) {
        let (mut level, mut elements) = (0, 1);
        while level < self.len {
            let Level { src, taken, .. } = self.levels[level];
            let mut at = elements;
            while at < elements * taken as usize {
                self.from[at] = self.from[at - elements].wrapping_add(src);
                at += 1;
            }
            elements *= taken as usize;
            level += 1;
        }
    }

    /// Finds the loops of a line of elements of `element` bytes, without the places that it comes from.
    pub(in super::super::super) const fn find_loops(
        &mut self,
        plan: &Reorder,
        count: &[u64; MAX_LOOPS],
        with_tails: bool,
        element: u8,
    ) {
        let of = plan.axes_of_loops(with_tails);
        let narrows = element < plan.src_element;
        let (element, dst) = (element as usize, plan.dst_element as usize);
        (self.len, self.element, self.elements, self.places_len) = (0, element, 1, 0);
        while self.len < LEVELS {
            let end = (self.elements * dst) as isize;
            let room = (LINE / (self.elements * element)) as u64;
            let mut i = 0;
            while i < plan.nodes.len() && !(count[i] > 1 && plan.nodes.get(i).dst == end) {
                i += 1;
            }
            if i == plan.nodes.len() || !self.holds_below(of[i]) {
                break;
            }
            let OfAxis { axis, places, top } = of[i];
            let mut taken = min(count[i], room);
            while taken > 1 && axis != NO_AXIS && !top && !count[i].is_multiple_of(taken) {
                taken -= 1;
            }
            if taken <= 1 {
                break;
            }
            let cut = taken < count[i];
            let (axis, places) = if cut && axis == NO_AXIS { (CUT, 1) } else { (axis, places) };
            let src = if narrows { plan.held(i, count) } else { plan.nodes.get(i).src };
            let held = match axis {
                NO_AXIS | CUT => taken,
                axis => min(taken, plan.tails.dim[axis as usize].div_ceil(places)),
            };
            self.levels[self.len] = Level { node: i as u8, taken, held, src, axis, places };
            self.len += 1;
            self.elements *= taken as usize;
            if cut {
                break;
            }
        }
    }

    /// Whether all lower loops of an axis are in the line.
    const fn holds_below(&self, of: OfAxis) -> bool {
        let (mut places, mut i) = (1, 0);
        while i < self.len {
            if self.levels[i].axis == of.axis {
                places *= self.levels[i].taken;
            }
            i += 1;
        }
        of.axis == NO_AXIS || places == of.places
    }

    /// How many values of loop `node` a line has.
    pub(in super::super::super) fn taken(&self, node: usize) -> u64 {
        let is_it = |level: &&Level| usize::from(level.node) == node;
        self.levels[..self.len].iter().find(is_it).map_or(1, |level| level.taken)
    }

    /// The loops in the order of the source, as far as there is data.
    const fn ordered(&self) -> [Ordered; LEVELS] {
        let mut order = [(0, 0, 0, 0); LEVELS];
        let (mut elements, mut i) = (1, 0);
        while i < self.len {
            let Level { src, taken, held, .. } = self.levels[i];
            let mut at = i;
            while at > 0 && order[at - 1].0 > src {
                order[at] = order[at - 1];
                at -= 1;
            }
            order[at] = (src, taken as usize, held as usize, elements);
            elements *= taken as usize;
            i += 1;
        }
        order
    }

    /// Finds the places that the line comes from; `false` where there are more than [`MOST_PLACES`], or elements share some.
    const fn find_places(&mut self) -> bool {
        let order = self.ordered();
        let element = self.element as isize;
        let (mut end, mut left, mut i) = (element, 1, 0);
        while i < self.len {
            let (src, taken, held, _) = order[i];
            // Loops that go on where others have not ended yet.
            if held > 1 && (src < end || src > isize::MAX / MOST as isize / 2) {
                return false;
            }
            // Rows that others fill the padding of have kernels of their own.
            let values = if src == element { taken } else { held };
            if values > 1 {
                end += src * (values as isize - 1);
            }
            left *= held;
            i += 1;
        }
        let mut value = [0; LEVELS];
        let (mut src, mut at) = (0, 0);
        while left > 0 {
            let begins = match self.places_len {
                0 => true,
                len => src + element > self.places[len - 1] + LINE as isize,
            };
            if begins {
                if self.places_len == MOST_PLACES {
                    return false;
                }
                self.places[self.places_len] = src;
                self.places_len += 1;
            }
            let place = self.places_len - 1;
            self.spots[at] = Spot { place: place as u8, byte: (src - self.places[place]) as u8 };
            let mut i = 0;
            while i < self.len {
                let (by, _, held, elements) = order[i];
                value[i] += 1;
                // Loops of one value may have any stride.
                src = src.wrapping_add(by);
                at += elements;
                if value[i] < held {
                    break;
                }
                src = src.wrapping_sub(by.wrapping_mul(held as isize));
                at -= elements * held;
                value[i] = 0;
                i += 1;
            }
            left -= 1;
        }
        true
    }
}

/// The tail axis that a loop counts, or [`NO_AXIS`], by how many places, and whether it is the highest to do so.
#[derive(Clone, Copy)]
pub(in super::super::super) struct OfAxis {
    pub(in super::super::super) axis: u8,
    pub(in super::super::super) places: u64,
    pub(in super::super::super) top: bool,
}

impl Reorder {
    /// Bytes between two values of loop `i` where all elements lie in the order of the source without gaps, as wide as in the
    /// destination.
    const fn held(&self, i: usize, count: &[u64; MAX_LOOPS]) -> isize {
        let (src, mut elements, mut k) = (self.nodes.get(i).src, 1u64, 0);
        while k < self.nodes.len() {
            let other = self.nodes.get(k).src;
            if other < src || other == src && k > i {
                elements = elements.saturating_mul(count[k]);
            }
            k += 1;
        }
        let bytes = elements.saturating_mul(self.dst_element as u64);
        if bytes > isize::MAX as u64 { isize::MAX } else { bytes as isize }
    }

    /// What each loop counts; nothing where it is not `with_tails`.
    pub(in super::super::super) const fn axes_of_loops(&self, with_tails: bool) -> [OfAxis; MAX_LOOPS] {
        let mut of = [OfAxis { axis: NO_AXIS, places: 0, top: true }; MAX_LOOPS];
        let (mut t, mut k) = (0, 0);
        while with_tails && t < self.tails.len as usize {
            let (mut places, end) = (1u64, self.tails.end[t] as usize);
            while k < end {
                let level = self.tails.levels[k] as usize;
                of[level] = OfAxis { axis: t as u8, places, top: k + 1 == end };
                places = places.saturating_mul(self.nodes.get(level).n);
                k += 1;
            }
            t += 1;
        }
        of
    }
}
