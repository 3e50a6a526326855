//! The compile-time name of a layout: [`Format`] over digits, the [`Layout`] trait, marker traits for bounds, and
//! [`Mapping`], a layout with extents. Imports `grammar`, `shape` and `descriptor`; owns no memory.

mod alias;
mod digits;
mod format;
mod index;
mod mapping;
mod marker;
pub mod padding;
mod walk;

pub use alias::*;
pub use digits::digit::{Block, Digit, Dim, PaddedDim};
#[cfg(feature = "image")]
pub(crate) use digits::tuple::DigitTuple;
pub use digits::tuple::StrideArray;
pub use format::{Format, Layout, OffsetError};
pub use index::{Along, At, NamedIndex, axis};
pub(crate) use mapping::row_len;
pub use mapping::{Mapping, Position, StridedMapping};
pub use marker::{
    BlockDivisibleBy, Blocked, BlockedBy, ChannelsFirst, ChannelsLast, HasAxis, Innermost, PermuteShape,
    Permutes, Rank, Relabels, RemoveAxis, SameAxes,
};
pub(crate) use padding::assert_not_filled;
pub use padding::{Dirty, Filled, PadValue, PaddingState, Pads, ZeroPadding};
