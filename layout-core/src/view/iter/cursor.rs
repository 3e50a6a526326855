//! What iterators step: [`Indices`] in logical order, [`DigitCursor`] in physical order. They hold numbers alone.

use crate::layout::{Layout, StridedMapping, row_len};
use crate::shape::{IndexArray, Shape};
use core::iter::FusedIterator;

/// A cursor over places of a mapping; each place once.
pub(super) trait Cursor<L: Layout> {
    /// The index and the offset of the next place.
    fn next<S: Shape<L::Index>>(&mut self, mapping: &StridedMapping<L, S>) -> Option<(L::Index, usize)>;

    /// How many places are left.
    fn remaining(&self) -> usize;

    /// Calls `f` for every place that is left.
    fn fold<S: Shape<L::Index>, A>(
        self,
        mapping: &StridedMapping<L, S>,
        acc: A,
        f: impl FnMut(A, L::Index, usize) -> A,
    ) -> A;
}

/// The logical indices of a tensor in row-major logical order: the last axis runs fastest.
///
/// ```
/// use layout_core::layout::Nhwc;
/// use layout_core::view::Tensor;
/// let t = Tensor::<u8, Nhwc, _>::zeroed([1, 2, 1, 2])?;
/// assert!(t.indices().eq([[0, 0, 0, 0], [0, 0, 0, 1], [0, 1, 0, 0], [0, 1, 0, 1]]));
/// # Ok::<(), layout_core::view::ViewError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Indices<Index> {
    dims: Index,
    next: Index,
    remaining: usize,
}

impl<Index: IndexArray> Indices<Index> {
    /// The indices of a tensor of extents `dims`, whose number of elements fits in `usize`.
    pub(in crate::view) fn new(dims: Index) -> Self {
        Indices { dims, next: Index::ZERO, remaining: dims.as_ref().iter().product() }
    }

    /// Carries from axis `axis`, whose index is at its extent, to the axes before it.
    #[inline(always)]
    fn carry(&mut self, mut axis: usize) {
        while axis > 0 && self.next.as_ref()[axis] >= self.dims.as_ref()[axis] {
            self.next.as_mut()[axis] = 0;
            axis -= 1;
            self.next.as_mut()[axis] += 1;
        }
    }
}

impl<Index: IndexArray> Iterator for Indices<Index> {
    type Item = Index;

    #[inline]
    fn next(&mut self) -> Option<Index> {
        self.remaining = self.remaining.checked_sub(1)?;
        let index = self.next;
        if let Some(last) = Index::RANK.checked_sub(1) {
            self.next.as_mut()[last] += 1;
            self.carry(last);
        }
        Some(index)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.remaining, Some(self.remaining))
    }

    /// A loop over the last axis inside one over the others, so that what does not change along a row is computed once.
    #[inline]
    fn fold<A, F: FnMut(A, Index) -> A>(mut self, mut acc: A, mut f: F) -> A {
        let Some(last) = Index::RANK.checked_sub(1) else {
            return if self.remaining == 0 { acc } else { f(acc, self.next) };
        };
        while self.remaining > 0 {
            let (start, end) = (self.next.as_ref()[last], self.dims.as_ref()[last]);
            for i in start..end {
                let mut index = self.next;
                index.as_mut()[last] = i;
                acc = f(acc, index);
            }
            self.remaining -= end - start;
            self.next.as_mut()[last] = end;
            self.carry(last);
        }
        acc
    }
}
impl<Index: IndexArray> ExactSizeIterator for Indices<Index> {}
impl<Index: IndexArray> FusedIterator for Indices<Index> {}

impl<L: Layout> Cursor<L> for Indices<L::Index> {
    #[inline(always)]
    fn next<S: Shape<L::Index>>(&mut self, mapping: &StridedMapping<L, S>) -> Option<(L::Index, usize)> {
        let index = Iterator::next(self)?;
        Some((index, mapping.offset_unchecked(index)))
    }

    #[inline(always)]
    fn remaining(&self) -> usize {
        self.remaining
    }

    #[inline(always)]
    fn fold<S: Shape<L::Index>, A>(
        self,
        mapping: &StridedMapping<L, S>,
        acc: A,
        mut f: impl FnMut(A, L::Index, usize) -> A,
    ) -> A {
        Iterator::fold(self, acc, |acc, index| f(acc, index, mapping.offset_unchecked(index)))
    }
}

/// The combinations of the outer digits in physical order, row by row: in a row the innermost of them goes up, and nothing
/// else changes, so that a step costs an addition each for index and offset, and a comparison.
#[derive(Clone, Debug)]
pub(super) struct DigitCursor<Index> {
    /// The next place; behind the row's last where none is left in the row.
    index: Index,
    offset: usize,
    /// Places left in the row.
    left: usize,
    /// Places behind the row.
    behind: usize,
    /// How many digits take part, counted from the outermost.
    digits: usize,
    /// What every axis stays below.
    bounds: Index,
}

impl<Index: IndexArray> DigitCursor<Index> {
    /// The combinations of the outer `digits` digits of `L` in which every axis stays below `bounds`; there are `count`.
    #[inline(always)]
    pub(super) fn new<L: Layout<Index = Index>>(digits: usize, bounds: Index, count: usize) -> Self {
        let left = row_len::<L>(digits, bounds, Index::ZERO).min(count);
        DigitCursor { index: Index::ZERO, offset: 0, left, behind: count - left, digits, bounds }
    }

    /// To the first place of the next row, when the last of the present one was given. `false` where there is none.
    #[inline(always)]
    fn next_row<L: Layout<Index = Index>, S: Shape<Index>>(
        &mut self,
        mapping: &StridedMapping<L, S>,
    ) -> bool {
        // Where the odometer is back at 0 there is nothing left, whatever was counted: no place comes twice.
        if self.behind == 0 || !mapping.carry(self.digits, self.bounds, &mut self.index, &mut self.offset) {
            self.behind = 0;
            return false;
        }
        self.left = row_len::<L>(self.digits, self.bounds, self.index);
        self.behind = self.behind.saturating_sub(self.left);
        true
    }
}

impl<L: Layout> Cursor<L> for DigitCursor<L::Index> {
    #[inline(always)]
    fn next<S: Shape<L::Index>>(&mut self, mapping: &StridedMapping<L, S>) -> Option<(L::Index, usize)> {
        while self.left == 0 {
            if !self.next_row(mapping) {
                return None;
            }
        }
        self.left -= 1;
        let place = (self.index, self.offset);
        mapping.step(self.digits, &mut self.index, &mut self.offset);
        Some(place)
    }

    #[inline(always)]
    fn remaining(&self) -> usize {
        self.left + self.behind
    }

    /// A loop over a row inside one over rows, so that what does not change along a row is computed once.
    #[inline(always)]
    fn fold<S: Shape<L::Index>, A>(
        mut self,
        mapping: &StridedMapping<L, S>,
        mut acc: A,
        mut f: impl FnMut(A, L::Index, usize) -> A,
    ) -> A {
        loop {
            for _ in 0..self.left {
                acc = f(acc, self.index, self.offset);
                mapping.step(self.digits, &mut self.index, &mut self.offset);
            }
            if !self.next_row(mapping) {
                return acc;
            }
        }
    }
}

/// Defines an iterator over the places of a cursor: `$item` is what `$make` gives for the view, an index and an offset.
macro_rules! iterator {
    (
        $(#[$attr:meta])*
        $name:ident over $view:ident by $cursor:ty => $item:ty: $make:path
    ) => {
        $(#[$attr])*
        pub struct $name<'a, T, L: Layout, S = <L as Layout>::Index> {
            view: $view<'a, T, L, S>,
            cursor: $cursor,
        }

        impl<'a, T, L: Layout, S: Shape<L::Index>> Iterator for $name<'a, T, L, S> {
            type Item = $item;

            #[inline(always)]
            fn next(&mut self) -> Option<$item> {
                let (index, offset) = Cursor::<L>::next(&mut self.cursor, self.view.mapping())?;
                // SAFETY: the cursor gives each place of the view once.
                Some(unsafe { $make(&self.view, index, offset) })
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                let remaining = Cursor::<L>::remaining(&self.cursor);
                (remaining, Some(remaining))
            }

            #[inline(always)]
            fn fold<A, F: FnMut(A, $item) -> A>(self, acc: A, mut f: F) -> A {
                let view = self.view;
                Cursor::<L>::fold(self.cursor, view.mapping(), acc, |acc, index, offset| {
                    // SAFETY: the cursor gives each place of the view once.
                    f(acc, unsafe { $make(&view, index, offset) })
                })
            }
        }
        impl<T, L: Layout, S: Shape<L::Index>> ExactSizeIterator for $name<'_, T, L, S> {}
        impl<T, L: Layout, S: Shape<L::Index>> core::iter::FusedIterator for $name<'_, T, L, S> {}
        impl<T, L: Layout, S: Shape<L::Index>> core::fmt::Debug for $name<'_, T, L, S> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($name))
                    .field("layout", &L::default())
                    .field("shape", &self.view.mapping().shape())
                    .field("remaining", &Cursor::<L>::remaining(&self.cursor))
                    .finish()
            }
        }
    };
}
/// `Clone` for iterators that give shared references.
macro_rules! iterator_clone {
    ($($name:ident)*) => {$(
        impl<T, L: Layout, S: Shape<L::Index>> Clone for $name<'_, T, L, S> {
            fn clone(&self) -> Self {
                $name { view: self.view, cursor: self.cursor.clone() }
            }
        }
    )*};
}
pub(super) use {iterator, iterator_clone};
