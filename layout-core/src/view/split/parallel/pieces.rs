//! [`Pieces`], what can be shared out, and [`Par`], the parallel iterator over it.

use super::super::def::{Tiles, TilesMut};
use super::super::dynamic::DynPartsMut;
use super::super::tiles::{IndexedTiles, IndexedTilesMut};
use crate::descriptor::Element;
use crate::layout::Layout;
use crate::view::def::{StridedView, StridedViewMut};
use crate::view::dynamic::DynViewMut;
use rayon::iter::plumbing::{Consumer, Producer, ProducerCallback, UnindexedConsumer, bridge};
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

pub(super) mod private {
    pub trait Sealed {}
}

/// Numbered pieces of a view that can be shared out. Sealed: the iterators over tiles, parts and blocks.
pub trait Pieces: Sized + Send + private::Sealed {
    /// What is given.
    type Piece: Send;
    /// The pieces one after the other.
    #[doc(hidden)]
    type Each: DoubleEndedIterator<Item = Self::Piece> + ExactSizeIterator;

    /// How many are left.
    #[doc(hidden)]
    fn left(&self) -> usize;
    /// Bytes of a piece, on average.
    #[doc(hidden)]
    fn piece_bytes(&self) -> usize;
    /// The first `count` of those that are left, and the others.
    #[doc(hidden)]
    fn share(self, count: usize) -> (Self, Self);
    /// Those that are left, in order.
    #[doc(hidden)]
    fn each(self) -> Self::Each;
}

/// A parallel iterator over pieces of a view: an [`IndexedParallelIterator`], so that `zip`, `enumerate` and the others of
/// rayon's adaptors apply.
///
/// It runs on the current pool. Inside `pool.install(|| …)` that is the caller's own.
///
/// ```
/// use layout_core::layout::Nchw16c;
/// use layout_core::view::Tensor;
/// use rayon::prelude::*;
/// let mut t = Tensor::<f32, Nchw16c>::filled([4, 32, 8, 8], -1.0)?;
/// let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
/// pool.install(|| -> Result<(), layout_core::view::ViewError> {
///     t.par_blocks_mut().for_each(|block| block.iter_mut().for_each(|x| *x = x.max(0.0)));
///     t.par_indexed_tiles_mut([1, 16, 4, 8])?.for_each(|(start, mut tile)| {
///         tile.map_in_place(|x| x + start[1] as f32);
///     });
///     Ok(())
/// })?;
/// assert_eq!((t[[0, 15, 0, 0]], t[[3, 16, 7, 7]]), (0.0, 16.0));
/// # Ok::<(), layout_core::view::ViewError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "parallel iterators do nothing unless they are consumed"]
pub struct Par<P> {
    pieces: P,
    min_len: usize,
}

/// What [`Par`] leaves on one thread unless told otherwise, in bytes, where a piece is as small as a block.
pub(super) const MIN_BYTES: usize = 64 << 10;

impl<P: Pieces> Par<P> {
    /// Each piece may go to a thread of its own.
    pub(super) fn coarse(pieces: P) -> Self {
        Par { pieces, min_len: 1 }
    }

    /// As many pieces stay together as have [`MIN_BYTES`].
    pub(super) fn fine(pieces: P) -> Self {
        Par::coarse(pieces).with_min_bytes(MIN_BYTES)
    }

    /// Leaves neighbouring pieces on one thread until they have about `bytes` bytes together. For blocks that is 64 KiB
    /// unless told otherwise; tiles and parts, whose size the caller has chosen, go to threads one by one. A number of
    /// pieces is given by rayon's `with_min_len`; the larger of the two holds.
    ///
    /// ```
    /// use layout_core::layout::Nchw;
    /// use layout_core::view::Tensor;
    /// use rayon::prelude::*;
    /// let t = Tensor::<f32, Nchw>::zeroed([8, 4, 16, 16])?; // 4 KiB an image
    /// // The number of pieces that were done in one go.
    /// let goes = |min_bytes| -> Result<Vec<usize>, layout_core::view::ViewError> {
    ///     let images = t.par_chunks::<'n'>(1)?.with_min_bytes(min_bytes);
    ///     Ok(images.fold(|| 0, |n, _| n + 1).collect())
    /// };
    /// assert_eq!(goes(1 << 20)?, [8]);
    /// assert!(goes(16 << 10)?.iter().all(|&images| images >= 4));
    /// # Ok::<(), layout_core::view::ViewError>(())
    /// ```
    pub fn with_min_bytes(self, bytes: usize) -> Self {
        let min_len = bytes.div_ceil(self.pieces.piece_bytes().max(1)).max(1);
        Par { min_len, ..self }
    }
}

impl<P: Pieces> ParallelIterator for Par<P> {
    type Item = P::Piece;

    fn drive_unindexed<C: UnindexedConsumer<P::Piece>>(self, consumer: C) -> C::Result {
        bridge(self, consumer)
    }

    fn opt_len(&self) -> Option<usize> {
        Some(self.pieces.left())
    }
}

impl<P: Pieces> IndexedParallelIterator for Par<P> {
    fn len(&self) -> usize {
        self.pieces.left()
    }

    fn drive<C: Consumer<P::Piece>>(self, consumer: C) -> C::Result {
        bridge(self, consumer)
    }

    fn with_producer<CB: ProducerCallback<P::Piece>>(self, callback: CB) -> CB::Output {
        callback.callback(Share { pieces: self.pieces, min_len: self.min_len })
    }
}

/// Some of the pieces, on their way to a thread.
struct Share<P> {
    pieces: P,
    min_len: usize,
}

impl<P: Pieces> Producer for Share<P> {
    type Item = P::Piece;
    type IntoIter = P::Each;

    fn into_iter(self) -> P::Each {
        self.pieces.each()
    }

    fn min_len(&self) -> usize {
        self.min_len
    }

    fn split_at(self, count: usize) -> (Self, Self) {
        let (first, others) = self.pieces.share(count);
        (Share { pieces: first, min_len: self.min_len }, Share { pieces: others, min_len: self.min_len })
    }
}

macro_rules! tiles {
    ($name:ident: $bound:ident, $piece:ty, $($field:tt)?) => {
        impl<T: $bound, L: Layout> private::Sealed for $name<'_, T, L> {}
        impl<'a, T: $bound, L: Layout> Pieces for $name<'a, T, L> {
            type Piece = $piece;
            type Each = Self;

            fn left(&self) -> usize {
                self$(.$field)?.count_left()
            }
            fn piece_bytes(&self) -> usize {
                self$(.$field)?.average_bytes()
            }
            fn share(self, count: usize) -> (Self, Self) {
                self.split_at(count)
            }
            fn each(self) -> Self {
                self
            }
        }
        impl<'a, T: $bound, L: Layout> IntoParallelIterator for $name<'a, T, L> {
            type Item = $piece;
            type Iter = Par<Self>;

            fn into_par_iter(self) -> Par<Self> {
                Par::coarse(self)
            }
        }
    };
}
tiles!(Tiles: Sync, StridedView<'a, T, L>,);
tiles!(TilesMut: Send, StridedViewMut<'a, T, L>,);
tiles!(IndexedTiles: Sync, (L::Index, StridedView<'a, T, L>), 0);
tiles!(IndexedTilesMut: Send, (L::Index, StridedViewMut<'a, T, L>), 0);

impl<T: Element> private::Sealed for DynPartsMut<'_, T> {}
impl<'a, T: Element> Pieces for DynPartsMut<'a, T> {
    type Piece = DynViewMut<'a, T>;
    type Each = Self;

    fn left(&self) -> usize {
        self.len()
    }
    fn piece_bytes(&self) -> usize {
        self.average_bytes()
    }
    fn share(self, count: usize) -> (Self, Self) {
        self.split_at(count)
    }
    fn each(self) -> Self {
        self
    }
}
impl<'a, T: Element> IntoParallelIterator for DynPartsMut<'a, T> {
    type Item = DynViewMut<'a, T>;
    type Iter = Par<Self>;

    fn into_par_iter(self) -> Par<Self> {
        Par::coarse(self)
    }
}

macro_rules! slices {
    ($slice:ty: $bound:ident => $piece:ty, $each:ty, $split:ident, $iter:ident) => {
        impl<'a, B: $bound> private::Sealed for $slice {}
        impl<'a, B: $bound> Pieces for $slice {
            type Piece = $piece;
            type Each = $each;

            fn left(&self) -> usize {
                self.len()
            }
            fn piece_bytes(&self) -> usize {
                size_of::<B>()
            }
            fn share(self, count: usize) -> (Self, Self) {
                self.$split(count)
            }
            fn each(self) -> $each {
                self.$iter()
            }
        }
    };
}
slices!(&'a [B]: Sync => &'a B, core::slice::Iter<'a, B>, split_at, iter);
slices!(&'a mut [B]: Send => &'a mut B, core::slice::IterMut<'a, B>, split_at_mut, iter_mut);
