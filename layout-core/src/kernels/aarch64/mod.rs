//! Kernels for 64-bit Arm, a folder for each family of vector instructions. Called through `drive` with a token.

pub(super) mod neon;
