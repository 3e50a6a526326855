//! Kernels for x86-64, a folder for each family of vector instructions. Called through `drive` with a token.

pub(super) mod avx2;
pub(super) mod avx512;
mod parts;
pub(super) mod sse41;

pub(super) use parts::maker::writes_in_turn;
#[cfg(test)]
pub(super) use parts::maker::{assume, assume_lines};
