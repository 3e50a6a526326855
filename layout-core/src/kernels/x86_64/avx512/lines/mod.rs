//! Crossed unit strides where whole lines are what costs: few elements in each, or lines that drive one another out of the
//! first-level cache. Called by the folder's `Simd`.

pub(super) mod crowded;
pub(super) mod few;
