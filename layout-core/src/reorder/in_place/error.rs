//! [`InPlaceError`]: why a tensor cannot take another layout within its own memory.

use crate::descriptor::DType;
use crate::reorder::ReorderError;
use core::fmt;

/// Why a reorder cannot be done in place: data would be lost, or memory touched that is not the tensor's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum InPlaceError {
    /// There is no reorder between the two at all.
    Reorder(ReorderError),
    /// The elements have different sizes.
    ElementSize {
        /// Data type of the source.
        src: DType,
        /// Data type of the destination.
        dst: DType,
    },
    /// Two elements share a byte, and would not stay together, or change their type.
    SharedBytes {
        /// Data type of the source.
        src: DType,
        /// Data type of the destination.
        dst: DType,
    },
    /// The two take different amounts of memory, because they are padded to different extents.
    Size {
        /// Bytes of the source, padding included.
        src: usize,
        /// Bytes of the destination, padding included.
        dst: usize,
    },
    /// An axis is padded to different extents: where one side has padding the other one has data, which would be
    /// overwritten.
    Padding {
        /// Name of the axis in the destination.
        axis: char,
        /// Logical position of the axis.
        position: usize,
        /// Padded extent in the source.
        src: usize,
        /// Padded extent in the destination.
        dst: usize,
    },
    /// One side starts or ends inside a block, or lies behind extra padding: its blocks are not its own.
    Window {
        /// Name of the axis in the destination.
        axis: char,
        /// Logical position of the axis.
        position: usize,
        /// Where in its blocks the axis starts, which has to be 0.
        start: usize,
        /// Where it ends, padding included, which has to be a multiple of `block`.
        end: usize,
        /// The product of its blocks.
        block: usize,
    },
    /// Several elements of the source share one place, because an axis of it is broadcast.
    Broadcast {
        /// Name of the axis in the destination.
        axis: char,
        /// Logical position of the axis.
        position: usize,
        /// Number of elements on one place.
        extent: usize,
    },
    /// The two do not lie between the same bytes.
    Place {
        /// First byte of the source, and the one behind its last.
        src: (usize, usize),
        /// First byte of the destination, and the one behind its last.
        dst: (usize, usize),
    },
    /// The two lie between the same bytes, but not on the same ones: there are gaps, and they differ.
    Gaps {
        /// How many equal steps the source takes where the two part, and of how many bytes.
        src: (usize, usize),
        /// How many equal steps the destination takes there, and of how many bytes.
        dst: (usize, usize),
    },
    /// The buffer is shorter than the descriptors say.
    BufferTooSmall {
        /// Bytes that the descriptors cover, padding included.
        expected: usize,
        /// Bytes given.
        found: usize,
    },
}

impl From<ReorderError> for InPlaceError {
    fn from(error: ReorderError) -> Self {
        InPlaceError::Reorder(error)
    }
}

impl fmt::Display for InPlaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            InPlaceError::Reorder(ref error) => error.fmt(f),
            InPlaceError::ElementSize { src, dst } => {
                let (unit, each) =
                    if src.is_packed() || dst.is_packed() { ("bits", 1) } else { ("bytes", 8) };
                let (from, to) = (src.bits() / each, dst.bits() / each);
                write!(
                    f,
                    "an element takes {from} {unit} as {src}, but {to} as {dst}: this cannot be done in place; reorder into other memory"
                )
            }
            InPlaceError::SharedBytes { src, dst } => write!(
                f,
                "two elements share a byte ({src} to {dst}) and do not stay what they are, side by side: this cannot be done in \
                 place; reorder into other memory"
            ),
            InPlaceError::Size { src, dst } => write!(
                f,
                "the source takes {src} bytes with its padding, but the destination {dst}: this cannot be done in place; reorder into \
                 other memory"
            ),
            InPlaceError::Padding { axis, position, src, dst } => write!(
                f,
                "axis `{axis}` (position {position}) is padded to {src} in the source, but to {dst} in the destination: in \
                 place, padding would overwrite data"
            ),
            InPlaceError::Window { axis, position, start, end, block } => write!(
                f,
                "axis `{axis}` (position {position}) takes the places {start}..{end} of blocks of {block}: in place, blocks \
                 have to be whole, and nothing may lie in front"
            ),
            InPlaceError::Broadcast { axis, position, extent } => write!(
                f,
                "axis `{axis}` (position {position}) of the source is broadcast: there is memory for one of {extent} elements"
            ),
            InPlaceError::Place { src, dst } => write!(
                f,
                "the source takes the bytes {}..{}, but the destination {}..{}: in place, they have to be the same",
                src.0, src.1, dst.0, dst.1
            ),
            InPlaceError::Gaps { src, dst } => write!(
                f,
                "the gaps are not the same: the source has {} places {} bytes apart where the destination has {} places {} \
                 bytes apart",
                src.0, src.1, dst.0, dst.1
            ),
            InPlaceError::BufferTooSmall { expected, found } => {
                write!(f, "the tensor needs {expected} bytes, but the buffer has {found}")
            }
        }
    }
}

impl core::error::Error for InPlaceError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            InPlaceError::Reorder(error) => error.source(),
            _ => None,
        }
    }
}
