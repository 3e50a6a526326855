//! Reorders against a naive loop over every element. One binary; `oracle` holds the loop and what a number becomes,
//! `typed` the way in for views.

mod attributes;
mod blocks;
mod cache;
mod convert;
mod described;
mod errors;
mod guarded;
mod in_place;
mod messages;
mod options;
mod oracle;
mod packed;
mod parts;
mod plan;
mod properties;
mod quantise;
mod round_trip;
mod rounding;
mod shared_lines;
mod small;
mod specials;
mod stress;
mod strided;
mod tables;
#[cfg(feature = "std")]
mod tuning;
mod typed;
mod ways;
mod window;
