//! The members of the five types that give parallel iterators; names, order and meaning are the same for all.

use super::blocks::{BlockRange, BlockRangeMut, IndexedBlockRange, IndexedBlockRangeMut};
use super::pieces::{MIN_BYTES, Par};
use crate::layout::{HasAxis, Layout};
use crate::shape::{IndexArray, Shape};
use crate::view::def::{StridedView, StridedViewMut, Tensor, TensorView, TensorViewMut};
use crate::view::error::ViewError;
use crate::view::iter::{Run, RunMut, Runs, RunsMut};
use crate::view::split::def::{Tiles, TilesMut};
use crate::view::split::tiles::{IndexedTiles, IndexedTilesMut};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// Tile sizes that leave all axes whole.
fn whole<L: Layout>() -> L::Index {
    let mut sizes = L::Index::ZERO;
    sizes.as_mut().fill(usize::MAX);
    sizes
}

/// Tile sizes of `size` along the axis named `AXIS`, with the other axes whole.
fn along<L: Layout, const AXIS: char>(size: usize) -> L::Index {
    let mut sizes = whole::<L>();
    sizes.as_mut()[const { crate::view::part::position::<L, AXIS>() }] = size;
    sizes
}

/// Parts for work on single elements of `bytes` bytes: a few for each thread, none of them small.
fn part_count(bytes: usize) -> usize {
    (bytes / MIN_BYTES).clamp(1, 8 * rayon::current_num_threads())
}

macro_rules! reading {
    ($life:lifetime) => {
        /// [`chunks`](Self::chunks) in parallel.
        ///
        /// # Errors
        /// As for [`chunks`](Self::chunks).
        pub fn par_chunks<const AXIS: char>(&self, size: usize) -> Result<Par<Tiles<$life, T, L>>, ViewError>
        where
            L: HasAxis<AXIS>,
            T: Sync,
        {
            self.par_tiles(along::<L, AXIS>(size))
        }

        /// [`tiles`](Self::tiles) in parallel.
        ///
        /// # Errors
        /// As for [`tiles`](Self::tiles).
        pub fn par_tiles(&self, sizes: L::Index) -> Result<Par<Tiles<$life, T, L>>, ViewError>
        where
            T: Sync,
        {
            Ok(self.tiles(sizes)?.into_par_iter())
        }

        /// [`indexed_tiles`](Self::indexed_tiles) in parallel.
        ///
        /// # Errors
        /// As for [`tiles`](Self::tiles).
        pub fn par_indexed_tiles(&self, sizes: L::Index) -> Result<Par<IndexedTiles<$life, T, L>>, ViewError>
        where
            T: Sync,
        {
            Ok(self.indexed_tiles(sizes)?.into_par_iter())
        }

        /// [`parts`](Self::parts) in parallel.
        ///
        /// # Errors
        /// As for [`parts`](Self::parts).
        pub fn par_parts<const AXIS: char>(&self, count: usize) -> Result<Par<Tiles<$life, T, L>>, ViewError>
        where
            L: HasAxis<AXIS>,
            T: Sync,
        {
            Ok(self.parts::<AXIS>(count)?.into_par_iter())
        }

        /// [`outer_parts`](Self::outer_parts) in parallel.
        ///
        /// # Errors
        /// As for [`outer_parts`](Self::outer_parts).
        pub fn par_outer_parts(&self, count: usize) -> Result<Par<Tiles<$life, T, L>>, ViewError>
        where
            T: Sync,
        {
            Ok(self.outer_parts(count)?.into_par_iter())
        }

        /// [`indexed_blocks`](Self::indexed_blocks) in parallel; at least 64 KiB stay on one thread, see
        /// [`Par::with_min_bytes`].
        pub fn par_indexed_blocks(&self) -> Par<IndexedBlockRange<$life, T, L>>
        where
            T: Sync,
            L::Block<T>: Sync,
        {
            let blocks = BlockRange::new(self.as_strided().with_dynamic_shape());
            Par::fine(IndexedBlockRange(blocks))
        }

        /// [`runs`](Self::runs) in parallel, in any order; at least 64 KiB stay on one thread.
        pub fn par_runs(&self) -> impl ParallelIterator<Item = Run<$life, T, L::Index>>
        where
            T: Sync,
        {
            runs(self.as_strided().with_dynamic_shape())
        }
    };
}

macro_rules! writing {
    () => {
        /// [`chunks_mut`](Self::chunks_mut) in parallel.
        ///
        /// # Errors
        /// As for [`chunks`](Self::chunks).
        pub fn par_chunks_mut<const AXIS: char>(
            &mut self,
            size: usize,
        ) -> Result<Par<TilesMut<'_, T, L>>, ViewError>
        where
            L: HasAxis<AXIS>,
            T: Send,
        {
            self.par_tiles_mut(along::<L, AXIS>(size))
        }

        /// [`tiles_mut`](Self::tiles_mut) in parallel.
        ///
        /// # Errors
        /// As for [`tiles`](Self::tiles).
        pub fn par_tiles_mut(&mut self, sizes: L::Index) -> Result<Par<TilesMut<'_, T, L>>, ViewError>
        where
            T: Send,
        {
            Ok(self.tiles_mut(sizes)?.into_par_iter())
        }

        /// [`indexed_tiles_mut`](Self::indexed_tiles_mut) in parallel.
        ///
        /// # Errors
        /// As for [`tiles`](Self::tiles).
        pub fn par_indexed_tiles_mut(
            &mut self,
            sizes: L::Index,
        ) -> Result<Par<IndexedTilesMut<'_, T, L>>, ViewError>
        where
            T: Send,
        {
            Ok(self.indexed_tiles_mut(sizes)?.into_par_iter())
        }

        /// [`parts_mut`](Self::parts_mut) in parallel.
        ///
        /// # Errors
        /// As for [`parts`](Self::parts).
        pub fn par_parts_mut<const AXIS: char>(
            &mut self,
            count: usize,
        ) -> Result<Par<TilesMut<'_, T, L>>, ViewError>
        where
            L: HasAxis<AXIS>,
            T: Send,
        {
            Ok(self.parts_mut::<AXIS>(count)?.into_par_iter())
        }

        /// [`outer_parts_mut`](Self::outer_parts_mut) in parallel.
        ///
        /// # Errors
        /// As for [`outer_parts`](Self::outer_parts).
        pub fn par_outer_parts_mut(&mut self, count: usize) -> Result<Par<TilesMut<'_, T, L>>, ViewError>
        where
            T: Send,
        {
            Ok(self.outer_parts_mut(count)?.into_par_iter())
        }

        /// [`indexed_blocks_mut`](Self::indexed_blocks_mut) in parallel; at least 64 KiB stay on one thread, see
        /// [`Par::with_min_bytes`].
        pub fn par_indexed_blocks_mut(&mut self) -> Par<IndexedBlockRangeMut<'_, T, L>>
        where
            T: Send,
            L::Block<T>: Send,
        {
            blocks_mut(self.as_strided_mut().with_dynamic_shape())
        }

        /// [`runs_mut`](Self::runs_mut) in parallel, in any order; at least 64 KiB stay on one thread.
        pub fn par_runs_mut(&mut self) -> impl ParallelIterator<Item = RunMut<'_, T, L::Index>>
        where
            T: Send,
        {
            runs_mut(self.as_strided_mut().with_dynamic_shape())
        }

        /// [`map_in_place`](Self::map_in_place) in parallel; at least 64 KiB stay on one thread.
        ///
        /// ```
        /// use layout_core::layout::Nchw16c;
        /// use layout_core::view::Tensor;
        /// let mut t = Tensor::<f32, Nchw16c>::filled([2, 17, 30, 30], -2.0)?;
        /// t.par_map_in_place(|x| x + 5.0);
        /// assert!(t.iter().all(|&x| x == 3.0) && t.padding_is_zero());
        /// # Ok::<(), layout_core::view::ViewError>(())
        /// ```
        pub fn par_map_in_place(&mut self, f: impl Fn(T) -> T + Send + Sync)
        where
            T: Copy + Send,
        {
            self.par_runs_mut().for_each(|run| run.elements.iter_mut().for_each(|x| *x = f(*x)));
        }
    };
}

/// Runs start with the index in the whole view that the tile's own lacks.
fn shifted<Index: IndexArray>(mut index: Index, by: Index) -> Index {
    for (index, by) in index.as_mut().iter_mut().zip(by.as_ref()) {
        *index += by;
    }
    index
}

fn runs<'a, T: Sync, L: Layout>(
    view: StridedView<'a, T, L>,
) -> impl ParallelIterator<Item = Run<'a, T, L::Index>> {
    let count = part_count(view.len().saturating_mul(size_of::<T>()));
    // There is at least one part.
    let parts = view.outer_parts(count).ok().map(IndexedTiles).into_par_iter();
    parts.flatten().flat_map_iter(|(start, part)| {
        Runs::new(part).map(move |run| Run { start: shifted(run.start, start), ..run })
    })
}

/// The blocks of `view` in parallel.
pub(in crate::view) fn blocks_mut<'a, T: Send, L: Layout<Block<T>: Send>>(
    view: StridedViewMut<'a, T, L>,
) -> Par<IndexedBlockRangeMut<'a, T, L>> {
    Par::fine(IndexedBlockRangeMut(BlockRangeMut::new(view)))
}

/// The runs of `view` in parallel.
pub(in crate::view) fn runs_mut<'a, T: Send, L: Layout>(
    view: StridedViewMut<'a, T, L>,
) -> impl ParallelIterator<Item = RunMut<'a, T, L::Index>> {
    let count = part_count(view.len().saturating_mul(size_of::<T>()));
    // There is at least one part.
    let parts = view.into_outer_parts(count).ok().map(IndexedTilesMut).into_par_iter();
    parts.flatten().flat_map_iter(|(start, part)| {
        RunsMut::new(part).map(move |run| RunMut { start: shifted(run.start, start), ..run })
    })
}

macro_rules! blocks {
    (dense $life:lifetime) => {
        /// The dense inner blocks in parallel, padding included: `&[f32; 16]` for `nChw16c`. At least 64 KiB stay on one
        /// thread, see [`Par::with_min_bytes`].
        pub fn par_blocks(&self) -> Par<&$life [L::Block<T>]>
        where
            L::Block<T>: Sync,
        {
            Par::fine(self.blocks())
        }
    };
    (dense mut) => {
        /// The dense inner blocks in parallel, padding included, to write. What is written to padding stays there until
        /// [`zero_padding`](Self::zero_padding). At least 64 KiB stay on one thread, see [`Par::with_min_bytes`].
        pub fn par_blocks_mut(&mut self) -> Par<&mut [L::Block<T>]>
        where
            L::Block<T>: Send,
        {
            Par::fine(self.blocks_mut())
        }
    };
    (strided $life:lifetime) => {
        /// The dense inner blocks in parallel, padding included: `&[f32; 16]` for `nChw16c`. At least 64 KiB stay on one
        /// thread, see [`Par::with_min_bytes`].
        pub fn par_blocks(&self) -> Par<BlockRange<$life, T, L>>
        where
            T: Sync,
            L::Block<T>: Sync,
        {
            Par::fine(BlockRange::new(self.as_strided().with_dynamic_shape()))
        }
    };
    (strided mut) => {
        /// The dense inner blocks in parallel, padding included, to write. What is written to padding stays there until
        /// [`zero_padding`](Self::zero_padding). At least 64 KiB stay on one thread, see [`Par::with_min_bytes`].
        pub fn par_blocks_mut(&mut self) -> Par<BlockRangeMut<'_, T, L>>
        where
            T: Send,
            L::Block<T>: Send,
        {
            Par::fine(BlockRangeMut::new(self.as_strided_mut().with_dynamic_shape()))
        }
    };
}

impl<'a, T, L: Layout, S: Shape<L::Index>> TensorView<'a, T, L, S> {
    reading!('a);
    blocks!(dense 'a);
}
impl<T, L: Layout, S: Shape<L::Index>> TensorViewMut<'_, T, L, S> {
    reading!('_);
    blocks!(dense '_);
    writing!();
    blocks!(dense mut);
}
impl<T, L: Layout, S: Shape<L::Index>> Tensor<T, L, S> {
    reading!('_);
    blocks!(dense '_);
    writing!();
    blocks!(dense mut);
}
impl<'a, T, L: Layout, S: Shape<L::Index>> StridedView<'a, T, L, S> {
    reading!('a);
    blocks!(strided 'a);
}
impl<T, L: Layout, S: Shape<L::Index>> StridedViewMut<'_, T, L, S> {
    reading!('_);
    blocks!(strided '_);
    writing!();
    blocks!(strided mut);
}
