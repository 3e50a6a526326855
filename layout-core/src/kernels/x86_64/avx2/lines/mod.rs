//! Where whole lines are what costs: lines that lie far from one another, pieces of which several fill a line, rows of blocks
//! and a part of one, and elements of 4 bits. Called by this folder's `Simd`, by `avx2` and by `packed`.

pub(super) mod eight;
pub(super) mod fours;
pub(super) mod joined;
pub(super) mod nibbles;
pub(super) mod pieces;
pub(super) mod squares;
pub(super) mod turned;
