//! ndarray (feature `ndarray`): array views as tensor views and back without a copy, and owned arrays by a reorder. Members
//! of the view types, and the `From` and `TryFrom` that call them.

use super::ConnectError;
use super::rows::to_vec;
use super::tensor_bytes::{not_plain, plain, tensor_from};
use crate::descriptor::{DType, Descriptor, Element};
use crate::grammar::MAX_RANK;
use crate::layout::{Layout, StrideArray, StridedMapping};
use crate::shape::{IndexArray, Shape};
use crate::view::{DynView, StridedView, StridedViewMut, Tensor, TensorView, TensorViewMut, View, ViewError};
use ::ndarray::{
    Array, ArrayBase, ArrayView, ArrayViewD, ArrayViewMut, Axis, Data, Dimension, IntoDimension, IxDyn,
    ShapeBuilder,
};
use alloc::string::ToString;
use alloc::vec::Vec;
use core::ptr::NonNull;

/// The dimension type of arrays of as many axes as `L` has: `Ix4` for `nchw`.
type Dim<L> = <<L as Layout>::Index as IntoDimension>::Dim;

/// What an array's extents and strides are in layout `L`: a mapping that upholds the invariants of strided views over the
/// array's elements. `unique` where they are to be written.
fn mapping<L: Layout>(
    shape: &[usize],
    strides: &[isize],
    unique: bool,
) -> Result<StridedMapping<L>, ConnectError> {
    const {
        assert!(
            L::SPEC.len() == L::RANK && L::SPEC.inner_len() == 1,
            "an array has one stride an axis: this layout has blocks; `Tensor::from_ndarray` reorders"
        );
    };
    if shape.len() != L::RANK {
        return Err(ViewError::Rank { expected: L::RANK, found: shape.len() }.into());
    }
    let empty = shape.contains(&0);
    for (axis, (&stride, &extent)) in strides.iter().zip(shape).enumerate() {
        if stride < 0 && extent > 1 && !empty {
            return Err(ViewError::NegativeStride { axis: L::AXES[axis], stride }.into());
        }
        if stride == 0 && extent > 1 && !empty && unique {
            return Err(ViewError::Shared.into());
        }
    }
    // Strides of axes of one index mean nothing, and may be negative.
    let clean = |axis: usize| if shape[axis] > 1 && !empty { strides[axis] } else { strides[axis].max(0) };
    let cleaned: Vec<isize> = (0..L::RANK).map(clean).collect();
    if !empty {
        // Whether they nest in the order of the letters. Sizes in bytes were checked by the array.
        let anonymous = plain(DType::U8, shape, &cleaned)?;
        super::tensor_bytes::named(&anonymous, L::SPEC)?;
    }
    let mut dims = L::Index::ZERO;
    dims.as_mut().copy_from_slice(shape);
    let mut placed = L::Strides::ZERO;
    for (to, &axis) in placed.as_mut().iter_mut().zip(L::OUTER_ORDER) {
        *to = if empty { 0 } else { cleaned[axis] };
    }
    for (&extent, &multiple) in shape.iter().zip(L::PADDING) {
        if extent % multiple != 0 {
            return Err(ViewError::NotWhole.into());
        }
    }
    // SAFETY: the strides are those of an array in memory, none negative, so that the offset of every index is below
    // `isize::MAX`; padded extents are the extents; the layout has no dense inner block.
    Ok(unsafe { StridedMapping::from_parts(dims, placed) })
}

/// The extents and strides of `view` for ndarray.
fn shape_of<V>(view: &V) -> ::ndarray::StrideShape<Dim<V::Layout>>
where
    V: View<Layout: Layout<Index: IntoDimension>>,
{
    const {
        assert!(
            <V::Layout as Layout>::SPEC.len() == <V::Layout as Layout>::RANK,
            "an array has one stride an axis: this layout has blocks; `to_ndarray` reorders"
        );
    };
    let mut strides = <V::Layout as Layout>::Index::ZERO;
    let digits = view.digit_strides();
    for (&axis, &stride) in <V::Layout as Layout>::OUTER_ORDER.iter().zip(digits.as_ref()) {
        // No view has negative strides.
        strides.as_mut()[axis] = stride.max(0) as usize;
    }
    view.dims().into_dimension().strides(strides.into_dimension())
}

/// Where the array's own error is none without its standard library, its text is.
fn shape_error(error: ::ndarray::ShapeError) -> ConnectError {
    ConnectError::library("ndarray", error.to_string())
}

/// A pointer that no array has as null.
fn first<T>(ptr: *mut T) -> NonNull<T> {
    NonNull::new(ptr).unwrap_or(NonNull::dangling())
}

#[cfg_attr(docsrs, doc(cfg(feature = "ndarray")))]
impl<'a, T, L: Layout> StridedView<'a, T, L> {
    /// The elements of an array, without a copy. Axis `i` of the array is logical axis `i` of the layout, which is plain; the
    /// strides have to be in the order of its letters, outermost largest, with any gaps.
    ///
    /// # Errors
    /// [`ViewError::Rank`]; [`ViewError::NegativeStride`] for an axis that was inverted;
    /// [`DescriptorError::Order`](crate::descriptor::DescriptorError::Order) where the strides are in another order, and
    /// others of that type where they do not nest. [`Tensor::from_ndarray`] takes all of these.
    ///
    /// ```
    /// use layout_core::layout::{ColumnMajor, RowMajor};
    /// use layout_core::view::StridedView;
    /// use ndarray::{Array2, s};
    ///
    /// let array = Array2::from_shape_fn((4, 6), |(i, j)| (10 * i + j) as i32);
    /// let v: StridedView<'_, i32, RowMajor> = StridedView::from_ndarray(array.slice(s![1.., ..;2]))?;
    /// assert_eq!((v.dims(), v[[2, 1]]), ([3, 3], 32));
    /// let t: StridedView<'_, i32, ColumnMajor> = StridedView::from_ndarray(array.t())?;
    /// assert_eq!(t[[1, 2]], 21);
    /// assert!(StridedView::<i32, RowMajor>::from_ndarray(array.t()).is_err());
    /// # Ok::<(), layout_core::connect::ConnectError>(())
    /// ```
    pub fn from_ndarray<D: Dimension>(array: ArrayView<'a, T, D>) -> Result<Self, ConnectError> {
        let mapping = mapping::<L>(array.shape(), array.strides(), false)?;
        let first = first(array.as_ptr().cast_mut());
        // SAFETY: the array's elements can be read while `'a` lasts, and the mapping reaches them alone.
        Ok(unsafe { StridedView::from_parts(first, mapping) })
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "ndarray")))]
impl<'a, T, L: Layout> StridedViewMut<'a, T, L> {
    /// The elements of an array, to write, without a copy: see [`StridedView::from_ndarray`].
    ///
    /// # Errors
    /// As there; [`ViewError::Shared`] for an axis of stride 0.
    pub fn from_ndarray<D: Dimension>(mut array: ArrayViewMut<'a, T, D>) -> Result<Self, ConnectError> {
        let mapping = mapping::<L>(array.shape(), array.strides(), true)?;
        let first = first(array.as_mut_ptr());
        // SAFETY: nobody else reaches the array's elements while `'a` lasts; the mapping reaches them alone, and strides that
        // nest, none of them 0, give different indices different places.
        Ok(unsafe { StridedViewMut::from_parts(first, mapping) })
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "ndarray")))]
impl<'a, T, L: Layout> TensorView<'a, T, L> {
    /// The elements of an array, without a copy, where they are dense in the order of the layout.
    ///
    /// # Errors
    /// As for [`StridedView::from_ndarray`]; [`ViewError::Stride`] where there are gaps.
    ///
    /// ```
    /// use layout_core::layout::{Nchw, Nhwc};
    /// use layout_core::view::TensorView;
    /// use ndarray::Array4;
    ///
    /// let array = Array4::from_shape_fn((1, 2, 2, 3), |(_, c, h, w)| (100 * c + 10 * h + w) as f32);
    /// let planes: TensorView<'_, f32, Nchw> = TensorView::from_ndarray(array.view())?;
    /// assert_eq!(planes[[0, 1, 1, 2]], 112.0);
    /// // Axes n, h, w, c in this order: nhwc, once they are permuted to the logical order.
    /// let pixels: TensorView<'_, f32, Nhwc> = TensorView::from_ndarray(array.view().permuted_axes([0, 3, 1, 2]))?;
    /// assert_eq!((pixels.dims(), pixels[[0, 2, 1, 1]]), ([1, 3, 2, 2], 112.0));
    /// # Ok::<(), layout_core::connect::ConnectError>(())
    /// ```
    pub fn from_ndarray<D: Dimension>(array: ArrayView<'a, T, D>) -> Result<Self, ConnectError> {
        Ok(StridedView::from_ndarray(array)?.try_dense()?)
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "ndarray")))]
impl<'a, T, L: Layout> TensorViewMut<'a, T, L> {
    /// The elements of an array, to write, without a copy, where they are dense in the order of the layout.
    ///
    /// # Errors
    /// As for [`TensorView::from_ndarray`].
    pub fn from_ndarray<D: Dimension>(array: ArrayViewMut<'a, T, D>) -> Result<Self, ConnectError> {
        Ok(StridedViewMut::from_ndarray(array)?.into_dense()?)
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "ndarray")))]
impl<T: Element, L: Layout> Tensor<T, L> {
    /// The elements of an array in any layout, converted to `T`, whatever the strides of the array are.
    ///
    /// # Errors
    /// [`ViewError::Rank`]; [`ViewError::Size`] and [`ViewError::Memory`].
    ///
    /// ```
    /// use layout_core::layout::Nchw16c;
    /// use layout_core::view::Tensor;
    /// use ndarray::{Array4, s};
    ///
    /// let array = Array4::from_shape_fn((1, 3, 4, 5), |(_, c, h, w)| (100 * c + 10 * h + w) as u8);
    /// let mirrored: Tensor<f32, Nchw16c> = Tensor::from_ndarray(&array.slice(s![.., .., .., ..;-1]))?;
    /// assert_eq!(mirrored[[0, 2, 3, 0]], 234.0);
    /// # Ok::<(), layout_core::connect::ConnectError>(())
    /// ```
    pub fn from_ndarray<U: Element, D: Dimension, St: Data<Elem = U>>(
        array: &ArrayBase<St, D>,
    ) -> Result<Self, ConnectError> {
        let Ok(src) = plain(U::DTYPE, array.shape(), array.strides()) else {
            // Strides that do not nest, as those of windows that overlap.
            let copy = array.as_standard_layout();
            let src = plain(U::DTYPE, copy.shape(), copy.strides())?;
            // SAFETY: an array in standard layout starts with its lowest element, and is borrowed.
            return unsafe { tensor_from(&src, copy.as_ptr().cast()) };
        };
        // SAFETY: offset 0 is the lowest element, the base the first: the difference lies within the array's memory.
        let lowest = unsafe { array.as_ptr().sub(src.base()) };
        // SAFETY: the descriptor has the array's extents and strides, and the array is borrowed.
        unsafe { tensor_from(&src, lowest.cast()) }
    }
}

macro_rules! as_ndarray {
    ($name:ident<$($life:lifetime,)? T, L, S>, $out:lifetime) => {
        #[cfg_attr(docsrs, doc(cfg(feature = "ndarray")))]
        impl<$($life,)? T, L: Layout<Index: IntoDimension>, S: Shape<L::Index>> $name<$($life,)? T, L, S> {
            /// The elements as an array view, without a copy. Axis `i` of the array is logical axis `i`. Layouts with blocks are
            /// refused while compiling; [`to_ndarray`](Self::to_ndarray) reorders those.
            ///
            /// ```
            /// use layout_core::layout::Nhwc;
            /// use layout_core::view::Tensor;
            ///
            /// let image = Tensor::<u8, Nhwc>::from_vec([1, 3, 2, 2], (0..12).collect())?;
            /// let array = image.as_ndarray();
            /// assert_eq!((array.shape(), array.strides()), (&[1, 3, 2, 2][..], &[12, 1, 6, 3][..]));
            /// assert_eq!(array[[0, 2, 1, 1]], 11);
            /// # Ok::<(), layout_core::view::ViewError>(())
            /// ```
            pub fn as_ndarray(&self) -> ArrayView<$out, T, Dim<L>> {
                // SAFETY: the extents and strides are those of the view, whose elements can be read while the result lives,
                // and are at most `isize::MAX` bytes apart.
                unsafe { ArrayView::from_shape_ptr(shape_of(self), self.as_ptr()) }
            }

            /// The elements in a new array in standard layout (row-major), whatever the layout is.
            ///
            /// # Errors
            /// [`ViewError::Memory`](crate::view::ViewError::Memory) where there is no memory for it.
            ///
            /// ```
            /// use layout_core::layout::Nchw8c;
            /// use layout_core::view::Tensor;
            ///
            /// let blocked = Tensor::<f32, Nchw8c>::from_fn([1, 3, 2, 2], |[_, c, h, w]| (100 * c + 10 * h + w) as f32)?;
            /// let array = blocked.to_ndarray()?;
            /// assert_eq!((array.is_standard_layout(), array[[0, 2, 1, 0]]), (true, 210.0));
            /// # Ok::<(), layout_core::connect::ConnectError>(())
            /// ```
            pub fn to_ndarray(&self) -> Result<Array<T, Dim<L>>, ConnectError>
            where
                T: Element,
            {
                let array = Array::from_shape_vec(self.dims().into_dimension(), to_vec(self)?);
                array.map_err(shape_error)
            }
        }
    };
}
as_ndarray!(StridedView<'a, T, L, S>, 'a);
as_ndarray!(TensorView<'a, T, L, S>, 'a);
as_ndarray!(StridedViewMut<'a, T, L, S>, '_);
as_ndarray!(TensorViewMut<'a, T, L, S>, '_);
as_ndarray!(Tensor<T, L, S>, '_);

macro_rules! as_ndarray_mut {
    ($($name:ident<$($life:lifetime,)? T, L, S>;)*) => {$(
        #[cfg_attr(docsrs, doc(cfg(feature = "ndarray")))]
        impl<$($life,)? T, L: Layout<Index: IntoDimension>, S: Shape<L::Index>> $name<$($life,)? T, L, S> {
            /// The elements as an array view to write, without a copy: see [`as_ndarray`](Self::as_ndarray).
            pub fn as_ndarray_mut(&mut self) -> ArrayViewMut<'_, T, Dim<L>> {
                let shape = shape_of(self);
                // SAFETY: as for `as_ndarray`; `self` is borrowed exclusively, and different indices have different places.
                unsafe { ArrayViewMut::from_shape_ptr(shape, self.as_mut_ptr()) }
            }
        }
    )*};
}
as_ndarray_mut! {
    StridedViewMut<'a, T, L, S>;
    TensorViewMut<'a, T, L, S>;
    Tensor<T, L, S>;
}

#[cfg_attr(docsrs, doc(cfg(feature = "ndarray")))]
impl<'a, T: Element> DynView<'a, T> {
    /// The elements of an array, without a copy, where they fill a stretch of memory in any order of axes and directions;
    /// the axes have no names.
    ///
    /// # Errors
    /// [`ConnectError::Descriptor`] where there are gaps: a slice of memory cannot be had then, but
    /// [`StridedView::from_ndarray`] can.
    ///
    /// ```
    /// use layout_core::view::DynView;
    /// use ndarray::Array;
    ///
    /// let mut array = Array::from_shape_fn(ndarray::IxDyn(&[2, 3]), |index| 10 * index[0] as i32 + index[1] as i32);
    /// array.invert_axis(ndarray::Axis(1));
    /// let view = DynView::from_ndarray(array.t())?;
    /// assert_eq!(view.get(&[0, 1])?, &12);
    /// assert_eq!(view.as_ndarray()?, array.t());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_ndarray<D: Dimension>(array: ArrayView<'a, T, D>) -> Result<Self, ConnectError> {
        let descriptor = plain(T::DTYPE, array.shape(), array.strides())?;
        match array.to_slice_memory_order() {
            Some(memory) => Ok(DynView::new(&descriptor, memory)?),
            None => Err(not_plain(&descriptor)),
        }
    }

    /// The elements as an array view, without a copy, where the descriptor is plain: strides of any size and sign.
    ///
    /// # Errors
    /// [`ConnectError::NotPlain`] where it has blocks.
    pub fn as_ndarray(&self) -> Result<ArrayViewD<'a, T>, ConnectError> {
        let descriptor = self.descriptor();
        if !descriptor.is_plain() {
            return Err(not_plain(descriptor));
        }
        let strides = descriptor.strides();
        let magnitudes: Vec<usize> = strides.iter().map(|stride| stride.unsigned_abs()).collect();
        let shape = IxDyn(descriptor.dims()).strides(IxDyn(&magnitudes));
        // An array has its axes inverted after it is made.
        let lowest = lowest(descriptor);
        let mut array = ArrayViewD::from_shape(shape, &self.memory()[lowest..]).map_err(shape_error)?;
        for (axis, &stride) in strides.iter().enumerate() {
            if stride < 0 {
                array.invert_axis(Axis(axis));
            }
        }
        Ok(array)
    }
}

/// Offset of the lowest element of a plain descriptor.
fn lowest(descriptor: &Descriptor) -> usize {
    if descriptor.is_empty() {
        return 0;
    }
    let strides = descriptor.strides();
    let spans = strides
        .iter()
        .zip(descriptor.dims())
        .map(|(&stride, &extent)| if stride < 0 { (extent - 1) * stride.unsigned_abs() } else { 0 });
    descriptor.offset_unchecked(&[0; MAX_RANK][..descriptor.rank()]) - spans.sum::<usize>()
}

#[cfg_attr(docsrs, doc(cfg(feature = "ndarray")))]
impl<'a, T, L: Layout, D: Dimension> TryFrom<ArrayView<'a, T, D>> for StridedView<'a, T, L> {
    type Error = ConnectError;

    fn try_from(array: ArrayView<'a, T, D>) -> Result<Self, ConnectError> {
        StridedView::from_ndarray(array)
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "ndarray")))]
impl<'a, T, L: Layout, D: Dimension> TryFrom<ArrayView<'a, T, D>> for TensorView<'a, T, L> {
    type Error = ConnectError;

    fn try_from(array: ArrayView<'a, T, D>) -> Result<Self, ConnectError> {
        TensorView::from_ndarray(array)
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "ndarray")))]
impl<'a, T, L: Layout<Index: IntoDimension<Dim = D>>, S: Shape<L::Index>, D: Dimension>
    From<StridedView<'a, T, L, S>> for ArrayView<'a, T, D>
{
    fn from(view: StridedView<'a, T, L, S>) -> Self {
        view.as_ndarray()
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "ndarray")))]
impl<'a, T, L: Layout<Index: IntoDimension<Dim = D>>, S: Shape<L::Index>, D: Dimension>
    From<TensorView<'a, T, L, S>> for ArrayView<'a, T, D>
{
    fn from(view: TensorView<'a, T, L, S>) -> Self {
        view.as_ndarray()
    }
}
