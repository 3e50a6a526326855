//! One file for each command: it reads its arguments, asks `layout-core`, and prints. Called by `main`.

pub(crate) mod bench;
pub(crate) mod code;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod draw;
pub(crate) mod words;
