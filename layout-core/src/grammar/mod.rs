//! From a format string to a [`Spec`] and back: one parser for the macro and for run time.
//!
//! Parsing is `const fn`, allocates nothing and panics for no input. Imports nothing of ours.
//! `native` is our grammar, which is oneDNN's with a few marks more; a dialect is one more lexer beside it that feeds
//! the same building functions of [`Spec`] and reports the same [`ParseError`]. Entry points: `parse`.

/// `?` in a `const fn`.
macro_rules! tri {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Err(error),
        }
    };
}

mod dialect;
mod error;
mod native;
mod parse;
mod report;
mod spec;
mod spec_error;
mod template;
mod text;

pub use dialect::{Dialect, FormatName, KnownName, known_names};
pub use error::{ParseError, ParseErrorKind};
pub use report::Report;
pub use spec::{Digit, MAX_BLOCKS, MAX_DIGITS, MAX_RANK, Spec};
pub use spec_error::SpecError;
pub use template::Template;
