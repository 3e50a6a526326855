//! What the families of x86-64 are made of: the parts of all processors, and those for the registers that they have in
//! common. Nothing here is called from outside their folders.

pub(super) mod bytes;
pub(super) mod few;
pub(super) mod lines;
pub(super) mod maker;
pub(super) mod packed;
pub(super) mod padded;
pub(super) mod pixels;
pub(super) mod woven;

pub(super) use super::super::parts::{
    ACROSS, CLAIMED, opaque, prefetch, prefetch_far, prefetch_write, rows, square, zip,
};

/// So many bytes ahead the source is fetched where it is read by masks, which do not let some processors foresee what is read next.
pub(super) const MASKED_AHEAD: usize = 1024;
