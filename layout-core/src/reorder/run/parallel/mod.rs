//! A plan on several threads.
//!
//! * `pool` is what users call: it decides in how many parts a plan runs, and where.
//! * `parts` cuts a plan into parts that write to different lines.
//! * `shared` hands parts out to the calling thread, and to those of the pool that come to help.

mod parts;
#[cfg(feature = "rayon")]
mod pool;
#[cfg(feature = "rayon")]
mod shared;

pub(super) use parts::Part;
