//! Extents of tensors, static or known at run time, logical indices and checked sizes. Imports nothing of ours.

mod error;
mod extent;
mod index;
mod size;

pub use error::{IndexError, SizeError};
pub use extent::{Extent, Fixed, Shape, ShapeIndex, fixed};
pub use index::IndexArray;
pub use size::{checked_len, round_up};
