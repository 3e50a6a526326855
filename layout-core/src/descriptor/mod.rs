//! A format together with extents: where every element is. Pure arithmetic, no memory.
//! Imports `grammar` and `shape`.

mod desc;
mod dtype;

pub use desc::{Descriptor, DigitAt, MAX_OUTER};
pub use dtype::{DType, Element};
