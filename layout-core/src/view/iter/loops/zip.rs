//! Several views in lockstep, whatever their layouts: by blocks where they are blocked alike, by runs otherwise. The view
//! that is written leads.

use super::operands::{Operands, Prepared};
use crate::layout::Layout;
use crate::view::def::StridedViewMut;
use crate::view::error::ViewError;
use crate::view::iter::blocks::IndexedBlocksMut;
use crate::view::iter::runs::{RunMut, RunsMut};
use core::iter::FusedIterator;

/// The blocks of a view with those of others at the same indices: see
/// [`zip_blocks_mut`](super::KernelLoopsMut::zip_blocks_mut).
pub struct ZipBlocksMut<'a, T, L: Layout, O: Operands<'a, L>> {
    blocks: IndexedBlocksMut<'a, T, L>,
    others: O::Views,
}

/// Refuses operands with other blocks while compiling.
const fn assert_alike<L: Layout, P: Prepared<L>>() {
    assert!(P::ALIKE, "views with different blocks cannot be zipped block by block: use `zip_runs_mut`");
}

impl<'a, T, L: Layout, O: Operands<'a, L>> ZipBlocksMut<'a, T, L, O> {
    pub(super) fn new(view: StridedViewMut<'a, T, L>, others: O) -> Result<Self, ViewError> {
        const { assert_alike::<L, O::Views>() }
        let others = others.prepare(view.dims())?;
        Ok(ZipBlocksMut { blocks: IndexedBlocksMut::new(view), others })
    }
}

impl<'a, T, L: Layout, O: Operands<'a, L>> Iterator for ZipBlocksMut<'a, T, L, O> {
    type Item = (L::Index, &'a mut L::Block<T>, O::Blocks);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let (index, block) = self.blocks.next()?;
        // SAFETY: `new` checked that the blocks are alike; the index is in the padded extents.
        Some((index, block, unsafe { self.others.blocks(index) }))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.blocks.size_hint()
    }

    #[inline(always)]
    fn fold<A, F: FnMut(A, Self::Item) -> A>(self, acc: A, mut f: F) -> A {
        let others = self.others;
        self.blocks.fold(acc, |acc, (index, block)| {
            // SAFETY: as in `next`.
            f(acc, (index, block, unsafe { others.blocks(index) }))
        })
    }
}
impl<'a, T, L: Layout, O: Operands<'a, L>> ExactSizeIterator for ZipBlocksMut<'a, T, L, O> {}
impl<'a, T, L: Layout, O: Operands<'a, L>> FusedIterator for ZipBlocksMut<'a, T, L, O> {}
impl<'a, T, L: Layout, O: Operands<'a, L>> core::fmt::Debug for ZipBlocksMut<'a, T, L, O> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ZipBlocksMut").field("blocks", &self.blocks).finish()
    }
}

/// Logical elements of a view that are neighbours in memory, and those of the others at the same indices.
#[derive(Debug)]
#[non_exhaustive]
pub struct ZipRun<'a, T, Index, Lanes> {
    /// Logical index of the first element.
    pub start: Index,
    /// Logical position of the axis along which the elements lie; 0 for rank 0.
    pub axis: usize,
    /// The elements of the view that leads.
    pub elements: &'a mut [T],
    /// As many elements of each of the others.
    pub others: Lanes,
}

/// The runs of a view with the elements of others at the same indices: see
/// [`zip_runs_mut`](super::KernelLoopsMut::zip_runs_mut).
pub struct ZipRunsMut<'a, T, L: Layout, O: Operands<'a, L>> {
    runs: RunsMut<'a, T, L>,
    /// What is left of the present run.
    rest: Option<RunMut<'a, T, L::Index>>,
    others: O::Views,
}

impl<'a, T, L: Layout, O: Operands<'a, L>> ZipRunsMut<'a, T, L, O> {
    pub(super) fn new(view: StridedViewMut<'a, T, L>, others: O) -> Result<Self, ViewError> {
        let others = others.prepare(view.dims())?;
        Ok(ZipRunsMut { runs: RunsMut::new(view), rest: None, others })
    }
}

/// Cuts off the first elements of `run` for which each of the others has one stride.
#[inline(always)]
pub(super) fn cut<'a, T, L: Layout, P: Prepared<L>>(
    others: &P,
    run: RunMut<'a, T, L::Index>,
) -> (ZipRun<'a, T, L::Index, P::Lanes>, Option<RunMut<'a, T, L::Index>>) {
    let RunMut { start, axis, step, elements } = run;
    // Of swizzled layouts the indices of a run are not neighbours.
    let len = if step == 1 { elements.len() } else { elements.len().min(1) };
    let len = others.stretch(axis, start, len);
    let (elements, rest) = elements.split_at_mut(len);
    // SAFETY: the elements of a run are in the extents, and `len` is the stretch.
    let lanes = unsafe { others.lanes(axis, start, len) };
    let rest = (!rest.is_empty()).then(|| {
        let mut next = start;
        next.as_mut()[axis] += len * step;
        RunMut { start: next, axis, step, elements: rest }
    });
    (ZipRun { start, axis, elements, others: lanes }, rest)
}

impl<'a, T, L: Layout, O: Operands<'a, L>> Iterator for ZipRunsMut<'a, T, L, O> {
    type Item = ZipRun<'a, T, L::Index, O::Lanes>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let run = match self.rest.take() {
            Some(rest) => rest,
            None => self.runs.next()?,
        };
        let (first, rest) = cut::<T, L, O::Views>(&self.others, run);
        self.rest = rest;
        Some(first)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.runs.size_hint().0, None)
    }
}
impl<'a, T, L: Layout, O: Operands<'a, L>> FusedIterator for ZipRunsMut<'a, T, L, O> {}
impl<'a, T, L: Layout, O: Operands<'a, L>> core::fmt::Debug for ZipRunsMut<'a, T, L, O> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ZipRunsMut").field("runs", &self.runs).finish()
    }
}

/// Both in parallel.
#[cfg(feature = "rayon")]
pub(super) mod parallel {
    use super::super::operands::{Operands, Prepared};
    use super::{ZipRun, assert_alike, cut};
    use crate::layout::Layout;
    use crate::view::def::StridedViewMut;
    use crate::view::error::ViewError;
    use crate::view::split::{par_blocks_of, par_runs_of};
    use rayon::iter::{IndexedParallelIterator, ParallelIterator};

    /// [`super::ZipBlocksMut`] in parallel.
    pub(in super::super) fn blocks<'a, T: Send, L: Layout, O: Operands<'a, L>>(
        view: StridedViewMut<'a, T, L>,
        others: O,
    ) -> Result<impl IndexedParallelIterator<Item = (L::Index, &'a mut L::Block<T>, O::Blocks)>, ViewError>
    where
        L::Block<T>: Send,
        O::Blocks: Send,
    {
        const { assert_alike::<L, O::Views>() }
        let others = others.prepare(view.dims())?;
        // SAFETY: the blocks are alike; the index is in the padded extents.
        Ok(par_blocks_of(view).map(move |(index, block)| (index, block, unsafe { others.blocks(index) })))
    }

    /// [`super::ZipRunsMut`] in parallel.
    pub(in super::super) fn runs<'a, T: Send, L: Layout, O: Operands<'a, L>>(
        view: StridedViewMut<'a, T, L>,
        others: O,
    ) -> Result<impl ParallelIterator<Item = ZipRun<'a, T, L::Index, O::Lanes>>, ViewError>
    where
        O::Lanes: Send,
        O::Views: 'a,
    {
        let others = others.prepare(view.dims())?;
        Ok(par_runs_of(view).flat_map_iter(move |run| {
            let (others, mut rest) = (others.clone(), Some(run));
            core::iter::from_fn(move || {
                let (first, left) = cut::<T, L, O::Views>(&others, rest.take()?);
                rest = left;
                Some(first)
            })
        }))
    }
}
