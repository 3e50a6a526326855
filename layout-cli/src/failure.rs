//! [`Failure`]: why a command ended early, what it prints and its exit code: 1 where the work failed, 2 where the command
//! line asked for something that cannot be.

use crate::output::shown;
use serde_json::json;
use std::fmt::Display;
use std::io::{ErrorKind, Write, stderr};
use std::path::Path;
use std::process::ExitCode;

/// Why a command ended early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line asks for what cannot be: exit code 2.
    Usage(String),
    /// The work failed: exit code 1.
    Failed(String),
    /// The work failed, and the command has said so itself: exit code 1.
    Said,
    /// Whoever read the output has gone away, as `head` does: no error.
    ReaderGone,
}

impl Failure {
    /// An error of the command line.
    pub(crate) fn usage(error: impl Display) -> Failure {
        Failure::Usage(error.to_string())
    }

    /// An error of the work.
    pub(crate) fn failed(error: impl Display) -> Failure {
        Failure::Failed(error.to_string())
    }

    /// An error about a file.
    pub(crate) fn file(what: &str, path: &Path, error: impl Display) -> Failure {
        Failure::Failed(format!("cannot {what} {}: {error}", path.display()))
    }

    /// The error said of one tensor of a file, by its name.
    pub(crate) fn about(self, tensor: Option<&str>) -> Failure {
        match (self, tensor) {
            (Failure::Failed(text), Some(name)) => {
                Failure::Failed(format!("tensor `{}`: {text}", shown(name)))
            }
            (failure, _) => failure,
        }
    }

    /// Prints the error to standard error, in JSON if so asked, and gives the exit code.
    pub(crate) fn report(self, as_json: bool) -> ExitCode {
        let (code, text) = match self {
            Failure::Usage(text) => (2, text),
            Failure::Failed(text) => (1, text),
            Failure::Said => return ExitCode::from(1),
            Failure::ReaderGone => return ExitCode::SUCCESS,
        };
        let line = match as_json {
            true => json!({ "error": text, "exit_code": code }).to_string(),
            // What files say of themselves is part of some errors.
            false => format!("error: {}", text.split('\n').map(shown).collect::<Vec<_>>().join("\n")),
        };
        // Where nobody reads it, the exit code says it.
        let _ = writeln!(stderr(), "{line}");
        ExitCode::from(code)
    }

    /// The first line, for a list of errors.
    pub(crate) fn line(&self) -> &str {
        match self {
            Failure::Usage(text) | Failure::Failed(text) => text.lines().next().unwrap_or_default(),
            Failure::Said | Failure::ReaderGone => "",
        }
    }
}

/// Errors of standard output.
impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        match error.kind() {
            ErrorKind::BrokenPipe => Failure::ReaderGone,
            _ => Failure::Failed(format!("cannot write the output: {error}")),
        }
    }
}
