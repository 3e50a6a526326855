//! Memory with a layout: shared ([`TensorView`]), exclusive ([`TensorViewMut`]) and owned ([`Tensor`]) dense tensors, and
//! parts of them ([`StridedView`], [`StridedViewMut`]). Nothing here moves data from one layout to another.
//!
//! Padding is zero after every constructor that is not called `dirty`, and `map` leaves it so. Views never copy.

mod bridge;
mod def;
mod error;
mod iter;
mod operand;
mod padding;
mod part;
mod types;

pub use def::{ALIGNMENT, StridedView, StridedViewMut, Tensor, TensorView, TensorViewMut};
pub use error::ViewError;
pub use iter::{
    Blocks, BlocksMut, Chunks, ChunksMut, IndexedBlocks, IndexedBlocksMut, IndexedIter, IndexedIterMut,
    Indices, Iter, IterMut, PhysicalIter, Run, RunMut, Runs, RunsMut,
};
pub use operand::{View, ViewMut};
