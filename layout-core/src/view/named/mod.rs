//! Access by the names of axes: extents, loops and elements, for all five types. An index into another axis, a missing
//! one and one too many do not compile; what is left after the compiler is the arithmetic of `[]`.

use crate::layout::{Along, HasAxis, Layout, NamedIndex};
use crate::shape::Shape;
use crate::view::def::{StridedView, StridedViewMut, Tensor, TensorView, TensorViewMut};
use crate::view::part;

macro_rules! shared {
    ($name:ident<$($life:lifetime,)? T, L, S>, $reference:lifetime) => {
        /// Access by the names of axes.
        impl<$($life,)? T, L: Layout, S: Shape<L::Index>> $name<$($life,)? T, L, S> {
            /// The extent of axis `AXIS`.
            ///
            /// ```
            /// use layout_core::layout::Nchw8c;
            /// use layout_core::view::Tensor;
            /// let x = Tensor::<f32, Nchw8c>::zeroed([1, 3, 4, 5])?;
            /// assert_eq!((x.extent::<'c'>(), x.padded_extent::<'c'>(), x.stride::<'h'>()), (3, 8, 40));
            /// # Ok::<(), layout_core::view::ViewError>(())
            /// ```
            #[inline(always)]
            pub fn extent<const AXIS: char>(&self) -> usize
            where
                L: HasAxis<AXIS>,
            {
                self.dims().as_ref()[const { part::position::<L, AXIS>() }]
            }

            /// The extent of axis `AXIS` in memory, padding included.
            #[inline(always)]
            pub fn padded_extent<const AXIS: char>(&self) -> usize
            where
                L: HasAxis<AXIS>,
            {
                self.padded_dims().as_ref()[const { part::position::<L, AXIS>() }]
            }

            /// The stride of the top digit of axis `AXIS`, in elements: of a blocked axis the distance between two blocks.
            #[inline(always)]
            pub fn stride<const AXIS: char>(&self) -> isize
            where
                L: HasAxis<AXIS>,
            {
                self.digit_strides().as_ref()[const { part::top::<L, AXIS>() }]
            }

            /// The indices along axis `AXIS`, in order, which cannot be taken for those of another axis.
            ///
            /// ```
            /// use layout_core::layout::Nhwc;
            /// use layout_core::layout::axis::{c, n};
            /// use layout_core::view::Tensor;
            /// let x = Tensor::<u8, Nhwc, _>::from_fn([1, 3, 4, 5], |[_, c, h, w]| (100 * c + 10 * h + w) as u8)?;
            /// let mut sum = 0;
            /// for y in x.along::<'h'>() {
            ///     for x_ in x.along::<'w'>() {
            ///         sum += *x.at((n(0), c(2), y, x_)) as usize;
            ///     }
            /// }
            /// assert_eq!(sum, 20 * 217);
            /// # Ok::<(), layout_core::view::ViewError>(())
            /// ```
            #[inline(always)]
            pub fn along<const AXIS: char>(&self) -> Along<AXIS>
            where
                L: HasAxis<AXIS>,
            {
                Along::new(0..self.extent::<AXIS>())
            }

            /// The element at an index by names, in any order.
            ///
            /// ```
            /// use layout_core::layout::Nhwc;
            /// use layout_core::layout::axis::{c, h, n, w};
            /// use layout_core::view::Tensor;
            /// let x = Tensor::<u8, Nhwc, _>::from_fn([1, 3, 4, 5], |[_, c, h, w]| (100 * c + 10 * h + w) as u8)?;
            /// assert_eq!(*x.at((n(0), c(1), h(2), w(4))), 124);
            /// assert_eq!(*x.at((n(0), h(2), w(4), c(1))), 124); // the same element
            /// # Ok::<(), layout_core::view::ViewError>(())
            /// ```
            ///
            /// ```compile_fail
            /// # use layout_core::layout::Nhwc;
            /// # use layout_core::layout::axis::{c, h, n, w};
            /// # use layout_core::view::Tensor;
            /// # let x = Tensor::<u8, Nhwc>::zeroed([1, 3, 4, 5])?;
            /// x.at((n(0), c(1), h(2), h(4))); // `h` twice, and no `w`
            /// # Ok::<(), layout_core::view::ViewError>(())
            /// ```
            ///
            /// # Panics
            /// For an index outside the extents, like a slice.
            #[inline(always)]
            #[track_caller]
            pub fn at<I: NamedIndex<L>>(&self, index: I) -> &T {
                &self[index.in_order()]
            }

            /// The element at an index by names, in any order; `None` outside the extents.
            #[inline(always)]
            pub fn get_at<I: NamedIndex<L>>(&self, index: I) -> Option<&$reference T> {
                self.get(index.in_order())
            }

            /// The element at an index by names, in any order.
            ///
            /// # Safety
            /// The index lies within the padded extents.
            #[inline(always)]
            pub unsafe fn at_unchecked<I: NamedIndex<L>>(&self, index: I) -> &$reference T {
                // SAFETY: the caller's promise.
                unsafe { self.get_unchecked(index.in_order()) }
            }
        }
    };
}
shared!(Tensor<T, L, S>, '_);
shared!(TensorView<'a, T, L, S>, 'a);
shared!(TensorViewMut<'a, T, L, S>, '_);
shared!(StridedView<'a, T, L, S>, 'a);
shared!(StridedViewMut<'a, T, L, S>, '_);

macro_rules! exclusive {
    ($($name:ident<$($life:lifetime,)? T, L, S>;)*) => {$(
        /// Access by the names of axes, to write.
        impl<T, L: Layout, S: Shape<L::Index>> $name<$($life,)? T, L, S> {
            /// The element at an index by names, in any order, to write.
            ///
            /// ```
            /// use layout_core::layout::Nchw8c;
            /// use layout_core::layout::axis::{c, h, n, w};
            /// use layout_core::view::Tensor;
            /// let mut x = Tensor::<f32, Nchw8c>::zeroed([1, 3, 4, 5])?;
            /// *x.at_mut((c(1), n(0), h(2), w(4))) = 1.5;
            /// assert_eq!(x[[0, 1, 2, 4]], 1.5);
            /// # Ok::<(), layout_core::view::ViewError>(())
            /// ```
            ///
            /// # Panics
            /// For an index outside the extents, like a slice.
            #[inline(always)]
            #[track_caller]
            pub fn at_mut<I: NamedIndex<L>>(&mut self, index: I) -> &mut T {
                &mut self[index.in_order()]
            }

            /// The element at an index by names, in any order, to write; `None` outside the extents.
            #[inline(always)]
            pub fn get_at_mut<I: NamedIndex<L>>(&mut self, index: I) -> Option<&mut T> {
                self.get_mut(index.in_order())
            }

            /// The element at an index by names, in any order, to write.
            ///
            /// # Safety
            /// The index lies within the padded extents.
            #[inline(always)]
            pub unsafe fn at_unchecked_mut<I: NamedIndex<L>>(&mut self, index: I) -> &mut T {
                // SAFETY: the caller's promise.
                unsafe { self.get_unchecked_mut(index.in_order()) }
            }
        }
    )*};
}
exclusive! {
    Tensor<T, L, S>;
    TensorViewMut<'_, T, L, S>;
    StridedViewMut<'_, T, L, S>;
}
