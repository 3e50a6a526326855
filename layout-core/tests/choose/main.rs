//! Choosing layouts and reorders: the table of preferences, chains that are folded, and typed kernels for memory that is
//! described at run time.

mod fold;
mod matching;
mod prefer;
mod threads;
