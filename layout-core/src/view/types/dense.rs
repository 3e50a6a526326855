//! Members of [`TensorView`] and [`TensorViewMut`]: constructors over slices, and what dense memory allows beside
//! the members that all views share.

use super::methods::{asking, reading, writing};
use super::operators::{mapped, operators, out_of_range};
use crate::layout::{
    Dirty, HasAxis, Layout, Mapping, PermuteShape, Permutes, Relabels, RemoveAxis, assert_not_filled,
};
use crate::shape::{IndexArray, IndexError, Shape};
use crate::view::def::{
    StridedView, StridedViewMut, Tensor, TensorView, TensorViewMut, exclusive, exclusive_slice, shared,
    shared_slice,
};
use crate::view::error::ViewError;
use crate::view::iter::{
    Chunks, ChunksMut, IndexedBlocks, IndexedBlocksMut, IndexedIter, IndexedIterMut, Indices, Iter, IterMut,
    PhysicalIter, Runs, RunsMut, as_blocks, as_blocks_mut,
};
use crate::view::part;
use core::ops::RangeBounds;
use core::ptr::NonNull;

operators!(shared TensorView<'_, T, L, S>);
operators!(exclusive TensorViewMut<'_, T, L, S>);

/// The mapping of a tensor of elements `T` that takes `found` elements of memory.
fn mapping_over<T, L: Layout, S: Shape<L::Index>>(
    shape: S,
    found: usize,
) -> Result<Mapping<L, S>, ViewError> {
    let mapping = Mapping::for_elements_of(size_of::<T>(), shape)?;
    let expected = mapping.required_len();
    if expected != found {
        return Err(ViewError::Length { expected, found });
    }
    Ok(mapping)
}

impl<'a, T, L: Layout, S: Shape<L::Index>> TensorView<'a, T, L, S> {
    /// A view of memory in physical order, padding included. What the padding holds is not looked at: that it is what the
    /// layout says is your claim. Of memory from elsewhere name the layout `Dirty<…>`, and ask
    /// [`try_zeroed`](Self::try_zeroed).
    ///
    /// # Errors
    /// [`ViewError::Size`] for extents that no memory holds; [`ViewError::Length`] where `memory` is not as long as the
    /// layout requires.
    pub fn from_slice(shape: S, memory: &'a [T]) -> Result<Self, ViewError> {
        let mapping = mapping_over::<T, L, S>(shape, memory.len())?;
        // SAFETY: invariant 1: the slice has as many elements. Invariant 2: `mapping_over` checked the size.
        Ok(unsafe { TensorView::from_parts(NonNull::from(memory).cast(), mapping) })
    }

    asking!('a);
    reading!('a);

    /// The memory in physical order, padding included.
    #[inline]
    pub fn as_slice(&self) -> &'a [T] {
        // SAFETY: invariants 1 and 2.
        unsafe { shared_slice(self.ptr(), 0, self.required_len()) }
    }

    /// The dense inner blocks in physical order, padding included: `&[[f32; 16]]` for `nChw16c`, `&[[[f32; 16]; 16]]` for
    /// `OIhw16i16o`, single elements for plain layouts.
    #[inline]
    pub fn blocks(&self) -> &'a [L::Block<T>] {
        as_blocks::<L, T>(self.as_slice())
    }

    /// The same elements with their strides stored.
    #[inline(always)]
    pub fn as_strided(&self) -> StridedView<'a, T, L, S> {
        // SAFETY: dense offsets of padded indices are below `required_len`.
        unsafe { StridedView::from_parts(self.ptr(), self.mapping().to_strided()) }
    }

    /// The same elements with extents typed as those of `shape`, for extents known while compiling.
    ///
    /// # Errors
    /// [`ViewError::Extent`] where an extent differs.
    pub fn with_shape<S2: Shape<L::Index>>(&self, shape: S2) -> Result<TensorView<'a, T, L, S2>, ViewError> {
        let shape = part::same_extents::<L, S2>(self.dims(), shape)?;
        // SAFETY: the extents are those of `self`.
        let mapping = unsafe { Mapping::new_unchecked(shape) };
        // SAFETY: the same elements.
        Ok(unsafe { TensorView::from_parts(self.ptr(), mapping) })
    }

    /// The same elements with the logical axes in the order of `Other`; nothing moves.
    ///
    /// ```
    /// use layout_core::layout::{Dim, Format, Nchw};
    /// use layout_core::view::TensorView;
    /// // `nchw` whose logical order is n, h, w, c.
    /// type ImageOrder = Format<(Dim<'n'>, Dim<'c'>, Dim<'h'>, Dim<'w'>), (Dim<'n'>, Dim<'h'>, Dim<'w'>, Dim<'c'>)>;
    /// let memory: Vec<u8> = (0..24).collect();
    /// let v: TensorView<'_, u8, Nchw> = TensorView::from_slice([1, 2, 3, 4], &memory)?;
    /// let image = v.permute_axes::<ImageOrder>();
    /// assert_eq!(image.dims(), [1, 3, 4, 2]);
    /// assert_eq!(image[[0, 2, 3, 1]], v[[0, 1, 2, 3]]);
    /// # Ok::<(), layout_core::view::ViewError>(())
    /// ```
    pub fn permute_axes<Other: Layout>(&self) -> TensorView<'a, T, Other, S::Output>
    where
        L: Permutes<Other>,
        S: PermuteShape<L, Other>,
    {
        let mapping = part::permute::<L, Other, S>(self.mapping());
        // SAFETY: the same memory under permuted indices.
        unsafe { TensorView::from_parts(self.ptr(), mapping) }
    }

    /// The same elements with the axes named as in `Other`; nothing moves.
    ///
    /// ```
    /// use layout_core::layout::{Oihw, Nchw};
    /// use layout_core::view::TensorView;
    /// let v: TensorView<'_, i8, Nchw> = TensorView::from_slice([1, 2, 1, 2], &[1, 2, 3, 4])?;
    /// assert_eq!(v.relabel::<Oihw>()[[0, 1, 0, 1]], 4);
    /// # Ok::<(), layout_core::view::ViewError>(())
    /// ```
    pub fn relabel<Other: Layout<Index = L::Index>>(&self) -> TensorView<'a, T, Other, S>
    where
        L: Relabels<Other>,
    {
        let mapping = part::relabel::<L, Other, S>(self.mapping());
        // SAFETY: the same memory under the same indices.
        unsafe { TensorView::from_parts(self.ptr(), mapping) }
    }
}

impl<'a, T, L: Layout, S: Shape<L::Index>> TensorViewMut<'a, T, L, S> {
    /// A view of memory in physical order, to read and write. The padding is overwritten with the default, which is
    /// zero for numbers; [`from_slice_dirty`](Self::from_slice_dirty) leaves it.
    ///
    /// # Errors
    /// [`ViewError::Size`] for extents that no memory holds; [`ViewError::Length`] where `memory` is not as long as the
    /// layout requires.
    pub fn from_slice(shape: S, memory: &'a mut [T]) -> Result<Self, ViewError>
    where
        T: Copy + Default,
    {
        const { assert_not_filled::<L>() }
        let mut view = Self::over(shape, memory)?;
        view.zero_padding();
        Ok(view)
    }

    /// A view of memory in physical order, to read and write, whose padding stays as it is: it may hold anything, and
    /// the type says so.
    ///
    /// ```
    /// use layout_core::layout::{Dirty, Nchw4c};
    /// use layout_core::view::TensorViewMut;
    /// let mut memory = [7; 4];
    /// let x: TensorViewMut<'_, u8, Dirty<Nchw4c>> =
    ///     TensorViewMut::<u8, Nchw4c>::from_slice_dirty([1, 3, 1, 1], &mut memory)?;
    /// assert_eq!(x.as_slice(), [7, 7, 7, 7]);
    /// # Ok::<(), layout_core::view::ViewError>(())
    /// ```
    ///
    /// # Errors
    /// As for [`from_slice`](Self::from_slice).
    pub fn from_slice_dirty(
        shape: S,
        memory: &'a mut [T],
    ) -> Result<TensorViewMut<'a, T, Dirty<L::Zeroed>, S>, ViewError> {
        TensorViewMut::over(shape, memory)
    }

    /// The view, whatever its type says of padding.
    fn over(shape: S, memory: &'a mut [T]) -> Result<Self, ViewError> {
        let mapping = mapping_over::<T, L, S>(shape, memory.len())?;
        // SAFETY: invariant 1: the slice has as many elements. Invariant 2: `mapping_over` checked the size.
        Ok(unsafe { TensorViewMut::from_parts(NonNull::from(memory).cast(), mapping) })
    }

    asking!('_);
    reading!('_);
    writing!();

    /// A shared view of the same memory.
    #[inline(always)]
    pub fn view(&self) -> TensorView<'_, T, L, S> {
        // SAFETY: while the result lives, `self` is borrowed and nobody writes.
        unsafe { TensorView::from_parts(self.ptr(), *self.mapping()) }
    }

    /// An exclusive view of the same memory for a shorter time.
    #[inline(always)]
    pub fn view_mut(&mut self) -> TensorViewMut<'_, T, L, S> {
        // SAFETY: while the result lives, `self` is borrowed and not used.
        unsafe { TensorViewMut::from_parts(self.ptr(), *self.mapping()) }
    }

    /// A shared view for as long as the exclusive one would have lived.
    #[inline]
    pub fn into_shared(self) -> TensorView<'a, T, L, S> {
        // SAFETY: `self` is gone, and with it the only way to write.
        unsafe { TensorView::from_parts(self.ptr(), *self.mapping()) }
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
        as_blocks::<L, T>(self.as_slice())
    }

    /// The dense inner blocks in physical order, padding included, to write. What is written to padding stays there until
    /// [`zero_padding`](Self::zero_padding).
    #[inline]
    pub fn blocks_mut(&mut self) -> &mut [L::Block<T>] {
        as_blocks_mut::<L, T>(self.as_mut_slice())
    }

    /// A shared view of the same elements with their strides stored.
    #[inline(always)]
    pub fn as_strided(&self) -> StridedView<'_, T, L, S> {
        self.view().as_strided()
    }

    /// An exclusive view of the same elements with their strides stored.
    #[inline(always)]
    pub fn as_strided_mut(&mut self) -> StridedViewMut<'_, T, L, S> {
        self.view_mut().into_strided()
    }

    /// [`as_strided_mut`](Self::as_strided_mut) for as long as `self` would have lived.
    #[inline(always)]
    pub fn into_strided(self) -> StridedViewMut<'a, T, L, S> {
        // SAFETY: dense offsets of padded indices are below `required_len` and differ; `self` is gone.
        unsafe { StridedViewMut::from_parts(self.ptr(), self.mapping().to_strided()) }
    }

    /// The same elements with extents typed as those of `shape`, for extents known while compiling.
    ///
    /// # Errors
    /// [`ViewError::Extent`] where an extent differs.
    pub fn with_shape<S2: Shape<L::Index>>(
        self,
        shape: S2,
    ) -> Result<TensorViewMut<'a, T, L, S2>, ViewError> {
        let shape = part::same_extents::<L, S2>(self.dims(), shape)?;
        // SAFETY: the extents are those of `self`.
        let mapping = unsafe { Mapping::new_unchecked(shape) };
        // SAFETY: the same elements, and `self` is gone.
        Ok(unsafe { TensorViewMut::from_parts(self.ptr(), mapping) })
    }

    /// The same elements with the logical axes in the order of `Other`; nothing moves.
    pub fn permute_axes<Other: Layout>(self) -> TensorViewMut<'a, T, Other, S::Output>
    where
        L: Permutes<Other>,
        S: PermuteShape<L, Other>,
    {
        let mapping = part::permute::<L, Other, S>(self.mapping());
        // SAFETY: the same memory under permuted indices, and `self` is gone.
        unsafe { TensorViewMut::from_parts(self.ptr(), mapping) }
    }

    /// The same elements with the axes named as in `Other`; nothing moves.
    pub fn relabel<Other: Layout<Index = L::Index>>(self) -> TensorViewMut<'a, T, Other, S>
    where
        L: Relabels<Other>,
    {
        let mapping = part::relabel::<L, Other, S>(self.mapping());
        // SAFETY: the same memory under the same indices, and `self` is gone.
        unsafe { TensorViewMut::from_parts(self.ptr(), mapping) }
    }
}
