//! [`View`] and [`ViewMut`]: what code that is generic over views asks of its operands, whether they are shared,
//! exclusive or owned, dense or strided. The reorder room takes its operands through them.

use super::def::{StridedView, StridedViewMut, Tensor, TensorView, TensorViewMut};
use crate::descriptor::{DType, Descriptor};
use crate::layout::Layout;
use crate::shape::{Shape, SizeError};

mod private {
    pub trait Sealed {}
    impl<V: Sealed> Sealed for &V {}
    impl<V: Sealed> Sealed for &mut V {}
}

/// Something that can be read as a tensor: every view, [`Tensor`], and references to them. Sealed.
///
/// Implementors uphold the invariants of [`StridedView`] for what they return.
///
/// ```
/// use layout_core::layout::{Layout, Nhwc};
/// use layout_core::view::{Tensor, View};
/// fn bytes<V: View>(v: V) -> usize {
///     v.as_strided_view().len() * size_of::<V::Elem>()
/// }
/// let t = Tensor::<f32, Nhwc, _>::zeroed([1, 2, 3, 4])?;
/// assert_eq!(bytes(&t), 96);
/// assert_eq!(bytes(t.view()), 96);
/// assert_eq!(bytes(t.slice::<'h'>(1..)?), 64);
/// # Ok::<(), layout_core::view::ViewError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a view of a tensor",
    label = "not a view",
    note = "pass `&tensor`, `tensor.view()` or a part such as `tensor.slice::<'h'>(0..4)?`; of plain memory \
            `TensorView::from_slice(extents, &memory)?` makes a view"
)]
pub trait View: private::Sealed {
    /// The element type.
    type Elem;
    /// The layout.
    type Layout: Layout;
    /// The extents as they are typed: `[usize; RANK]`, or a tuple with [`Fixed`](crate::shape::Fixed) extents.
    type Shape: Shape<<Self::Layout as Layout>::Index>;
    /// Whether the type says that memory is dense; a strided view that happens to be dense says no.
    const IS_DENSE: bool;

    /// The extents as they are typed.
    fn shape(&self) -> Self::Shape;
    /// The extents in logical order.
    fn dims(&self) -> <Self::Layout as Layout>::Index;
    /// The element with index 0; dangling where there are no elements.
    fn as_ptr(&self) -> *const Self::Elem;
    /// Stride of each digit in physical order, outermost first, in elements.
    fn digit_strides(&self) -> <Self::Layout as Layout>::Strides;
    /// Elements of memory from the first to the last, padding and what lies between included.
    fn required_len(&self) -> usize;
    /// [`View::IS_DENSE`].
    fn is_dense(&self) -> bool {
        Self::IS_DENSE
    }
    /// The same elements as a strided view, with no extent known while compiling.
    fn as_strided_view(&self) -> StridedView<'_, Self::Elem, Self::Layout>;

    /// The descriptor of a *dense* tensor of the same layout and extents, with elements of type `dtype`. For a strided
    /// view the places in memory are given by [`digit_strides`](View::digit_strides).
    ///
    /// # Errors
    /// [`SizeError`] where such a tensor is larger than `isize::MAX` bytes.
    fn descriptor_of(&self, dtype: DType) -> Result<Descriptor, SizeError> {
        <Self::Layout as Layout>::descriptor(dtype, self.dims())
    }
}

/// Something that can be written as a tensor: every exclusive view, [`Tensor`], and `&mut` of them. Sealed.
///
/// What is written is the elements in the padded extents, which nobody else reaches.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an exclusive view of a tensor",
    label = "cannot be written through",
    note = "pass `&mut tensor`, `tensor.view_mut()` or a part such as `tensor.slice_mut::<'h'>(0..4)?`; of plain memory \
            `TensorViewMut::from_slice(extents, &mut memory)?` makes a view"
)]
pub trait ViewMut: View {
    /// The element with index 0, to write.
    fn as_mut_ptr(&mut self) -> *mut Self::Elem;
    /// The same elements as an exclusive strided view, with no extent known while compiling.
    fn as_strided_view_mut(&mut self) -> StridedViewMut<'_, Self::Elem, Self::Layout>;
}

macro_rules! view {
    ($name:ident<$($life:lifetime,)? T, L, S>, dense: $dense:literal) => {
        impl<T, L: Layout, S: Shape<L::Index>> private::Sealed for $name<$($life,)? T, L, S> {}
        #[diagnostic::do_not_recommend]
        impl<T, L: Layout, S: Shape<L::Index>> View for $name<$($life,)? T, L, S> {
            type Elem = T;
            type Layout = L;
            type Shape = S;
            const IS_DENSE: bool = $dense;

            #[inline]
            fn shape(&self) -> S {
                self.shape()
            }
            #[inline]
            fn dims(&self) -> L::Index {
                self.dims()
            }
            #[inline]
            fn as_ptr(&self) -> *const T {
                self.as_ptr()
            }
            #[inline]
            fn digit_strides(&self) -> L::Strides {
                self.digit_strides()
            }
            #[inline]
            fn required_len(&self) -> usize {
                self.required_len()
            }
            #[inline]
            fn as_strided_view(&self) -> StridedView<'_, T, L> {
                self.as_strided().with_dynamic_shape()
            }
        }
    };
}
view!(TensorView<'_, T, L, S>, dense: true);
view!(TensorViewMut<'_, T, L, S>, dense: true);
view!(Tensor<T, L, S>, dense: true);
view!(StridedView<'_, T, L, S>, dense: false);
view!(StridedViewMut<'_, T, L, S>, dense: false);

macro_rules! view_mut {
    ($name:ident<$($life:lifetime,)? T, L, S>) => {
        #[diagnostic::do_not_recommend]
        impl<T, L: Layout, S: Shape<L::Index>> ViewMut for $name<$($life,)? T, L, S> {
            #[inline]
            fn as_mut_ptr(&mut self) -> *mut T {
                self.as_mut_ptr()
            }
            #[inline]
            fn as_strided_view_mut(&mut self) -> StridedViewMut<'_, T, L> {
                self.as_strided_mut().with_dynamic_shape()
            }
        }
    };
}
view_mut!(TensorViewMut<'_, T, L, S>);
view_mut!(Tensor<T, L, S>);
view_mut!(StridedViewMut<'_, T, L, S>);

macro_rules! view_of_reference {
    ($($reference:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<V: View> View for $reference {
            type Elem = V::Elem;
            type Layout = V::Layout;
            type Shape = V::Shape;
            const IS_DENSE: bool = V::IS_DENSE;

            #[inline]
            fn shape(&self) -> V::Shape {
                (**self).shape()
            }
            #[inline]
            fn dims(&self) -> <V::Layout as Layout>::Index {
                (**self).dims()
            }
            #[inline]
            fn as_ptr(&self) -> *const V::Elem {
                (**self).as_ptr()
            }
            #[inline]
            fn digit_strides(&self) -> <V::Layout as Layout>::Strides {
                (**self).digit_strides()
            }
            #[inline]
            fn required_len(&self) -> usize {
                (**self).required_len()
            }
            #[inline]
            fn as_strided_view(&self) -> StridedView<'_, V::Elem, V::Layout> {
                (**self).as_strided_view()
            }
        }
    )*};
}
view_of_reference!(&V, &mut V);
#[diagnostic::do_not_recommend]
impl<V: ViewMut> ViewMut for &mut V {
    #[inline]
    fn as_mut_ptr(&mut self) -> *mut V::Elem {
        (**self).as_mut_ptr()
    }
    #[inline]
    fn as_strided_view_mut(&mut self) -> StridedViewMut<'_, V::Elem, V::Layout> {
        (**self).as_strided_view_mut()
    }
}
