//! Parallel iterators over tiles, parts, blocks and runs of views: with feature `rayon` alone. They run on the pool from which
//! they are called, the caller's own inside its `install`, and leave small work on one thread.

mod blocks;
mod methods;
mod pieces;

pub(in crate::view) use blocks::place as block_place;
pub use blocks::{BlockRange, BlockRangeMut, IndexedBlockRange, IndexedBlockRangeMut};
pub(in crate::view) use methods::{blocks_mut as par_blocks_of, runs_mut as par_runs_of};
pub use pieces::{Par, Pieces};
