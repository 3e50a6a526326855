//! [guide]: guide
//! [from oneDNN]: guide::from_onednn
//! [from PyTorch and NumPy]: guide::from_pytorch
//! [from mdspan and CuTe]: guide::from_mdspan
//! [performance]: guide::performance
//!
#![doc = include_str!("../README.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod guide;

pub use layout_core::{
    connect, descriptor, dispatch, grammar, kernels, outside_dispatch, shape, unroll, view,
};
#[cfg(feature = "show")]
pub use layout_core::{index_code, picture};

pub use layout_core::choose::{self, fold_reorders, preferred_layout};
pub use layout_core::connect::{ConnectError, Rows, TensorBytes};
pub use layout_core::descriptor::{
    Boolean, DType, Descriptor, DescriptorError, E8M0, Element, F8E4M3, F8E5M2, UnknownDType,
};
pub use layout_core::grammar::{ParseError, Spec};
pub use layout_core::kernels::{Cpu, Isa};
pub use layout_core::layout::*;
pub use layout_core::match_layout;
#[cfg(feature = "std")]
pub use layout_core::reorder::Tuning;
pub use layout_core::reorder::{
    Attribute, Attributes, AxisNames, Bf16Bits, Compensation, E8M0Bits, F16Bits, InPlaceError, Normalization,
    NotInPlace, OneDnnExtra, Padding, PerAxes, PerAxis, PerGroup, PlanCache, Reorder, ReorderError,
    ReorderInPlace, ReorderOptions, Rounding, Scale, Stores, TypedAttributes, Values, ValuesOf, Way,
    WayError, ZeroPoint, asymmetric_scale, convert_slice, convert_slice_with, dequantise,
    dequantise_asymmetric, quantise, quantise_asymmetric, quantise_asymmetric_with, quantise_with, reorder,
    reorder_bytes, reorder_bytes_with, reorder_with, symmetric_scale, symmetric_scales,
};
pub use layout_core::shape::{Extent, Fixed, IndexError, Shape, SizeError, fixed};
pub use layout_core::view::*;

/// A memory layout, from its format string to a zero-sized type.
///
/// ```
/// use tensor_layout::{Layout, layout};
///
/// type Act = layout!("nChw16c"); // a type
///
/// fn block_len<L: Layout>(_: L) -> usize {
///     L::BLOCK_LEN
/// }
///
/// assert_eq!(size_of::<Act>(), 0);
/// assert_eq!(Act::AXES, ['n', 'c', 'h', 'w']);
/// assert_eq!(Act::offset([1, 17, 2, 2], [0, 16, 1, 1]), Ok(112));
/// assert_eq!(block_len(layout!("nChw16c")), 16); // its only value
/// ```
///
/// # What to write
///
/// One string literal, plain or raw, in the grammar of oneDNN's format tags: the outer letters from the outermost
/// axis to the innermost, each once and in upper case exactly where the axis is blocked, then the inner blocks as
/// `NUMBER letter`, outermost first. `"nhwc"` has the channels innermost; `"nChw16c"` has them in blocks of 16;
/// `"OIhw4i16o4i"` has three blocks, two of them along `i`.
///
/// The *logical* order of the axes, in which extents and indices are given, comes from the kind of tensor that the
/// letters tell: activations `ncdhw`, weights `oidhw` and `goidhw`, RNN data `tnc`, states `ldnc` and weights `ldigo`,
/// or `abc…` for anonymous axes. For any other letters, or another order, write it before an arrow:
/// `"bshd => bhSd16s"` is indexed as b, s, h, d. [`Spec::parse`] is the same grammar at run time.
///
/// # Where it may stand
///
/// The macro expands to a path, [`Format`]`::<…>`, that is the type in type position and its value in expression
/// position; the same path is a pattern. So it may stand in aliases, signatures, bounds, associated types, the heads
/// of `impl` blocks, constants and statics. The same layout is the same type wherever it is written, in other crates
/// too, and under any spelling that means the same digits on the same axes.
///
/// It resolves what it needs through its own crate, so that it works where `tensor-layout` is renamed or re-exported,
/// and where no prelude is in scope.
///
/// # Errors
///
/// A format that is none stops the build with one error, at the literal, however often the layout is used:
///
/// ```text
/// error: axis `c` has a block but its outer letter is lower case
///          nchw16c
///           ^
///        help: write "nChw16c"
///  --> src/lib.rs:3:20
///   |
/// 3 | type Act = layout!("nchw16c");
///   |                    ^^^^^^^^^
/// ```
///
/// Other literals, other macros (`concat!`), names of constants, and anything behind the literal are refused: the macro
/// sees tokens, not values. A format that is known only at run time is for [`Descriptor`].
///
/// ```compile_fail
/// type Act = tensor_layout::layout!("nchw16c");
/// ```
#[macro_export]
macro_rules! layout {
    ($($format:tt)*) => {
        $crate::__private::__layout! { {$crate} $($format)* }
    };
}

#[doc(hidden)]
#[path = "expansion.rs"]
pub mod __private;
