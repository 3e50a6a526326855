//! What compute kernels go over, for all five kinds of views: rows of blocks, windows with their halo, blocks with their
//! tail, several views in lockstep, and the parallel forms. None of it leaves address arithmetic to the inner loop.

#![allow(
    clippy::type_complexity,
    reason = "the items of iterators are spelled out where a reader looks for them"
)]

mod along;
mod operands;
mod rows;
mod strips;
mod taps;
mod valid;
mod window;
mod zip;

use super::blocks::{IndexedBlocks, IndexedBlocksMut};
use crate::layout::{ChannelsLast, HasAxis, Layout};
use crate::shape::IndexError;
use crate::view::def::shared;
use crate::view::error::ViewError;
use crate::view::operand::{View, ViewMut};
pub use along::BlocksAlong;
pub use operands::{Lane, Operands};
#[cfg(feature = "rayon")]
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
pub use rows::{BlockRows, BlockRowsMut};
pub use strips::{PixelStrips, StripRow, StripRows, Strips};
pub use taps::{WindowTaps, Windows};
pub use valid::{Valid, ValidBlocks, ValidBlocksMut};
pub use window::{Taps, Window, WindowError};
pub use zip::{ZipBlocksMut, ZipRun, ZipRunsMut};

/// The layout's index and block, for signatures.
type Index<V> = <<V as View>::Layout as Layout>::Index;
type Block<V> = <<V as View>::Layout as Layout>::Block<<V as View>::Elem>;

/// Loops of kernels that read: members of every view and of [`Tensor`](crate::view::Tensor), once the trait is in scope.
pub trait KernelLoops: View {
    /// The dense inner block that holds the element at `index`; `None` outside the extents.
    ///
    /// ```
    /// use layout_core::layout::OIhw16i16o;
    /// use layout_core::view::{KernelLoops, Tensor};
    /// let weights = Tensor::<f32, OIhw16i16o>::from_fn([32, 32, 3, 3], |[o, i, ..]| (100 * o + i) as f32)?;
    /// let tile: &[[f32; 16]; 16] = weights.block_at([16, 0, 2, 2]).unwrap();
    /// assert_eq!(tile[3][4], 2003.0);
    /// assert!(weights.block_at([16, 0, 3, 2]).is_none());
    /// # Ok::<(), layout_core::view::ViewError>(())
    /// ```
    #[inline(always)]
    fn block_at(&self, index: Index<Self>) -> Option<&Block<Self>> {
        const { super::blocks::assert_block::<Self::Layout, Self::Elem>() }
        let view = self.as_strided_view();
        view.mapping().offset(index).ok()?;
        let offset = view.mapping().block_offset_unchecked(index);
        // SAFETY: the first element of the block; its index is in the extents, and invariant 1 of `StridedView` holds.
        let at = unsafe { view.ptr().add(offset) };
        // SAFETY: the block is dense behind it, by invariant 2 of `StridedMapping`.
        Some(unsafe { shared(at.cast(), 0) })
    }

    /// The dense inner blocks along `AXIS`, from the one that holds the element at `start` to the last one with elements: the
    /// tiles of one output and all inputs along `i` of `OIhw16i16o`. In a loop over them nothing is left of the address but
    /// an addition, and nothing of the checks, which [`block_at`](Self::block_at) repeats for each.
    ///
    /// An axis with a block outside the dense inner block is refused while compiling.
    ///
    /// # Errors
    /// [`IndexError::OutOfRange`] for an index outside the extents.
    ///
    /// ```
    /// use layout_core::layout::OIhw16i16o;
    /// use layout_core::view::{KernelLoops, Tensor};
    /// let weights = Tensor::<f32, OIhw16i16o>::from_fn([32, 40, 3, 3], |[o, i, ..]| (100 * o + i) as f32)?;
    /// let firsts = weights.blocks_along::<'i'>([16, 0, 2, 2])?.map(|tile| tile[0][1]);
    /// assert!(firsts.eq([1700.0, 1716.0, 1732.0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    fn blocks_along<const AXIS: char>(
        &self,
        start: Index<Self>,
    ) -> Result<BlocksAlong<'_, Self::Elem, Self::Layout>, IndexError>
    where
        Self::Layout: HasAxis<AXIS>,
    {
        BlocksAlong::new::<AXIS>(self.as_strided_view(), start)
    }

    /// The dense inner blocks in physical order, each with how much of it is logical: a length, or a mask.
    #[inline]
    fn valid_blocks(&self) -> ValidBlocks<'_, Self::Elem, Self::Layout> {
        let view = self.as_strided_view();
        ValidBlocks::new(IndexedBlocks::new(view), view.dims())
    }

    /// The rows of blocks along `AXIS`, the last of the outer letters, each with the index of its first element: rows of
    /// pixels, `&[[f32; 16]]`, along `w` of `nChw16c`; rows of `&[f32]` along `w` of `nchw`.
    ///
    /// Another axis is refused while compiling.
    ///
    /// # Errors
    /// [`ViewError::Stride`] where the blocks of a row are not neighbours, as in some strided views.
    ///
    /// ```
    /// use layout_core::layout::Nchw16c;
    /// use layout_core::view::{KernelLoops, Tensor};
    /// let t = Tensor::<f32, Nchw16c>::zeroed([1, 20, 2, 7])?;
    /// let starts: Vec<_> = t.block_rows::<'w'>()?.map(|(start, row)| (start, row.len())).collect();
    /// assert_eq!(starts, [([0, 0, 0, 0], 7), ([0, 0, 1, 0], 7), ([0, 16, 0, 0], 7), ([0, 16, 1, 0], 7)]);
    /// # Ok::<(), layout_core::view::ViewError>(())
    /// ```
    #[inline]
    fn block_rows<const AXIS: char>(&self) -> Result<BlockRows<'_, Self::Elem, Self::Layout>, ViewError>
    where
        Self::Layout: HasAxis<AXIS>,
    {
        BlockRows::new::<AXIS>(self.as_strided_view())
    }

    /// What `window` sees along rows of blocks: for each start an array of columns, in which those outside the view hold
    /// `fill`. For kernels that compute a few outputs of a row at a time; [`Window::taps`] goes over the other axes.
    ///
    /// `AXIS` is the last of the outer letters; another one is refused while compiling. Channels-last layouts have
    /// [`pixel_strips`](Self::pixel_strips).
    ///
    /// # Errors
    /// [`WindowError`] for a window that does not fit, and for rows whose blocks are not neighbours.
    #[inline]
    fn strips<const AXIS: char>(
        &self,
        window: Window,
        fill: Self::Elem,
    ) -> Result<Strips<'_, Self::Elem, Self::Layout>, WindowError>
    where
        Self::Layout: HasAxis<AXIS>,
        Self::Elem: Copy,
    {
        Strips::new::<AXIS>(self.as_strided_view(), window, fill)
    }

    /// What `window` sees along `AXIS` of a channels-last layout: for each start the columns, of each as many channels as the
    /// kernel takes at a time, in which what lies outside the view, channels too, holds `fill`.
    ///
    /// `AXIS` is any axis but that of the channels, which is refused while compiling.
    ///
    /// # Errors
    /// [`WindowError`] for a window that does not fit, and for channels that are not neighbours, as in some strided views.
    #[inline]
    fn pixel_strips<const AXIS: char>(
        &self,
        window: Window,
        fill: Self::Elem,
    ) -> Result<PixelStrips<'_, Self::Elem, Self::Layout>, WindowError>
    where
        Self::Layout: HasAxis<AXIS> + ChannelsLast,
        Self::Elem: Copy,
    {
        PixelStrips::new::<AXIS>(self.as_strided_view(), window, fill)
    }

    /// Windows that slide over the axes `H` and `W`: for each output the blocks under its taps, those outside the view left
    /// out. For pooling and other kernels that compute one output at a time.
    ///
    /// Axes with blocks or padding are refused while compiling.
    ///
    /// # Errors
    /// [`WindowError`] for a window that does not fit.
    #[inline]
    fn windows<const H: char, const W: char>(
        &self,
        down: Window,
        across: Window,
    ) -> Result<Windows<'_, Self::Elem, Self::Layout>, WindowError>
    where
        Self::Layout: HasAxis<H> + HasAxis<W>,
    {
        Windows::new::<H, W>(self.as_strided_view(), [down, across])
    }
}
impl<V: View> KernelLoops for V {}

/// Loops of kernels that write: members of every exclusive view and of [`Tensor`](crate::view::Tensor), once the trait is
/// in scope.
pub trait KernelLoopsMut: ViewMut {
    /// The dense inner blocks in physical order, each with how much of it is logical, to write: see
    /// [`valid_blocks`](KernelLoops::valid_blocks).
    #[inline]
    fn valid_blocks_mut(&mut self) -> ValidBlocksMut<'_, Self::Elem, Self::Layout> {
        let dims = self.dims();
        ValidBlocksMut::new(IndexedBlocksMut::new(self.as_strided_view_mut()), dims)
    }

    /// The rows of blocks along `AXIS`, to write: see [`block_rows`](KernelLoops::block_rows).
    ///
    /// # Errors
    /// As for [`block_rows`](KernelLoops::block_rows).
    #[inline]
    fn block_rows_mut<const AXIS: char>(
        &mut self,
    ) -> Result<BlockRowsMut<'_, Self::Elem, Self::Layout>, ViewError>
    where
        Self::Layout: HasAxis<AXIS>,
    {
        BlockRowsMut::new::<AXIS>(self.as_strided_view_mut())
    }

    /// The dense inner blocks in physical order, each with those of other views at the same indices: for views whose outer
    /// letters may lie in any order but whose blocks are alike. `others` is a reference to a view, or a tuple of up to three.
    ///
    /// Views with different blocks are refused while compiling; for them there is
    /// [`zip_runs_mut`](KernelLoopsMut::zip_runs_mut).
    ///
    /// # Errors
    /// [`ViewError::Extent`] where the extents differ.
    ///
    /// ```
    /// use layout_core::layout::{Block, Dim, Format, Nchw16c};
    /// use layout_core::view::{KernelLoopsMut, Tensor};
    /// // `nhwC16c`: pixel by pixel, the blocks of its channels one after the other.
    /// type Pixels = Format<
    ///     (Dim<'n'>, Dim<'h'>, Dim<'w'>, Dim<'c'>, Block<'c', 16>),
    ///     (Dim<'n'>, Dim<'c'>, Dim<'h'>, Dim<'w'>),
    /// >;
    /// let a = Tensor::<f32, Pixels>::from_fn([1, 32, 3, 3], |[_, c, h, w]| (c * h + w) as f32)?;
    /// let mut b = Tensor::<f32, Nchw16c>::filled([1, 32, 3, 3], 1.0)?;
    /// for (_, b, a) in b.zip_blocks_mut(&a)? {
    ///     b.iter_mut().zip(a).for_each(|(b, a)| *b += a);
    /// }
    /// assert_eq!(b[[0, 20, 2, 1]], 42.0);
    /// # Ok::<(), layout_core::view::ViewError>(())
    /// ```
    #[inline]
    fn zip_blocks_mut<'a, O: Operands<'a, Self::Layout>>(
        &'a mut self,
        others: O,
    ) -> Result<ZipBlocksMut<'a, Self::Elem, Self::Layout, O>, ViewError> {
        ZipBlocksMut::new(self.as_strided_view_mut(), others)
    }

    /// The contiguous runs of logical elements in physical order, each with the elements of other views at the same
    /// indices, whatever their layouts. Runs are cut where another layout's block ends, so that the others have one stride
    /// along each; where it is 1, [`Lane::as_slice`] gives a slice. `others` is a reference to a view, or a tuple of up to
    /// three.
    ///
    /// # Errors
    /// [`ViewError::Extent`] where the extents differ.
    ///
    /// ```
    /// use layout_core::layout::{Nchw, Nchw16c, Nchw8c};
    /// use layout_core::view::{KernelLoopsMut, Tensor};
    /// let a = Tensor::<f32, Nchw8c>::from_fn([1, 20, 3, 3], |[_, c, h, w]| (c * h + w) as f32)?;
    /// let b = Tensor::<i32, Nchw>::from_fn([1, 20, 3, 3], |[_, c, ..]| c as i32)?;
    /// let mut sum = Tensor::<f32, Nchw16c>::zeroed([1, 20, 3, 3])?;
    /// for run in sum.zip_runs_mut((&a, &b))? {
    ///     let (a, b) = run.others;
    ///     let a = a.as_slice().expect("eight channels are neighbours in nChw8c too");
    ///     for (sum, (a, b)) in run.elements.iter_mut().zip(a.iter().zip(b.iter())) {
    ///         *sum = a + *b as f32;
    ///     }
    /// }
    /// assert_eq!(sum[[0, 17, 2, 1]], 52.0);
    /// assert!(sum.padding_is_zero());
    /// # Ok::<(), layout_core::view::ViewError>(())
    /// ```
    #[inline]
    fn zip_runs_mut<'a, O: Operands<'a, Self::Layout>>(
        &'a mut self,
        others: O,
    ) -> Result<ZipRunsMut<'a, Self::Elem, Self::Layout, O>, ViewError> {
        ZipRunsMut::new(self.as_strided_view_mut(), others)
    }

    /// [`block_rows_mut`](KernelLoopsMut::block_rows_mut) in parallel, on rayon's current pool.
    ///
    /// # Errors
    /// As for [`block_rows`](KernelLoops::block_rows).
    ///
    /// ```
    /// use layout_core::layout::Nchw16c;
    /// use layout_core::view::{KernelLoopsMut, Tensor};
    /// use rayon::prelude::*;
    /// let mut t = Tensor::<f32, Nchw16c>::zeroed([2, 40, 5, 7])?;
    /// t.par_block_rows_mut::<'w'>()?.for_each(|([_, c, h, _], row)| row.fill([(c + h) as f32; 16]));
    /// assert_eq!(t[[1, 39, 4, 6]], 36.0);
    /// # Ok::<(), layout_core::view::ViewError>(())
    /// ```
    #[cfg(feature = "rayon")]
    fn par_block_rows_mut<'a, const AXIS: char>(
        &'a mut self,
    ) -> Result<impl IndexedParallelIterator<Item = (Index<Self>, &'a mut [Block<Self>])>, ViewError>
    where
        Self::Layout: HasAxis<AXIS>,
        Self::Elem: Send + 'a,
        Block<Self>: Send,
    {
        rows::parallel::rows::<AXIS, _, _>(self.as_strided_view_mut())
    }

    /// [`zip_blocks_mut`](KernelLoopsMut::zip_blocks_mut) in parallel; at least 64 KiB stay on one thread.
    ///
    /// # Errors
    /// As for [`zip_blocks_mut`](KernelLoopsMut::zip_blocks_mut).
    #[cfg(feature = "rayon")]
    fn par_zip_blocks_mut<'a, O: Operands<'a, Self::Layout, Blocks: Send> + 'a>(
        &'a mut self,
        others: O,
    ) -> Result<impl IndexedParallelIterator<Item = (Index<Self>, &'a mut Block<Self>, O::Blocks)>, ViewError>
    where
        Self::Elem: Send,
        Block<Self>: Send,
    {
        zip::parallel::blocks(self.as_strided_view_mut(), others)
    }

    /// [`zip_runs_mut`](KernelLoopsMut::zip_runs_mut) in parallel, in any order; at least 64 KiB stay on one thread.
    ///
    /// # Errors
    /// As for [`zip_runs_mut`](KernelLoopsMut::zip_runs_mut).
    #[cfg(feature = "rayon")]
    fn par_zip_runs_mut<'a, O: Operands<'a, Self::Layout, Lanes: Send> + 'a>(
        &'a mut self,
        others: O,
    ) -> Result<impl ParallelIterator<Item = ZipRun<'a, Self::Elem, Index<Self>, O::Lanes>>, ViewError>
    where
        Self::Elem: Send,
    {
        zip::parallel::runs(self.as_strided_view_mut(), others)
    }
}
impl<V: ViewMut> KernelLoopsMut for V {}
