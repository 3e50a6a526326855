//! Where the padding of a tensor is: a walk over its digits that enters only what holds padding, in physical order.
//! Called to fill padding and to look whether it is zero; never touches memory itself.

use crate::descriptor::{Descriptor, DigitAt};
use crate::grammar::{MAX_DIGITS, MAX_RANK};
use crate::layout::{Layout, StridedMapping};
use crate::shape::Shape;
use core::ops::ControlFlow;

/// Calls `visit(offset, len)` for contiguous stretches of padding, in elements, in physical order: each element of the
/// padded extents that is none of the extents is in exactly one. Ends early when `visit` breaks.
///
/// The walk goes down the digits and turns back where the elements below are all logical; so where one axis is padded it
/// costs as much as there is padding, not as there is data.
pub(super) fn visit_padding<L: Layout, S: Shape<L::Index>>(
    mapping: &StridedMapping<L, S>,
    visit: &mut impl FnMut(usize, usize) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let (dims, padded) = (mapping.dims(), mapping.padded_dims());
    if mapping.is_empty() || dims == padded {
        return ControlFlow::Continue(());
    }
    let mut walk = PaddingWalk::new(dims.as_ref(), padded.as_ref());
    for at in (0..L::SPEC.len()).rev() {
        let Some(digit) = L::SPEC.digit(at) else { continue };
        // Blocks and divisors fit in `usize`: the layout was refused while compiling otherwise.
        let divisor = digit.divisor as usize;
        let extent = match digit.size {
            Some(size) => size as usize,
            None => padded.as_ref()[digit.axis] / divisor,
        };
        let stride = mapping.digit_strides().as_ref()[at];
        walk.put(DigitAt { axis: digit.axis, divisor, extent, stride, top: digit.size.is_none() });
    }
    walk.start(0, visit)
}

/// [`visit_padding`] for the tensor that `descriptor` describes, offsets counted from its memory's start. What lies before
/// the elements of an axis is not visited: blocks have to be whole.
pub(crate) fn visit_padding_of(
    descriptor: &Descriptor,
    visit: &mut impl FnMut(usize, usize) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let (dims, padded) = (descriptor.dims(), descriptor.padded_dims());
    if descriptor.is_empty() || dims == padded {
        return ControlFlow::Continue(());
    }
    let mut walk = PaddingWalk::new(dims, padded);
    for digit in descriptor.inner_first() {
        walk.put(digit);
    }
    walk.start(descriptor.base(), visit)
}

struct PaddingWalk {
    /// Where the outermost digit stands; the innermost is the last of the array.
    first: usize,
    rank: usize,
    digits: [DigitAt; MAX_DIGITS],
    /// Elements from a digit inwards where they lie densely, 0 where not.
    contiguous: [usize; MAX_DIGITS + 1],
    dims: [usize; MAX_RANK],
    /// The index of the digits that are chosen, the others being 0.
    least: [usize; MAX_RANK],
    /// How much the other digits can add.
    span: [usize; MAX_RANK],
}

impl PaddingWalk {
    /// A walk without digits yet.
    fn new(dims: &[usize], padded: &[usize]) -> PaddingWalk {
        let nothing = DigitAt { axis: 0, divisor: 1, extent: 1, stride: 0, top: false };
        let mut walk = PaddingWalk {
            first: MAX_DIGITS,
            rank: dims.len(),
            digits: [nothing; MAX_DIGITS],
            contiguous: [0; MAX_DIGITS + 1],
            dims: [0; MAX_RANK],
            least: [0; MAX_RANK],
            span: [0; MAX_RANK],
        };
        walk.dims[..dims.len()].copy_from_slice(dims);
        for (span, &padded) in walk.span.iter_mut().zip(padded) {
            *span = padded - 1;
        }
        walk.contiguous[MAX_DIGITS] = 1;
        walk
    }

    /// Adds a digit outside those that are there.
    fn put(&mut self, digit: DigitAt) {
        let inside = self.contiguous[self.first];
        self.first -= 1;
        self.digits[self.first] = digit;
        if digit.stride == inside as isize {
            self.contiguous[self.first] = inside * digit.extent;
        }
    }

    /// Visits all padding, where the elements begin at `offset`.
    fn start<F>(&mut self, offset: usize, visit: &mut F) -> ControlFlow<()>
    where
        F: FnMut(usize, usize) -> ControlFlow<()>,
    {
        self.enter(self.first, offset, visit)
    }

    /// Visits the padding below digit `at`, the digits before which are chosen.
    fn enter<F>(&mut self, at: usize, offset: usize, visit: &mut F) -> ControlFlow<()>
    where
        F: FnMut(usize, usize) -> ControlFlow<()>,
    {
        let mut axes = 0..self.rank;
        if axes.clone().any(|axis| self.least[axis] >= self.dims[axis]) {
            return self.all(at, offset, visit);
        }
        let Some(padded) = axes.find(|&axis| self.least[axis] + self.span[axis] >= self.dims[axis]) else {
            return ControlFlow::Continue(());
        };
        let another = axes.any(|axis| self.least[axis] + self.span[axis] >= self.dims[axis]);
        // With no digit left every span is 0, and one of the conditions above held.
        let DigitAt { axis, divisor, extent, stride, .. } = self.digits[at];
        let (least, span) = (self.least[axis], self.span[axis]);
        if axis != padded
            && !another
            && let Some((behind, len)) = self.single(at + 1, padded)
        {
            // All values of this digit are elements, and have one stretch of padding each: the loop over the pixels of a
            // blocked image.
            let first = offset.wrapping_add(behind);
            return (0..extent)
                .try_for_each(|value| visit(first.wrapping_add(value.wrapping_mul(stride as usize)), len));
        }
        self.span[axis] = span - (extent - 1) * divisor;
        // Below this value there is no padding along this axis; along another there may be.
        let first = if padded == axis && !another {
            (self.dims[axis] - least).saturating_sub(self.span[axis]).div_ceil(divisor)
        } else {
            0
        };
        // From this value on everything is padding.
        let border = (self.dims[axis] - least).div_ceil(divisor).min(extent);
        let mut result = ControlFlow::Continue(());
        for value in first..border {
            self.least[axis] = least + value * divisor;
            result = self.enter(at + 1, offset.wrapping_add(value.wrapping_mul(stride as usize)), visit);
            if result.is_break() {
                break;
            }
        }
        if result.is_continue() && border < extent {
            result = self.values(at, offset, border, visit);
        }
        (self.least[axis], self.span[axis]) = (least, span);
        result
    }

    /// How far behind the first element below digit `at` the padding begins, and how much there is, where that digit cuts
    /// it off in one piece: the digit is of `padded`, the only axis with padding below it.
    fn single(&self, at: usize, padded: usize) -> Option<(usize, usize)> {
        let DigitAt { axis, divisor, extent, stride, .. } = *self.digits.get(at)?;
        let inside = self.contiguous[at + 1];
        if axis != padded || inside == 0 || stride != inside as isize {
            return None;
        }
        let left = self.dims[axis] - self.least[axis];
        let below = self.span[axis] - (extent - 1) * divisor;
        let (first, border) = (left.saturating_sub(below).div_ceil(divisor), left.div_ceil(divisor));
        (first >= border && border < extent).then(|| (border * inside, (extent - border) * inside))
    }

    /// Visits everything below digit `at`.
    fn all<F>(&mut self, at: usize, offset: usize, visit: &mut F) -> ControlFlow<()>
    where
        F: FnMut(usize, usize) -> ControlFlow<()>,
    {
        if self.contiguous[at] > 0 {
            return visit(offset, self.contiguous[at]);
        }
        self.values(at, offset, 0, visit)
    }

    /// Visits everything below the values `from..` of digit `at`.
    fn values<F>(&mut self, at: usize, offset: usize, from: usize, visit: &mut F) -> ControlFlow<()>
    where
        F: FnMut(usize, usize) -> ControlFlow<()>,
    {
        let DigitAt { extent, stride, .. } = self.digits[at];
        let first = offset.wrapping_add(from.wrapping_mul(stride as usize));
        let inside = self.contiguous[at + 1];
        if inside > 0 && stride == inside as isize {
            return visit(first, (extent - from) * inside);
        }
        (from..extent).try_for_each(|value| {
            self.all(at + 1, offset.wrapping_add(value.wrapping_mul(stride as usize)), visit)
        })
    }
}
