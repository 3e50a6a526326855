//! Rows whose lines begin anywhere, past the caches: they are turned in a buffer in parts, and what is no whole line at the end of a part
//! is carried on to the next one, so that whole lines alone are written between the ends of a row. Called by `cross` and `convert`,
//! which say how a part is turned.

use core::mem::MaybeUninit;

use super::super::generic::{copy_run, step, step_mut, transfer};
use super::{LINE, Simd};

/// Values of x for which as many lines of the source as are read twice stay in a second-level cache.
const CHUNK: usize = 1024;

/// Elements that are contiguous along x in the destination and along y in the source, all of them data.
pub(super) struct Flow {
    pub(super) src: *const u8,
    /// Bytes between two values of x in the source.
    pub(super) src_step: isize,
    pub(super) dst: *mut u8,
    /// Bytes between two values of y in the destination.
    pub(super) dst_step: isize,
    /// Values of x: a part and a line of the destination at least; and of y: a line of the source at least.
    pub(super) width: usize,
    pub(super) height: usize,
    /// Bytes of an element of the source and of the destination: powers of two, 8 at most.
    pub(super) bytes: [usize; 2],
    /// Lines of a part of a row of the destination: as much as a first-level cache holds with what they are made of.
    pub(super) lines: usize,
}

/// What is turned at a time: as many values of y as a line of the source holds.
pub(super) struct Part {
    /// A line for each value of x.
    pub(super) src: *const u8,
    /// The first row, and the bytes between two of them.
    pub(super) dst: *mut u8,
    pub(super) pitch: usize,
    /// Values of x: a line of the destination at least.
    pub(super) width: usize,
    pub(super) height: usize,
    /// The values of x and y at which it begins.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "x86-64 alone reads it so far"))]
    pub(super) first: [usize; 2],
}

impl Flow {
    /// Bytes that a part has in the buffers: a line for each value of x, with those that are read twice; and rows with two lines more.
    const fn needs(bytes: [usize; 2], lines: usize) -> [usize; 2] {
        [(lines + 2) * LINE / bytes[1] * LINE, LINE / bytes[0] * (lines + 2) * LINE]
    }
}

/// A buffer for either side of a part.
#[repr(align(64))]
struct Buffer(#[allow(dead_code, reason = "written and read by address")] [u8; BUFFER]);
const BUFFER: usize = 16 * 1024;

/// All of `job`: a line of each row of the source at a time, so many of these as become a part of a row, which `turn` turns.
///
/// # Panics
/// If its parts do not fit in the buffers.
///
/// # Safety
/// * Its elements can be read at `src + x * src_step + y * bytes[0]`, and written at `dst + y * dst_step + x * bytes[1]`; the two do not
///   overlap.
/// * `turn` writes all elements of its part, of which those of the source can be read and those of the destination be written.
/// * The thread that runs the plan fences at the end.
#[inline(always)]
pub(super) unsafe fn flow<S: Simd>(simd: S, job: &Flow, mut turn: impl FnMut(&Part)) {
    let [reads, writes] = Flow::needs(job.bytes, job.lines);
    assert!(reads <= BUFFER && writes <= BUFFER);
    let (mut source, mut turned) = (MaybeUninit::<Buffer>::uninit(), MaybeUninit::<Buffer>::uninit());
    let (source, turned) = (source.as_mut_ptr().cast::<u8>(), turned.as_mut_ptr().cast::<u8>());
    let (side, line) = (LINE / job.bytes[0], LINE / job.bytes[1]);
    let (part, pitch) = (job.lines * line, (job.lines + 2) * LINE);
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
                let width = if right - x < part + line { right - x } else { part };
                // What chunks before this one have of the line that goes on is turned again.
                let again = if x == left && x > 0 { line } else { 0 };
                let from = step(job.src, x - again, job.src_step).wrapping_add(y * job.bytes[0]);
                // SAFETY: a line of these rows lies in the job, and the buffer has room for it.
                unsafe { first_lines(simd, from, job.src_step, source, width + again) };
                turn(&Part {
                    src: source,
                    dst: turned.wrapping_add(LINE - again * job.bytes[1]),
                    pitch,
                    width: width + again,
                    height: side,
                    first: [x - again, y],
                });
                let rows = Carried {
                    src: turned.wrapping_add(LINE),
                    pitch,
                    dst: step_mut(job.dst, y, job.dst_step).wrapping_add(x * job.bytes[1]),
                    dst_step: job.dst_step,
                    count: side,
                    len: width * job.bytes[1],
                    first: x == 0,
                    last: x + width == job.width,
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
unsafe fn first_lines<S: Simd>(simd: S, src: *const u8, step_y: isize, buffer: *mut u8, rows: usize) {
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
