//! One file for each command: it reads its arguments, asks `layout-core`, and prints. Called by `main`.

pub(crate) mod check;
pub(crate) mod code;
pub(crate) mod completions;
pub(crate) mod explain;
pub(crate) mod list;
pub(crate) mod plan;
