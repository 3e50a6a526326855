//! Data types: [`DType`] at run time, [`Element`] for the Rust types that stand for them.

use core::fmt;

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
}

impl DType {
    /// Every data type, widest first.
    pub const ALL: [DType; 7] =
        [DType::F64, DType::F32, DType::F16, DType::Bf16, DType::S32, DType::S8, DType::U8];

    /// Bytes an element.
    ///
    /// ```
    /// assert_eq!(layout_core::descriptor::DType::Bf16.size(), 2);
    /// ```
    pub const fn size(self) -> usize {
        match self {
            DType::F64 => 8,
            DType::F32 | DType::S32 => 4,
            DType::F16 | DType::Bf16 => 2,
            DType::S8 | DType::U8 => 1,
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
        }
    }

    /// The data type named `name`; `None` for any other text.
    pub fn from_name(name: &str) -> Option<DType> {
        DType::ALL.into_iter().find(|dtype| dtype.name() == name)
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

mod private {
    pub trait Sealed {}
}

/// A Rust type that stands for a [`DType`]. Sealed: reorders read and write its bytes.
///
/// Every bit pattern of an implementor is a value of it, and all-zero bytes are its zero.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an element type that can be converted or reordered",
    label = "no data type for elements `{Self}`",
    note = "the element types are f64, f32, i32, i8, u8 and, with feature `half`, half::f16 and half::bf16"
)]
pub trait Element: private::Sealed + Copy + Send + Sync + 'static {
    /// The data type at run time.
    const DTYPE: DType;
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
    #[cfg(feature = "half")]
    half::f16 => F16;
    #[cfg(feature = "half")]
    half::bf16 => Bf16;
}
