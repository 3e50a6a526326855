//! Members of [`Tensor`]: constructors that allocate, and the members that all views share, which pass through to
//! borrowed views.

use super::methods::{asking, reading, writing};
use super::operators::{mapped, no_memory, operators, out_of_range};
use crate::layout::{
    HasAxis, Layout, Mapping, PermuteShape, Permutes, Relabels, RemoveAxis, assert_not_filled,
};
use crate::shape::{IndexArray, IndexError, Shape};
use crate::view::def::{
    StridedView, StridedViewMut, Tensor, TensorView, TensorViewMut, exclusive, exclusive_slice, shared,
};
use crate::view::error::ViewError;
use crate::view::iter::{
    Chunks, ChunksMut, IndexedBlocks, IndexedBlocksMut, IndexedIter, IndexedIterMut, Indices, Iter, IterMut,
    PhysicalIter, Runs, RunsMut, as_blocks_mut,
};
use crate::view::part;
use alloc::vec::Vec;
use core::mem::MaybeUninit;
use core::ops::RangeBounds;

operators!(exclusive Tensor<T, L, S>);

/// Constructors. All of them report extents that no memory holds ([`ViewError::Size`]) and memory that cannot be had
/// ([`ViewError::Memory`]); nothing is allocated where no bytes are needed.
impl<T: Copy, L: Layout, S: Shape<L::Index>> Tensor<T, L, S> {
    /// Memory that is not written yet, for code that writes all of it, padding included, before
    /// [`assume_init`](Tensor::assume_init).
    ///
    /// # Errors
    /// [`ViewError::Size`] and [`ViewError::Memory`].
    pub fn uninit(shape: S) -> Result<Tensor<MaybeUninit<T>, L, S>, ViewError> {
        let mapping = Mapping::for_elements_of(size_of::<T>(), shape)?;
        // The size was checked, so that the product does not wrap around.
        Self::allocate(mapping).ok_or(ViewError::Memory { bytes: mapping.required_len() * size_of::<T>() })
    }

    /// Every element, padding included, holds the default, which is zero for numbers.
    ///
    /// # Errors
    /// [`ViewError::Size`] and [`ViewError::Memory`].
    pub fn zeroed(shape: S) -> Result<Self, ViewError>
    where
        T: Default,
    {
        const { assert_not_filled::<L>() }
        let mut out = Self::uninit(shape)?;
        out.as_mut_slice().fill(MaybeUninit::new(T::default()));
        // SAFETY: all memory was filled.
        Ok(unsafe { out.assume_init() })
    }

    /// Every logical element holds `value`; the padding holds the default.
    ///
    /// # Errors
    /// [`ViewError::Size`] and [`ViewError::Memory`].
    pub fn filled(shape: S, value: T) -> Result<Self, ViewError>
    where
        T: Default,
    {
        const { assert_not_filled::<L>() }
        let mut out = Self::uninit(shape)?;
        out.as_mut_slice().fill(MaybeUninit::new(value));
        out.fill_padding(MaybeUninit::new(T::default()));
        // SAFETY: all memory was filled.
        Ok(unsafe { out.assume_init() })
    }

    /// Every logical element holds `f` of its index, called in row-major logical order; the padding holds the default.
    ///
    /// # Errors
    /// [`ViewError::Size`] and [`ViewError::Memory`].
    pub fn from_fn(shape: S, mut f: impl FnMut(S::Index) -> T) -> Result<Self, ViewError>
    where
        T: Default,
    {
        const { assert_not_filled::<L>() }
        let mut out = Self::uninit(shape)?;
        out.fill_padding(MaybeUninit::new(T::default()));
        out.indexed_iter_mut().for_each(|(index, place)| {
            place.write(f(index));
        });
        // SAFETY: memory is logical elements and padding, and both were written.
        Ok(unsafe { out.assume_init() })
    }

    /// A copy of `memory` in physical order; what it holds in the place of padding is overwritten with the default.
    ///
    /// # Errors
    /// [`ViewError::Length`] where `memory` is not as long as the layout requires; [`ViewError::Size`] and
    /// [`ViewError::Memory`].
    pub fn from_slice(shape: S, memory: &[T]) -> Result<Self, ViewError>
    where
        T: Default,
    {
        const { assert_not_filled::<L>() }
        let mut out = Tensor::copied(TensorView::from_slice(shape, memory)?)?;
        out.zero_padding();
        Ok(out)
    }

    /// [`from_slice`](Self::from_slice) of a vector. The elements are copied, because a vector's memory is not aligned to
    /// 64 bytes.
    ///
    /// # Errors
    /// As for [`from_slice`](Self::from_slice).
    pub fn from_vec(shape: S, memory: Vec<T>) -> Result<Self, ViewError>
    where
        T: Default,
    {
        Self::from_slice(shape, &memory)
    }

    /// The logical elements from `values` in row-major logical order (the last axis runs fastest), whatever their
    /// order in memory; the padding holds the default.
    ///
    /// # Errors
    /// [`ViewError::LogicalLength`] where there are not as many values as logical elements; [`ViewError::Size`] and
    /// [`ViewError::Memory`].
    pub fn from_logical(shape: S, values: &[T]) -> Result<Self, ViewError>
    where
        T: Default,
    {
        const { assert_not_filled::<L>() }
        let expected = Mapping::<L, S>::for_elements_of(size_of::<T>(), shape)?.len();
        if values.len() != expected {
            return Err(ViewError::LogicalLength { expected, found: values.len() });
        }
        let mut out = Self::uninit(shape)?;
        out.fill_padding(MaybeUninit::new(T::default()));
        out.iter_mut().zip(values).for_each(|(place, &value)| {
            place.write(value);
        });
        // SAFETY: memory is logical elements, of which there is a value each, and padding.
        Ok(unsafe { out.assume_init() })
    }

    /// A copy of dense memory, padding as it is.
    pub(super) fn copied(source: TensorView<'_, T, L, S>) -> Result<Self, ViewError> {
        let mut out = Self::uninit(source.shape())?;
        for (place, &x) in out.as_mut_slice().iter_mut().zip(source.as_slice()) {
            place.write(x);
        }
        // SAFETY: both mappings are the same, so that all memory was written.
        Ok(unsafe { out.assume_init() })
    }
}

impl<T, L: Layout, S: Shape<L::Index>> Tensor<T, L, S> {
    asking!('_);
    reading!('_);
    writing!();

    /// A shared view of the memory.
    #[inline(always)]
    pub fn view(&self) -> TensorView<'_, T, L, S> {
        // SAFETY: while the result lives, `self` is borrowed and nobody writes.
        unsafe { TensorView::from_parts(self.ptr(), *self.mapping()) }
    }

    /// An exclusive view of the memory.
    #[inline(always)]
    pub fn view_mut(&mut self) -> TensorViewMut<'_, T, L, S> {
        // SAFETY: while the result lives, `self` is borrowed and not used.
        unsafe { TensorViewMut::from_parts(self.ptr(), *self.mapping()) }
    }

    /// The memory in physical order, padding included.
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        self.view().as_slice()
    }

    /// The memory in physical order, padding included, to write. What is written to padding stays there until
    /// [`zero_padding`](Self::zero_padding).
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        // SAFETY: invariants 1 and 2.
        unsafe { exclusive_slice(self.ptr(), 0, self.required_len()) }
    }

    /// The dense inner blocks in physical order, padding included.
    #[inline]
    pub fn blocks(&self) -> &[L::Block<T>] {
        self.view().blocks()
    }

    /// The dense inner blocks in physical order, padding included, to write. What is written to padding stays there until
    /// [`zero_padding`](Self::zero_padding).
    #[inline]
    pub fn blocks_mut(&mut self) -> &mut [L::Block<T>] {
        as_blocks_mut::<L, T>(self.as_mut_slice())
    }

    /// A shared view with the strides stored.
    #[inline(always)]
    pub fn as_strided(&self) -> StridedView<'_, T, L, S> {
        self.view().as_strided()
    }

    /// An exclusive view with the strides stored.
    #[inline(always)]
    pub fn as_strided_mut(&mut self) -> StridedViewMut<'_, T, L, S> {
        self.view_mut().into_strided()
    }

    /// The same memory with extents typed as those of `shape`, for extents known while compiling.
    ///
    /// # Errors
    /// [`ViewError::Extent`] where an extent differs.
    pub fn with_shape<S2: Shape<L::Index>>(self, shape: S2) -> Result<Tensor<T, L, S2>, ViewError> {
        let shape = part::same_extents::<L, S2>(self.dims(), shape)?;
        // SAFETY: the extents are those of `self`.
        let mapping = unsafe { Mapping::new_unchecked(shape) };
        // SAFETY: the extents are those of `self`.
        Ok(unsafe { self.with_mapping(mapping) })
    }

    /// The same memory with the logical axes in the order of `Other`; nothing moves.
    pub fn permute_axes<Other: Layout>(self) -> Tensor<T, Other, S::Output>
    where
        L: Permutes<Other>,
        S: PermuteShape<L, Other>,
    {
        let mapping = part::permute::<L, Other, S>(self.mapping());
        // SAFETY: the padded extents are the same in another order.
        unsafe { self.with_mapping(mapping) }
    }

    /// The same memory with the axes named as in `Other`; nothing moves.
    pub fn relabel<Other: Layout<Index = L::Index>>(self) -> Tensor<T, Other, S>
    where
        L: Relabels<Other>,
    {
        let mapping = part::relabel::<L, Other, S>(self.mapping());
        // SAFETY: the padded extents are the same.
        unsafe { self.with_mapping(mapping) }
    }
}

impl<T: Copy, L: Layout, S: Shape<L::Index>> Clone for Tensor<T, L, S> {
    /// # Panics
    /// Where memory cannot be had.
    fn clone(&self) -> Self {
        match Tensor::copied(self.view()) {
            Ok(tensor) => tensor,
            Err(error) => no_memory(error),
        }
    }
}

impl<T: Copy, L: Layout, S: Shape<L::Index>> TensorView<'_, T, L, S> {
    /// An owned copy of the memory, padding as it is.
    ///
    /// # Errors
    /// [`ViewError::Memory`].
    pub fn to_tensor(&self) -> Result<Tensor<T, L, S>, ViewError> {
        Tensor::copied(*self)
    }
}
