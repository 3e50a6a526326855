//! Where whole lines are what costs: lines that lie far from one another, pieces of which several fill a line, and rows of blocks
//! and a part of one. Called by this folder's `Simd` and by `avx2`.

pub(super) mod eight;
pub(super) mod joined;
pub(super) mod pieces;
pub(super) mod squares;
