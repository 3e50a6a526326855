//! Strips: the source columns under a few neighbouring outputs of one row, the halo included, as an array of blocks where
//! the layout has blocks, and of a few channels each where the channels are innermost.

mod blocks;
mod pixels;

pub use blocks::{StripRow, StripRows, Strips};
pub use pixels::PixelStrips;
