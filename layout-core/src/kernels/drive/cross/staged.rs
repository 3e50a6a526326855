//! Rows of the source or lines of the destination that drive one another out of a first-level cache: through a buffer. Called by
//! `strips`.

use core::mem::MaybeUninit;

use super::super::super::generic::copy_run;
use super::super::{LINE, Simd, Strips};
use super::BAND;
use super::pieces::pieces;
use super::places::lines_compete;

/// Bytes of each row that are moved together into a buffer: the processor foresees some lines in a row, but not one in each of
/// many. There is room for two of so many rows as there are bytes in one.
const fn together(element: usize) -> usize {
    if element == 1 { 2 * LINE } else { 4 * LINE }
}

/// The destination through a buffer, for rows of the source or lines of the destination that drive one another out of the
/// first-level cache: each line of the source is read once and whole, and fetched into the second-level cache, where there is room
/// for it, a band ahead.
///
/// # Safety
/// As [`strips`](super::strips::strips), for a job with data; with `job.stream` its lines are aligned.
#[inline(always)]
pub(super) unsafe fn staged<S: Simd, const B: usize>(simd: S, job: &Strips) {
    let side = LINE / B;
    let (pitch, table) = const { (together(B), &rows(together(B))) };
    let follow = job.even && job.dst_step == (job.width * B) as isize && job.width < side;
    // Squares of several axes: several lines of each row in turn are 1.1 to 1.8 times as fast on Intel's processors.
    let scattered = !job.even && simd.writes_in_turn();
    let fetches = !simd.writes_in_turn() || job.width <= 2 * side || scattered;
    // Where lines of the destination compete, those of a few values of y are finished along x first.
    let most = if scattered || job.even && !lines_compete(job) { pitch / B } else { side };
    let mut buffer = MaybeUninit::<Lines>::uninit();
    let buffer = buffer.as_mut_ptr().cast::<u8>();
    let mut y = 0;
    while y < job.height {
        let height = if job.height - y < most { job.height - y } else { most };
        let (lines, rest) = (height * B / LINE, height * B % LINE);
        let mut x = 0;
        while x < job.width {
            let left = job.width - x;
            // Without padding the last strip overlaps the one before, to be a whole line.
            let overlaps = left < side && x > 0 && job.valid == job.width;
            if overlaps {
                x = job.width - side;
            }
            let width = if left < side && !overlaps { left } else { side };
            let strip = job.part::<B>(x, width).part_y(y, height);
            x += width;
            for x in 0..strip.valid {
                // SAFETY: the strip has as many values of x.
                let from = unsafe { strip.row(x) };
                let to = buffer.wrapping_add(x * pitch);
                for line in 0..if height == pitch / B { pitch / LINE } else { lines } {
                    let from = from.wrapping_add(line * LINE);
                    if fetches {
                        simd.fetch(from.wrapping_add(BAND));
                    }
                    // SAFETY: a line of this row lies in the job, and the buffer has room for it.
                    unsafe { core::ptr::copy_nonoverlapping(from, to.wrapping_add(line * LINE), LINE) };
                }
                if rest > 0 {
                    let (from, to) = (from.wrapping_add(lines * LINE), to.wrapping_add(lines * LINE));
                    // SAFETY: the rest of `height` elements of this row lies in the job, and the buffer has room for a line.
                    unsafe { copy_run(from, to, rest) };
                }
            }
            let stream = strip.stream && !overlaps;
            let part = match strip.valid {
                // There is padding alone, but what is read for it can be.
                0 => strip,
                _ => Strips {
                    src: buffer,
                    src_x: table.as_ptr(),
                    src_step: pitch as isize,
                    even_x: true,
                    stream,
                    ..strip
                },
            };
            let whole = part.valid == side && height * B >= 16;
            if whole && job.even {
                // SAFETY: these elements were just written to the buffer, and their destination lies in the job.
                unsafe { simd.column::<B>(&part, 0) };
            } else if whole {
                // SAFETY: as above, and so are the tables.
                unsafe { simd.tabled::<B>(&part) };
            } else {
                // SAFETY of both: as above; the strip is a line wide at most.
                // SAFETY: see above.
                if !follow || unsafe { !simd.dense::<B>(&part) } {
                    // SAFETY: see above.
                    unsafe { pieces::<S, B>(simd, &part, 0, width) };
                }
            }
        }
        y += height;
    }
}

/// The rows of a strip in the buffer, so many bytes apart.
const fn rows(pitch: usize) -> [isize; LINE] {
    let mut rows = [0; LINE];
    let mut i = 0;
    while i < LINE {
        rows[i] = (i * pitch) as isize;
        i += 1;
    }
    rows
}

/// As many lines as are moved together of as many rows as there are elements in a line.
#[repr(align(64))]
struct Lines(#[allow(dead_code, reason = "written and read by address")] [[u8; 2 * LINE]; LINE]);
