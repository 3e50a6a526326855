//! Kernels for x86-64, a folder for each family of vector instructions. Called through `drive` with a token.

pub(super) mod avx512;
mod zip;
