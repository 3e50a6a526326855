//! The types of elements: [`DType`] at run time, [`Element`] in Rust.

mod dtype;
mod element;

pub use dtype::{DType, UnknownDType};
#[cfg(feature = "tensors")]
pub(crate) use element::bytes_of;
pub use element::{Boolean, E8M0, Element, F8E4M3, F8E5M2};
