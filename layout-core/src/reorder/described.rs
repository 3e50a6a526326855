//! Reorders between buffers that descriptors describe, in one line: [`reorder_bytes`]. Plans come from the cache of the
//! thread; `run` moves the bytes.

use super::cache::{Key, Operands, with_plan};
use super::{Attributes, Reorder, ReorderError, ReorderOptions};
use crate::descriptor::Descriptor;

/// Moves the tensor that `src_descriptor` describes from `src` to `dst`, where `dst_descriptor` describes it, and converts
/// the data type. The destination's padding is set to zero in the same pass.
///
/// This is [`Reorder::new`](super::Reorder::new) and [`Reorder::run`](super::Reorder::run), which say what the descriptors may
/// be and how the buffers lie, in one call. With the feature `std`, the plan is looked up in the thread's
/// [`PlanCache`](super::PlanCache) and made where it is not there; looking up takes less than 0.1 microseconds.
///
/// # Errors
/// Those of [`Reorder::new`](super::Reorder::new) and [`Reorder::run`](super::Reorder::run); nothing was written then.
///
/// ```
/// use layout_core::descriptor::{DType, Descriptor};
/// use layout_core::reorder::reorder_bytes;
///
/// let src = Descriptor::new(DType::U8, &[1, 3, 2, 2], "nhwc")?;
/// let dst = Descriptor::new(DType::S8, &[1, 3, 2, 2], "nChw4c")?;
/// let pixels = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 200];
/// let mut out = vec![0xFF; dst.size_bytes()];
/// reorder_bytes(&src, &pixels, &dst, &mut out)?;
/// assert_eq!(out, [1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0, 10, 11, 127, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn reorder_bytes(
    src_descriptor: &Descriptor,
    src: &[u8],
    dst_descriptor: &Descriptor,
    dst: &mut [u8],
) -> Result<(), ReorderError> {
    ReorderOptions::new().reorder_bytes(src_descriptor, src, dst_descriptor, dst)
}

/// [`reorder_bytes`] with scales, zero points, sums and padding: [`Reorder::with_attributes`] and [`Reorder::run_with`] in one call.
/// The plan is found again for other values along the same axes.
///
/// # Errors
/// Those of the two; nothing was written then.
///
/// ```
/// use layout_core::descriptor::{DType, Descriptor};
/// use layout_core::reorder::{Attributes, Values, reorder_bytes_with};
///
/// let src = Descriptor::new(DType::U8, &[1, 2, 2], "nwc")?;
/// let dst = Descriptor::new(DType::S8, &[1, 2, 2], "ncw")?;
/// let zero_points = [10, 20];
/// let attributes = Attributes::new().src_zero_point(Values::per_axis('c', &zero_points));
/// let mut out = [0; 4];
/// reorder_bytes_with(&src, &[11, 22, 13, 24], &dst, &mut out, &attributes)?;
/// assert_eq!(out, [1, 3, 2, 4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn reorder_bytes_with(
    src_descriptor: &Descriptor,
    src: &[u8],
    dst_descriptor: &Descriptor,
    dst: &mut [u8],
    attributes: &Attributes<'_>,
) -> Result<(), ReorderError> {
    let operands = Operands::Described { src: src_descriptor, dst: dst_descriptor };
    let mut result = Ok(());
    with_plan(
        Key { operands, options: ReorderOptions::new(), attributes: Some(attributes) },
        &mut || Reorder::with_attributes(src_descriptor, dst_descriptor, attributes),
        &mut |plan| result = plan.run_with(src, dst, attributes),
    )?;
    result
}

impl ReorderOptions {
    /// [`reorder_bytes`] with these options.
    ///
    /// # Errors
    /// As for [`reorder_bytes`].
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// use layout_core::reorder::{ReorderOptions, Stores};
    ///
    /// let rows = Descriptor::new(DType::U8, &[2, 2], "ab")?;
    /// let columns = Descriptor::new(DType::U8, &[2, 2], "ba")?;
    /// let mut out = [0; 4];
    /// let options = ReorderOptions::new().with_stores(Stores::Temporal);
    /// options.reorder_bytes(&rows, &[1, 2, 3, 4], &columns, &mut out)?;
    /// assert_eq!(out, [1, 3, 2, 4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reorder_bytes(
        &self,
        src_descriptor: &Descriptor,
        src: &[u8],
        dst_descriptor: &Descriptor,
        dst: &mut [u8],
    ) -> Result<(), ReorderError> {
        let operands = Operands::Described { src: src_descriptor, dst: dst_descriptor };
        let mut result = Ok(());
        with_plan(
            Key { operands, options: *self, attributes: None },
            &mut || self.tuned_plan(src_descriptor, dst_descriptor),
            &mut |plan| result = plan.run(src, dst),
        )?;
        result
    }
}
