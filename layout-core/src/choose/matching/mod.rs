//! From memory described at run time to the kernel that was compiled for its layout: [`match_layout!`](crate::match_layout),
//! the choice of the nearest layout where none is the one, and what the macro expands to.

mod error;
mod exclusive;
mod list;
mod macros;
mod shared;

pub use error::MatchError;
pub use exclusive::{MatchedMut, resolve_mut};
pub use list::{Candidate, Fallback};
pub use shared::{Matched, resolve};

use crate::descriptor::{Descriptor, Element};
use crate::grammar::Spec;
use crate::view::{DynView, DynViewMut};
use core::cmp::Reverse;

/// Memory with the descriptor that says what is in it: a pair of the two, or a [`DynView`].
pub trait Described {
    /// What describes the memory.
    fn descriptor(&self) -> &Descriptor;
    /// The memory, from the first byte that the descriptor covers.
    fn bytes(&self) -> &[u8];
}
impl<B: AsRef<[u8]> + ?Sized> Described for (&Descriptor, &B) {
    fn descriptor(&self) -> &Descriptor {
        self.0
    }
    fn bytes(&self) -> &[u8] {
        self.1.as_ref()
    }
}
impl<T: Element> Described for DynView<'_, T> {
    fn descriptor(&self) -> &Descriptor {
        DynView::descriptor(self)
    }
    fn bytes(&self) -> &[u8] {
        self.as_bytes()
    }
}

/// Memory to write, with the descriptor that says what is in it: a pair of the two, or a [`DynViewMut`].
pub trait DescribedMut {
    /// What describes the memory.
    fn descriptor(&self) -> &Descriptor;
    /// The memory, from the first byte that the descriptor covers.
    fn bytes_mut(&mut self) -> &mut [u8];
}
impl<B: AsMut<[u8]> + ?Sized> DescribedMut for (&Descriptor, &mut B) {
    fn descriptor(&self) -> &Descriptor {
        self.0
    }
    fn bytes_mut(&mut self) -> &mut [u8] {
        self.1.as_mut()
    }
}
impl<T: Element> DescribedMut for DynViewMut<'_, T> {
    fn descriptor(&self) -> &Descriptor {
        DynViewMut::descriptor(self)
    }
    fn bytes_mut(&mut self) -> &mut [u8] {
        self.as_bytes_mut()
    }
}

/// The position among `candidates` of the layout to which a reorder from `src` costs least: one that reads the same memory,
/// or else the one with the fewest bytes to write, and of those the one with the longest runs in common; the first of
/// several. Candidates over other axes do not count; `None` where there are no others.
///
/// ```
/// use layout_core::choose::nearest_layout;
/// use layout_core::descriptor::{DType, Descriptor};
/// use layout_core::layout::{Layout, Nchw, Nchw16c, Oihw};
/// let candidates = [Oihw::SPEC, Nchw::SPEC, Nchw16c::SPEC];
/// let of = |channels| Descriptor::new(DType::F32, &[1, channels, 56, 56], "nhwc");
/// assert_eq!(nearest_layout(&of(64)?, &candidates), Some(2)); // runs of 16 channels
/// assert_eq!(nearest_layout(&of(3)?, &candidates), Some(1)); // blocks would be padding for the most part
/// # Ok::<(), layout_core::descriptor::DescriptorError>(())
/// ```
pub fn nearest_layout(src: &Descriptor, candidates: &[Spec]) -> Option<usize> {
    let cost = |spec: &Spec| {
        let dst = Descriptor::from_spec(src.dtype(), src.dims(), *spec).ok()?;
        // Beyond a cache line runs are as good as endless.
        let run = src.common_run(&dst).min(64 / src.dtype().size());
        Some((!src.same_memory(&dst), dst.size_bytes(), Reverse(run)))
    };
    let costs = candidates
        .iter()
        .enumerate()
        .filter(|(_, spec)| same_axes(src.spec(), spec))
        .filter_map(|(at, spec)| Some((cost(spec)?, at)));
    costs.min().map(|(_, at)| at)
}

/// Whether the formats have the same axes in the same logical order.
fn same_axes(one: &Spec, other: &Spec) -> bool {
    one.rank() == other.rank() && (0..one.rank()).all(|axis| one.axis_name(axis) == other.axis_name(axis))
}
