//! Views cut into disjoint boxes, for loops over tiles and for threads: tiles, parts of nearly equal size, and with feature
//! `rayon` parallel iterators over these and over blocks. Disjoint by construction: whoever holds one box cannot reach
//! another, and no two can be had twice.

mod def;
mod dynamic;
mod grid;
mod methods;
#[cfg(feature = "rayon")]
mod parallel;
mod tiles;

pub use def::{Tiles, TilesMut};
pub use dynamic::{DynParts, DynPartsMut};
#[cfg(feature = "rayon")]
pub use parallel::{BlockRange, BlockRangeMut, IndexedBlockRange, IndexedBlockRangeMut, Par, Pieces};
#[cfg(feature = "rayon")]
pub(super) use parallel::{block_place, par_blocks_of, par_runs_of};
pub use tiles::{IndexedTiles, IndexedTilesMut};
