//! Which plans put lines of the destination together where registers hold 32 bytes: a line then comes from pieces of 16 bytes, from
//! what lies together on both sides, or from single elements, whichever is cheapest. That takes as long wherever axes end, while of
//! tiles each end is a call of its own.

use super::super::{Class, MAX_LOOPS, Reorder, percent};
use super::Line;
use super::choice::Shape;
use crate::kernels::{LINE, gather_lines, takes_pieces};

impl Reorder {
    /// Whether lines are put together, on this processor.
    #[inline]
    pub(in super::super::super) fn gathers(&self) -> bool {
        let token = self.token();
        if takes_pieces(token) { self.pieces } else { self.places > 0 && gather_lines(token).is_some() }
    }

    /// Whether lines are put together by processors with registers of 32 bytes.
    pub(in super::super) const fn pieces(&self, shape: &Shape, count: &[u64; MAX_LOOPS]) -> bool {
        let mut line = Line::NONE;
        self.pays(shape) && line.find_any(self, count, self.tails.len > 0)
    }

    /// Whether that is faster than tiles, measured over 63 000 pairs of layouts and types of 100 KB (Zen 3).
    const fn pays(&self, shape: &Shape) -> bool {
        let (less, more) = shape.sides();
        // Data on each side, of 100 elements and places of padding.
        let written = percent(self.logical, self.padded);
        let read = percent(self.bytes_read(), self.src_len);
        let (bytes, moves) = (self.src_element, self.moves_bytes());
        match self.class {
            Class::Stream => false,
            _ if !shape.is_near => false,
            _ if moves && self.turns_well(shape) => false,
            Class::Rows if self.are_whole_blocks(shape) => false,
            Class::Strided if written > 92 => more <= 72 && shape.y <= 12 && bytes < 8,
            _ if written > 92 => false,
            _ if more <= 12 && written <= 50 => bytes <= 2 || read <= 44,
            Class::Rows if more <= 12 => bytes == 1,
            Class::Rows if read <= 22 => shape.x <= 6 && (!moves || bytes <= 2),
            Class::Transpose if read <= 22 => shape.x <= 6 && 12 < more && shape.y <= 16 && !moves,
            _ if read <= 50 => false,
            _ if 12 < more && more <= 36 => bytes <= 2 && written <= 23 && less <= 8,
            _ => false,
        }
    }
}

impl Reorder {
    /// Whether tiles, which are moved as they are, have kernels for all of their rows at a time: those that small squares fill, and short
    /// rows of which there are many (measured as above, with weights and activations that are mostly padding).
    const fn turns_well(&self, shape: &Shape) -> bool {
        let (x, y, bytes, last) = (shape.x, shape.y, self.src_element, self.nodes.len() - 1);
        let z_loop = if last > 1 { last - 2 } else { last };
        let (whole, z) = (self.few_are_short(last - 1, y), self.nodes.get(z_loop));
        let written = percent(self.logical, self.padded);
        match self.class {
            Class::Transpose if bytes > 4 || !whole => false,
            // Padding alone is written faster in lines.
            Class::Transpose if y > 8 && x > 4 => written > 15,
            // There are kernels for runs that become groups in lines of 16 of these.
            Class::Transpose if y > 8 => {
                let line = x * bytes as u64;
                let runs = self.nodes.get(last).src as u64 == y * bytes as u64;
                runs && line <= 4 && z.n == 16 && z.dst as u64 == line && self.few_are_short(z_loop, z.n)
            }
            Class::Transpose if y > 4 => x == 8 && (bytes == 1 || written > 30),
            // Bytes of images beside one another are turned together.
            Class::Transpose => bytes == 1 && x == 8 && y < 4 && z.n >= 16 && z.src == y as isize,
            Class::Rows => whole && (x <= 4 && y > 64 || x == 4 && y >= 16),
            Class::Stream | Class::Strided => false,
        }
    }

    /// Whether tiles are blocks that both sides have, each of them one row of some bytes, with padding at its end at most but for few
    /// of them.
    const fn are_whole_blocks(&self, shape: &Shape) -> bool {
        const MANY: u64 = 4;
        let (x, last) = (shape.x, self.nodes.len() - 1);
        if !shape.is_block || x * shape.y * (self.src_element as u64) < LINE as u64 {
            return false;
        }
        let (mut t, mut level) = (0, 0);
        while t < self.tails.len as usize {
            while level < self.tails.end[t] as usize {
                if self.tails.levels[level] as usize == last && self.tails.dim[t] / x < MANY {
                    return false;
                }
                level += 1;
            }
            t += 1;
        }
        true
    }

    /// Whether an axis ends inside of no loop `node`, of `n` values, or behind most of them, or in one of many.
    pub(in super::super) const fn few_are_short(&self, node: usize, n: u64) -> bool {
        const MANY: u64 = 4;
        let (mut t, mut level) = (0, 0);
        while t < self.tails.len as usize {
            while level < self.tails.end[t] as usize {
                let (dim, rest) = (self.tails.dim[t], self.tails.dim[t] % n);
                if self.tails.levels[level] as usize == node && rest > 0 && rest <= n / 2 && dim / n < MANY {
                    return false;
                }
                level += 1;
            }
            t += 1;
        }
        true
    }
}
