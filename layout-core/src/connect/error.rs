//! [`ConnectError`]: why a foreign tensor cannot be taken, or one of ours cannot be handed out. Returned by every fallible
//! function of the room.

use crate::descriptor::{DType, Descriptor, DescriptorError};
use crate::reorder::ReorderError;
use crate::shape::{IndexError, SizeError};
use crate::view::ViewError;
use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

/// Why a foreign tensor and a layout do not go together.
#[derive(Debug)]
#[non_exhaustive]
pub enum ConnectError {
    /// The memory is not what the layout, or the description, says.
    View(ViewError),
    /// The elements cannot be moved.
    Reorder(ReorderError),
    /// The extents and strides describe no tensor.
    Descriptor(DescriptorError),
    /// An element type that has no [`DType`](crate::descriptor::DType).
    ElementType {
        /// Its name where it comes from.
        found: String,
    },
    /// An element type of ours that the other side does not have, or not with all of its values.
    Unsupported {
        /// The element type.
        dtype: DType,
        /// Name of the library or of the file format.
        by: &'static str,
    },
    /// The layout is blocked, windowed or padded, and the other side knows one stride an axis alone.
    NotPlain {
        /// The layout, with the extents.
        descriptor: Box<Descriptor>,
    },
    /// The elements are in the byte order of another kind of machine; a copy can be had, a view cannot.
    ByteOrder {
        /// Whether the elements begin with their most significant byte.
        big_endian: bool,
    },
    /// An image of another size than those before it.
    ImageSize {
        /// Position of the image.
        image: usize,
        /// Width and height of the first image.
        expected: [usize; 2],
        /// Width and height of this one.
        found: [usize; 2],
    },
    /// Another number of channels than a pixel has.
    Channels {
        /// What a pixel has.
        expected: usize,
        /// What the tensor has.
        found: usize,
    },
    /// An extent that the other side's integers do not hold.
    Extent {
        /// Logical position of the axis.
        axis: usize,
        /// The extent.
        extent: u64,
        /// The largest that can be said.
        limit: u64,
    },
    /// A tensor in the memory of a device; copy it to the host first.
    Device {
        /// The device.
        found: String,
    },
    /// What another library says, in its own words.
    Library {
        /// Name of the library or of the file format.
        library: &'static str,
        /// Its error.
        source: Box<dyn core::error::Error + Send + Sync>,
    },
}

impl ConnectError {
    /// The error of another library.
    #[cfg_attr(
        not(any(
            feature = "ndarray",
            feature = "safetensors",
            feature = "npy",
            feature = "dlpack",
            feature = "candle"
        )),
        allow(dead_code, reason = "called by the integrations that are compiled in")
    )]
    pub(super) fn library(
        library: &'static str,
        source: impl Into<Box<dyn core::error::Error + Send + Sync>>,
    ) -> Self {
        ConnectError::Library { library, source: source.into() }
    }
}

impl fmt::Display for ConnectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConnectError::View(error) => error.fmt(f),
            ConnectError::Reorder(error) => error.fmt(f),
            ConnectError::Descriptor(error) => error.fmt(f),
            ConnectError::ElementType { found } => {
                write!(f, "no data type for elements `{found}`: convert them first, to one of")?;
                DType::ALL.iter().try_for_each(|dtype| write!(f, " {dtype}"))
            }
            ConnectError::Unsupported { dtype, by } => write!(
                f,
                "elements {dtype} cannot be handed to {by}: convert them first, {}",
                match dtype {
                    DType::Boolean => "to u8",
                    DType::S8 | DType::U8 | DType::S4 | DType::U4 => "to s32 or f32",
                    _ => "to f32",
                }
            ),
            ConnectError::NotPlain { descriptor } => write!(
                f,
                "`{descriptor}` is not plain memory with one stride an axis; reorder it to a layout without blocks first"
            ),
            ConnectError::ByteOrder { big_endian } => write!(
                f,
                "the elements are {}-endian and this machine is not: copy them into a tensor instead of viewing them",
                if *big_endian { "big" } else { "little" }
            ),
            ConnectError::ImageSize { image, expected: [w, h], found: [found_w, found_h] } => write!(
                f,
                "image {image} is {found_w} x {found_h} pixels, but the first of the batch is {w} x {h}"
            ),
            ConnectError::Channels { expected, found } => {
                write!(f, "a pixel has {expected} channels, but axis `c` has extent {found}")
            }
            ConnectError::Extent { axis, extent, limit } => {
                write!(
                    f,
                    "extent {extent} of axis {axis} is larger than {limit}, the largest that can be said here"
                )
            }
            ConnectError::Device { found } => {
                write!(f, "the tensor is in the memory of {found}: copy it to the host first")
            }
            ConnectError::Library { library, source } => write!(f, "{library}: {source}"),
        }
    }
}

impl core::error::Error for ConnectError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            // What their own texts say is said: their sources come next.
            ConnectError::View(error) => error.source(),
            ConnectError::Reorder(error) => error.source(),
            ConnectError::Descriptor(error) => error.source(),
            ConnectError::Library { source, .. } => source.source(),
            _ => None,
        }
    }
}

macro_rules! from {
    ($($error:ty => $make:expr;)*) => {$(
        impl From<$error> for ConnectError {
            fn from(error: $error) -> Self {
                $make(error)
            }
        }
    )*};
}
from! {
    ViewError => ConnectError::View;
    ReorderError => ConnectError::Reorder;
    DescriptorError => ConnectError::Descriptor;
    SizeError => |error| ConnectError::View(ViewError::Size(error));
    IndexError => |error| ConnectError::View(ViewError::Index(error));
}
