//! Data types at run time: [`DType`]. `element` has the Rust types that stand for them.

#[cfg(doc)]
use super::{Boolean, E8M0, F8E4M3, F8E5M2};
use core::fmt;
use core::str::FromStr;

/// The type of a tensor's elements, at run time. Names as oneDNN's `dnnl_data_type_t` spells them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum DType {
    /// IEEE 754 binary64, `f64`.
    F64,
    /// IEEE 754 binary32, `f32`.
    F32,
    /// IEEE 754 binary16, `f16` (`half::f16` in Rust).
    F16,
    /// bfloat16: the upper half of an `f32` (`half::bf16` in Rust).
    Bf16,
    /// Signed 32-bit integer, `s32`.
    S32,
    /// Signed 8-bit integer, `s8`.
    S8,
    /// Unsigned 8-bit integer, `u8`.
    U8,
    /// Float of 8 bits with 5 of exponent and 2 of mantissa, `f8_e5m2` ([`F8E5M2`]): the upper half of an `f16`.
    F8E5M2,
    /// Float of 8 bits with 4 of exponent and 3 of mantissa, without infinities, `f8_e4m3` ([`F8E4M3`]): OCP's E4M3.
    F8E4M3,
    /// A power of two, or NaN, as 8 bits of exponent, `e8m0` ([`E8M0`]): the scales of OCP's microscaling formats. It has no
    /// zero: zeroed bytes, as in padding, are 2^-127.
    E8M0,
    /// True or false, a byte, `boolean` ([`Boolean`]).
    Boolean,
    /// Signed 4-bit integer, `s4`; two share a byte.
    S4,
    /// Unsigned 4-bit integer, `u4`; two share a byte.
    U4,
    /// Float of 4 bits with 2 of exponent and 1 of mantissa, `f4_e2m1`; two share a byte.
    F4E2M1,
    /// Float of 4 bits with 3 of exponent and no mantissa, `f4_e3m0`; two share a byte.
    F4E3M0,
}

impl DType {
    /// Every data type, widest first.
    pub const ALL: [DType; 15] = [
        DType::F64,
        DType::F32,
        DType::F16,
        DType::Bf16,
        DType::S32,
        DType::S8,
        DType::U8,
        DType::F8E5M2,
        DType::F8E4M3,
        DType::E8M0,
        DType::Boolean,
        DType::S4,
        DType::U4,
        DType::F4E2M1,
        DType::F4E3M0,
    ];

    /// Bits an element.
    ///
    /// ```
    /// use layout_core::descriptor::DType;
    /// assert_eq!([DType::S32.bits(), DType::F8E4M3.bits(), DType::U4.bits()], [32, 8, 4]);
    /// ```
    pub const fn bits(self) -> usize {
        match self {
            DType::F64 => 64,
            DType::F32 | DType::S32 => 32,
            DType::F16 | DType::Bf16 => 16,
            DType::S8 | DType::U8 | DType::F8E5M2 | DType::F8E4M3 | DType::E8M0 | DType::Boolean => 8,
            DType::S4 | DType::U4 | DType::F4E2M1 | DType::F4E3M0 => 4,
        }
    }

    /// Whether two elements share a byte: that of even offset has the lower four bits, that of odd offset the upper ones.
    pub const fn is_packed(self) -> bool {
        self.bits() < 8
    }

    /// Bytes that one element takes by itself: 1 for 4 bits too. For more than one see [`DType::bytes_of`].
    ///
    /// ```
    /// assert_eq!(layout_core::descriptor::DType::Bf16.size(), 2);
    /// ```
    pub const fn size(self) -> usize {
        self.bits().div_ceil(8)
    }

    /// Bytes that `len` elements take one after the other; `None` where that is more than `usize` holds.
    ///
    /// ```
    /// use layout_core::descriptor::DType;
    /// assert_eq!(DType::F32.bytes_of(3), Some(12));
    /// assert_eq!(DType::U4.bytes_of(3), Some(2));
    /// assert_eq!(DType::F32.bytes_of(usize::MAX), None);
    /// ```
    pub const fn bytes_of(self, len: usize) -> Option<usize> {
        if self.is_packed() { Some(len.div_ceil(2)) } else { len.checked_mul(self.size()) }
    }

    /// Bytes of `len` elements of a descriptor, which has checked that they fit.
    pub(crate) const fn bytes(self, len: usize) -> usize {
        match self.bytes_of(len) {
            Some(bytes) => bytes,
            None => usize::MAX,
        }
    }

    /// The name, as in `f32:nchw:1x3x224x224`.
    pub const fn name(self) -> &'static str {
        match self {
            DType::F64 => "f64",
            DType::F32 => "f32",
            DType::F16 => "f16",
            DType::Bf16 => "bf16",
            DType::S32 => "s32",
            DType::S8 => "s8",
            DType::U8 => "u8",
            DType::F8E5M2 => "f8_e5m2",
            DType::F8E4M3 => "f8_e4m3",
            DType::E8M0 => "e8m0",
            DType::Boolean => "boolean",
            DType::S4 => "s4",
            DType::U4 => "u4",
            DType::F4E2M1 => "f4_e2m1",
            DType::F4E3M0 => "f4_e3m0",
        }
    }

    /// The data type named `name`; `None` for any other text. `str::parse` does the same, with an error that lists the names.
    ///
    /// ```
    /// use layout_core::descriptor::DType;
    /// assert_eq!(DType::from_name("bf16"), Some(DType::Bf16));
    /// assert_eq!("bf16".parse(), Ok(DType::Bf16));
    /// let error = "float32".parse::<DType>().unwrap_err().to_string();
    /// assert!(error.starts_with("no data type has this name: write f64, f32, f16, bf16, "), "{error}");
    /// ```
    pub fn from_name(name: &str) -> Option<DType> {
        DType::ALL.into_iter().find(|dtype| dtype.name() == name)
    }
}

/// A text names no [`DType`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct UnknownDType;

impl fmt::Display for UnknownDType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no data type has this name: write ")?;
        for (i, dtype) in DType::ALL.into_iter().enumerate() {
            let before = match i {
                0 => "",
                _ if i + 1 == DType::ALL.len() => " or ",
                _ => ", ",
            };
            write!(f, "{before}{dtype}")?;
        }
        Ok(())
    }
}

impl core::error::Error for UnknownDType {}

impl FromStr for DType {
    type Err = UnknownDType;

    fn from_str(name: &str) -> Result<DType, UnknownDType> {
        DType::from_name(name).ok_or(UnknownDType)
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
