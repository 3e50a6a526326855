//! Values that padding can be filled with, by name: [`PadValue`] and the ones that are predeclared.

/// A value for padding whose elements are `T`, as a type for [`Filled`](super::Filled).
///
/// ```
/// use layout_core::layout::{Filled, Nchw4c, PadValue};
/// use layout_core::view::Tensor;
///
/// /// What stands for 0.0 in the activations of one network.
/// struct ZeroPoint;
/// impl PadValue<u8> for ZeroPoint {
///     const VALUE: u8 = 117;
/// }
/// let x: Tensor<u8, Filled<Nchw4c, ZeroPoint>> = Tensor::<u8, Nchw4c>::zeroed([1, 3, 1, 1])?.into_filled();
/// assert_eq!(x.as_slice(), [0, 0, 0, 117]);
/// # Ok::<(), layout_core::view::ViewError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a value for padding of elements `{T}`",
    label = "no `{T}` of this name",
    note = "`Lowest`, `Highest`, `One` and `Constant<N>` are values for numbers; implement `PadValue<{T}>` for one of your own"
)]
pub trait PadValue<T>: 'static {
    /// The value.
    const VALUE: T;
}

/// The neutral element of a maximum: negative infinity, or the least integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Lowest;

/// The neutral element of a minimum: infinity, or the greatest integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Highest;

/// The neutral element of a product.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct One;

/// The number `N`, such as the zero point of quantised elements. A number that the element type does not hold exactly
/// is refused while compiling.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Constant<const N: i64>;

macro_rules! floats {
    ($($(#[$attr:meta])* $ty:ty: $one:expr, $from:expr, $back:expr;)*) => {$(
        $(#[$attr])*
        impl PadValue<$ty> for Lowest {
            const VALUE: $ty = <$ty>::NEG_INFINITY;
        }
        $(#[$attr])*
        impl PadValue<$ty> for Highest {
            const VALUE: $ty = <$ty>::INFINITY;
        }
        $(#[$attr])*
        impl PadValue<$ty> for One {
            const VALUE: $ty = $one;
        }
        $(#[$attr])*
        impl<const N: i64> PadValue<$ty> for Constant<N> {
            const VALUE: $ty = {
                let value: $ty = ($from)(N);
                assert!(($back)(value) == N as i128, "the element type does not hold this number exactly");
                value
            };
        }
    )*};
}
macro_rules! with_fn {
    ($name:ident($n:ident: $from:ty) -> $to:ty = $body:expr) => {
        const fn $name($n: $from) -> $to {
            $body
        }
    };
}
with_fn!(to_f64(n: i64) -> f64 = n as f64);
with_fn!(to_f32(n: i64) -> f32 = n as f32);
with_fn!(of_f64(n: f64) -> i128 = n as i128);
with_fn!(of_f32(n: f32) -> i128 = n as i128);
#[cfg(feature = "half")]
with_fn!(of_f16(n: half::f16) -> i128 = n.to_f64_const() as i128);
#[cfg(feature = "half")]
with_fn!(of_bf16(n: half::bf16) -> i128 = n.to_f64_const() as i128);
#[cfg(feature = "half")]
with_fn!(to_f16(n: i64) -> half::f16 = half::f16::from_f64_const(n as f64));
#[cfg(feature = "half")]
with_fn!(to_bf16(n: i64) -> half::bf16 = half::bf16::from_f64_const(n as f64));
floats! {
    f64: 1.0, to_f64, of_f64;
    f32: 1.0, to_f32, of_f32;
    #[cfg(feature = "half")]
    half::f16: half::f16::ONE, to_f16, of_f16;
    #[cfg(feature = "half")]
    half::bf16: half::bf16::ONE, to_bf16, of_bf16;
}

macro_rules! integers {
    ($($ty:ty)*) => {$(
        impl PadValue<$ty> for Lowest {
            const VALUE: $ty = <$ty>::MIN;
        }
        impl PadValue<$ty> for Highest {
            const VALUE: $ty = <$ty>::MAX;
        }
        impl PadValue<$ty> for One {
            const VALUE: $ty = 1;
        }
        impl<const N: i64> PadValue<$ty> for Constant<N> {
            const VALUE: $ty = {
                assert!(N as $ty as i128 == N as i128, "the element type does not hold this number exactly");
                N as $ty
            };
        }
    )*};
}
integers!(i8 u8 i16 u16 i32 u32 i64 u64);

/// The name of `V` without the path to it.
pub(super) fn short_name<V>() -> &'static str {
    let name = core::any::type_name::<V>();
    let path = name.split('<').next().unwrap_or(name);
    &name[path.rfind(':').map_or(0, |at| at + 1)..]
}
