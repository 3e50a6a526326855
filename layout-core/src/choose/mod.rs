//! Which layout, and which reorders: what an operation prefers on a processor ([`preferred_layout`]), which of several
//! typed kernels fits memory that is described at run time ([`match_layout!`](crate::match_layout)), and which reorders of a
//! chain are left when the needless ones are folded away ([`fold_reorders`]). Runs reorders; moves nothing itself.

mod fold;
mod matching;
mod prefer;

pub use fold::{ChainError, Move, fold_reorders};
pub use matching::{Described, DescribedMut, MatchError, nearest_layout};
pub use prefer::{Choice, Op, Preferred, preferred_layout};

/// What `match_layout!` expands to. Not part of the interface.
#[doc(hidden)]
pub mod __private {
    pub use super::matching::{Candidate, Fallback, Matched, MatchedMut, resolve, resolve_mut};
}
