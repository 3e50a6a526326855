//! Iteration over tiles, from either end, with or without the index that each starts at.

use super::def::{Tiles, TilesMut};
use crate::layout::Layout;
use crate::view::def::{StridedView, StridedViewMut};
use core::iter::FusedIterator;

/// The tiles of a view with the index of their first element: see
/// [`indexed_tiles`](crate::view::TensorView::indexed_tiles).
#[derive(Clone)]
pub struct IndexedTiles<'a, T, L: Layout>(pub(super) Tiles<'a, T, L>);

/// The tiles of a view with the index of their first element, to write: see
/// [`indexed_tiles_mut`](crate::view::TensorViewMut::indexed_tiles_mut).
pub struct IndexedTilesMut<'a, T, L: Layout>(pub(super) TilesMut<'a, T, L>);

macro_rules! iterator {
    ($name:ident: $item:ty, $tiles:ident [$($field:tt)?]; $make:expr) => {
        impl<'a, T, L: Layout> Iterator for $name<'a, T, L> {
            type Item = $item;

            #[inline]
            fn next(&mut self) -> Option<$item> {
                let (number, view) = self$(.$field)?.take_first()?;
                Some($make(&self$(.$field)?, number, view))
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                let left = self$(.$field)?.count_left();
                (left, Some(left))
            }

            fn nth(&mut self, n: usize) -> Option<$item> {
                self$(.$field)?.left().skip(n);
                self.next()
            }
        }
        impl<'a, T, L: Layout> DoubleEndedIterator for $name<'a, T, L> {
            fn next_back(&mut self) -> Option<$item> {
                let (number, view) = self$(.$field)?.take_last()?;
                Some($make(&self$(.$field)?, number, view))
            }

            fn nth_back(&mut self, n: usize) -> Option<$item> {
                self$(.$field)?.left().skip_back(n);
                self.next_back()
            }
        }
        impl<T, L: Layout> ExactSizeIterator for $name<'_, T, L> {}
        impl<T, L: Layout> FusedIterator for $name<'_, T, L> {}
        impl<T, L: Layout> core::fmt::Debug for $name<'_, T, L> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let tiles = &self$(.$field)?;
                f.debug_struct(stringify!($name))
                    .field("layout", &L::default())
                    .field("grid", tiles.grid())
                    .field("left", &tiles.count_left())
                    .finish()
            }
        }
    };
}
iterator!(Tiles: StridedView<'a, T, L>, Tiles []; |_: &_, _, view| view);
iterator!(TilesMut: StridedViewMut<'a, T, L>, TilesMut []; |_: &_, _, view| view);
iterator!(
    IndexedTiles: (L::Index, StridedView<'a, T, L>), Tiles [0];
    |tiles: &Tiles<'a, T, L>, number, view| (tiles.grid().bounds::<L>(number).0, view)
);
iterator!(
    IndexedTilesMut: (L::Index, StridedViewMut<'a, T, L>), TilesMut [0];
    |tiles: &TilesMut<'a, T, L>, number, view| (tiles.grid().bounds::<L>(number).0, view)
);

macro_rules! indexed {
    ($name:ident) => {
        impl<T, L: Layout> $name<'_, T, L> {
            /// The first `count` of the tiles that are left, or all of them, and the others.
            pub fn split_at(self, count: usize) -> (Self, Self) {
                let (first, others) = self.0.split_at(count);
                ($name(first), $name(others))
            }
        }
    };
}
indexed!(IndexedTiles);
indexed!(IndexedTilesMut);
