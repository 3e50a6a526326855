//! Run-time core of `tensor-layout`.
//!
//! Data flows one way through the rooms below; a module imports only from those listed above it
//! (`kernels` is the leaf at the other end: it knows tiles, not tensors, and imports nothing of ours).
#![no_std]
#![recursion_limit = "256"]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod grammar;

pub mod shape;

pub mod descriptor;

pub mod layout;

pub mod view;

pub mod reorder;

pub mod kernels;
