//! Where whole lines are what costs: few elements in each, lines that lie far from one another, or pieces of which several fill a
//! line; and elements of 4 bits. Called by the folder's `Simd` and by `avx512`.

pub(super) mod few;
pub(super) mod fours;
pub(super) mod halves;
pub(super) mod joined;
pub(super) mod pieces;
pub(super) mod squares;
pub(super) mod turned;
