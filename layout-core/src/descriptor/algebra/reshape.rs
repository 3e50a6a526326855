//! [`Descriptor::reshape`]: the same elements, in the same logical order, under other extents. Works on the digits, so
//! that blocks are no obstacle where the new extents cut between their digits or divide them.

use super::super::{Descriptor, DigitAt};
use super::AlgebraError;
use super::draft::{Assembly, Axis, Draft, Linear};
use crate::grammar::{MAX_RANK, Spec};
use core::ops::Range;

impl Descriptor {
    /// The tensor with extents `dims`: the same elements at the same places, numbered row by row (the last axis fastest)
    /// as before. Splits, merges, adds and drops axes in any combination.
    ///
    /// Axes that stay what they are keep names, blocks and padding. For the others it is the digits that count, not
    /// strides alone: an axis may be cut between its digits or where a digit divides (32 channels in blocks of 16 into
    /// 2 x 16 or 4 x 8), and axes that do not follow one another in memory merge to an axis with blocks.
    ///
    /// `pre:`  `dims` multiply to the number of elements; an axis that changes has no padding and no part of a block;
    /// every cut divides the digit that it falls into\
    /// `post:` `reshape(dims).offset(i) == offset(j)` where `j` is the index with the same row-by-row number as `i`
    ///
    /// # Errors
    /// [`AlgebraError::ElementCount`], [`AlgebraError::TooManyAxes`]; [`AlgebraError::Padding`],
    /// [`AlgebraError::Ragged`], [`AlgebraError::Cut`] and [`AlgebraError::Broadcast`] name the axis and what is in
    /// the way.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// let d = Descriptor::new(DType::F32, &[2, 32, 5, 4], "nChw16c")?;
    /// // Height and width as one axis; blocks of channels as an axis of their own.
    /// assert_eq!(d.reshape(&[2, 32, 20])?.offset(&[1, 17, 9])?, d.offset(&[1, 17, 2, 1])?);
    /// assert!(d.reshape(&[2, 2, 16, 5, 4])?.is_plain());
    /// assert_eq!(
    ///     d.reshape(&[2, 5, 32, 4]).unwrap_err().to_string(),
    ///     "the new shape cuts axis `h`: 32 neither divides its digit of 5 values nor is a multiple of it"
    /// );
    /// let padded = Descriptor::new(DType::F32, &[2, 17, 5, 4], "nChw16c")?;
    /// assert_eq!(
    ///     padded.reshape(&[2, 17 * 5, 4]).unwrap_err().to_string(),
    ///     "axis `c` with extent 17 is padded to 32: its padding blocks a new shape"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reshape(&self, dims: &[usize]) -> Result<Descriptor, AlgebraError> {
        if dims.len() > MAX_RANK {
            return Err(AlgebraError::TooManyAxes { found: dims.len() });
        }
        let found = if dims.contains(&0) {
            Some(0)
        } else {
            dims.iter().try_fold(1usize, |product, &extent| product.checked_mul(extent))
        };
        if found != Some(self.logical_len()) {
            return Err(AlgebraError::ElementCount { expected: self.logical_len(), found });
        }
        if dims == self.dims() {
            return Ok(*self);
        }
        if self.is_empty() {
            return self.reshape_nothing(dims);
        }
        let mut out = Reshape { from: self, assembly: Assembly::new(self), start: self.base as isize };
        let (mut old, mut new) = (0, 0);
        while old < self.rank() || new < dims.len() {
            let (ones, new_ones) = (ones(self.dims(), old), ones(dims, new));
            if ones + new_ones > 0 {
                out.units(old..old + ones, new_ones)?;
                (old, new) = (old + ones, new + new_ones);
                continue;
            }
            let (old_end, new_end) = group(self.dims(), old, dims, new);
            if old_end == old + 1 && new_end == new + 1 {
                out.keep(old)?;
            } else {
                out.cut(old..old_end, &dims[new..new_end])?;
            }
            (old, new) = (old_end, new_end);
        }
        out.assembly.finish(out.start)
    }

    /// A tensor without elements, row by row.
    fn reshape_nothing(&self, dims: &[usize]) -> Result<Descriptor, AlgebraError> {
        let mut spec = Spec::SCALAR;
        for a in 0..dims.len() {
            // New letters within the largest rank are never refused, nor are their top digits.
            let _ = spec.push_axis(b'a' + a as u8);
            let _ = spec.push_top(a, 1);
        }
        let dense = Descriptor::from_spec(self.dtype, dims, spec)
            .map_err(|error| AlgebraError::Descriptor(error.into()))?;
        let mut draft = Draft::empty(self);
        for (a, &extent) in dims.iter().enumerate() {
            draft.push_axis(Axis::new(extent))?;
            draft.push_digit(dense.digits()[a])?;
        }
        draft.finish()
    }
}

/// How many extents of 1 follow one another from `at` on.
fn ones(extents: &[usize], at: usize) -> usize {
    extents[at..].iter().take_while(|&&extent| extent == 1).count()
}

/// Where the smallest groups of axes end that begin at `old` and `new` and have the same number of elements. Both
/// extents are above 1, and the rest of both sides multiplies to the same number.
fn group(from: &[usize], mut old: usize, to: &[usize], mut new: usize) -> (usize, usize) {
    // Products of extents that are not 0 fit in `usize`.
    let (mut mine, mut theirs) = (from[old], to[new]);
    while mine != theirs {
        if mine < theirs {
            old += 1;
            mine *= from[old];
        } else {
            new += 1;
            theirs *= to[new];
        }
    }
    (old + 1, new + 1)
}

struct Reshape<'a> {
    from: &'a Descriptor,
    assembly: Assembly,
    /// Offset of position 0, with what dropped axes add.
    start: isize,
}

impl Reshape<'_> {
    /// Takes axis `axis` as it is.
    fn keep(&mut self, axis: usize) -> Result<(), AlgebraError> {
        let place = self.assembly.push_axis(Draft::of(self.from).axes()[axis], true)?;
        for (position, digit) in self.from.digits().iter().enumerate().filter(|(_, d)| d.axis == axis) {
            self.assembly.push_digit((position, 0), DigitAt { axis: place, ..*digit })?;
        }
        Ok(())
    }

    /// Makes `count` axes of extent 1 of the axes `axes`, all of extent 1: keeps, drops or adds some. Which of them are
    /// dropped makes no difference to any element, so it is those without padding.
    fn units(&mut self, axes: Range<usize>, count: usize) -> Result<(), AlgebraError> {
        let mut surplus = axes.len().saturating_sub(count);
        let mut dropped = [false; MAX_RANK];
        for pass in 0..2 {
            for axis in axes.clone().rev() {
                if surplus > 0 && !dropped[axis] && (pass == 1 || self.from.check_unpadded(axis).is_ok()) {
                    dropped[axis] = true;
                    surplus -= 1;
                }
            }
        }
        for axis in axes.clone() {
            if dropped[axis] {
                self.drop(axis)?;
            } else {
                self.keep(axis)?;
            }
        }
        for _ in axes.len()..count {
            self.assembly.push_axis(Axis::new(1), false)?;
        }
        Ok(())
    }

    /// Leaves out axis `axis` of extent 1.
    fn drop(&mut self, axis: usize) -> Result<(), AlgebraError> {
        self.from.check_unpadded(axis)?;
        self.start += self.from.distance_along(axis, 0);
        Ok(())
    }

    /// Makes axes of extents `dims` of the axes `axes`.
    fn cut(&mut self, axes: Range<usize>, dims: &[usize]) -> Result<(), AlgebraError> {
        let linear = Linear::of(self.from, axes)?;
        self.start += linear.start;
        let mut places = [0; MAX_RANK];
        for (place, &extent) in places.iter_mut().zip(dims) {
            *place = self.assembly.push_axis(Axis::new(extent), extent > 1)?;
        }
        let mut pieces = linear.pieces().iter().copied();
        let mut piece = pieces.next();
        for (&axis, &extent) in places[..dims.len()].iter().zip(dims).rev() {
            let mut divisor = 1;
            while divisor < extent {
                // The pieces multiply to the product of `dims`.
                let Some(whole) = piece else { break };
                let need = extent / divisor;
                let taken = if need.is_multiple_of(whole.extent) {
                    piece = pieces.next();
                    whole.extent
                } else if whole.extent.is_multiple_of(need) {
                    // What remains of a digit begins where the part that is taken ends.
                    let mut rest = whole;
                    rest.divisor *= need;
                    rest.extent /= need;
                    rest.stride *= need as isize;
                    piece = Some(rest);
                    need
                } else {
                    let axis = self.from.axis_char(whole.axis);
                    return Err(AlgebraError::Cut { axis, size: whole.extent, at: need });
                };
                let top = divisor * taken == extent;
                if whole.stride == 0 && !(top && divisor == 1) {
                    return Err(AlgebraError::Broadcast { axis: self.from.axis_char(whole.axis) });
                }
                let digit = DigitAt { axis, divisor, extent: taken, stride: whole.stride, top };
                self.assembly.push_digit((whole.position, usize::MAX - whole.divisor), digit)?;
                divisor *= taken;
            }
        }
        Ok(())
    }
}
