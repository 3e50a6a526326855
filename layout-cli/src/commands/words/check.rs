//! `layout check`: whether a text is a format, and what it means. A mistake is the answer, not an error of the command.

use crate::args::Check;
use crate::failure::Failure;
use crate::input::{self, Format};
use crate::output::Output;
use layout_core::grammar::Dialect;
use serde_json::json;

pub(crate) fn run(args: &Check, output: &mut Output) -> Result<(), Failure> {
    let format = Format::new(&args.format);
    let spec = match format.parse(args.rank, None) {
        Ok(spec) => spec,
        Err(error) => {
            let report = input::report(&error, format.text);
            let what = report.lines().next().unwrap_or_default();
            let help = report.lines().find_map(|line| line.strip_prefix("help: "));
            output.print(
                || format!("error: {report}"),
                || {
                    json!({
                        "valid": false,
                        "error": what,
                        "position": error.position() + args.format.len() - format.text.len(),
                        "length": error.len(),
                        "help": help,
                        "report": report,
                    })
                },
            )?;
            return Err(Failure::Said);
        }
    };
    if let Some(rank) = args.rank
        && rank != spec.rank()
    {
        let text = format!("`{}` has {} axes, not {rank}", format.text, spec.rank());
        output.print(|| format!("error: {text}"), || json!({ "valid": false, "error": text }))?;
        return Err(Failure::Said);
    }
    let axes: Vec<String> = (0..spec.rank()).filter_map(|a| spec.axis_name(a)).map(String::from).collect();
    let digits = format!("{spec:?}");
    let digits = digits.split_once(": ").map_or("", |(_, rest)| rest.trim_end_matches(')'));
    output.print(
        || format!("{spec}\nindexed as ({}), in memory {digits}", axes.join(", ")),
        || {
            let name = |dialect: Dialect| Some((dialect.prefix(), spec.name_in(dialect)?.to_string()));
            let names = Dialect::ALL.into_iter().filter_map(name);
            json!({
                "valid": true,
                "format": spec.to_string(),
                "axes": axes,
                "digits": digits.split(' ').collect::<Vec<_>>(),
                "names": names.map(|(key, name)| (key.to_owned(), json!(name))).collect::<serde_json::Map<_, _>>(),
            })
        },
    )
}
