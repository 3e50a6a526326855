//! The commands that answer in words: what a layout is, whether a text is one, what it is called, what a reorder will do.

pub(crate) mod check;
pub(crate) mod explain;
pub(crate) mod list;
pub(crate) mod plan;
