//! Disjoint tiles and parts, one after the other and in parallel, against the oracle: no place twice, none left out,
//! padding included.

mod dynamic;
#[cfg(feature = "rayon")]
mod parallel;
mod tiles;
