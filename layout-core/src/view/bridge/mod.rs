//! The checked bridge between the run-time [`Descriptor`] over bytes and the typed views: everything that the type says
//! is compared with the descriptor before a view is made.

mod strided;

pub(crate) use strided::describe;

use super::def::{Tensor, TensorView, TensorViewMut};
use super::error::ViewError;
use crate::descriptor::{Descriptor, Element};
use crate::layout::{Dirty, Layout, Mapping, assert_not_filled};
use crate::shape::{IndexArray, Shape, SizeError};
use core::ptr::NonNull;

/// Checks that `descriptor` says of memory what the type does, strides apart, and gives the shape.
fn shape_of<T: Element, L: Layout, S: Shape<L::Index>>(descriptor: &Descriptor) -> Result<S, ViewError> {
    if descriptor.dtype() != T::DTYPE {
        return Err(ViewError::DType { expected: T::DTYPE, found: descriptor.dtype() });
    }
    same_format::<L>(descriptor)?;
    if !descriptor.is_whole() {
        return Err(ViewError::NotWhole);
    }
    let mut dims = L::Index::ZERO;
    for (to, &extent) in dims.as_mut().iter_mut().zip(descriptor.dims()) {
        *to = extent;
    }
    S::from_dims(dims).map_err(|(axis, expected)| ViewError::Extent {
        axis: L::AXES[axis],
        expected,
        found: dims.as_ref()[axis],
    })
}

/// Checks that `descriptor` says of memory what the type does, and gives the mapping.
fn mapping_of<T: Element, L: Layout, S: Shape<L::Index>>(
    descriptor: &Descriptor,
) -> Result<Mapping<L, S>, ViewError> {
    let shape = shape_of::<T, L, S>(descriptor)?;
    let mapping = Mapping::<L, S>::for_elements_of(size_of::<T>(), shape)?;
    let strides = mapping.digit_strides();
    for (position, &expected) in strides.as_ref().iter().enumerate().rev() {
        if let Some(digit) = descriptor.digit(position)
            && digit.extent > 1
            && digit.stride != expected
            && !mapping.is_empty()
        {
            return Err(ViewError::Stride {
                axis: L::AXES[digit.axis],
                position,
                expected,
                found: digit.stride,
            });
        }
    }
    Ok(mapping)
}

/// Checks axis names, digits and padding.
fn same_format<L: Layout>(descriptor: &Descriptor) -> Result<(), ViewError> {
    let (layout, found) = (&L::SPEC, descriptor.spec());
    if layout.rank() != found.rank() {
        return Err(ViewError::Rank { expected: layout.rank(), found: found.rank() });
    }
    for (position, &expected) in L::AXES.iter().enumerate() {
        if let Some(found) = found.axis_name(position)
            && found != expected
        {
            return Err(ViewError::AxisName { position, expected, found });
        }
    }
    for position in 0..layout.len().max(found.len()) {
        let (expected, found) = (layout.digit(position), found.digit(position));
        if expected != found {
            return Err(ViewError::Digits { axes: L::AXES, position, expected, found });
        }
    }
    for (position, &axis) in L::AXES.iter().enumerate() {
        let (expected, found) = (layout.stated_multiple(position), found.stated_multiple(position));
        if expected != found {
            return Err(ViewError::Padding { axis, expected, found });
        }
    }
    Ok(())
}

/// The first element of a tensor with `mapping` that starts `base` elements into `len` bytes at `bytes`; aligned, and with
/// the whole tensor inside.
fn first_element<T: Element, L: Layout, S: Shape<L::Index>>(
    bytes: NonNull<[u8]>,
    base: usize,
    mapping: &Mapping<L, S>,
) -> Result<NonNull<T>, ViewError> {
    let elements = mapping.required_len();
    // Saturates for no memory that there is. A tensor without elements needs none, wherever it starts.
    let expected =
        if elements == 0 { 0 } else { base.saturating_add(elements).saturating_mul(size_of::<T>()) };
    if bytes.len() != expected {
        return Err(ViewError::ByteLength { expected, found: bytes.len() });
    }
    if elements == 0 {
        return Ok(NonNull::dangling());
    }
    // SAFETY: `base` elements lie within the bytes, which were just counted.
    let first = unsafe { bytes.cast::<u8>().add(base * size_of::<T>()) };
    let past = first.addr().get() % align_of::<T>();
    if past != 0 {
        return Err(ViewError::Alignment { required: align_of::<T>(), past });
    }
    Ok(first.cast())
}

impl<'a, T: Element, L: Layout, S: Shape<L::Index>> TensorView<'a, T, L, S> {
    /// The tensor that `descriptor` describes in `bytes`, if that is what the type says. What the padding holds is not
    /// looked at, as in [`from_slice`](Self::from_slice).
    ///
    /// # Errors
    /// [`ViewError::DType`], [`ViewError::Rank`], [`ViewError::AxisName`], [`ViewError::Digits`], [`ViewError::Padding`] for
    /// another format; [`ViewError::Extent`] for a fixed extent that differs; [`ViewError::NotWhole`] for parts of blocks
    /// and extra padding; [`ViewError::Stride`] where the descriptor is not dense; [`ViewError::ByteLength`] and [`ViewError::Alignment`] for memory that does not fit.
    ///
    /// ```
    /// use layout_core::descriptor::DType;
    /// use layout_core::layout::{Layout, Nchw8c, Nhwc};
    /// use layout_core::view::{TensorView, ViewError};
    ///
    /// let descriptor = Nchw8c::descriptor(DType::U8, [1, 3, 2, 2])?;
    /// let bytes = [7; 32];
    /// let v: TensorView<'_, u8, Nchw8c> = TensorView::from_descriptor(&descriptor, &bytes)?;
    /// assert_eq!(v.dims(), [1, 3, 2, 2]);
    /// assert!(matches!(
    ///     TensorView::<u8, Nhwc>::from_descriptor(&descriptor, &bytes),
    ///     Err(ViewError::Digits { position: 1, .. })
    /// ));
    /// # Ok::<(), ViewError>(())
    /// ```
    pub fn from_descriptor(descriptor: &Descriptor, bytes: &'a [u8]) -> Result<Self, ViewError> {
        let mapping = mapping_of::<T, L, S>(descriptor)?;
        let ptr = first_element(NonNull::from(bytes), descriptor.base(), &mapping)?;
        // SAFETY: invariant 1: `first_element` checked alignment and length, and every bit pattern is an `Element`.
        // Invariant 2: `for_elements_of` checked the size.
        Ok(unsafe { TensorView::from_parts(ptr, mapping) })
    }

    /// The run-time descriptor of this memory.
    ///
    /// # Errors
    /// [`SizeError`] where the layout has more digits than a descriptor stores strides for.
    pub fn descriptor(&self) -> Result<Descriptor, SizeError> {
        L::descriptor(T::DTYPE, self.dims())
    }
}

impl<'a, T: Element, L: Layout, S: Shape<L::Index>> TensorViewMut<'a, T, L, S> {
    /// The tensor that `descriptor` describes in `bytes`, if that is what the type says. The padding is overwritten with
    /// zeros; [`from_descriptor_dirty`](Self::from_descriptor_dirty) leaves it.
    ///
    /// # Errors
    /// As for [`TensorView::from_descriptor`].
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
    /// As for [`TensorView::from_descriptor`].
    pub fn from_descriptor_dirty(
        descriptor: &Descriptor,
        bytes: &'a mut [u8],
    ) -> Result<TensorViewMut<'a, T, Dirty<L::Zeroed>, S>, ViewError> {
        TensorViewMut::described(descriptor, bytes)
    }

    /// The view, whatever its type says of padding.
    fn described(descriptor: &Descriptor, bytes: &'a mut [u8]) -> Result<Self, ViewError> {
        let mapping = mapping_of::<T, L, S>(descriptor)?;
        let ptr = first_element(NonNull::from(bytes), descriptor.base(), &mapping)?;
        // SAFETY: invariant 1: `first_element` checked alignment and length; every bit pattern is an `Element`, and every
        // `Element` is bytes. Invariant 2: `for_elements_of` checked the size.
        Ok(unsafe { TensorViewMut::from_parts(ptr, mapping) })
    }

    /// The run-time descriptor of this memory.
    ///
    /// # Errors
    /// As for [`TensorView::descriptor`].
    pub fn descriptor(&self) -> Result<Descriptor, SizeError> {
        self.view().descriptor()
    }
}

impl<T: Element, L: Layout, S: Shape<L::Index>> Tensor<T, L, S> {
    /// The run-time descriptor of this memory.
    ///
    /// # Errors
    /// As for [`TensorView::descriptor`].
    pub fn descriptor(&self) -> Result<Descriptor, SizeError> {
        self.view().descriptor()
    }
}
