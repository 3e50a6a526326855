//! The checked bridge between descriptors with strides and strided views, both ways. The way out serves the reorder room
//! for every operand.

use super::{ViewError, shape_of};
use crate::descriptor::{AlgebraError, DType, Descriptor, DescriptorError, Element};
use crate::grammar::MAX_DIGITS;
use crate::layout::{Dirty, Layout, Mapping, StrideArray, StridedMapping, assert_not_filled};
use crate::shape::Shape;
use crate::view::def::{StridedView, StridedViewMut};
use crate::view::operand::View;
use core::ptr::NonNull;

/// The descriptor of a view whose elements are `dtype`.
pub(crate) fn describe<V: View>(view: &V, dtype: DType) -> Result<Descriptor, AlgebraError> {
    let dims = view.dims();
    let spec = V::Layout::SPEC;
    if view.is_dense() {
        return Descriptor::from_spec(dtype, dims.as_ref(), spec)
            .map_err(|error| AlgebraError::Descriptor(DescriptorError::Size(error)));
    }
    // One stride an axis in logical order, then one for each block outside an outer letter.
    let digits = view.digit_strides();
    let mut strides = [0; MAX_DIGITS];
    let mut count = 0;
    // An axis that was broadcast is described with extent 1 first: strides have to be different from 0 elsewhere.
    let mut single = dims;
    for axis in 0..spec.rank() {
        if let Some(top) = spec.top_of(axis) {
            strides[count] = digits.as_ref()[top];
            if strides[count] == 0 && dims.as_ref()[axis] > 1 {
                single.as_mut()[axis] = 1;
            }
            count += 1;
        }
    }
    for (at, &stride) in digits.as_ref().iter().enumerate().take(spec.outer_len()) {
        if spec.significance(at).is_some() {
            strides[count] = stride;
            count += 1;
        }
    }
    let mut out = Descriptor::from_parts(dtype, single.as_ref(), spec, &strides[..count], 0)
        .map_err(AlgebraError::Descriptor)?;
    for (axis, &extent) in dims.as_ref().iter().enumerate() {
        if single.as_ref()[axis] != extent {
            out = out.broadcast(axis, extent)?;
        }
    }
    Ok(out)
}

/// Checks that `descriptor` says of memory what the type does, strides apart, and that its memory is within `bytes`; gives
/// the first element and the mapping.
fn place<T: Element, L: Layout, S: Shape<L::Index>>(
    descriptor: &Descriptor,
    bytes: NonNull<[u8]>,
) -> Result<(NonNull<T>, StridedMapping<L, S>), ViewError> {
    let shape = shape_of::<T, L, S>(descriptor)?;
    let empty = Mapping::<L, S>::for_elements_of(size_of::<T>(), shape)?.is_empty();
    let mut strides = L::Strides::ZERO;
    for (stride, digit) in strides.as_mut().iter_mut().zip(descriptor.digits().iter()) {
        if digit.extent > 1 && digit.stride < 0 {
            return Err(ViewError::NegativeStride { axis: L::AXES[digit.axis], stride: digit.stride });
        }
        *stride = digit.stride.max(0);
    }
    // Saturates for no memory that there is.
    let expected = descriptor.required_len().saturating_mul(size_of::<T>());
    if !empty && bytes.len() < expected {
        return Err(ViewError::ByteLength { expected, found: bytes.len() });
    }
    // SAFETY: the extents were checked; with the descriptor's strides every padded index has an offset below
    // `required_len`, and a whole descriptor has dense inner blocks.
    let mapping = unsafe { StridedMapping::from_parts(shape, strides) };
    if empty {
        return Ok((NonNull::dangling(), mapping));
    }
    // SAFETY: the element with index 0 lies within the bytes, which were just counted.
    let first = unsafe { bytes.cast::<u8>().add(descriptor.base() * size_of::<T>()) };
    match first.addr().get() % align_of::<T>() {
        0 => Ok((first.cast(), mapping)),
        past => Err(ViewError::Alignment { required: align_of::<T>(), past }),
    }
}

impl<'a, T: Element, L: Layout, S: Shape<L::Index>> StridedView<'a, T, L, S> {
    /// The tensor that `descriptor` describes in `bytes`, if that is what the type says, strides apart. The bytes may go on
    /// behind it.
    ///
    /// # Errors
    /// As for [`TensorView::from_descriptor`](super::super::TensorView::from_descriptor), but any strides will do that are
    /// not negative ([`ViewError::NegativeStride`]).
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// use layout_core::layout::RowMajor;
    /// use layout_core::view::{StridedView, ViewError};
    /// // A matrix of 2 rows and 3 columns with a leading dimension of 5.
    /// let descriptor = Descriptor::with_strides(DType::U8, &[2, 3], "ab", &[5, 1]).unwrap();
    /// let v: StridedView<'_, u8, RowMajor> = StridedView::from_descriptor(&descriptor, &[1, 2, 3, 0, 0, 4, 5, 6])?;
    /// assert_eq!(v[[1, 2]], 6);
    /// assert_eq!(v.descriptor().unwrap(), descriptor);
    /// # Ok::<(), ViewError>(())
    /// ```
    pub fn from_descriptor(descriptor: &Descriptor, bytes: &'a [u8]) -> Result<Self, ViewError> {
        let (ptr, mapping) = place::<T, L, S>(descriptor, NonNull::from(bytes))?;
        // SAFETY: `place` checked alignment and that all offsets lie within the bytes, which are borrowed for `'a`; every
        // bit pattern is an `Element`.
        Ok(unsafe { StridedView::from_parts(ptr, mapping) })
    }

    /// The run-time descriptor of this memory, from its first element on.
    ///
    /// # Errors
    /// [`AlgebraError`] where no descriptor has the strides: more digits than it stores strides for.
    pub fn descriptor(&self) -> Result<Descriptor, AlgebraError> {
        describe(self, T::DTYPE)
    }
}

impl<'a, T: Element, L: Layout, S: Shape<L::Index>> StridedViewMut<'a, T, L, S> {
    /// The tensor that `descriptor` describes in `bytes`, if that is what the type says, strides apart. Its padding is
    /// overwritten with zeros.
    ///
    /// # Errors
    /// As for [`StridedView::from_descriptor`]; [`ViewError::Shared`] where places are shared by several indices.
    pub fn from_descriptor(descriptor: &Descriptor, bytes: &'a mut [u8]) -> Result<Self, ViewError>
    where
        T: Default,
    {
        const { assert_not_filled::<L>() }
        let mut view = Self::described(descriptor, bytes)?;
        view.zero_padding();
        Ok(view)
    }

    /// [`from_descriptor`](Self::from_descriptor) with the padding left as it is: it may hold anything, and the type says so.
    ///
    /// # Errors
    /// As for [`from_descriptor`](Self::from_descriptor).
    pub fn from_descriptor_dirty(
        descriptor: &Descriptor,
        bytes: &'a mut [u8],
    ) -> Result<StridedViewMut<'a, T, Dirty<L::Zeroed>, S>, ViewError> {
        StridedViewMut::described(descriptor, bytes)
    }

    /// The view, whatever its type says of padding.
    fn described(descriptor: &Descriptor, bytes: &'a mut [u8]) -> Result<Self, ViewError> {
        if !descriptor.is_unique() {
            return Err(ViewError::Shared);
        }
        let (ptr, mapping) = place::<T, L, S>(descriptor, NonNull::from(bytes))?;
        // SAFETY: as in `StridedView::from_descriptor`, the bytes being borrowed exclusively; the offsets of padded indices
        // differ, which the descriptor upholds where no stride is 0.
        Ok(unsafe { StridedViewMut::from_parts(ptr, mapping) })
    }

    /// The run-time descriptor of this memory, from its first element on.
    ///
    /// # Errors
    /// As for [`StridedView::descriptor`].
    pub fn descriptor(&self) -> Result<Descriptor, AlgebraError> {
        describe(self, T::DTYPE)
    }
}
