//! [`Report`]: a parse error drawn with its text, and what to write instead. Called by the macro and by people
//! who print errors; runs only once parsing has failed, and never allocates.

mod dialect;
mod draw;
mod help;
mod mend;
mod search;

use super::ParseError;
use core::fmt;

/// A [`ParseError`] beside the text that it is about. `Display` gives the message, the text, carets under what is
/// wrong, and help, on lines of their own and without a line feed at the end.
///
/// ```
/// use layout_core::grammar::Spec;
/// let error = Spec::parse("nchw16c").unwrap_err();
/// assert_eq!(
///     error.report("nchw16c").to_string(),
///     "axis `c` has a block but its outer letter is lower case\n  nchw16c\n   ^\nhelp: write \"nChw16c\""
/// );
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Report<'t> {
    error: ParseError,
    text: &'t str,
}

impl ParseError {
    /// The error drawn on `text`, which should be the text that was parsed. With any other text the carets may
    /// stand anywhere.
    pub const fn report<'t>(&self, text: &'t str) -> Report<'t> {
        Report { error: *self, text }
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.error.kind())?;
        draw::draw(f, self.text, self.error.position(), self.error.len())?;
        help::help(f, &self.error, self.text)
    }
}
