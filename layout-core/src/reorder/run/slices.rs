//! Conversions from one slice to another: [`convert_slice`]. No plan: a slice is one row.

use super::super::ReorderError;
use super::super::plan::format;
use super::STREAM_BYTES;
use crate::descriptor::Element;
use crate::kernels::{Kernel, Step, Tables, Tile, convert_kernel, copy_kernel, fence};
use core::marker::PhantomData;

/// Converts every element of `src` to the type of `dst`, at the speed of memory.
///
/// What the conversions mean stands in [`crate::kernels::convert`]. Between equal types this is a copy.
///
/// # Errors
/// [`ReorderError::SliceLength`] where the slices have different lengths; nothing is written then.
///
/// ```
/// use layout_core::descriptor::F8E4M3;
/// use layout_core::reorder::convert_slice;
///
/// let mut small = [F8E4M3::default(); 4];
/// convert_slice(&[1.0f32, -0.3, 1e3, 500.0], &mut small)?;
/// let mut back = [0f32; 4];
/// convert_slice(&small, &mut back)?;
/// assert_eq!(back[..2], [1.0, -0.3125]);
/// assert!(back[2].is_nan());
///
/// let error = convert_slice(&small, &mut [0u8; 3]).unwrap_err();
/// assert_eq!(error.to_string(), "the source has 4 elements, but the destination has 3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn convert_slice<A: Element, B: Element>(src: &[A], dst: &mut [B]) -> Result<(), ReorderError> {
    if src.len() != dst.len() {
        return Err(ReorderError::SliceLength { src: src.len(), dst: dst.len() });
    }
    let stream = size_of_val(dst) >= STREAM_BYTES;
    let tile = Tile {
        x: Step { len: src.len(), src: size_of::<A>() as isize, dst: size_of::<B>() as isize },
        y: Step { len: 1, src: 0, dst: 0 },
        z: Step { len: 1, src: 0, dst: 0 },
        valid_x: src.len(),
        valid_y: 1,
        stream,
        tables: Tables::NONE,
        epilogue: None,
    };
    // SAFETY: the slices are as long as the row, `dst`, being borrowed exclusively, does not overlap with `src`, and no element
    // type has invalid values.
    unsafe { (Row::<A, B>::KERNEL)(src.as_ptr().cast(), dst.as_mut_ptr().cast(), &tile) };
    if stream {
        fence();
    }
    Ok(())
}

/// A row of `A` that becomes one of `B`.
struct Row<A, B>(PhantomData<(A, B)>);

impl<A: Element, B: Element> Row<A, B> {
    const KERNEL: Kernel = match copy_kernel(size_of::<A>()) {
        Some(copy) if A::DTYPE as u8 == B::DTYPE as u8 => copy,
        _ => convert_kernel(format(A::DTYPE), format(B::DTYPE)),
    };
}
