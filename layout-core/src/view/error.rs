//! [`ViewError`]: why memory and a layout do not go together, or a part of a view cannot be had. Written by every
//! constructor and part of the room.

use crate::descriptor::DType;
use crate::grammar::{Digit, Spec};
use crate::shape::{IndexError, SizeError};
use core::fmt;

/// Why a view cannot be made. Lengths are in elements unless they say bytes; `axis` is the axis' letter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ViewError {
    /// The extents.
    Size(SizeError),
    /// An index.
    Index(IndexError),
    /// The memory is not as long as the layout requires, padding included.
    Length {
        /// What the layout requires.
        expected: usize,
        /// What the memory holds.
        found: usize,
    },
    /// The values in logical order are not as many as the tensor has logical elements.
    LogicalLength {
        /// Number of logical elements.
        expected: usize,
        /// Number of values.
        found: usize,
    },
    /// The global allocator has no memory of this size.
    Memory {
        /// The size.
        bytes: usize,
    },
    /// A range that does not lie within the extent, or that ends before it starts.
    Range {
        /// The axis.
        axis: char,
        /// Start of the range.
        start: usize,
        /// End of the range, exclusive.
        end: usize,
        /// Extent of the axis.
        extent: usize,
    },
    /// A bound in the middle of a block: the part would hold a piece of the block.
    InsideBlock {
        /// The axis.
        axis: char,
        /// The bound.
        bound: usize,
        /// What a bound below the extent has to be a multiple of.
        multiple: usize,
        /// The nearest valid bound below.
        below: usize,
        /// The nearest valid bound above: a multiple, or the extent.
        above: usize,
    },
    /// The descriptor holds parts of blocks, has extra padding or blocks with gaps: what no layout as a type says.
    NotWhole,
    /// A stride below 0, which a typed view cannot have: it starts at its lowest element.
    NegativeStride {
        /// The axis.
        axis: char,
        /// The stride, in elements.
        stride: isize,
    },
    /// Several indices of the descriptor stand for one place, which then cannot be written.
    Shared,
    /// A chunk size of 0, or one that cuts blocks.
    ChunkSize {
        /// The axis.
        axis: char,
        /// The size.
        size: usize,
        /// What it has to be a multiple of.
        multiple: usize,
    },
    /// A cut into no parts at all.
    NoParts {
        /// What was to be cut: the extent of an axis, or the number of elements.
        extent: usize,
    },
    /// An extent that the shape type fixes, or that another shape has, is not the one found.
    Extent {
        /// The axis.
        axis: char,
        /// What the shape says.
        expected: usize,
        /// What was found.
        found: usize,
    },
    /// The descriptor's data type is not that of the element type.
    DType {
        /// The element type's.
        expected: DType,
        /// The descriptor's.
        found: DType,
    },
    /// The descriptor has another rank than the layout.
    Rank {
        /// Rank of the layout.
        expected: usize,
        /// Rank of the descriptor.
        found: usize,
    },
    /// A logical axis of the descriptor has another name than that of the layout.
    AxisName {
        /// Logical position of the axis.
        position: usize,
        /// Its name in the layout.
        expected: char,
        /// Its name in the descriptor.
        found: char,
    },
    /// The descriptor's format has other digits than the layout.
    Digits {
        /// Names of the layout's logical axes, for which digits hold positions.
        axes: &'static [char],
        /// Physical position of the first digit that differs, 0 outermost.
        position: usize,
        /// The layout's digit there.
        expected: Option<Digit>,
        /// The descriptor's digit there.
        found: Option<Digit>,
    },
    /// The descriptor pads an axis to another multiple than the layout.
    Padding {
        /// The axis.
        axis: char,
        /// What the layout pads to a multiple of.
        expected: u64,
        /// What the descriptor pads to a multiple of.
        found: u64,
    },
    /// The memory is not dense.
    Stride {
        /// The axis of the digit.
        axis: char,
        /// Physical position of the innermost digit whose stride is not that of dense memory, 0 outermost.
        position: usize,
        /// Its stride in dense memory.
        expected: isize,
        /// Its stride.
        found: isize,
    },
    /// The memory is not as long as the descriptor requires.
    ByteLength {
        /// What the descriptor requires, in bytes.
        expected: usize,
        /// What the memory holds, in bytes.
        found: usize,
    },
    /// Padding that does not hold what the layout's type says: zero, or the value of
    /// [`Filled`](crate::layout::Filled).
    PaddingValue {
        /// The first axis along which the place lies past the extent.
        axis: char,
        /// The index of the place along that axis.
        index: usize,
        /// The extent of the axis.
        extent: usize,
    },
    /// Two layouts that place the elements, or the padding, of a tensor of these extents differently.
    OtherPlaces {
        /// The layout of the memory.
        from: &'static Spec,
        /// The layout that was asked for.
        to: &'static Spec,
    },
    /// The memory is not aligned to the element type.
    Alignment {
        /// What the first element has to be aligned to, in bytes.
        required: usize,
        /// By how many bytes it lies past a multiple of that.
        past: usize,
    },
}

impl fmt::Display for ViewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ViewError::Size(ref error) => error.fmt(f),
            ViewError::Index(ref error) => error.fmt(f),
            ViewError::Length { expected, found } => write!(
                f,
                "the layout requires {expected} elements with its padding, but the memory holds {found}"
            ),
            ViewError::LogicalLength { expected, found } => {
                write!(f, "the tensor has {expected} logical elements, but {found} values were given")
            }
            ViewError::Memory { bytes } => write!(f, "no memory of {bytes} bytes can be allocated"),
            ViewError::Range { axis, start, end, extent } => {
                write!(f, "range {start}..{end} of axis `{axis}` does not lie within its extent {extent}")
            }
            ViewError::InsideBlock { axis, bound, multiple, below, above } => write!(
                f,
                "bound {bound} of axis `{axis}` lies inside a block of {multiple}: the nearest bounds are {below} and {above}"
            ),
            ViewError::ChunkSize { axis, size, multiple } => write!(
                f,
                "chunks of {size} along axis `{axis}` are not possible: the size must be a multiple of {multiple} above 0"
            ),
            ViewError::NoParts { extent } => {
                write!(f, "an extent of {extent} cannot be cut into 0 parts")
            }
            ViewError::Extent { axis, expected, found } => {
                write!(f, "the shape says that axis `{axis}` has extent {expected}, but it has {found}")
            }
            ViewError::DType { expected, found } => {
                write!(f, "the elements are {expected}, but the descriptor says {found}")
            }
            ViewError::Rank { expected, found } => {
                write!(f, "the layout has rank {expected}, but the descriptor has {found}")
            }
            ViewError::AxisName { position, expected, found } => write!(
                f,
                "logical axis {position} is `{expected}` in the layout, but `{found}` in the descriptor"
            ),
            ViewError::Digits { axes, position, expected, found } => {
                write!(f, "the descriptor's format is another: physical digit {position} is ")?;
                digit(f, axes, found)?;
                f.write_str(" where the layout has ")?;
                digit(f, axes, expected)
            }
            ViewError::Padding { axis, expected, found } => write!(
                f,
                "the layout pads axis `{axis}` to a multiple of {expected}, but the descriptor to one of {found}"
            ),
            ViewError::NegativeStride { axis, stride } => {
                write!(f, "axis `{axis}` has stride {stride}: a typed view cannot run backwards")
            }
            ViewError::Shared => {
                f.write_str("several indices of the descriptor stand for one place, which cannot be written")
            }
            ViewError::NotWhole => f.write_str(
                "the descriptor holds parts of blocks, extra padding or blocks with gaps, which no type says",
            ),
            ViewError::Stride { axis, position, expected, found } => write!(
                f,
                "the memory is not dense: physical digit {position} (axis `{axis}`) has stride {found}, not {expected}"
            ),
            ViewError::ByteLength { expected, found } => {
                write!(f, "the descriptor requires {expected} bytes, but the memory holds {found}")
            }
            ViewError::PaddingValue { axis, index, extent } => write!(
                f,
                "padding does not hold what the layout says: that at index {index} of axis `{axis}`, whose extent is \
                 {extent}; `into_zeroed()`, `into_filled()` or `fill_padding()` writes it"
            ),
            ViewError::OtherPlaces { from, to } => write!(
                f,
                "`{from}` and `{to}` have other bytes for these extents: `to_layout` moves the elements"
            ),
            ViewError::Alignment { required, past } => write!(
                f,
                "the memory is not aligned to {required} bytes: the first element lies {past} bytes past a multiple"
            ),
        }
    }
}

/// A digit as in `c/4%8`.
fn digit(f: &mut fmt::Formatter<'_>, axes: &[char], digit: Option<Digit>) -> fmt::Result {
    let Some(digit) = digit else { return f.write_str("none") };
    match axes.get(digit.axis) {
        Some(letter) => write!(f, "{letter}")?,
        None => write!(f, "axis {}", digit.axis)?,
    }
    if digit.divisor != 1 {
        write!(f, "/{}", digit.divisor)?;
    }
    match digit.size {
        Some(size) => write!(f, "%{size}"),
        None => Ok(()),
    }
}

impl core::error::Error for ViewError {}
impl From<SizeError> for ViewError {
    fn from(error: SizeError) -> Self {
        ViewError::Size(error)
    }
}
impl From<IndexError> for ViewError {
    fn from(error: IndexError) -> Self {
        ViewError::Index(error)
    }
}
