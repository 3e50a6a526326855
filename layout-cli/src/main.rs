//! `layout`: looks at tensor layouts, checks, draws and converts them. Reads the command line and hands over to one file of
//! `commands`; the arithmetic is all in `layout-core`.

mod args;
mod commands;
mod failure;
mod input;
mod output;

use args::{Cli, Command};
use clap::Parser;
use output::Output;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut output = Output::new(cli.json);
    let result = match &cli.command {
        Command::Explain(args) => commands::explain::run(args, &mut output),
        Command::Plan(args) => commands::plan::run(args, &mut output),
        Command::List(args) => commands::list::run(args, &mut output),
        Command::Check(args) => commands::check::run(args, &mut output),
        Command::Code(args) => commands::code::run(args, &mut output),
        Command::Completions(args) => commands::completions::run(args, &mut output),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(cli.json),
    }
}
