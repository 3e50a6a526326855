//! bytemuck (feature `bytemuck`): bytes as views of plain-old-data elements, and the bytes of views. Members of the view
//! types; users call them.

use crate::layout::{Layout, Mapping};
use crate::shape::Shape;
use crate::view::{Tensor, TensorView, TensorViewMut, ViewError};
use ::bytemuck::{AnyBitPattern, NoUninit, Pod};

/// Checks that `len` bytes from `address` on are what a tensor of `shape` takes.
fn check<T, L: Layout, S: Shape<L::Index>>(shape: S, address: usize, len: usize) -> Result<(), ViewError> {
    let elements = Mapping::<L, S>::for_elements_of(size_of::<T>(), shape)?.required_len();
    // Below `isize::MAX`, which the mapping has checked.
    let expected = elements * size_of::<T>();
    if len != expected {
        return Err(ViewError::ByteLength { expected, found: len });
    }
    match address % align_of::<T>() {
        0 => Ok(()),
        _ if expected == 0 => Ok(()),
        past => Err(ViewError::Alignment { required: align_of::<T>(), past }),
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "bytemuck")))]
impl<'a, T: AnyBitPattern, L: Layout, S: Shape<L::Index>> TensorView<'a, T, L, S> {
    /// A view of bytes as elements in physical order, padding included, of any type for which every bit pattern is a value.
    ///
    /// # Errors
    /// [`ViewError::Size`] for extents that no memory holds; [`ViewError::ByteLength`] where there are not as many bytes as
    /// the layout requires; [`ViewError::Alignment`] where they are not aligned to an element.
    ///
    /// ```
    /// use layout_core::layout::Nhwc;
    /// use layout_core::view::{TensorView, ViewError};
    ///
    /// let samples: Vec<u16> = (0..12).map(|i| 1000 * i).collect();
    /// let bytes: &[u8] = bytemuck::cast_slice(&samples);
    /// let v: TensorView<'_, u16, Nhwc> = TensorView::from_bytes([1, 3, 2, 2], bytes)?;
    /// assert_eq!(v[[0, 2, 1, 1]], 11000);
    /// assert_eq!(
    ///     TensorView::<u16, Nhwc>::from_bytes([1, 3, 2, 2], &bytes[2..]).err(),
    ///     Some(ViewError::ByteLength { expected: 24, found: 22 })
    /// );
    /// # Ok::<(), ViewError>(())
    /// ```
    pub fn from_bytes(shape: S, bytes: &'a [u8]) -> Result<Self, ViewError> {
        check::<T, L, S>(shape, bytes.as_ptr().addr(), bytes.len())?;
        // Refused for no bytes that are not aligned, and for elements of no size.
        Self::from_slice(shape, ::bytemuck::try_cast_slice(bytes).unwrap_or(&[]))
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "bytemuck")))]
impl<T: NoUninit, L: Layout, S: Shape<L::Index>> TensorView<'_, T, L, S> {
    /// The bytes of the memory in physical order, padding included.
    pub fn as_bytes(&self) -> &[u8] {
        ::bytemuck::cast_slice(self.as_slice())
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "bytemuck")))]
impl<'a, T: Pod, L: Layout, S: Shape<L::Index>> TensorViewMut<'a, T, L, S> {
    /// A view of bytes as elements in physical order, to read and write. The padding is overwritten with zeros;
    /// [`from_bytes_dirty`](Self::from_bytes_dirty) leaves it.
    ///
    /// # Errors
    /// As for [`TensorView::from_bytes`].
    pub fn from_bytes(shape: S, bytes: &'a mut [u8]) -> Result<Self, ViewError> {
        let mut view = Self::from_bytes_dirty(shape, bytes)?;
        view.fill_padding(T::zeroed());
        Ok(view)
    }

    /// [`from_bytes`](Self::from_bytes) with the padding left as it is.
    ///
    /// # Errors
    /// As for [`TensorView::from_bytes`].
    pub fn from_bytes_dirty(shape: S, bytes: &'a mut [u8]) -> Result<Self, ViewError> {
        check::<T, L, S>(shape, bytes.as_ptr().addr(), bytes.len())?;
        Self::from_slice_dirty(shape, ::bytemuck::try_cast_slice_mut(bytes).unwrap_or(&mut []))
    }

    /// The bytes of the memory in physical order, padding included.
    pub fn as_bytes(&self) -> &[u8] {
        ::bytemuck::cast_slice(self.as_slice())
    }

    /// The bytes of the memory in physical order, padding included, to write. What is written to padding stays there.
    pub fn as_bytes_mut(&mut self) -> &mut [u8] {
        ::bytemuck::cast_slice_mut(self.as_mut_slice())
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "bytemuck")))]
impl<T: NoUninit, L: Layout, S: Shape<L::Index>> Tensor<T, L, S> {
    /// The bytes of the memory in physical order, padding included.
    pub fn as_bytes(&self) -> &[u8] {
        ::bytemuck::cast_slice(self.as_slice())
    }

    /// The bytes of the memory in physical order, padding included, to write. What is written to padding stays there.
    pub fn as_bytes_mut(&mut self) -> &mut [u8]
    where
        T: AnyBitPattern,
    {
        ::bytemuck::cast_slice_mut(self.as_mut_slice())
    }
}
