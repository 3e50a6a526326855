//! The compile-time name of a layout: [`Format`] over digits, the [`Layout`] trait, marker traits for bounds, and
//! [`Mapping`], a layout with extents. Imports `grammar`, `shape` and `descriptor`; owns no memory.

mod alias;
mod digit;
mod format;
mod mapping;
mod marker;
mod search;
mod tuple;
mod walk;

pub use alias::*;
pub use digit::{Block, Digit, Dim, PaddedDim};
pub use format::{Format, Layout, OffsetError};
pub use mapping::{Mapping, Position, StridedMapping};
pub use marker::{
    BlockDivisibleBy, Blocked, BlockedBy, ChannelsFirst, ChannelsLast, HasAxis, Innermost, PermuteShape,
    Permutes, Rank, Relabels, RemoveAxis,
};
pub use tuple::StrideArray;
