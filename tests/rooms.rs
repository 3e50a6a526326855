//! Keeps the house in order: a room of `layout-core` imports only from the rooms above it, a file says at its head what
//! it is and stays short, a folder stays small. The checker reads source text alone; the tests of `checker` and of
//! `source` show that it can fail.

#[path = "rooms/checker.rs"]
mod checker;
#[path = "rooms/source.rs"]
mod source;

use checker::{LEAF, ROOMS, imports, judge};
use source::{code_only, lines_without_tests};
use std::fs;
use std::path::{Path, PathBuf};

/// Lines of a file without its tests.
const LONGEST_FILE: usize = 400;
/// Rust files of one folder.
const LARGEST_FOLDER: usize = 8;

/// The folders of sources to which the rules of size and of the file head apply.
const SOURCES: [&str; 4] = ["src", "layout-cli/src", "layout-core/src", "layout-macros/src"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every Rust file under `folder` with its text, in the order of the paths.
fn rust_files(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(&folder).unwrap_or_else(|e| panic!("cannot read {}: {e}", folder.display()));
        for entry in entries {
            let path = entry.expect("the folder can be listed").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path)
                    .unwrap_or_else(|e| panic!("cannot read {}: {e}", path.display()));
                files.push((path, text));
            }
        }
    }
    files.sort();
    files
}

/// `path` as it is named from the root of the repository.
fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

fn fail_with(complaints: &[String], advice: &str) {
    assert!(complaints.is_empty(), "\n{}\n\n{advice}\n", complaints.join("\n"));
}

#[test]
fn rooms_import_only_from_the_rooms_above_them() {
    let core = root().join("layout-core/src");
    let files = rust_files(&core);
    let mut complaints = Vec::new();
    let mut seen = Vec::new();
    for (path, text) in &files {
        let inside = path.strip_prefix(&core).expect("the file is in the folder");
        let mut module: Vec<String> =
            inside.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
        if module == ["lib"] {
            continue;
        }
        if module.last().is_some_and(|name| name == "mod") {
            module.pop();
        }
        seen.push(module[0].clone());
        for import in imports(&code_only(text), &module) {
            if let Err(complaint) = judge(&module[0], &import.room) {
                complaints.push(format!("{}:{}: {complaint}", shown(path), import.line));
            }
        }
    }
    for room in ROOMS.iter().chain([&LEAF]).filter(|room| !seen.iter().any(|found| found == *room)) {
        // Rooms are filled one after another; a name that stays missing is most likely a typing mistake here.
        println!("note: room `{room}` has no files");
    }
    assert!(
        seen.iter().any(|room| room == "grammar"),
        "no room was found under {}: wrong folder?",
        shown(&core)
    );
    fail_with(
        &complaints,
        "Data flows one way. Move what is shared into the room above both, or turn the call around: the lower room \
         calls the upper one. The order is in CONTRIBUTING.md and in tests/rooms/checker.rs.",
    );
}

/// `array.map` with a closure has the features of its caller, but the loop inside of it has none: where the compiler does not
/// inline it, each register goes through memory and a call, 20 times as slow, and another day it does.
#[test]
fn registers_are_not_mapped_by_closures() {
    let mut complaints = Vec::new();
    for folder in ["x86_64", "aarch64", "parts"] {
        for (path, text) in rust_files(&root().join("layout-core/src/kernels").join(folder)) {
            for (i, line) in code_only(&text).lines().enumerate() {
                if line.contains(".map(|") {
                    complaints.push(format!("{}:{}: {}", shown(&path), i + 1, line.trim()));
                }
            }
        }
    }
    fail_with(&complaints, "Write the elements out, or with `lanes!`, which is no call.");
}

#[test]
fn every_file_says_at_its_head_what_it_is() {
    let mut complaints = Vec::new();
    for folder in SOURCES {
        for (path, text) in rust_files(&root().join(folder)) {
            if !text.starts_with("//!") && !text.starts_with("#![doc") {
                complaints.push(format!("{}: the first line is no `//!` comment", shown(&path)));
            }
        }
    }
    fail_with(
        &complaints,
        "Open the file with one to six `//!` lines: what it holds, who calls it, what it never does.",
    );
}

#[test]
fn no_file_is_long() {
    let mut complaints = Vec::new();
    for folder in SOURCES {
        for (path, text) in rust_files(&root().join(folder)) {
            let lines = lines_without_tests(&text);
            if lines > LONGEST_FILE && !path.ends_with("tests.rs") {
                complaints.push(format!(
                    "{}: {lines} lines without its tests, at most {LONGEST_FILE}",
                    shown(&path)
                ));
            }
        }
    }
    fail_with(&complaints, "Split the file by role: one part a reader can name, in a file of that name.");
}

#[test]
fn no_folder_is_crowded() {
    let mut complaints = Vec::new();
    for folder in SOURCES {
        let files = rust_files(&root().join(folder));
        let mut folders: Vec<&Path> = files.iter().filter_map(|(path, _)| path.parent()).collect();
        folders.dedup();
        folders.sort();
        folders.dedup();
        for folder in folders {
            let names: Vec<String> = files
                .iter()
                .filter(|(path, _)| path.parent() == Some(folder))
                .filter_map(|(path, _)| Some(path.file_name()?.to_string_lossy().into_owned()))
                .collect();
            if names.len() > LARGEST_FOLDER {
                complaints.push(format!(
                    "{}: {} Rust files, at most {LARGEST_FOLDER}: {}",
                    shown(folder),
                    names.len(),
                    names.join(", ")
                ));
            }
        }
    }
    fail_with(
        &complaints,
        "Move the files that belong together into a folder of their own, with a `mod.rs`.",
    );
}

/// Where the links of a Markdown text lead, with their lines: `[…](here)` and `[…]: here`, code left out.
fn links(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut is_code = false;
    for (number, line) in (1..).zip(text.lines()) {
        is_code ^= line.starts_with("```");
        if is_code {
            continue;
        }
        if let Some((label, to)) = line.split_once("]: ")
            && label.starts_with('[')
        {
            found.push((number, to));
            continue;
        }
        let prose = line.split('`').step_by(2);
        found.extend(
            prose
                .flat_map(|part| part.split("](").skip(1))
                .filter_map(|rest| Some((number, rest.split_once(')')?.0))),
        );
    }
    found
}

#[test]
fn links_of_documents_lead_to_files() {
    assert_eq!(
        links("a [b](c.md), [`d`](e) `[f](g)`\n```\n[h](i)\n```\n[`j`]: k.md"),
        [(1, "c.md"), (1, "e"), (5, "k.md")]
    );
    let mut complaints = Vec::new();
    for folder in ["", "docs", "benches"] {
        let folder = root().join(folder);
        for entry in fs::read_dir(&folder).expect("the folder can be listed") {
            let path = entry.expect("the folder can be listed").path();
            if path.extension().is_none_or(|extension| extension != "md") {
                continue;
            }
            let text = fs::read_to_string(&path).expect("the document can be read");
            for (line, to) in links(&text) {
                let file = to.split('#').next().unwrap_or_default();
                if !to.contains("://") && !file.is_empty() && !folder.join(file).exists() {
                    complaints.push(format!("{}:{line}: there is no `{to}`", shown(&path)));
                }
            }
        }
    }
    fail_with(
        &complaints,
        "Documents are read as files, too: write paths in them. Where rustdoc shows them, src/lib.rs and src/guide.rs define \
         the same links before them, which holds there.",
    );
}
