//! The types that values of attributes may have, [`Scale`] and [`ZeroPoint`], and [`Given`]: values of one of these types.

use super::Values;
use crate::descriptor::E8M0;
use crate::kernels;
use crate::kernels::ValueFormat;

mod private {
    /// A type of numbers that kernels read.
    ///
    /// # Safety
    /// It has the size of the numbers of `TYPE` and no smaller alignment, and every value of it is one of them.
    pub unsafe trait Number: Copy + 'static {
        const TYPE: Type;
    }

    /// The types.
    pub enum Type {
        F32,
        F16,
        Bf16,
        E8M0,
        S32,
        S8,
        U8,
    }
}
use private::{Number, Type};

/// A type of scales, and of shifts: `f32`, [`F16Bits`], [`Bf16Bits`], [`E8M0`] and its bits ([`E8M0Bits`]), and with the feature `half`
/// `half::f16` and `half::bf16`. Each value is read as the f32 that it equals. Sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no type of scales",
    label = "not f32, F16Bits, Bf16Bits, E8M0, E8M0Bits or, with feature `half`, half::f16 or half::bf16",
    note = "convert the values to f32"
)]
pub trait Scale: Number {}

/// A type of zero points: `i32`, `i8`, `u8`. Sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no type of zero points",
    label = "not i32, i8 or u8",
    note = "for numbers that are no integers there are `src_shift` and `dst_shift`"
)]
pub trait ZeroPoint: Number {}

/// `$doc $name($bits)`: a float as its bits.
macro_rules! bits {
    ($($(#[$doc:meta])* $name:ident($bits:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        #[repr(transparent)]
        pub struct $name(pub $bits);
    )*};
}
bits! {
    /// A scale of type f16 (IEEE 754 binary16), as its bits.
    F16Bits(u16);
    /// A scale of type bf16 (bfloat16), as its bits.
    Bf16Bits(u16);
    /// A scale of type e8m0, as its bits: 2 to the power of them less 127; 255 is NaN. The scales of OCP's microscaling formats.
    E8M0Bits(u8);
}

macro_rules! numbers {
    ($($(#[$attr:meta])* $role:ident for $ty:ty: $format:ident;)*) => {$(
        $(#[$attr])*
        // SAFETY: it is the number of that variant, or a transparent wrapper of its bits.
        unsafe impl Number for $ty {
            const TYPE: Type = Type::$format;
        }
        $(#[$attr])*
        #[diagnostic::do_not_recommend]
        impl $role for $ty {}
    )*};
}
numbers! {
    Scale for f32: F32;
    Scale for F16Bits: F16;
    Scale for Bf16Bits: Bf16;
    Scale for E8M0Bits: E8M0;
    Scale for E8M0: E8M0;
    #[cfg(feature = "half")]
    Scale for half::f16: F16;
    #[cfg(feature = "half")]
    Scale for half::bf16: Bf16;
    ZeroPoint for i32: S32;
    ZeroPoint for i8: S8;
    ZeroPoint for u8: U8;
}

/// The values of an attribute, by their type.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Given<'a> {
    F32(Values<'a, f32>),
    F16(Values<'a, u16>),
    Bf16(Values<'a, u16>),
    E8M0(Values<'a, u8>),
    S32(Values<'a, i32>),
    S8(Values<'a, i8>),
    U8(Values<'a, u8>),
}

/// `$of` of the values, whatever their type.
macro_rules! any {
    ($given:expr, $values:ident => $of:expr) => {
        match $given {
            Given::F32($values) => $of,
            Given::F16($values) => $of,
            Given::Bf16($values) => $of,
            Given::E8M0($values) => $of,
            Given::S32($values) => $of,
            Given::S8($values) => $of,
            Given::U8($values) => $of,
        }
    };
}

impl<'a> Given<'a> {
    pub(super) const fn new<T: Number>(values: Values<'a, T>) -> Given<'a> {
        // SAFETY of each call: the promise of `Number`.
        match T::TYPE {
            // SAFETY: see above.
            Type::F32 => Given::F32(unsafe { recast(values) }),
            // SAFETY: see above.
            Type::F16 => Given::F16(unsafe { recast(values) }),
            // SAFETY: see above.
            Type::Bf16 => Given::Bf16(unsafe { recast(values) }),
            // SAFETY: see above.
            Type::E8M0 => Given::E8M0(unsafe { recast(values) }),
            // SAFETY: see above.
            Type::S32 => Given::S32(unsafe { recast(values) }),
            // SAFETY: see above.
            Type::S8 => Given::S8(unsafe { recast(values) }),
            // SAFETY: see above.
            Type::U8 => Given::U8(unsafe { recast(values) }),
        }
    }

    /// The number of axes that they follow; `None` for a common value.
    pub(super) const fn axes(&self) -> Option<usize> {
        any!(self, values => values.axes())
    }

    /// The axis at place `i` in the order of the values, and how many of its indices share one.
    pub(super) const fn axis(&self, i: usize) -> (char, usize) {
        any!(self, values => values.axis(i))
    }

    /// How many values there are.
    pub(super) const fn len(&self) -> usize {
        any!(self, values => values.len())
    }

    /// The common value, if there is but one, along whatever axes.
    pub(super) fn common(&self) -> Option<f32> {
        // SAFETY: there is one value.
        (self.len() == 1).then(|| unsafe { self.values(false).get(0) })
    }

    /// Whether they are integers.
    pub(super) const fn is_integer(&self) -> bool {
        matches!(self, Given::S32(_) | Given::S8(_) | Given::U8(_))
    }

    /// As kernels take them; `inverse` where they divide.
    pub(super) const fn values(&self, inverse: bool) -> kernels::Values {
        let (first, format) = match self {
            Given::F32(values) => (values.first().cast(), ValueFormat::F32),
            Given::F16(values) => (values.first().cast(), ValueFormat::F16),
            Given::Bf16(values) => (values.first().cast(), ValueFormat::Bf16),
            Given::E8M0(values) => (values.first().cast(), ValueFormat::E8M0),
            Given::S32(values) => (values.first().cast(), ValueFormat::S32),
            Given::S8(values) => (values.first().cast(), ValueFormat::S8),
            Given::U8(values) => (values.first().cast(), ValueFormat::U8),
        };
        kernels::Values { first, format, inverse }
    }
}

/// The same values as another type of the same size.
///
/// # Safety
/// The types have the same size, that of `U` has no larger alignment, and each `T` is a `U`.
const unsafe fn recast<'a, T: Number, U: Copy>(values: Values<'a, T>) -> Values<'a, U> {
    match values {
        // SAFETY: the caller's promise.
        Values::Common(value) => Values::Common(unsafe { core::mem::transmute_copy::<T, U>(&value) }),
        Values::PerAxis { axis, values } => {
            // SAFETY: the caller's promise.
            Values::PerAxis { axis, values: unsafe { recast_slice(values) } }
        }
        Values::PerAxes { axes, values } => {
            // SAFETY: the caller's promise.
            Values::PerAxes { axes, values: unsafe { recast_slice(values) } }
        }
        Values::Grouped { axes, values } => {
            // SAFETY: the caller's promise.
            Values::Grouped { axes, values: unsafe { recast_slice(values) } }
        }
    }
}

/// The same numbers as another type of the same size.
///
/// # Safety
/// As for [`recast`].
const unsafe fn recast_slice<T, U>(values: &[T]) -> &[U] {
    // SAFETY: the caller's promise.
    unsafe { core::slice::from_raw_parts(values.as_ptr().cast(), values.len()) }
}
