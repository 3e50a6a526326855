//! [`TypedAttributes`]: attributes whose axes are looked up while compiling, in the layout that they are for; and the values that
//! they take, [`PerAxis`], [`PerAxes`] and [`PerGroup`].

use super::super::attributes::{Attributes, Bf16Bits, E8M0Bits, F16Bits, Padding, Scale, Values, ZeroPoint};
use super::super::{ReorderError, reorder_with};
use crate::descriptor::{E8M0, Element};
use crate::kernels::convert::Rounding;
use crate::layout::{HasAxis, Layout, SameAxes};
use crate::view::{View, ViewMut};
use core::marker::PhantomData;

mod private {
    pub trait Sealed {}
}

/// Values of an attribute for tensors of layout `L`: a number, [`PerAxis`], [`PerAxes`] or [`PerGroup`]. Sealed.
pub trait ValuesOf<'a, L>: private::Sealed {
    /// Their type.
    type Number: Copy;
    /// The same with axes by name.
    fn values(self) -> Values<'a, Self::Number>;
}

macro_rules! numbers {
    ($($(#[$attr:meta])* $ty:ty)*) => {$(
        $(#[$attr])*
        impl private::Sealed for $ty {}
        $(#[$attr])*
        #[diagnostic::do_not_recommend]
        impl<'a, L> ValuesOf<'a, L> for $ty {
            type Number = $ty;
            fn values(self) -> Values<'a, $ty> {
                Values::common(self)
            }
        }
    )*};
}
numbers! {
    f32
    i32
    i8
    u8
    F16Bits
    Bf16Bits
    E8M0Bits
    E8M0
    #[cfg(feature = "half")]
    half::f16
    #[cfg(feature = "half")]
    half::bf16
}

/// A value for each index of axis `AXIS`: `PerAxis::<'c'>(&scales)`. A layout without that axis does not compile.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PerAxis<'a, const AXIS: char, T = f32>(pub &'a [T]);

/// A value for each combination of indices of axes `A` and `B`, the latter faster.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PerAxes<'a, const A: char, const B: char, T = f32>(pub &'a [T]);

/// A value for each `SIZE` indices of axis `AXIS` and each index of axis `EACH`, the latter faster: the scales of compressed
/// weights k x n are `PerGroup::<'k', 32, 'n'>(&scales)`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PerGroup<'a, const AXIS: char, const SIZE: usize, const EACH: char, T = f32>(pub &'a [T]);

impl<const AXIS: char, T> private::Sealed for PerAxis<'_, AXIS, T> {}
impl<'a, L: HasAxis<AXIS>, const AXIS: char, T: Copy> ValuesOf<'a, L> for PerAxis<'a, AXIS, T> {
    type Number = T;
    fn values(self) -> Values<'a, T> {
        Values::per_axis(AXIS, self.0)
    }
}

impl<const A: char, const B: char, T> private::Sealed for PerAxes<'_, A, B, T> {}
impl<'a, L: HasAxis<A> + HasAxis<B>, const A: char, const B: char, T: Copy> ValuesOf<'a, L>
    for PerAxes<'a, A, B, T>
{
    type Number = T;
    fn values(self) -> Values<'a, T> {
        Values::per_axes(&const { [A, B] }, self.0)
    }
}

impl<const AXIS: char, const SIZE: usize, const EACH: char, T> private::Sealed
    for PerGroup<'_, AXIS, SIZE, EACH, T>
{
}
impl<'a, L: HasAxis<AXIS> + HasAxis<EACH>, const AXIS: char, const SIZE: usize, const EACH: char, T: Copy>
    ValuesOf<'a, L> for PerGroup<'a, AXIS, SIZE, EACH, T>
{
    type Number = T;
    fn values(self) -> Values<'a, T> {
        const { assert!(SIZE > 0, "a group has at least one index") };
        Values::grouped(&const { [(AXIS, SIZE), (EACH, 1)] }, self.0)
    }
}

/// [`Attributes`] for tensors of layout `L`, which follows from the tensors that are reordered: an axis that the layout has not
/// does not compile.
///
/// ```
/// use layout_core::layout::{Nchw16c, Nhwc};
/// use layout_core::reorder::{PerAxis, TypedAttributes};
/// use layout_core::view::Tensor;
///
/// let image = Tensor::<f32, Nhwc>::filled([1, 3, 2, 2], 1.0)?;
/// let mut out = Tensor::<u8, Nchw16c>::zeroed([1, 3, 2, 2])?;
/// TypedAttributes::new()
///     .dst_scale(PerAxis::<'c'>(&[0.5, 0.25, 0.125]))
///     .dst_zero_point(128)
///     .reorder(&image, &mut out)?;
/// assert_eq!(out.blocks()[0][..4], [130, 132, 136, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// ```compile_fail
/// use layout_core::layout::{Nchw, Nhwc};
/// use layout_core::reorder::{PerAxis, TypedAttributes};
/// use layout_core::view::Tensor;
///
/// let image = Tensor::<f32, Nhwc>::filled([1, 3, 2, 2], 1.0)?;
/// let mut out = Tensor::<u8, Nchw>::zeroed([1, 3, 2, 2])?;
/// TypedAttributes::new().dst_scale(PerAxis::<'o'>(&[0.5])).reorder(&image, &mut out)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TypedAttributes<'a, L> {
    attributes: Attributes<'a>,
    layout: PhantomData<fn() -> L>,
}

impl<L> Clone for TypedAttributes<'_, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L> Copy for TypedAttributes<'_, L> {}

impl<L> core::fmt::Debug for TypedAttributes<'_, L> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.attributes.fmt(f)
    }
}

impl<L> Default for TypedAttributes<'_, L> {
    fn default() -> Self {
        TypedAttributes::new()
    }
}

impl<'a, L> TypedAttributes<'a, L> {
    /// None.
    pub const fn new() -> TypedAttributes<'a, L> {
        TypedAttributes { attributes: Attributes::new(), layout: PhantomData }
    }

    /// [`Attributes::src_scale`].
    #[must_use]
    pub fn src_scale<V: ValuesOf<'a, L, Number: Scale>>(self, scale: V) -> Self {
        Self::of(self.attributes.src_scale(scale.values()))
    }

    /// [`Attributes::src_zero_point`].
    #[must_use]
    pub fn src_zero_point<V: ValuesOf<'a, L, Number: ZeroPoint>>(self, zero_point: V) -> Self {
        Self::of(self.attributes.src_zero_point(zero_point.values()))
    }

    /// [`Attributes::src_shift`].
    #[must_use]
    pub fn src_shift<V: ValuesOf<'a, L, Number: Scale>>(self, shift: V) -> Self {
        Self::of(self.attributes.src_shift(shift.values()))
    }

    /// [`Attributes::dst_scale`].
    #[must_use]
    pub fn dst_scale<V: ValuesOf<'a, L, Number: Scale>>(self, scale: V) -> Self {
        Self::of(self.attributes.dst_scale(scale.values()))
    }

    /// [`Attributes::dst_zero_point`].
    #[must_use]
    pub fn dst_zero_point<V: ValuesOf<'a, L, Number: ZeroPoint>>(self, zero_point: V) -> Self {
        Self::of(self.attributes.dst_zero_point(zero_point.values()))
    }

    /// [`Attributes::dst_shift`].
    #[must_use]
    pub fn dst_shift<V: ValuesOf<'a, L, Number: Scale>>(self, shift: V) -> Self {
        Self::of(self.attributes.dst_shift(shift.values()))
    }

    /// [`Attributes::accumulate`].
    #[must_use]
    pub fn accumulate(self, beta: f32) -> Self {
        Self::of(self.attributes.accumulate(beta))
    }

    /// [`Attributes::padding`].
    #[must_use]
    pub fn padding(self, padding: Padding) -> Self {
        Self::of(self.attributes.padding(padding))
    }

    /// [`Attributes::rounding`].
    ///
    /// ```
    /// use layout_core::kernels::convert::Rounding;
    /// use layout_core::layout::{Nchw, Nchw16c};
    /// use layout_core::reorder::TypedAttributes;
    /// use layout_core::view::Tensor;
    ///
    /// // Half of 0.25, by chance: 0 or 1 quarters, a half on average.
    /// let gradients = Tensor::<f32, Nchw>::filled([1, 100, 10, 10], 0.125)?;
    /// let mut small = Tensor::<i8, Nchw16c>::zeroed([1, 100, 10, 10])?;
    /// TypedAttributes::new().dst_scale(0.25).rounding(Rounding::Stochastic { seed: 7 }).reorder(&gradients, &mut small)?;
    /// let sum: i32 = small.iter().map(|&x| i32::from(x)).sum();
    /// assert!((4800..5200).contains(&sum));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rounding(self, rounding: Rounding) -> Self {
        Self::of(self.attributes.rounding(rounding))
    }

    fn of(attributes: Attributes<'a>) -> Self {
        TypedAttributes { attributes, layout: PhantomData }
    }

    /// The same with axes by name.
    pub const fn attributes(&self) -> Attributes<'a> {
        self.attributes
    }

    /// [`reorder_with`] these attributes.
    ///
    /// # Errors
    /// Those of [`reorder_with`].
    pub fn reorder<Src, Dst>(&self, src: Src, dst: Dst) -> Result<(), ReorderError>
    where
        L: Layout,
        Src: View<Elem: Element, Layout = L>,
        Dst: ViewMut<Elem: Element, Layout: SameAxes<L>>,
    {
        reorder_with(src, dst, &self.attributes)
    }
}
