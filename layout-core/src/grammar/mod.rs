//! From a format string to a [`Spec`]: one parser for the macro and for run time.
//!
//! Everything here is `const fn`, allocates nothing and panics for no input. Imports nothing of ours.

mod spec;

pub use spec::{Digit, MAX_BLOCKS, MAX_DIGITS, MAX_RANK, Spec, SpecError};
