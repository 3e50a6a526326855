//! What a run found: rows, the figures derived from them, and the files that they are written to.

mod csv;
mod figures;
mod markdown;
mod svg;

use crate::entrants::Role;
use crate::measure::Times;
use crate::memory::Caches;
use crate::options::Options;
use crate::plans::PlanRow;
use std::path::{Path, PathBuf};

/// One case with the times of its entrants.
pub(crate) struct Row {
    pub(crate) class: &'static str,
    pub(crate) name: String,
    /// Bytes of the source's logical elements.
    pub(crate) read: usize,
    /// Bytes of the destination's elements, padding included.
    pub(crate) written: usize,
    /// Bytes of the lines that hold any of these.
    pub(crate) lines: usize,
    /// The cache that holds both.
    pub(crate) held_by: &'static str,
    /// Entrant, kernel, times.
    pub(crate) results: Vec<(String, String, Times)>,
    /// Entrants whose result was wrong.
    pub(crate) wrong: Vec<String>,
}

/// All of a run.
pub(crate) struct Report {
    pub(crate) names: Vec<(String, Role)>,
    pub(crate) caches: Caches,
    pub(crate) options: Options,
    pub(crate) rows: Vec<Row>,
    pub(crate) plans: Vec<PlanRow>,
}

impl Report {
    pub(crate) fn new(names: Vec<(String, Role)>, caches: Caches, options: &Options) -> Report {
        Report { names, caches, options: options.clone(), rows: Vec::new(), plans: Vec::new() }
    }

    /// Writes the files below `target/bench` and prints the summary.
    pub(crate) fn write(&self) -> std::io::Result<()> {
        let folder = folder();
        std::fs::create_dir_all(&folder)?;
        let files = [
            ("reorder.csv", csv::table(self)),
            ("reorder-plans.csv", csv::plans(self)),
            ("reorder.md", markdown::document(self)),
            ("reorder.svg", svg::picture(self)),
        ];
        for (name, text) in files {
            std::fs::write(folder.join(name), text)?;
        }
        println!("{}", markdown::summary(self));
        println!("written: target/bench/reorder.csv, reorder-plans.csv, reorder.md, reorder.svg");
        Ok(())
    }
}

fn folder() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap_or(Path::new("."));
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from).join("bench")
}
