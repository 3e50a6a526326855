//! Moves a tensor from any layout and data type to any other: problem -> simplify -> plan -> run.
//!
//! * `problem` reads two descriptors and refines the digits of every axis to common ones.
//! * `simplify` drops what needs no loop and merges loops that continue one another on both sides.
//! * `plan` orders the loops, picks the tile and its kernel: a [`Reorder`].
//! * `run` walks the loops, whole boxes and tail boxes apart, and calls the kernel once a tile.
//! * `tune` runs a plan in each of its ways (`plan::ways`) and takes the fastest.
//!
//! `attributes` is what may be done to the numbers on the way: scales and zero points. `in_place` moves within one piece of
//! memory, stretch by stretch, with such plans.
//!
//! `quantise` is what quantised tensors need besides: sums over weights.
//!
//! `typed` is the way in for views, `described` the one for bytes that descriptors describe. Both find plans that were
//! made before in `cache`; `policy` holds how they are to run. `elements` says what the element types of our own are worth.
//!
//! What converting a number means stands in [`crate::kernels::convert`]. Imports `descriptor`, `grammar`, `view` and `kernels`;
//! only `run` and the stages of `in_place` touch memory.

mod attributes;
mod cache;
mod described;
mod elements;
mod error;
mod in_place;
mod plan;
mod policy;
mod problem;
mod quantise;
mod run;
mod simplify;
#[cfg(feature = "std")]
mod tune;
mod typed;

pub use crate::kernels::convert::Rounding;
pub use attributes::{
    Attribute, Attributes, AxisNames, Bf16Bits, E8M0Bits, F16Bits, Normalization, Padding, Scale, Values,
    ZeroPoint, reorder_with,
};
pub use cache::PlanCache;
pub use described::{reorder_bytes, reorder_bytes_with};
pub use error::ReorderError;
pub use in_place::{InPlaceError, NotInPlace, ReorderInPlace};
pub use plan::{Reorder, Way, WayError};
pub use policy::{ReorderOptions, Stores};
pub use quantise::{
    Compensation, OneDnnExtra, PerAxes, PerAxis, PerGroup, TypedAttributes, ValuesOf, asymmetric_scale,
    dequantise, dequantise_asymmetric, quantise, quantise_asymmetric, quantise_asymmetric_with,
    quantise_with, symmetric_scale, symmetric_scales,
};
pub use run::{convert_slice, convert_slice_with};
#[cfg(feature = "std")]
pub use tune::Tuning;
pub use typed::reorder;
