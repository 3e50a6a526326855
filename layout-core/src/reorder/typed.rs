//! Reorders between typed views: [`reorder`], and the methods that make a new tensor in another layout. They describe
//! their operands and run the same plan that descriptors get.

use super::{Reorder, ReorderError};
use crate::descriptor::{Descriptor, Element};
use crate::layout::{Layout, SameAxes};
use crate::shape::Shape;
use crate::view::{StridedView, StridedViewMut, Tensor, TensorView, TensorViewMut, View, ViewMut, describe};

/// Moves the elements of `src` into `dst`, from any layout to any other over the same logical axes, dense or strided, and
/// converts the element type. The destination's padding is set to zero in the same pass.
///
/// What the conversions mean stands in [`crate::kernels::convert`]: nearest even, saturating, NaN to 0 for integers.
///
/// # Errors
/// [`ReorderError::Extent`] where the extents differ; nothing is written then. Layouts with other axes do not compile.
///
/// ```
/// use layout_core::layout::{Nchw16c, Nhwc};
/// use layout_core::reorder::reorder;
/// use layout_core::view::Tensor;
///
/// let image = Tensor::<u8, Nhwc>::from_fn([1, 3, 4, 5], |[_, c, h, w]| (c * 100 + h * 10 + w) as u8)?;
/// let mut act = Tensor::<f32, Nchw16c>::zeroed([1, 3, 4, 5])?;
/// reorder(&image, &mut act)?;
/// assert_eq!(act[[0, 2, 3, 4]], 234.0);
/// assert_eq!(act.blocks()[0], [0., 100., 200., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0.]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn reorder<Src, Dst>(src: Src, mut dst: Dst) -> Result<(), ReorderError>
where
    Src: View<Elem: Element>,
    Dst: ViewMut<Elem: Element, Layout: SameAxes<Src::Layout>>,
{
    let from = describe(&src, <Src::Elem as Element>::DTYPE)?;
    let to = describe(&dst, <Dst::Elem as Element>::DTYPE)?;
    let plan = Reorder::new(&from, &to)?;
    // SAFETY: the views cover what their descriptors say: `src` can be read, and `dst`, borrowed exclusively, can be
    // written without touching what `src` reads. Both element types have no invalid values.
    unsafe { plan.run_ptr(src.as_ptr().cast(), dst.as_mut_ptr().cast()) };
    Ok(())
}

/// A new tensor with the elements of `view`.
fn make<V, U, L, S>(view: &V, shape: S) -> Result<Tensor<U, L, S>, ReorderError>
where
    V: View<Elem: Element>,
    U: Element,
    L: SameAxes<V::Layout>,
    S: Shape<L::Index>,
{
    let from = describe(view, <V::Elem as Element>::DTYPE)?;
    let to = Descriptor::from_spec(U::DTYPE, shape.dims().as_ref(), L::SPEC)?;
    let plan = Reorder::new(&from, &to)?;
    let mut out =
        Tensor::<U, L, S>::uninit(shape).map_err(|_| ReorderError::Allocation { bytes: plan.dst_len() })?;
    // SAFETY: as in `reorder`; `out` is new memory of the size that `to` describes.
    unsafe { plan.run_ptr(view.as_ptr().cast(), out.as_mut_ptr().cast()) };
    // SAFETY: the plan wrote every element of the padded extents, which is all of a dense tensor.
    Ok(unsafe { out.assume_init() })
}

// `T: Element` stands on each method: on the `impl`, other element types would be told that there is no such method.
macro_rules! methods {
    ($($name:ident<$($life:lifetime,)? T, L, S>;)*) => {$(
        impl<T, L: Layout, S: Shape<L::Index>> $name<$($life,)? T, L, S> {
            /// A new dense tensor with the same elements in layout `To`, padding zero.
            ///
            /// # Panics
            /// Where memory cannot be had, as `Vec` does; [`try_convert`](Self::try_convert) returns an error instead.
            ///
            /// ```
            /// use layout_core::layout::{Nchw, Nchw8c};
            /// use layout_core::view::Tensor;
            /// let plain = Tensor::<f32, Nchw>::from_fn([1, 3, 2, 2], |[_, c, h, w]| (c * 4 + h * 2 + w) as f32)?;
            /// let blocked: Tensor<f32, Nchw8c> = plain.view().to_layout();
            /// assert_eq!(blocked[[0, 2, 1, 1]], 11.0);
            /// # Ok::<(), layout_core::view::ViewError>(())
            /// ```
            pub fn to_layout<To: SameAxes<L>>(&self) -> Tensor<T, To, S>
            where
                T: Element,
            {
                self.convert()
            }

            /// A new dense tensor with the same elements converted to `U`, in layout `To`, padding zero.
            ///
            /// # Panics
            /// Where memory cannot be had, as `Vec` does; [`try_convert`](Self::try_convert) returns an error instead.
            ///
            /// ```
            /// use layout_core::layout::{Nchw, Nhwc};
            /// use layout_core::view::Tensor;
            /// let pixels = Tensor::<u8, Nhwc>::filled([1, 3, 2, 2], 255)?;
            /// let planes: Tensor<f32, Nchw> = pixels.view().convert();
            /// assert_eq!(planes[[0, 2, 1, 1]], 255.0);
            /// # Ok::<(), layout_core::view::ViewError>(())
            /// ```
            pub fn convert<U: Element, To: SameAxes<L>>(&self) -> Tensor<U, To, S>
            where
                T: Element,
            {
                match self.try_convert() {
                    Ok(tensor) => tensor,
                    Err(error) => panic!("{error}"),
                }
            }

            /// [`convert`](Self::convert), with an error where the result cannot be.
            ///
            /// # Errors
            /// [`ReorderError::Size`] where the padded result would be larger than `isize::MAX` bytes;
            /// [`ReorderError::Allocation`] where there is no memory for it.
            pub fn try_convert<U: Element, To: SameAxes<L>>(&self) -> Result<Tensor<U, To, S>, ReorderError>
            where
                T: Element,
            {
                make(self, self.shape())
            }
        }
    )*};
}
methods! {
    Tensor<T, L, S>;
    TensorView<'_, T, L, S>;
    TensorViewMut<'_, T, L, S>;
    StridedView<'_, T, L, S>;
    StridedViewMut<'_, T, L, S>;
}
