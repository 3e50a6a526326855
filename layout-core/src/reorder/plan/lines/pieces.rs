//! Which plans put lines of the destination together where registers hold 32 bytes: a line then comes from pieces of 16 bytes, from
//! what lies together on both sides, or from single elements, whichever is cheapest. That takes as long wherever axes end, while of
//! tiles each end is a call of its own.

use super::super::Reorder;
use super::Line;
use crate::kernels::{gather_lines, takes_pieces};

impl Reorder {
    /// Whether lines are put together, on this processor.
    #[inline]
    pub(in super::super::super) fn gathers(&self) -> bool {
        if self.is_single() {
            return false;
        }
        let token = self.token();
        if takes_pieces(token) { self.pieces } else { self.places > 0 && gather_lines(token).is_some() }
    }

    /// Whether lines can be put together with registers of 32 bytes.
    pub(in super::super) const fn has_pieces(&self) -> bool {
        let mut line = Line::NONE;
        line.find_any(self, &self.counts(), self.tails.len > 0)
    }
}
