//! Blocks with what is logical of them, for the tail of a padded axis: [`Valid`] as a length, a mask or a question, and
//! the iterators that give it with each block.

use crate::layout::{HasAxis, Layout};
use crate::shape::Shape;
use crate::view::iter::blocks::{IndexedBlocks, IndexedBlocksMut};
use crate::view::part;
use core::iter::FusedIterator;

/// Which elements of a dense inner block are logical, and where it lies. The others are padding.
///
/// ```
/// use layout_core::layout::Nchw16c;
/// use layout_core::view::{KernelLoops, Tensor};
///
/// // The greatest element, though the padding holds zeros: 21 channels are 16 and 5 of 16.
/// let t = Tensor::<f32, Nchw16c>::from_fn([1, 21, 2, 2], |[_, c, h, w]| -((c + h + w) as f32) - 1.0)?;
/// let greatest = t.valid_blocks().flat_map(|(valid, block)| &block[..valid.len()]).copied().reduce(f32::max);
/// assert_eq!(greatest, Some(-1.0));
///
/// let (last, _) = t.valid_blocks().last().unwrap();
/// assert_eq!((last.start(), last.len(), last.mask()), ([0, 16, 1, 1], 5, 0b1_1111));
/// # Ok::<(), layout_core::view::ViewError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Valid<L: Layout> {
    start: L::Index,
    dims: L::Index,
}

/// How far the dense blocks of each axis reach: 1 more than the greatest amount by which they move an index.
const fn reach<L: Layout>(axis: usize) -> usize {
    let mut reach = 1;
    let mut at = L::SPEC.outer_len();
    while let Some(digit) = L::SPEC.digit(at) {
        if let (true, Some(size)) = (digit.axis == axis, digit.size) {
            reach += (size as usize - 1) * digit.divisor as usize;
        }
        at += 1;
    }
    reach
}

impl<L: Layout> Valid<L> {
    /// Logical index of the block's first element. It lies past the extents where all of the block is padding.
    #[inline(always)]
    pub fn start(&self) -> L::Index {
        self.start
    }

    /// Whether there is no padding in the block.
    #[inline(always)]
    pub fn is_whole(&self) -> bool {
        let mut axis = 0;
        while axis < L::RANK {
            if self.start.as_ref()[axis].saturating_add(reach::<L>(axis)) > self.dims.as_ref()[axis] {
                return false;
            }
            axis += 1;
        }
        true
    }

    /// Number of logical elements in the block. Where one axis alone has blocks, as in `nChw16c`, they are its first
    /// ones: `&block[..valid.len()]`.
    #[inline(always)]
    pub fn len(&self) -> usize {
        if self.is_whole() { L::BLOCK_LEN } else { (0..L::RANK).map(|axis| self.count(axis)).product() }
    }

    /// Whether all of the block is padding.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of logical indices along axis `AXIS` in the block: at most 1 for an axis without dense blocks.
    ///
    /// ```
    /// use layout_core::layout::OIhw16i16o;
    /// use layout_core::view::{KernelLoops, Tensor};
    /// let weights = Tensor::<f32, OIhw16i16o>::zeroed([24, 3, 1, 1])?;
    /// let of = |(valid, _): (layout_core::view::Valid<_>, _)| (valid.along::<'o'>(), valid.along::<'i'>());
    /// assert!(weights.valid_blocks().map(of).eq([(16, 3), (8, 3)]));
    /// # Ok::<(), layout_core::view::ViewError>(())
    /// ```
    pub fn along<const AXIS: char>(&self) -> usize
    where
        L: HasAxis<AXIS>,
    {
        self.count(const { part::position::<L, AXIS>() })
    }

    /// Whether element `place` of the block, counted in memory from 0, is logical; `false` behind the block.
    ///
    /// ```
    /// use layout_core::layout::OIhw4i16o4i;
    /// use layout_core::view::{KernelLoops, Tensor};
    /// let weights = Tensor::<i8, OIhw4i16o4i>::zeroed([16, 6, 1, 1])?;
    /// let (valid, block) = weights.valid_blocks().next().unwrap();
    /// assert_eq!((valid.len(), block.as_flattened().as_flattened().len()), (96, 256));
    /// assert!(valid.is_logical(64 + 1) && !valid.is_logical(64 + 2)); // inputs 5 and 6 of output 0
    /// # Ok::<(), layout_core::view::ViewError>(())
    /// ```
    pub fn is_logical(&self, place: usize) -> bool {
        let (mut index, mut rest) = (self.start, place);
        for at in (L::SPEC.outer_len()..L::SPEC.len()).rev() {
            let Some(digit) = L::SPEC.digit(at) else { continue };
            let Some(size) = digit.size else { continue };
            index.as_mut()[digit.axis] += rest % size as usize * digit.divisor as usize;
            rest /= size as usize;
        }
        rest == 0 && index.as_ref().iter().zip(self.dims.as_ref()).all(|(index, extent)| index < extent)
    }

    /// A bit for each element of the block, the lowest for the first: 1 where it is logical. It is what masked loads and
    /// stores take. Blocks of more than 64 elements are refused while compiling.
    #[inline]
    pub fn mask(&self) -> u64 {
        const { assert!(L::BLOCK_LEN <= 64, "a mask has 64 bits: ask `is_logical` of larger blocks") }
        if self.is_whole() {
            return u64::MAX >> (64 - L::BLOCK_LEN);
        }
        (0..L::BLOCK_LEN).fold(0, |mask, place| mask | u64::from(self.is_logical(place)) << place)
    }

    /// Number of logical indices along `axis` in the block.
    fn count(&self, axis: usize) -> usize {
        let mut rest = self.dims.as_ref()[axis].saturating_sub(self.start.as_ref()[axis]);
        // The dense blocks of the axis from the most significant on: each that is not full leaves a rest to the next.
        let (mut total, mut below) = (0, usize::MAX);
        let mut places: usize = self.places(axis);
        loop {
            let dense = (L::SPEC.outer_len()..L::SPEC.len()).filter_map(|at| L::SPEC.digit(at));
            let next = dense
                .filter(|digit| digit.axis == axis && (digit.divisor as usize) < below)
                .max_by_key(|digit| digit.divisor);
            let Some(digit) = next else { return total + rest.min(1) };
            let (divisor, size) = (digit.divisor as usize, digit.size.map_or(1, |size| size as usize));
            places /= size;
            let full = rest / divisor;
            if full >= size {
                return total + size * places;
            }
            total += full * places;
            rest -= full * divisor;
            below = divisor;
        }
    }

    /// Number of indices along `axis` in a whole block.
    fn places(&self, axis: usize) -> usize {
        let dense = (L::SPEC.outer_len()..L::SPEC.len()).filter_map(|at| L::SPEC.digit(at));
        dense
            .filter(|digit| digit.axis == axis)
            .filter_map(|digit| digit.size)
            .map(|size| size as usize)
            .product()
    }
}

impl<L: Layout> core::fmt::Debug for Valid<L> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Valid").field("start", &self.start).field("len", &self.len()).finish()
    }
}

macro_rules! valid_blocks {
    ($(#[$attr:meta])* $name:ident over $blocks:ident => $block:ty) => {
        $(#[$attr])*
        pub struct $name<'a, T, L: Layout, S = <L as Layout>::Index> {
            blocks: $blocks<'a, T, L, S>,
            dims: L::Index,
        }

        impl<'a, T, L: Layout, S: Shape<L::Index>> $name<'a, T, L, S> {
            pub(super) fn new(blocks: $blocks<'a, T, L, S>, dims: L::Index) -> Self {
                $name { blocks, dims }
            }
        }

        impl<'a, T, L: Layout, S: Shape<L::Index>> Iterator for $name<'a, T, L, S> {
            type Item = (Valid<L>, $block);

            #[inline(always)]
            fn next(&mut self) -> Option<(Valid<L>, $block)> {
                let (start, block) = self.blocks.next()?;
                Some((Valid { start, dims: self.dims }, block))
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                self.blocks.size_hint()
            }

            #[inline(always)]
            fn fold<A, F: FnMut(A, (Valid<L>, $block)) -> A>(self, acc: A, mut f: F) -> A {
                let dims = self.dims;
                self.blocks.fold(acc, |acc, (start, block)| f(acc, (Valid { start, dims }, block)))
            }
        }
        impl<T, L: Layout, S: Shape<L::Index>> ExactSizeIterator for $name<'_, T, L, S> {}
        impl<T, L: Layout, S: Shape<L::Index>> FusedIterator for $name<'_, T, L, S> {}
        impl<T, L: Layout, S: Shape<L::Index>> core::fmt::Debug for $name<'_, T, L, S> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($name)).field("blocks", &self.blocks).finish()
            }
        }
    };
}
valid_blocks! {
    /// The dense inner blocks in physical order with what is logical of each: see
    /// [`valid_blocks`](super::KernelLoops::valid_blocks).
    ValidBlocks over IndexedBlocks => &'a L::Block<T>
}
valid_blocks! {
    /// The dense inner blocks in physical order with what is logical of each, to write: see
    /// [`valid_blocks_mut`](super::KernelLoopsMut::valid_blocks_mut).
    ValidBlocksMut over IndexedBlocksMut => &'a mut L::Block<T>
}
