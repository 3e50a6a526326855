//! Kernels for 64-bit Arm, a folder for each family of vector instructions. Called through `drive` with a token.
//!
//! No such processor has run them yet. They are compiled for Linux, macOS and Windows, and pass all tests of the kernels
//! under QEMU's emulation of the instructions (`scripts/check arm`). Miri interprets all jobs but weaving and the conversions
//! from f16 or to f16 and integers, whose instructions it does not know (`kernels::tests::few`). The workflow has
//! jobs for Arm machines. What the kernels cost was never measured: which instructions to take was decided by LLVM's models
//! of Neoverse N1, N2, V1, V2 and Cortex-A55, and by the machine code, in which transposes keep all rows in registers and
//! write whole ones.

pub(super) mod neon;
