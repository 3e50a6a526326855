//! The tool as a user runs it: every command, what it prints, and its exit code.

#[path = "tool/common.rs"]
mod common;
#[path = "tool/files.rs"]
mod files;
#[path = "tool/formats.rs"]
mod formats;
#[path = "tool/numpy.rs"]
mod numpy;
#[path = "tool/pictures.rs"]
mod pictures;
#[path = "tool/wrong_files.rs"]
mod wrong_files;
