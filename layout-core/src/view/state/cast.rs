//! Another layout for the same bytes: no reorder, where one tensor lies alike in two layouts. Moves nothing.

use crate::descriptor::{DType, Descriptor};
use crate::layout::{Layout, Mapping, SameAxes, ZeroPadding};
use crate::shape::Shape;
use crate::view::def::{Tensor, TensorView};
use crate::view::error::ViewError;

/// The mapping in layout `To`, if it places elements and padding as `mapping` does.
fn same_places<L: Layout, To: SameAxes<L>, S: Shape<L::Index>>(
    mapping: &Mapping<L, S>,
) -> Result<Mapping<To, S>, ViewError> {
    let dims = mapping.dims();
    let of = |spec| Descriptor::from_spec(DType::U8, dims.as_ref(), spec);
    if !of(L::SPEC)?.same_memory(&of(To::SPEC)?) {
        return Err(ViewError::OtherPlaces { from: const { &L::SPEC }, to: const { &To::SPEC } });
    }
    // SAFETY: the padded extents are those of `mapping`, which has checked them: the places are the same.
    Ok(unsafe { Mapping::new_unchecked(mapping.shape()) })
}

impl<'a, T, L: ZeroPadding, S: Shape<L::Index>> TensorView<'a, T, L, S> {
    /// The same memory in layout `To`, where both have the same bytes for these extents: `nchw` of one channel is `nhwc`, and
    /// `nhwc` of 16 channels is `nChw16c`.
    ///
    /// # Errors
    /// [`ViewError::OtherPlaces`] where elements or padding lie elsewhere, and `to_layout` is what moves them;
    /// [`ViewError::Size`] where the padded extents of `To` are more than memory holds.
    ///
    /// ```
    /// use layout_core::layout::{Nchw, Nchw16c, Nhwc};
    /// use layout_core::view::{Tensor, TensorView};
    /// let pixels = Tensor::<f32, Nhwc, _>::from_fn([1, 16, 4, 4], |[_, c, _, _]| c as f32)?;
    /// let blocks: TensorView<'_, f32, Nchw16c> = pixels.view().cast_layout()?;
    /// assert_eq!((blocks[[0, 7, 3, 3]], blocks.as_ptr()), (7.0, pixels.as_ptr()));
    /// let error = pixels.view().cast_layout::<Nchw>().unwrap_err();
    /// assert_eq!(error.to_string(), "`nhwc` and `nchw` have other bytes for these extents: `to_layout` moves the elements");
    /// # Ok::<(), layout_core::view::ViewError>(())
    /// ```
    pub fn cast_layout<To: ZeroPadding + SameAxes<L>>(&self) -> Result<TensorView<'a, T, To, S>, ViewError> {
        let mapping = same_places::<L, To, S>(self.mapping())?;
        // SAFETY: invariants 1 and 2: the memory is as long, and all of it is that of `self`.
        Ok(unsafe { TensorView::from_parts(self.ptr(), mapping) })
    }
}

impl<T, L: ZeroPadding, S: Shape<L::Index>> Tensor<T, L, S> {
    /// The same memory in layout `To`, where both have the same bytes for these extents; the tensor as it was where they have
    /// not. [`into_layout`](Self::into_layout) moves the elements then.
    ///
    /// # Errors
    /// The tensor.
    ///
    /// ```
    /// use layout_core::layout::{Nchw, Nhwc};
    /// use layout_core::view::Tensor;
    /// let gray = Tensor::<u8, Nhwc>::filled([2, 1, 4, 4], 3)?;
    /// let planes: Tensor<u8, Nchw> = gray.cast_layout().unwrap();
    /// assert_eq!(planes[[1, 0, 3, 3]], 3);
    /// assert!(Tensor::<u8, Nhwc>::filled([2, 3, 4, 4], 3)?.cast_layout::<Nchw>().is_err());
    /// # Ok::<(), layout_core::view::ViewError>(())
    /// ```
    pub fn cast_layout<To: ZeroPadding + SameAxes<L>>(self) -> Result<Tensor<T, To, S>, Self> {
        match same_places::<L, To, S>(self.mapping()) {
            // SAFETY: both mappings have the same places, so that they require as many elements.
            Ok(mapping) => Ok(unsafe { self.with_mapping(mapping) }),
            Err(_) => Err(self),
        }
    }
}
