//! What all vector families share: cuts a tile into the jobs of [`Simd`], which every family implements with its own
//! registers. Called by `kernels` with a token; `generic` does not go this way, so that it can be the reference.
//!
//! * `copy` tells rows, narrow tiles and crossed ones apart, `cross` cuts the latter into bands and strips, `convert`
//!   puts a conversion of runs before or behind them.

mod copy;
mod cross;

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
}

impl Strips {
    /// The `width` values of x from `x` on, for elements of `B` bytes. Without data it reads where the job begins.
    #[inline(always)]
    pub(super) fn part<const B: usize>(&self, x: usize, width: usize) -> Strips {
        let valid = if self.valid <= x { 0 } else { self.valid - x };
        let valid = if valid < width { valid } else { width };
        Strips {
            src: step(self.src, if valid == 0 { 0 } else { x }, self.src_x),
            dst: self.dst.wrapping_add(x * B),
            valid,
            width,
            ..*self
        }
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
    /// Bytes of a row that hold data.
    pub(super) valid: usize,
    /// Bytes of a row.
    pub(super) len: usize,
    /// Rows.
    pub(super) count: usize,
    /// Whether whole lines of the destination go past the caches.
    pub(super) stream: bool,
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

/// A family of vector instructions; the token for it.
pub(super) trait Simd: Copy {
    /// Transposes `job`, whose elements have `B` bytes (1, 2, 4, 8 or 16).
    ///
    /// # Safety
    /// Elements of `B` bytes can be read at `src + x * src_x + y * src_y` for all x below `valid` and written at
    /// `dst + x * B + y * dst_y` for all x below `width`, for all y below `height`. The two do not overlap,
    /// `1 <= valid <= width`, `1 <= height`; `src_y` is `B`, unless `B` is 16.
    unsafe fn strips<const B: usize>(self, job: &Strips);

    /// Moves the rows of `job`.
    ///
    /// # Safety
    /// `valid` bytes can be read at `src + y * src_y`, and `len` written at `dst + y * dst_y`, for all y below `count`;
    /// the two do not overlap; `valid <= len`.
    unsafe fn rows(self, job: &Rows);

    /// Planes to pixels: `N` (2, 3 or 4) elements of `B` bytes (1, 2 or 4) each.
    ///
    /// # Safety
    /// `len` elements can be read at `src + n * plane` for all n below `valid`, and `len * N` written at `dst`; the two
    /// do not overlap; `valid <= N`.
    unsafe fn pixels<const B: usize, const N: usize>(self, job: &Pixels);

    /// Pixels to planes: `N` (2, 3 or 4) elements of `B` bytes (1, 2 or 4) each.
    ///
    /// # Safety
    /// `len * N` elements can be read at `src`, and `len` written at `dst + n * plane` for all n below `N`; the two do not
    /// overlap.
    unsafe fn planes<const B: usize, const N: usize>(self, job: &Pixels);
}
