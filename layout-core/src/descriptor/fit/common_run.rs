//! [`Descriptor::common_run`]: how many elements lie one after another in two layouts at once. Planners choose vectors
//! and copies by it; CuTe's `max_common_vector`.

use super::super::{Descriptor, DigitAt, Digits};
use crate::grammar::MAX_RANK;

impl Descriptor {
    /// The greatest number `n` such that all elements lie in runs of `n` in both tensors: each run is `n` elements at
    /// rising neighbouring offsets in `self`, and the same elements in the same order at neighbouring offsets in `other`.
    /// 0 where the extents differ or an extent is 0.
    ///
    /// Where an extent ends inside a block, it is the greatest such number that divides the digits too: a tail of 2
    /// behind blocks of 3 gives 1, even if all stretches happen to be of even length.
    ///
    /// `pre:`  the same extents\
    /// `post:` the elements, sorted by their offset in `self`, fall into groups of `n` in which both offsets rise by 1
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// let of = |format| Descriptor::new(DType::F32, &[2, 64, 6, 5], format);
    /// assert_eq!(of("nhwc")?.common_run(&of("nChw16c")?), 16);
    /// assert_eq!(of("nchw")?.common_run(&of("nChw16c")?), 1);
    /// assert_eq!(of("nchw")?.common_run(&of("nchw")?), 2 * 64 * 6 * 5);
    /// # Ok::<(), layout_core::descriptor::DescriptorError>(())
    /// ```
    pub const fn common_run(&self, other: &Descriptor) -> usize {
        if self.rank() != other.rank() || self.is_empty() {
            return 0;
        }
        let mut a = 0;
        while a < self.rank() {
            if self.dims[a] != other.dims[a] {
                return 0;
            }
            a += 1;
        }
        let mut mine = Side::new(self);
        let mut theirs = Side::new(other);
        let mut run = 1;
        loop {
            let (Some(one), Some(two)) = (mine.next(run), theirs.next(run)) else { return run };
            if one.axis != two.axis || one.divisor != two.divisor {
                return run;
            }
            let both = gcd(one.extent, two.extent);
            if both == 1 {
                return run;
            }
            run *= both;
            let whole = (mine.take(one, both), theirs.take(two, both));
            if !whole.0 && !whole.1 {
                return run;
            }
        }
    }
}

/// Part of a digit: values of `index / divisor % extent`.
#[derive(Clone, Copy)]
struct Part {
    axis: usize,
    divisor: usize,
    /// The values that all indices share, below those of the digit where the extent ends inside it.
    extent: usize,
    /// The values of the digit; 0 where it goes as far as the extent does.
    whole: usize,
}

struct Side {
    digits: Digits,
    dims: [usize; MAX_RANK],
    origin: [usize; MAX_RANK],
    /// What is left of the digit that was taken from last.
    rest: Option<Part>,
}

impl Side {
    const fn new(descriptor: &Descriptor) -> Side {
        Side { digits: descriptor.digits(), dims: descriptor.dims, origin: descriptor.origin, rest: None }
    }

    /// The digit, or what is left of it, whose values are `stride` apart.
    const fn next(&self, stride: usize) -> Option<Part> {
        if let Some(rest) = self.rest {
            return Some(self.shared(rest));
        }
        let Some(mut found) = self.digit(None, stride) else { return None };
        // Digits that continue one another count as one, so that a tail does not cut between them.
        while !found.top
            && let Some(higher) =
                self.digit(Some((found.axis, found.divisor * found.extent)), stride * found.extent)
        {
            found.top = higher.top;
            found.extent *= higher.extent;
        }
        // A top digit goes as far as the extent does, and so does a block that holds all of it.
        let end = self.dims[found.axis] + self.origin[found.axis];
        let to_the_end = found.top || end.div_ceil(found.divisor) <= found.extent;
        let whole = if to_the_end { 0 } else { found.extent };
        Some(self.shared(Part { axis: found.axis, divisor: found.divisor, extent: 0, whole }))
    }

    /// The digit of more than one value whose values are `stride` apart, or of any number of values at that axis and
    /// divisor.
    const fn digit(&self, place: Option<(usize, usize)>, stride: usize) -> Option<DigitAt> {
        let digits = self.digits.as_slice();
        let mut i = 0;
        while i < digits.len() {
            let d = digits[i];
            let wanted = match place {
                Some((axis, divisor)) => d.axis == axis && d.divisor == divisor,
                None => d.extent > 1,
            };
            if wanted && d.stride == stride as isize {
                return Some(d);
            }
            i += 1;
        }
        None
    }

    /// `part` with the number of values that every run has: those of the digit, unless the tensor ends or begins within
    /// them.
    const fn shared(&self, mut part: Part) -> Part {
        let (dim, origin) = (self.dims[part.axis], self.origin[part.axis]);
        part.extent = if !dim.is_multiple_of(part.divisor) || !origin.is_multiple_of(part.divisor) {
            1
        } else if part.whole == 0 {
            dim / part.divisor
        } else {
            gcd(part.whole, gcd(dim / part.divisor, origin / part.divisor))
        };
        part
    }

    /// Takes `values` of `part`, and says whether they are all of its digit.
    const fn take(&mut self, part: Part, values: usize) -> bool {
        let whole = if part.whole == 0 { self.dims[part.axis] / part.divisor } else { part.whole };
        if values == whole {
            self.rest = None;
            return true;
        }
        let left = if part.whole == 0 { 0 } else { part.whole / values };
        self.rest = Some(Part { divisor: part.divisor * values, whole: left, ..part });
        false
    }
}

/// The greatest common divisor; 0 has every divisor.
const fn gcd(mut a: usize, mut b: usize) -> usize {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
