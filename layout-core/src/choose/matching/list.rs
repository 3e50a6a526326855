//! The layouts of a list as values, and the one of them that memory has or comes nearest to.

use super::{MatchError, nearest_layout, same_axes};
use crate::descriptor::{DType, Descriptor, Element};
use crate::grammar::Spec;
use crate::layout::{Layout, PaddingState};
use crate::view::{TensorView, ViewError, visit_padding_of};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::TypeId;
use core::ops::ControlFlow;

/// A layout of the list, for elements of one type.
#[derive(Clone, Copy)]
pub struct Candidate {
    layout: TypeId,
    spec: Spec,
    dtype: DType,
    /// Whether the layout says that padding is zero.
    zeroed: bool,
    /// Whether the memory can be viewed so, whatever its padding holds.
    fits: fn(&Descriptor, &[u8]) -> Result<(), ViewError>,
}

impl Candidate {
    /// Layout `L`, for elements `T`.
    pub fn of<T: Element, L: Layout>() -> Candidate {
        const {
            assert!(
                !matches!(L::PADDING_STATE, PaddingState::Filled),
                "what the padding of memory holds is not known when it is matched: list the layout without `Filled`"
            )
        }
        Candidate {
            layout: TypeId::of::<L>(),
            spec: L::SPEC,
            dtype: T::DTYPE,
            zeroed: matches!(L::PADDING_STATE, PaddingState::Zero),
            fits: |descriptor, bytes| TensorView::<T, L>::from_descriptor(descriptor, bytes).map(|_| ()),
        }
    }

    /// A dense tensor of these extents in this layout.
    fn describe(&self, dims: &[usize]) -> Option<Descriptor> {
        Descriptor::from_spec(self.dtype, dims, self.spec).ok()
    }
}

/// What to do where no layout of the list is that of the memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Fallback {
    /// Report it.
    Nothing,
    /// Reorder to the nearest.
    Reorder,
    /// Reorder to the nearest, and convert the elements.
    Convert,
}

/// A layout of the list.
pub(super) struct Found {
    pub(super) layout: TypeId,
    /// What the kernel's view is made from.
    pub(super) descriptor: Descriptor,
    /// Whether the memory is to be reordered to it.
    pub(super) elsewhere: bool,
}

/// Finds the layout that memory has, or the nearest. With `padding_counts`, memory with other padding than the layout
/// says does not have it.
///
/// # Errors
/// [`MatchError`].
pub(super) fn find(
    descriptor: &Descriptor,
    bytes: &[u8],
    candidates: &[Candidate],
    fallback: Fallback,
    padding_counts: bool,
) -> Result<Found, MatchError> {
    let dims = descriptor.dims();
    let views = |candidate: &Candidate, described: &Descriptor| {
        (candidate.fits)(described, bytes).is_ok()
            && (!padding_counts || !candidate.zeroed || padding_is_zero(described, bytes))
    };
    let found = |candidate: &Candidate, descriptor| {
        Ok(Found { layout: candidate.layout, descriptor, elsewhere: false })
    };
    if let Some(candidate) = candidates.iter().find(|candidate| views(candidate, descriptor)) {
        return found(candidate, *descriptor);
    }
    // Under another name that has the same bytes, of the same axes: weights are no activations.
    for candidate in candidates.iter().filter(|candidate| same_axes(descriptor.spec(), &candidate.spec)) {
        if let Some(other) = candidate.describe(dims)
            && descriptor.same_memory(&other)
            && views(candidate, &other)
        {
            return found(candidate, other);
        }
    }
    let Some(first) = candidates.first() else { return Err(MatchError::NoLayouts) };
    if !candidates.iter().any(|candidate| same_axes(descriptor.spec(), &candidate.spec)) {
        return Err(MatchError::Axes { found: Box::new(*descriptor.spec()), listed: Box::new(first.spec) });
    }
    if descriptor.dtype() != first.dtype && fallback != Fallback::Convert {
        return Err(MatchError::DType { expected: first.dtype, found: descriptor.dtype() });
    }
    let none_fits = || MatchError::Layout { found: Box::new(*descriptor) };
    if fallback == Fallback::Nothing {
        return Err(none_fits());
    }
    let specs: Vec<Spec> = candidates.iter().map(|candidate| candidate.spec).collect();
    let nearest = nearest_layout(descriptor, &specs).and_then(|at| candidates.get(at));
    let chosen = nearest.ok_or_else(none_fits)?;
    let target = chosen.describe(dims).ok_or_else(none_fits)?;
    Ok(Found { layout: chosen.layout, descriptor: target, elsewhere: true })
}

/// Whether all padding is zero bytes. The bytes are as many as the descriptor says.
fn padding_is_zero(descriptor: &Descriptor, bytes: &[u8]) -> bool {
    let size = descriptor.dtype().size();
    visit_padding_of(descriptor, &mut |offset, len| match bytes[offset * size..(offset + len) * size]
        .iter()
        .all(|&byte| byte == 0)
    {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    })
    .is_continue()
}

/// The length of the memory, checked.
///
/// # Errors
/// [`ViewError::ByteLength`].
pub(super) fn covered(descriptor: &Descriptor, found: usize) -> Result<usize, MatchError> {
    let expected = descriptor.size_bytes();
    match found < expected {
        true => Err(MatchError::View(ViewError::ByteLength { expected, found })),
        false => Ok(expected),
    }
}
