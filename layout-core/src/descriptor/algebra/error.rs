//! [`AlgebraError`]: why an operation on descriptors is refused, with the axis and the numbers.

use super::super::DescriptorError;
use core::fmt;

/// Why an operation on a [`Descriptor`](super::super::Descriptor) is refused. `axis` is the letter of the axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum AlgebraError {
    /// The result would not be a descriptor.
    Descriptor(DescriptorError),
    /// There are not as many starts, sizes, axes or names as the tensor has axes.
    Count {
        /// Axes of the tensor.
        expected: usize,
        /// Numbers given.
        found: usize,
    },
    /// There is no axis at this position.
    NoSuchAxis {
        /// The position.
        position: usize,
        /// Axes of the tensor.
        rank: usize,
    },
    /// One axis is named twice.
    RepeatedAxis {
        /// Name of the axis.
        axis: char,
        /// Its position.
        position: usize,
    },
    /// A part that does not lie within the tensor.
    OutOfRange {
        /// Name of the axis.
        axis: char,
        /// Where the part starts.
        start: usize,
        /// Its size.
        size: usize,
        /// Extent of the axis.
        extent: usize,
    },
    /// More axes than the largest rank.
    TooManyAxes {
        /// Axes that the result would have.
        found: usize,
    },
    /// An axis that had to have extent 1.
    NotOne {
        /// Name of the axis.
        axis: char,
        /// Its extent.
        extent: usize,
    },
    /// The extents multiply to another number of elements.
    ElementCount {
        /// Elements of the tensor.
        expected: usize,
        /// Product of the extents given; `None` where it passes `usize`.
        found: Option<usize>,
    },
    /// The axis has padding, which its new shape could not state.
    Padding {
        /// Name of the axis.
        axis: char,
        /// Its extent.
        extent: usize,
        /// Its extent with padding.
        padded: usize,
    },
    /// The axis starts or ends inside a block.
    Ragged {
        /// Name of the axis.
        axis: char,
        /// Size of its blocks.
        block: usize,
        /// Positions of the first block before index 0.
        origin: usize,
        /// Its extent.
        extent: usize,
    },
    /// A cut would fall inside a block, or inside the stretch of an axis between blocks.
    Cut {
        /// Name of the axis that would be cut.
        axis: char,
        /// The number of values of its block, or of its blocks.
        size: usize,
        /// What remains to be filled of the new extent: neither a divisor nor a multiple of `size`.
        at: usize,
    },
    /// Tiles do not fill the axis.
    Tile {
        /// Name of the axis.
        axis: char,
        /// Its extent.
        extent: usize,
        /// Size of a tile.
        tile: usize,
    },
    /// An axis that is broadcast would be joined to one that is not.
    Broadcast {
        /// Name of the axis that is broadcast.
        axis: char,
    },
    /// A letter that cannot name an axis: no lower-case letter, or one that is used already.
    Name {
        /// The letter.
        letter: char,
        /// Its position.
        position: usize,
    },
    /// The inner layout of a composition leads past the elements of the outer one.
    Outside {
        /// Elements of the outer layout.
        len: usize,
        /// What the inner layout needs: one more than its largest offset.
        required: usize,
    },
    /// A step of the inner layout of a composition would lead across a border of the outer one.
    Crossing {
        /// Name of the axis of the inner layout.
        axis: char,
        /// The step: a stride of the inner layout.
        stride: isize,
        /// The number of elements of the outer layout that it crosses without being a multiple or a divisor.
        border: usize,
    },
}

impl fmt::Display for AlgebraError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            AlgebraError::Descriptor(error) => error.fmt(f),
            AlgebraError::Count { expected, found } => {
                write!(f, "the tensor has {expected} axes, but {found} values were given")
            }
            AlgebraError::NoSuchAxis { position, rank } => {
                write!(f, "there is no axis at position {position}: the tensor has {rank} axes")
            }
            AlgebraError::RepeatedAxis { axis, position } => {
                write!(f, "axis `{axis}` (position {position}) is named twice")
            }
            AlgebraError::OutOfRange { axis, start, size, extent } => {
                write!(
                    f,
                    "{size} indices of axis `{axis}` from {start} on are out of range: its extent is {extent}"
                )
            }
            AlgebraError::TooManyAxes { found } => {
                write!(f, "the result would have {found} axes, but a tensor has at most 12")
            }
            AlgebraError::NotOne { axis, extent } => {
                write!(f, "axis `{axis}` has extent {extent}, but it has to be 1")
            }
            AlgebraError::ElementCount { expected, found: Some(found) } => {
                write!(f, "the tensor has {expected} elements, but the new extents make {found}")
            }
            AlgebraError::ElementCount { expected, found: None } => {
                write!(f, "the tensor has {expected} elements, but the new extents make too many to count")
            }
            AlgebraError::Padding { axis, extent, padded } => {
                write!(
                    f,
                    "axis `{axis}` with extent {extent} is padded to {padded}: its padding blocks a new shape"
                )
            }
            AlgebraError::Ragged { axis, block, origin, extent } => {
                write!(
                    f,
                    "axis `{axis}` holds positions {origin} to {} of its blocks of {block}: a part of a block cannot take a new shape",
                    origin.saturating_add(extent)
                )
            }
            AlgebraError::Cut { axis, size, at } => {
                write!(
                    f,
                    "the new shape cuts axis `{axis}`: {at} neither divides its digit of {size} values nor is a multiple of it"
                )
            }
            AlgebraError::Tile { axis, extent, tile } => {
                write!(f, "tiles of {tile} do not fill axis `{axis}` with extent {extent}")
            }
            AlgebraError::Broadcast { axis } => {
                write!(f, "axis `{axis}` is broadcast (stride 0) and cannot be joined to one that is not")
            }
            AlgebraError::Name { letter, position } => {
                write!(
                    f,
                    "`{letter}` at position {position} cannot name an axis: names are different letters from a to z"
                )
            }
            AlgebraError::Outside { len, required } => {
                write!(f, "the inner layout needs {required} elements, but the outer one has {len}")
            }
            AlgebraError::Crossing { axis, stride, border } => {
                write!(
                    f,
                    "steps of {stride} along axis `{axis}` of the inner layout cross a border of the outer one every {border} elements"
                )
            }
        }
    }
}

impl core::error::Error for AlgebraError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            AlgebraError::Descriptor(error) => error.source(),
            _ => None,
        }
    }
}

impl From<DescriptorError> for AlgebraError {
    fn from(error: DescriptorError) -> Self {
        AlgebraError::Descriptor(error)
    }
}
