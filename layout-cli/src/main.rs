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
use output::Output;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
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
