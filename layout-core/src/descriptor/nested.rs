//! The check that strides nest (invariant 5 of [`Descriptor`]), and what is wrong where they do not. Called wherever
//! strides are taken; changes nothing.

use super::strided::Broadcast;
use super::{Descriptor, DescriptorError, DigitAt};
use crate::grammar::MAX_DIGITS;

impl Descriptor {
    /// Invariant 5: from the inside, every stride passes what lies inside it.
    pub(super) const fn check_nested(&self, broadcast: Broadcast) -> Result<(), DescriptorError> {
        if self.is_empty() {
            return Ok(());
        }
        let mut reach = 0u128;
        let mut walk = self.inner_first();
        while let Some(d) = walk.step() {
            if d.extent > 1 {
                if d.stride == 0 && d.top && d.divisor == 1 && matches!(broadcast, Broadcast::Allowed) {
                    continue;
                }
                if d.stride == 0 {
                    return Err(DescriptorError::ZeroStride {
                        axis: self.axis_char(d.axis),
                        extent: d.extent,
                    });
                }
                let stride = d.stride.unsigned_abs() as u128;
                if stride <= reach {
                    return Err(self.why_not_nested());
                }
                // A span past the address space is refused with the base; here it must not wrap.
                reach = reach.saturating_add((d.extent - 1) as u128 * stride);
            }
        }
        Ok(())
    }

    /// The error of strides that do not nest in the order of the format.
    const fn why_not_nested(&self) -> DescriptorError {
        let digits = self.digits();
        let digits = digits.as_slice();
        let mut sorted = [DigitAt { axis: 0, divisor: 1, extent: 1, stride: 0, top: false }; MAX_DIGITS];
        let mut len = 0;
        let mut p = 0;
        while p < digits.len() {
            if digits[p].extent > 1 {
                let mut i = len;
                while i > 0 && sorted[i - 1].stride.unsigned_abs() > digits[p].stride.unsigned_abs() {
                    sorted[i] = sorted[i - 1];
                    i -= 1;
                }
                sorted[i] = digits[p];
                len += 1;
            }
            p += 1;
        }
        let mut reach = 0u128;
        let mut k = 0;
        while k < len {
            let stride = sorted[k].stride.unsigned_abs() as u128;
            if k > 0 && stride <= reach {
                return self.overlap_or_interleaved(&sorted, len, k, reach);
            }
            reach = reach.saturating_add((sorted[k].extent - 1) as u128 * stride);
            k += 1;
        }
        // They nest in another order, so some digit has a larger one inside it.
        let mut p = 0;
        while p < digits.len() {
            let mut q = p + 1;
            while q < digits.len() {
                let (outer, inner) = (digits[p], digits[q]);
                let both = outer.extent > 1 && inner.extent > 1;
                if both && outer.stride.unsigned_abs() < inner.stride.unsigned_abs() {
                    return DescriptorError::Order {
                        outer: self.axis_char(outer.axis),
                        outer_stride: outer.stride,
                        inner: self.axis_char(inner.axis),
                        inner_stride: inner.stride,
                    };
                }
                q += 1;
            }
            p += 1;
        }
        DescriptorError::ZeroStride { axis: self.axis_char(0), extent: self.dims[0] }
    }

    /// The error of strides, sorted by size, of which that at `k` is not past `reach`, the span of the smaller ones.
    const fn overlap_or_interleaved(
        &self,
        sorted: &[DigitAt; MAX_DIGITS],
        len: usize,
        k: usize,
        reach: u128,
    ) -> DescriptorError {
        let mut j = 1;
        while j < len {
            let mut i = 0;
            while i < j {
                if share_an_element(&sorted[i], &sorted[j]) {
                    return DescriptorError::Overlap {
                        axis: self.axis_char(sorted[j].axis),
                        stride: sorted[j].stride,
                        other: self.axis_char(sorted[i].axis),
                        other_stride: sorted[i].stride,
                    };
                }
                i += 1;
            }
            j += 1;
        }
        DescriptorError::Interleaved {
            axis: self.axis_char(sorted[k].axis),
            stride: sorted[k].stride,
            other: self.axis_char(sorted[k - 1].axis),
            other_stride: sorted[k - 1].stride,
            least: if reach < usize::MAX as u128 { reach as usize + 1 } else { usize::MAX },
        }
    }
}

/// Whether some steps along one digit lead as far as some steps along the other. Strides are not 0.
const fn share_an_element(one: &DigitAt, other: &DigitAt) -> bool {
    let (a, b) = (one.stride.unsigned_abs(), other.stride.unsigned_abs());
    let (mut gcd, mut rest) = (a, b);
    while rest != 0 {
        (gcd, rest) = (rest, gcd % rest);
    }
    b / gcd < one.extent && a / gcd < other.extent
}
