//! Memory with a layout: shared ([`TensorView`]), exclusive ([`TensorViewMut`]) and owned ([`Tensor`]) dense tensors, and
//! parts of them ([`StridedView`], [`StridedViewMut`]). Nothing here moves data from one layout to another.
//!
//! ```
//! use layout_core::layout::OIhw16i16o;
//! use layout_core::view::Tensor;
//!
//! let weights: Tensor<f32, OIhw16i16o> = Tensor::zeroed([32, 16, 3, 3])?;
//! let tile: &[[f32; 16]; 16] = &weights.blocks()[0];
//! let center = weights.select::<'h'>(1)?.select::<'w'>(1)?;
//! assert_eq!(center.dims(), [32, 16]);
//! let of_one_input = weights.select::<'i'>(3)?; // `i` is the outer block: 16 of `o` stay together
//! # Ok::<(), layout_core::view::ViewError>(())
//! ```
//!
//! What cannot be a view is refused while compiling: of one `o`, the elements along `i` lie 16 apart, and there
//! is no dense block left that a layout could name.
//!
//! ```compile_fail
//! use layout_core::layout::OIhw16i16o;
//! use layout_core::view::Tensor;
//!
//! let weights: Tensor<f32, OIhw16i16o> = Tensor::zeroed([32, 16, 3, 3])?;
//! let of_one_output = weights.select::<'o'>(3)?;
//! # Ok::<(), layout_core::view::ViewError>(())
//! ```
//!
//! Padding is zero after every constructor that is not called `dirty`, and `map` leaves it so; where it holds anything else,
//! the type says so ([`Dirty`](crate::layout::Dirty), [`Filled`](crate::layout::Filled)). The table of what keeps it true stands
//! in [`ZeroPadding`](crate::layout::ZeroPadding). Views never copy.

mod bridge;
mod def;
mod dynamic;
mod error;
mod iter;
mod memory;
mod named;
mod operand;
mod padding;
mod part;
mod split;
mod state;
mod types;

pub(crate) use bridge::describe;
pub use def::{ALIGNMENT, StridedView, StridedViewMut, Tensor, TensorView, TensorViewMut};
pub use dynamic::{DynRun, DynView, DynViewMut};
pub use error::ViewError;
pub use iter::{
    BlockRows, BlockRowsMut, Blocks, BlocksAlong, BlocksMut, Chunks, ChunksMut, IndexedBlocks,
    IndexedBlocksMut, IndexedIter, IndexedIterMut, Indices, Iter, IterMut, KernelLoops, KernelLoopsMut, Lane,
    Operands, PhysicalIter, PixelStrips, Run, RunMut, Runs, RunsMut, StripRow, StripRows, Strips, Taps,
    Valid, ValidBlocks, ValidBlocksMut, Window, WindowError, WindowTaps, Windows, ZipBlocksMut, ZipRun,
    ZipRunsMut,
};
pub use memory::Aligned;
pub use operand::{View, ViewMut};
pub(crate) use padding::visit_padding_of;
#[cfg(feature = "rayon")]
pub use split::{BlockRange, BlockRangeMut, IndexedBlockRange, IndexedBlockRangeMut, Par, Pieces};
pub use split::{DynParts, DynPartsMut, IndexedTiles, IndexedTilesMut, Tiles, TilesMut};
