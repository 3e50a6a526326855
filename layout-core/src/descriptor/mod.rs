//! A format together with extents: where every element is. Pure arithmetic, no memory.
//! Imports `grammar` and `shape`.

mod algebra;
mod desc;
mod digits;
mod dtype;
mod error;
mod fit;
mod nested;
mod query;
mod strided;
mod text;
mod window;

pub use algebra::AlgebraError;
pub use desc::{Descriptor, MAX_OUTER};
pub use digits::{DigitAt, Digits, InnerFirst};
pub use dtype::{DType, Element};
pub use error::{DescriptorError, ParseDescriptorError};
pub use fit::{CacheConflict, Footprint, Formats, MemoryFormat, Recognised};
pub use query::{Blocking095, Index, InnerBlocks, Location, PerAxis, Strides};
