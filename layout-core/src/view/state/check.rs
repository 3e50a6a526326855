//! Whether memory holds in its padding what the type says: a walk over the padding alone.

use crate::layout::{Dirty, Layout, Pads, Position, ZeroPadding};
use crate::shape::Shape;
use crate::view::def::{StridedView, StridedViewMut, Tensor, TensorView, TensorViewMut};
use crate::view::error::ViewError;

/// The error for the first padding that is not `value`. Looks at all memory: called where there is such a place.
#[cold]
fn first_other<T: PartialEq, L: Layout, S: Shape<L::Index>>(
    view: StridedView<'_, T, L, S>,
    value: &T,
) -> Result<(), ViewError> {
    let dims = view.dims();
    let found = view.physical_iter().find_map(|(position, x)| match position {
        Position::Padding(index) if x != value => Some(index),
        _ => None,
    });
    let Some(index) = found else { return Ok(()) };
    let places = index.as_ref().iter().zip(dims.as_ref()).enumerate();
    match places.into_iter().find(|(_, (index, extent))| index >= extent) {
        Some((axis, (&index, &extent))) => {
            Err(ViewError::PaddingValue { axis: L::AXES[axis], index, extent })
        }
        None => Ok(()),
    }
}

macro_rules! check {
    ($($name:ident<$($life:lifetime,)? T, L, S>;)*) => {$(
        impl<T: PartialEq, L: Layout, S: Shape<L::Index>> $name<$($life,)? T, L, S> {
            /// Checks that the padding holds what the type says: for memory from outside, and for what was written through
            /// `blocks_mut` or pointers. Elements are looked at only where there is an error, to find its place.
            ///
            /// # Errors
            /// [`ViewError::PaddingValue`] with the first place that holds something else.
            ///
            /// ```
            /// use layout_core::layout::Nchw8c;
            /// use layout_core::view::Tensor;
            /// let mut x = Tensor::<f32, Nchw8c>::zeroed([1, 3, 1, 1])?;
            /// x.blocks_mut()[0].iter_mut().for_each(|x| *x = x.exp()); // the padding becomes 1
            /// let error = x.check_padding().unwrap_err();
            /// assert_eq!(error.to_string(), "padding does not hold what the layout says: that at index 3 of axis `c`, \
            ///     whose extent is 3; `into_zeroed()`, `into_filled()` or `fill_padding()` writes it");
            /// # Ok::<(), layout_core::view::ViewError>(())
            /// ```
            pub fn check_padding(&self) -> Result<(), ViewError>
            where
                L: Pads<T>,
            {
                match L::padding() {
                    Some(value) if !self.as_strided().padding_is(&value) => first_other(self.as_strided(), &value),
                    _ => Ok(()),
                }
            }

            /// [`check_padding`](Self::check_padding) where debug assertions are on, and nothing where they are not: the
            /// first line of a kernel that relies on padding.
            ///
            /// # Panics
            /// With the error, where there is one.
            #[inline(always)]
            #[track_caller]
            pub fn debug_check_padding(&self)
            where
                L: Pads<T>,
            {
                if cfg!(debug_assertions)
                    && let Err(error) = self.check_padding()
                {
                    panic!("{error}");
                }
            }
        }
    )*};
}
check! {
    Tensor<T, L, S>;
    TensorView<'_, T, L, S>;
    TensorViewMut<'_, T, L, S>;
    StridedView<'_, T, L, S>;
    StridedViewMut<'_, T, L, S>;
}

macro_rules! claim {
    ($($name:ident)*) => {$(
        impl<'a, T: PartialEq + Default, L: ZeroPadding, S: Shape<L::Index>> $name<'a, T, Dirty<L>, S> {
            /// The view as one whose padding is zero, if it is.
            ///
            /// # Errors
            /// [`ViewError::PaddingValue`] with the first place that holds something else.
            ///
            /// ```
            /// use layout_core::layout::{Dirty, Nchw4c};
            /// use layout_core::view::{TensorView, ViewError};
            /// let memory = [1.0, 2.0, 3.0, f32::NAN]; // from a library that leaves padding as it is
            /// let x = TensorView::<f32, Dirty<Nchw4c>>::from_slice([1, 3, 1, 1], &memory)?;
            /// assert!(matches!(x.try_zeroed(), Err(ViewError::PaddingValue { axis: 'c', index: 3, extent: 3 })));
            /// # Ok::<(), layout_core::view::ViewError>(())
            /// ```
            pub fn try_zeroed(&self) -> Result<$name<'a, T, L, S>, ViewError> {
                let zero = T::default();
                if !self.as_strided().padding_is(&zero) {
                    first_other(self.as_strided(), &zero)?;
                }
                Ok(self.assume_zeroed())
            }
        }
    )*};
}
claim!(TensorView StridedView);
