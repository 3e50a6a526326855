//! What all vector families share: cuts a tile into the jobs of [`Simd`], which every family implements with its own
//! registers. Called by `kernels` with a token; `generic` does not go this way, so that it can be the reference.
//!
//! * `copy` tells rows, narrow tiles and crossed ones apart, `cross` cuts the latter into bands, `strips` these into
//!   lines of the destination; `convert` puts a conversion of runs before or behind them.

mod convert;
mod copy;
mod cross;
mod strips;

pub(super) use convert::Pair;
pub(super) use copy::copy;

use super::generic::step;

/// Bytes of a cache line, which a strip fills.
pub(super) const LINE: usize = 64;

/// Elements that are contiguous along x in the destination and along y in the source, of which `valid` along x hold data
/// and the rest up to `width` is zeroed.
#[derive(Clone, Copy)]
pub(super) struct Strips {
    pub(super) src: *const u8,
    /// Bytes between two values of x in the source.
    pub(super) src_x: isize,
    /// Bytes between two values of y in the source: the element's, unless that has 16.
    pub(super) src_y: isize,
    pub(super) dst: *mut u8,
    /// Bytes between two values of y in the destination.
    pub(super) dst_y: isize,
    /// Values of x that hold data.
    pub(super) valid: usize,
    /// Values of x in all.
    pub(super) width: usize,
    /// Values of y.
    pub(super) height: usize,
    /// Whether whole lines of the destination go past the caches.
    pub(super) stream: bool,
    /// Where x is two loops that are one in the destination.
    pub(super) fold: Option<Fold>,
}

/// The first `len` values of x lie `src_x` bytes apart in the source, the next `len` likewise, `src` bytes from those.
#[derive(Clone, Copy)]
pub(super) struct Fold {
    pub(super) len: usize,
    pub(super) src: isize,
    /// Values of x before the job's first one.
    pub(super) first: usize,
}

impl Strips {
    /// The `width` values of x from `x` on, for elements of `B` bytes. Without data it reads where the job begins.
    #[inline(always)]
    pub(super) fn part<const B: usize>(&self, x: usize, width: usize) -> Strips {
        let valid = self.valid.saturating_sub(x);
        let valid = if valid < width { valid } else { width };
        let skipped = if valid == 0 { 0 } else { x };
        let (src, fold) = match self.fold {
            None => (step(self.src, skipped, self.src_x), None),
            Some(fold) => (self.src, Some(Fold { first: fold.first + skipped, ..fold })),
        };
        Strips { src, fold, dst: self.dst.wrapping_add(x * B), valid, width, ..*self }
    }

    /// Bytes from `src` to each of the first values of x; for those without data, to one that has some or to the first.
    #[inline(always)]
    pub(super) fn rows<const N: usize>(&self) -> [isize; N] {
        let mut rows = [0; N];
        let fold = self.fold.unwrap_or(Fold { len: usize::MAX, src: 0, first: 0 });
        let (mut group, mut x) = match fold.first {
            0 => (0, 0),
            first => (first / fold.len, first % fold.len),
        };
        let mut last = 0;
        for (i, row) in rows.iter_mut().enumerate() {
            if i < self.valid {
                last = (x as isize)
                    .wrapping_mul(self.src_x)
                    .wrapping_add((group as isize).wrapping_mul(fold.src));
                x += 1;
                if x == fold.len {
                    (group, x) = (group + 1, 0);
                }
            }
            *row = last;
        }
        rows
    }
}

/// Rows of bytes that are contiguous on both sides, of which the first `valid` are moved and the rest is zeroed.
#[derive(Clone, Copy)]
pub(super) struct Rows {
    pub(super) src: *const u8,
    /// Bytes between two rows in the source.
    pub(super) src_y: isize,
    pub(super) dst: *mut u8,
    /// Bytes between two rows in the destination.
    pub(super) dst_y: isize,
    /// Bytes of a row that hold data; elements where they are converted.
    pub(super) valid: usize,
    /// Bytes of a row; elements where they are converted.
    pub(super) len: usize,
    /// Rows.
    pub(super) count: usize,
    /// Whether whole lines of the destination go past the caches.
    pub(super) stream: bool,
}

impl Rows {
    /// Whether the rows have no gaps on either side, become longer, and fit several in a register of `width` bytes.
    #[inline(always)]
    pub(super) fn is_spread(&self, width: usize) -> bool {
        let dense = self.src_y == self.valid as isize && self.dst_y == self.len as isize;
        dense && self.valid > 0 && self.valid < self.len && self.len <= width / 2 && self.count >= 16
    }

    /// How many of the first rows a register of `width` bytes can be read at: of rows without gaps, those behind which as
    /// much follows; of full ones, all.
    #[inline(always)]
    pub(super) fn readable(&self, width: usize) -> usize {
        if self.valid == width {
            self.count
        } else if self.src_y == self.valid as isize && self.valid > 0 {
            (self.count * self.valid).saturating_sub(width - 1).div_ceil(self.valid)
        } else {
            0
        }
    }
}

/// Pixels of a few elements that follow one another, on one side, and the planes of their elements on the other.
#[derive(Clone, Copy)]
pub(super) struct Pixels {
    pub(super) src: *const u8,
    pub(super) dst: *mut u8,
    /// Bytes between two planes.
    pub(super) plane: isize,
    /// Pixels.
    pub(super) len: usize,
    /// Planes that hold data; of the others zero is written. All, where pixels are the source.
    pub(super) valid: usize,
}

/// Converts the elements of rows.
///
/// # Safety
/// `valid` elements of the source's type can be read at `src + y * src_y`, and `len` of the destination's written at
/// `dst + y * dst_y`, for all y below `count`; the two do not overlap; `valid <= len`. The processor has the
/// instructions of the family that the function belongs to.
pub(super) type ConvertRows = unsafe fn(job: &Rows);

/// A family of vector instructions; the token for it.
pub(super) trait Simd: Copy {
    /// Bytes of a register, 16, 32 or 64.
    const REGISTER: usize;

    /// A line of the destination for each y: transposes `job`, whose elements have `B` bytes (1, 2, 4, 8 or 16). With
    /// `job.stream`, past the caches where the family can; with `ahead`, the next strip of the source is fetched.
    ///
    /// # Safety
    /// * Elements of `B` bytes can be read at `src + x * src_x + y * src_y` (where x is folded, as [`Fold`] says) for all x
    ///   below `valid` and written at `dst + x * B + y * dst_y` for all x below `width`, for all y below `height`. The two
    ///   do not overlap; `src_y` is `B`, unless `B` is 16.
    /// * x is not folded; `valid` and `width` are [`LINE`] bytes; `height` is at least `16 / B`. With `job.stream`,
    ///   the lines are aligned.
    unsafe fn column<const B: usize>(self, job: &Strips, ahead: bool);

    /// The same for rows of the destination of `W` bytes, 16 or [`Simd::REGISTER`] at most; nothing streams.
    ///
    /// # Safety
    /// As [`Simd::column`], with `W` in place of [`LINE`].
    unsafe fn narrow_column<const B: usize, const W: usize>(self, job: &Strips);

    /// The same for any rows of the destination up to a register (or an element), with padding, folded, of any height.
    ///
    /// # Safety
    /// The first point of [`Simd::column`]; `width` is at most [`Simd::REGISTER`] bytes, `height` is not 0. Where `valid` is
    /// 0, the first element of the source can be read all the same, for all y.
    unsafe fn edge<const B: usize>(self, job: &Strips);

    /// Moves the rows of `job`.
    ///
    /// # Safety
    /// `valid` bytes can be read at `src + y * src_y`, and `len` written at `dst + y * dst_y`, for all y below `count`;
    /// the two do not overlap; `valid <= len`.
    unsafe fn rows(self, job: &Rows);

    /// Planes to pixels: `N` (2, 3, 4 or 8) elements of `B` bytes (1, 2 or 4) each.
    ///
    /// # Safety
    /// `len` elements can be read at `src + n * plane` for all n below `valid`, and `len * N` written at `dst`; the two
    /// do not overlap; `valid <= N`.
    unsafe fn pixels<const B: usize, const N: usize>(self, job: &Pixels);

    /// Pixels to planes: `N` (2, 3, 4 or 8) elements of `B` bytes (1, 2 or 4) each.
    ///
    /// # Safety
    /// `len * N` elements can be read at `src`, and `len` written at `dst + n * plane` for all n below `N`; the two do not
    /// overlap.
    unsafe fn planes<const B: usize, const N: usize>(self, job: &Pixels);
}
