//! What int8 inference needs around reorders with attributes: `calls` quantises in one line, with the attributes of `typed`, whose
//! axes are checked while compiling; `compensation` sums weights up. Stands on plans, and makes none of its own.

mod calls;
mod compensation;
mod typed;

pub use calls::{
    asymmetric_scale, dequantise, dequantise_asymmetric, quantise, quantise_asymmetric,
    quantise_asymmetric_with, quantise_with, symmetric_scale, symmetric_scales,
};
pub use compensation::{Compensation, OneDnnExtra};
pub use typed::{PerAxes, PerAxis, PerGroup, TypedAttributes, ValuesOf};
