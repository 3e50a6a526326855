//! Lines of the destination that begin anywhere, past the caches: the lines that are asked for by what is turned are those of its rows,
//! which begin at other places each, so that parts of rows go through a buffer and are written in whole lines. Called by `cross`.

use super::super::super::carried::{self, Flow, Part};
use super::super::super::{LINE, Simd};
use super::super::strips::Strips;

/// Lines of a row of the destination at least, and bytes of a side of elements of 1 byte, which a third-level cache holds a part of.
const LONG: usize = 8;
const LARGE: usize = 12 * 1024 * 1024;

/// Pages of the source in which each row begins not a line further than the one before have few places in a first-level cache.
const PAGE: usize = 4096;

/// Lines of a part of a row: as much in all as a first-level cache holds with the lines that it is made of.
const fn lines(element: usize) -> usize {
    if element == 1 { 2 } else { 4 }
}

/// Whether `job`, which is even, is better done so: past the caches, where lines are no whole ones, 1.2 to 2 times as fast (Zen 4, with
/// registers of 32 and of 64 bytes; Intel's 1.2 to 9 times); where they are, and rows of the source drive one another out although
/// none lies a multiple of a page from the next one, 1.1 to 1.7 times.
#[inline(always)]
fn flows<S: Simd, const B: usize>(simd: S, job: &Strips) -> bool {
    let (row, column) = (job.width * B, job.height * B);
    if job.valid < job.width || row < LONG * LINE || column < LINE {
        return false;
    }
    let large = B > 1 || job.width * job.height >= LARGE;
    let aligned = (job.dst.addr() | job.dst_step.unsigned_abs()).is_multiple_of(LINE);
    let off = job.src_step.unsigned_abs() % PAGE;
    let drifts = off > 0 && off.min(PAGE - off) <= LINE;
    if !simd.writes_in_turn() {
        return large && (!aligned || drifts);
    }
    // Intel's read rows of a few lines as fast in any order; of elements of 2 bytes, such that are no whole ones.
    let whole = B == 2 && job.src_step.unsigned_abs().is_multiple_of(LINE);
    let few = column < if B == 4 { 3 } else { 4 } * LINE && !whole;
    // Lines that are written in halves are lost there (1.1 to 5 times as fast so).
    let halves = S::REGISTER < LINE && (B == 2 || B == 4 && column >= 2 * LONG * LINE);
    let drifts = drifts && B >= 4 && job.src_step.unsigned_abs() >= PAGE / 2;
    large && (!aligned && !few || drifts || aligned && halves)
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
    let flow = Flow {
        src: job.src,
        src_step: job.src_step,
        dst: job.dst,
        dst_step: job.dst_step,
        width: job.width,
        height: job.height,
        bytes: [B, B],
        lines: lines(B),
    };
    let turn = |part: &Part| {
        let near = Strips {
            src: part.src,
            src_step: LINE as isize,
            dst: part.dst,
            dst_step: part.pitch as isize,
            valid: part.width,
            width: part.width,
            height: part.height,
            stream: false,
            claims: false,
            ..*job
        };
        let side = LINE / B;
        let whole = near.width / side * side;
        // SAFETY: these lines were just written, and the buffer has room for what they become.
        unsafe { simd.column::<B>(&near.part::<B>(0, whole), 0) };
        if whole < near.width {
            // SAFETY: as above; the last line overlaps the one before.
            unsafe { simd.near_column::<B>(&near.part::<B>(near.width - side, side)) };
        }
    };
    // SAFETY: the caller's promise; rows are long enough, and all of a part is turned.
    unsafe { carried::flow(simd, &flow, turn) };
    true
}
