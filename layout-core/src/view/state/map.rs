//! Functions over all of dense memory, padding included: one loop without tails, which compilers turn into vectors. What
//! the function makes of padding is put right, or the type of the result says that it was not.

use crate::layout::{Dirty, Layout, Pads};
use crate::shape::Shape;
use crate::view::def::{Tensor, TensorView, TensorViewMut};
use crate::view::types::no_memory;

/// `f` of everything in memory.
fn all<T: Copy, U: Copy, L: Layout, L2, S: Shape<L::Index>>(
    source: TensorView<'_, T, L, S>,
    f: impl Fn(T) -> U,
) -> Tensor<U, L2, S>
where
    L2: Layout<Zeroed = L::Zeroed, Index = L::Index>,
{
    let mut out = match Tensor::<U, L2, S>::uninit(source.shape()) {
        Ok(out) => out,
        Err(error) => no_memory(error),
    };
    for (place, &x) in out.as_mut_slice().iter_mut().zip(source.as_slice()) {
        place.write(f(x));
    }
    // SAFETY: the layouts have the same digits, so that both memories are as long, and all of it was written.
    unsafe { out.assume_init() }
}

/// The view itself, as `view` of the others is.
fn shorter<'v, T, L: Layout, S: Shape<L::Index>>(
    view: &'v TensorView<'_, T, L, S>,
) -> TensorView<'v, T, L, S> {
    *view
}

macro_rules! maps {
    ($($name:ident<$($life:lifetime,)? T, L, S>: $view:expr;)*) => {$(
        impl<T: Copy, L: Layout, S: Shape<L::Index>> $name<$($life,)? T, L, S> {
            /// A tensor with `f` of every element, computed over all of memory in one loop, and with zero padding: where `f`
            /// of the padding's value is not zero, the padding is written afterwards.
            ///
            /// `f` is called with what the padding holds, too, and must be able to take it; [`map`](Self::map) calls it
            /// with elements alone.
            ///
            /// # Panics
            /// Where memory for the result cannot be had.
            ///
            /// ```
            /// use layout_core::layout::Nchw8c;
            /// use layout_core::view::Tensor;
            /// let x = Tensor::<f32, Nchw8c>::zeroed([1, 3, 2, 2])?;
            /// let y: Tensor<f32, Nchw8c> = x.map_padded(f32::exp);
            /// assert_eq!(y.as_slice().iter().sum::<f32>(), 12.0); // and not 32, of which 20 are padding
            /// # Ok::<(), layout_core::view::ViewError>(())
            /// ```
            pub fn map_padded<U: Copy + Default + PartialEq>(&self, f: impl Fn(T) -> U) -> Tensor<U, L::Zeroed, S>
            where
                L: Pads<T>,
            {
                let view: TensorView<'_, T, L, S> = $view(self);
                let mut out: Tensor<U, L::Zeroed, S> = all(view, &f);
                if !L::padding().is_some_and(|value| f(value) == U::default()) {
                    out.zero_padding();
                }
                out
            }

            /// A tensor with `f` of everything in memory, whatever that makes of the padding: the type says so. For chains of
            /// functions, of which the last one is followed by [`into_zeroed`](Tensor::into_zeroed).
            ///
            /// # Panics
            /// Where memory for the result cannot be had.
            pub fn map_all<U: Copy>(&self, f: impl Fn(T) -> U) -> Tensor<U, Dirty<L::Zeroed>, S> {
                let view: TensorView<'_, T, L, S> = $view(self);
                all(view, f)
            }
        }
    )*};
}
maps! {
    Tensor<T, L, S>: Tensor::view;
    TensorView<'_, T, L, S>: shorter;
    TensorViewMut<'_, T, L, S>: TensorViewMut::view;
}

macro_rules! in_place {
    ($($name:ident<$($life:lifetime,)? T, L, S>;)*) => {$(
        impl<T: Copy + PartialEq, L: Layout, S: Shape<L::Index>> $name<$($life,)? T, L, S> {
            /// Puts `f` of every element in its place, in one loop over all of memory, and keeps the padding as the type says:
            /// where `f` of its value is another, it is written again afterwards.
            ///
            /// `f` is called with what the padding holds, too, and must be able to take it;
            /// [`map_in_place`](Self::map_in_place) calls it with elements alone.
            ///
            /// ```
            /// use layout_core::layout::Nchw8c;
            /// use layout_core::view::Tensor;
            /// let mut x = Tensor::<f32, Nchw8c>::filled([1, 3, 2, 2], -2.0)?;
            /// x.map_padded_in_place(|x| 1.0 / (1.0 + (-x).exp())); // 0.5 in the padding, were it left there
            /// assert!(x.padding_is_zero());
            /// # Ok::<(), layout_core::view::ViewError>(())
            /// ```
            pub fn map_padded_in_place(&mut self, f: impl Fn(T) -> T)
            where
                L: Pads<T>,
            {
                for x in self.as_mut_slice() {
                    *x = f(*x);
                }
                if let Some(value) = L::padding()
                    && f(value) != value
                {
                    self.fill_padding(value);
                }
            }
        }
    )*};
}
in_place! {
    Tensor<T, L, S>;
    TensorViewMut<'_, T, L, S>;
}
