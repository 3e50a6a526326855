//! Parallel iterators over tiles, parts, blocks and runs of views: with feature `rayon` alone. They run on the pool from which
//! they are called, the caller's own inside its `install`, and leave small work on one thread.

mod blocks;
mod methods;
mod pieces;

pub use blocks::{BlockRange, BlockRangeMut, IndexedBlockRange, IndexedBlockRangeMut};
pub use pieces::{Par, Pieces};
