//! What can be asked of a descriptor: strides and sizes here, blocks in `blocks.rs`, places of elements in
//! `place.rs`, how far they reach in `reach.rs`, comparison in `same.rs`. Reads, never changes.

mod blocks;
mod per_axis;
mod place;
mod predicate;
mod reach;
mod same;

pub use blocks::{Blocking095, InnerBlocks};
pub use per_axis::{Index, PerAxis, Strides};
pub use place::Location;

use super::Descriptor;
use reach::Side;

impl Descriptor {
    /// The outer strides in logical order, in elements: for a blocked axis the distance between two of its blocks
    /// (oneDNN: `dnnl_query_strides`).
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// let d = Descriptor::new(DType::F32, &[1, 64, 5, 4], "nhwc")?;
    /// assert_eq!(*d.strides(), [1280, 1, 256, 64]);
    /// # Ok::<(), layout_core::descriptor::DescriptorError>(())
    /// ```
    pub const fn strides(&self) -> Strides {
        let mut out = PerAxis::filled(self.rank(), 0);
        let mut walk = self.inner_first();
        while let Some(d) = walk.step() {
            if d.top {
                out.set(d.axis, d.stride);
            }
        }
        out
    }

    /// Whether an extent is 0, so that there are no elements.
    pub const fn is_empty(&self) -> bool {
        let dims = self.dims();
        let mut a = 0;
        while a < dims.len() {
            if dims[a] == 0 {
                return true;
            }
            a += 1;
        }
        false
    }

    /// The number of elements without padding: the product of the extents, 1 for rank 0.
    pub const fn logical_len(&self) -> usize {
        product(self.dims())
    }

    /// The number of elements with padding: the product of the padded extents, 0 where an extent is 0. Unused memory
    /// between strided elements does not count, nor does the part of a block that belongs to somebody else. Elements
    /// that a broadcast puts on one place count each.
    pub const fn padded_len(&self) -> usize {
        product(self.padded_dims())
    }

    /// The share of padding in [`Descriptor::padded_len`], from 0 to 1; 0 where there are no elements.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// // 3 channels in a block of 16.
    /// assert_eq!(Descriptor::new(DType::F32, &[1, 3, 8, 8], "nChw16c")?.padding_share(), 13.0 / 16.0);
    /// # Ok::<(), layout_core::descriptor::DescriptorError>(())
    /// ```
    pub const fn padding_share(&self) -> f64 {
        let padded = self.padded_len();
        if padded == 0 { 0.0 } else { (padded - self.logical_len()) as f64 / padded as f64 }
    }

    /// The least number of elements that memory holding the tensor must have: 1 + the largest offset of an element or
    /// of its padding, base included; 0 where an extent is 0.
    pub const fn required_len(&self) -> usize {
        if self.is_empty() { 0 } else { self.farthest(Side::Above) + 1 }
    }

    /// The size of memory that holds the tensor, in bytes: [`Descriptor::required_len`] times the element size, and
    /// of elements of 4 bits half as many, rounded up.
    ///
    /// For dense memory this is what `dnnl_memory_desc_get_size` gives. It differs in two points: the base offset is
    /// included, because the memory has to hold it, and strided memory ends with its last element, where oneDNN takes
    /// the largest product of extent and stride.
    pub const fn size_bytes(&self) -> usize {
        self.dtype.bytes(self.required_len())
    }

    /// The smallest offset of an element or of its padding, in elements: the base, unless a stride is negative or the
    /// tensor starts inside a block.
    pub const fn first_offset(&self) -> usize {
        if self.is_empty() { self.base } else { self.farthest(Side::Below) }
    }

    /// Whether the padded elements fill one stretch of memory in the order that the format states: no gaps, no
    /// negative strides, no broadcast. The strides of axes of a single value do not matter, nor does the base. A
    /// tensor without elements is dense.
    pub const fn is_dense(&self) -> bool {
        if self.is_empty() {
            return true;
        }
        let mut walk = self.inner_first();
        while let Some(d) = walk.step() {
            if d.extent > 1 && d.stride <= 0 {
                return false;
            }
        }
        // No two of them share an offset.
        self.required_len() - self.first_offset() == self.padded_len()
    }

    /// Whether the format has no inner blocks: one stride an axis says everything. It may be strided or padded.
    pub const fn is_plain(&self) -> bool {
        self.digit_len() == self.rank()
    }
}

/// The product, which the descriptor has checked; 0 first, because the others alone need not fit.
const fn product(extents: &[usize]) -> usize {
    let mut product = 1;
    let mut a = 0;
    while a < extents.len() {
        if extents[a] == 0 {
            return 0;
        }
        product *= extents[a];
        a += 1;
    }
    product
}
