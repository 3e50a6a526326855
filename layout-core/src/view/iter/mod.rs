//! Iterators over views: elements in logical or physical order, blocks, runs, chunks, and in `loops` what compute kernels
//! go over. All of them step a cursor over digits or axes and reach memory through a strided view; none allocates.

mod blocks;
mod chunks;
mod cursor;
mod elements;
mod loops;
mod runs;

pub use blocks::{Blocks, BlocksMut, IndexedBlocks, IndexedBlocksMut};
pub(super) use blocks::{as_blocks, as_blocks_mut};
pub use chunks::{Chunks, ChunksMut};
pub use cursor::Indices;
pub use elements::{IndexedIter, IndexedIterMut, Iter, IterMut, PhysicalIter};
pub use loops::{
    BlockRows, BlockRowsMut, BlocksAlong, KernelLoops, KernelLoopsMut, Lane, Operands, PixelStrips, StripRow,
    StripRows, Strips, Taps, Valid, ValidBlocks, ValidBlocksMut, Window, WindowError, WindowTaps, Windows,
    ZipBlocksMut, ZipRun, ZipRunsMut,
};
pub use runs::{Run, RunMut, Runs, RunsMut};
