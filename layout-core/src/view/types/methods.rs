//! The members that views share, written once: asking, reading, writing. Each macro expands inside an `impl` of
//! one of the five types; the names, the order and the meaning are the same for all of them.

/// Questions about the mapping, and single elements. `$life` is how long references live.
macro_rules! asking {
    ($life:lifetime) => {
        /// The extents in logical order.
        #[inline(always)]
        pub fn dims(&self) -> L::Index {
            self.mapping().dims()
        }

        /// The extents as they are typed.
        #[inline(always)]
        pub fn shape(&self) -> S {
            self.mapping().shape()
        }

        /// The extents in memory, padding included, in logical order.
        #[inline(always)]
        pub fn padded_dims(&self) -> L::Index {
            self.mapping().padded_dims()
        }

        /// Stride of each axis' top digit, in elements, in logical order.
        #[inline]
        pub fn strides(&self) -> <L::Index as IndexArray>::Signed {
            self.mapping().strides()
        }

        /// Stride of each digit in physical order, outermost first, in elements.
        #[inline]
        pub fn digit_strides(&self) -> L::Strides {
            self.mapping().digit_strides()
        }

        /// Number of logical elements.
        #[inline]
        pub fn len(&self) -> usize {
            self.mapping().len()
        }

        /// Whether there are no elements.
        #[inline]
        pub fn is_empty(&self) -> bool {
            self.mapping().is_empty()
        }

        /// Elements of memory from the first to the last, padding (and what lies between strided elements) included.
        #[inline]
        pub fn required_len(&self) -> usize {
            self.mapping().required_len()
        }

        /// [`required_len`](Self::required_len) in bytes.
        #[inline]
        pub fn size_bytes(&self) -> usize {
            self.required_len() * size_of::<T>()
        }

        /// The share of the padded extents that is padding, from 0 (none, and for no elements) to below 1.
        pub fn padding_share(&self) -> f64 {
            let padded: usize = self.padded_dims().as_ref().iter().product();
            if padded == 0 { 0.0 } else { (padded - self.len()) as f64 / padded as f64 }
        }

        /// Offset of the element at `index` from the first element, in elements.
        ///
        /// # Errors
        /// [`IndexError::OutOfRange`] for an index outside the extents.
        #[inline]
        pub fn offset(&self, index: L::Index) -> Result<usize, IndexError> {
            self.mapping().offset(index)
        }

        /// The first element in memory: that with index 0. Dangling, and aligned, where there are no elements.
        #[inline(always)]
        pub fn as_ptr(&self) -> *const T {
            self.ptr().as_ptr()
        }

        /// The logical indices in row-major logical order.
        #[inline]
        pub fn indices(&self) -> Indices<L::Index> {
            Indices::new(self.dims())
        }

        /// The element at `index`; `None` outside the extents.
        #[inline]
        pub fn get(&self, index: L::Index) -> Option<&$life T> {
            let offset = self.mapping().offset(index).ok()?;
            // SAFETY: `index` is in the extents; invariant 1 of the type.
            Some(unsafe { shared(self.ptr(), offset) })
        }

        /// The element at `index`.
        ///
        /// # Safety
        /// `index` lies within the padded extents.
        #[inline(always)]
        pub unsafe fn get_unchecked(&self, index: L::Index) -> &$life T {
            // SAFETY: the caller's promise; invariant 1 of the type.
            unsafe { shared(self.ptr(), self.mapping().offset_unchecked(index)) }
        }
    };
}

/// Iterators over what is read, parts, and `map`. `$life` is how long references live.
macro_rules! reading {
    ($life:lifetime) => {
        /// The logical elements in row-major logical order, whatever their order in memory.
        #[inline]
        pub fn iter(&self) -> Iter<$life, T, L, S> {
            Iter::new(self.as_strided())
        }

        /// The logical elements with their indices, in row-major logical order.
        #[inline]
        pub fn indexed_iter(&self) -> IndexedIter<$life, T, L, S> {
            IndexedIter::new(self.as_strided())
        }

        /// All elements, padding included, in physical order, and what each is.
        #[inline]
        pub fn physical_iter(&self) -> PhysicalIter<$life, T, L, S> {
            PhysicalIter::new(self.as_strided())
        }

        /// The dense inner blocks with the logical index of their first element, in physical order.
        #[inline]
        pub fn indexed_blocks(&self) -> IndexedBlocks<$life, T, L, S> {
            IndexedBlocks::new(self.as_strided())
        }

        /// The contiguous runs of logical elements in physical order: see [`Runs`].
        #[inline]
        pub fn runs(&self) -> Runs<$life, T, L, S> {
            Runs::new(self.as_strided())
        }

        /// The part `range` of axis `AXIS`. Of a blocked (or otherwise padded) axis a bound has to be at a block border or
        /// at the extent.
        ///
        /// # Errors
        /// [`ViewError::Range`] outside the extent; [`ViewError::InsideBlock`] for a bound that cuts a block.
        #[inline]
        pub fn slice<const AXIS: char>(
            &self,
            range: impl RangeBounds<usize>,
        ) -> Result<StridedView<$life, T, L>, ViewError>
        where
            L: HasAxis<AXIS>,
        {
            self.as_strided().sliced::<AXIS>(&range)
        }

        /// The elements with index `index` along axis `AXIS`, as a view of the layout without that axis.
        ///
        /// Axes whose blocks lie inside the blocks of other axes, such as `o` of `OIhw16i16o`, are refused while compiling:
        /// what is left would have no dense block.
        ///
        /// # Errors
        /// [`ViewError::Index`] outside the extent.
        pub fn select<const AXIS: char>(
            &self,
            index: usize,
        ) -> Result<StridedView<$life, T, <L as RemoveAxis<AXIS>>::Output>, ViewError>
        where
            L: RemoveAxis<AXIS>,
        {
            self.as_strided().selected::<AXIS>(index)
        }

        /// The elements as a view of the layout without axis `AXIS`, whose extent is 1. Refused while compiling as
        /// [`select`](Self::select) is.
        ///
        /// # Errors
        /// [`ViewError::Extent`] where the extent is not 1.
        pub fn squeeze<const AXIS: char>(
            &self,
        ) -> Result<StridedView<$life, T, <L as RemoveAxis<AXIS>>::Output>, ViewError>
        where
            L: RemoveAxis<AXIS>,
        {
            let found = self.dims().as_ref()[const { part::position::<L, AXIS>() }];
            if found != 1 {
                return Err(ViewError::Extent { axis: AXIS, expected: 1, found });
            }
            self.select::<AXIS>(0)
        }

        /// The parts of axis `AXIS` before and from `middle`.
        ///
        /// # Errors
        /// As for [`slice`](Self::slice).
        pub fn split_at<const AXIS: char>(
            &self,
            middle: usize,
        ) -> Result<(StridedView<$life, T, L>, StridedView<$life, T, L>), ViewError>
        where
            L: HasAxis<AXIS>,
        {
            Ok((self.slice::<AXIS>(..middle)?, self.slice::<AXIS>(middle..)?))
        }

        /// Parts of `size` along axis `AXIS`, in order; the last may be smaller.
        ///
        /// # Errors
        /// [`ViewError::ChunkSize`] for 0, and for a size below the extent that cuts blocks.
        #[inline]
        pub fn chunks<const AXIS: char>(&self, size: usize) -> Result<Chunks<$life, T, L, S>, ViewError>
        where
            L: HasAxis<AXIS>,
        {
            let axis = const { part::position::<L, AXIS>() };
            part::chunk_size::<L>(axis, self.dims().as_ref()[axis], size)?;
            Ok(Chunks::new(self.as_strided(), axis, size))
        }

        /// A dense tensor of the same layout and extents with `f` of every logical element, called in physical
        /// order. Padding is not passed to `f` and holds the default of the result, also where `f` of zero is not zero.
        ///
        /// # Panics
        /// Where memory for the result cannot be had.
        pub fn map<U: Copy + Default>(&self, f: impl FnMut(T) -> U) -> Tensor<U, L, S>
        where
            T: Copy,
        {
            mapped(self.as_strided(), f)
        }

        /// Whether all padding holds the default value, which is zero for numbers. Elements are not looked at.
        pub fn padding_is_zero(&self) -> bool
        where
            T: Default + PartialEq,
        {
            self.as_strided().padding_is(&T::default())
        }
    };
}

/// What an exclusive borrow allows. `strided_mut` reborrows as an exclusive strided view.
macro_rules! writing {
    () => {
        /// The first element in memory, to write; see [`as_ptr`](Self::as_ptr).
        #[inline(always)]
        pub fn as_mut_ptr(&mut self) -> *mut T {
            self.ptr().as_ptr()
        }

        /// The element at `index`, to write; `None` outside the extents.
        #[inline]
        pub fn get_mut(&mut self, index: L::Index) -> Option<&mut T> {
            let offset = self.mapping().offset(index).ok()?;
            // SAFETY: `index` is in the extents; invariant 1 of the type.
            Some(unsafe { exclusive(self.ptr(), offset) })
        }

        /// The element at `index`, to write.
        ///
        /// # Safety
        /// `index` lies within the padded extents.
        #[inline(always)]
        pub unsafe fn get_unchecked_mut(&mut self, index: L::Index) -> &mut T {
            // SAFETY: the caller's promise; invariant 1 of the type.
            unsafe { exclusive(self.ptr(), self.mapping().offset_unchecked(index)) }
        }

        /// The logical elements in row-major logical order, to write.
        #[inline]
        pub fn iter_mut(&mut self) -> IterMut<'_, T, L, S> {
            IterMut::new(self.as_strided_mut())
        }

        /// The logical elements with their indices, in row-major logical order, to write.
        #[inline]
        pub fn indexed_iter_mut(&mut self) -> IndexedIterMut<'_, T, L, S> {
            IndexedIterMut::new(self.as_strided_mut())
        }

        /// The dense inner blocks with the logical index of their first element, in physical order, to write.
        #[inline]
        pub fn indexed_blocks_mut(&mut self) -> IndexedBlocksMut<'_, T, L, S> {
            IndexedBlocksMut::new(self.as_strided_mut())
        }

        /// The contiguous runs of logical elements in physical order, to write: see [`Runs`].
        #[inline]
        pub fn runs_mut(&mut self) -> RunsMut<'_, T, L, S> {
            RunsMut::new(self.as_strided_mut())
        }

        /// The part `range` of axis `AXIS`, to write: see [`slice`](Self::slice).
        ///
        /// # Errors
        /// As for [`slice`](Self::slice).
        #[inline]
        pub fn slice_mut<const AXIS: char>(
            &mut self,
            range: impl RangeBounds<usize>,
        ) -> Result<StridedViewMut<'_, T, L>, ViewError>
        where
            L: HasAxis<AXIS>,
        {
            self.as_strided_mut().into_slice::<AXIS>(range)
        }

        /// The elements with index `index` along axis `AXIS`, to write: see [`select`](Self::select).
        ///
        /// # Errors
        /// [`ViewError::Index`] outside the extent.
        pub fn select_mut<const AXIS: char>(
            &mut self,
            index: usize,
        ) -> Result<StridedViewMut<'_, T, <L as RemoveAxis<AXIS>>::Output>, ViewError>
        where
            L: RemoveAxis<AXIS>,
        {
            self.as_strided_mut().into_select::<AXIS>(index)
        }

        /// The disjoint parts of axis `AXIS` before and from `middle`, to write.
        ///
        /// # Errors
        /// As for [`slice`](Self::slice).
        pub fn split_at_mut<const AXIS: char>(
            &mut self,
            middle: usize,
        ) -> Result<(StridedViewMut<'_, T, L>, StridedViewMut<'_, T, L>), ViewError>
        where
            L: HasAxis<AXIS>,
        {
            self.as_strided_mut().into_split_at::<AXIS>(middle)
        }

        /// Disjoint parts of `size` along axis `AXIS`, in order, to write; the last may be smaller. Each can go to a thread.
        ///
        /// # Errors
        /// [`ViewError::ChunkSize`] for 0, and for a size below the extent that cuts blocks.
        #[inline]
        pub fn chunks_mut<const AXIS: char>(
            &mut self,
            size: usize,
        ) -> Result<ChunksMut<'_, T, L, S>, ViewError>
        where
            L: HasAxis<AXIS>,
        {
            self.as_strided_mut().into_chunks::<AXIS>(size)
        }

        /// Puts `f` of every logical element in its place, in physical order. Padding is not passed to `f` and stays as it
        /// is, also where `f` of zero is not zero.
        pub fn map_in_place(&mut self, mut f: impl FnMut(T) -> T)
        where
            T: Copy,
        {
            self.runs_mut().for_each(|run| run.elements.iter_mut().for_each(|x| *x = f(*x)));
        }

        /// Writes `value` to all padding, and to nothing else: for reductions over whole blocks that need another neutral
        /// element than zero. [`padding_is_zero`](Self::padding_is_zero) may then be false.
        pub fn fill_padding(&mut self, value: T)
        where
            T: Copy,
        {
            self.as_strided_mut().pad_with(value);
        }

        /// Writes the default, which is zero for numbers, to all padding, and to nothing else. Refused while compiling for
        /// [`Filled`](crate::layout::Filled) layouts, which promise another value: `fill_padding` writes that.
        pub fn zero_padding(&mut self)
        where
            T: Copy + Default,
        {
            const { assert_not_filled::<L>() }
            self.fill_padding(T::default());
        }
    };
}

pub(super) use {asking, reading, writing};
