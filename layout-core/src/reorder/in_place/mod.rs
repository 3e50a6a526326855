//! Reorders within one piece of memory, source and destination being the same bytes: [`ReorderInPlace`].
//!
//! * `moves` checks that the two take the same places, and lists the loops of the permutation.
//! * `choose` cuts what fits no scratch into steps that do.
//! * `stage` holds the ways to move, through ordinary reorders where it can. It touches memory; `plan` writes the padding.
//! * `typed` is the way in for tensors.

mod choose;
mod display;
mod error;
mod loops;
mod moves;
mod plan;
mod stage;
mod typed;

pub use error::InPlaceError;
pub use plan::ReorderInPlace;
pub use typed::NotInPlace;
