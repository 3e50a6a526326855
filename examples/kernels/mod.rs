//! What the kernel examples share: the clock, the input, and beside each kernel the same work as others write it: on raw
//! pointers over the same blocks, and in plain loops over plain layouts. None of it knows of layouts.
#![allow(
    clippy::multiple_unsafe_ops_per_block,
    reason = "on raw pointers an offset and what lies there are one thing"
)]
#![allow(clippy::needless_range_loop, reason = "several arrays are indexed alike, as in a textbook")]

pub(crate) mod attention;
pub(crate) mod columns;
pub(crate) mod convolution;
pub(crate) mod depthwise;
pub(crate) mod input;
pub(crate) mod int8;
pub(crate) mod matmul;
pub(crate) mod onednn;
#[path = "../common/picture.rs"]
pub(crate) mod picture;
pub(crate) mod pooling;
pub(crate) mod preprocess;
pub(crate) mod race;
