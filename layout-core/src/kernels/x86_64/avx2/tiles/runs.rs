//! Runs of a few elements for each place of a line, of whose places the last ones are padding: blocks of weights (`OIhw8i16o2i`) in
//! which an axis ends, and lines of 3 to 7 places. 16 bytes of a line at a time are put together from the windows of the runs that they
//! come from, by a table that is made once.

use core::arch::x86_64::*;

use super::super::super::super::drive::Strips;
use super::super::super::super::generic::{step, step_mut};
use super::super::super::super::tile::{Blocks, Step};
use super::super::super::parts::square::next;
use super::super::super::parts::zip::unrolled;
use super::super::memory::{load16, load16_first, store16, store16_first};
use super::super::transpose::join2;
use super::super::woven::lane;
use super::SIDE;

/// Elements of a run at most, bytes of a line, and parts of 16 bytes of all lines.
const HIGHEST: usize = 4;
const WIDEST: usize = 64;
const PARTS: usize = HIGHEST * WIDEST / SIDE;

/// Windows that 16 bytes are put together from at most: they come from as many bytes for each element of a run.
const MOST: usize = HIGHEST;

/// Tiles from which the table pays.
const LEAST: usize = 6;

/// Some bytes of a line.
#[derive(Clone, Copy)]
struct Part {
    /// Bytes from the tile's place in the destination.
    to: isize,
    /// Windows that hold some of it: none where all of it is padding.
    windows: usize,
    /// Where each of them begins.
    from: [u8; MOST],
    /// The byte of each window for each of the 16, or none.
    index: [[u8; SIDE]; MOST],
}

/// Padding alone.
const NOTHING: Part = Part { to: 0, windows: 0, from: [0; MOST], index: [[0x80; SIDE]; MOST] };

/// Whether `job`, of elements of `B` bytes, is such runs, repeated by `again`, and `many` places that it is moved at; or lines that are as
/// short as some of these. Of longer ones, and of runs that fill a register, many are turned as fast (measured with Zen 3).
#[inline]
pub(super) fn takes_runs<const B: usize>(job: &Strips, again: Step, many: usize) -> bool {
    let run = job.height * B;
    let runs = job.even && (2..=HIGHEST).contains(&job.height) && run < SIDE && job.src_step == run as isize;
    let padded = job.valid > 0 && job.valid < job.width && job.width * B <= WIDEST;
    let few = job.valid == job.width && job.width < 8 && !job.width.is_power_of_two();
    let short = few && !job.is_dense(again, B);
    let enough = again.len.saturating_mul(many) >= LEAST;
    B <= 4 && runs && (padded || short) && enough
}

/// Transposes `job`, of elements of `B` bytes, and all of its repetitions at all places of `blocks`.
///
/// # Safety
/// As [`super::super::super::super::drive::Simd::tiles`], for a job that this [takes](takes_runs).
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn runs<const B: usize>(job: &Strips, again: Step, blocks: &Blocks) {
    let mut parts = [NOTHING; PARTS];
    let (len, line) = (job.valid * job.height * B, job.width * B);
    let mut count = 0;
    for y in 0..job.height {
        let mut first = Some(0);
        while let Some(x) = first {
            parts[count] = part::<B>(job, y, x, len);
            count += 1;
            first = next(x, SIDE, line);
        }
    }
    let parts = &parts[..count];
    let all = Runs { parts, len, line };
    match (len < SIDE, line < SIDE) {
        // SAFETY of all: the caller's promise, and the sizes were just compared.
        // SAFETY: see above.
        (true, true) => unsafe { all.each::<true, true>(job, again, blocks) },
        // SAFETY: see above.
        (true, false) => unsafe { all.each::<true, false>(job, again, blocks) },
        // SAFETY: see above.
        (false, true) => unsafe { all.each::<false, true>(job, again, blocks) },
        // SAFETY: see above.
        (false, false) => unsafe { all.each::<false, false>(job, again, blocks) },
    }
}

/// Where the bytes of line `y` from `first` on come from, of runs of `len` bytes in all.
fn part<const B: usize>(job: &Strips, y: usize, first: usize, len: usize) -> Part {
    let to = (y as isize).wrapping_mul(job.dst_step).wrapping_add(first as isize);
    let mut part = Part { to, ..NOTHING };
    // The byte of the runs for each of the line; `len` for padding.
    let mut at = [len; SIDE];
    for (i, at) in at.iter_mut().enumerate() {
        let (x, byte) = ((first + i) / B, (first + i) % B);
        if x < job.valid {
            *at = (x * job.height + y) * B + byte;
        }
    }
    // Windows go up, so that what lies before their end is taken.
    let mut taken = 0;
    while let Some(lowest) = at.iter().copied().filter(|&at| at >= taken && at < len).min() {
        let from = lowest.min(len.saturating_sub(SIDE));
        for (index, &at) in part.index[part.windows].iter_mut().zip(&at) {
            if (taken.max(from)..len.min(from + SIDE)).contains(&at) {
                *index = (at - from) as u8;
            }
        }
        part.from[part.windows] = from as u8;
        part.windows += 1;
        taken = from + SIDE;
    }
    part
}

/// The parts of all lines of a tile, which come from runs of `len` bytes; a line has `line`.
struct Runs<'a> {
    parts: &'a [Part],
    len: usize,
    line: usize,
}

impl Runs<'_> {
    /// All tiles, two at a time. `FEW`: all runs have less than 16 bytes; `SHORT`: so has a line.
    ///
    /// # Safety
    /// As [`runs`].
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    unsafe fn each<const FEW: bool, const SHORT: bool>(&self, job: &Strips, again: Step, blocks: &Blocks) {
        for (&src_by, &dst_by) in blocks.src.iter().zip(blocks.dst) {
            let (src, dst) = (job.src.wrapping_offset(src_by), job.dst.wrapping_offset(dst_by));
            let mut z = 0;
            while z < again.len {
                // The last one twice where there is no other.
                let second = if z + 1 < again.len { z + 1 } else { z };
                let src = [step(src, z, again.src), step(src, second, again.src)];
                let dst = [step_mut(dst, z, again.dst), step_mut(dst, second, again.dst)];
                // SAFETY: the caller's promise: these repetitions are in the job.
                unsafe { self.two::<FEW, SHORT>(src, dst) };
                z += 2;
            }
        }
    }

    /// Two tiles.
    ///
    /// # Safety
    /// Their runs can be read, and their lines written.
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    unsafe fn two<const FEW: bool, const SHORT: bool>(&self, src: [*const u8; 2], dst: [*mut u8; 2]) {
        let mut bytes = _mm256_setzero_si256();
        if FEW {
            // SAFETY of both: the caller's promise.
            // SAFETY: see above.
            let first = unsafe { load16_first(src[0], self.len) };
            // SAFETY: see above.
            bytes = join2([first, unsafe { load16_first(src[1], self.len) }]);
        }
        for part in self.parts {
            let mut out = _mm256_setzero_si256();
            for (from, index) in part.from[..part.windows].iter().zip(&part.index) {
                if !FEW {
                    let from: usize = (*from).into();
                    // SAFETY of both: the caller's promise: windows lie in the runs.
                    // SAFETY: see above.
                    let first = unsafe { load16(src[0].wrapping_add(from)) };
                    // SAFETY: see above.
                    bytes = join2([first, unsafe { load16(src[1].wrapping_add(from)) }]);
                }
                // SAFETY: these are 16 bytes.
                let index = _mm256_broadcastsi128_si256(unsafe { load16(index.as_ptr()) });
                out = _mm256_or_si256(out, _mm256_shuffle_epi8(bytes, index));
            }
            unrolled!(2, l => {
                let (to, out) = (dst[l].wrapping_offset(part.to), lane(out, l));
                if SHORT {
                    // SAFETY: the caller's promise: all of a line.
                    unsafe { store16_first(to, out, self.line) };
                } else {
                    // SAFETY: the caller's promise: a part of a line.
                    unsafe { store16(to, out) };
                }
            });
        }
    }
}
