//! The tool as a user runs it: every command, what it prints, and its exit code.

#[path = "tool/common.rs"]
mod common;
#[path = "tool/formats.rs"]
mod formats;
