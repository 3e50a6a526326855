//! What the types share through traits, `[]`, `==`, loops over references and `{:?}`, and the functions without a `Result` that
//! the shared members call.

use crate::layout::{Layout, assert_not_filled};
use crate::shape::{IndexError, Shape};
use crate::view::def::{StridedView, Tensor};
use crate::view::error::ViewError;
use crate::view::operand::View;

/// `Index`, `==` and `IntoIterator` for all, `IndexMut` where it applies.
macro_rules! operators {
    (shared $name:ident<$($life:lifetime,)? T, L, S>) => {
        /// # Panics
        /// For an index outside the extents, like a slice.
        impl<T, L: Layout, S: Shape<L::Index>> core::ops::Index<L::Index> for $name<$($life,)? T, L, S> {
            type Output = T;

            #[inline]
            #[track_caller]
            fn index(&self, index: L::Index) -> &T {
                match self.mapping().offset(index) {
                    // SAFETY: `index` is in the extents; invariant 1 of the type.
                    Ok(offset) => unsafe { shared(self.ptr(), offset) },
                    Err(error) => out_of_range(error),
                }
            }
        }
        /// Equal to a view or tensor of the same layout, extents and elements. What padding holds does not count.
        ///
        /// ```
        /// use layout_core::layout::Nchw8c;
        /// use layout_core::view::Tensor;
        /// let mut a = Tensor::<f32, Nchw8c>::filled([1, 3, 2, 2], 1.0)?;
        /// let b = a.clone();
        /// a.as_mut_slice()[7] = 9.0; // padding
        /// assert!(a == b && a.view() == b && a.slice::<'h'>(1..)? == b.slice::<'h'>(..1)?);
        /// a[[0, 2, 1, 1]] = 2.0;
        /// assert!(a != b);
        /// # Ok::<(), layout_core::view::ViewError>(())
        /// ```
        impl<T: PartialEq, L: Layout, S: Shape<L::Index>, V> PartialEq<V> for $name<$($life,)? T, L, S>
        where
            V: crate::view::operand::View<Elem = T, Layout = L>,
        {
            fn eq(&self, other: &V) -> bool {
                super::operators::equal(self, other)
            }
        }
        impl<T: Eq, L: Layout, S: Shape<L::Index>> Eq for $name<$($life,)? T, L, S> {}
        impl<'v, T, L: Layout, S: Shape<L::Index>> IntoIterator for &'v $name<$($life,)? T, L, S> {
            type Item = &'v T;
            type IntoIter = Iter<'v, T, L, S>;

            #[inline]
            fn into_iter(self) -> Iter<'v, T, L, S> {
                self.iter()
            }
        }
        impl<T, L: Layout, S: Shape<L::Index>> core::fmt::Debug for $name<$($life,)? T, L, S> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($name))
                    .field("layout", &L::default())
                    .field("shape", &self.shape())
                    .field("digit_strides", &self.digit_strides())
                    .finish_non_exhaustive()
            }
        }
    };
    (exclusive $name:ident<$($life:lifetime,)? T, L, S>) => {
        operators!(shared $name<$($life,)? T, L, S>);
        impl<T, L: Layout, S: Shape<L::Index>> core::ops::IndexMut<L::Index> for $name<$($life,)? T, L, S> {
            #[inline]
            #[track_caller]
            fn index_mut(&mut self, index: L::Index) -> &mut T {
                match self.mapping().offset(index) {
                    // SAFETY: `index` is in the extents; invariant 1 of the type.
                    Ok(offset) => unsafe { exclusive(self.ptr(), offset) },
                    Err(error) => out_of_range(error),
                }
            }
        }
        impl<'v, T, L: Layout, S: Shape<L::Index>> IntoIterator for &'v mut $name<$($life,)? T, L, S> {
            type Item = &'v mut T;
            type IntoIter = IterMut<'v, T, L, S>;

            #[inline]
            fn into_iter(self) -> IterMut<'v, T, L, S> {
                self.iter_mut()
            }
        }
    };
}

pub(super) use operators;

/// Whether the extents and the elements are the same.
pub(super) fn equal<T: PartialEq, L: Layout>(
    one: &impl View<Elem = T, Layout = L>,
    other: &impl View<Elem = T, Layout = L>,
) -> bool {
    if one.dims() != other.dims() {
        return false;
    }
    let are_dense = one.is_dense() && other.is_dense();
    let (one, other) = (one.as_strided_view(), other.as_strided_view());
    match are_dense {
        // As long, one like the other: they depend on the layout and the extents alone.
        true => one.runs().zip(other.runs()).all(|(one, other)| one.elements == other.elements),
        false => one.iter().eq(other.iter()),
    }
}

/// The panic of `view[index]`, out of the way of the code that does not.
#[cold]
#[inline(never)]
#[track_caller]
pub(super) fn out_of_range(error: IndexError) -> ! {
    panic!("{error}")
}

/// What a function without `Result` does where memory cannot be had.
#[cold]
#[inline(never)]
#[track_caller]
pub(in crate::view) fn no_memory(error: ViewError) -> ! {
    panic!("{error}")
}

/// The dense tensor of `f` of every logical element, with default padding.
#[track_caller]
pub(super) fn mapped<T: Copy, U: Copy + Default, L: Layout, S: Shape<L::Index>>(
    source: StridedView<'_, T, L, S>,
    mut f: impl FnMut(T) -> U,
) -> Tensor<U, L, S> {
    const { assert_not_filled::<L>() }
    let mut out = match Tensor::<U, L, S>::uninit(source.shape()) {
        Ok(out) => out,
        Err(error) => no_memory(error),
    };
    let mapping = *out.mapping();
    let memory = out.as_mut_slice();
    source.runs().for_each(|run| {
        // Dense memory holds each run in one piece as well: its innermost stride is 1.
        let first = mapping.offset_unchecked(run.start);
        for (place, x) in memory[first..].iter_mut().zip(run.elements) {
            place.write(f(*x));
        }
    });
    out.fill_padding(core::mem::MaybeUninit::new(U::default()));
    // SAFETY: the runs hold every logical element, and what is no logical element is padding.
    unsafe { out.assume_init() }
}
