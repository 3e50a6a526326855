//! A format together with extents: where every element is. Pure arithmetic, no memory.
//! Imports `grammar` and `shape`.

mod algebra;
mod desc;
mod digits;
mod error;
mod fit;
mod nested;
mod query;
mod strided;
mod text;
mod types;
mod window;

pub use algebra::AlgebraError;
pub use desc::{Descriptor, MAX_OUTER};
pub use digits::{DigitAt, Digits, InnerFirst};
pub use error::{DescriptorError, ParseDescriptorError};
pub use fit::{CacheConflict, Footprint, Formats, MemoryFormat, Recognised};
pub use query::{Blocking095, Index, InnerBlocks, Location, PerAxis, Strides};
#[cfg(feature = "tensors")]
pub(crate) use types::bytes_of;
pub use types::{Boolean, DType, E8M0, Element, F8E4M3, F8E5M2, UnknownDType};
