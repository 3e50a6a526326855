//! Quantising and back in one line, and scales that fit a tensor's numbers.

use super::super::ReorderError;
use super::super::attributes::{Scale, ZeroPoint};
use super::{TypedAttributes, ValuesOf};
use crate::descriptor::Element;
use crate::kernels::convert::Rounding;
use crate::layout::{HasAxis, Layout, SameAxes};
use crate::view::{View, ViewMut};

/// Quantises `src` into `dst`, from any layout to any other: `x / scale`, rounded to the nearest, ties to even, and saturated.
/// `scale` is a number, or [`PerAxis`](super::PerAxis), [`PerAxes`](super::PerAxes) or [`PerGroup`](super::PerGroup) of them. The
/// division is a multiplication by the reciprocal, as stands at [`Attributes`](super::super::Attributes). Other ways to round:
/// [`quantise_with`].
///
/// # Errors
/// Those of [`reorder_with`](super::super::reorder_with). An axis that the layout has not does not compile.
///
/// ```
/// use layout_core::layout::{OIhw4i16o4i, Oihw};
/// use layout_core::reorder::{PerAxis, dequantise, quantise, symmetric_scales};
/// use layout_core::view::Tensor;
///
/// let weights = Tensor::<f32, Oihw>::from_fn([2, 3, 1, 1], |[o, i, ..]| (o + 1) as f32 * (i as f32 - 1.0))?;
/// let mut scales = [0.0; 2];
/// symmetric_scales::<'o', _>(&weights, 127.0, &mut scales)?;
/// let mut packed = Tensor::<i8, OIhw4i16o4i>::zeroed([2, 3, 1, 1])?;
/// quantise(&weights, &mut packed, PerAxis::<'o'>(&scales))?;
/// assert_eq!(packed.iter().copied().collect::<Vec<_>>(), [-127, 0, 127, -127, 0, 127]);
///
/// let mut back = Tensor::<f32, Oihw>::zeroed([2, 3, 1, 1])?;
/// dequantise(&packed, &mut back, PerAxis::<'o'>(&scales))?;
/// assert!(back.iter().zip(weights.iter()).all(|(a, b)| (a - b).abs() < 1e-6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn quantise<'a, Src, Dst, S>(src: Src, dst: Dst, scale: S) -> Result<(), ReorderError>
where
    Src: View<Elem: Element>,
    Dst: ViewMut<Elem: Element, Layout: SameAxes<Src::Layout>>,
    S: ValuesOf<'a, Src::Layout, Number: Scale>,
{
    quantise_with(src, dst, scale, Rounding::NearestEven)
}

/// [`quantise`] with another way to round; with [`Rounding::Stochastic`], an element's chance follows its index and not the layout.
///
/// # Errors
/// Those of [`quantise`].
///
/// ```
/// use layout_core::layout::{Nchw, Nchw16c};
/// use layout_core::reorder::{Rounding, quantise_with};
/// use layout_core::view::Tensor;
///
/// let gradients = Tensor::<f32, Nchw>::filled([1, 100, 10, 10], 0.125)?;
/// let mut small = Tensor::<i8, Nchw16c>::zeroed([1, 100, 10, 10])?;
/// quantise_with(&gradients, &mut small, 0.25, Rounding::Up)?; // half a quarter becomes a whole one
/// assert!(small.iter().all(|&x| x == 1));
/// // By chance, half of them; another seed for every step of a training.
/// quantise_with(&gradients, &mut small, 0.25, Rounding::Stochastic { seed: 7 })?;
/// let sum: i32 = small.iter().map(|&x| i32::from(x)).sum();
/// assert!((4800..5200).contains(&sum));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn quantise_with<'a, Src, Dst, S>(
    src: Src,
    dst: Dst,
    scale: S,
    rounding: Rounding,
) -> Result<(), ReorderError>
where
    Src: View<Elem: Element>,
    Dst: ViewMut<Elem: Element, Layout: SameAxes<Src::Layout>>,
    S: ValuesOf<'a, Src::Layout, Number: Scale>,
{
    TypedAttributes::new().dst_scale(scale).rounding(rounding).reorder(src, dst)
}

/// [`quantise`] with a zero point: `x / scale + zero_point`.
///
/// # Errors
/// Those of [`quantise`].
///
/// ```
/// use layout_core::layout::{Nchw, Nchw16c};
/// use layout_core::reorder::{asymmetric_scale, quantise_asymmetric};
/// use layout_core::view::Tensor;
///
/// let act = Tensor::<f32, Nchw>::from_fn([1, 4, 1, 1], |[_, c, ..]| c as f32 - 1.0)?;
/// let (scale, zero_point) = asymmetric_scale(&act, 0.0, 255.0);
/// let mut quantised = Tensor::<u8, Nchw16c>::zeroed([1, 4, 1, 1])?;
/// quantise_asymmetric(&act, &mut quantised, scale, zero_point)?;
/// assert_eq!(quantised.iter().copied().collect::<Vec<_>>(), [0, 85, 170, 255]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn quantise_asymmetric<'a, Src, Dst, S, Z>(
    src: Src,
    dst: Dst,
    scale: S,
    zero_point: Z,
) -> Result<(), ReorderError>
where
    Src: View<Elem: Element>,
    Dst: ViewMut<Elem: Element, Layout: SameAxes<Src::Layout>>,
    S: ValuesOf<'a, Src::Layout, Number: Scale>,
    Z: ValuesOf<'a, Src::Layout, Number: ZeroPoint>,
{
    quantise_asymmetric_with(src, dst, scale, zero_point, Rounding::NearestEven)
}

/// [`quantise_asymmetric`] with another way to round: what is rounded is `x / scale + zero_point`.
///
/// # Errors
/// Those of [`quantise`].
///
/// ```
/// use layout_core::layout::RowMajor;
/// use layout_core::reorder::{Rounding, quantise_asymmetric_with};
/// use layout_core::view::Tensor;
///
/// let act = Tensor::<f32, RowMajor>::from_vec([1, 3], vec![-0.3, 0.0, 0.3])?;
/// let mut quantised = Tensor::<u8, RowMajor>::zeroed([1, 3])?;
/// quantise_asymmetric_with(&act, &mut quantised, 0.5, 128, Rounding::Down)?;
/// assert_eq!(quantised.as_slice(), [127, 128, 128]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn quantise_asymmetric_with<'a, Src, Dst, S, Z>(
    src: Src,
    dst: Dst,
    scale: S,
    zero_point: Z,
    rounding: Rounding,
) -> Result<(), ReorderError>
where
    Src: View<Elem: Element>,
    Dst: ViewMut<Elem: Element, Layout: SameAxes<Src::Layout>>,
    S: ValuesOf<'a, Src::Layout, Number: Scale>,
    Z: ValuesOf<'a, Src::Layout, Number: ZeroPoint>,
{
    TypedAttributes::new().dst_scale(scale).dst_zero_point(zero_point).rounding(rounding).reorder(src, dst)
}

/// The way back from [`quantise`]: `x * scale`. To smaller floats than f32 that is rounded too: to nearest even, or as
/// [`TypedAttributes::rounding`] says.
///
/// # Errors
/// Those of [`quantise`].
pub fn dequantise<'a, Src, Dst, S>(src: Src, dst: Dst, scale: S) -> Result<(), ReorderError>
where
    Src: View<Elem: Element>,
    Dst: ViewMut<Elem: Element, Layout: SameAxes<Src::Layout>>,
    S: ValuesOf<'a, Src::Layout, Number: Scale>,
{
    TypedAttributes::new().src_scale(scale).reorder(src, dst)
}

/// The way back from [`quantise_asymmetric`]: `(x - zero_point) * scale`.
///
/// # Errors
/// Those of [`quantise`].
///
/// ```
/// use layout_core::layout::{ColumnMajor, RowMajor};
/// use layout_core::reorder::{PerGroup, dequantise, dequantise_asymmetric};
/// use layout_core::view::Tensor;
///
/// // Compressed weights: a scale for each 2 rows of each column.
/// let weights = Tensor::<u8, RowMajor>::filled([4, 2], 10)?;
/// let mut out = Tensor::<f32, ColumnMajor>::zeroed([4, 2])?;
/// dequantise(&weights, &mut out, PerGroup::<'a', 2, 'b'>(&[1.0, 2.0, 3.0, 4.0]))?;
/// assert_eq!(out.as_slice(), [10.0, 10.0, 30.0, 30.0, 20.0, 20.0, 40.0, 40.0]);
/// dequantise_asymmetric(&weights, &mut out, 0.5, 8)?;
/// assert_eq!(out.as_slice(), [1.0; 8]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn dequantise_asymmetric<'a, Src, Dst, S, Z>(
    src: Src,
    dst: Dst,
    scale: S,
    zero_point: Z,
) -> Result<(), ReorderError>
where
    Src: View<Elem: Element>,
    Dst: ViewMut<Elem: Element, Layout: SameAxes<Src::Layout>>,
    S: ValuesOf<'a, Src::Layout, Number: Scale>,
    Z: ValuesOf<'a, Src::Layout, Number: ZeroPoint>,
{
    TypedAttributes::new().src_scale(scale).src_zero_point(zero_point).reorder(src, dst)
}

/// The scale by which the largest magnitude in `view` becomes `largest`, 127 for s8; 1 where all numbers are 0, and at least
/// [`f32::MIN_POSITIVE`]. NaN counts as 0.
///
/// ```
/// use layout_core::layout::RowMajor;
/// use layout_core::{reorder::symmetric_scale, view::Tensor};
/// let tensor = Tensor::<f32, RowMajor>::from_vec([2, 2], vec![0.0, 254.0, -508.0, 1.0])?;
/// assert_eq!(symmetric_scale(&tensor, 127.0), 4.0);
/// # Ok::<(), layout_core::view::ViewError>(())
/// ```
pub fn symmetric_scale<V: View<Elem = f32>>(view: V, largest: f32) -> f32 {
    scale_of(view.as_strided_view().iter().fold(0.0, |most, x| x.abs().max(most)), largest)
}

/// [`symmetric_scale`] for each index of axis `AXIS`, into `scales`.
///
/// # Errors
/// [`ReorderError::ScaleCount`] where `scales` has not as many elements as the axis has indices. An axis that the layout has not
/// does not compile.
pub fn symmetric_scales<const AXIS: char, V>(
    view: V,
    largest: f32,
    scales: &mut [f32],
) -> Result<(), ReorderError>
where
    V: View<Elem = f32, Layout: HasAxis<AXIS>>,
{
    let position = <V::Layout as Layout>::SPEC.axis_named(AXIS).unwrap_or(0);
    let extent = view.dims().as_ref()[position];
    if scales.len() != extent {
        return Err(ReorderError::ScaleCount { axis: AXIS, extent, found: scales.len() });
    }
    scales.fill(0.0);
    for (index, x) in view.as_strided_view().indexed_iter() {
        let most = &mut scales[index.as_ref()[position]];
        *most = x.abs().max(*most);
    }
    scales.iter_mut().for_each(|scale| *scale = scale_of(*scale, largest));
    Ok(())
}

/// Scale and zero point by which the numbers in `view`, and 0, become `low..=high`: 0 and 255 for u8. NaN counts as 0.
pub fn asymmetric_scale<V: View<Elem = f32>>(view: V, low: f32, high: f32) -> (f32, i32) {
    let (least, most) =
        view.as_strided_view().iter().fold((0.0f32, 0.0f32), |(least, most), x| (x.min(least), x.max(most)));
    // Halves, because the whole range of what f32 holds is not an f32.
    let scale = scale_of(most / 2.0 - least / 2.0, (high - low) / 2.0);
    // Rounded to the nearest, and within bounds that are integers; in f64, which holds each f32 and a half.
    let zero_point = f64::from((low - least / scale).max(low).min(high));
    (scale, (zero_point + if zero_point < 0.0 { -0.5 } else { 0.5 }) as i32)
}

/// At least the least normal number: numbers are divided by a scale by its reciprocal, which has to be finite.
fn scale_of(most: f32, largest: f32) -> f32 {
    if most > 0.0 { (most / largest).max(f32::MIN_POSITIVE) } else { 1.0 }
}
