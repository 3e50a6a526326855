//! From one state of padding to another: free where the new type says less, and a walk over the padding where it says
//! more. An exclusive view may say less only for a while, because the tensor behind it keeps its type.

use crate::layout::{Dirty, Filled, Layout, Mapping, PadValue, Pads, StridedMapping, ZeroPadding};
use crate::shape::Shape;
use crate::view::def::{StridedView, StridedViewMut, Tensor, TensorView, TensorViewMut};

/// The same extents under a layout with other padding.
fn dense<L: Layout, L2, S: Shape<L::Index>>(mapping: &Mapping<L, S>) -> Mapping<L2, S>
where
    L2: Layout<Zeroed = L::Zeroed, Index = L::Index>,
{
    // SAFETY: the digits are the same, so that the padded extents are, which `mapping` has checked.
    unsafe { Mapping::new_unchecked(mapping.shape()) }
}

/// The same extents and strides under a layout with other padding.
fn strided<L: Layout, L2, S: Shape<L::Index>>(mapping: &StridedMapping<L, S>) -> StridedMapping<L2, S>
where
    L2: Layout<Zeroed = L::Zeroed, Index = L::Index, Strides = L::Strides>,
{
    // SAFETY: the digits are the same, so that invariants 1 and 2 of `mapping` are those of the result.
    unsafe { StridedMapping::from_parts(mapping.shape(), mapping.digit_strides()) }
}

macro_rules! change {
    ($name:ident, $map:ident) => {
        impl<'a, T, L: Layout, S: Shape<L::Index>> $name<'a, T, L, S> {
            /// The same view of a layout that says something else of padding, which holds, or is made to before anyone
            /// looks.
            #[inline(always)]
            fn restate<L2>(self) -> $name<'a, T, L2, S>
            where
                L2: Layout<Zeroed = L::Zeroed, Index = L::Index, Strides = L::Strides>,
            {
                let mapping = $map(self.mapping());
                // SAFETY: the same memory under the same extents and strides, and `self` is gone. No invariant speaks
                // of what padding holds.
                unsafe { $name::from_parts(self.ptr(), mapping) }
            }
        }
    };
}
change!(TensorView, dense);
change!(StridedView, strided);
change!(TensorViewMut, dense);
change!(StridedViewMut, strided);

macro_rules! shared {
    ($name:ident) => {
        impl<'a, T, L: Layout, S: Shape<L::Index>> $name<'a, T, L, S> {
            /// The same view for code that takes any padding.
            ///
            /// ```
            /// use layout_core::layout::{Dirty, Nchw8c};
            /// use layout_core::view::{Tensor, TensorView};
            /// fn first(x: TensorView<'_, f32, Dirty<Nchw8c>>) -> f32 {
            ///     x[[0, 0, 0, 0]]
            /// }
            /// let x = Tensor::<f32, Nchw8c>::filled([1, 3, 2, 2], 1.0)?;
            /// assert_eq!(first(x.view().as_dirty()), 1.0);
            /// # Ok::<(), layout_core::view::ViewError>(())
            /// ```
            #[inline(always)]
            pub fn as_dirty(&self) -> $name<'a, T, Dirty<L::Zeroed>, S> {
                self.restate()
            }

            /// The same view with the claim that its padding is zero, without a look at it. A wrong claim makes kernels
            /// that read whole blocks compute wrong numbers, and nothing else.
            #[inline(always)]
            pub fn assume_zeroed(&self) -> $name<'a, T, L::Zeroed, S> {
                self.restate()
            }
        }
        impl<'a, T, L: ZeroPadding, S: Shape<L::Index>> From<$name<'a, T, L, S>>
            for $name<'a, T, Dirty<L>, S>
        {
            fn from(view: $name<'a, T, L, S>) -> Self {
                view.restate()
            }
        }
    };
}
shared!(TensorView);
shared!(StridedView);

/// `$reborrow` gives an exclusive view, a `$lent`, for a shorter time.
macro_rules! scoped {
    ($name:ident<$($life:lifetime,)? T, L, S>, $reborrow:ident -> $lent:ident) => {
        impl<T: Copy, L: Layout, S: Shape<L::Index>> $name<$($life,)? T, L, S> {
            /// Lends the memory to code that leaves anything in the padding, and fills the padding again with what the type
            /// says when `write` is done: for whole blocks written without a look at where the elements end. That costs
            /// as much as there is padding. After a panic in `write` the padding is as it was left.
            ///
            /// ```
            /// use layout_core::layout::Nchw8c;
            /// use layout_core::view::Tensor;
            /// let mut x = Tensor::<f32, Nchw8c>::zeroed([1, 3, 2, 2])?;
            /// x.with_dirty(|mut x| {
            ///     x.blocks_mut().iter_mut().flatten().for_each(|x| *x = x.exp());
            /// });
            /// assert_eq!(x[[0, 2, 1, 1]], 1.0);
            /// assert!(x.padding_is_zero());
            /// # Ok::<(), layout_core::view::ViewError>(())
            /// ```
            #[inline]
            pub fn with_dirty<R>(&mut self, write: impl FnOnce($lent<'_, T, Dirty<L::Zeroed>, S>) -> R) -> R
            where
                L: Pads<T>,
            {
                let result = write(self.$reborrow().restate());
                if let Some(value) = L::padding() {
                    self.fill_padding(value);
                }
                result
            }
        }
    };
}
macro_rules! exclusive {
    ($name:ident, $reborrow:ident) => {
        impl<'a, T: Copy, L: ZeroPadding, S: Shape<L::Index>> $name<'a, T, Dirty<L>, S> {
            /// The view with zeros written to the padding, and a type that says so.
            #[inline]
            pub fn into_zeroed(mut self) -> $name<'a, T, L, S>
            where
                T: Default,
            {
                self.zero_padding();
                self.restate()
            }

            /// The view with `V` written to the padding, and a type that says so.
            #[inline]
            pub fn into_filled<V: PadValue<T>>(mut self) -> $name<'a, T, Filled<L, V>, S> {
                self.fill_padding(V::VALUE);
                self.restate()
            }

            /// The view with the claim that its padding is zero, or will be when somebody relies on it. A wrong claim
            /// makes kernels that read whole blocks compute wrong numbers, and nothing else.
            #[inline(always)]
            pub fn assume_zeroed(self) -> $name<'a, T, L, S> {
                self.restate()
            }
        }
        scoped!($name<'_, T, L, S>, $reborrow -> $name);
    };
}

exclusive!(TensorViewMut, view_mut);
exclusive!(StridedViewMut, as_strided_mut);
scoped!(Tensor<T, L, S>, view_mut -> TensorViewMut);

impl<T, L: Layout, S: Shape<L::Index>> Tensor<T, L, S> {
    /// The same tensor of a layout that says something else of padding, which holds.
    #[inline]
    fn restate<L2>(self) -> Tensor<T, L2, S>
    where
        L2: Layout<Zeroed = L::Zeroed, Index = L::Index>,
    {
        let mapping = dense(self.mapping());
        // SAFETY: the digits and the extents are those of `self`.
        unsafe { self.with_mapping(mapping) }
    }

    /// The same tensor with a type that says nothing of padding, for code that writes whole blocks.
    ///
    /// ```
    /// use layout_core::layout::{Dirty, Nchw8c};
    /// use layout_core::view::Tensor;
    /// let mut x: Tensor<f32, Dirty<Nchw8c>> = Tensor::<f32, Nchw8c>::zeroed([1, 3, 2, 2])?.into_dirty();
    /// x.as_mut_slice().fill(1.0);
    /// let x: Tensor<f32, Nchw8c> = x.into_zeroed();
    /// assert_eq!(x.as_slice().iter().sum::<f32>(), 12.0);
    /// # Ok::<(), layout_core::view::ViewError>(())
    /// ```
    #[inline]
    pub fn into_dirty(self) -> Tensor<T, Dirty<L::Zeroed>, S> {
        self.restate()
    }

    /// The tensor with zeros (the default of `T`) written to the padding, and a type that says so.
    #[inline]
    pub fn into_zeroed(mut self) -> Tensor<T, L::Zeroed, S>
    where
        T: Copy + Default,
    {
        self.fill_padding(T::default());
        self.restate()
    }

    /// The tensor with `V` written to the padding, and a type that says so.
    ///
    /// ```
    /// use layout_core::layout::padding::Constant;
    /// use layout_core::layout::{Filled, Nchw4c};
    /// use layout_core::view::Tensor;
    /// let x = Tensor::<u8, Nchw4c>::filled([1, 3, 1, 1], 200)?;
    /// let x: Tensor<u8, Filled<Nchw4c, Constant<128>>> = x.into_filled(); // the zero point
    /// assert_eq!(x.as_slice(), [200, 200, 200, 128]);
    /// # Ok::<(), layout_core::view::ViewError>(())
    /// ```
    #[inline]
    pub fn into_filled<V: PadValue<T>>(mut self) -> Tensor<T, Filled<L::Zeroed, V>, S>
    where
        T: Copy,
    {
        self.fill_padding(V::VALUE);
        self.restate()
    }

    /// The tensor with the claim that its padding is zero, without a look at it. A wrong claim makes kernels that read
    /// whole blocks compute wrong numbers, and nothing else.
    #[inline]
    pub fn assume_zeroed(self) -> Tensor<T, L::Zeroed, S> {
        self.restate()
    }
}
