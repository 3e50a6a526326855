//! Parts of a mapping: ranges of an axis, one index of an axis, the axes in another logical order. Pure arithmetic that
//! the views apply to their pointers: each function returns the mapping of the part and the offset of its first element.

use super::error::ViewError;
use crate::layout::{Layout, Mapping, PermuteShape, RemoveAxis, StrideArray, StridedMapping};
use crate::shape::{IndexArray, IndexError, Shape};
use core::ops::{Bound, RangeBounds};

/// Logical position of the axis named `AXIS`; refused while compiling where there is none.
pub(super) const fn position<L: Layout, const AXIS: char>() -> usize {
    match L::SPEC.axis_named(AXIS) {
        Some(position) => position,
        None => panic!("the layout has no axis of this name"),
    }
}

/// Logical position of axis `AXIS`; refused while compiling where it has blocks or padding.
pub(super) const fn unblocked<L: Layout, const AXIS: char>() -> usize {
    let axis = position::<L, AXIS>();
    assert!(
        L::PADDING[axis] == 1,
        "an axis with blocks or padding can neither be broadcast nor have windows: use a layout without them"
    );
    axis
}

/// Physical position of the top digit of axis `AXIS`.
pub(super) const fn top<L: Layout, const AXIS: char>() -> usize {
    match L::SPEC.top_of(position::<L, AXIS>()) {
        Some(top) => top,
        None => panic!("every axis of a layout has a top digit"),
    }
}

/// Whether a part may start or end at `bound` of `axis`: padding belongs to blocks, and blocks are never cut. The upper
/// border of the axis is always possible; the part then has the padding behind it.
#[inline]
fn check_bound<L: Layout>(axis: usize, bound: usize, extent: usize) -> Result<(), ViewError> {
    let multiple = L::PADDING[axis];
    let rest = bound % multiple;
    if rest == 0 || bound == extent {
        return Ok(());
    }
    let below = bound - rest;
    Err(ViewError::InsideBlock {
        axis: L::AXES[axis],
        bound,
        multiple,
        below,
        above: below.saturating_add(multiple).min(extent),
    })
}

/// The bounds of a range of `axis`, checked.
///
/// # Errors
/// [`ViewError::Range`] and [`ViewError::InsideBlock`].
#[inline]
pub(super) fn bounds<L: Layout>(
    axis: usize,
    extent: usize,
    range: &impl RangeBounds<usize>,
) -> Result<(usize, usize), ViewError> {
    let start = match range.start_bound() {
        Bound::Included(&start) => start,
        Bound::Excluded(&before) => before.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(&last) => last.saturating_add(1),
        Bound::Excluded(&end) => end,
        Bound::Unbounded => extent,
    };
    if start > end || end > extent {
        return Err(ViewError::Range { axis: L::AXES[axis], start, end, extent });
    }
    check_bound::<L>(axis, start, extent)?;
    check_bound::<L>(axis, end, extent)?;
    Ok((start, end))
}

/// The size of chunks of `axis`, checked: a multiple of what the axis is padded to, or the whole extent or more.
///
/// # Errors
/// [`ViewError::ChunkSize`].
#[inline]
pub(super) fn chunk_size<L: Layout>(axis: usize, extent: usize, size: usize) -> Result<(), ViewError> {
    let multiple = L::PADDING[axis];
    if size == 0 || (!size.is_multiple_of(multiple) && size < extent) {
        return Err(ViewError::ChunkSize { axis: L::AXES[axis], size, multiple });
    }
    Ok(())
}

/// The part `start..end` of `axis`, and the offset of its first element.
///
/// # Panics
/// For bounds that [`bounds`] refuses.
#[inline]
pub(super) fn range<L: Layout, S: Shape<L::Index>>(
    mapping: &StridedMapping<L, S>,
    axis: usize,
    start: usize,
    end: usize,
) -> (StridedMapping<L>, usize) {
    let mut dims = mapping.dims();
    let extent = dims.as_ref()[axis];
    assert!(start <= end && end <= extent && (start.is_multiple_of(L::PADDING[axis]) || start == extent));
    assert!(end.is_multiple_of(L::PADDING[axis]) || end == extent);
    dims.as_mut()[axis] = end - start;
    // Where nothing is left there may be no memory at all, so the pointer stays where it is.
    let offset = if dims.as_ref().contains(&0) {
        0
    } else {
        let mut first = L::Index::ZERO;
        first.as_mut()[axis] = start;
        mapping.offset_unchecked(first)
    };
    // SAFETY: invariants 1 and 2: the strides are those of `mapping`, and `start` is at a block border, so that the offset
    // of an index here, plus that of `start`, is the offset of a padded index of `mapping`. Without elements in the
    // part the offsets that other axes give are those of `mapping` as well.
    (unsafe { StridedMapping::from_parts(dims, mapping.digit_strides()) }, offset)
}

/// Whether the blocks of `axis` can be fixed and what is left is a layout with a dense inner block: no digit of the axis
/// may lie inside a block that is dense in the remaining layout.
const fn can_select<L: Layout>(axis: usize) -> bool {
    let spec = L::SPEC;
    let mut inside = true;
    let mut fixed_behind = false;
    let mut at = spec.len();
    while at > 0 {
        at -= 1;
        let Some(digit) = spec.digit(at) else { return false };
        if digit.axis == axis {
            fixed_behind = true;
        } else if digit.size.is_none() {
            inside = false;
        } else if inside && fixed_behind {
            return false;
        }
    }
    true
}

/// The elements with index `index` along `AXIS`, and the offset of the first.
///
/// # Errors
/// [`ViewError::Index`] for an index outside the extent.
pub(super) fn one<const AXIS: char, L: Layout + RemoveAxis<AXIS>, S: Shape<L::Index>>(
    mapping: &StridedMapping<L, S>,
    index: usize,
) -> Result<(StridedMapping<L::Output>, usize), ViewError> {
    const {
        assert!(
            can_select::<L>(position::<L, AXIS>()),
            "this axis cannot be selected: one of its blocks lies inside a block that would have to stay dense; \
             reorder to a layout whose blocks of this axis lie outside the others, or iterate over `blocks()`"
        );
    }
    let axis = const { position::<L, AXIS>() };
    let dims = mapping.dims();
    let extent = dims.as_ref()[axis];
    if index >= extent {
        return Err(IndexError::OutOfRange { axis: AXIS, position: axis, index, extent }.into());
    }
    let mut rest = <L::Output as Layout>::Index::ZERO;
    let kept = dims.as_ref().iter().enumerate().filter(|&(at, _)| at != axis);
    for (to, (_, &extent)) in rest.as_mut().iter_mut().zip(kept) {
        *to = extent;
    }
    let mut strides = <<L::Output as Layout>::Strides as StrideArray>::ZERO;
    let all = mapping.digit_strides();
    let kept = (0..L::SPEC.len()).filter(|&at| L::SPEC.digit(at).is_some_and(|digit| digit.axis != axis));
    for (to, at) in strides.as_mut().iter_mut().zip(kept) {
        *to = all.as_ref()[at];
    }
    let offset = if rest.as_ref().contains(&0) {
        0
    } else {
        let mut first = L::Index::ZERO;
        first.as_mut()[axis] = index;
        mapping.offset_unchecked(first)
    };
    // SAFETY: invariant 1: the digits that are left keep their strides, so that the offset of an index here, plus that of
    // `index`, is the offset of a padded index of `mapping`. Invariant 2: `can_select` holds, so no digit of the
    // axis lies inside the dense inner block of what is left.
    Ok((unsafe { StridedMapping::from_parts(rest, strides) }, offset))
}

/// `shape` of layout `From` in the logical order of layout `To`.
fn permute_shape<From: Layout, To: Layout, S: PermuteShape<From, To>>(shape: S) -> S::Output {
    const { assert!(is_permutation(&From::SPEC, &To::SPEC), "the layouts are not permutations of each other") }
    let dims = shape.dims();
    let mut permuted = To::Index::ZERO;
    for (extent, &letter) in permuted.as_mut().iter_mut().zip(To::AXES) {
        if let Some(axis) = From::SPEC.axis_named(letter) {
            *extent = dims.as_ref()[axis];
        }
    }
    match S::Output::from_dims(permuted) {
        Ok(shape) => shape,
        Err((axis, extent)) => {
            unreachable!("the type of the permuted shape fixes extent {extent} at axis {axis}")
        }
    }
}

/// Whether both formats are the same digits over the same axes, which may be in another logical order.
const fn is_permutation(from: &crate::grammar::Spec, to: &crate::grammar::Spec) -> bool {
    if from.rank() != to.rank() || from.len() != to.len() {
        return false;
    }
    let mut at = 0;
    while let (Some(a), Some(b)) = (from.digit(at), to.digit(at)) {
        let same_axis = match (from.axis_name(a.axis), to.axis_name(b.axis)) {
            (Some(a), Some(b)) => a as u32 == b as u32,
            _ => false,
        };
        let same_size = match (a.size, b.size) {
            (None, None) => true,
            (Some(a), Some(b)) => a == b,
            _ => false,
        };
        let same_multiple = from.padding_multiple(a.axis) == to.padding_multiple(b.axis);
        if !same_axis || !same_size || a.divisor != b.divisor || !same_multiple {
            return false;
        }
        at += 1;
    }
    true
}

/// A dense mapping with its logical axes in the order of `To`.
pub(super) fn permute<From: Layout, To: Layout, S: PermuteShape<From, To>>(
    mapping: &Mapping<From, S>,
) -> Mapping<To, S::Output> {
    let shape = permute_shape::<From, To, S>(mapping.shape());
    // SAFETY: invariant 1: the padded extents are those of `mapping` in another order.
    unsafe { Mapping::new_unchecked(shape) }
}

/// The strides of `From` as those of a layout with as many digits.
fn cast_strides<From: Layout, To: Layout>(from: From::Strides) -> To::Strides {
    let mut strides = <To::Strides as StrideArray>::ZERO;
    strides.as_mut().copy_from_slice(from.as_ref());
    strides
}

/// A strided mapping with its logical axes in the order of `To`.
pub(super) fn permute_strided<From: Layout, To: Layout, S: PermuteShape<From, To>>(
    mapping: &StridedMapping<From, S>,
) -> StridedMapping<To, S::Output> {
    let shape = permute_shape::<From, To, S>(mapping.shape());
    let strides = cast_strides::<From, To>(mapping.digit_strides());
    // SAFETY: invariants 1 and 2: digits, strides and padded extents are those of `mapping`.
    unsafe { StridedMapping::from_parts(shape, strides) }
}

/// A dense mapping with its axes named as in `To`.
pub(super) fn relabel<From: Layout, To: Layout<Index = From::Index>, S: Shape<From::Index>>(
    mapping: &Mapping<From, S>,
) -> Mapping<To, S> {
    const { assert!(From::SPEC.same_digits(&To::SPEC), "the layouts have different digits") }
    // SAFETY: invariant 1: the padded extents are those of `mapping`.
    unsafe { Mapping::new_unchecked(mapping.shape()) }
}

/// A strided mapping with its axes named as in `To`.
pub(super) fn relabel_strided<From: Layout, To: Layout<Index = From::Index>, S: Shape<From::Index>>(
    mapping: &StridedMapping<From, S>,
) -> StridedMapping<To, S> {
    const { assert!(From::SPEC.same_digits(&To::SPEC), "the layouts have different digits") }
    let strides = cast_strides::<From, To>(mapping.digit_strides());
    // SAFETY: invariants 1 and 2: digits, strides and padded extents are those of `mapping`.
    unsafe { StridedMapping::from_parts(mapping.shape(), strides) }
}

/// `shape`, if it has the extents `dims`.
///
/// # Errors
/// [`ViewError::Extent`] for the first axis that differs.
pub(super) fn same_extents<L: Layout, S: Shape<L::Index>>(dims: L::Index, shape: S) -> Result<S, ViewError> {
    let wanted = shape.dims();
    for (axis, (&expected, &found)) in wanted.as_ref().iter().zip(dims.as_ref()).enumerate() {
        if expected != found {
            return Err(ViewError::Extent { axis: L::AXES[axis], expected, found });
        }
    }
    Ok(shape)
}
