//! Strips: the source columns under a few neighbouring outputs of one row, as an array of blocks, the halo included.

use crate::layout::{HasAxis, Layout};
use crate::shape::IndexError;
use crate::view::def::{StridedView, exclusive_slice, shared};
use crate::view::iter::blocks::assert_block;
use crate::view::iter::loops::along::Steps;
use crate::view::iter::loops::rows::{neighbours, row_axis};
use crate::view::iter::loops::window::{Window, WindowError};
use crate::view::part;
use core::hint::black_box;
use core::iter::FusedIterator;
use core::ptr::NonNull;

/// What a window sees along a row of blocks, from some output on, as an array of constant length: see
/// [`strips`](crate::view::KernelLoops::strips).
///
/// In the array output `p` of the strip finds tap `k` at `p * stride + k * dilation`. With those constants known while
/// compiling, a loop over it has no address arithmetic, no look at the borders and no bounds checks.
///
/// ```
/// use layout_core::layout::Nchw8c;
/// use layout_core::view::{KernelLoops, Tensor, Window};
///
/// let t = Tensor::<f32, Nchw8c>::from_fn([1, 8, 1, 6], |[_, c, _, w]| (10 * w + c) as f32)?;
/// let strips = t.strips::<'w'>(Window::new(3).padding(1, 1), 0.0)?;
/// assert_eq!(strips.outputs(), 6);
/// // Four outputs and a window of three: six columns. Output 0 reaches over the border by one.
/// let mut halo = [[0.0; 8]; 6];
/// let columns = strips.at([0, 0, 0, 0], &mut halo)?;
/// assert_eq!(columns.map(|block| block[2]), [0.0, 2.0, 12.0, 22.0, 32.0, 42.0]);
/// let columns = strips.at([0, 0, 0, 4], &mut halo)?;
/// assert_eq!(columns.map(|block| block[0]), [30.0, 40.0, 50.0, 0.0, 0.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Strips<'a, T, L: Layout> {
    /// Its rows are slices of blocks (`neighbours`).
    view: StridedView<'a, T, L>,
    axis: usize,
    window: Window,
    outputs: usize,
    fill: T,
}

impl<'a, T: Copy, L: Layout> Strips<'a, T, L> {
    #[inline]
    pub(in crate::view::iter::loops) fn new<const AXIS: char>(
        view: StridedView<'a, T, L>,
        window: Window,
        fill: T,
    ) -> Result<Self, WindowError> {
        let axis = const { row_axis::<L, AXIS>() };
        neighbours(view.mapping(), axis)?;
        let outputs = window.outputs(view.dims().as_ref()[axis])?;
        Ok(Strips { view, axis, window, outputs, fill })
    }

    /// Number of outputs along the axis.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// The `N` columns from the first tap of an output on. `start` is the index of an element of the view, with the number
    /// of the output in place of the index along the rows' axis; of an axis with blocks it may be any index of the block.
    ///
    /// Where all columns lie in the view the array is the view's own memory; where some lie outside they are copied to
    /// `halo`, filled up with the fill value. [`row`](Self::row) looks at the other axes once for a row.
    ///
    /// # Errors
    /// [`IndexError::OutOfRange`] for an index outside the extents, or for an output that there is not.
    #[inline(always)]
    pub fn at<'b, const N: usize>(
        &'b self,
        start: L::Index,
        halo: &'b mut [L::Block<T>; N],
    ) -> Result<&'b [L::Block<T>; N], IndexError> {
        self.row(start)?.at(start.as_ref()[self.axis], halo)
    }

    /// The row of the element at `start`, whose index along the rows' axis is ignored: for loops in which little is done with
    /// each strip.
    ///
    /// # Errors
    /// [`IndexError::OutOfRange`] for an index outside the extents.
    #[inline(always)]
    pub fn row(&self, start: L::Index) -> Result<StripRow<'_, T, L>, IndexError> {
        let (mut first, dims) = (start, self.view.dims());
        let mut axis = 0;
        while axis < L::RANK {
            let (index, extent) = (start.as_ref()[axis], dims.as_ref()[axis]);
            if index >= extent && axis != self.axis {
                return Err(IndexError::OutOfRange { axis: L::AXES[axis], position: axis, index, extent });
            }
            axis += 1;
        }
        first.as_mut()[self.axis] = 0;
        Ok(StripRow { offset: self.view.mapping().block_offset_unchecked(first), strips: self })
    }

    /// The rows along `AXIS`, block by block, from that of the element at `start` on: of all input channels of `nChw16c` along
    /// `c`. Nothing is left of their addresses but an addition, and nothing of the checks, which [`at`](Self::at) repeats
    /// for each.
    ///
    /// The strips' own axis is refused while compiling, and its index in `start` is ignored.
    ///
    /// # Errors
    /// [`IndexError::OutOfRange`] for an index outside the extents.
    ///
    /// ```
    /// use layout_core::layout::Nchw8c;
    /// use layout_core::view::{KernelLoops, Tensor, Window};
    /// let t = Tensor::<f32, Nchw8c>::from_fn([1, 20, 2, 6], |[_, c, h, w]| (100 * h + 10 * w + c) as f32)?;
    /// let (strips, mut halo) = (t.strips::<'w'>(Window::new(1), 0.0)?, [[0.0; 8]; 3]);
    /// let mut found = Vec::new();
    /// for row in strips.rows_along::<'c'>([0, 0, 1, 0])? {
    ///     found.push(row.at(2, &mut halo)?.map(|block| block[1]));
    /// }
    /// assert_eq!(found, [[121.0, 131.0, 141.0], [129.0, 139.0, 149.0], [137.0, 147.0, 157.0]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub fn rows_along<const AXIS: char>(&self, start: L::Index) -> Result<StripRows<'_, T, L>, IndexError>
    where
        L: HasAxis<AXIS>,
    {
        const {
            let top = part::top::<L, AXIS>();
            assert!(
                top + 1 != L::SPEC.outer_len(),
                "rows lie beside one another along another axis than their own"
            );
        }
        let steps = Steps::new::<AXIS, _, _>(self.view.mapping(), start, Some(self.axis))?;
        Ok(StripRows { strips: self, steps })
    }
}

/// The rows of [`Strips`] along an axis: see [`Strips::rows_along`].
pub struct StripRows<'b, T, L: Layout> {
    strips: &'b Strips<'b, T, L>,
    steps: Steps,
}

impl<'b, T: Copy, L: Layout> Iterator for StripRows<'b, T, L> {
    type Item = StripRow<'b, T, L>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        Some(StripRow { offset: self.steps.next()?, strips: self.strips })
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.steps.size_hint()
    }
}
impl<T: Copy, L: Layout> ExactSizeIterator for StripRows<'_, T, L> {}
impl<T: Copy, L: Layout> FusedIterator for StripRows<'_, T, L> {}

/// One row of [`Strips`].
pub struct StripRow<'b, T, L: Layout> {
    strips: &'b Strips<'b, T, L>,
    /// That of the row's first block; no place where the row has none.
    offset: usize,
}

impl<'s, T: Copy, L: Layout> StripRow<'s, T, L> {
    /// The `N` columns from the first tap of output `output` on: see [`Strips::at`].
    ///
    /// # Errors
    /// [`IndexError::OutOfRange`] for an output that there is not.
    #[inline(always)]
    pub fn at<'b, const N: usize>(
        &self,
        output: usize,
        halo: &'b mut [L::Block<T>; N],
    ) -> Result<&'b [L::Block<T>; N], IndexError>
    where
        's: 'b,
    {
        const { assert_block::<L, T>() }
        let Strips { view, axis, window, outputs, .. } = self.strips;
        if output >= *outputs {
            return Err(IndexError::OutOfRange {
                axis: L::AXES[*axis],
                position: *axis,
                index: output,
                extent: *outputs,
            });
        }
        let extent = view.dims().as_ref()[*axis];
        // Below the number of outputs, so that nothing overflows but before the first column, where it wraps around to more
        // than any extent: `Window::outputs` checked it.
        let column = window.start(output);
        if extent >= N && column <= extent - N {
            // SAFETY: the first element of block `column`, which is below the extent; invariant 1 of `StridedView`.
            let at = unsafe { view.ptr().add(self.offset + column * L::BLOCK_LEN) };
            // SAFETY: `N` blocks that are neighbours (`neighbours`) in the extents; a block is an array of elements.
            return Ok(unsafe { shared(at.cast(), 0) });
        }
        self.fill_halo(column, halo);
        Ok(halo)
    }

    /// The columns from `column` on, which wraps around before the first, with those outside filled. Column by column and
    /// inlined, so that the kernel's sums need not leave their registers for a call.
    #[inline(always)]
    fn fill_halo<const N: usize>(&self, column: usize, halo: &mut [L::Block<T>; N]) {
        let Strips { view, axis, fill, .. } = self.strips;
        let extent = view.dims().as_ref()[*axis];
        // Without this the compiler looks at each column's border ahead of time, in every strip, for what happens in the
        // few at the borders.
        let column = black_box(column);
        for (p, to) in halo.iter_mut().enumerate() {
            let column = column.wrapping_add(p);
            let to = NonNull::from(to).cast::<T>();
            if column < extent {
                // SAFETY: the first element of a block of the row; invariant 1 of `StridedView`.
                let from = unsafe { view.ptr().add(self.offset + column * L::BLOCK_LEN) };
                // SAFETY: a block is an array of `BLOCK_LEN` elements (`assert_block`), dense in the view and in the halo,
                // which nobody else reaches.
                unsafe { from.copy_to_nonoverlapping(to, L::BLOCK_LEN) }
            } else {
                // SAFETY: as above.
                let block = unsafe { exclusive_slice(to, 0, L::BLOCK_LEN) };
                block.fill(*fill);
            }
        }
    }
}

impl<T, L: Layout> core::fmt::Debug for Strips<'_, T, L> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Strips")
            .field("layout", &L::default())
            .field("axis", &L::AXES[self.axis])
            .field("window", &self.window)
            .field("outputs", &self.outputs)
            .finish()
    }
}
impl<T, L: Layout> Clone for StripRows<'_, T, L> {
    fn clone(&self) -> Self {
        StripRows { strips: self.strips, steps: self.steps }
    }
}
impl<T, L: Layout> core::fmt::Debug for StripRows<'_, T, L> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("StripRows").field("strips", self.strips).field("steps", &self.steps).finish()
    }
}
impl<T, L: Layout> Clone for StripRow<'_, T, L> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T, L: Layout> Copy for StripRow<'_, T, L> {}
impl<T, L: Layout> core::fmt::Debug for StripRow<'_, T, L> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("StripRow").field("strips", self.strips).field("offset", &self.offset).finish()
    }
}
