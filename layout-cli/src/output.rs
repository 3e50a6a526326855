//! [`Output`]: standard output as text for people or as one JSON value for scripts. Every command prints through it.

use crate::failure::Failure;
use serde_json::Value;
use std::fmt::Display;
use std::io::{self, Write};

/// Text from a file as a terminal may show it: control characters as Rust escapes, so that the name of a tensor neither moves
/// the cursor nor begins a line.
pub(crate) fn shown(text: &str) -> String {
    text.chars().fold(String::new(), |mut out, letter| {
        match letter.is_control() {
            true => out.extend(letter.escape_default()),
            false => out.push(letter),
        }
        out
    })
}

/// Standard output.
pub(crate) struct Output {
    json: bool,
}

impl Output {
    pub(crate) fn new(json: bool) -> Output {
        Output { json }
    }

    /// Whether scripts read the output.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Prints one or the other; only what is printed is made.
    pub(crate) fn print<T: Display>(
        &mut self,
        text: impl FnOnce() -> T,
        json: impl FnOnce() -> Value,
    ) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        match self.json {
            true => writeln!(out, "{:#}", json())?,
            false => writeln!(out, "{}", text().to_string().trim_end_matches('\n'))?,
        }
        Ok(out.flush()?)
    }
}
