//! Where whole lines are what costs: few elements in each, lines that lie far from one another, or pieces of which several fill a
//! line. Called by the folder's `Simd`.

pub(super) mod few;
pub(super) mod halves;
pub(super) mod joined;
pub(super) mod pieces;
pub(super) mod squares;
