//! From a format string to a [`Spec`] and back: one parser for the macro and for run time.
//!
//! Parsing is `const fn`, allocates nothing and panics for no input. Imports nothing of ours.
//! `native` is oneDNN's grammar; a dialect is one more lexer beside it that feeds the same building
//! functions of [`Spec`] and reports the same [`ParseError`].

/// `?` in a `const fn`.
macro_rules! tri {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Err(error),
        }
    };
}

mod error;
mod native;
mod report;
mod spec;
mod template;
mod text;

pub use error::{ParseError, ParseErrorKind};
pub use report::Report;
pub use spec::{Digit, MAX_BLOCKS, MAX_DIGITS, MAX_RANK, Spec, SpecError};
pub use template::Template;
