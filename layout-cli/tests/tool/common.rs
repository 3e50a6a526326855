//! Runs the tool and takes what it says.

use serde_json::Value;
use std::process::{Command, Output};

/// What a run said, and its exit code.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

pub(crate) fn layout(args: &[&str]) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_layout")).args(args).output().expect("the tool runs");
    let Output { status, stdout, stderr } = output;
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Run { code: status.code().expect("no signal"), out: text(stdout), err: text(stderr) }
}

/// The text of a run that must succeed.
pub(crate) fn good(args: &[&str]) -> String {
    let run = layout(args);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{args:?}\n{}", run.out);
    run.out
}

/// The JSON of a run that must succeed.
pub(crate) fn json(args: &[&str]) -> Value {
    let args: Vec<&str> = ["--json"].iter().chain(args).copied().collect();
    serde_json::from_str(&good(&args)).expect("JSON")
}

/// A run that must fail with this exit code and these words on standard error, in JSON as well.
pub(crate) fn bad(code: i32, words: &str, args: &[&str]) {
    let run = layout(args);
    assert_eq!(run.code, code, "{args:?}\n{}{}", run.out, run.err);
    assert!(run.err.contains(words), "{args:?}: no {words:?} in\n{}", run.err);
    assert!(run.err.starts_with("error: "), "{args:?}: {}", run.err);
}
