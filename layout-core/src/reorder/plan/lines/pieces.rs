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
        let token = self.token();
        if takes_pieces(token) { self.pieces } else { self.places > 0 && gather_lines(token).is_some() }
    }

    /// Whether lines are put together by processors with registers of 32 bytes.
    pub(in super::super) const fn pieces(&self, shape: &Shape, count: &[u64; MAX_LOOPS]) -> bool {
        let mut line = Line::NONE;
        self.pays(shape) && line.find_any(self, count, self.tails.len > 0)
    }

    /// Whether that is faster than tiles, measured over 63 000 pairs of layouts and types of 100 KB, and for conversions once more over
    /// 40,000 random reorders of 6 to 400 KB (Zen 3).
    const fn pays(&self, shape: &Shape) -> bool {
        let (less, more) = shape.sides();
        // Data on each side, of 100 elements and places of padding.
        let written = percent(self.logical, self.padded);
        let read = percent(self.bytes_read(), self.src_len);
        let (bytes, moves) = (self.src_element, self.moves_bytes());
        let held = if moves { Held { x: shape.x, y: shape.y } } else { self.held_by_tiles(shape) };
        match self.class {
            Class::Stream => false,
            _ if !shape.is_near => false,
            _ if moves && self.turns_well(shape) => false,
            _ if !moves && self.converts_few(shape, held) => true,
            _ if !moves && !self.is_long_for(shape, held) => false,
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

    /// Whether tiles, which are converted, hold a few elements or little but padding: they are called as often as full ones.
    const fn converts_few(&self, shape: &Shape, held: Held) -> bool {
        /// Bytes of the destination that is mostly padding.
        const LARGE: usize = 640 * 1000;
        let (last, bytes) = (self.nodes.len() - 1, self.src_element as u64);
        let (row, run, z) = (shape.x * bytes, shape.y * bytes, self.nodes.get(last - 2).n);
        match self.class {
            Class::Rows if self.bytes_written() > LARGE && min(shape.x, shape.y) <= 6 => true,
            Class::Rows => {
                held.x * held.y <= 6 && row <= 24 && run <= 24 && self.valid_of(last - 1).is_some()
            }
            Class::Transpose if held.x * held.y > 17 || z > 8 => false,
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

    /// Whether there is enough to convert for what finding out where lines come from takes, and little of it in each row.
    const fn is_long_for(&self, shape: &Shape, held: Held) -> bool {
        let written = self.bytes_written();
        match self.class {
            Class::Rows if held.x == 1 && shape.x == 2 => true,
            Class::Rows => 3 < shape.x && shape.x <= 6 && min(held.x, held.y) <= 3 && written > 52 * 1000,
            Class::Transpose => held.y <= 3 && written > 28 * 1000,
            Class::Stream | Class::Strided => false,
        }
    }

    /// How many elements of a tile hold data.
    const fn held_by_tiles(&self, shape: &Shape) -> Held {
        let last = self.nodes.len() - 1;
        let (x, y) = (self.valid_of(last), self.valid_of(last - 1));
        Held { x: if let Some(x) = x { x } else { shape.x }, y: if let Some(y) = y { y } else { shape.y } }
    }
}

/// Elements along the two sides of a tile that hold data.
#[derive(Clone, Copy)]
struct Held {
    x: u64,
    y: u64,
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
