//! Rows of blocks: the stretches of a tensor in which whole blocks are neighbours, as slices of blocks.

use crate::layout::{Layout, StridedMapping};
use crate::shape::Shape;
use crate::view::def::{StridedView, StridedViewMut, exclusive_slice, shared_slice};
use crate::view::error::ViewError;
use crate::view::iter::cursor::{Cursor, DigitCursor, iterator, iterator_clone};
use crate::view::part;

iterator! {
    /// The rows of blocks in physical order, padding included, each with the index of its first element: see
    /// [`block_rows`](super::KernelLoops::block_rows).
    BlockRows over StridedView by DigitCursor<L::Index> => (L::Index, &'a [L::Block<T>]): row
}
iterator! {
    /// The rows of blocks in physical order, padding included, each with the index of its first element, to write: see
    /// [`block_rows_mut`](super::KernelLoopsMut::block_rows_mut).
    BlockRowsMut over StridedViewMut by DigitCursor<L::Index> => (L::Index, &'a mut [L::Block<T>]): row_mut
}
iterator_clone!(BlockRows);

/// Logical position of axis `AXIS`, along which blocks are neighbours; refused while compiling for other axes.
pub(super) const fn row_axis<L: Layout, const AXIS: char>() -> usize {
    let axis = part::position::<L, AXIS>();
    let Some(last) = L::SPEC.outer_len().checked_sub(1) else {
        panic!("a layout of rank 0 has no rows");
    };
    match L::SPEC.digit(last) {
        Some(digit) => assert!(
            digit.axis == axis && L::PADDING[axis] == 1,
            "rows lie along the axis whose letter is the last of the outer letters, which has no blocks: 'w' of `nChw16c`"
        ),
        None => panic!("a layout has a digit at each position"),
    }
    axis
}

/// Whether the blocks along the last of the outer digits, which is `axis`, are neighbours.
///
/// # Errors
/// [`ViewError::Stride`] where they are not.
#[inline]
pub(super) fn neighbours<L: Layout, S: Shape<L::Index>>(
    mapping: &StridedMapping<L, S>,
    axis: usize,
) -> Result<(), ViewError> {
    let position = L::SPEC.outer_len() - 1;
    let (expected, found) = (L::BLOCK_LEN as isize, mapping.digit_strides().as_ref()[position]);
    if expected == found || mapping.dims().as_ref()[axis] < 2 {
        return Ok(());
    }
    Err(ViewError::Stride { axis: L::AXES[axis], position, expected, found })
}

/// The cursor over the first blocks of the rows along `axis`, the last of the outer digits.
#[inline(always)]
fn starts<L: Layout, S: Shape<L::Index>>(
    mapping: &StridedMapping<L, S>,
    axis: usize,
) -> DigitCursor<L::Index> {
    let padded = mapping.padded_dims();
    let mut starts = padded;
    starts.as_mut()[axis] = padded.as_ref()[axis].min(1);
    let count = starts.as_ref().iter().product::<usize>() / L::BLOCK_LEN;
    DigitCursor::new::<L>(L::SPEC.outer_len() - 1, padded, count)
}

impl<'a, T, L: Layout, S: Shape<L::Index>> BlockRows<'a, T, L, S> {
    #[inline]
    pub(super) fn new<const AXIS: char>(view: StridedView<'a, T, L, S>) -> Result<Self, ViewError> {
        let axis = const { row_axis::<L, AXIS>() };
        neighbours(view.mapping(), axis)?;
        Ok(BlockRows { cursor: starts(view.mapping(), axis), view })
    }
}
impl<'a, T, L: Layout, S: Shape<L::Index>> BlockRowsMut<'a, T, L, S> {
    #[inline]
    pub(super) fn new<const AXIS: char>(view: StridedViewMut<'a, T, L, S>) -> Result<Self, ViewError> {
        let axis = const { row_axis::<L, AXIS>() };
        neighbours(view.mapping(), axis)?;
        Ok(BlockRowsMut { cursor: starts(view.mapping(), axis), view })
    }
}

/// Number of blocks in a row, which is the extent of the last of the outer digits' axis: it has no blocks.
#[inline(always)]
fn len<L: Layout, S: Shape<L::Index>>(mapping: &StridedMapping<L, S>) -> usize {
    match const { L::SPEC.digit(L::SPEC.outer_len() - 1) } {
        Some(digit) => mapping.dims().as_ref()[digit.axis],
        None => 0,
    }
}

/// # Safety
/// `offset` is that of `start`, an index in the padded extents at which a row starts, and `neighbours` holds.
#[inline(always)]
unsafe fn row<'a, T, L: Layout, S: Shape<L::Index>>(
    view: &StridedView<'a, T, L, S>,
    start: L::Index,
    offset: usize,
) -> (L::Index, &'a [L::Block<T>]) {
    const { super::super::blocks::assert_block::<L, T>() }
    // SAFETY: invariant 1 of `StridedView`: the first of the row's elements.
    let at = unsafe { view.ptr().add(offset) };
    // SAFETY: the blocks of the row are dense (invariant 2 of `StridedMapping`) and neighbours (`neighbours`), and their
    // elements are in the padded extents.
    (start, unsafe { shared_slice(at.cast(), 0, len(view.mapping())) })
}

/// # Safety
/// As for [`row`]; the view is borrowed by the caller, who asks for each row once.
#[inline(always)]
unsafe fn row_mut<'a, T, L: Layout, S: Shape<L::Index>>(
    view: &StridedViewMut<'a, T, L, S>,
    start: L::Index,
    offset: usize,
) -> (L::Index, &'a mut [L::Block<T>]) {
    const { super::super::blocks::assert_block::<L, T>() }
    // SAFETY: as in `row`, by invariants 1 and 3 of `StridedViewMut`.
    let at = unsafe { view.ptr().add(offset) };
    // SAFETY: as above.
    (start, unsafe { exclusive_slice(at.cast(), 0, len(view.mapping())) })
}

/// The rows by number, for threads.
#[cfg(feature = "rayon")]
pub(super) mod parallel {
    use super::{len, neighbours, row_axis, row_mut, starts};
    use crate::layout::Layout;
    use crate::view::def::StridedViewMut;
    use crate::view::error::ViewError;
    use crate::view::iter::cursor::Cursor;
    use crate::view::split::block_place;
    use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

    /// An exclusive view whose parts are given away by number.
    struct Shared<'a, T, L: Layout>(StridedViewMut<'a, T, L>);
    // SAFETY: a shared reference gives exclusive references to disjoint rows, each to one thread, which `T: Send` allows;
    // nothing else is reached through it.
    unsafe impl<T: Send, L: Layout> Sync for Shared<'_, T, L> {}

    impl<'a, T, L: Layout> Shared<'a, T, L> {
        /// # Safety
        /// `number` is below the number of rows, `neighbours` holds, and the caller asks for each row once.
        unsafe fn row(&self, number: usize) -> (L::Index, &'a mut [L::Block<T>]) {
            let first = number * len(self.0.mapping());
            let (start, offset) = block_place(self.0.mapping(), first);
            // SAFETY: the caller's promise: a row's first block is at the start of a row.
            unsafe { row_mut(&self.0, start, offset) }
        }
    }

    /// The rows of `view` along `AXIS`.
    pub(in super::super) fn rows<'a, const AXIS: char, T: Send, L: Layout>(
        view: StridedViewMut<'a, T, L>,
    ) -> Result<impl IndexedParallelIterator<Item = (L::Index, &'a mut [L::Block<T>])>, ViewError>
    where
        L::Block<T>: Send,
    {
        let axis = const { row_axis::<L, AXIS>() };
        neighbours(view.mapping(), axis)?;
        let count = Cursor::<L>::remaining(&starts(view.mapping(), axis));
        let shared = Shared(view);
        // SAFETY: rayon calls the closure once for each number, and nobody else has the view.
        Ok((0..count).into_par_iter().map(move |number| unsafe { { &shared }.row(number) }))
    }
}
