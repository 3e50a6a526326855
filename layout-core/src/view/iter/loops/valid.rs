//! Blocks with what is logical of them, for the tail of a padded axis: [`Valid`] as a length, a mask or a question, and
//! the iterators that give it with each block.

use crate::grammar::MAX_RANK;
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

/// What is in a block along one axis.
#[derive(Clone, Copy)]
enum Inner {
    /// One index, always logical: the axis has no padding.
    One,
    /// One index, or none behind the extent.
    Padded,
    /// `size` indices, `divisor` apart.
    Block { divisor: usize, size: usize },
    /// Several blocks, which reach over `reach` indices from the first to the last.
    Blocks { reach: usize },
}

/// What the dense blocks of `L` hold of each axis. Evaluated while compiling alone.
const fn inner<L: Layout>(axis: usize) -> Inner {
    let (mut blocks, mut reach) = (0, 1);
    let (mut last_divisor, mut last_size) = (1, 1);
    let mut at = L::SPEC.outer_len();
    while let Some(digit) = L::SPEC.digit(at) {
        if let (true, Some(size)) = (digit.axis == axis, digit.size) {
            (last_divisor, last_size) = (digit.divisor as usize, size as usize);
            reach += (last_size - 1) * last_divisor;
            blocks += 1;
        }
        at += 1;
    }
    match blocks {
        // The index of a block is below the padded extents.
        0 if L::PADDING[axis] == 1 => Inner::One,
        0 => Inner::Padded,
        1 => Inner::Block { divisor: last_divisor, size: last_size },
        _ => Inner::Blocks { reach },
    }
}

/// [`inner`] of every axis.
struct Inners<L>(core::marker::PhantomData<L>);
impl<L: Layout> Inners<L> {
    const OF: [Inner; MAX_RANK] = {
        let (mut all, mut axis) = ([Inner::One; MAX_RANK], 0);
        while axis < L::RANK {
            all[axis] = inner::<L>(axis);
            axis += 1;
        }
        all
    };
    /// Whether the block is one digit: what is logical of it are then its first elements.
    const ONE_DIGIT: bool = L::SPEC.outer_len() + 1 == L::SPEC.len();
}

impl<L: Layout> Valid<L> {
    /// Logical index of the block's first element. It lies past the extents where all of the block is padding.
    #[inline(always)]
    pub fn start(&self) -> L::Index {
        self.start
    }

    /// How many indices of `axis` there are from the block's first on.
    #[inline(always)]
    fn rest(&self, axis: usize) -> usize {
        self.dims.as_ref()[axis].saturating_sub(self.start.as_ref()[axis])
    }

    /// Whether there is no padding in the block.
    #[inline(always)]
    pub fn is_whole(&self) -> bool {
        let mut axis = 0;
        while axis < L::RANK {
            let whole = match Inners::<L>::OF[axis] {
                Inner::One => true,
                Inner::Padded => self.rest(axis) > 0,
                Inner::Block { divisor, size } => self.rest(axis) > (size - 1) * divisor,
                Inner::Blocks { reach } => self.rest(axis) >= reach,
            };
            if !whole {
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
        let (mut len, mut axis) = (1, 0);
        while axis < L::RANK {
            len *= self.count(axis);
            axis += 1;
        }
        len
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
    #[inline(always)]
    pub fn mask(&self) -> u64 {
        const { assert!(L::BLOCK_LEN <= 64, "a mask has 64 bits: ask `is_logical` of larger blocks") }
        if self.is_whole() {
            return u64::MAX >> (64 - L::BLOCK_LEN);
        } else if Inners::<L>::ONE_DIGIT {
            return (1 << self.len()) - 1; // fewer than 64, because the block is not whole
        }
        (0..L::BLOCK_LEN).fold(0, |mask, place| mask | u64::from(self.is_logical(place)) << place)
    }

    /// Number of logical indices along `axis` in the block.
    #[inline(always)]
    fn count(&self, axis: usize) -> usize {
        match Inners::<L>::OF[axis] {
            Inner::One => 1,
            Inner::Padded => self.rest(axis).min(1),
            Inner::Block { divisor, size } => self.rest(axis).div_ceil(divisor).min(size),
            Inner::Blocks { .. } => self.count_in_blocks(axis),
        }
    }

    /// [`count`](Self::count) where an axis has several blocks.
    fn count_in_blocks(&self, axis: usize) -> usize {
        let mut rest = self.rest(axis);
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
            #[inline]
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
