//! Run-time core of `tensor-layout`.
//!
//! Data flows one way through the rooms below; a module imports only from those listed above it
//! (`kernels` is the leaf at the other end: it knows tiles, not tensors, and imports nothing of ours).
//!
//! Features: `std`, `tensors` and `rayon` are on by default; without `tensors` there is the grammar alone, which is what the
//! macro crate builds; `rayon` gives views parallel iterators; `half` makes the types of the crate `half` element types. The
//! features that go to other libraries and files are listed in [`connect`].
#![no_std]
#![recursion_limit = "256"]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
#[cfg(any(test, feature = "std"))]
extern crate std;

pub mod grammar;

#[cfg(feature = "tensors")]
pub mod shape;

#[cfg(feature = "tensors")]
pub mod descriptor;

#[cfg(feature = "tensors")]
pub mod index_code;

#[cfg(feature = "tensors")]
pub mod picture;

#[cfg(feature = "tensors")]
pub mod layout;

#[cfg(feature = "tensors")]
pub mod view;

#[cfg(feature = "tensors")]
pub mod reorder;

#[cfg(feature = "tensors")]
pub mod choose;

#[cfg(feature = "tensors")]
pub mod connect;

#[cfg(feature = "tensors")]
pub mod kernels;
