//! What the families of x86-64 have in common, as macros over a register's width and its instructions; nothing here is
//! called from outside their folders.

pub(super) mod bytes;
pub(super) mod convert;
pub(super) mod pixels;
pub(super) mod rows;
pub(super) mod square;
pub(super) mod zip;

/// `pointer`, of which the compiler forgets where it comes from. Else it computes the distances of all rows of a square
/// before a loop over squares, more than there are registers, and reads each back from the stack.
#[inline(always)]
#[allow(
    clippy::pointers_in_nomem_asm_block,
    reason = "there is no instruction that could follow the pointer"
)]
pub(in super::super) fn opaque<T>(pointer: *mut T) -> *mut T {
    let mut pointer = pointer;
    // SAFETY: no instruction at all; the pointer comes out as it went in, provenance included.
    unsafe {
        core::arch::asm!("/* {0} */", inout(reg) pointer, options(pure, nomem, nostack, preserves_flags))
    };
    pointer
}
