//! Members of [`StridedView`] and [`StridedViewMut`]: everything that does not need dense memory. The dense types come
//! here for their parts and iterators.

use super::methods::{asking, reading, writing};
use super::operators::{mapped, operators, out_of_range};
use crate::layout::{
    HasAxis, Layout, Mapping, PermuteShape, Permutes, Relabels, RemoveAxis, StridedMapping, assert_not_filled,
};
use crate::shape::{IndexArray, IndexError, Shape};
use crate::view::def::{
    StridedView, StridedViewMut, Tensor, TensorView, TensorViewMut, exclusive, exclusive_slice, shared,
    shared_slice,
};
use crate::view::error::ViewError;
use crate::view::iter::{
    Blocks, BlocksMut, Chunks, ChunksMut, IndexedBlocks, IndexedBlocksMut, IndexedIter, IndexedIterMut,
    Indices, Iter, IterMut, PhysicalIter, Runs, RunsMut,
};
use crate::view::{padding, part};
use core::ops::{ControlFlow, RangeBounds};

operators!(shared StridedView<'_, T, L, S>);
operators!(exclusive StridedViewMut<'_, T, L, S>);

/// The dense mapping of the same extents, if it places everything alike.
fn dense<T, L: Layout, S: Shape<L::Index>>(
    mapping: &StridedMapping<L, S>,
) -> Result<Mapping<L, S>, ViewError> {
    let dense = Mapping::<L, S>::for_elements_of(size_of::<T>(), mapping.shape())?;
    if mapping.is_empty() {
        return Ok(dense);
    }
    let padded = mapping.padded_dims();
    let (strides, expected) = (mapping.digit_strides(), dense.digit_strides());
    for position in (0..L::SPEC.outer_len()).rev() {
        let Some(digit) = L::SPEC.digit(position) else { continue };
        let several = digit.size.is_some() || padded.as_ref()[digit.axis] as u64 > digit.divisor;
        let (found, expected) = (strides.as_ref()[position], expected.as_ref()[position]);
        if several && found != expected {
            return Err(ViewError::Stride { axis: L::AXES[digit.axis], position, expected, found });
        }
    }
    Ok(dense)
}

impl<'a, T, L: Layout, S: Shape<L::Index>> StridedView<'a, T, L, S> {
    asking!('a);
    reading!('a);

    /// The view itself: what the dense types convert to.
    #[inline(always)]
    pub fn as_strided(&self) -> StridedView<'a, T, L, S> {
        *self
    }

    /// The dense inner blocks in physical order, padding included: `&[f32; 16]` for `nChw16c`.
    #[inline]
    pub fn blocks(&self) -> Blocks<'a, T, L, S> {
        Blocks::new(*self)
    }

    /// The same elements as a dense view, if their strides are those of dense memory.
    ///
    /// # Errors
    /// [`ViewError::Stride`] with the innermost digit that is not dense.
    pub fn try_dense(&self) -> Result<TensorView<'a, T, L, S>, ViewError> {
        let mapping = dense::<T, L, S>(self.mapping())?;
        // SAFETY: invariant 1: with dense strides the padded indices are at the offsets below `required_len`, each of
        // them once, and `self` has them all. Invariant 2: `dense` checked the size.
        Ok(unsafe { TensorView::from_parts(self.ptr(), mapping) })
    }

    /// The same elements with extents typed as those of `shape`, for extents known while compiling.
    ///
    /// # Errors
    /// [`ViewError::Extent`] where an extent differs.
    pub fn with_shape<S2: Shape<L::Index>>(&self, shape: S2) -> Result<StridedView<'a, T, L, S2>, ViewError> {
        let shape = part::same_extents::<L, S2>(self.dims(), shape)?;
        // SAFETY: the extents and strides are those of `self`.
        let mapping = unsafe { StridedMapping::from_parts(shape, self.digit_strides()) };
        // SAFETY: the same elements.
        Ok(unsafe { StridedView::from_parts(self.ptr(), mapping) })
    }

    /// The same elements with the logical axes in the order of `Other`; nothing moves.
    pub fn permute_axes<Other: Layout>(&self) -> StridedView<'a, T, Other, S::Output>
    where
        L: Permutes<Other>,
        S: PermuteShape<L, Other>,
    {
        let mapping = part::permute_strided::<L, Other, S>(self.mapping());
        // SAFETY: the same elements under permuted indices.
        unsafe { StridedView::from_parts(self.ptr(), mapping) }
    }

    /// The same elements with the axes named as in `Other`; nothing moves.
    pub fn relabel<Other: Layout<Index = L::Index>>(&self) -> StridedView<'a, T, Other, S>
    where
        L: Relabels<Other>,
    {
        let mapping = part::relabel_strided::<L, Other, S>(self.mapping());
        // SAFETY: the same elements under the same indices.
        unsafe { StridedView::from_parts(self.ptr(), mapping) }
    }

    /// The view with axis `AXIS`, whose extent is 1, repeated `extent` times: every index along it is the same element.
    /// Blocked axes are refused while compiling: their places in a block are different elements.
    ///
    /// # Errors
    /// [`ViewError::Extent`] where the axis has another extent than 1; [`ViewError::Size`] where the number of elements
    /// passes the address space.
    ///
    /// ```
    /// use layout_core::layout::Nchw16c;
    /// use layout_core::view::Tensor;
    /// let bias = Tensor::<f32, Nchw16c>::from_logical([1, 3, 1, 1], &[0.5, 1.5, 2.5])?;
    /// let everywhere = bias.as_strided().broadcast::<'h'>(4)?.broadcast::<'w'>(5)?;
    /// assert_eq!(everywhere.dims(), [1, 3, 4, 5]);
    /// assert_eq!(everywhere[[0, 2, 3, 4]], 2.5);
    /// # Ok::<(), layout_core::view::ViewError>(())
    /// ```
    pub fn broadcast<const AXIS: char>(&self, extent: usize) -> Result<StridedView<'a, T, L>, ViewError>
    where
        L: HasAxis<AXIS>,
    {
        let axis = const { part::unblocked::<L, AXIS>() };
        let mut dims = self.dims();
        if dims.as_ref()[axis] != 1 {
            return Err(ViewError::Extent { axis: AXIS, expected: 1, found: dims.as_ref()[axis] });
        }
        dims.as_mut()[axis] = extent;
        // The number of elements is an `isize`, so that counting them cannot overflow.
        Mapping::<L>::for_elements_of(size_of::<T>(), dims)?;
        let mut strides = self.digit_strides();
        strides.as_mut()[const { part::top::<L, AXIS>() }] = 0;
        // SAFETY: each padded index has the offset of one of `self`, and the dense block, not being of this axis, its strides.
        let mapping = unsafe { StridedMapping::from_parts(dims, strides) };
        // SAFETY: the places of the new indices are places of `self`.
        Ok(unsafe { StridedView::from_parts(self.ptr(), mapping) })
    }

    /// The same elements with no extent known while compiling.
    #[inline]
    pub(in crate::view) fn with_dynamic_shape(&self) -> StridedView<'a, T, L> {
        // SAFETY: the extents and strides are those of `self`.
        let mapping = unsafe { StridedMapping::from_parts(self.dims(), self.digit_strides()) };
        // SAFETY: the same elements.
        unsafe { StridedView::from_parts(self.ptr(), mapping) }
    }

    pub(super) fn sliced<const AXIS: char>(
        &self,
        range: &impl RangeBounds<usize>,
    ) -> Result<StridedView<'a, T, L>, ViewError> {
        let axis = const { part::position::<L, AXIS>() };
        let (start, end) = part::bounds::<L>(axis, self.dims().as_ref()[axis], range)?;
        let (mapping, offset) = part::range(self.mapping(), axis, start, end);
        // SAFETY: `part::range` gives the offset of an element, or 0.
        let ptr = unsafe { self.ptr().add(offset) };
        // SAFETY: a padded index of the part is one of `self`, at the same place.
        Ok(unsafe { StridedView::from_parts(ptr, mapping) })
    }

    pub(super) fn selected<const AXIS: char>(
        &self,
        index: usize,
    ) -> Result<StridedView<'a, T, <L as RemoveAxis<AXIS>>::Output>, ViewError>
    where
        L: RemoveAxis<AXIS>,
    {
        let (mapping, offset) = part::one::<AXIS, L, S>(self.mapping(), index)?;
        // SAFETY: `part::one` gives the offset of an element, or 0.
        let ptr = unsafe { self.ptr().add(offset) };
        // SAFETY: a padded index of the part with `index` put in is one of `self`, at the same place.
        Ok(unsafe { StridedView::from_parts(ptr, mapping) })
    }

    pub(in crate::view) fn padding_is(&self, value: &T) -> bool
    where
        T: PartialEq,
    {
        padding::visit_padding(self.mapping(), &mut |offset, len| {
            // SAFETY: padding lies within the padded extents; invariant 1.
            let stretch = unsafe { shared_slice(self.ptr(), offset, len) };
            if stretch.iter().all(|x| x == value) {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        })
        .is_continue()
    }
}

impl<'a, T, L: Layout, S: Shape<L::Index>> StridedViewMut<'a, T, L, S> {
    asking!('_);
    reading!('_);
    writing!();

    /// A shared view of the same elements.
    #[inline(always)]
    pub fn as_strided(&self) -> StridedView<'_, T, L, S> {
        // SAFETY: while the result lives, `self` is borrowed and nobody writes.
        unsafe { StridedView::from_parts(self.ptr(), *self.mapping()) }
    }

    /// An exclusive view of the same elements for a shorter time.
    #[inline(always)]
    pub fn as_strided_mut(&mut self) -> StridedViewMut<'_, T, L, S> {
        // SAFETY: while the result lives, `self` is borrowed and not used.
        unsafe { StridedViewMut::from_parts(self.ptr(), *self.mapping()) }
    }

    /// A shared view for as long as the exclusive one would have lived.
    #[inline]
    pub fn into_shared(self) -> StridedView<'a, T, L, S> {
        // SAFETY: `self` is gone, and with it the only way to write.
        unsafe { StridedView::from_parts(self.ptr(), *self.mapping()) }
    }

    /// The dense inner blocks in physical order, padding included: `&[f32; 16]` for `nChw16c`.
    #[inline]
    pub fn blocks(&self) -> Blocks<'_, T, L, S> {
        Blocks::new(self.as_strided())
    }

    /// The dense inner blocks in physical order, padding included, to write.
    #[inline]
    pub fn blocks_mut(&mut self) -> BlocksMut<'_, T, L, S> {
        BlocksMut::new(self.as_strided_mut())
    }

    /// The same elements as a dense view, if their strides are those of dense memory.
    ///
    /// # Errors
    /// [`ViewError::Stride`] with the innermost digit that is not dense.
    pub fn try_dense(&self) -> Result<TensorView<'_, T, L, S>, ViewError> {
        self.as_strided().try_dense()
    }

    /// The same elements as an exclusive dense view, if their strides are those of dense memory.
    ///
    /// # Errors
    /// [`ViewError::Stride`] with the innermost digit that is not dense.
    pub fn try_dense_mut(&mut self) -> Result<TensorViewMut<'_, T, L, S>, ViewError> {
        self.as_strided_mut().into_dense()
    }

    /// [`try_dense_mut`](Self::try_dense_mut) for as long as `self` would have lived.
    ///
    /// # Errors
    /// [`ViewError::Stride`] with the innermost digit that is not dense.
    pub fn into_dense(self) -> Result<TensorViewMut<'a, T, L, S>, ViewError> {
        let mapping = dense::<T, L, S>(self.mapping())?;
        // SAFETY: invariant 1: with dense strides the padded indices are at the offsets below `required_len`, each of
        // them once, and `self`, which is gone, had them all. Invariant 2: `dense` checked the size.
        Ok(unsafe { TensorViewMut::from_parts(self.ptr(), mapping) })
    }

    /// The same elements with extents typed as those of `shape`, for extents known while compiling.
    ///
    /// # Errors
    /// [`ViewError::Extent`] where an extent differs.
    pub fn with_shape<S2: Shape<L::Index>>(
        self,
        shape: S2,
    ) -> Result<StridedViewMut<'a, T, L, S2>, ViewError> {
        let shape = part::same_extents::<L, S2>(self.dims(), shape)?;
        // SAFETY: the extents and strides are those of `self`.
        let mapping = unsafe { StridedMapping::from_parts(shape, self.digit_strides()) };
        // SAFETY: the same elements, and `self` is gone.
        Ok(unsafe { StridedViewMut::from_parts(self.ptr(), mapping) })
    }

    /// The same elements with the logical axes in the order of `Other`; nothing moves.
    pub fn permute_axes<Other: Layout>(self) -> StridedViewMut<'a, T, Other, S::Output>
    where
        L: Permutes<Other>,
        S: PermuteShape<L, Other>,
    {
        let mapping = part::permute_strided::<L, Other, S>(self.mapping());
        // SAFETY: the same elements under permuted indices, and `self` is gone.
        unsafe { StridedViewMut::from_parts(self.ptr(), mapping) }
    }

    /// The same elements with the axes named as in `Other`; nothing moves.
    pub fn relabel<Other: Layout<Index = L::Index>>(self) -> StridedViewMut<'a, T, Other, S>
    where
        L: Relabels<Other>,
    {
        let mapping = part::relabel_strided::<L, Other, S>(self.mapping());
        // SAFETY: the same elements under the same indices, and `self` is gone.
        unsafe { StridedViewMut::from_parts(self.ptr(), mapping) }
    }

    /// [`slice_mut`](Self::slice_mut) for as long as `self` would have lived.
    ///
    /// # Errors
    /// As for [`slice`](Self::slice).
    #[inline]
    pub fn into_slice<const AXIS: char>(
        self,
        range: impl RangeBounds<usize>,
    ) -> Result<StridedViewMut<'a, T, L>, ViewError>
    where
        L: HasAxis<AXIS>,
    {
        let axis = const { part::position::<L, AXIS>() };
        let (start, end) = part::bounds::<L>(axis, self.dims().as_ref()[axis], &range)?;
        // SAFETY: `self` is gone, and with it the rest of its elements.
        Ok(unsafe { self.part(axis, start, end) })
    }

    /// [`select_mut`](Self::select_mut) for as long as `self` would have lived.
    ///
    /// # Errors
    /// [`ViewError::Index`] outside the extent.
    pub fn into_select<const AXIS: char>(
        self,
        index: usize,
    ) -> Result<StridedViewMut<'a, T, <L as RemoveAxis<AXIS>>::Output>, ViewError>
    where
        L: RemoveAxis<AXIS>,
    {
        let (mapping, offset) = part::one::<AXIS, L, S>(self.mapping(), index)?;
        // SAFETY: `part::one` gives the offset of an element, or 0.
        let ptr = unsafe { self.ptr().add(offset) };
        // SAFETY: a padded index of the part with `index` put in is one of `self`, which is gone, at the same place.
        Ok(unsafe { StridedViewMut::from_parts(ptr, mapping) })
    }

    /// [`split_at_mut`](Self::split_at_mut) for as long as `self` would have lived.
    ///
    /// # Errors
    /// As for [`slice`](Self::slice).
    #[allow(clippy::type_complexity, reason = "two views, as `split_at_mut` of slices gives two slices")]
    pub fn into_split_at<const AXIS: char>(
        self,
        middle: usize,
    ) -> Result<(StridedViewMut<'a, T, L>, StridedViewMut<'a, T, L>), ViewError>
    where
        L: HasAxis<AXIS>,
    {
        let axis = const { part::position::<L, AXIS>() };
        let extent = self.dims().as_ref()[axis];
        part::bounds::<L>(axis, extent, &(..middle))?;
        // SAFETY: `self` is gone, and the parts share no index; `middle` is at a block border, so that they share no
        // padding either.
        let first = unsafe { self.part(axis, 0, middle) };
        // SAFETY: as above.
        Ok((first, unsafe { self.part(axis, middle, extent) }))
    }

    /// [`chunks_mut`](Self::chunks_mut) for as long as `self` would have lived.
    ///
    /// # Errors
    /// As for [`chunks`](Self::chunks).
    pub fn into_chunks<const AXIS: char>(self, size: usize) -> Result<ChunksMut<'a, T, L, S>, ViewError>
    where
        L: HasAxis<AXIS>,
    {
        let axis = const { part::position::<L, AXIS>() };
        part::chunk_size::<L>(axis, self.dims().as_ref()[axis], size)?;
        Ok(ChunksMut::new(self, axis, size))
    }

    /// The same elements with no extent known while compiling.
    #[inline]
    pub(in crate::view) fn with_dynamic_shape(self) -> StridedViewMut<'a, T, L> {
        // SAFETY: the extents and strides are those of `self`.
        let mapping = unsafe { StridedMapping::from_parts(self.dims(), self.digit_strides()) };
        // SAFETY: the same elements, and `self` is gone.
        unsafe { StridedViewMut::from_parts(self.ptr(), mapping) }
    }

    /// The part `start..end` of `axis`.
    ///
    /// # Safety
    /// Neither `self` nor another part of it reaches the elements of this part while it lives.
    unsafe fn part(&self, axis: usize, start: usize, end: usize) -> StridedViewMut<'a, T, L> {
        let (mapping, offset) = part::range(self.mapping(), axis, start, end);
        // SAFETY: `part::range` gives the offset of an element, or 0.
        let ptr = unsafe { self.ptr().add(offset) };
        // SAFETY: a padded index of the part is one of `self`, at the same place; the caller's promise.
        unsafe { StridedViewMut::from_parts(ptr, mapping) }
    }

    pub(super) fn pad_with(&mut self, value: T)
    where
        T: Copy,
    {
        let ptr = self.ptr();
        // Nothing here breaks the walk off.
        let _ = padding::visit_padding(self.mapping(), &mut |offset, len| {
            // SAFETY: padding lies within the padded extents; invariant 1.
            unsafe { exclusive_slice(ptr, offset, len) }.fill(value);
            ControlFlow::Continue(())
        });
    }
}
