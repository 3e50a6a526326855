//! [`Tiles`] and [`TilesMut`]: a view cut into disjoint boxes, their numbered invariants, and the unsafe code that makes a
//! view of a box. Unlike a view they can be split in two. `tiles` makes iterators of them, `parallel` shares them out.

use super::grid::Grid;
use crate::layout::{Layout, StridedMapping};
use crate::view::def::{StridedView, StridedViewMut};
use crate::view::part;
use core::marker::PhantomData;
use core::ops::Range;
use core::ptr::NonNull;

macro_rules! tiles {
    ($(#[$attr:meta])* $name:ident over $view:ident: $reference:ty) => {
        $(#[$attr])*
        ///
        /// Invariants:
        /// 1. For the tile of each number in `left`, a view of its part of `mapping` fulfils the invariants of the view
        ///    type; `grid` is over the extents of `mapping`, and its tiles share neither indices nor padding.
        pub struct $name<'a, T, L: Layout> {
            ptr: NonNull<T>,
            mapping: StridedMapping<L>,
            grid: Grid<L::Index>,
            left: Range<usize>,
            memory: PhantomData<$reference>,
        }

        impl<'a, T, L: Layout> $name<'a, T, L> {
            /// All tiles of `grid`, which is over the extents of `view`.
            #[inline]
            pub(super) fn new(view: $view<'a, T, L>, grid: Grid<L::Index>) -> Self {
                debug_assert!(grid.is_over(&view.dims()));
                // Invariant 1: the view has all elements, and is given away.
                $name { ptr: view.ptr(), mapping: *view.mapping(), left: 0..grid.len(), grid, memory: PhantomData }
            }

            /// Numbers of the tiles that are left, to take some away.
            pub(super) fn left(&mut self) -> LeftOver<'_> {
                LeftOver(&mut self.left)
            }

            /// How many tiles are left.
            #[inline]
            pub(super) fn count_left(&self) -> usize {
                self.left.len()
            }

            pub(super) fn grid(&self) -> &Grid<L::Index> {
                &self.grid
            }

            /// Bytes of a tile, on average.
            #[cfg(feature = "rayon")]
            pub(super) fn average_bytes(&self) -> usize {
                let padded: usize = self.mapping.padded_dims().as_ref().iter().product();
                padded / self.grid.len().max(1) * size_of::<T>()
            }

            /// The next tile and its number.
            #[inline]
            pub(super) fn take_first(&mut self) -> Option<(usize, $view<'a, T, L>)> {
                let number = self.left.next()?;
                // SAFETY: the number was left, and is not any more.
                Some((number, unsafe { self.tile(number) }))
            }

            /// The last tile and its number.
            pub(super) fn take_last(&mut self) -> Option<(usize, $view<'a, T, L>)> {
                let number = self.left.next_back()?;
                // SAFETY: the number was left, and is not any more.
                Some((number, unsafe { self.tile(number) }))
            }

            /// The first `count` of the tiles that are left, or all of them, and the others.
            pub fn split_at(self, count: usize) -> (Self, Self) {
                let middle = self.left.start + count.min(self.left.len());
                // Invariant 1: no number is in both.
                let first = $name { left: self.left.start..middle, ..self };
                (first, $name { left: middle..self.left.end, ..self })
            }

            /// Tile `number`.
            ///
            /// # Safety
            /// The number was left to this iterator, and is so no more; of shared tiles it may be.
            #[inline]
            unsafe fn tile(&self, number: usize) -> $view<'a, T, L> {
                let (start, end) = self.grid.bounds::<L>(number);
                let (mut mapping, mut offset) = (self.mapping, 0);
                for axis in 0..L::RANK {
                    let step;
                    (mapping, step) = part::range(&mapping, axis, start.as_ref()[axis], end.as_ref()[axis]);
                    offset += step;
                }
                // SAFETY: no tile is empty, so that each step is the offset of an index along one axis, and the sum that of
                // an element.
                let ptr = unsafe { self.ptr.add(offset) };
                // SAFETY: a padded index of the tile is one of the whole, at the same place; invariant 1.
                unsafe { $view::from_parts(ptr, mapping) }
            }
        }
    };
}
tiles! {
    /// The tiles of a view, in the order of memory as far as boxes can be: see
    /// [`tiles`](crate::view::TensorView::tiles).
    Tiles over StridedView: &'a [T]
}
tiles! {
    /// The tiles of a view to write, in the order of memory as far as boxes can be. They are disjoint, so that each can go
    /// to a thread: see [`tiles_mut`](crate::view::TensorViewMut::tiles_mut).
    TilesMut over StridedViewMut: &'a mut [T]
}

/// A range of numbers that can only become smaller.
pub(super) struct LeftOver<'a>(&'a mut Range<usize>);

impl LeftOver<'_> {
    /// Leaves out the first `count` numbers, or all.
    pub(super) fn skip(&mut self, count: usize) {
        self.0.start += count.min(self.0.len());
    }

    /// Leaves out the last `count` numbers, or all.
    pub(super) fn skip_back(&mut self, count: usize) {
        self.0.end -= count.min(self.0.len());
    }
}

// SAFETY: invariant 1: what is left are shared views, which are `Send` where `T: Sync`.
unsafe impl<T: Sync, L: Layout> Send for Tiles<'_, T, L> {}
// SAFETY: as above, and a shared reference to the iterator gives nothing.
unsafe impl<T: Sync, L: Layout> Sync for Tiles<'_, T, L> {}
// SAFETY: invariant 1: what is left are exclusive views, which are `Send` where `T: Send`.
unsafe impl<T: Send, L: Layout> Send for TilesMut<'_, T, L> {}
// SAFETY: a shared reference to the iterator gives nothing.
unsafe impl<T: Sync, L: Layout> Sync for TilesMut<'_, T, L> {}

impl<T, L: Layout> Clone for Tiles<'_, T, L> {
    fn clone(&self) -> Self {
        Tiles { left: self.left.clone(), ..*self }
    }
}
