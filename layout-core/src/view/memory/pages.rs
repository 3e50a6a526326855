//! The hint that asks Linux for huge pages. Called by `memory`; it changes how fast memory is, never what it holds.

use core::ptr::NonNull;
use std::sync::OnceLock;

/// A huge page, in bytes, on x86-64, and on AArch64 with pages of 4 KiB. Where they are larger, the hint does nothing for
/// tensors without room for one.
const HUGE_PAGE: usize = 2 << 20;

/// From how many bytes on huge pages are asked for: where one lies in the memory wherever that begins. A transpose gains from
/// about 16 MiB on; memory that is new, from the first page on.
const FROM: usize = 2 * HUGE_PAGE;

/// Asks for huge pages where whole ones lie in `memory`, if it is large. The ends keep small pages, so that no page holds
/// more than the tensor. The memory is not aligned for it: memory of such alignment glibc takes from the system each time
/// anew, which costs more than small pages at the ends.
pub(super) fn advise(memory: NonNull<u8>, bytes: usize) {
    if bytes < FROM || !wanted() {
        return;
    }
    let before = memory.as_ptr().align_offset(HUGE_PAGE);
    let Some(inside) = bytes.checked_sub(before) else { return };
    let first = memory.as_ptr().wrapping_add(before).cast();
    // SAFETY: the pages lie within the allocation. The advice changes nothing of what they hold, and an error (a kernel
    // without huge pages) leaves everything as it was.
    unsafe { libc::madvise(first, inside - inside % HUGE_PAGE, libc::MADV_HUGEPAGE) };
}

/// Whether the environment does not say otherwise. Asked once.
fn wanted() -> bool {
    static WANTED: OnceLock<bool> = OnceLock::new();
    *WANTED.get_or_init(|| std::env::var_os("TENSOR_LAYOUT_HUGE_PAGES").is_none_or(|value| value != "off"))
}
