//! Memory to read, in a layout of the list: where it is, or reordered into new memory.

use super::list::{Candidate, Fallback, covered, find};
use super::{Described, MatchError};
use crate::descriptor::{Descriptor, Element};
use crate::layout::{Layout, Vector};
use crate::reorder::reorder_bytes;
use crate::view::{Tensor, TensorView};
use core::any::TypeId;

/// Memory that a layout of the list fits.
pub struct Matched<'a> {
    layout: TypeId,
    descriptor: Descriptor,
    memory: Memory<'a>,
}

enum Memory<'a> {
    Given(&'a [u8]),
    /// Aligned as tensors are.
    Reordered(Tensor<u8, Vector>),
}

impl Matched<'_> {
    /// The view, if `L` is the layout.
    pub fn view<T: Element, L: Layout>(&self) -> Option<TensorView<'_, T, L>> {
        let bytes = match &self.memory {
            Memory::Given(bytes) => bytes,
            Memory::Reordered(made) => made.as_slice(),
        };
        match self.layout == TypeId::of::<L>() {
            true => TensorView::from_descriptor(&self.descriptor, bytes).ok(),
            false => None,
        }
    }
}

/// Finds the layout of the list that the memory of `source` has, or the nearest, and the memory in it.
///
/// # Errors
/// [`MatchError`].
pub fn resolve<'a>(
    source: &'a impl Described,
    candidates: &[Candidate],
    fallback: Fallback,
) -> Result<Matched<'a>, MatchError> {
    let descriptor = source.descriptor();
    let bytes = source.bytes();
    let bytes = &bytes[..covered(descriptor, bytes.len())?];
    let found = find(descriptor, bytes, candidates, fallback, true)?;
    let memory = if found.elsewhere {
        let mut made =
            Tensor::<u8, Vector>::zeroed([found.descriptor.size_bytes()]).map_err(MatchError::View)?;
        reorder_bytes(descriptor, bytes, &found.descriptor, made.as_mut_slice())
            .map_err(MatchError::Reorder)?;
        Memory::Reordered(made)
    } else {
        Memory::Given(bytes)
    };
    Ok(Matched { layout: found.layout, descriptor: found.descriptor, memory })
}
