//! [`Rows`]: what is moved, or converted, row by row. Made by `copy`, `grid` and `convert` for [`super::Simd::rows`].

use super::super::generic::{step, transfer};
use super::LINE;

/// Rows of bytes that are contiguous on both sides, of which the first `valid` are moved and the rest is zeroed.
#[derive(Clone, Copy)]
pub(in super::super) struct Rows {
    pub(in super::super) src: *const u8,
    /// Bytes between two rows in the source.
    pub(in super::super) src_y: isize,
    pub(in super::super) dst: *mut u8,
    /// Bytes between two rows in the destination.
    pub(in super::super) dst_y: isize,
    /// Bytes of a row that hold data; elements where they are converted.
    pub(in super::super) valid: usize,
    /// Bytes of a row; elements where they are converted.
    pub(in super::super) len: usize,
    /// Rows.
    pub(in super::super) count: usize,
    /// Whether whole lines of the destination go past the caches.
    pub(in super::super) stream: bool,
    /// Whether lines of the destination are asked for before they are written.
    pub(in super::super) claims: bool,
}

/// Elements of a row from which on it is worth while to begin with a line.
const LONG: usize = 4096;

impl Rows {
    /// A single long row in two parts, of which the second begins with a line of the side with the wider elements, which have these
    /// `bytes` on the two sides: what is read or written there in registers would be two lines each. The first is empty elsewhere.
    pub(in super::super) fn on_lines(&self, bytes: [usize; 2]) -> [Rows; 2] {
        let [src, dst] = bytes;
        let (at, wider) = if src > dst { (self.src.addr(), src) } else { (self.dst.addr(), dst) };
        let off = at.wrapping_neg() % LINE;
        let fits = self.count == 1 && self.valid == self.len && self.valid >= LONG && !self.stream;
        let head = if fits && off.is_multiple_of(wider) { off / wider } else { 0 };
        let first = Rows { valid: head, len: head, ..*self };
        let rest = Rows {
            src: self.src.wrapping_add(head * src),
            dst: self.dst.wrapping_add(head * dst),
            valid: self.valid - head,
            len: self.len - head,
            ..*self
        };
        [first, rest]
    }

    /// Whether the rows have no gaps on either side, become longer, and fit several in a register of `width` bytes.
    #[inline(always)]
    pub(in super::super) fn is_spread(&self, width: usize) -> bool {
        let dense = self.src_y == self.valid as isize && self.dst_y == self.len as isize;
        dense && self.valid > 0 && self.valid < self.len && self.len <= width / 2 && self.count >= 16
    }

    /// How many of the first rows a register of `width` bytes can be read at: of rows without gaps, those behind which as
    /// much follows; of full ones, all.
    #[inline(always)]
    pub(in super::super) fn readable(&self, width: usize) -> usize {
        if self.valid == width {
            self.count
        } else if self.src_y == self.valid as isize && self.valid > 0 {
            (self.count * self.valid).saturating_sub(width - 1).div_ceil(self.valid)
        } else {
            0
        }
    }
}

/// Moves the first rows of `job`, of 1, 2 or 4 bytes, eight at a time; returns how many, none of other rows.
///
/// # Safety
/// As [`super::Simd::pack`].
#[inline(never)]
pub(in super::super) unsafe fn pack_by_eight(job: &Rows) -> usize {
    match job.len {
        // SAFETY of all: the caller's promise, and the length was just compared.
        // SAFETY: see above.
        1 => unsafe { by_eight::<u8>(job) },
        // SAFETY: see above.
        2 => unsafe { by_eight::<u16>(job) },
        // SAFETY: see above.
        4 => unsafe { by_eight::<u32>(job) },
        _ => 0,
    }
}

/// # Safety
/// As [`pack_by_eight`], for rows of a `T`.
#[inline(always)]
unsafe fn by_eight<T: Copy>(job: &Rows) -> usize {
    let (mut src, mut dst) = (job.src, job.dst);
    for _ in 0..job.count / 8 {
        for i in 0..8 {
            // SAFETY: the caller's promise; rows of the destination have no gaps.
            unsafe { transfer::<T>(step(src, i, job.src_y), dst.wrapping_add(i * size_of::<T>())) };
        }
        (src, dst) = (step(src, 8, job.src_y), dst.wrapping_add(8 * size_of::<T>()));
    }
    job.count / 8 * 8
}
