//! `layout draw`: the picture of a layout, in the terminal or as a file.

use crate::args::{Colour, Draw};
use crate::failure::Failure;
use crate::files::atomic;
use crate::input;
use crate::output::Output;
use crate::raster;
use layout_core::picture::TerminalColours;
use serde_json::json;
use std::env;
use std::io::{IsTerminal, stdout};

/// Columns where nothing says how wide the terminal is.
const COLUMNS: usize = 100;

pub(crate) fn run(args: &Draw, output: &mut Output) -> Result<(), Failure> {
    let tensor = input::tensor(&args.format, args.dims.as_deref())?;
    let Some(path) = &args.output else {
        return output.print(
            || tensor.to_terminal(columns(args), colours(args.colour)),
            || json!({ "tensor": tensor.to_string(), "svg": tensor.to_svg() }),
        );
    };
    let picture = tensor.picture();
    let bytes = match path.extension().and_then(|extension| extension.to_str()) {
        Some("svg") => picture.to_svg().into_bytes(),
        Some("png") => raster::png(&picture).map_err(|error| Failure::file("draw", path, error))?,
        _ => {
            return Err(Failure::usage(format!("{}: pictures are .svg or .png files", path.display())));
        }
    };
    atomic::write(path, &bytes)?;
    output.print(
        || format!("{}: {tensor}", path.display()),
        || json!({ "tensor": tensor.to_string(), "file": path, "bytes": bytes.len() }),
    )
}

fn columns(args: &Draw) -> usize {
    let stated = || env::var("COLUMNS").ok()?.parse().ok();
    let seen = || Some(terminal_size::terminal_size()?.0.0 as usize);
    args.width.or_else(stated).or_else(seen).unwrap_or(COLUMNS)
}

/// What the terminal can show, by the variables that terminals set; `NO_COLOR` is that of no-color.org.
fn colours(wanted: Colour) -> TerminalColours {
    let says = |name: &str, word: &str| env::var(name).is_ok_and(|value| value.contains(word));
    let is_wanted = match wanted {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto => {
            stdout().is_terminal()
                && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
                && !says("TERM", "dumb")
        }
    };
    match is_wanted {
        false => TerminalColours::None,
        true if says("COLORTERM", "truecolor") || says("COLORTERM", "24bit") => TerminalColours::True,
        true => TerminalColours::Indexed,
    }
}
