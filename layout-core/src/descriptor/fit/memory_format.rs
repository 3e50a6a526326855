//! PyTorch's memory formats and its rules for reading them from strides, to the letter: those for axes of extent 1 and 0
//! as well. For code that exchanges tensors with PyTorch; nothing here decides anything of ours.

use super::super::{Descriptor, DescriptorError};
use crate::grammar::{MAX_RANK, Spec};

/// PyTorch's `torch.memory_format`, apart from `preserve_format` ([`Descriptor::preserve_format`]).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum MemoryFormat {
    /// `torch.contiguous_format`: row by row, for any rank.
    Contiguous,
    /// `torch.channels_last`: rank 4 alone, axis 1 innermost.
    ChannelsLast,
    /// `torch.channels_last_3d`: rank 5 alone, axis 1 innermost.
    ChannelsLast3d,
}

impl MemoryFormat {
    /// The axes from the innermost outward; `None` where the format is not defined for the rank.
    const fn order(self, rank: usize) -> Option<[usize; MAX_RANK]> {
        let mut order = [0; MAX_RANK];
        let mut i = 0;
        while i < rank {
            order[i] = rank - 1 - i;
            i += 1;
        }
        match (self, rank) {
            (MemoryFormat::Contiguous, _) => {}
            (MemoryFormat::ChannelsLast, 4) => (order[0], order[1], order[2]) = (1, 3, 2),
            (MemoryFormat::ChannelsLast3d, 5) => {
                (order[0], order[1], order[2], order[3]) = (1, 4, 3, 2);
            }
            _ => return None,
        }
        Some(order)
    }
}

impl Descriptor {
    /// Whether PyTorch's `tensor.is_contiguous(memory_format=…)` is true of these extents and strides.
    ///
    /// Strides of axes of extent 1 do not count, so that two formats may hold at once. A tensor without elements is
    /// contiguous in `Contiguous`, whatever its strides, but in the other formats only if its strides say so. False
    /// where the rank has no such format, and for memory with blocks or padding, which PyTorch does not have.
    /// Source: `compute_contiguous` and `compute_channels_last_contiguous_2d` in `c10/core/TensorImpl.cpp`.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor, MemoryFormat};
    /// let d = Descriptor::new(DType::F32, &[2, 1, 5, 4], "nhwc")?;
    /// assert!(d.is_contiguous(MemoryFormat::ChannelsLast) && d.is_contiguous(MemoryFormat::Contiguous));
    /// # Ok::<(), layout_core::descriptor::DescriptorError>(())
    /// ```
    pub const fn is_contiguous(&self, format: MemoryFormat) -> bool {
        let Some(order) = format.order(self.rank()) else { return false };
        if !self.is_plain_and_unpadded() {
            return false;
        }
        if self.is_empty() && matches!(format, MemoryFormat::Contiguous) {
            return true;
        }
        let strides = self.strides();
        let mut expected = 1u128;
        let mut i = 0;
        while i < self.rank() {
            let (extent, stride) = (self.dims[order[i]], strides.as_slice()[order[i]]);
            if extent != 1 {
                if stride < 0 || stride as u128 != expected {
                    return false;
                }
                // Products of extents fit in 63 bits.
                expected *= extent as u128;
            }
            i += 1;
        }
        true
    }

    /// The format that PyTorch takes a tensor of these extents and strides for (`suggest_memory_format`): channels last
    /// where the strides are in that order, those of axes of extent 1 included, else contiguous.
    ///
    /// This is PyTorch's guess, with the cases in which it is wrong; see its note on the ambiguity of
    /// `is_channels_last_strides_2d` in `c10/core/MemoryFormat.h`. [`Descriptor::recognise`] does not guess.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor, MemoryFormat};
    /// let d = Descriptor::from_strides(DType::F32, &[2, 3, 5, 4], &[60, 1, 12, 3])?;
    /// assert_eq!(d.suggest_memory_format(), MemoryFormat::ChannelsLast);
    /// # Ok::<(), layout_core::descriptor::DescriptorError>(())
    /// ```
    pub const fn suggest_memory_format(&self) -> MemoryFormat {
        let format = if self.rank() == 5 { MemoryFormat::ChannelsLast3d } else { MemoryFormat::ChannelsLast };
        let Some(order) = format.order(self.rank()) else { return MemoryFormat::Contiguous };
        let strides = self.strides();
        let strides = strides.as_slice();
        // One channel of stride 0 says nothing.
        if !self.is_plain_and_unpadded() || strides[1] == 0 {
            return MemoryFormat::Contiguous;
        }
        let mut least = 0i128;
        let mut i = 0;
        while i < self.rank() {
            let axis = order[i];
            let (extent, stride) = (self.dims[axis], strides[axis] as i128);
            if extent == 0 || stride < least {
                return MemoryFormat::Contiguous;
            }
            // All axes but the batch have extent 1: no order to be seen.
            if axis == 0 && least == strides[1] as i128 {
                return MemoryFormat::Contiguous;
            }
            least = if extent > 1 { stride * extent as i128 } else { stride };
            i += 1;
        }
        format
    }

    /// The descriptor of a new tensor like this one as PyTorch makes it with `torch.preserve_format`: with these strides
    /// where they are dense and do not overlap, else dense in the same order of axes. Axes keep their letters. Memory
    /// with blocks or padding gives dense memory in the same format.
    ///
    /// Source: `empty_like` and `infer_dense_strides` in `aten/src/ATen`.
    ///
    /// # Errors
    /// [`DescriptorError::Size`] where the dense tensor passes the address space, as a broadcast one may.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// // A slice of channels-last memory stays channels last, without the gaps.
    /// let d = Descriptor::from_strides(DType::F32, &[2, 3, 5, 4], &[120, 1, 24, 4])?;
    /// assert_eq!(*d.preserve_format()?.strides(), [60, 1, 12, 3]);
    /// # Ok::<(), layout_core::descriptor::DescriptorError>(())
    /// ```
    pub fn preserve_format(&self) -> Result<Descriptor, DescriptorError> {
        if !self.is_plain_and_unpadded() {
            return Ok(Descriptor::from_spec(self.dtype, self.dims(), self.spec)?);
        }
        let (rank, strides) = (self.rank(), self.strides());
        // PyTorch calls every tensor without elements contiguous.
        if self.is_empty() || self.is_dense_without_overlap() {
            return Descriptor::from_parts(self.dtype, self.dims(), self.spec, &strides, 0);
        }
        // Innermost first. A stride of 0 compares as equal to everything, which makes the order what PyTorch's
        // insertion sort leaves; so it has to be the same sort.
        let mut order: [usize; MAX_RANK] = core::array::from_fn(|i| rank.saturating_sub(1 + i));
        for i in 1..rank {
            let mut at = i;
            for other in (0..i).rev() {
                let (one, two) = (order[other], order[at]);
                let (near, far) = (strides[one].unsigned_abs(), strides[two].unsigned_abs());
                if near == 0 || far == 0 {
                    continue;
                }
                if near > far || (near == far && self.dims[one] > self.dims[two]) {
                    order.swap(other, at);
                    at = other;
                } else if near < far {
                    break;
                }
            }
        }
        let mut dense = [0; MAX_RANK];
        let mut stride = 1isize;
        for &axis in &order[..rank] {
            dense[axis] = stride;
            let extent = isize::try_from(self.dims[axis].max(1)).unwrap_or(isize::MAX);
            stride = stride.checked_mul(extent).ok_or(DescriptorError::Size(self.too_large(axis)))?;
        }
        let mut spec = Spec::SCALAR;
        for axis in 0..rank {
            // The letters of a descriptor differ, and each axis gets one top digit: neither is refused.
            let _ = spec.push_axis(self.axis_char(axis) as u8);
        }
        for &axis in order[..rank].iter().rev() {
            let _ = spec.push_top(axis, 1);
        }
        Descriptor::from_parts(self.dtype, self.dims(), spec, &dense[..rank], 0)
    }

    /// PyTorch's `is_non_overlapping_and_dense`: in some order of the axes the strides are those of dense memory. Axes of
    /// extent 0 and 1 do not count.
    fn is_dense_without_overlap(&self) -> bool {
        let strides = self.strides();
        let mut expected = 1;
        let mut left: u16 = (0..self.rank()).filter(|&a| self.dims[a] > 1).fold(0, |left, a| left | 1 << a);
        while left != 0 {
            let next = (0..self.rank()).find(|&a| left & (1 << a) != 0 && strides[a] == expected);
            let Some(axis) = next else { return false };
            left &= !(1 << axis);
            expected *= self.dims[axis] as isize;
        }
        true
    }

    /// Whether PyTorch could have the tensor.
    const fn is_plain_and_unpadded(&self) -> bool {
        let mut a = 0;
        while a < self.rank() {
            if self.dims[a] != self.padded[a] {
                return false;
            }
            a += 1;
        }
        self.is_plain()
    }
}
