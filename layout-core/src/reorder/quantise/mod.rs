//! What int8 inference needs around reorders of attributes: `compensation` of weights. Knows plans by what they offer; the work is
//! done by `run`.

mod compensation;

pub use compensation::{Compensation, OneDnnExtra};
