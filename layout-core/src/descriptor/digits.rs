//! The digits of a [`Descriptor`] placed in memory: [`DigitAt`], all of them ([`Digits`]) or one by one
//! ([`InnerFirst`]). What the planner, the checks and the queries of this room read; changes nothing.

use super::Descriptor;
use crate::grammar::{MAX_DIGITS, MAX_RANK};

/// One digit of a format, placed in memory: it adds `(position / divisor) % extent * stride` to the offset, where the
/// position is `index[axis]` plus the axis' [origin](Descriptor::origin), which is 0 except in a view that starts
/// inside a block and behind extra padding. The top digit of an axis needs no `% extent`: the position is in range.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DigitAt {
    /// Logical position of the axis.
    pub axis: usize,
    /// What the index is divided by.
    pub divisor: usize,
    /// Number of values; for a top digit the number of the axis' blocks that the tensor reaches into.
    pub extent: usize,
    /// Distance between two values, in elements; 0 for a top digit that is broadcast.
    pub stride: isize,
    /// Whether this is the top digit of its axis.
    pub top: bool,
}

/// The digits of a descriptor in physical order, outermost first: what a planner works on.
/// Dereferences to a slice; made in one pass by [`Descriptor::digits`].
#[derive(Clone, Copy)]
pub struct Digits {
    len: usize,
    at: [DigitAt; MAX_DIGITS],
}

impl Digits {
    /// The digits as a slice, in const context as well.
    pub const fn as_slice(&self) -> &[DigitAt] {
        self.at.split_at(self.len).0
    }
}

impl core::ops::Deref for Digits {
    type Target = [DigitAt];
    fn deref(&self) -> &[DigitAt] {
        self.as_slice()
    }
}

/// The digits of a descriptor from the innermost outward, made by [`Descriptor::inner_first`]: an iterator, and
/// [`InnerFirst::step`] in const context. A step costs the same whatever the number of digits.
#[derive(Clone)]
pub struct InnerFirst<'a> {
    descriptor: &'a Descriptor,
    /// Physical position behind the next digit.
    position: usize,
    /// Digits whose strides are stored.
    outer: usize,
    /// By axis: the product of its least significant blocks, as far as they came in order.
    below: [usize; MAX_RANK],
    /// By axis: the number of those blocks.
    passed: [u8; MAX_RANK],
    /// By axis: the product of all its blocks.
    blocks: [usize; MAX_RANK],
    /// The product of the blocks passed: the stride of a dense inner block.
    dense: usize,
}

impl<'a> InnerFirst<'a> {
    const fn new(descriptor: &'a Descriptor) -> InnerFirst<'a> {
        let mut blocks = [1; MAX_RANK];
        let mut i = 0;
        while let Some((axis, size)) = descriptor.spec.axis_and_size(i) {
            if let Some(size) = size {
                blocks[axis] *= size as usize;
            }
            i += 1;
        }
        InnerFirst {
            descriptor,
            position: i,
            outer: descriptor.stored as usize,
            below: [1; MAX_RANK],
            passed: [0; MAX_RANK],
            blocks,
            dense: 1,
        }
    }

    /// The next digit; `None` behind the outermost.
    pub const fn step(&mut self) -> Option<DigitAt> {
        if self.position == 0 {
            return None;
        }
        self.position -= 1;
        let position = self.position;
        let Some((axis, size)) = self.descriptor.spec.axis_and_size(position) else { return None };
        let (divisor, extent) = match size {
            None => (self.blocks[axis], self.descriptor.owned_end(axis).div_ceil(self.blocks[axis])),
            Some(size) => {
                // Almost every format's blocks rise in significance from the inside; the others ask the format.
                let divisor = match self.descriptor.spec.significance(position) {
                    Some(s) if s == self.passed[axis] as usize => {
                        let divisor = self.below[axis];
                        self.below[axis] *= size as usize;
                        self.passed[axis] += 1;
                        divisor
                    }
                    _ => match self.descriptor.spec.digit(position) {
                        Some(digit) => digit.divisor as usize,
                        None => 1,
                    },
                };
                (divisor, size as usize)
            }
        };
        let stride = if position < self.outer {
            self.descriptor.strides[position]
        } else {
            let stride = self.dense as isize;
            self.dense *= extent;
            stride
        };
        Some(DigitAt { axis, divisor, extent, stride, top: size.is_none() })
    }
}

impl Iterator for InnerFirst<'_> {
    type Item = DigitAt;

    fn next(&mut self) -> Option<DigitAt> {
        self.step()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.position, Some(self.position))
    }
}

impl ExactSizeIterator for InnerFirst<'_> {}

impl Descriptor {
    /// The number of digits, in physical order (see [`Descriptor::digit`]).
    pub const fn digit_len(&self) -> usize {
        self.spec.len()
    }

    /// The digit at physical position `position`, 0 outermost; `None` past [`Descriptor::digit_len`].
    ///
    /// One call is a pass over the digits inside it: [`Descriptor::digits`] gives all of them for one pass.
    pub const fn digit(&self, position: usize) -> Option<DigitAt> {
        if position >= self.digit_len() {
            return None;
        }
        let mut walk = self.inner_first();
        let mut skip = self.digit_len() - 1 - position;
        while skip > 0 {
            walk.step();
            skip -= 1;
        }
        walk.step()
    }

    /// All digits, outermost first, in one pass.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// let d = Descriptor::new(DType::F32, &[2, 17, 5, 4], "nChw8c")?;
    /// let placed: Vec<_> = d.digits().iter().map(|d| (d.axis, d.extent, d.stride)).collect();
    /// assert_eq!(placed, [(0, 2, 480), (1, 3, 160), (2, 5, 32), (3, 4, 8), (1, 8, 1)]);
    /// # Ok::<(), layout_core::descriptor::DescriptorError>(())
    /// ```
    pub const fn digits(&self) -> Digits {
        let none = DigitAt { axis: 0, divisor: 0, extent: 0, stride: 0, top: false };
        let mut out = Digits { len: self.digit_len(), at: [none; MAX_DIGITS] };
        let mut walk = self.inner_first();
        let mut i = out.len;
        while let Some(digit) = walk.step() {
            i -= 1;
            out.at[i] = digit;
        }
        out
    }

    /// The digits from the innermost outward, one at a time.
    pub const fn inner_first(&self) -> InnerFirst<'_> {
        InnerFirst::new(self)
    }

    /// Offset of the element at `index`, in elements, without a look at the extents.
    /// Wraps around for an index outside them.
    pub const fn offset_unchecked(&self, index: &[usize]) -> usize {
        let mut offset = self.base;
        let mut walk = self.inner_first();
        while let Some(d) = walk.step() {
            if d.axis < index.len() {
                let quotient = index[d.axis].wrapping_add(self.origin[d.axis]) / d.divisor;
                let value = if d.top { quotient } else { quotient % d.extent };
                offset = offset.wrapping_add(value.wrapping_mul(d.stride as usize));
            }
        }
        offset
    }
}
