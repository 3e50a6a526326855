//! Conversions of short rows: `parted` puts registers together from rows that lie apart, `masked` takes rows that end inside of a
//! register, and what is padding around them. Called by `drive::convert`.

mod masked;
mod parted;

pub(in super::super) use masked::padded_tile;
pub(in super::super) use parted::{native_parted_rows, parted_rows};
