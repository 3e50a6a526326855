//! Lines of the destination that begin anywhere, past the caches: parts of its rows are converted in registers to a buffer, and written in
//! whole lines. Called by `registers`.

use core::mem::MaybeUninit;

use super::super::super::super::cpu::Token;
use super::super::super::super::epilogue::{Affine, FACTOR};
use super::super::super::super::generic::{step, step_mut};
use super::super::super::super::tile::Tile;
use super::super::super::super::writes_in_turn;
use super::super::super::carried::first_lines;
use super::super::super::{Carried, LINE, Simd};
use super::super::{Conversion, smaller};
use super::registers::{Crossed, CrossedWay};

/// Lines of a row of the destination at least.
const LONG: usize = 8;

/// Values of x for which as many lines of the source as are read twice stay in a second-level cache.
const CHUNK: usize = 1024;

impl Conversion<'_> {
    /// Converts the data of `tile`, which streams and is all data, by `way`, if lines of the destination begin anywhere: 1.2 to
    /// 2 times as fast (Zen 4) as into lines that no loop finds whole. `false` elsewhere, and then nothing was done.
    ///
    /// # Safety
    /// As [`Conversion::crossed`].
    #[inline(never)]
    pub(super) unsafe fn flowing(
        &self,
        way: CrossedWay,
        src: *const u8,
        dst: *mut u8,
        tile: &Tile,
        valid_y: usize,
    ) -> bool {
        let aligned = (dst.addr() | tile.y.dst.unsigned_abs()).is_multiple_of(LINE);
        if aligned || writes_in_turn() {
            return false;
        }
        let long = tile.x.len * self.dst >= LONG * LINE && valid_y * self.src >= LINE;
        let fits = way.x * self.dst <= LINE && way.y * self.src <= LINE && !way.pads;
        if tile.valid_x < tile.x.len || !long || !fits {
            return false;
        }
        // Other parameters than a factor that all elements share are left to others.
        let steps = self.common.map(|common| common.steps());
        let map = match (self.epilogue, &steps) {
            (None, _) => None,
            (_, Some((FACTOR, map))) => Some(map),
            _ => return false,
        };
        for z in 0..tile.z.len {
            let job = Crossed {
                src: step(src, z, tile.z.src),
                src_x: tile.x.src,
                dst: step_mut(dst, z, tile.z.dst),
                dst_y: tile.y.dst,
                nx: tile.x.len,
                ny: valid_y,
                stream: true,
                claims: false,
            };
            match self.token {
                // SAFETY of both: the caller's promise, for this repetition.
                // SAFETY: see above.
                Token::Avx512(avx512) => unsafe { self.flowing_on(avx512, &way, &job, map) },
                // SAFETY: see above.
                Token::Avx2(avx2) => unsafe { self.flowing_on(avx2, &way, &job, map) },
                _ => return false,
            }
        }
        true
    }

    /// [`Conversion::flowing`] with a family.
    ///
    /// # Safety
    /// As there.
    unsafe fn flowing_on<S: Simd>(&self, simd: S, way: &CrossedWay, job: &Crossed, map: Option<&Affine>) {
        let (mut source, mut turned) = (MaybeUninit::<Lines>::uninit(), MaybeUninit::<Lines>::uninit());
        let (source, turned) = (source.as_mut_ptr().cast::<u8>(), turned.as_mut_ptr().cast::<u8>());
        // As much as a first-level cache holds on both sides.
        let lines = if self.src == 1 || self.dst == 1 { 2 } else { 4 };
        let (line, side) = (LINE / self.dst, LINE / self.src);
        let (part, pitch) = (lines * line, (lines + 2) * LINE);
        let mut left = 0;
        while left < job.nx {
            // The last chunk has no part of few elements.
            let right = if job.nx - left < CHUNK + part { job.nx } else { left + CHUNK };
            let mut y = 0;
            while y < job.ny {
                // The last values of y overlap those before.
                y = smaller(y, job.ny - side);
                let mut x = left;
                while x < right {
                    let width = if right - x < part + line { right - x } else { part };
                    // What chunks before this one have of the line that goes on is converted again.
                    let again = if x == left && x > 0 { line } else { 0 };
                    let from = step(job.src, x - again, job.src_x).wrapping_add(y * self.src);
                    // SAFETY: a line of these rows lies in the job, and the buffer has room for it.
                    unsafe { first_lines(simd, from, job.src_x, source, width + again) };
                    let near = Crossed {
                        src: source,
                        src_x: LINE as isize,
                        dst: turned.wrapping_add(LINE - again * self.dst),
                        dst_y: pitch as isize,
                        nx: width + again,
                        ny: side,
                        stream: false,
                        claims: false,
                    };
                    // SAFETY: these lines were just written, and the buffer has room for what they become.
                    unsafe { (way.run)(&near, map) };
                    let rows = Carried {
                        src: turned.wrapping_add(LINE),
                        pitch,
                        dst: step_mut(job.dst, y, job.dst_y).wrapping_add(x * self.dst),
                        dst_step: job.dst_y,
                        count: side,
                        len: width * self.dst,
                        first: x == 0,
                        last: x + width == job.nx,
                    };
                    // SAFETY: these elements were just written to the buffer, as were those before them; their places lie in the job.
                    unsafe { simd.carried(&rows) };
                    x += width;
                }
                y += side;
            }
            left = right;
        }
    }
}

/// A line for each value of x of a part, and what it becomes.
#[repr(align(64))]
struct Lines(#[allow(dead_code, reason = "written and read by address")] [u8; 16 * 1024]);
