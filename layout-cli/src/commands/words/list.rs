//! `layout list`: the names of layouts that systems publish, searched.

use crate::args::List;
use crate::failure::Failure;
use crate::input::Format;
use crate::output::Output;
use layout_core::grammar::{Dialect, KnownName, known_names};
use serde_json::json;
use std::fmt::Write;

/// A name with what it means.
struct Entry {
    known: KnownName,
    meaning: String,
}

pub(crate) fn run(args: &List, output: &mut Output) -> Result<(), Failure> {
    let system = match &args.system {
        None => None,
        Some(prefix) => Some(system(prefix)?),
    };
    let entries = if args.exact { same_layout(args)? } else { search(args) };
    let found: Vec<Entry> = entries
        .into_iter()
        .filter(|entry| system.is_none_or(|system| entry.known.dialect() == system))
        .collect();
    if found.is_empty() {
        let system = system.map(|system| format!(" of {}", system.name())).unwrap_or_default();
        let words = args.words.join(" ");
        return Err(Failure::failed(format!(
            "no name{system} matches `{words}`; `layout list` has them all"
        )));
    }
    output.print(|| table(&found), || found.iter().map(as_json).collect())
}

fn system(prefix: &str) -> Result<Dialect, Failure> {
    let named = |dialect: &Dialect| dialect.name().eq_ignore_ascii_case(prefix);
    Dialect::from_prefix(prefix).or_else(|| Dialect::ALL.into_iter().find(named)).ok_or_else(|| {
        let all: Vec<&str> = Dialect::ALL.iter().map(|dialect| dialect.prefix()).collect();
        Failure::Usage(format!("`{prefix}` is no system; the systems are {}", all.join(", ")))
    })
}

fn search(args: &List) -> Vec<Entry> {
    let words: Vec<String> = args.words.iter().map(|word| word.to_lowercase()).collect();
    known_names()
        .map(|known| Entry { known, meaning: meaning(&known) })
        .filter(|entry| {
            let text =
                format!("{} {} {}", entry.known.dialect(), entry.known.name(), entry.meaning).to_lowercase();
            words.iter().all(|word| text.contains(word))
        })
        .collect()
}

fn same_layout(args: &List) -> Result<Vec<Entry>, Failure> {
    let [word] = args.words.as_slice() else {
        return Err(Failure::usage("--exact takes one format"));
    };
    let spec = Format::new(word).spec(None, None)?;
    let same = |known: &KnownName| match known.spec() {
        Ok(other) if known.dialect().names_axes() => other == spec,
        Ok(other) => other.same_digits(&spec),
        Err(_) => false,
    };
    Ok(known_names().filter(same).map(|known| Entry { known, meaning: meaning(&known) }).collect())
}

/// The format in our grammar; how it depends on the tensor where it does.
fn meaning(known: &KnownName) -> String {
    if let Ok(spec) = known.spec() {
        return spec.to_string();
    }
    // Some names mean something once the rank or the size of the elements is known.
    (1..=6)
        .filter_map(|rank| Some(format!("{} at rank {rank} of f32", known.spec_for(rank, 4).ok()?)))
        .next()
        .unwrap_or_else(|| "depends on the tensor".to_owned())
}

fn table(entries: &[Entry]) -> String {
    let width = entries.iter().map(|entry| entry.known.name().len()).max().unwrap_or(0);
    let mut out = String::new();
    for Entry { known, meaning } in entries {
        let _ = writeln!(out, "{:<20} {:<width$} {meaning}", known.dialect().name(), known.name());
    }
    let _ = write!(out, "{} name{}", entries.len(), if entries.len() == 1 { "" } else { "s" });
    out
}

fn as_json(entry: &Entry) -> serde_json::Value {
    json!({
        "system": entry.known.dialect().prefix(),
        "name": entry.known.name(),
        "format": entry.known.spec().ok().map(|spec| spec.to_string()),
        "meaning": entry.meaning,
    })
}
