//! Crossed unit strides where whole lines are what costs: few elements in each, or lines that lie far from one
//! another. Called by the folder's `Simd`.

pub(super) mod few;
pub(super) mod squares;
