//! [`Aligned`]: a kernel's own arrays on cache lines. For users; nothing of ours keeps memory in it.

use core::ops::{Deref, DerefMut};

/// A value that starts on a cache line, of 64 bytes: for the arrays that a kernel keeps on the stack, such as the halo of
/// [`Strips`](crate::view::Strips) or a filter that is read in every strip.
///
/// An array of `f32` is aligned to 4 bytes, and where it lies on the stack is up to chance, in each run anew: most often
/// every vector of 64 bytes then reaches over a border between cache lines and takes two accesses. Tensors are aligned.
///
/// ```
/// use layout_core::view::Aligned;
/// let mut halo = Aligned([[0.0f32; 16]; 5]);
/// halo[4][15] = 1.0;
/// assert_eq!(halo.as_ptr().addr() % 64, 0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(align(64))]
pub struct Aligned<T>(pub T);

impl<T> Deref for Aligned<T> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}
impl<T> DerefMut for Aligned<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}
