//! Which plans put lines of the destination together where registers hold 32 bytes: a line then comes from pieces of 16 bytes, from
//! what lies together on both sides, or from single elements, whichever is cheapest. That takes as long wherever axes end, while of
//! tiles each end is a call of its own.

use super::super::{Class, MAX_LOOPS, Reorder, percent};
use super::Line;
use super::choice::Shape;
use crate::kernels::{LINE, gather_lines, takes_pieces};
use crate::reorder::problem::min;

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

    /// Whether lines are put together by processors with registers of 32 bytes.
    pub(in super::super) const fn pieces(&self, shape: &Shape, count: &[u64; MAX_LOOPS]) -> bool {
        let mut line = Line::NONE;
        self.pays(shape) && line.find_any(self, count, self.tails.len > 0)
    }

    /// Whether that is faster than tiles, measured over 40,000 random reorders of 6 to 400 KB and the pairs of `benches/cliffs.rs`
    /// (Zen 3): mostly where tiles hold a few elements, since they are called as often as full ones.
    const fn pays(&self, shape: &Shape) -> bool {
        let (less, more) = shape.sides();
        // Data on each side, of 100 elements and places of padding.
        let written = percent(self.logical, self.padded);
        let read = percent(self.bytes_read(), self.src_len);
        let (bytes, to, last) = (self.src_element, self.bytes_written(), self.nodes.len() - 1);
        let (x_ends, y_ends) = (self.valid_of(last), self.valid_of(last - 1));
        let held = Held {
            x: if let Some(x) = x_ends { x } else { shape.x },
            y: if let Some(y) = y_ends { y } else { shape.y },
        };
        // Lines of blocks, of a few images each.
        let of_few = 12 < shape.x && shape.x <= 36 && shape.y <= 3;
        match self.class {
            Class::Stream => false,
            _ if !shape.is_near => false,
            Class::Rows if self.moves_bytes() && self.are_whole_blocks(shape) => false,
            Class::Rows if self.moves_bytes() => {
                // Beyond the second-level cache rows of 32-bit elements are as well moved by their tiles.
                let far = bytes >= 4 && shape.y >= 16 && to > 1 << 20;
                let few = less <= 6 && held.all() <= 7 && y_ends.is_some() && !far;
                let short = shape.x.saturating_mul(bytes as u64) <= 4 && x_ends.is_some() && !shape.is_dense;
                let half = more <= 12 && written <= 50 && (bytes == 1 || bytes == 2 && held.all() <= 8);
                few || short && held.y <= 16 && to > 58 * 1000 || half
            }
            // Bytes of a few images beside one another are turned together.
            Class::Transpose if self.moves_bytes() && bytes == 1 && self.are_images(shape) => false,
            Class::Transpose if self.moves_bytes() && shape.x > 12 => of_few && written <= 12,
            Class::Transpose if self.moves_bytes() => held.all() <= 25 && held.y <= 7 && written <= 70,
            Class::Strided if self.moves_bytes() => {
                shape.x <= 20 && shape.y <= 12 && bytes < 8 && self.bytes_read() + to > 60 * 1000
            }
            _ if self.converts_few(shape, held) => true,
            Class::Strided => false,
            Class::Transpose if of_few && bytes == 1 && written <= 23 => true,
            Class::Transpose => held.y <= 3 && more <= 8 && written <= 92 && to > 28 * 1000,
            // Finding out where lines come from takes its time.
            Class::Rows if shape.x > 6 || to <= 52 * 1000 || held.x > 3 && held.y > 3 => false,
            Class::Rows if shape.x <= 3 => shape.x == 2 && held.x == 1,
            Class::Rows if self.are_whole_blocks(shape) || written > 92 => false,
            Class::Rows if more <= 12 => bytes == 1 || written <= 50 && (bytes == 2 || read <= 44),
            Class::Rows => read <= 22 || read > 50 && more <= 36 && bytes <= 2 && written <= 23,
        }
    }

    /// Whether tiles are 8 elements of each of a few images, whose next ones follow.
    const fn are_images(&self, shape: &Shape) -> bool {
        let next = self.nodes.get(self.nodes.len() - 3);
        shape.x == 8 && shape.y < 4 && next.n >= 16 && next.src == shape.y as isize
    }

    /// Whether tiles, which are converted, hold a few elements or little but padding: they are called as often as full ones.
    const fn converts_few(&self, shape: &Shape, held: Held) -> bool {
        /// Bytes of the destination that is mostly padding.
        const LARGE: usize = 640 * 1000;
        let (last, bytes) = (self.nodes.len() - 1, self.src_element as u64);
        let (row, run) = (shape.x.saturating_mul(bytes), shape.y.saturating_mul(bytes));
        let (all, z) = (held.all(), self.nodes.get(last - 2).n);
        match self.class {
            Class::Rows if self.bytes_written() > LARGE && min(shape.x, shape.y) <= 6 => true,
            Class::Rows => all <= 6 && row <= 24 && run <= 24 && self.valid_of(last - 1).is_some(),
            Class::Transpose if all > 17 || z > 8 => false,
            Class::Transpose => {
                let of_line = self.logical.saturating_mul(LINE) / (self.bytes_written() + 1);
                of_line <= 4 || row <= 10 && percent(self.logical, self.padded) <= 80
            }
            Class::Strided => {
                let bytes = self.bytes_read() + self.bytes_written();
                bytes > 150 * 1000 || shape.x <= 20 && bytes > 30 * 1000
            }
            Class::Stream => false,
        }
    }
}

/// Elements along the two sides of a tile that hold data.
#[derive(Clone, Copy)]
struct Held {
    x: u64,
    y: u64,
}

impl Held {
    const fn all(self) -> u64 {
        self.x.saturating_mul(self.y)
    }
}

impl Reorder {
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
