//! The compile-time name of a layout: [`Format`] over digits, the [`Layout`] trait, marker traits for bounds, and
//! [`Mapping`], a layout with extents. Imports `grammar`, `shape` and `descriptor`; owns no memory.

mod alias;
mod digits;
mod format;
mod mapping;
mod marker;
mod walk;

pub use alias::*;
pub use digits::digit::{Block, Digit, Dim, PaddedDim};
#[cfg(feature = "image")]
pub(crate) use digits::tuple::DigitTuple;
pub use digits::tuple::StrideArray;
pub use format::{Format, Layout, OffsetError};
pub use mapping::{Mapping, Position, StridedMapping};
pub use marker::{
    BlockDivisibleBy, Blocked, BlockedBy, ChannelsFirst, ChannelsLast, HasAxis, Innermost, PermuteShape,
    Permutes, Rank, Relabels, RemoveAxis, SameAxes,
};
