//! Conversions from one slice to another: [`convert_slice`], and [`convert_slice_with`] another rounding. No plan: a slice is one row.

use super::super::ReorderError;
use super::super::attributes::that_matters;
use super::super::plan::format;
use super::{CLAIM_BYTES, STREAM_BYTES};
use crate::descriptor::Element;
use crate::kernels::convert::Rounding;
use crate::kernels::{
    Epilogue, Kernel, PARAMETERS, Parameter, Rounded, Step, Tables, Tile, Token, Values, claims,
    convert_kernel, copy_kernel, fence,
};
use core::cell::Cell;
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
    convert(src, dst, None)
}

/// [`convert_slice`] with another way to round; the position of an element, for [`Rounding::Stochastic`], is its index.
///
/// # Errors
/// Those of [`convert_slice`].
///
/// ```
/// use layout_core::descriptor::F8E4M3;
/// use layout_core::kernels::convert::Rounding;
/// use layout_core::reorder::convert_slice_with;
///
/// let numbers = [1.05f32; 4];
/// let mut small = [F8E4M3::default(); 4];
/// convert_slice_with(&numbers, &mut small, Rounding::Up)?;
/// assert_eq!(small.map(F8E4M3::to_f32), [1.125; 4]);
/// convert_slice_with(&numbers, &mut small, Rounding::Stochastic { seed: 2 })?;
/// assert!(small.iter().all(|x| [1.0, 1.125].contains(&x.to_f32())));
/// # Ok::<(), layout_core::reorder::ReorderError>(())
/// ```
pub fn convert_slice_with<A: Element, B: Element>(
    src: &[A],
    dst: &mut [B],
    rounding: Rounding,
) -> Result<(), ReorderError> {
    let how = that_matters(rounding, [A::DTYPE, B::DTYPE], false);
    if how == Rounding::NearestEven {
        return convert(src, dst, None);
    }
    let position = Parameter { values: Values::NONE, at: Cell::new(0), x: 1, y: 0, z: 0 };
    let position = matches!(how, Rounding::Stochastic { .. }).then_some(position);
    let rounding = Some(Rounded { how, position });
    convert(src, dst, Some(&Epilogue { beta: 0.0, parameters: [const { None }; PARAMETERS], rounding }))
}

/// Converts every element, with an epilogue if there is one.
fn convert<A: Element, B: Element>(
    src: &[A],
    dst: &mut [B],
    epilogue: Option<&Epilogue>,
) -> Result<(), ReorderError> {
    if src.len() != dst.len() {
        return Err(ReorderError::SliceLength { src: src.len(), dst: dst.len() });
    }
    let stream = size_of_val(dst) >= STREAM_BYTES;
    let claims = !stream && size_of_val(src) + size_of_val(dst) >= CLAIM_BYTES && claims();
    let tile = Tile {
        x: Step { len: src.len(), src: size_of::<A>() as isize, dst: size_of::<B>() as isize },
        y: Step { len: 1, src: 0, dst: 0 },
        z: Step { len: 1, src: 0, dst: 0 },
        valid_x: src.len(),
        valid_y: 1,
        stream,
        claims,
        tables: Tables::NONE,
        epilogue,
        token: Token::current(),
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
