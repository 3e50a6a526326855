//! Why a descriptor cannot be made: [`DescriptorError`] from values, [`ParseDescriptorError`] from text.
//! Returned by the constructors of this room; each carries the axis and the numbers.

use super::DType;
use crate::grammar::{MAX_RANK, ParseError, SpecError};
use crate::shape::SizeError;
use core::fmt;

/// Why a [`Descriptor`](super::Descriptor) cannot be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum DescriptorError {
    /// The text is not a format.
    Format(ParseError),
    /// The extents do not fit the format or the address space.
    Size(SizeError),
    /// More extents than the largest rank.
    TooManyAxes {
        /// Number of extents.
        found: usize,
    },
    /// The number of strides is not the number of axes (plus that of the blocks outside an axis' outer digit).
    StrideCount {
        /// Strides that the format needs.
        expected: usize,
        /// Strides given.
        found: usize,
    },
    /// A stride of 0 along more than one index: all of them would be one element.
    ZeroStride {
        /// Name of the axis.
        axis: char,
        /// Its number of values: the padded extent over the blocks.
        extent: usize,
    },
    /// Two different indices would be one element.
    Overlap {
        /// Name of one axis.
        axis: char,
        /// Its stride.
        stride: isize,
        /// Name of the other axis; the same one where its outer stride reaches into its own block.
        other: char,
        /// The other's stride, in its block where it is blocked.
        other_stride: isize,
    },
    /// The strides do not nest: the elements of one axis lie between those of another. oneDNN refuses this too.
    Interleaved {
        /// Name of the axis of the larger stride.
        axis: char,
        /// Its stride.
        stride: isize,
        /// Name of the axis of the next smaller stride.
        other: char,
        /// The other's stride.
        other_stride: isize,
        /// Least absolute stride that `axis` could have.
        least: usize,
    },
    /// The strides nest, but in another order than the format states.
    Order {
        /// Name of the axis that the format puts outside `inner`.
        outer: char,
        /// Its stride.
        outer_stride: isize,
        /// Name of the axis that the format puts inside `outer`.
        inner: char,
        /// Its larger stride.
        inner_stride: isize,
    },
    /// The number of paddings is not the number of axes.
    PaddingCount {
        /// Number of axes.
        expected: usize,
        /// Paddings given.
        found: usize,
    },
    /// The padded extent and the origin of an axis do not fit its extent or its blocks.
    Padding {
        /// Name of the axis.
        axis: char,
        /// Its extent.
        extent: usize,
        /// Its extent with padding.
        padded: usize,
        /// The position of its index 0.
        origin: usize,
    },
    /// Extra padding can be put around dense memory alone.
    NotDense,
    /// A block or a padding multiple does not fit the format.
    Digits(SpecError),
    /// Negative strides lead to elements before the start of the memory.
    BaseTooSmall {
        /// The base offset, in elements.
        base: usize,
        /// The least base offset that holds every element.
        least: usize,
    },
    /// The base offset puts the last element past `isize::MAX` bytes.
    BaseTooLarge {
        /// The base offset, in elements.
        base: usize,
        /// The largest base offset that the extents and strides allow.
        largest: usize,
    },
}

impl fmt::Display for DescriptorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            DescriptorError::Format(error) => error.fmt(f),
            DescriptorError::Size(error) => error.fmt(f),
            DescriptorError::TooManyAxes { found } => {
                write!(f, "{found} extents were given, but a tensor has at most {MAX_RANK} axes")
            }
            DescriptorError::StrideCount { expected, found } => {
                write!(f, "the layout needs {expected} strides, but {found} were given")
            }
            DescriptorError::ZeroStride { axis, extent } => {
                write!(f, "stride 0 of axis `{axis}` puts its {extent} values on one element")
            }
            DescriptorError::Overlap { axis, stride, other, other_stride } if axis == other => {
                write!(
                    f,
                    "stride {stride} of axis `{axis}` reaches into its own inner block (stride {other_stride}): two indices would be one element"
                )
            }
            DescriptorError::Overlap { axis, stride, other, other_stride } => {
                write!(
                    f,
                    "stride {stride} of axis `{axis}` and stride {other_stride} of axis `{other}` overlap: two indices would be one element"
                )
            }
            DescriptorError::Interleaved { axis, stride, other, other_stride, least } => {
                write!(
                    f,
                    "stride {stride} of axis `{axis}` lies inside axis `{other}` with stride {other_stride}: strides must nest, here it must be at least {least}"
                )
            }
            DescriptorError::Order { outer, outer_stride, inner, inner_stride } => {
                write!(
                    f,
                    "the format puts axis `{outer}` outside axis `{inner}`, but their strides are {outer_stride} and {inner_stride}"
                )
            }
            DescriptorError::PaddingCount { expected, found } => {
                write!(f, "the tensor has {expected} axes, but {found} paddings were given")
            }
            DescriptorError::Padding { axis, extent, padded, origin } => {
                write!(
                    f,
                    "axis `{axis}` with extent {extent} cannot have padded extent {padded} and origin {origin}: the padded \
                     extent is at least the extent, with a halo before it both, and an origin lies within a block"
                )
            }
            DescriptorError::NotDense => {
                f.write_str("extra padding needs dense memory without extra padding to begin with")
            }
            DescriptorError::Digits(error) => error.fmt(f),
            DescriptorError::BaseTooSmall { base, least } => {
                write!(
                    f,
                    "base offset {base} is too small: with these negative strides it must be at least {least}"
                )
            }
            DescriptorError::BaseTooLarge { base, largest } => {
                write!(f, "base offset {base} is too large: with these extents it may be at most {largest}")
            }
        }
    }
}

impl core::error::Error for DescriptorError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            // Their texts are this error's own: what comes next is what made them.
            DescriptorError::Format(error) => error.source(),
            DescriptorError::Size(error) => error.source(),
            DescriptorError::Digits(error) => error.source(),
            _ => None,
        }
    }
}

impl From<ParseError> for DescriptorError {
    fn from(error: ParseError) -> Self {
        DescriptorError::Format(error)
    }
}

impl From<SizeError> for DescriptorError {
    fn from(error: SizeError) -> Self {
        DescriptorError::Size(error)
    }
}

/// Why a text such as `f32:nChw16c:2x17x5x4` is not a descriptor. Every kind says at which byte of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ParseDescriptorError {
    /// The text does not begin with the name of a data type and a colon.
    DType {
        /// Byte of the text; always 0.
        position: usize,
    },
    /// There is no `:EXTENTS` behind the format.
    MissingExtents {
        /// Byte of the text at which they were expected: its end.
        position: usize,
    },
    /// Something else than a number without leading zeros, in extents, strides or base.
    Number {
        /// Byte of the text.
        position: usize,
    },
    /// A number that does not fit in `usize` or, for a stride, in `isize`.
    NumberTooLarge {
        /// Byte of the text at which the number begins.
        position: usize,
    },
    /// More extents or strides than any layout has.
    TooManyNumbers {
        /// Byte of the text of the first number too many.
        position: usize,
    },
    /// Something else than `:padded=`, `:origin=`, `:halo=`, `:strides=` and `:base=`, in this order, behind the extents.
    Part {
        /// Byte of the text.
        position: usize,
    },
    /// The format, the extents, the strides or the base are refused.
    Descriptor {
        /// Byte of the text of the mistake in a format; of the part that is refused otherwise.
        position: usize,
        /// Why.
        error: DescriptorError,
    },
}

impl ParseDescriptorError {
    /// Byte of the text at which the mistake is.
    pub const fn position(&self) -> usize {
        match *self {
            ParseDescriptorError::DType { position }
            | ParseDescriptorError::MissingExtents { position }
            | ParseDescriptorError::Number { position }
            | ParseDescriptorError::NumberTooLarge { position }
            | ParseDescriptorError::TooManyNumbers { position }
            | ParseDescriptorError::Part { position }
            | ParseDescriptorError::Descriptor { position, .. } => position,
        }
    }
}

impl fmt::Display for ParseDescriptorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseDescriptorError::DType { .. } => {
                f.write_str("expected a data type and a colon, one of")?;
                DType::ALL.iter().try_for_each(|dtype| write!(f, " `{dtype}:`"))
            }
            ParseDescriptorError::MissingExtents { .. } => {
                f.write_str("expected the extents behind the format, as in `f32:nchw:1x3x224x224`")
            }
            ParseDescriptorError::Number { .. } => {
                f.write_str("expected a decimal number without leading zeros")
            }
            ParseDescriptorError::NumberTooLarge { .. } => f.write_str("the number is too large"),
            ParseDescriptorError::TooManyNumbers { .. } => f.write_str("more numbers than a layout can have"),
            ParseDescriptorError::Part { .. } => f.write_str(
                "expected `:padded=`, `:origin=`, `:halo=`, `:strides=`, `:base=` in this order, or the end",
            ),
            // The format's own position is that within the format.
            ParseDescriptorError::Descriptor { error: DescriptorError::Format(error), .. } => {
                error.kind().fmt(f)
            }
            ParseDescriptorError::Descriptor { error, .. } => error.fmt(f),
        }?;
        write!(f, ", at byte {}", self.position())
    }
}

impl core::error::Error for ParseDescriptorError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            ParseDescriptorError::Descriptor { error, .. } => error.source(),
            _ => None,
        }
    }
}
