//! The text form of a descriptor, `f32:nChw16c:2x17x5x4[:padded=…][:origin=…][:halo=…][:strides=…][:base=…]`: printed,
//! parsed, and a longer one for `{:?}`. Used for logs, errors and files; the arithmetic is elsewhere.

mod fingerprint;
mod parse;
mod print;
#[cfg(feature = "serde")]
mod serde;

/// The format of rank 0, which no extents follow.
const SCALAR: &str = "scalar";
/// What stands before the padded extents.
const PADDED: &str = ":padded=";
/// What stands before the origins inside a block.
const ORIGIN: &str = ":origin=";
/// What stands before the sizes of extra padding.
const HALO: &str = ":halo=";
/// What stands before the strides.
const STRIDES: &str = ":strides=";
/// What stands before the base offset.
const BASE: &str = ":base=";
/// What may follow the extents, in this order.
const PARTS: [&str; 5] = [PADDED, ORIGIN, HALO, STRIDES, BASE];
