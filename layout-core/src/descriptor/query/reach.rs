//! How far the owned positions of a descriptor reach in memory, exactly: the smallest and the largest offset. Called by
//! the sizes; views that start or end inside a block are why it is not a plain sum over the digits.

use super::super::{Descriptor, DigitAt, Digits};

/// Which end of the memory.
#[derive(Clone, Copy)]
pub(super) enum Side {
    Below,
    Above,
}

impl Descriptor {
    /// The smallest or largest offset of an owned position. The tensor has elements.
    pub(super) const fn farthest(&self, side: Side) -> usize {
        if !self.is_ragged() {
            return self.farthest_of_blocks(side);
        }
        let mut offset = self.base;
        let digits = self.digits();
        let mut axis = 0;
        while axis < self.rank() {
            let owned = self.owned(axis);
            let reach = Axis { digits: &digits, axis, side }.farthest(owned.start, owned.end - 1);
            offset = offset.wrapping_add(reach as usize);
            axis += 1;
        }
        offset
    }

    /// The smallest offset of a position in the blocks that the tensor reaches into, whoever owns it.
    pub(super) const fn first_of_blocks(&self) -> usize {
        self.farthest_of_blocks(Side::Below)
    }

    const fn farthest_of_blocks(&self, side: Side) -> usize {
        let mut offset = self.base;
        let mut walk = self.inner_first();
        while let Some(d) = walk.step() {
            offset = offset.wrapping_add(farthest_value(&d, 0, d.extent, side) as usize);
        }
        offset
    }
}

/// The farthest of the distances that the values `from..end` of a digit make; 0 where there are none.
const fn farthest_value(d: &DigitAt, from: usize, end: usize, side: Side) -> isize {
    if from >= end {
        return 0;
    }
    let upwards = matches!(side, Side::Above) == (d.stride >= 0);
    // At most the distance of a whole digit, which invariant 3 bounds.
    (if upwards { end - 1 } else { from }) as isize * d.stride
}

struct Axis<'a> {
    digits: &'a Digits,
    axis: usize,
    side: Side,
}

impl Axis<'_> {
    /// The farthest distance of the positions `first..=last`.
    const fn farthest(&self, first: usize, last: usize) -> isize {
        // Digits that both ends share, from the most significant one.
        let mut shared = 0;
        let mut above = usize::MAX;
        while let Some(d) = self.below(above) {
            let (low, high) = (value(&d, first), value(&d, last));
            if low != high {
                let middle = low + 1;
                let mut best = self.better(self.tight(d.divisor, first, true, low as isize * d.stride), None);
                best = self.better(self.tight(d.divisor, last, false, high as isize * d.stride), Some(best));
                if middle < high {
                    let inside = farthest_value(&d, middle, high, self.side) + self.free(d.divisor);
                    best = self.better(inside, Some(best));
                }
                return shared + best;
            }
            shared += low as isize * d.stride;
            above = d.divisor;
        }
        shared
    }

    /// The farthest distance of the digits below divisor `above` from those of `end` on upwards (`first`) or up to it,
    /// plus `distance`.
    const fn tight(&self, mut above: usize, end: usize, first: bool, mut distance: isize) -> isize {
        let mut best = None;
        while let Some(d) = self.below(above) {
            let at = value(&d, end);
            let (from, to) = if first { (at + 1, d.extent) } else { (0, at) };
            if from < to {
                let candidate = distance + farthest_value(&d, from, to, self.side) + self.free(d.divisor);
                best = Some(self.better(candidate, best));
            }
            distance += at as isize * d.stride;
            above = d.divisor;
        }
        self.better(distance, best)
    }

    /// The farthest distance that the digits below divisor `above` make when each takes any value.
    const fn free(&self, mut above: usize) -> isize {
        let mut distance = 0;
        while let Some(d) = self.below(above) {
            distance += farthest_value(&d, 0, d.extent, self.side);
            above = d.divisor;
        }
        distance
    }

    const fn better(&self, one: isize, other: Option<isize>) -> isize {
        match (other, self.side) {
            (Some(other), Side::Above) if other > one => other,
            (Some(other), Side::Below) if other < one => other,
            _ => one,
        }
    }

    /// The most significant digit of the axis with a divisor below `above`. Divisors of an axis differ, because blocks
    /// are at least 2.
    const fn below(&self, above: usize) -> Option<DigitAt> {
        let digits = self.digits.as_slice();
        let mut best: Option<DigitAt> = None;
        let mut i = 0;
        while i < digits.len() {
            let d = digits[i];
            let higher = match best {
                Some(best) => d.divisor > best.divisor,
                None => true,
            };
            if d.axis == self.axis && d.divisor < above && higher {
                best = Some(d);
            }
            i += 1;
        }
        best
    }
}

/// The value of a digit at a position.
const fn value(d: &DigitAt, position: usize) -> usize {
    let quotient = position / d.divisor;
    if d.top { quotient } else { quotient % d.extent }
}
