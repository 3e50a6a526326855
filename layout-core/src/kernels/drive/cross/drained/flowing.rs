//! Lines of the destination that begin anywhere, past the caches: the lines that are asked for by what is turned are those of its rows,
//! which begin at other places each, so that parts of rows go through a buffer and are written in whole lines. Called by `cross`.

use core::mem::MaybeUninit;

use super::super::super::carried::first_lines;
use super::super::super::{Carried, LINE, Simd};
use super::super::strips::Strips;

/// Lines of a row of the destination at least, and bytes of a side of elements of 1 byte, which a third-level cache holds a part of.
const LONG: usize = 8;
const LARGE: usize = 12 * 1024 * 1024;

/// Values of x for which as many lines of the source as are read twice stay in a second-level cache.
const CHUNK: usize = 1024;

/// Pages of the source in which each row begins not a line further than the one before have few places in a first-level cache.
const PAGE: usize = 4096;

/// Lines of a part of a row: as much in all as a first-level cache holds with the lines that it is made of.
const fn lines(element: usize) -> usize {
    if element == 1 { 2 } else { 4 }
}

/// Whether `job`, which is even, is better done so: past the caches, where lines are no whole ones, 1.2 to 2 times as fast (Zen 4, with
/// registers of 32 and of 64 bytes); where they are, and rows of the source drive one another out although none lies a multiple of a
/// page from the next one, 1.1 to 1.7 times.
#[inline(always)]
fn flows<S: Simd, const B: usize>(simd: S, job: &Strips) -> bool {
    let long = job.width * B >= LONG * LINE && job.height * B >= LINE;
    if job.valid < job.width || !long || simd.writes_in_turn() {
        return false;
    }
    let aligned = (job.dst.addr() | job.dst_step.unsigned_abs()).is_multiple_of(LINE);
    let off = job.src_step.unsigned_abs() % PAGE;
    let drifts = off > 0 && off.min(PAGE - off) <= LINE;
    (!aligned || drifts) && (B > 1 || job.width * job.height >= LARGE)
}

/// Transposes `job`, which goes past the caches, if it is better done so: a line of each row of the source at a time, so many of these as
/// become a part of a row. `false` elsewhere, and then nothing was done. Cold, so that others do not save registers for it.
///
/// # Safety
/// The first point of [`Simd::column`]; the job is even.
#[cold]
#[inline(never)]
pub(in super::super) unsafe fn flowing<S: Simd, const B: usize>(simd: S, job: &Strips) -> bool {
    if !flows::<S, B>(simd, job) {
        return false;
    }
    let (side, part) = const { (LINE / B, lines(B) * LINE / B) };
    let pitch = const { (lines(B) + 2) * LINE };
    let (mut source, mut turned) = (MaybeUninit::<Lines>::uninit(), MaybeUninit::<Lines>::uninit());
    let (source, turned) = (source.as_mut_ptr().cast::<u8>(), turned.as_mut_ptr().cast::<u8>());
    let mut left = 0;
    while left < job.width {
        // The last chunk has no part of few elements.
        let right = if job.width - left < CHUNK + part { job.width } else { left + CHUNK };
        let mut y = 0;
        while y < job.height {
            // The last values of y overlap those before.
            y = if job.height - y < side { job.height - side } else { y };
            let mut x = left;
            while x < right {
                let width = if right - x < part + side { right - x } else { part };
                // What chunks before this one have of the line that goes on is read again.
                let again = if x == left && x > 0 { side } else { 0 };
                let rows = job.part::<B>(x - again, width + again).part_y(y, side);
                // SAFETY: a line of these rows lies in the job, and the buffer has room for it.
                unsafe { first_lines(simd, rows.src, rows.src_step, source, rows.width) };
                let near = Strips {
                    src: source,
                    src_step: LINE as isize,
                    dst: turned.wrapping_add(LINE - again * B),
                    dst_step: pitch as isize,
                    stream: false,
                    claims: false,
                    ..rows
                };
                let whole = near.width / side * side;
                // SAFETY: these lines were just written, and the buffer has room for what they become.
                unsafe { simd.column::<B>(&near.part::<B>(0, whole), 0) };
                if whole < near.width {
                    // SAFETY: as above; the last line overlaps the one before.
                    unsafe { simd.near_column::<B>(&near.part::<B>(near.width - side, side)) };
                }
                let job = Carried {
                    src: turned.wrapping_add(LINE),
                    pitch,
                    dst: rows.dst.wrapping_add(again * B),
                    dst_step: rows.dst_step,
                    count: side,
                    len: width * B,
                    first: x == 0,
                    last: x + width == job.width,
                };
                // SAFETY: these elements were just written to the buffer, as were those before them; their places lie in the job.
                unsafe { simd.carried(&job) };
                x += width;
            }
            y += side;
        }
        left = right;
    }
    true
}

/// A line for each value of x of a part, and what it becomes.
#[repr(align(64))]
struct Lines(#[allow(dead_code, reason = "written and read by address")] [u8; 16 * 1024]);
