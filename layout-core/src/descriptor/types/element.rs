//! [`Element`]: the Rust types that stand for a [`DType`], and those of them that Rust does not have, as bit patterns. What they
//! are worth stands in `reorder::elements`, which knows the conversions.

use super::DType;

mod private {
    pub trait Sealed {}
}

/// A Rust type that stands for a [`DType`]. Sealed: reorders read and write its bytes.
///
/// Every bit pattern of an implementor is a value of it, and all-zero bytes are what padding holds: zero, but for [`E8M0`].
/// Types of 4 bits have no implementor, because a reference cannot point to half a byte: they are for descriptors.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an element type that can be converted or reordered",
    label = "no data type for elements `{Self}`",
    note = "the element types are f64, f32, i32, i8, u8, F8E5M2, F8E4M3, E8M0, Boolean and, with feature `half`, half::f16 and half::bf16"
)]
pub trait Element: private::Sealed + Copy + Send + Sync + 'static {
    /// The data type at run time.
    const DTYPE: DType;
}

/// The bytes of elements.
#[cfg(feature = "tensors")]
pub(crate) fn bytes_of<T: Element>(elements: &[T]) -> &[u8] {
    // SAFETY: an `Element` has no bytes that are not initialised; the memory is that of the slice.
    unsafe { core::slice::from_raw_parts(elements.as_ptr().cast::<u8>(), size_of_val(elements)) }
}

macro_rules! elements {
    ($($(#[$attr:meta])* $ty:ty => $dtype:ident;)*) => {$(
        $(#[$attr])*
        impl private::Sealed for $ty {}
        $(#[$attr])*
        #[diagnostic::do_not_recommend]
        impl Element for $ty {
            const DTYPE: DType = DType::$dtype;
        }
        $(#[$attr])*
        const _: () = assert!(size_of::<$ty>() == DType::$dtype.size());
    )*};
}
elements! {
    f64 => F64;
    f32 => F32;
    i32 => S32;
    i8 => S8;
    u8 => U8;
    F8E5M2 => F8E5M2;
    F8E4M3 => F8E4M3;
    E8M0 => E8M0;
    Boolean => Boolean;
    #[cfg(feature = "half")]
    half::f16 => F16;
    #[cfg(feature = "half")]
    half::bf16 => Bf16;
}

/// `$doc $name`: a type of one byte.
macro_rules! bytes {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Default)]
        #[repr(transparent)]
        pub struct $name(u8);

        impl $name {
            /// The element with these bits.
            pub const fn from_bits(bits: u8) -> $name {
                $name(bits)
            }

            /// The bits.
            pub const fn to_bits(self) -> u8 {
                self.0
            }
        }
    )*};
}
bytes! {
    /// An 8-bit float with 5 bits of exponent and 2 of mantissa, as oneDNN's `f8_e5m2`: an `f16` without its lower byte, with
    /// infinities, NaN and subnormal numbers. The largest number is 57344.
    ///
    /// Conversions follow [`kernels::convert`](crate::kernels::convert); `==` and `<` compare numbers.
    ///
    /// ```
    /// use layout_core::descriptor::F8E5M2;
    /// assert_eq!(F8E5M2::from_f32(1.1).to_f32(), 1.0);
    /// assert_eq!(F8E5M2::from_f32(1e6).to_f32(), f32::INFINITY);
    /// ```
    F8E5M2;
    /// An 8-bit float with 4 bits of exponent and 3 of mantissa, as oneDNN's `f8_e4m3` (OCP's E4M3, elsewhere `float8_e4m3fn`):
    /// no infinities, one NaN of each sign (0x7f and 0xff), subnormal numbers. The largest number is 448.
    ///
    /// Conversions follow [`kernels::convert`](crate::kernels::convert); `==` and `<` compare numbers.
    ///
    /// ```
    /// use layout_core::descriptor::F8E4M3;
    /// assert_eq!(F8E4M3::from_f32(1.1).to_f32(), 1.125);
    /// assert!(F8E4M3::from_f32(1e6).to_f32().is_nan());
    /// ```
    F8E4M3;
    /// A power of two from 2^-127 to 2^127, or NaN (0xff), as oneDNN's `e8m0`: 8 bits of exponent. There is no zero and no sign.
    ///
    /// Conversions follow [`kernels::convert`](crate::kernels::convert); `==` and `<` compare numbers.
    ///
    /// ```
    /// use layout_core::descriptor::E8M0;
    /// assert_eq!(E8M0::from_f32(0.3).to_f32(), 0.25);
    /// ```
    E8M0;
    /// True or false in a byte, as oneDNN's `boolean`. Any byte is allowed, unlike in `bool`: 0 is false, all others are true, and
    /// conversions write true as 1.
    ///
    /// ```
    /// use layout_core::descriptor::Boolean;
    /// assert!(Boolean::from_bits(7).get());
    /// assert_eq!(Boolean::from(true).to_bits(), 1);
    /// ```
    Boolean;
}

impl Boolean {
    /// Whether it is true.
    pub const fn get(self) -> bool {
        self.0 != 0
    }
}

impl From<bool> for Boolean {
    fn from(value: bool) -> Boolean {
        Boolean(value as u8)
    }
}

impl From<Boolean> for bool {
    fn from(value: Boolean) -> bool {
        value.get()
    }
}

impl PartialEq for Boolean {
    fn eq(&self, other: &Boolean) -> bool {
        self.get() == other.get()
    }
}

impl Eq for Boolean {}

impl core::fmt::Debug for Boolean {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.get().fmt(f)
    }
}
