//! A layout for the eye: in words ([`Description`]), as a picture ([`Picture`], SVG) and in a terminal. For people who meet
//! a format for the first time, and for the command-line tool; nothing else is built on it.
//!
//! On the left of a picture the tensor as it is indexed, on the right, or below, the memory from its first element to its
//! last. An element has the same number and the same colour on both sides.
//!
//! # Plain formats
//!
//! In `nchw` a whole channel lies together, row by row:
//!
#![doc = include_str!("../../docs/pictures/nchw.svg")]
//!
//! In `nhwc` the channels of one pixel lie together, as in most image files:
//!
#![doc = include_str!("../../docs/pictures/nhwc.svg")]
//!
//! In `chwn` the same pixel of all images lies together:
//!
#![doc = include_str!("../../docs/pictures/chwn.svg")]
//!
//! # Blocked formats
//!
//! In `nChw8c` the channels are cut into blocks of 8. The 8 values of a block and a pixel lie together, so that one vector
//! register holds them; the blocks come one after another. 17 channels take three blocks, and what they leave of the third
//! is padding, which is zero:
//!
#![doc = include_str!("../../docs/pictures/nChw8c.svg")]
//!
//! OpenVINO's `b_fs_yx_fsv16` is the same with blocks of 16; oneDNN calls it `nChw16c`:
//!
#![doc = include_str!("../../docs/pictures/b_fs_yx_fsv16.svg")]
//!
//! In `OIhw4i16o4i`, for weights, one axis is cut twice. From the inside: 4 input channels, then 16 output channels, then 4
//! groups of those 4 input channels:
//!
#![doc = include_str!("../../docs/pictures/OIhw4i16o4i.svg")]

mod choose;
mod colour;
mod describe;
mod formula;
mod scene;
mod svg;
mod terminal;

pub use colour::Rgb;
pub use describe::Description;
pub use scene::{Anchor, Fill, Picture, Shape};
pub use terminal::TerminalColours;
