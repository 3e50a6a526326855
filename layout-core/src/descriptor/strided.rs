//! Descriptors from strides and a base offset, and the check that they stay in the address space (invariant 3).
//! Called by users, by views when they are sliced, and by the text form; dense descriptors need none of it.

use super::{DType, Descriptor, DescriptorError, MAX_OUTER};
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
        match order_of(dims, strides) {
            Ok(spec) => Descriptor::from_parts(dtype, dims, spec, strides, 0),
            Err(error) => Err(error),
        }
    }

    /// As [`Descriptor::from_strides`], but a stride may be 0 along more than one index: all of them are one element, as
    /// NumPy and PyTorch describe tensors that were broadcast. The result can be read, not written
    /// (see [`Descriptor::is_unique`]).
    ///
    /// # Errors
    /// As [`Descriptor::from_strides`], apart from [`DescriptorError::ZeroStride`].
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// let row = Descriptor::from_broadcast_strides(DType::F32, &[4, 3], &[0, 1])?;
    /// assert_eq!((row.offset(&[3, 2])?, row.required_len(), row.is_unique()), (2, 3, false));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn from_broadcast_strides(
        dtype: DType,
        dims: &[usize],
        strides: &[isize],
    ) -> Result<Descriptor, DescriptorError> {
        let spec = match order_of(dims, strides) {
            Ok(spec) => spec,
            Err(error) => return Err(error),
        };
        let mut out = match Descriptor::unplaced(dtype, dims, spec) {
            Ok(out) => out,
            Err(error) => return Err(DescriptorError::Size(error)),
        };
        match out.set_strides(strides, Broadcast::Allowed) {
            Ok(()) => out.with_base(0),
            Err(error) => Err(error),
        }
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
        match Spec::parse_for_bits(format, dims.len(), dtype.bits()) {
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
}

/// The plain format of axes `a`, `b`, `c`, … whose physical order is that of their strides.
const fn order_of(dims: &[usize], strides: &[isize]) -> Result<Spec, DescriptorError> {
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
    Ok(spec)
}
