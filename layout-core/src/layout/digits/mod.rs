//! The parts of a layout type: digits ([`digit`]), tuples of them ([`tuple`]), and search through those at type level
//! ([`search`]). Used by [`super::format`] and the markers.

pub(super) mod digit;
pub(super) mod search;
pub(super) mod tuple;
