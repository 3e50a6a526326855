//! Typed views: user-style tests of each capability, and brute force over many layouts and tails against an oracle that
//! reads digits from a text and knows nothing of the library's offset functions.

mod access;
mod bridge;
mod brute;
mod dynamic;
mod layouts;
mod loops;
mod memory;
mod named;
mod oracle;
mod padding;
mod parts;
mod parts_brute;
mod split;
mod state;
mod types;
