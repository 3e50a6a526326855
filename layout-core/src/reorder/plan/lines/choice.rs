//! Which plans put lines of the destination together in place of moving tiles, and from how many places of the source these may come.

use super::super::{Class, MAX_LOOPS, Reorder, Tails};
use super::Line;
use crate::descriptor::DType;
use crate::reorder::problem::min;

/// Elements from which on it pays to find out where lines come from.
const LEAST: usize = 1024;

/// The same where they are converted before.
const LEAST_NARROWED: usize = 8192;

/// Bytes, read and written, below which finding out takes a part of the time that counts.
const SMALL: usize = 40 * 1024;

/// Bytes, read and written, that a second-level cache holds.
const NEAR: usize = 1 << 20;

/// What tiles would be like.
pub(in super::super) struct Shape {
    pub(in super::super) x: u64,
    pub(in super::super) y: u64,
    /// Loops that run more than once.
    pub(in super::super) loops: usize,
    with_tails: bool,
    /// Whether the destination has padding.
    is_padded: bool,
    /// Whether three fourths of it or more is padding.
    is_sparse: bool,
    /// Whether a second-level cache holds the source with the destination, or twice: lines of it may then be read in any order.
    pub(in super::super) is_near: bool,
    /// Whether it is [`SMALL`].
    is_small: bool,
    /// Whether the rows of a tile follow one another on both sides.
    pub(in super::super) is_dense: bool,
    /// Bytes of an element of the source, and of the destination.
    bytes: u64,
    written: u64,
}

impl Reorder {
    /// From how many places of the source the lines of the destination come, where these are put together, else 0; and whether their
    /// elements are converted before.
    pub(in super::super) const fn places(&self, shape: &Shape, count: &[u64; MAX_LOOPS]) -> (u8, bool) {
        let with_tails = self.tails.len > 0;
        let mut line = Line::NONE;
        if self.dst_element < self.src_element && self.logical >= LEAST_NARROWED {
            let most = shape.narrowed(self.class);
            if most > 0 && line.find(self, count, with_tails, self.dst_element, most) {
                return (line.places_len as u8, true);
            }
        }
        let most = shape.most_places(self);
        if most > 0 && line.find(self, count, with_tails, self.src_element, most) {
            return (line.places_len as u8, false);
        }
        (0, false)
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

    /// What tiles are like where loop i has `count[i]` values, and axes end inside of loops where it is `with_tails`; `None` where lines
    /// cannot be put together.
    pub(in super::super) const fn shape(&self, count: &[u64; MAX_LOOPS], with_tails: bool) -> Option<Shape> {
        if self.logical < LEAST || !self.packing.is_none() || !self.has_zero() {
            return None;
        }
        let last = self.nodes.len() - 1;
        let mut loops = 0;
        let mut i = 0;
        while i <= last {
            if !self.nodes.is_strided(i) {
                return None;
            }
            if count[i] > 1 {
                loops += 1;
            }
            i += 1;
        }
        let mut t = 0;
        while with_tails && t < self.tails.len as usize {
            if self.tails.window[t] != Tails::NO_WINDOW {
                return None;
            }
            t += 1;
        }
        let (row, next) = (count[last] as isize, self.nodes.get(last - 1));
        let is_dense = next.src == row.wrapping_mul(self.src_element as isize)
            && next.dst == row.wrapping_mul(self.dst_element as isize);
        Some(Shape {
            is_dense,
            x: count[last],
            y: count[last - 1],
            loops,
            with_tails,
            is_padded: self.padded > self.logical,
            is_sparse: self.padded / 4 >= self.logical,
            is_small: self.bytes_read() + self.bytes_written() < SMALL,
            is_near: 2 * self.bytes_read() <= NEAR || self.bytes_read() + self.bytes_written() <= NEAR,
            bytes: self.src_element as u64,
            written: self.dst_element as u64,
        })
    }
}

/// Where lines are faster, measured over 63 000 pairs of layouts and types of 100 KB, and over larger ones of the benchmark (Emerald
/// Rapids; rows that are converted on Zen 5, where tiles of them are converted under masks). What is small, and moved lines of more than
/// 8 places, once more over 1,700 random extents of 8 to 260 KB by turns with tiles (Emerald Rapids).
impl Shape {
    /// From how many places of the source lines of `plan` may come; 0 where tiles are faster in any case.
    const fn most_places(&self, plan: &Reorder) -> u8 {
        let many = self.x > 16 || self.y > 16;
        match plan.class {
            Class::Stream => 0,
            Class::Transpose if self.is_small && many => 0,
            Class::Rows if self.is_small && self.x > 2 && self.loops <= 5 && self.written > 1 => 0,
            Class::Strided => self.strided(),
            Class::Rows if plan.moves_bytes() => self.rows(),
            Class::Rows => self.converted_rows(),
            Class::Transpose if plan.moves_bytes() => self.crossed(),
            Class::Transpose => self.converted_crossed(),
        }
    }

    const fn strided(&self) -> u8 {
        match self.bytes {
            1 | 2 => 16,
            4 => 8,
            _ => 4,
        }
    }

    const fn rows(&self) -> u8 {
        let Shape { x, y, bytes, loops, with_tails, .. } = *self;
        let most = if self.is_near && y < 16 { 16 } else { 8 };
        match x.saturating_mul(bytes) {
            _ if x > 3 && y > 16 && (bytes > 1 || self.is_small) => 0,
            // There are kernels for pixels of three bytes.
            3 if !with_tails => 0,
            0..=3 => most,
            _ if !with_tails => 0,
            4..=8 => most,
            9..=16 if loops >= 5 || loops >= 3 && x <= 8 && self.is_near => most,
            17..=32 if loops >= 5 || loops >= 4 && x <= 8 && self.is_near => most,
            _ => 0,
        }
    }

    const fn converted_rows(&self) -> u8 {
        let Shape { x, y, bytes, written, is_padded, .. } = *self;
        let many = self.loops >= 5 || self.loops >= 4 && self.is_near;
        let to_or_from_4 = bytes == 4 || written == 4;
        match (bytes, x, written) {
            _ if !self.with_tails => 0,
            (1, 9..=16, 1) if y <= 16 && !self.is_dense => 16,
            // Rows that divide a register, without padding, and longer ones with it have kernels.
            (_, 2 | 4 | 8 | 16 | 32 | 64, _) if !is_padded => 0,
            (1 | 2, 9..=16, _) if y <= 2 => 16,
            (_, 9..=16, _) => 0,
            (_, 3..=8, _) if self.is_dense && y > 64 => 0,
            (_, 33..=64, _) if self.is_dense => 0,
            // Many rows one after the other are tiles that are long the other way.
            (_, 5..=8, _) if y > 64 && to_or_from_4 => 0,
            (_, 3..=4, _) if y > 16 && to_or_from_4 => 0,
            (4, 0..=2, 1) if y > 16 => 0,
            (_, 5..=8, _) if y > 8 && !is_padded && to_or_from_4 => 0,
            (4, 3..=4, _) if y > 4 && !is_padded => 0,
            (_, 5..=8, _) if y <= 2 && bytes <= 4 => 16,
            (1, 0..=8, _) => 16,
            (2, 5..=8, _) if many => 16,
            (1, 17..=32, _) | (2, 17..=32, 2..) => 1,
            (1, 33..=64, _) if y > 256 => 1,
            (2, 0..=4, _) => 8,
            (4, 0..=4, _) => 16,
            (4, 5..=8, 2) if self.loops >= 4 && self.is_near => 2,
            (8, 0..=4, _) => 4,
            _ => 0,
        }
    }

    const fn crossed(&self) -> u8 {
        let ((less, more), with_tails) = (self.sides(), self.with_tails);
        match (self.bytes, less) {
            _ if more > 64 => 0,
            // Most places of a line that is mostly padding hold none.
            _ if more > 16 && !(self.is_sparse && self.is_near && less <= 4) => 0,
            // There are kernels for groups of 4 bytes in lines.
            (1 | 2, _) if less * self.bytes == 4 && more == 16 && !with_tails => 0,
            _ if more > 32 => 4,
            (8, 0..=2) if with_tails => 8,
            (8, 0..=4) if with_tails => 4,
            (8, 0..=2) => 4,
            (16, _) if with_tails => 4,
            (8.., _) => 0,
            (1 | 2, 9..) if with_tails && self.is_sparse => 16,
            _ if with_tails => 8,
            (1, _) => 8,
            (2, _) | (4, 0..=4) => 4,
            _ => 0,
        }
    }

    const fn converted_crossed(&self) -> u8 {
        let Shape { x, y, with_tails, is_padded, .. } = *self;
        let (less, more) = self.sides();
        match (self.bytes, less) {
            _ if more > 64 => 0,
            _ if more > 16 && !(with_tails && self.is_near) => 0,
            (1 | 2, 0..=4) if more > 32 => 16,
            (1, _) if more > 32 && x > y => 16,
            (4, 0..=2) if more > 32 => 2,
            _ if more > 32 => 0,
            (1 | 2, 9..) if with_tails && more > 16 => 0,
            (1, _) if with_tails && more <= 16 => 16,
            (2, _) if with_tails && (less <= 4 || more <= 8) => 16,
            (2, _) if with_tails => 8,
            (4, 0..=2) if with_tails && y > 8 && x < y && !is_padded => 0,
            (4, 0..=2) if with_tails && more > 16 => 0,
            (4, 0..=2) if with_tails => 16,
            (4, _) if with_tails && more <= 8 && (less <= 4 || self.is_near) => 16,
            (4, 0..=4) if with_tails => 8,
            (8, 0..=4) if with_tails => 4,
            _ if with_tails => 0,
            (1, 0..=2) if self.written > 1 || more > 4 => 16,
            (1, 3..=8) => 8,
            (1, 9..) if more == 16 => 4,
            (2, 0..=8) if self.written == 4 && more <= 8 => 16,
            (2, 0..=2) if 8 < x => 16,
            (2, 0..=8) if more > 8 => 8,
            (4, 4) if self.written == 2 && more == 16 => 8,
            (4, 2) if self.written == 1 && more == 16 => 2,
            _ => 0,
        }
    }

    /// The same for lines whose elements become shorter and are converted before.
    const fn narrowed(&self, class: Class) -> u8 {
        let Shape { x, y, bytes, written, with_tails, is_padded, .. } = *self;
        let (less, more) = self.sides();
        let from_4_to_1 = bytes == 4 && written == 1;
        match class {
            Class::Rows if with_tails && from_4_to_1 && y > 2 && is_padded => match x {
                0..=4 if y <= 16 => 16,
                5..=8 if y <= 8 => 16,
                _ => 0,
            },
            Class::Transpose if with_tails => match (less, more) {
                (0..=2, 0..=4) if bytes == 4 => 4,
                (0..=2, 9..=16) if from_4_to_1 && is_padded && x < y => 16,
                (3..=4, 0..=8) if from_4_to_1 => 2,
                (3..=4, 9..=16) if from_4_to_1 || bytes == 4 && !is_padded => 16,
                (5..=8, 9..=16) if x < y || !is_padded => 16,
                (5..=8, 0..=16) => 8,
                (9..=16, 0..=16) if written == 1 => 4,
                (9..=16, 0..=16) => 6,
                _ => 0,
            },
            Class::Transpose if bytes < 4 => 0,
            Class::Transpose if less > 4 && more <= 8 => 8,
            // There are kernels for groups of 4 bytes, and for tiles of 16.
            Class::Transpose if 2 < less && less <= 8 && (x * written == 4 || more == 16) => 2,
            Class::Transpose if 2 < less && less <= 8 && more < 16 => {
                if x < y {
                    16
                } else {
                    4
                }
            }
            Class::Transpose if from_4_to_1 && less > 8 && more <= 16 => 4,
            _ => 0,
        }
    }

    /// Elements along the shorter side of a tile, and along the longer one.
    pub(in super::super) const fn sides(&self) -> (u64, u64) {
        if self.x < self.y { (self.x, self.y) } else { (self.y, self.x) }
    }
}
