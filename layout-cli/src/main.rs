//! `layout`: looks at tensor layouts, checks, draws and converts them. Reads the command line and hands over to one file of
//! `commands`; the arithmetic is all in `layout-core`.

mod args;
mod commands;
mod failure;
mod files;
mod input;
mod output;
mod raster;

use args::{Cli, Command};
use clap::Parser;
use commands::words;
use failure::Failure;
use output::Output;
use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match command_line() {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    let mut output = Output::new(cli.json);
    let result = match &cli.command {
        Command::Explain(args) => words::explain::run(args, &mut output),
        Command::Draw(args) => commands::draw::run(args, &mut output),
        Command::Plan(args) => words::plan::run(args, &mut output),
        Command::Convert(args) => commands::convert::run(args, &mut output),
        Command::Bench(args) => commands::bench::run(args, &mut output),
        Command::List(args) => words::list::run(args, &mut output),
        Command::Check(args) => words::check::run(args, &mut output),
        Command::Code(args) => commands::code::run(args, &mut output),
        Command::Completions(args) => commands::completions::run(args, &mut output),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(cli.json),
    }
}

/// What the user asks for; the exit code where that is help, or a mistake, which then has been said.
fn command_line() -> Result<Cli, ExitCode> {
    let error = match Cli::try_parse() {
        Ok(cli) => return Ok(cli),
        Err(error) => error,
    };
    let as_json = env::args_os().skip(1).take_while(|arg| arg != "--").any(|arg| arg == "--json");
    if as_json && error.use_stderr() {
        let text = error.render().to_string();
        let lines: Vec<&str> =
            text.lines().filter(|line| !line.starts_with("For more information")).collect();
        let text = lines.join("\n");
        return Err(Failure::usage(text.trim_start_matches("error: ").trim_end()).report(true));
    }
    // Help goes to standard output; where nobody reads it, that is no error.
    let _ = error.print();
    Err(ExitCode::from(u8::from(error.use_stderr()) * 2))
}
