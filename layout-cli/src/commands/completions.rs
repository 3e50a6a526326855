//! `layout completions`: the script with which a shell completes our commands.

use crate::args::{Cli, Completions};
use crate::failure::Failure;
use crate::output::Output;
use clap::CommandFactory;
use serde_json::json;

pub(crate) fn run(args: &Completions, output: &mut Output) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "layout", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    output.print(|| &script, || json!({ "shell": args.shell.to_string(), "script": script }))
}
