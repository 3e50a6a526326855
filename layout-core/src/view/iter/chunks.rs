//! Chunks: a view cut along one axis into views of equal extent, for loops over tiles and for threads.

use crate::layout::Layout;
use crate::shape::Shape;
use crate::view::def::{StridedView, StridedViewMut};
use crate::view::part;
use core::iter::FusedIterator;

macro_rules! chunks {
    ($(#[$attr:meta])* $name:ident over $view:ident) => {
        $(#[$attr])*
        pub struct $name<'a, T, L: Layout, S = <L as Layout>::Index> {
            view: $view<'a, T, L, S>,
            axis: usize,
            size: usize,
            /// Index along the axis at which the next chunk starts.
            next: usize,
        }

        impl<'a, T, L: Layout, S: Shape<L::Index>> $name<'a, T, L, S> {
            /// `size` is one that [`part::chunk_size`] accepts for `axis`.
            #[inline]
            pub(in crate::view) fn new(view: $view<'a, T, L, S>, axis: usize, size: usize) -> Self {
                $name { view, axis, size, next: 0 }
            }

            #[inline]
            fn remaining(&self) -> usize {
                (self.view.mapping().dims().as_ref()[self.axis] - self.next).div_ceil(self.size)
            }
        }

        impl<'a, T, L: Layout, S: Shape<L::Index>> Iterator for $name<'a, T, L, S> {
            type Item = $view<'a, T, L>;

            #[inline]
            fn next(&mut self) -> Option<$view<'a, T, L>> {
                let extent = self.view.mapping().dims().as_ref()[self.axis];
                if self.next >= extent {
                    return None;
                }
                let end = self.next.saturating_add(self.size).min(extent);
                let (mapping, offset) = part::range(self.view.mapping(), self.axis, self.next, end);
                self.next = end;
                // SAFETY: `part::range` gives the offset of an element, or 0.
                let ptr = unsafe { self.view.ptr().add(offset) };
                // SAFETY: a padded index of the chunk is one of the view, with the same place; chunks share none.
                Some(unsafe { $view::from_parts(ptr, mapping) })
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                (self.remaining(), Some(self.remaining()))
            }
        }
        impl<T, L: Layout, S: Shape<L::Index>> ExactSizeIterator for $name<'_, T, L, S> {}
        impl<T, L: Layout, S: Shape<L::Index>> FusedIterator for $name<'_, T, L, S> {}
        impl<T, L: Layout, S: Shape<L::Index>> core::fmt::Debug for $name<'_, T, L, S> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($name))
                    .field("layout", &L::default())
                    .field("axis", &L::AXES[self.axis])
                    .field("size", &self.size)
                    .field("remaining", &self.remaining())
                    .finish()
            }
        }
    };
}
chunks! {
    /// The parts of a view along one axis, in order; the last may be smaller.
    Chunks over StridedView
}
chunks! {
    /// The parts of a view along one axis, in order, to write: disjoint, so that each can go to a thread.
    ChunksMut over StridedViewMut
}
impl<T, L: Layout, S: Shape<L::Index>> Clone for Chunks<'_, T, L, S> {
    fn clone(&self) -> Self {
        Chunks { ..*self }
    }
}
