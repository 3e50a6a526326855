//! Names for the layouts that people use every day, spelled as types. Each is the type that `layout!` makes of the
//! string in its description.

use super::digits::digit::{Block, Dim};
use super::format::Format;

macro_rules! aliases {
    ($($(#[$attr:meta])* $name:ident = $text:literal ($($axis:literal)*) ($($outer:literal)*) $([$size:literal $block:literal])*;)*) => {
        $(
            #[doc = concat!("`layout!(\"", $text, "\")`.")]
            $(#[$attr])*
            pub type $name = Format<($(Dim<$outer>,)* $(Block<$block, $size>,)*), ($(Dim<$axis>,)*)>;
        )*
        /// Each predeclared name with its format string and what its type says, for tests.
        #[doc(hidden)]
        pub const ALIASES: &[(&str, &str, crate::grammar::Spec)] =
            &[$((stringify!($name), $text, <$name as super::format::Layout>::SPEC)),*];
    };
}

aliases! {
    Nc = "nc" ('n' 'c') ('n' 'c');
    Ncw = "ncw" ('n' 'c' 'w') ('n' 'c' 'w');
    Nwc = "nwc" ('n' 'c' 'w') ('n' 'w' 'c');
    /// Batch, channels, height, width: PyTorch's default, cuDNN `NCHW`.
    Nchw = "nchw" ('n' 'c' 'h' 'w') ('n' 'c' 'h' 'w');
    /// Channels last: images as files hold them, TensorFlow's default, PyTorch `channels_last`.
    Nhwc = "nhwc" ('n' 'c' 'h' 'w') ('n' 'h' 'w' 'c');
    /// Batch innermost, as Neon used it.
    Chwn = "chwn" ('n' 'c' 'h' 'w') ('c' 'h' 'w' 'n');
    Ncdhw = "ncdhw" ('n' 'c' 'd' 'h' 'w') ('n' 'c' 'd' 'h' 'w');
    Ndhwc = "ndhwc" ('n' 'c' 'd' 'h' 'w') ('n' 'd' 'h' 'w' 'c');
    /// One image, channels first.
    Chw = "chw => chw" ('c' 'h' 'w') ('c' 'h' 'w');
    /// One image as files hold it, indexed as c, h, w.
    Hwc = "chw => hwc" ('c' 'h' 'w') ('h' 'w' 'c');
    Cdhwn = "cdhwn" ('n' 'c' 'd' 'h' 'w') ('c' 'd' 'h' 'w' 'n');
    /// Channels in blocks of 4: cuDNN `NCHW_VECT_C` with INT8x4.
    Nchw4c = "nChw4c" ('n' 'c' 'h' 'w') ('n' 'c' 'h' 'w') [4 'c'];
    /// Channels in blocks of 8: one vector of AVX2.
    Nchw8c = "nChw8c" ('n' 'c' 'h' 'w') ('n' 'c' 'h' 'w') [8 'c'];
    /// Channels in blocks of 16: one vector of AVX-512.
    Nchw16c = "nChw16c" ('n' 'c' 'h' 'w') ('n' 'c' 'h' 'w') [16 'c'];
    /// Channels in blocks of 32: cuDNN `NC/32HW32`.
    Nchw32c = "nChw32c" ('n' 'c' 'h' 'w') ('n' 'c' 'h' 'w') [32 'c'];
    Ncdhw8c = "nCdhw8c" ('n' 'c' 'd' 'h' 'w') ('n' 'c' 'd' 'h' 'w') [8 'c'];
    Ncdhw16c = "nCdhw16c" ('n' 'c' 'd' 'h' 'w') ('n' 'c' 'd' 'h' 'w') [16 'c'];
    Ncdhw32c = "nCdhw32c" ('n' 'c' 'd' 'h' 'w') ('n' 'c' 'd' 'h' 'w') [32 'c'];
    Oi = "oi" ('o' 'i') ('o' 'i');
    Io = "io" ('o' 'i') ('i' 'o');
    /// Convolution weights as frameworks hold them.
    Oihw = "oihw" ('o' 'i' 'h' 'w') ('o' 'i' 'h' 'w');
    Ohwi = "ohwi" ('o' 'i' 'h' 'w') ('o' 'h' 'w' 'i');
    Hwio = "hwio" ('o' 'i' 'h' 'w') ('h' 'w' 'i' 'o');
    Oidhw = "oidhw" ('o' 'i' 'd' 'h' 'w') ('o' 'i' 'd' 'h' 'w');
    Goihw = "goihw" ('g' 'o' 'i' 'h' 'w') ('g' 'o' 'i' 'h' 'w');
    Hwigo = "hwigo" ('g' 'o' 'i' 'h' 'w') ('h' 'w' 'i' 'g' 'o');
    /// Weights of a direct convolution on `nChw8c`.
    OIhw8i8o = "OIhw8i8o" ('o' 'i' 'h' 'w') ('o' 'i' 'h' 'w') [8 'i'] [8 'o'];
    /// Weights of a direct convolution on `nChw16c`.
    OIhw16i16o = "OIhw16i16o" ('o' 'i' 'h' 'w') ('o' 'i' 'h' 'w') [16 'i'] [16 'o'];
    OIhw16o16i = "OIhw16o16i" ('o' 'i' 'h' 'w') ('o' 'i' 'h' 'w') [16 'o'] [16 'i'];
    /// bf16 weights: pairs of input channels innermost.
    OIhw8i16o2i = "OIhw8i16o2i" ('o' 'i' 'h' 'w') ('o' 'i' 'h' 'w') [8 'i'] [16 'o'] [2 'i'];
    /// int8 weights: quadruples of input channels innermost (VNNI).
    OIhw4i16o4i = "OIhw4i16o4i" ('o' 'i' 'h' 'w') ('o' 'i' 'h' 'w') [4 'i'] [16 'o'] [4 'i'];
    /// Weights of a first layer, where the input channels are few.
    Ohwi16o = "Ohwi16o" ('o' 'i' 'h' 'w') ('o' 'h' 'w' 'i') [16 'o'];
    /// Depthwise weights on `nChw8c`.
    Goihw8g = "Goihw8g" ('g' 'o' 'i' 'h' 'w') ('g' 'o' 'i' 'h' 'w') [8 'g'];
    /// Depthwise weights on `nChw16c`.
    Goihw16g = "Goihw16g" ('g' 'o' 'i' 'h' 'w') ('g' 'o' 'i' 'h' 'w') [16 'g'];
    GOIhw16i16o = "gOIhw16i16o" ('g' 'o' 'i' 'h' 'w') ('g' 'o' 'i' 'h' 'w') [16 'i'] [16 'o'];
    Tnc = "tnc" ('t' 'n' 'c') ('t' 'n' 'c');
    Ntc = "ntc" ('t' 'n' 'c') ('n' 't' 'c');
    /// A vector.
    Vector = "a" ('a') ('a');
    /// A matrix, row by row.
    RowMajor = "ab" ('a' 'b') ('a' 'b');
    /// A matrix, column by column (Fortran order).
    ColumnMajor = "ba" ('a' 'b') ('b' 'a');
}
/// Rank 0: one element, no axes.
pub type Scalar = Format<(), ()>;
