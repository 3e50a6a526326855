//! Where whole lines are what costs: few elements in each, lines that drive one another out of the first-level cache, or pieces
//! of which several fill a line. Called by the folder's `Simd`.

pub(super) mod crowded;
pub(super) mod few;
pub(super) mod joined;
pub(super) mod pieces;
