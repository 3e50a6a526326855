//! Kernels for x86-64, a folder for each family of vector instructions. Called through `drive` with a token.

pub(super) mod avx512;
mod part;
mod square;
mod zip;

/// `pointer`, of which the compiler forgets where it comes from. Else it computes the distances of all rows of a square
/// before a loop over squares, more than there are registers, and reads each back from the stack.
#[inline(always)]
fn opaque<T>(pointer: *mut T) -> *mut T {
    let mut pointer = pointer;
    // SAFETY: no instruction at all; the pointer comes out as it went in, provenance included.
    unsafe {
        core::arch::asm!("/* {0} */", inout(reg) pointer, options(pure, nomem, nostack, preserves_flags))
    };
    pointer
}
