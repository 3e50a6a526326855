//! Errors about extents and indices, with the axis and both numbers. `axis` is the logical position.

use core::fmt;

/// A size that no memory can have, or extents that do not fit the layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SizeError {
    /// The number of extents is not the rank of the layout.
    Rank {
        /// Rank of the layout.
        expected: usize,
        /// Number of extents given.
        found: usize,
    },
    /// Rounding the extent of an axis up to its block leaves `isize`.
    Padding {
        /// Name of the axis.
        axis: char,
        /// The extent.
        extent: usize,
        /// What it had to be a multiple of.
        multiple: u64,
    },
    /// The padded extents multiply to more than `isize::MAX` bytes.
    TooLarge {
        /// Name of the first axis, in logical order, at which the product leaves the range.
        axis: char,
        /// Its extent.
        extent: usize,
        /// Bytes an element.
        element_bytes: usize,
    },
    /// The layout does not say where an axis lies: it has no top digit, or its blocks contradict one another.
    Unplaced {
        /// Name of the first such axis, in logical order.
        axis: char,
    },
    /// Too many blocks lie outside an axis' top digit: more strides than a descriptor stores.
    OuterDigits {
        /// Number of digits whose stride depends on the tensor.
        found: usize,
        /// The largest number of them.
        limit: usize,
    },
}

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            SizeError::Rank { expected, found } => {
                write!(f, "the layout has rank {expected}, but {found} extents were given")
            }
            SizeError::Padding { axis, extent, multiple } => {
                write!(
                    f,
                    "extent {extent} of axis `{axis}` cannot be rounded up to a multiple of {multiple}: larger than {}",
                    isize::MAX
                )
            }
            SizeError::TooLarge { axis, extent, element_bytes } => {
                write!(
                    f,
                    "the tensor is larger than {} bytes: axis `{axis}` with extent {extent} passes the limit ({element_bytes} bytes an element)",
                    isize::MAX
                )
            }
            SizeError::Unplaced { axis } => {
                write!(
                    f,
                    "the layout does not say where axis `{axis}` lies: its digits are incomplete or ambiguous"
                )
            }
            SizeError::OuterDigits { found, limit } => {
                write!(
                    f,
                    "the layout has {found} digits up to its innermost axis, but at most {limit} can be stored"
                )
            }
        }
    }
}

impl core::error::Error for SizeError {}

/// An index outside the tensor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum IndexError {
    /// The index along one axis is not below its extent.
    OutOfRange {
        /// Name of the axis.
        axis: char,
        /// Logical position of the axis.
        position: usize,
        /// The index.
        index: usize,
        /// The extent.
        extent: usize,
    },
    /// The index has another number of positions than the layout has axes.
    Rank {
        /// Rank of the layout.
        expected: usize,
        /// Positions in the index.
        found: usize,
    },
    /// An offset behind the last element of the memory that the layout covers.
    Offset {
        /// The offset, in elements.
        offset: usize,
        /// Elements that the layout covers, padding included.
        required_len: usize,
    },
}

impl fmt::Display for IndexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            IndexError::OutOfRange { axis, position, index, extent } => {
                write!(
                    f,
                    "index {index} of axis `{axis}` (position {position}) is out of range: its extent is {extent}"
                )
            }
            IndexError::Rank { expected, found } => {
                write!(f, "the layout has rank {expected}, but the index has {found} positions")
            }
            IndexError::Offset { offset, required_len } => {
                write!(f, "offset {offset} is out of range: the layout covers {required_len} elements")
            }
        }
    }
}

impl core::error::Error for IndexError {}
