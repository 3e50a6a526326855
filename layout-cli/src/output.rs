//! [`Output`]: standard output as text for people or as one JSON value for scripts. Every command prints through it.

use crate::failure::Failure;
use serde_json::Value;
use std::fmt::Display;
use std::io::{self, Write};

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
