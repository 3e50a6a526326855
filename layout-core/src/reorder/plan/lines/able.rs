//! Which plans can put lines of the destination together in place of moving tiles, and from how many places of the source these come.

use super::super::{MAX_LOOPS, Reorder, Tails};
use super::Line;
use crate::descriptor::DType;
use crate::reorder::problem::min;

/// Elements from which on it pays to find out where lines come from.
const LEAST: usize = 1024;

impl Reorder {
    /// From how many places of the source the lines come where registers hold one, of elements as the source has them, or where it
    /// `narrows` as the destination has them, which are converted before. 0 where they come from too many.
    pub(in super::super) const fn places(&self, narrows: bool) -> u8 {
        let mut line = Line::NONE;
        let element = if narrows { self.dst_element } else { self.src_element };
        let found = self.takes_lines() && line.find(self, &self.counts(), self.tails.len > 0, element);
        if found { line.places_len as u8 } else { 0 }
    }

    /// Whether lines can be put together with registers of 32 bytes: from pieces of 16 bytes, from what lies together on both sides, or
    /// from single elements, whichever is cheapest. That takes as long wherever axes end, while of tiles each end is a call of its own.
    pub(in super::super) const fn has_pieces(&self) -> bool {
        let mut line = Line::NONE;
        self.takes_lines() && line.find_any(self, &self.counts(), self.tails.len > 0)
    }

    /// Whether bytes of zero are zero on both sides: padding is put together as these, and converted with the rest.
    pub(in super::super::super) const fn has_zero(&self) -> bool {
        self.moves_bytes() || !matches!((self.src_dtype, self.dst_dtype), (DType::E8M0, _) | (_, DType::E8M0))
    }

    /// How often each loop runs.
    pub(in super::super::super) const fn counts(&self) -> [u64; MAX_LOOPS] {
        let mut count = [1; MAX_LOOPS];
        let mut i = 0;
        while i < self.nodes.len() {
            count[i] = self.nodes.get(i).n;
            i += 1;
        }
        count
    }

    /// How many values of loop `node` hold data at most, where an axis ends inside of it.
    pub(in super::super) const fn valid_of(&self, node: usize) -> Option<u64> {
        let (mut t, mut level) = (0, 0);
        while t < self.tails.len as usize {
            let mut places = 1u64;
            while level < self.tails.end[t] as usize {
                let at = self.tails.levels[level] as usize;
                let n = self.nodes.get(at).n;
                if at == node {
                    return Some(min(n, self.tails.dim[t].div_ceil(places)));
                }
                places = places.saturating_mul(n);
                level += 1;
            }
            t += 1;
        }
        None
    }

    /// Whether lines can be put together, wherever they come from.
    pub(in super::super) const fn takes_lines(&self) -> bool {
        if self.logical < LEAST || !self.packing.is_none() || !self.has_zero() {
            return false;
        }
        let mut i = 0;
        while i < self.nodes.len() {
            if !self.nodes.is_strided(i) {
                return false;
            }
            i += 1;
        }
        let mut t = 0;
        while t < self.tails.len as usize {
            if self.tails.window[t] != Tails::NO_WINDOW {
                return false;
            }
            t += 1;
        }
        true
    }
}
