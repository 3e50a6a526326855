//! What the families of x86-64 have in common, as macros over a register's width and its instructions; nothing here is
//! called from outside their folders.

pub(super) mod bytes;
pub(super) mod convert;
pub(super) mod pixels;
pub(super) mod rows;
pub(super) mod square;
pub(super) mod zip;
