//! The lanes of a register: R rows of each to R of its lines. Called by the module around it.

use core::arch::x86_64::*;

use super::super::super::super::drive::Strips;
use super::super::super::super::generic::{step, step_mut};
use super::super::super::super::tile::{Blocks, Step};
use super::super::super::parts::opaque;
use super::super::super::parts::square::next;
use super::super::super::parts::zip::{lanes, unrolled};
use super::super::memory::*;
use super::super::transpose::{join2, turn32};
use super::SIDE;

/// Bytes of a register.
const WIDE: usize = 2 * SIDE;

/// How the lines of a register are written: as a whole, by lanes, or by lanes that are longer than the lines.
const WHOLE: u8 = 0;
const APART: u8 = 1;
const ENDS: u8 = 2;

/// What is the same for all repetitions of a job.
pub(super) struct Tiles<'a> {
    pub(super) job: &'a Strips,
    /// Where the bytes of a row lie that was read with those before it.
    pub(super) shift: __m128i,
    /// The last bytes of a line of less than a lane.
    pub(super) end: __m128i,
    /// How far before a row those bytes begin; and how far behind the first of a line its last half lane does.
    pub(super) back: usize,
    pub(super) last: usize,
    /// Where the rows of a lane begin that lines do not fill: the last one again for those that there are not.
    pub(super) rows: [isize; SIDE],
    /// Whether these lines follow one another, so that what a lane has behind one is overwritten by the next.
    pub(super) follow: bool,
}

/// The lanes of a register.
#[derive(Clone, Copy)]
pub(super) struct Lanes {
    /// Bytes from where a repetition begins to the first row and line of each.
    pub(super) src: [isize; 2],
    pub(super) dst: [usize; 2],
    /// Rows of each that hold data.
    pub(super) valid: [usize; 2],
    /// From which row of each on these are read with what lies before them.
    pub(super) shifted: [usize; 2],
}

impl Lanes {
    /// Whether all rows hold data, and are read as they lie.
    #[inline]
    pub(super) fn is_full<const B: usize, const R: usize>(&self) -> bool {
        self.valid == [R; 2] && (B == 4 || self.shifted == [R; 2])
    }

    /// Whether both lie beside one another in a line.
    #[inline]
    pub(super) fn follow(&self) -> bool {
        self.dst[1] == self.dst[0] + SIDE
    }
}

impl Tiles<'_> {
    /// All repetitions of a job whose lines are whole registers, all of them data.
    ///
    /// # Safety
    /// As [`super::tiles`], for such a job.
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    pub(super) unsafe fn whole<const B: usize, const R: usize>(&self, again: Step, blocks: &Blocks) {
        let Strips { width, height, dst_step, .. } = *self.job;
        for (&src_by, &dst_by) in blocks.src.iter().zip(blocks.dst) {
            let (mut src, mut dst) =
                (self.job.src.wrapping_offset(src_by), self.job.dst.wrapping_offset(dst_by));
            for _ in 0..again.len {
                let mut y = 0;
                loop {
                    let (from, to) = (src.wrapping_add(y * B), step_mut(dst, y, dst_step));
                    // SAFETY: these rows and lines lie in this repetition.
                    unsafe { self.registers::<B, R>(from, to, width * B / WIDE) };
                    match next(y, R, height) {
                        Some(next) => y = next,
                        None => break,
                    }
                }
                (src, dst) = (step(src, 1, again.src), step_mut(dst, 1, again.dst));
            }
        }
    }

    /// As many registers beside one another in lines as `count` says, for R values of y.
    ///
    /// # Safety
    /// As [`Tiles::block`]; all of it is data, and fills a lane.
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    pub(super) unsafe fn registers<const B: usize, const R: usize>(
        &self,
        mut from: *const u8,
        mut to: *mut u8,
        count: usize,
    ) {
        let lanes = Lanes { src: [0; 2], dst: [0; 2], valid: [R; 2], shifted: [R; 2] };
        let src_step = self.job.src_step;
        for _ in 0..count {
            let src = [from, step(from, R, src_step)];
            // SAFETY: the caller's promise.
            unsafe { self.block::<B, R, WHOLE, false>(src, [to; 2], &lanes) };
            (from, to) = (step(from, 2 * R, src_step), to.wrapping_add(WIDE));
        }
    }

    /// [`Tiles::column`] of lanes that are written apart.
    ///
    /// # Safety
    /// As there.
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    pub(super) unsafe fn lane<const B: usize, const R: usize>(
        &self,
        src: *const u8,
        dst: *mut u8,
        lanes: Lanes,
        by: usize,
    ) {
        if B < 4 && self.job.width * B < SIDE {
            // SAFETY: the caller's promise.
            unsafe { self.column::<B, R, ENDS>(src, dst, lanes, by) };
        } else {
            // SAFETY: as above.
            unsafe { self.column::<B, R, APART>(src, dst, lanes, by) };
        }
    }

    /// `lanes` of the repetition at `src` and `dst`, `by` values of y at a time.
    ///
    /// # Safety
    /// As [`Tiles::block`], for all rows and lines.
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    unsafe fn column<const B: usize, const R: usize, const STORE: u8>(
        &self,
        src: *const u8,
        dst: *mut u8,
        lanes: Lanes,
        by: usize,
    ) {
        let src = lanes!(32, l => src.wrapping_offset(lanes.src[l]));
        let dst = lanes!(32, l => dst.wrapping_add(lanes.dst[l]));
        let all = lanes.shifted.iter().zip(lanes.valid).all(|(&shifted, valid)| shifted >= valid);
        let whole =
            if STORE == ENDS { all && self.job.valid == self.job.width } else { lanes.is_full::<B, R>() };
        let mut y = 0;
        loop {
            let from = lanes!(32, l => src[l].wrapping_add(y * B));
            let to = lanes!(32, l => step_mut(dst[l], y, self.job.dst_step));
            if whole {
                // SAFETY: the caller's promise.
                unsafe { self.block::<B, R, STORE, false>(from, to, &lanes) };
            } else {
                // SAFETY: the caller's promise.
                unsafe { self.block::<B, R, STORE, true>(from, to, &lanes) };
            }
            match next(y, by, self.job.height) {
                Some(next) => y = next,
                None => return,
            }
        }
    }

    /// The values of y from `y` on of `lanes`, which lie in the repetition at `src` and `dst`.
    ///
    /// # Safety
    /// As [`Tiles::block`].
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    pub(super) unsafe fn part<const B: usize, const R: usize>(
        &self,
        src: *const u8,
        dst: *mut u8,
        lanes: &Lanes,
        y: usize,
    ) {
        let (src, dst) = (src.wrapping_add(y * B), step_mut(dst, y, self.job.dst_step));
        let src = lanes!(32, l => src.wrapping_offset(lanes.src[l]));
        let dst = lanes!(32, l => dst.wrapping_add(lanes.dst[l]));
        if lanes.valid == [0; 2] && lanes.follow() {
            let zeros = _mm256_setzero_si256();
            for j in 0..self.job.height.min(R) {
                // SAFETY: the caller's promise: there is padding alone.
                unsafe { store32(step_mut(dst[0], j, self.job.dst_step), zeros) };
            }
            return;
        }
        match (lanes.follow(), lanes.is_full::<B, R>()) {
            // SAFETY of all: the caller's promise.
            // SAFETY: see above.
            (true, _) => unsafe { self.block::<B, R, WHOLE, true>(src, dst, lanes) },
            // SAFETY: see above.
            (false, true) => unsafe { self.block::<B, R, APART, false>(src, dst, lanes) },
            // SAFETY: see above.
            (false, false) => unsafe { self.block::<B, R, APART, true>(src, dst, lanes) },
        }
    }

    /// R rows of each lane to R lines of it, or as many as there are; without `SOME`, all of them hold data and fill a lane.
    ///
    /// # Safety
    /// The rows that hold data can be read, those from `shifted` on with what lies before them, and the lines written.
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    unsafe fn block<const B: usize, const R: usize, const STORE: u8, const SOME: bool>(
        &self,
        src: [*const u8; 2],
        dst: [*mut u8; 2],
        lanes: &Lanes,
    ) {
        let Strips { src_step, dst_step, height, .. } = *self.job;
        let mut rows = [_mm256_setzero_si256(); R];
        let mut from = lanes!(32, l => opaque(src[l].cast_mut()).cast_const());
        unrolled!(R, i => {
            if i > 0 && i.is_multiple_of(4) {
                from = lanes!(32, l => opaque(step(from[l], 4, src_step).cast_mut()).cast_const());
            }
            rows[i] = join2(lanes!(32, l => {
                let at = match STORE {
                    ENDS => src[l].wrapping_offset(self.rows[i]),
                    _ => step(from[l], i % 4, src_step),
                };
                if !SOME || i < lanes.valid[l] && (B == 4 || i < lanes.shifted[l]) {
                    // SAFETY: the caller's promise.
                    unsafe { load16(at) }
                } else if B < 4 && i < lanes.valid[l] {
                    // SAFETY: as above.
                    _mm_shuffle_epi8(unsafe { load16(at.wrapping_sub(self.back)) }, self.shift)
                } else {
                    _mm_setzero_si128()
                }
            }));
        });
        let lines = turn32::<B, R>(rows, R);
        let mut to = lanes!(32, l => opaque(dst[l]));
        unrolled!(R, j => {
            if j > 0 && j.is_multiple_of(4) {
                to = lanes!(32, l => opaque(step_mut(to[l], 4, dst_step)));
            }
            if B == 4 || j < R / 2 || j < height {
                let at = lanes!(32, l => step_mut(to[l], j % 4, dst_step));
                // The last line of a lane ends where it does.
                let over = STORE == ENDS && self.follow && j + 1 < R && j + 1 < height;
                if over {
                    // SAFETY: the caller's promise; the next line is written later.
                    unsafe { self.put::<APART>(at, lines[j]) };
                } else {
                    // SAFETY: the caller's promise.
                    unsafe { self.put::<STORE>(at, lines[j]) };
                }
            }
        });
    }

    /// Writes both lanes of `line`.
    ///
    /// # Safety
    /// They can be written at `to`.
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    unsafe fn put<const STORE: u8>(&self, to: [*mut u8; 2], line: __m256i) {
        if STORE == WHOLE {
            // SAFETY: the caller's promise.
            return unsafe { store32(to[0], line) };
        }
        let parts = [_mm256_castsi256_si128(line), _mm256_extracti128_si256::<1>(line)];
        unrolled!(2, l => {
            if STORE == APART {
                // SAFETY: as above.
                unsafe { store16(to[l], parts[l]) };
            } else {
                // SAFETY: as above: the first half lane of the line …
                unsafe { store8(to[l], parts[l]) };
                let end = _mm_shuffle_epi8(parts[l], self.end);
                // SAFETY: … and the last one.
                unsafe { store8(to[l].wrapping_add(self.last), end) };
            }
        });
    }
}
