//! Which plans put lines of the destination together in place of moving tiles, and from how many places of the source these may come.

use super::line::Line;
use super::{Class, MAX_LOOPS, Reorder, Tails};
use crate::descriptor::DType;

/// Elements from which on it pays to find out where lines come from.
const LEAST: usize = 1024;

/// Bytes, read and written, that a second-level cache holds.
const NEAR: usize = 1 << 20;

/// What tiles would be like.
struct Shape {
    x: u64,
    y: u64,
    /// Loops that run more than once.
    loops: usize,
    with_tails: bool,
    /// Whether a second-level cache holds both sides: lines of the source may then be read in any order.
    is_near: bool,
    /// Bytes of an element of the source, and of the destination.
    bytes: u64,
    written: u64,
}

impl Reorder {
    /// From how many places of the source the lines of the destination come, where these are put together; else 0.
    pub(super) const fn places(&self) -> u8 {
        let with_tails = self.tails.len > 0;
        let count = self.counts();
        let most = self.most_places(&count, with_tails);
        if most == 0 {
            return 0;
        }
        match Line::new(self, &count, with_tails, most) {
            Some(line) => line.places_len as u8,
            None => 0,
        }
    }

    /// How often each loop runs.
    pub(in super::super) const fn counts(&self) -> [u64; MAX_LOOPS] {
        let mut count = [1; MAX_LOOPS];
        let mut i = 0;
        while i < self.nodes.len() {
            count[i] = self.nodes.get(i).n;
            i += 1;
        }
        count
    }

    /// From how many places of the source lines may come where loop i has `count[i]` values, and axes end inside of loops where it is
    /// `with_tails`; 0 where tiles are faster in any case.
    pub(in super::super) const fn most_places(&self, count: &[u64; MAX_LOOPS], with_tails: bool) -> u8 {
        if self.logical < LEAST || !self.packing.is_none() || !has_zero(self) {
            return 0;
        }
        let last = self.nodes.len() - 1;
        let mut loops = 0;
        let mut i = 0;
        while i <= last {
            if !self.nodes.is_strided(i) {
                return 0;
            }
            if count[i] > 1 {
                loops += 1;
            }
            i += 1;
        }
        let mut t = 0;
        while with_tails && t < self.tails.len as usize {
            if self.tails.window[t] != Tails::NO_WINDOW {
                return 0;
            }
            t += 1;
        }
        let shape = Shape {
            x: count[last],
            y: count[last - 1],
            loops,
            with_tails,
            is_near: self.bytes_read() + self.bytes_written() <= NEAR,
            bytes: self.src_element as u64,
            written: self.dst_element as u64,
        };
        match self.class {
            Class::Stream => 0,
            Class::Strided => shape.strided(),
            Class::Rows if self.moves_bytes() => shape.rows(),
            Class::Rows => shape.converted_rows(),
            Class::Transpose if self.moves_bytes() => shape.crossed(),
            Class::Transpose => shape.converted_crossed(),
        }
    }
}

/// Whether bytes of zero are zero on both sides: padding is put together as these, and converted with the rest.
const fn has_zero(plan: &Reorder) -> bool {
    plan.moves_bytes() || !matches!((plan.src_dtype, plan.dst_dtype), (DType::E8M0, _) | (_, DType::E8M0))
}

/// Where lines are faster, measured over 63 000 pairs of layouts and types of 100 KB, and over larger ones of the benchmark (Emerald
/// Rapids).
impl Shape {
    const fn strided(&self) -> u8 {
        match self.bytes {
            1 | 2 => 16,
            4 => 8,
            _ => 4,
        }
    }

    const fn rows(&self) -> u8 {
        let Shape { x, bytes, loops, with_tails, .. } = *self;
        match x.saturating_mul(bytes) {
            // There are kernels for pixels of three bytes.
            3 if !with_tails => 0,
            0..=3 if self.is_near => 16,
            0..=3 => 8,
            _ if !with_tails => 0,
            4..=8 if self.is_near => 16,
            4..=8 => 8,
            9..=16 if loops >= 5 || loops >= 3 && x <= 8 && self.is_near => 16,
            17..=32 if loops >= 5 || loops >= 4 && x <= 8 && self.is_near => 16,
            _ => 0,
        }
    }

    const fn converted_rows(&self) -> u8 {
        let many = self.loops >= 5 || self.loops >= 4 && self.is_near;
        match (self.bytes, self.x, self.written) {
            _ if !self.with_tails => 0,
            (1, 0..=8, _) => 16,
            (1, 9..=16, 1) | (2, 9..=16, 2) | (2, 5..=8, _) if many => 16,
            (1, 17..=32, _) | (2, 17..=32, 2..) => 1,
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
            _ if more > 16 && !(with_tails && self.is_near) => 0,
            // There are kernels for groups of 4 bytes in lines.
            (1 | 2, _) if less * self.bytes == 4 && more == 16 && !with_tails => 0,
            (_, 0..=4) if more > 32 => 4,
            _ if more > 32 => 0,
            (8, 0..=2) if with_tails => 8,
            (8, 0..=4) if with_tails => 4,
            (8, 0..=2) => 4,
            (16, _) if with_tails => 4,
            (8.., _) => 0,
            (1 | 2, 9..) if with_tails => 16,
            _ if with_tails && more <= 8 => 16,
            _ if with_tails => 8,
            (1, _) => 8,
            (2, _) | (4, 0..=4) => 4,
            _ => 0,
        }
    }

    const fn converted_crossed(&self) -> u8 {
        let ((less, more), with_tails) = (self.sides(), self.with_tails);
        match (self.bytes, less) {
            _ if more > 64 => 0,
            _ if more > 16 && !(with_tails && self.is_near) => 0,
            (1 | 2, 0..=4) if more > 32 => 16,
            (4, 0..=2) if more > 32 => 2,
            _ if more > 32 => 0,
            (1 | 2, _) if with_tails && (less <= 4 || more <= 8) => 16,
            (1 | 2, _) if with_tails => 8,
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
            (2, 0..=8) if more > 8 => 8,
            (4, 4) if self.written == 2 && more == 16 => 8,
            (4, 2) if self.written == 1 && more == 16 => 2,
            _ => 0,
        }
    }

    /// Elements along the shorter side of a tile, and along the longer one.
    const fn sides(&self) -> (u64, u64) {
        if self.x < self.y { (self.x, self.y) } else { (self.y, self.x) }
    }
}
