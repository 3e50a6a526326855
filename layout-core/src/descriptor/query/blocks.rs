//! The inner blocks of a descriptor, as oneDNN lists them today ([`InnerBlocks`]) and as MKL-DNN 0.95 did
//! ([`Blocking095`]). For code that talks to those libraries; nothing here works on the results.

use super::super::Descriptor;
use crate::grammar::{MAX_RANK, Spec};

/// The inner blocks of a format, outermost first, as pairs of logical axis and size. Their number is oneDNN's
/// `inner_nblks`, the axes are `inner_idxs`, the sizes `inner_blks`.
#[derive(Clone)]
pub struct InnerBlocks<'a> {
    spec: &'a Spec,
    position: usize,
    left: usize,
}

impl Iterator for InnerBlocks<'_> {
    type Item = (usize, usize);

    fn next(&mut self) -> Option<(usize, usize)> {
        loop {
            let (axis, size) = self.spec.axis_and_size(self.position)?;
            self.position += 1;
            if let Some(size) = size {
                self.left -= 1;
                return Some((axis, size as usize));
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for InnerBlocks<'_> {}

/// The `blocking` structure of an MKL-DNN 0.95 memory descriptor (`mkldnn_blocking_desc_t`), in its own terms. Only
/// the first values, as many as the rank, mean something; the others are 0.
///
/// The element at index `i` lies at
/// `offset_padding + Σ p[d] / block_dims[d] * strides[0][d] + p[d] % block_dims[d] * strides[1][d]`, where `p` is `i`
/// plus `offset_padding_to_data`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Blocking095 {
    /// Block size of each axis, 1 where it is not blocked.
    pub block_dims: [usize; MAX_RANK],
    /// Strides between blocks, and within blocks (1 where the axis is not blocked), in elements.
    pub strides: [[isize; MAX_RANK]; 2],
    /// Extents with padding.
    pub padding_dims: [usize; MAX_RANK],
    /// Padding in front of the data, by axis.
    pub offset_padding_to_data: [usize; MAX_RANK],
    /// Offset of position 0, in elements.
    pub offset_padding: usize,
}

impl Descriptor {
    /// The inner blocks, outermost first, as pairs of logical axis and size.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// let weights = Descriptor::new(DType::S8, &[64, 32, 3, 3], "OIhw4i16o4i")?;
    /// assert!(weights.inner_blocks().eq([(1, 4), (0, 16), (1, 4)]));
    /// # Ok::<(), layout_core::descriptor::DescriptorError>(())
    /// ```
    pub const fn inner_blocks(&self) -> InnerBlocks<'_> {
        InnerBlocks { spec: &self.spec, position: 0, left: self.digit_len() - self.rank() }
    }

    /// The `blocking` structure that MKL-DNN 0.95 describes the memory by; `None` where an axis is blocked more than
    /// once or starts or ends inside a block, which that structure cannot say.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// let d = Descriptor::new(DType::F32, &[2, 17, 5, 4], "nChw8c")?;
    /// let blocking = d.blocking_095().unwrap();
    /// assert_eq!(blocking.block_dims[..4], [1, 8, 1, 1]);
    /// assert_eq!(blocking.strides[0][..4], [480, 160, 32, 8]);
    /// assert_eq!(blocking.strides[1][..4], [1, 1, 1, 1]);
    /// assert_eq!(blocking.padding_dims[..4], [2, 24, 5, 4]);
    /// # Ok::<(), layout_core::descriptor::DescriptorError>(())
    /// ```
    pub const fn blocking_095(&self) -> Option<Blocking095> {
        if self.is_ragged() {
            return None;
        }
        let mut out = Blocking095 {
            block_dims: [0; MAX_RANK],
            strides: [[0; MAX_RANK]; 2],
            padding_dims: self.padded,
            offset_padding_to_data: self.origin,
            offset_padding: self.base,
        };
        let mut a = 0;
        while a < self.rank() {
            out.block_dims[a] = 1;
            out.strides[1][a] = 1;
            a += 1;
        }
        let mut walk = self.inner_first();
        while let Some(d) = walk.step() {
            if d.top {
                out.strides[0][d.axis] = d.stride;
            } else if out.block_dims[d.axis] == 1 {
                out.block_dims[d.axis] = d.extent;
                out.strides[1][d.axis] = d.stride;
            } else {
                return None;
            }
        }
        Some(out)
    }
}
