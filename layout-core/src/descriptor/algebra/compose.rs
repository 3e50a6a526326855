//! Layouts as functions, in CuTe's sense: [`Descriptor::compose`] reads one through another, [`Descriptor::right_inverse`]
//! turns one around. Both work on the digits of the row-by-row number of the elements.

use super::super::{Descriptor, DigitAt};
use super::AlgebraError;
use super::draft::{Assembly, Axis, Draft, Linear, Piece};
use crate::grammar::{MAX_DIGITS, MAX_RANK};

impl Descriptor {
    /// The layout that takes an index through `inner` to a number and then, row by row, to an element of `self`: CuTe's
    /// composition `self ∘ inner`. Extents and axes are those of `inner`, the data type is that of `self`.
    ///
    /// The result has to be a descriptor again. So every step of `inner` has to stay within a digit of `self`, or to be
    /// cut where digits of `self` meet.
    ///
    /// `pre:`  neither has padding or parts of blocks; `inner.required_len() <= self.logical_len()`; each stride of
    /// `inner` divides the digits of `self` that it crosses or is a multiple of them, and sums do not carry from one
    /// digit of `self` to the next\
    /// `post:` `compose(inner).offset(i) == self.offset(j)` where `j` is the index of the element with the row-by-row
    /// number `inner.offset(i)`
    ///
    /// # Errors
    /// [`AlgebraError::Outside`], [`AlgebraError::Crossing`], [`AlgebraError::Padding`], [`AlgebraError::Ragged`].
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// // Every other element of a transposed matrix.
    /// let matrix = Descriptor::new(DType::F32, &[4, 6], "ba")?;
    /// let every_other = Descriptor::from_strides(DType::F32, &[12], &[2])?;
    /// let d = matrix.compose(&every_other)?;
    /// // Number 14 is row 2, column 2.
    /// assert_eq!(d.offset(&[7])?, matrix.offset(&[2, 2])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compose(&self, inner: &Descriptor) -> Result<Descriptor, AlgebraError> {
        let (len, required) = (self.logical_len(), inner.required_len());
        if required > len {
            return Err(AlgebraError::Outside { len, required });
        }
        if inner.is_empty() {
            let mut draft = Draft::of(inner);
            (draft.dtype, draft.base) = (self.dtype, self.base as isize);
            return draft.finish();
        }
        for axis in 0..inner.rank() {
            inner.check_unpadded(axis)?;
            inner.check_whole_blocks(axis)?;
        }
        let outer = Linear::of(self, 0..self.rank())?;
        let mut out =
            Through { outer: &outer, reached: [0; MAX_DIGITS], start: self.base as isize + outer.start };
        out.start_at(inner.first_offset());
        // The type is that of the outer layout, and so is the limit of the address space.
        let mut assembly = Assembly::new(&Descriptor { dtype: self.dtype, ..*inner });
        let mut places = [0; MAX_RANK];
        for (a, &extent) in inner.dims().iter().enumerate() {
            let letter = inner.axis_char(a) as u8;
            places[a] = assembly.push_axis(Axis { letter, ..Axis::new(extent) }, extent > 1)?;
        }
        for digit in inner.inner_first().filter(|digit| digit.extent > 1) {
            let axis = inner.axis_char(digit.axis);
            let whole = inner.dims[digit.axis];
            let mut step = digit.stride.unsigned_abs();
            let (mut divisor, mut left) = (digit.divisor, digit.extent);
            while left > 1 {
                let crossing = |border| AlgebraError::Crossing { axis, stride: digit.stride, border };
                let (extent, stride) = out.piece(step, left).map_err(crossing)?;
                if digit.stride < 0 {
                    // The values of each piece are turned around with those of the whole.
                    out.start += (extent - 1) as isize * stride;
                }
                let stride = if digit.stride < 0 { -stride } else { stride };
                let top = divisor * extent == whole;
                let placed = DigitAt { axis: places[digit.axis], divisor, extent, stride, top };
                assembly.push_digit((usize::MAX - stride.unsigned_abs(), divisor), placed)?;
                (step, divisor, left) = (step * extent, divisor * extent, left / extent);
            }
        }
        if let Some((border, axis)) = out.carries(inner) {
            let stride = inner.strides()[axis];
            return Err(AlgebraError::Crossing { axis: inner.axis_char(axis), stride, border });
        }
        assembly.finish(out.start)
    }

    /// The layout that gives the row-by-row number of the element at an offset, for as many offsets from that of the
    /// first element on as are elements one after another: CuTe's right inverse. One axis, named `a`; its blocks are
    /// the digits of `self`, where it has more than one.
    ///
    /// For a tensor whose elements fill their memory this is the inverse; where strides leave gaps, it ends at the
    /// first gap. [`Descriptor::locate`] is the inverse for everything, padding and gaps included.
    ///
    /// `pre:`  no padding and no parts of blocks\
    /// `post:` for all `o` below its extent: `self.offset(j) == self.offset(0, …, 0) + o` where `j` is the index of the
    /// element with the row-by-row number `right_inverse().offset([o])`
    ///
    /// # Errors
    /// [`AlgebraError::Padding`] or [`AlgebraError::Ragged`].
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// let d = Descriptor::new(DType::F32, &[4, 6], "ba")?;
    /// let inverse = d.right_inverse()?;
    /// // Offset 5 is row 1, column 1, which is element 7.
    /// assert_eq!(inverse.offset(&[5])?, 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn right_inverse(&self) -> Result<Descriptor, AlgebraError> {
        let mut assembly = Assembly::new(&Descriptor::scalar(self.dtype));
        if self.is_empty() {
            let axis = assembly.push_axis(Axis::new(0), true)?;
            assembly.push_digit((0, 0), DigitAt { axis, divisor: 1, extent: 0, stride: 1, top: true })?;
            return assembly.finish(0);
        }
        let linear = Linear::of(self, 0..self.rank())?;
        let next = |divisor| linear.pieces().iter().find(|piece| piece.stride == divisor as isize);
        let mut len = 1;
        while let Some(piece) = next(len) {
            len *= piece.extent;
        }
        let axis = assembly.push_axis(Axis::new(len), len > 1)?;
        let mut divisor = 1;
        while let Some(piece) = next(divisor) {
            let (extent, stride) = (piece.extent, piece.divisor as isize);
            let top = divisor * extent == len;
            assembly.push_digit(
                (usize::MAX - piece.divisor, 0),
                DigitAt { axis, divisor, extent, stride, top },
            )?;
            divisor *= extent;
        }
        assembly.finish(0)
    }
}

/// What goes through the outer layout of a composition.
struct Through<'a> {
    outer: &'a Linear,
    /// The largest value that each digit of the outer layout takes.
    reached: [usize; MAX_DIGITS],
    /// Offset of index 0.
    start: isize,
}

impl Through<'_> {
    /// Takes the number of the first element, which is below that of the elements.
    fn start_at(&mut self, number: usize) {
        for (piece, reached) in self.outer.pieces().iter().zip(&mut self.reached) {
            let value = number / piece.divisor % piece.extent;
            *reached += value;
            self.start += value as isize * piece.stride;
        }
    }

    /// As many of the first `left` multiples of `step` as stay within one digit: their number and their distance. The
    /// border that is crossed otherwise.
    fn piece(&mut self, step: usize, left: usize) -> Result<(usize, isize), usize> {
        if step == 0 {
            return Ok((left, 0));
        }
        let within = |piece: &Piece| step / piece.divisor < piece.extent;
        // The digits rise, and the step is below the number of elements.
        let Some(found) = self.outer.pieces().iter().position(within) else { return Err(step) };
        let piece = &self.outer.pieces()[found];
        if !step.is_multiple_of(piece.divisor) {
            return Err(piece.divisor);
        }
        let times = step / piece.divisor;
        let extent = if (left - 1) * times < piece.extent {
            left
        } else if piece.extent.is_multiple_of(times) && left.is_multiple_of(piece.extent / times) {
            piece.extent / times
        } else {
            return Err(piece.divisor * piece.extent);
        };
        self.reached[found] += (extent - 1) * times;
        Ok((extent, times as isize * piece.stride))
    }

    /// The border that sums of steps cross although no step does, and an axis that does not begin at it.
    fn carries(&self, inner: &Descriptor) -> Option<(usize, usize)> {
        let pieces = self.outer.pieces();
        let at = pieces.iter().zip(&self.reached).position(|(piece, &reached)| reached >= piece.extent)?;
        let border = pieces[at].divisor * pieces[at].extent;
        let mut below =
            inner.inner_first().filter(|digit| digit.extent > 1 && digit.stride.unsigned_abs() < border);
        Some((border, below.next().map_or(0, |digit| digit.axis)))
    }
}
