//! Rows whose lines begin anywhere, past the caches: their elements come from a buffer in parts, and what is no whole line at the end of
//! a part is carried on to the next one, so that whole lines alone are written between the ends of a row. Called by `cross` and
//! `convert`.

use super::super::generic::{copy_run, step, step_mut, transfer};
use super::{LINE, Simd};

/// Bytes further in a row that are fetched while a line of it is read.
const AHEAD: usize = 2 * LINE;

/// A part of some rows, which lies in a buffer and has room for a line before each row.
#[derive(Clone, Copy)]
pub(in super::super) struct Carried {
    /// Where the first row begins, and the bytes between two of them.
    pub(in super::super) src: *mut u8,
    pub(in super::super) pitch: usize,
    pub(in super::super) dst: *mut u8,
    pub(in super::super) dst_step: isize,
    pub(in super::super) count: usize,
    /// Bytes of each row: whole lines, unless it is the last part.
    pub(in super::super) len: usize,
    /// Whether rows begin with this part; else the bytes before it lie in the buffer, a line of them.
    pub(in super::super) first: bool,
    /// Whether they end with it; else its last line is moved before it, and what fills none is not written.
    pub(in super::super) last: bool,
}

/// Writes `job`: the lines that begin in the line before its rows or in these, and end there.
///
/// # Safety
/// * `len` bytes of each row can be read in the buffer and written at its place of the destination, whose rows do not overlap. The line
///   before each row can be written; unless it is the first part, it holds the bytes before the row, which can be written too.
/// * `len` is not 0, and a multiple of [`LINE`] unless it is the last part. The thread that runs the plan fences at the end.
#[inline(always)]
pub(in super::super) unsafe fn carried<S: Simd>(simd: S, job: &Carried) {
    for y in 0..job.count {
        let (from, to) = (job.src.wrapping_add(y * job.pitch), step_mut(job.dst, y, job.dst_step));
        let off = to.addr() % LINE;
        if job.first || job.last {
            // SAFETY: the caller's promise.
            unsafe { end(simd, job, from, to) };
        } else {
            let (from, to) = (from.wrapping_sub(off), to.wrapping_sub(off));
            let mut at = 0;
            while at < job.len {
                // SAFETY: the caller's promise; this line begins before the row, or in it, and is aligned.
                unsafe { simd.stream::<LINE>(from.wrapping_add(at), to.wrapping_add(at)) };
                at += LINE;
            }
        }
        if !job.last {
            // SAFETY: the part has a line at least, and there is room for one before it.
            unsafe { core::ptr::copy(from.wrapping_add(job.len - LINE), from.wrapping_sub(LINE), LINE) };
        }
    }
}

/// The same for a row that begins or ends with the part.
///
/// # Safety
/// As [`carried`], for the row at `from` and `to`.
#[inline(always)]
unsafe fn end<S: Simd>(simd: S, job: &Carried, from: *const u8, to: *mut u8) {
    let off = to.addr() % LINE;
    let (mut from, mut to, mut left) = (from.wrapping_sub(off), to.wrapping_sub(off), job.len + off);
    if job.first && off > 0 {
        let len = if left < LINE { left } else { LINE } - off;
        // SAFETY: the caller's promise: the row begins `off` bytes behind the line.
        unsafe { copy_run(from.wrapping_add(off), to.wrapping_add(off), len) };
        left -= off + len;
        (from, to) = (from.wrapping_add(LINE), to.wrapping_add(LINE));
    }
    while left >= LINE {
        // SAFETY: the caller's promise; the line is aligned.
        unsafe { simd.stream::<LINE>(from, to) };
        left -= LINE;
        (from, to) = (from.wrapping_add(LINE), to.wrapping_add(LINE));
    }
    if job.last && left > 0 {
        // SAFETY: the caller's promise: this is what is left of the row.
        unsafe { copy_run(from, to, left) };
    }
}

/// Moves [`LINE`] bytes of each of `rows` rows, `step_y` bytes apart, to `buffer`, where they follow one another; what comes next in each
/// is fetched.
///
/// By parts of 16 bytes, and not compiled for the family: rows begin anywhere, and a register of a whole line that is read across two of
/// them took 1.4 times as long in all (Zen 4).
///
/// # Safety
/// They can be read, and written there; the two do not overlap.
#[inline(always)]
pub(super) unsafe fn first_lines<S: Simd>(
    simd: S,
    src: *const u8,
    step_y: isize,
    buffer: *mut u8,
    rows: usize,
) {
    const PART: usize = 16;
    for i in 0..rows {
        let (from, to) = (step(src, i, step_y), buffer.wrapping_add(i * LINE));
        simd.fetch(from.wrapping_add(AHEAD));
        for part in 0..LINE / PART {
            // SAFETY: the caller's promise.
            unsafe { transfer::<[u64; 2]>(from.wrapping_add(part * PART), to.wrapping_add(part * PART)) };
        }
    }
}
