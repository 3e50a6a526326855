//! Registers of 32 bytes, as Zen 3 has them.

mod crossed_converted;
mod crossed_moved;
mod rows_converted;
mod rows_moved;
mod strided_converted;
mod strided_moved;

use super::Family;

/// Questions of a tree.
const DEPTH: usize = 5;

pub(in super::super) const SHORT: Family<DEPTH> = Family {
    rows: [rows_moved::FORESTS, rows_converted::FORESTS],
    crossed: [crossed_moved::FORESTS, crossed_converted::FORESTS],
    strided: [strided_moved::FORESTS, strided_converted::FORESTS],
};
