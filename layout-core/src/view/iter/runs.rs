//! Runs: stretches of logical elements that are neighbours in memory, along the innermost digit, never with padding.

use super::cursor::{Cursor, DigitCursor, iterator, iterator_clone};
use crate::grammar::Digit;
use crate::layout::{Layout, StridedMapping};
use crate::shape::{IndexArray, Shape};
use crate::view::def::{StridedView, StridedViewMut, exclusive_slice, shared_slice};

/// Neighbours in memory: `elements[k]` is the element whose index is `start` with `k * step` added along `axis`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Run<'a, T, Index> {
    /// Logical index of the first element.
    pub start: Index,
    /// Logical position of the axis along which the elements lie; 0 for rank 0.
    pub axis: usize,
    /// By how much the index grows from one element to the next: 1 but for swizzled layouts.
    pub step: usize,
    /// The elements.
    pub elements: &'a [T],
}

/// Neighbours in memory, to write; see [`Run`].
#[derive(PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RunMut<'a, T, Index> {
    /// Logical index of the first element.
    pub start: Index,
    /// Logical position of the axis along which the elements lie; 0 for rank 0.
    pub axis: usize,
    /// By how much the index grows from one element to the next: 1 but for swizzled layouts.
    pub step: usize,
    /// The elements.
    pub elements: &'a mut [T],
}

iterator! {
    /// The contiguous runs of logical elements in physical order; every logical element is in exactly one.
    ///
    /// A run lies along the innermost digit of the layout: a row of `w` for `nchw`, the channels of a pixel for `nhwc`, a
    /// block for `nChw16c`, cut where the channels end. Runs are not merged across digits, even where the next one
    /// happens to follow in memory. Where a view's innermost stride is not 1, each element is a run.
    Runs over StridedView by DigitCursor<L::Index> => Run<'a, T, L::Index>: run
}
iterator! {
    /// The contiguous runs of logical elements in physical order, to write; see [`Runs`].
    RunsMut over StridedViewMut by DigitCursor<L::Index> => RunMut<'a, T, L::Index>: run_mut
}
iterator_clone!(Runs);

/// The innermost digit; `None` for rank 0.
const fn innermost<L: Layout>() -> Option<Digit> {
    match L::SPEC.len() {
        0 => None,
        len => L::SPEC.digit(len - 1),
    }
}

/// Whether the elements along the innermost digit are neighbours.
fn contiguous<L: Layout, S: Shape<L::Index>>(mapping: &StridedMapping<L, S>) -> bool {
    match L::SPEC.len() {
        0 => false,
        len => mapping.digit_strides().as_ref()[len - 1] == 1,
    }
}

/// The cursor over the first elements of the runs.
#[inline(always)]
fn starts<L: Layout, S: Shape<L::Index>>(mapping: &StridedMapping<L, S>) -> DigitCursor<L::Index> {
    let dims = mapping.dims();
    let digit = match const { innermost::<L>() } {
        Some(digit) if contiguous(mapping) => digit,
        _ => return DigitCursor::new::<L>(L::SPEC.len(), dims, mapping.len()),
    };
    // A run starts wherever the innermost digit is 0.
    let (extent, divisor) = (dims.as_ref()[digit.axis], digit.divisor as usize);
    let starts_along_axis = match digit.size {
        None => extent.min(divisor),
        Some(size) => {
            let period = divisor * size as usize;
            extent / period * divisor + (extent % period).min(divisor)
        }
    };
    let mut others = dims;
    others.as_mut()[digit.axis] = 1;
    let count =
        if mapping.is_empty() { 0 } else { others.as_ref().iter().product::<usize>() * starts_along_axis };
    DigitCursor::new::<L>(L::SPEC.len() - 1, dims, count)
}

/// Axis, step and length of the run that starts at `start`.
#[inline(always)]
fn extent_of<L: Layout, S: Shape<L::Index>>(
    mapping: &StridedMapping<L, S>,
    start: &L::Index,
) -> (usize, usize, usize) {
    let Some(digit) = (const { innermost::<L>() }) else { return (0, 1, 1) };
    let (axis, step) = (digit.axis, digit.divisor as usize);
    if digit.size.is_none() && !contiguous(mapping) {
        return (axis, step, 1);
    }
    let logical = (mapping.dims().as_ref()[axis] - start.as_ref()[axis]).div_ceil(step);
    let len = match digit.size {
        None => logical,
        Some(size) => logical.min(size as usize),
    };
    (axis, step, len)
}

impl<'a, T, L: Layout, S: Shape<L::Index>> Runs<'a, T, L, S> {
    #[inline]
    pub(in crate::view) fn new(view: StridedView<'a, T, L, S>) -> Self {
        Runs { cursor: starts(view.mapping()), view }
    }
}
impl<'a, T, L: Layout, S: Shape<L::Index>> RunsMut<'a, T, L, S> {
    #[inline]
    pub(in crate::view) fn new(view: StridedViewMut<'a, T, L, S>) -> Self {
        RunsMut { cursor: starts(view.mapping()), view }
    }
}

impl<T, Index: IndexArray> Run<'_, T, Index> {
    /// Logical index of `elements[k]`.
    #[inline]
    pub fn index(&self, k: usize) -> Index {
        index(self.start, self.axis, self.step, k)
    }
}
impl<T, Index: IndexArray> RunMut<'_, T, Index> {
    /// Logical index of `elements[k]`.
    #[inline]
    pub fn index(&self, k: usize) -> Index {
        index(self.start, self.axis, self.step, k)
    }
}

#[inline(always)]
fn index<Index: IndexArray>(start: Index, axis: usize, step: usize, k: usize) -> Index {
    let mut index = start;
    if let Some(index) = index.as_mut().get_mut(axis) {
        *index = index.wrapping_add(k.wrapping_mul(step));
    }
    index
}

/// # Safety
/// `start` is an index in the extents at which a run starts, and `offset` its offset.
#[inline(always)]
unsafe fn run<'a, T, L: Layout, S: Shape<L::Index>>(
    view: &StridedView<'a, T, L, S>,
    start: L::Index,
    offset: usize,
) -> Run<'a, T, L::Index> {
    let (axis, step, len) = extent_of(view.mapping(), &start);
    // SAFETY: invariant 1 of `StridedView`: with the innermost digit going from 0 to `len` the index stays in the extents,
    // and the offset grows by that digit's stride, which is 1 unless `len` is.
    let elements = unsafe { shared_slice(view.ptr(), offset, len) };
    Run { start, axis, step, elements }
}

/// # Safety
/// As for [`run`]; the view is borrowed by the iterator, which asks for each run once.
#[inline(always)]
unsafe fn run_mut<'a, T, L: Layout, S: Shape<L::Index>>(
    view: &StridedViewMut<'a, T, L, S>,
    start: L::Index,
    offset: usize,
) -> RunMut<'a, T, L::Index> {
    let (axis, step, len) = extent_of(view.mapping(), &start);
    // SAFETY: as in `run`; invariants 1 and 3 of `StridedViewMut`.
    let elements = unsafe { exclusive_slice(view.ptr(), offset, len) };
    RunMut { start, axis, step, elements }
}
