//! How a descriptor fits names, other descriptors and the machine: which formats describe it ([`Formats`]), PyTorch's
//! rules ([`MemoryFormat`]), the longest stretch that two layouts share, and what it costs ([`Footprint`]). Reads only.

mod common_run;
mod footprint;
mod formats;
mod memory_format;

pub use footprint::{CacheConflict, Footprint};
pub use formats::{Formats, Recognised};
pub use memory_format::MemoryFormat;
