//! Rows that have shorter ways than the loops that all pairs of types share.

mod integers;
mod padded;
mod pieces;

pub(in super::super) use padded::padded_tile;
pub(super) use pieces::{convert_rows, pieces};
