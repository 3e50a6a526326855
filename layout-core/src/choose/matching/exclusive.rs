//! Memory to write, in a layout of the list: where it is, or in new memory from which it is written back at the end.

use super::list::{Candidate, Fallback, covered, find};
use super::{DescribedMut, MatchError};
use crate::descriptor::{Descriptor, Element};
use crate::layout::{Layout, Vector};
use crate::reorder::{Reorder, reorder_bytes};
use crate::view::{Tensor, TensorViewMut};
use alloc::boxed::Box;
use core::any::TypeId;

/// Memory that a layout of the list fits. When this is dropped, what was written elsewhere is moved to where it belongs.
pub struct MatchedMut<'a> {
    layout: TypeId,
    descriptor: Descriptor,
    bytes: &'a mut [u8],
    elsewhere: Option<Elsewhere>,
}

struct Elsewhere {
    /// Aligned as tensors are.
    memory: Tensor<u8, Vector>,
    back: Box<Reorder>,
}

impl MatchedMut<'_> {
    /// The view, if `L` is the layout. The padding is zero.
    pub fn view_mut<T: Element + Default, L: Layout>(&mut self) -> Option<TensorViewMut<'_, T, L>> {
        let bytes = match &mut self.elsewhere {
            None => &mut *self.bytes,
            Some(elsewhere) => elsewhere.memory.as_mut_slice(),
        };
        match self.layout == TypeId::of::<L>() {
            true => TensorViewMut::from_descriptor(&self.descriptor, bytes).ok(),
            false => None,
        }
    }
}

impl Drop for MatchedMut<'_> {
    fn drop(&mut self) {
        if let Some(elsewhere) = &self.elsewhere {
            // The plan was made for memory of these lengths, and there is no other reason to refuse.
            let _ = elsewhere.back.run(elsewhere.memory.as_slice(), self.bytes);
        }
    }
}

/// Finds the layout of the list that the memory of `target` has, or the nearest, and the memory in it.
///
/// # Errors
/// [`MatchError`]; nothing was written then.
pub fn resolve_mut<'a>(
    target: &'a mut impl DescribedMut,
    candidates: &[Candidate],
    fallback: Fallback,
) -> Result<MatchedMut<'a>, MatchError> {
    let descriptor = *target.descriptor();
    let bytes = target.bytes_mut();
    let covered = covered(&descriptor, bytes.len())?;
    let bytes = &mut bytes[..covered];
    let found = find(&descriptor, bytes, candidates, fallback, false)?;
    let elsewhere = if found.elsewhere {
        let back = Box::new(Reorder::new(&found.descriptor, &descriptor).map_err(MatchError::Reorder)?);
        let mut memory =
            Tensor::<u8, Vector>::zeroed([found.descriptor.size_bytes()]).map_err(MatchError::View)?;
        reorder_bytes(&descriptor, bytes, &found.descriptor, memory.as_mut_slice())
            .map_err(MatchError::Reorder)?;
        Some(Elsewhere { memory, back })
    } else {
        None
    };
    Ok(MatchedMut { layout: found.layout, descriptor: found.descriptor, bytes, elsewhere })
}
