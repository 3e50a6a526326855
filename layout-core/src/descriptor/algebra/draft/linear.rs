//! [`Linear`]: some neighbouring axes taken as one, numbered row by row. What reshapes cut anew and compositions read
//! through; [`Assembly`] puts the pieces together again.

use super::super::super::{Descriptor, DigitAt};
use super::super::AlgebraError;
use super::{Axis, Draft};
use crate::grammar::{MAX_DIGITS, MAX_RANK};

/// A digit of the joint index: it adds `(index / divisor) % extent * stride`, and it is at least 2.
#[derive(Clone, Copy)]
pub(in super::super) struct Piece {
    pub(in super::super) divisor: usize,
    pub(in super::super) extent: usize,
    pub(in super::super) stride: isize,
    /// Logical axis that it comes from.
    pub(in super::super) axis: usize,
    /// Physical position that it comes from.
    pub(in super::super) position: usize,
}

const NONE: Piece = Piece { divisor: 1, extent: 1, stride: 0, axis: 0, position: 0 };

/// The digits of the joint index from the least significant one, each divisor being the product of the extents before
/// it. Digits that continue one another in memory are one.
pub(in super::super) struct Linear {
    pieces: [Piece; MAX_DIGITS],
    len: usize,
    /// Distance of index 0 from position 0.
    pub(in super::super) start: isize,
}

impl Linear {
    /// Axes `axes` of `descriptor`, the last one running fastest. They have elements.
    ///
    /// # Errors
    /// Where an axis has padding, or starts or ends inside a block: its digits do not fill its extent then.
    pub(in super::super) fn of(
        descriptor: &Descriptor,
        axes: core::ops::Range<usize>,
    ) -> Result<Linear, AlgebraError> {
        let mut out = Linear { pieces: [NONE; MAX_DIGITS], len: 0, start: 0 };
        let digits = descriptor.digits();
        let mut weight = 1;
        for axis in axes.rev() {
            descriptor.check_unpadded(axis)?;
            let extent = descriptor.dims[axis];
            if extent == 1 {
                out.start += descriptor.distance_along(axis, 0);
                continue;
            }
            descriptor.check_whole_blocks(axis)?;
            let first = out.len;
            for (position, d) in digits.iter().enumerate().filter(|(_, d)| d.axis == axis && d.extent > 1) {
                let divisor = weight * d.divisor;
                out.pieces[out.len] = Piece { divisor, extent: d.extent, stride: d.stride, axis, position };
                out.len += 1;
            }
            out.pieces[first..out.len].sort_unstable_by_key(|piece| piece.divisor);
            weight *= extent;
        }
        out.join();
        Ok(out)
    }

    /// Makes one piece of neighbours where the more significant one begins where the other ends. Strides nest, so that
    /// nothing lies between them.
    fn join(&mut self) {
        let mut kept = 0usize;
        for at in 0..self.len {
            let piece = self.pieces[at];
            if let Some(last) = kept.checked_sub(1).map(|last| &mut self.pieces[last])
                && last.stride.checked_mul(last.extent as isize) == Some(piece.stride)
            {
                last.extent *= piece.extent;
            } else {
                self.pieces[kept] = piece;
                kept += 1;
            }
        }
        self.len = kept;
    }

    pub(in super::super) fn pieces(&self) -> &[Piece] {
        &self.pieces[..self.len]
    }
}

/// A descriptor put together from axes and pieces.
pub(in super::super) struct Assembly {
    draft: Draft,
    /// Whether the axis at each logical position of the result is there, or still to be made of extent 1.
    placed: [bool; MAX_RANK],
    rank: usize,
    digits: [(usize, usize, DigitAt); MAX_DIGITS],
    len: usize,
}

impl Assembly {
    /// Nothing yet; letters and type are those of `descriptor`.
    pub(in super::super) fn new(descriptor: &Descriptor) -> Assembly {
        let draft = Draft::empty(descriptor);
        let none = DigitAt { axis: 0, divisor: 1, extent: 1, stride: 0, top: false };
        Assembly { draft, placed: [false; MAX_RANK], rank: 0, digits: [(0, 0, none); MAX_DIGITS], len: 0 }
    }

    /// Adds `axis` behind the others and gives the number that its digits carry. An axis of extent 1 without digits is
    /// not `placed`: it is made last, and no digit may carry its number.
    pub(in super::super) fn push_axis(&mut self, axis: Axis, placed: bool) -> Result<usize, AlgebraError> {
        let found = self.rank + 1;
        *self.placed.get_mut(self.rank).ok_or(AlgebraError::TooManyAxes { found })? = placed;
        self.rank += 1;
        if placed {
            self.draft.push_axis(axis)?;
        }
        Ok(self.draft.axes().len().saturating_sub(1))
    }

    /// Adds a digit; digits stand in the order of `keys`.
    pub(in super::super) fn push_digit(
        &mut self,
        keys: (usize, usize),
        digit: DigitAt,
    ) -> Result<(), AlgebraError> {
        if self.len == MAX_DIGITS {
            return self.draft.refuse_digit();
        }
        self.digits[self.len] = (keys.0, keys.1, digit);
        self.len += 1;
        Ok(())
    }

    /// The descriptor; `base` is the offset of position 0.
    pub(in super::super) fn finish(mut self, base: isize) -> Result<Descriptor, AlgebraError> {
        self.draft.base = base;
        let digits = &mut self.digits[..self.len];
        digits.sort_unstable_by_key(|digit| (digit.0, digit.1));
        for digit in digits {
            self.draft.push_digit(digit.2)?;
        }
        for at in (0..self.rank).rev().filter(|&at| !self.placed[at]) {
            let before = self.placed[..at].iter().filter(|placed| **placed).count();
            self.draft.insert_unit(before)?;
        }
        self.draft.finish()
    }
}
