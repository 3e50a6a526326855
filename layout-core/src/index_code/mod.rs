//! The offset of a format as source text for C, C++, CUDA, OpenCL C and WGSL, and its inverse. Called by users and by the
//! command-line tool; imports `grammar` and `descriptor`, and reads them alone.
//!
//! A GPU kernel or a C library that reads a blocked tensor needs the arithmetic that [`Descriptor::offset`] does here.
//! [`Descriptor::index_code`] writes it with every extent folded into a constant, [`Spec::index_code`] with the extents as
//! parameters, so that the tag stays the only place where the layout is stated.
//!
//! ```
//! use layout_core::descriptor::{DType, Descriptor};
//! use layout_core::index_code::Language;
//! let d = Descriptor::new(DType::F32, &[2, 17, 5, 4], "nChw8c")?;
//! assert_eq!(
//!     d.index_code(Language::Wgsl).offset()?,
//!     "\
//! fn nChw8c_offset(n: u32, c: u32, h: u32, w: u32) -> u32 {
//!     return n * 480u + (c / 8u) * 160u + h * 32u + w * 8u + c % 8u;
//! }
//! "
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Descriptor::offset`]: crate::descriptor::Descriptor::offset
//! [`Descriptor::index_code`]: crate::descriptor::Descriptor::index_code
//! [`Spec::index_code`]: crate::grammar::Spec::index_code

mod code;
mod error;
mod expr;
mod inverse;
mod language;
mod model;

pub(crate) use code::offset_in_numbers;

pub use code::IndexCode;
pub use error::IndexCodeError;
pub use language::Language;
