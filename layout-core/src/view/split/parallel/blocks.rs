//! [`BlockRange`] and [`BlockRangeMut`]: the dense inner blocks of a strided view, from any number to any number. Dense views
//! need neither: their blocks are a slice.

use super::pieces::{Pieces, private};
use crate::layout::{Layout, StridedMapping};
use crate::shape::IndexArray;
use crate::view::def::{StridedView, StridedViewMut, exclusive, shared};
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ops::Range;
use core::ptr::NonNull;

/// Index and offset of block `number` in the physical order of the padded extents.
pub(in crate::view) fn place<L: Layout>(mapping: &StridedMapping<L>, number: usize) -> (L::Index, usize) {
    let (padded, strides) = (mapping.padded_dims(), mapping.digit_strides());
    let (mut index, mut offset) = (L::Index::ZERO, 0usize);
    let mut rest = number;
    for at in (0..L::SPEC.outer_len()).rev() {
        let Some(digit) = L::SPEC.digit(at) else { continue };
        // Blocks and divisors fit in `usize`: the layout was refused while compiling otherwise.
        let divisor = digit.divisor as usize;
        let extent = match digit.size {
            Some(size) => size as usize,
            None => (padded.as_ref()[digit.axis] / divisor).max(1),
        };
        let value = rest % extent;
        rest /= extent;
        index.as_mut()[digit.axis] += value * divisor;
        offset = offset.wrapping_add(value.wrapping_mul(strides.as_ref()[at] as usize));
    }
    (index, offset)
}

macro_rules! blocks {
    (
        $(#[$attr:meta])* $name:ident over $view:ident: $reference:ty, $bound:ident,
        by $element:path => $block:ty,
        $(#[$indexed_attr:meta])* $indexed:ident
    ) => {
        $(#[$attr])*
        ///
        /// Invariants:
        /// 1. The elements of the block of each number in `left`, in physical order of the padded extents, fulfil invariant
        ///    1 of the view type.
        /// 2. `place`, if there is one, is that of the first number in `left`.
        pub struct $name<'a, T, L: Layout> {
            ptr: NonNull<T>,
            mapping: StridedMapping<L>,
            left: Range<usize>,
            place: Option<(L::Index, usize)>,
            memory: PhantomData<$reference>,
        }

        $(#[$indexed_attr])*
        pub struct $indexed<'a, T, L: Layout>(pub(super) $name<'a, T, L>);

        impl<'a, T, L: Layout> $name<'a, T, L> {
            /// All blocks of `view`.
            pub(super) fn new(view: $view<'a, T, L>) -> Self {
                let padded: usize = view.padded_dims().as_ref().iter().product();
                let left = 0..padded / L::BLOCK_LEN;
                // Invariant 1: the view has all elements, and is given away.
                $name { ptr: view.ptr(), mapping: *view.mapping(), left, place: None, memory: PhantomData }
            }

            /// The next block and the index of its first element.
            #[inline(always)]
            fn take_first(&mut self) -> Option<(L::Index, $block)> {
                let number = self.left.next()?;
                let (index, offset) = match self.place {
                    Some(place) => place,
                    None => place(&self.mapping, number),
                };
                let (mut next, mut at) = (index, offset);
                let bounds = self.mapping.padded_dims();
                // Invariant 2: the odometer goes through the blocks in the same order.
                let more = self.mapping.advance(L::SPEC.outer_len(), bounds, &mut next, &mut at);
                self.place = more.then_some((next, at));
                // SAFETY: the number was left, and is not any more; invariant 2.
                Some((index, unsafe { self.block(offset) }))
            }

            /// The last block and the index of its first element.
            fn take_last(&mut self) -> Option<(L::Index, $block)> {
                let (index, offset) = place(&self.mapping, self.left.next_back()?);
                // SAFETY: the number was left, and is not any more.
                Some((index, unsafe { self.block(offset) }))
            }

            fn divide(self, count: usize) -> (Self, Self) {
                let middle = self.left.start + count.min(self.left.len());
                // Invariant 1: no number is in both.
                let first = $name { left: self.left.start..middle, ..self };
                (first, $name { left: middle..self.left.end, place: None, ..self })
            }

            /// The block at `offset`.
            ///
            /// # Safety
            /// A number that is not left any more, and was, has its block there.
            #[inline(always)]
            unsafe fn block(&self, offset: usize) -> $block {
                const {
                    assert!(
                        size_of::<L::Block<T>>() == L::BLOCK_LEN * size_of::<T>(),
                        "the block type of this layout is not an array of its elements"
                    );
                }
                // SAFETY: the elements of a block lie densely behind its offset (invariant 2 of `StridedMapping`);
                // invariant 1.
                let at = unsafe { self.ptr.add(offset) };
                // SAFETY: as above.
                unsafe { $element(at.cast(), 0) }
            }
        }

        impl<T, L: Layout> core::fmt::Debug for $name<'_, T, L> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($name))
                    .field("layout", &L::default())
                    .field("left", &self.left)
                    .finish()
            }
        }
        impl<T, L: Layout> core::fmt::Debug for $indexed<'_, T, L> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_tuple(stringify!($indexed)).field(&self.0).finish()
            }
        }
        // SAFETY: invariant 1: what is left are references to blocks.
        unsafe impl<T: $bound, L: Layout> Send for $name<'_, T, L> {}
        // SAFETY: a shared reference to the iterator gives nothing.
        unsafe impl<T: Sync, L: Layout> Sync for $name<'_, T, L> {}

        blocks!(@each $name, $bound, $block, |(_, block)| block;);
        blocks!(@each $indexed, $bound, (L::Index, $block), |place| place; 0);
    };
    (@each $name:ident, $bound:ident, $piece:ty, $make:expr; $($field:tt)?) => {
        impl<'a, T, L: Layout> Iterator for $name<'a, T, L> {
            type Item = $piece;

            #[inline]
            fn next(&mut self) -> Option<$piece> {
                self$(.$field)?.take_first().map($make)
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                let left = self$(.$field)?.left.len();
                (left, Some(left))
            }
        }
        impl<'a, T, L: Layout> DoubleEndedIterator for $name<'a, T, L> {
            fn next_back(&mut self) -> Option<$piece> {
                self$(.$field)?.take_last().map($make)
            }
        }
        impl<T, L: Layout> ExactSizeIterator for $name<'_, T, L> {}
        impl<T, L: Layout> FusedIterator for $name<'_, T, L> {}

        impl<T: $bound, L: Layout<Block<T>: $bound>> private::Sealed for $name<'_, T, L> {}
        impl<'a, T: $bound, L: Layout<Block<T>: $bound>> Pieces for $name<'a, T, L> {
            type Piece = $piece;
            type Each = Self;

            fn left(&self) -> usize {
                self.len()
            }
            fn piece_bytes(&self) -> usize {
                size_of::<L::Block<T>>()
            }
            fn share(self, count: usize) -> (Self, Self) {
                let (first, others) = self$(.$field)?.divide(count);
                (Self::from(first), Self::from(others))
            }
            fn each(self) -> Self {
                self
            }
        }
    };
}
blocks! {
    /// The dense inner blocks of a strided view, in physical order, padding included.
    BlockRange over StridedView: &'a [T], Sync, by shared => &'a L::Block<T>,
    /// The dense inner blocks with the logical index of their first element.
    IndexedBlockRange
}
blocks! {
    /// The dense inner blocks of a strided view, in physical order, padding included, to write.
    BlockRangeMut over StridedViewMut: &'a mut [T], Send, by exclusive => &'a mut L::Block<T>,
    /// The dense inner blocks with the logical index of their first element, to write.
    IndexedBlockRangeMut
}

impl<'a, T, L: Layout> From<BlockRange<'a, T, L>> for IndexedBlockRange<'a, T, L> {
    fn from(blocks: BlockRange<'a, T, L>) -> Self {
        IndexedBlockRange(blocks)
    }
}
impl<'a, T, L: Layout> From<BlockRangeMut<'a, T, L>> for IndexedBlockRangeMut<'a, T, L> {
    fn from(blocks: BlockRangeMut<'a, T, L>) -> Self {
        IndexedBlockRangeMut(blocks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Nchw8c;
    use crate::view::Tensor;
    use alloc::vec::Vec;

    /// Rayon splits before it iterates; a range that was begun can be split all the same.
    #[test]
    fn split_after_the_first() {
        let t = Tensor::<u32, Nchw8c>::zeroed([2, 20, 3, 4]).unwrap();
        let view = t.slice::<'h'>(1..).unwrap();
        let all: Vec<_> = view.blocks().map(|block| block.as_ptr()).collect();
        for begun in 0..3 {
            for count in [0, 1, 5, 100] {
                let mut range = BlockRange::new(view);
                let mut found: Vec<_> = range.by_ref().take(begun).map(|block| block.as_ptr()).collect();
                let (one, other) = range.share(count);
                found.extend(one.map(|block| block.as_ptr()));
                found.extend(IndexedBlockRange(other).map(|(index, block)| {
                    assert!(core::ptr::eq(block.as_ptr(), &view[index]));
                    block.as_ptr()
                }));
                assert_eq!(found, all);
            }
        }
    }
}
