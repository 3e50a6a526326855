//! [`Attributes`]: what a reorder does to the numbers on the way, scales, zero points, sums, and to padding. Given to the plan, which takes from
//! them along which axes values differ, and to each run, which takes the values.
//!
//! * `values` is one attribute, `numbers` the types that it may have, `normalization` the attributes of pictures.
//! * `roles` is what a plan keeps of attributes, `scaling` the values of one `run`. `typed` is the way in for views.

mod normalization;
mod numbers;
mod roles;
mod run;
mod scaling;
mod typed;
mod values;

pub use normalization::Normalization;
use numbers::Given;
pub use numbers::{Bf16Bits, E8M0Bits, F16Bits, Scale, ZeroPoint};
pub use roles::AxisNames;
pub(super) use roles::{Roles, Wanted, is_anonymous, that_matters};
pub(super) use scaling::{Placed, Scaling};
pub use typed::reorder_with;
pub use values::Values;

use crate::kernels::convert::Rounding;
use core::fmt;

/// Scales and zero points that a reorder applies while it moves and converts:
///
/// ```text
/// dst = convert(((src - src_zero_point) * src_scale + beta * dst) * (1 / dst_scale) + dst_zero_point)
/// ```
///
/// Each of the four is absent, one value for all elements ([`Values::common`]), one for each index of an axis
/// ([`Values::per_axis`]) or of several ([`Values::per_axes`]), or one for each group of indices ([`Values::grouped`]); different
/// ones may follow different axes. They may be of smaller types than f32 and i32: see [`Scale`] and [`ZeroPoint`].
/// What the destination holds is added with [`accumulate`](Self::accumulate) alone, and is not read otherwise. Padding of the
/// destination is zero, or what [`padding`](Self::padding) says.
///
/// # The arithmetic
/// The source is converted to f32, every step is rounded to the nearest f32 (ties to even), and none is fused with
/// the next; `1 / dst_scale` is rounded once for each scale. The result is converted to the type of the destination, as
/// [`kernels::convert`](crate::kernels::convert) says: integers are rounded to the nearest, ties to even, and saturated, NaN
/// becomes 0; otherwise where [`rounding`](Self::rounding) says so. A step that is absent changes no bit. So the result is the same
/// on every processor, and that of plain
/// Rust: `(((x as f32 - zero_point as f32) * src_scale) * (1.0 / dst_scale) + shift).round_ties_even() as i8`.
/// Only what kind of NaN it is may differ, its sign and payload, where a step makes one or both of its numbers are one.
/// Scales may be any number: divided by 0, a number is infinite, which saturates, and 0 is NaN.
///
/// This is the formula of [oneDNN's reorder](https://uxlfoundation.github.io/oneDNN/dev_guide_reorder.html),
/// `scale_src * (src - shift_src) / scale_dst + shift_dst` with intermediate steps in f32, the way its kernels compute it: they
/// multiply by the reciprocal of the destination's scale, where the guide divides. For scales that are no power of two the two
/// ways differ in the last bit of some results before the last rounding; in an integer type, that is by 1 where the value
/// lies next to a half. Byte for byte we follow the kernels. They also add the destination where it stands here: before the
/// destination's scale and zero point, as a number that is not scaled. Beyond oneDNN, zero points may differ along axes, beta may be
/// any number, and any two types go together; there, numbers beyond those of f32 (f64, and s32 beyond 2^24) are rounded to f32 first.
///
/// # Examples
/// ```
/// use layout_core::descriptor::{DType, Descriptor};
/// use layout_core::reorder::{Attributes, Reorder, Values};
///
/// // Weights to 8 bits, with a scale for each output channel.
/// let src = Descriptor::new(DType::F32, &[2, 3, 1, 1], "oihw")?;
/// let dst = Descriptor::new(DType::S8, &[2, 3, 1, 1], "OIhw2i4o")?;
/// let scales = [0.5, 0.25];
/// let attributes = Attributes::new().dst_scale(Values::per_axis('o', &scales));
/// let plan = Reorder::with_attributes(&src, &dst, &attributes)?;
///
/// let weights: Vec<u8> = [1.0f32, 2.0, 3.0, 1.0, 2.0, 300.0].iter().flat_map(|x| x.to_ne_bytes()).collect();
/// let mut out = [9; 16];
/// plan.run_with(&weights, &mut out, &attributes)?;
/// assert_eq!(out, [2, 4, 0, 0, 4, 8, 0, 0, 6, 127, 0, 0, 0, 0, 0, 0]);
///
/// // Other values on the same plan.
/// plan.run_with(&weights, &mut out, &Attributes::new().dst_scale(Values::per_axis('o', &[1.0, 1.0])))?;
/// assert_eq!(out[..6], [1, 1, 0, 0, 2, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Attributes<'a> {
    /// In the order of [`Attribute`].
    given: [Option<Given<'a>>; 4],
    beta: Option<f32>,
    padding: Padding,
    rounding: Rounding,
}

/// What the padding of a destination holds.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[non_exhaustive]
pub enum Padding {
    /// Zero, which adds nothing to a sum of products.
    #[default]
    Zero,
    /// The zero point of the destination, which stands for 0 there. It has to be the same for all elements.
    ZeroPoint,
    /// A number, converted to the type of the destination: to nearest even, whatever rounds the elements.
    Number(f64),
}

/// One of the attributes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Attribute {
    /// What is subtracted from the source's numbers.
    SrcZeroPoint,
    /// What the source's numbers are multiplied by then.
    SrcScale,
    /// What the result is divided by.
    DstScale,
    /// What is added at last.
    DstZeroPoint,
    /// What the destination held, times beta.
    Accumulation,
    /// Sums over the numbers of weights: see [`Compensation`](super::Compensation).
    Compensation,
}

impl Attribute {
    /// Those with values, in the order in which they are applied.
    const ALL: [Attribute; 4] =
        [Attribute::SrcZeroPoint, Attribute::SrcScale, Attribute::DstScale, Attribute::DstZeroPoint];
}

impl fmt::Display for Attribute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Attribute::SrcZeroPoint => "source zero point",
            Attribute::SrcScale => "source scale",
            Attribute::DstScale => "destination scale",
            Attribute::DstZeroPoint => "destination zero point",
            Attribute::Accumulation => "accumulation",
            Attribute::Compensation => "compensation",
        })
    }
}

impl<'a> Attributes<'a> {
    /// None: numbers are converted, and that is all.
    pub const fn new() -> Attributes<'a> {
        Attributes { given: [None; 4], beta: None, padding: Padding::Zero, rounding: Rounding::NearestEven }
    }

    /// What a number of the source is multiplied by: a number x stands for x * scale.
    #[must_use]
    pub const fn src_scale<T: Scale>(self, scale: Values<'a, T>) -> Attributes<'a> {
        self.with(Attribute::SrcScale, Given::new(scale))
    }

    /// The number of the source that stands for 0. For sources of integers; [`src_shift`](Self::src_shift) takes any number.
    #[must_use]
    pub const fn src_zero_point<T: ZeroPoint>(self, zero_point: Values<'a, T>) -> Attributes<'a> {
        self.with(Attribute::SrcZeroPoint, Given::new(zero_point))
    }

    /// A zero point of the source that need not be an integer: subtracted from every number, such as the mean of a channel.
    #[must_use]
    pub const fn src_shift<T: Scale>(self, shift: Values<'a, T>) -> Attributes<'a> {
        self.with(Attribute::SrcZeroPoint, Given::new(shift))
    }

    /// What a number is divided by: a number x of the destination stands for x * scale. Multiplied by the reciprocal, as
    /// stands [above](Self#the-arithmetic).
    #[must_use]
    pub const fn dst_scale<T: Scale>(self, scale: Values<'a, T>) -> Attributes<'a> {
        self.with(Attribute::DstScale, Given::new(scale))
    }

    /// The number of the destination that stands for 0. For destinations of integers; [`dst_shift`](Self::dst_shift) takes any
    /// number.
    #[must_use]
    pub const fn dst_zero_point<T: ZeroPoint>(self, zero_point: Values<'a, T>) -> Attributes<'a> {
        self.with(Attribute::DstZeroPoint, Given::new(zero_point))
    }

    /// A zero point of the destination that need not be an integer: added to every number.
    #[must_use]
    pub const fn dst_shift<T: Scale>(self, shift: Values<'a, T>) -> Attributes<'a> {
        self.with(Attribute::DstZeroPoint, Given::new(shift))
    }

    /// Adds `beta` times the number that the destination holds, before the destination's scale and zero point: oneDNN's post-op
    /// "sum" of a reorder. Where `beta` is 0 the step is left out: the destination is not read, so that it may hold NaN, and without
    /// other attributes the result is that of [`Reorder::new`](super::Reorder::new), beyond f32 as well.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// use layout_core::reorder::{Attributes, Reorder};
    ///
    /// let src = Descriptor::new(DType::S8, &[2, 2], "ab")?;
    /// let dst = Descriptor::new(DType::S32, &[2, 2], "ba")?;
    /// let attributes = Attributes::new().accumulate(0.5);
    /// let plan = Reorder::with_attributes(&src, &dst, &attributes)?;
    /// let mut sums: Vec<u8> = [10, 20, 30, 40].iter().flat_map(|x: &i32| x.to_ne_bytes()).collect();
    /// plan.run_with(&[1, 2, 3, 4], &mut sums, &attributes)?;
    /// let sums: Vec<i32> = sums.chunks(4).map(|bytes| i32::from_ne_bytes(bytes.try_into().unwrap())).collect();
    /// assert_eq!(sums, [6, 13, 17, 24]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn accumulate(mut self, beta: f32) -> Attributes<'a> {
        self.beta = Some(beta);
        self
    }

    /// What the padding of the destination holds after a run. It is the same for every plan, and read when one runs.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// use layout_core::reorder::{Attributes, Padding, Reorder, Values};
    ///
    /// let src = Descriptor::new(DType::F32, &[1, 3], "nc")?;
    /// let dst = Descriptor::new(DType::U8, &[1, 3], "nC4c")?;
    /// let asymmetric = Attributes::new()
    ///     .dst_scale(Values::common(0.5))
    ///     .dst_zero_point(Values::common(128))
    ///     .padding(Padding::ZeroPoint);
    /// let plan = Reorder::with_attributes(&src, &dst, &asymmetric)?;
    /// let numbers: Vec<u8> = [1.0f32, -1.0, 0.0].iter().flat_map(|x| x.to_ne_bytes()).collect();
    /// let mut out = [0; 4];
    /// plan.run_with(&numbers, &mut out, &asymmetric)?;
    /// assert_eq!(out, [130, 126, 128, 128]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn padding(mut self, padding: Padding) -> Attributes<'a> {
        self.padding = padding;
        self
    }

    /// How the last conversion rounds, that to the type of the destination. The plan follows from the way to round, not from the
    /// seed of [`Rounding::Stochastic`]. Where nothing can be lost, as from s8 to f32, it makes no difference.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// use layout_core::kernels::convert::Rounding;
    /// use layout_core::reorder::{Attributes, Reorder, Values};
    ///
    /// let src = Descriptor::new(DType::F32, &[4], "a")?;
    /// let dst = Descriptor::new(DType::S8, &[4], "a")?;
    /// let numbers: Vec<u8> = [1.0f32, 2.75, -1.0, -2.75].iter().flat_map(|x| x.to_ne_bytes()).collect();
    /// let mut out = [0; 4];
    /// let attributes = Attributes::new().dst_scale(Values::common(0.5)).rounding(Rounding::TowardZero);
    /// let plan = Reorder::with_attributes(&src, &dst, &attributes)?;
    /// plan.run_with(&numbers, &mut out, &attributes)?;
    /// assert_eq!(out.map(|x| x as i8), [2, 5, -2, -5]);
    /// assert!(plan.to_string().contains("rounded toward zero"));
    ///
    /// let error = plan.run_with(&numbers, &mut out, &attributes.rounding(Rounding::Up)).unwrap_err();
    /// assert!(error.to_string().starts_with("the plan rounds toward zero, but is run with rounding up"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn rounding(mut self, rounding: Rounding) -> Attributes<'a> {
        self.rounding = rounding;
        self
    }

    /// What a plan follows from: which attributes there are, of integers or not, and along which axes; no values.
    pub(super) fn outline(&self) -> impl Iterator<Item = u64> {
        let given = |given: Option<Given<'a>>| {
            let axes = given.and_then(|given| given.axes()).unwrap_or(0);
            let kind = match given {
                None => 0,
                Some(given) => {
                    1 | u64::from(given.is_integer()) << 1
                        | given.axes().map_or(0, |axes| (axes as u64 + 1) << 2)
                }
            };
            let axis = move |i| {
                given.map_or([0, 0], |given| {
                    let (name, group) = given.axis(i);
                    [name as u64, group as u64]
                })
            };
            core::iter::once(kind).chain((0..axes).flat_map(axis))
        };
        self.given.into_iter().flat_map(given).chain([self.beta.is_some().into(), self.rounding.code()])
    }

    const fn with(mut self, attribute: Attribute, given: Given<'a>) -> Attributes<'a> {
        self.given[attribute as usize] = Some(given);
        self
    }
}
