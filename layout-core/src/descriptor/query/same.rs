//! [`Descriptor::same_bytes`]: whether two descriptors place every element alike, whatever they are called and
//! however their digits are written. Reorders ask it; it decides exactly, without going through the elements.

use super::super::{Descriptor, DigitAt, MAX_OUTER};

impl Descriptor {
    /// Whether memory described by `self` holds the same tensor when it is read by `other`: same data type, same
    /// extents, and every element at the same offset.
    ///
    /// Axis names do not matter, nor do the strides and blocks of an axis of extent 1, nor blocks that change
    /// nothing (`nhwC8c` with 16 channels is `nhwc`). Padding is not compared: where it matters, as for a copy of
    /// the whole memory, compare [`Descriptor::padded_dims`] as well. Two tensors without elements and of the same
    /// extents are the same.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// let of = |dims: &[usize], format| Descriptor::new(DType::F32, dims, format);
    /// assert!(of(&[8, 1, 5, 4], "nchw")?.same_bytes(&of(&[8, 1, 5, 4], "nhwc")?));
    /// assert!(of(&[2, 32, 1, 1], "nChw16c")?.same_bytes(&of(&[2, 32, 1, 1], "abcd")?));
    /// assert!(!of(&[8, 2, 5, 4], "nchw")?.same_bytes(&of(&[8, 2, 5, 4], "nhwc")?));
    /// # Ok::<(), layout_core::descriptor::DescriptorError>(())
    /// ```
    pub const fn same_bytes(&self, other: &Descriptor) -> bool {
        let rank = self.rank();
        if self.dtype as u8 != other.dtype as u8 || rank != other.rank() {
            return false;
        }
        let mut a = 0;
        while a < rank {
            if self.dims[a] != other.dims[a] {
                return false;
            }
            a += 1;
        }
        if self.is_empty() {
            return true;
        }
        if self.base != other.base {
            return false;
        }
        if self.spec.same_digits(&other.spec) && self.same_strides(other) {
            return true;
        }
        let (mine, theirs) = (self.digits(), other.digits());
        let mut a = 0;
        while a < rank {
            let mut mine = Steps::new(mine.as_slice(), a, self.dims[a]);
            let mut theirs = Steps::new(theirs.as_slice(), a, self.dims[a]);
            loop {
                match (mine.next_merged(), theirs.next_merged()) {
                    (None, None) => break,
                    (Some(m), Some(t)) if m.0 == t.0 && m.1 == t.1 => {}
                    _ => return false,
                }
            }
            a += 1;
        }
        true
    }

    /// Whether the stored strides are equal.
    const fn same_strides(&self, other: &Descriptor) -> bool {
        let mut i = 0;
        while i < MAX_OUTER {
            if self.strides[i] != other.strides[i] {
                return false;
            }
            i += 1;
        }
        true
    }
}

/// The distance of index `i` along one axis from index 0, as a list of (divisor, stride) from the finest to the
/// coarsest. Digits that no index below the extent reaches are left out, and a digit that continues the one below
/// it (its stride is where that one ends) is merged into it.
///
/// The list is unique. Up to the second divisor the distance is `i` times the first stride; there it deviates for the
/// first time, since the digits would have merged otherwise, so distance determines that divisor and, by its value
/// there, the second stride; and so on. Hence two axes place all indices alike if and only if the lists are equal.
struct Steps<'a> {
    digits: &'a [DigitAt],
    axis: usize,
    extent: usize,
    /// Divisor and stride of the digit that was looked at last; divisor 0 before the first.
    last: (usize, isize),
}

impl<'a> Steps<'a> {
    const fn new(digits: &'a [DigitAt], axis: usize, extent: usize) -> Steps<'a> {
        Steps { digits, axis, extent, last: (0, 0) }
    }

    const fn next_merged(&mut self) -> Option<(usize, isize)> {
        loop {
            let (divisor, stride) = self.last;
            let Some(next) = self.coarser_than(divisor) else { return None };
            self.last = next;
            // `divisor` divides `next.0`. The product is the span of a digit that indices reach in full.
            if divisor == 0 || (next.0 / divisor) as isize * stride != next.1 {
                return Some(next);
            }
        }
    }

    /// The digit of the axis with the least divisor above `divisor` that is below the extent.
    const fn coarser_than(&self, divisor: usize) -> Option<(usize, isize)> {
        let mut best: Option<(usize, isize)> = None;
        let mut i = 0;
        while i < self.digits.len() {
            let d = self.digits[i];
            let limit = match best {
                Some((best, _)) => best,
                None => self.extent,
            };
            if d.axis == self.axis && d.divisor > divisor && d.divisor < limit {
                best = Some((d.divisor, d.stride));
            }
            i += 1;
        }
        best
    }
}
