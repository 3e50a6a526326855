//! Blocks along one axis, the other indices fixed: for loops over input channels, whose blocks are then one addition apart.

use crate::layout::{Layout, StridedMapping};
use crate::shape::{IndexError, Shape};
use crate::view::def::{StridedView, shared};
use crate::view::iter::blocks::assert_block;
use crate::view::part;
use core::iter::FusedIterator;

/// Physical position of the one digit of `AXIS` outside the dense inner block, and how many indices along the axis a block
/// spans; refused while compiling where there are more such digits.
pub(super) const fn digit<L: Layout, const AXIS: char>() -> (usize, usize) {
    let (axis, top) = (part::position::<L, AXIS>(), part::top::<L, AXIS>());
    let mut position = 0;
    while position < L::SPEC.outer_len() {
        if let Some(digit) = L::SPEC.digit(position) {
            assert!(
                digit.axis != axis || position == top,
                "this axis has a block outside the dense inner block, so that its blocks are not equally far apart"
            );
        }
        position += 1;
    }
    (top, L::SPEC.block_of(axis) as usize)
}

/// The places of the blocks along an axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    offset: usize,
    stride: usize,
    left: usize,
}

impl Steps {
    /// From the block on that holds the element at `start`, to the last one with elements. The index along axis `ignored`
    /// counts as 0, whatever it is.
    ///
    /// # Errors
    /// [`IndexError::OutOfRange`] for another index outside the extents.
    #[inline(always)]
    pub(super) fn new<const AXIS: char, L: Layout, S: Shape<L::Index>>(
        mapping: &StridedMapping<L, S>,
        start: L::Index,
        ignored: Option<usize>,
    ) -> Result<Steps, IndexError> {
        let (top, block) = const { digit::<L, AXIS>() };
        let (along, dims) = (const { part::position::<L, AXIS>() }, mapping.dims());
        let (mut first, mut axis) = (start, 0);
        while axis < L::RANK {
            let (index, extent) = (start.as_ref()[axis], dims.as_ref()[axis]);
            if Some(axis) == ignored {
                first.as_mut()[axis] = 0;
            } else if index >= extent {
                return Err(IndexError::OutOfRange { axis: L::AXES[axis], position: axis, index, extent });
            }
            axis += 1;
        }
        Ok(Steps {
            offset: mapping.block_offset_unchecked(first),
            stride: mapping.digit_strides().as_ref()[top] as usize,
            left: dims.as_ref()[along].div_ceil(block) - start.as_ref()[along] / block,
        })
    }

    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<usize> {
        self.left = self.left.checked_sub(1)?;
        let offset = self.offset;
        // Behind the last block there may be no memory, and the number is not used.
        self.offset = offset.wrapping_add(self.stride);
        Some(offset)
    }

    #[inline(always)]
    pub(super) fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

/// The dense inner blocks along an axis: see [`blocks_along`](super::KernelLoops::blocks_along).
pub struct BlocksAlong<'a, T, L: Layout> {
    view: StridedView<'a, T, L>,
    steps: Steps,
}

impl<'a, T, L: Layout> BlocksAlong<'a, T, L> {
    #[inline(always)]
    pub(super) fn new<const AXIS: char>(
        view: StridedView<'a, T, L>,
        start: L::Index,
    ) -> Result<Self, IndexError> {
        const { assert_block::<L, T>() }
        Ok(BlocksAlong { steps: Steps::new::<AXIS, _, _>(view.mapping(), start, None)?, view })
    }
}

impl<'a, T, L: Layout> Iterator for BlocksAlong<'a, T, L> {
    type Item = &'a L::Block<T>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let offset = self.steps.next()?;
        // SAFETY: the first element of a block that holds elements, as `Steps` counts; invariant 1 of `StridedView`.
        let at = unsafe { self.view.ptr().add(offset) };
        // SAFETY: the block is dense behind it, by invariant 2 of `StridedMapping`.
        Some(unsafe { shared(at.cast(), 0) })
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.steps.size_hint()
    }
}
impl<T, L: Layout> ExactSizeIterator for BlocksAlong<'_, T, L> {}
impl<T, L: Layout> FusedIterator for BlocksAlong<'_, T, L> {}

impl<T, L: Layout> Clone for BlocksAlong<'_, T, L> {
    fn clone(&self) -> Self {
        BlocksAlong { view: self.view, steps: self.steps }
    }
}
impl<T, L: Layout> core::fmt::Debug for BlocksAlong<'_, T, L> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("BlocksAlong")
            .field("layout", &L::default())
            .field("left", &self.steps.size_hint().0)
            .finish()
    }
}
