//! The members of the five types that cut them into disjoint boxes; names, order and meaning are the same for all.

use super::def::{Tiles, TilesMut};
use super::grid::Grid;
use super::tiles::{IndexedTiles, IndexedTilesMut};
use crate::layout::{HasAxis, Layout};
use crate::shape::Shape;
use crate::view::def::{StridedView, StridedViewMut, Tensor, TensorView, TensorViewMut};
use crate::view::error::ViewError;
use crate::view::part;

/// Tiles of `sizes` over extents `dims`.
fn tile_grid<L: Layout>(dims: L::Index, sizes: L::Index) -> Result<Grid<L::Index>, ViewError> {
    let mut grid = Grid::whole(dims);
    for (axis, &size) in sizes.as_ref().iter().enumerate() {
        grid.cut::<L>(axis, size)?;
    }
    Ok(grid)
}

/// `count` parts along `AXIS` over extents `dims`.
fn part_grid<L: Layout, const AXIS: char>(dims: L::Index, count: usize) -> Result<Grid<L::Index>, ViewError> {
    let mut grid = Grid::whole(dims);
    grid.divide::<L>(const { part::position::<L, AXIS>() }, count)?;
    Ok(grid)
}

macro_rules! sharing {
    ($life:lifetime) => {
        /// Boxes of extents `sizes`, in logical order; those at the upper borders may be smaller. A size at or above the
        /// extent, such as `usize::MAX`, leaves an axis whole.
        ///
        /// The tiles share neither elements nor padding and together are the whole: each piece of padding is behind one of
        /// them. They come in the order of the outer axes in memory. There are none where there are no elements.
        ///
        /// # Errors
        /// [`ViewError::ChunkSize`] for a size of 0, and for one below the extent that cuts blocks (or other padding).
        ///
        /// ```
        /// use layout_core::layout::Nchw16c;
        /// use layout_core::view::{Tensor, ViewError};
        /// let t = Tensor::<f32, Nchw16c>::zeroed([2, 40, 8, 8])?;
        /// let tiles: Vec<_> = t.tiles([1, 16, 4, usize::MAX])?.collect();
        /// assert_eq!(tiles.len(), 2 * 3 * 2);
        /// assert_eq!((tiles[0].dims(), tiles[4].dims()), ([1, 16, 4, 8], [1, 8, 4, 8])); // 40 = 16 + 16 + 8
        /// let error = ViewError::ChunkSize { axis: 'c', size: 8, multiple: 16 };
        /// assert_eq!(t.tiles([1, 8, 4, 4]).unwrap_err(), error);
        /// # Ok::<(), ViewError>(())
        /// ```
        pub fn tiles(&self, sizes: L::Index) -> Result<Tiles<$life, T, L>, ViewError> {
            let grid = tile_grid::<L>(self.dims(), sizes)?;
            Ok(Tiles::new(self.as_strided().with_dynamic_shape(), grid))
        }

        /// [`tiles`](Self::tiles), each with the index of its first element.
        ///
        /// # Errors
        /// As for [`tiles`](Self::tiles).
        pub fn indexed_tiles(&self, sizes: L::Index) -> Result<IndexedTiles<$life, T, L>, ViewError> {
            Ok(IndexedTiles(self.tiles(sizes)?))
        }

        /// `count` parts along axis `AXIS` whose extents differ by one block at most (by 1 where the axis has no blocks);
        /// fewer where there are fewer blocks.
        ///
        /// # Errors
        /// [`ViewError::NoParts`] for a count of 0.
        ///
        /// ```
        /// use layout_core::layout::{Nchw, Nchw8c};
        /// use layout_core::view::Tensor;
        /// let plain = Tensor::<f32, Nchw>::zeroed([1, 3, 10, 4])?;
        /// assert!(plain.parts::<'h'>(4)?.map(|part| part.dims()[2]).eq([3, 3, 2, 2]));
        /// let blocked = Tensor::<f32, Nchw8c>::zeroed([1, 36, 2, 2])?;
        /// assert!(blocked.parts::<'c'>(2)?.map(|part| part.dims()[1]).eq([24, 12]));
        /// # Ok::<(), layout_core::view::ViewError>(())
        /// ```
        pub fn parts<const AXIS: char>(&self, count: usize) -> Result<Tiles<$life, T, L>, ViewError>
        where
            L: HasAxis<AXIS>,
        {
            let grid = part_grid::<L, AXIS>(self.dims(), count)?;
            Ok(Tiles::new(self.as_strided().with_dynamic_shape(), grid))
        }

        /// At most `count` parts of nearly equal size, cut along the axes that are outermost in memory: for so many threads.
        /// Where the outermost axis has fewer blocks than there are to be parts, the next one is cut as well, or
        /// instead where that makes the largest part smaller.
        ///
        /// # Errors
        /// [`ViewError::NoParts`] for a count of 0.
        ///
        /// ```
        /// use layout_core::layout::Nchw16c;
        /// use layout_core::view::Tensor;
        /// let t = Tensor::<f32, Nchw16c>::zeroed([2, 64, 7, 7])?;
        /// // Two images, and of each the first and the second half of its channels.
        /// assert!(t.outer_parts(4)?.map(|part| part.dims()).eq([[1, 32, 7, 7]; 4]));
        /// # Ok::<(), layout_core::view::ViewError>(())
        /// ```
        pub fn outer_parts(&self, count: usize) -> Result<Tiles<$life, T, L>, ViewError> {
            let grid = Grid::outer::<L>(self.dims(), count)?;
            Ok(Tiles::new(self.as_strided().with_dynamic_shape(), grid))
        }
    };
}

macro_rules! sharing_mut {
    () => {
        /// [`tiles`](Self::tiles) to write. They are disjoint, so that each can go to a thread.
        ///
        /// # Errors
        /// As for [`tiles`](Self::tiles).
        ///
        /// ```
        /// use layout_core::layout::Nhwc;
        /// use layout_core::view::Tensor;
        /// let mut t = Tensor::<u8, Nhwc>::zeroed([1, 2, 5, 6])?;
        /// std::thread::scope(|scope| -> Result<(), layout_core::view::ViewError> {
        ///     for (k, mut tile) in t.tiles_mut([1, 2, 3, 3])?.enumerate() {
        ///         scope.spawn(move || tile.map_in_place(|_| k as u8));
        ///     }
        ///     Ok(())
        /// })?;
        /// assert_eq!((t[[0, 0, 2, 2]], t[[0, 1, 2, 3]], t[[0, 0, 4, 5]]), (0, 1, 3));
        /// # Ok::<(), layout_core::view::ViewError>(())
        /// ```
        #[inline]
        pub fn tiles_mut(&mut self, sizes: L::Index) -> Result<TilesMut<'_, T, L>, ViewError> {
            self.as_strided_mut().into_tiles(sizes)
        }

        /// [`tiles_mut`](Self::tiles_mut), each with the index of its first element.
        ///
        /// # Errors
        /// As for [`tiles`](Self::tiles).
        pub fn indexed_tiles_mut(&mut self, sizes: L::Index) -> Result<IndexedTilesMut<'_, T, L>, ViewError> {
            Ok(IndexedTilesMut(self.tiles_mut(sizes)?))
        }

        /// [`parts`](Self::parts) to write. They are disjoint, so that each can go to a thread.
        ///
        /// # Errors
        /// As for [`parts`](Self::parts).
        pub fn parts_mut<const AXIS: char>(&mut self, count: usize) -> Result<TilesMut<'_, T, L>, ViewError>
        where
            L: HasAxis<AXIS>,
        {
            self.as_strided_mut().into_parts::<AXIS>(count)
        }

        /// [`outer_parts`](Self::outer_parts) to write. They are disjoint, so that each can go to a thread.
        ///
        /// # Errors
        /// As for [`outer_parts`](Self::outer_parts).
        pub fn outer_parts_mut(&mut self, count: usize) -> Result<TilesMut<'_, T, L>, ViewError> {
            self.as_strided_mut().into_outer_parts(count)
        }
    };
}

impl<'a, T, L: Layout, S: Shape<L::Index>> TensorView<'a, T, L, S> {
    sharing!('a);
}
impl<T, L: Layout, S: Shape<L::Index>> TensorViewMut<'_, T, L, S> {
    sharing!('_);
    sharing_mut!();
}
impl<T, L: Layout, S: Shape<L::Index>> Tensor<T, L, S> {
    sharing!('_);
    sharing_mut!();
}
impl<'a, T, L: Layout, S: Shape<L::Index>> StridedView<'a, T, L, S> {
    sharing!('a);
}
impl<'a, T, L: Layout, S: Shape<L::Index>> StridedViewMut<'a, T, L, S> {
    sharing!('_);
    sharing_mut!();

    /// [`tiles_mut`](Self::tiles_mut) for as long as `self` would have lived.
    ///
    /// # Errors
    /// As for [`tiles`](Self::tiles).
    #[inline]
    pub fn into_tiles(self, sizes: L::Index) -> Result<TilesMut<'a, T, L>, ViewError> {
        let grid = tile_grid::<L>(self.dims(), sizes)?;
        Ok(TilesMut::new(self.with_dynamic_shape(), grid))
    }

    /// [`parts_mut`](Self::parts_mut) for as long as `self` would have lived.
    ///
    /// # Errors
    /// As for [`parts`](Self::parts).
    pub fn into_parts<const AXIS: char>(self, count: usize) -> Result<TilesMut<'a, T, L>, ViewError>
    where
        L: HasAxis<AXIS>,
    {
        let grid = part_grid::<L, AXIS>(self.dims(), count)?;
        Ok(TilesMut::new(self.with_dynamic_shape(), grid))
    }

    /// [`outer_parts_mut`](Self::outer_parts_mut) for as long as `self` would have lived.
    ///
    /// # Errors
    /// As for [`outer_parts`](Self::outer_parts).
    pub fn into_outer_parts(self, count: usize) -> Result<TilesMut<'a, T, L>, ViewError> {
        let grid = Grid::outer::<L>(self.dims(), count)?;
        Ok(TilesMut::new(self.with_dynamic_shape(), grid))
    }
}
