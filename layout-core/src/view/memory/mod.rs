//! Where the memory of owned tensors comes from: the global allocator, with huge pages where they pay. Called by `def`
//! alone; it knows bytes, no tensors. Beside it [`Aligned`], for memory on the stack.

mod aligned;
#[cfg(all(feature = "std", target_os = "linux", not(miri)))]
mod pages;

use super::def::ALIGNMENT;
pub use aligned::Aligned;
use alloc::alloc::{alloc, dealloc};
use core::alloc::Layout;
use core::ptr::NonNull;

/// How the memory of `len` elements is allocated; `None` where that is larger than an allocation can be.
pub(super) fn layout_of<T>(len: usize) -> Option<Layout> {
    let bytes = len.checked_mul(size_of::<T>())?;
    Layout::from_size_align(bytes, align_of::<T>().max(ALIGNMENT)).ok()
}

/// Memory that is not initialised; `None` where there is none. Nothing is allocated for no bytes.
pub(super) fn allocate(layout: Layout) -> Option<NonNull<u8>> {
    if layout.size() == 0 {
        return Some(NonNull::without_provenance(core::num::NonZeroUsize::new(layout.align())?));
    }
    // SAFETY: the size is not 0.
    let memory = NonNull::new(unsafe { alloc(layout) })?;
    #[cfg(all(feature = "std", target_os = "linux", not(miri)))]
    pages::advise(memory, layout.size());
    Some(memory)
}

/// Gives memory back.
///
/// # Safety
/// It is from [`allocate`] with the same layout, and nobody uses it any more.
pub(super) unsafe fn release(memory: NonNull<u8>, layout: Layout) {
    if layout.size() != 0 {
        // SAFETY: the caller's promise; memory of this size came from the global allocator.
        unsafe { dealloc(memory.as_ptr(), layout) }
    }
}
