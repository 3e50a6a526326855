//! Descriptors from strides, and the checks that strides and a base offset have to pass (invariants 3 and 5).
//! Called by users, by views when they are sliced, and by the text form; dense descriptors need none of it.

use super::{DType, Descriptor, DescriptorError, DigitAt, MAX_OUTER};
use crate::grammar::{MAX_DIGITS, MAX_RANK, Spec};
use crate::shape::SizeError;

/// Whether several indices may be one element, by a stride of 0.
#[derive(Clone, Copy)]
pub(super) enum Broadcast {
    Allowed,
    Refused,
}

impl Descriptor {
    /// A plain descriptor from strides in elements, in logical order; the axes are named `a`, `b`, `c`, ….
    ///
    /// The physical order of the axes is that of their strides, largest absolute value outside; equal strides keep
    /// their logical order. Only an axis of extent 1 can share its stride with another one or have stride 0, so
    /// that several orders describe the same memory: the order of such an axis means nothing. What strides say is
    /// where elements are, never what an axis is called: 1 x 3 x 1 x 1 with strides 3, 1, 3, 3 is as much `nchw` as
    /// it is `nhwc`. To name the axes use [`Descriptor::with_strides`]; to compare use [`Descriptor::same_bytes`].
    ///
    /// # Errors
    /// As [`Descriptor::from_parts`].
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// // Rows of 3 elements with a leading dimension of 8.
    /// let d = Descriptor::from_strides(DType::F32, &[2, 3], &[8, 1])?;
    /// assert_eq!(d.offset(&[1, 2])?, 10);
    /// assert_eq!(d.to_string(), "f32:ab:2x3:strides=8x1");
    /// // Two indices of one element:
    /// let error = Descriptor::from_strides(DType::F32, &[2, 3], &[2, 1]).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "stride 2 of axis `a` and stride 1 of axis `b` overlap: two indices would be one element"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn from_strides(
        dtype: DType,
        dims: &[usize],
        strides: &[isize],
    ) -> Result<Descriptor, DescriptorError> {
        let rank = dims.len();
        if rank > MAX_RANK {
            return Err(DescriptorError::TooManyAxes { found: rank });
        }
        if strides.len() != rank {
            return Err(DescriptorError::StrideCount { expected: rank, found: strides.len() });
        }
        // Insertion sort, stable.
        let mut order = [0; MAX_RANK];
        let mut spec = Spec::SCALAR;
        let mut a = 0;
        while a < rank {
            let mut i = a;
            while i > 0 && strides[order[i - 1]].unsigned_abs() < strides[a].unsigned_abs() {
                order[i] = order[i - 1];
                i -= 1;
            }
            order[i] = a;
            // New letters within the largest rank are never refused, nor are top digits below.
            let _ = spec.push_axis(b'a' + a as u8);
            a += 1;
        }
        let mut i = 0;
        while i < rank {
            let _ = spec.push_top(order[i], 1);
            i += 1;
        }
        Descriptor::from_parts(dtype, dims, spec, strides, 0)
    }

    /// A descriptor whose axis names and inner blocks are those of `format`, with the outer strides given: a blocked
    /// tensor within a larger one, which oneDNN's interface cannot state.
    ///
    /// `strides` are in elements: one an axis in logical order (that of a block, where the axis is blocked, as
    /// [`Descriptor::strides`] gives them), and behind them, where the format has blocks outside an outer letter, one
    /// for each of those, outermost first. The blocks inside all outer letters are dense, unless there is a stride
    /// for every block.
    ///
    /// # Errors
    /// [`DescriptorError::Format`] where the text is not a format, otherwise as [`Descriptor::from_parts`].
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// // Channels 0 to 31 of a tensor with 64: dense but for the batch stride.
    /// let d = Descriptor::with_strides(DType::F32, &[2, 32, 5, 4], "nChw16c", &[64 * 20, 16 * 20, 4 * 16, 16])?;
    /// assert_eq!(d.offset(&[1, 31, 4, 3])?, 64 * 20 + 16 * 20 + 4 * 4 * 16 + 3 * 16 + 15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn with_strides(
        dtype: DType,
        dims: &[usize],
        format: &str,
        strides: &[isize],
    ) -> Result<Descriptor, DescriptorError> {
        match Spec::parse(format) {
            Ok(spec) => Descriptor::from_parts(dtype, dims, spec, strides, 0),
            Err(error) => Err(DescriptorError::Format(error)),
        }
    }

    /// A descriptor from a parsed format, strides as in [`Descriptor::with_strides`], and the offset of the element
    /// with index 0. A stride may be negative where the base leaves room for it.
    ///
    /// Strides have to nest in the order that the format states: each is larger than what the axes inside it span,
    /// padding included, as oneDNN requires too. Axes of a single value are free. Where an extent is 0 there is no
    /// element to overlap, and any strides within the address space will do.
    ///
    /// # Errors
    /// [`DescriptorError::Size`] where the extents do not fit the format or the address space,
    /// [`DescriptorError::StrideCount`], [`DescriptorError::ZeroStride`], [`DescriptorError::Overlap`],
    /// [`DescriptorError::Interleaved`], [`DescriptorError::Order`], and
    /// [`DescriptorError::BaseTooSmall`] or [`DescriptorError::BaseTooLarge`].
    pub const fn from_parts(
        dtype: DType,
        dims: &[usize],
        spec: Spec,
        strides: &[isize],
        base: usize,
    ) -> Result<Descriptor, DescriptorError> {
        let mut out = match Descriptor::unplaced(dtype, dims, spec) {
            Ok(out) => out,
            Err(error) => return Err(DescriptorError::Size(error)),
        };
        match out.set_strides(strides, Broadcast::Refused) {
            Ok(()) => out.with_base(base),
            Err(error) => Err(error),
        }
    }

    /// Takes strides in the order of [`Descriptor::with_strides`], either those of the digits up to the innermost outer
    /// letter or those of all, and checks that they nest.
    pub(super) const fn set_strides(
        &mut self,
        strides: &[isize],
        broadcast: Broadcast,
    ) -> Result<(), DescriptorError> {
        let (outer, all) = (self.spec.outer_len(), self.spec.len());
        if strides.len() != outer && (strides.len() != all || all > MAX_OUTER) {
            return Err(DescriptorError::StrideCount { expected: outer, found: strides.len() });
        }
        let mut placed = [0; MAX_DIGITS];
        let mut block = self.rank();
        let mut i = 0;
        while i < strides.len() {
            match self.spec.axis_and_size(i) {
                Some((axis, None)) => placed[i] = strides[axis],
                _ => {
                    placed[i] = strides[block];
                    block += 1;
                }
            }
            i += 1;
        }
        if strides.len() == outer {
            // Dense blocks inside: what `unplaced` starts with.
            self.stored = outer as u8;
            let mut i = 0;
            while i < outer {
                self.strides[i] = placed[i];
                i += 1;
            }
            self.check_nested(broadcast)
        } else {
            self.store_strides(&placed, broadcast)
        }
    }

    /// Takes the strides of all digits by physical position (invariant 6) and checks that they nest (invariant 5).
    pub(super) const fn store_strides(
        &mut self,
        strides: &[isize; MAX_DIGITS],
        broadcast: Broadcast,
    ) -> Result<(), DescriptorError> {
        let (outer, all) = (self.spec.outer_len(), self.spec.len());
        let mut dense = 1u128;
        let mut is_dense = true;
        let mut i = all;
        while i > outer {
            i -= 1;
            is_dense = is_dense && strides[i] >= 0 && strides[i] as u128 == dense;
            if let Some((_, Some(size))) = self.spec.axis_and_size(i) {
                // The product of all blocks is below 2^63.
                dense *= size as u128;
            }
        }
        let stored = if is_dense { outer } else { all };
        if stored > MAX_OUTER {
            return Err(DescriptorError::Size(SizeError::OuterDigits { found: stored, limit: MAX_OUTER }));
        }
        self.stored = stored as u8;
        self.strides = [0; MAX_OUTER];
        let mut i = 0;
        while i < stored {
            self.strides[i] = strides[i];
            i += 1;
        }
        self.check_nested(broadcast)
    }

    /// The same descriptor with the element of index 0 at offset `base`, in elements.
    ///
    /// # Errors
    /// [`DescriptorError::BaseTooSmall`] where negative strides reach before the start of the memory,
    /// [`DescriptorError::BaseTooLarge`] where an element lies past `isize::MAX` bytes.
    pub const fn with_base(mut self, base: usize) -> Result<Descriptor, DescriptorError> {
        let limit = isize::MAX as u128 / self.dtype.size() as u128 - 1;
        let (mut below, mut above) = (0, 0);
        let mut walk = self.inner_first();
        while let Some(d) = walk.step() {
            // Below 2^126; the sums are checked as they grow.
            let span = (d.extent as u128).saturating_sub(1) * d.stride.unsigned_abs() as u128;
            if d.stride < 0 {
                below += span;
            } else {
                above += span;
            }
            if below > limit || above > limit {
                return Err(DescriptorError::Size(self.too_large(d.axis)));
            }
        }
        if (base as u128) < below {
            return Err(DescriptorError::BaseTooSmall { base, least: below as usize });
        }
        if base as u128 + above > limit {
            return Err(DescriptorError::BaseTooLarge { base, largest: (limit - above) as usize });
        }
        self.base = base;
        Ok(self)
    }

    /// Invariant 5: from the inside, every stride passes what lies inside it.
    const fn check_nested(&self, broadcast: Broadcast) -> Result<(), DescriptorError> {
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
