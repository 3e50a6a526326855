//! Lines of the destination that drive one another out of a first-level cache: written to a buffer, and from there row by row, several
//! whole lines of each. `flowing` does so for lines that begin anywhere. Called by `cross`.

mod flowing;

use core::mem::MaybeUninit;

use super::super::super::generic::step_mut;
use super::super::{LINE, Rows, Simd};
use super::places::{WAYS, lines_compete, places};
use super::strips::Strips;
pub(super) use flowing::flowing;

/// Bytes of the buffer, and of a row that are written together at most; `FAR` ones for lines that have pages of their own.
const SIZE: usize = 16 * 1024;
const PITCH: usize = 4 * LINE;
const FAR_SIZE: usize = 24 * 1024;
const FAR_PITCH: usize = 8 * LINE;

/// Bytes of a row, fewer in favour of the rows of the source, where these drive one another out too: elements of 2 bytes.
const SHORT: usize = 2 * LINE;

/// Values of y of elements of 2 bytes up to which their lines are better written a few at a time, without a buffer.
const FEW: usize = 16;

/// Whether `job`, which is even, is better written through the buffer, where that was measured (Zen 3): past the caches 1.2 to 2.6 times as
/// fast; through them, 1.1 to 2.1 times where lines of both sides compete, and where those of the destination do 1.3 to 1.6 times for elements
/// of 1 byte and 1.0 to 2.5 for those of 2. Other families with registers narrower than a line go this way too, unmeasured.
#[inline(always)]
pub(super) fn drains<S: Simd, const B: usize>(simd: S, job: &Strips) -> bool {
    if B > 4 || job.valid < job.width || job.width * B < LINE || simd.writes_in_turn() || !lines_compete(job)
    {
        return false;
    }
    if S::REGISTER == LINE {
        return has_pages::<B>(job);
    }
    match both_compete::<B>(job) {
        true => job.height * B >= LINE && job.width * B >= 2 * LINE,
        false if job.stream || B == 1 => job.height * B >= 16,
        false => B == 2 && job.height > FEW,
    }
}

/// Whether the lines of `job` have a page each, and the parts of rows that become them are long, on processors that move such elements by
/// squares of whole lines otherwise: where the caches hold it all, 1.4 to 1.65 times as fast for elements of 4 bytes (Zen 5); narrower
/// ones and larger tensors are better off by squares.
#[inline(always)]
fn has_pages<const B: usize>(job: &Strips) -> bool {
    const BEYOND: usize = 4 * 1024 * 1024;
    let long = job.height * B >= 4 * LINE && job.width * B >= FAR_PITCH;
    B == 4 && places(job.dst_step) == 1 && long && !job.stream && job.width * job.height * B <= BEYOND
}

/// Whether so many rows of the source as become a line drive one another out too; wider elements are better off where they just fit.
#[inline(always)]
fn both_compete<const B: usize>(job: &Strips) -> bool {
    LINE / B + usize::from(B > 1) > WAYS * places(job.src_step)
}

/// Transposes `job`.
///
/// # Safety
/// The first point of [`Simd::column`]; the job [drains](drains), so that it is even.
#[inline(never)]
pub(super) unsafe fn drained<S: Simd, const B: usize>(simd: S, job: &Strips) {
    let compete = both_compete::<B>(job);
    let mut buffer = MaybeUninit::<Buffer>::uninit();
    let buffer = buffer.as_mut_ptr().cast::<u8>();
    let (size, pitch) = match compete && B == 2 {
        _ if S::REGISTER == LINE => (FAR_SIZE, FAR_PITCH),
        true => (SIZE, SHORT),
        false => (SIZE, PITCH),
    };
    // Lines begin with all parts but the first.
    let off = job.dst.addr() % LINE;
    let mut most = if off.is_multiple_of(B) { (pitch - off) / B } else { pitch / B };
    let mut x = 0;
    while x < job.width {
        let left = job.width - x;
        let width = if left < most { left } else { most };
        // The last line overlaps the one before, and so does what is left of a first part.
        let width = if width * B < LINE { LINE / B } else { width };
        x = if x + width > job.width { job.width - width } else { x };
        let mut y = 0;
        while y < job.height {
            let least = if compete { LINE / B } else { 16 / B };
            y = if job.height - y < least { job.height - least } else { y };
            let height = if job.height - y < size / pitch { job.height - y } else { size / pitch };
            let part = job.part::<B>(x, width).part_y(y, height);
            let turned =
                Strips { dst: buffer, dst_step: pitch as isize, stream: false, claims: false, ..part };
            // SAFETY: this part of the job has 8 values of x and a line of those of y at least, and the buffer has room for it.
            let done = compete && unsafe { simd.eight_rows::<B>(&turned) };
            if !done {
                let whole = turned.part::<B>(0, width * B / LINE * LINE / B);
                // SAFETY: as above, and whole lines of the part.
                unsafe { simd.near_column::<B>(&whole) };
                if whole.width < width {
                    // SAFETY: as above; the last line overlaps the one before.
                    unsafe { simd.near_column::<B>(&turned.part::<B>(width - LINE / B, LINE / B)) };
                }
            }
            // SAFETY: these elements were just written to the buffer, and their destination lies in the job.
            unsafe { written::<S, B>(simd, &part, buffer, pitch) };
            y += height;
        }
        x += width;
        most = pitch / B;
    }
}

/// Writes the rows of `part`, which lie in the buffer, so many bytes apart.
///
/// # Safety
/// They can be read there, and written.
#[inline(always)]
unsafe fn written<S: Simd, const B: usize>(simd: S, part: &Strips, buffer: *const u8, pitch: usize) {
    let len = part.width * B;
    let on_lines = (part.dst.addr() | part.dst_step.unsigned_abs() | len).is_multiple_of(LINE);
    if !part.stream || !on_lines {
        let rows = Rows {
            src: buffer,
            src_y: pitch as isize,
            dst: part.dst,
            dst_y: part.dst_step,
            count: part.height,
            valid: len,
            len,
            stream: false,
            claims: part.claims,
        };
        // SAFETY: the caller's promise.
        return unsafe { simd.rows(&rows) };
    }
    for i in 0..part.height {
        let (from, to) = (buffer.wrapping_add(i * pitch), step_mut(part.dst, i, part.dst_step));
        for line in 0..len / LINE {
            // SAFETY: the caller's promise, and the line is aligned.
            unsafe { simd.stream::<LINE>(from.wrapping_add(line * LINE), to.wrapping_add(line * LINE)) };
        }
    }
}

/// Rows that are written one after the other.
#[repr(align(64))]
struct Buffer(#[allow(dead_code, reason = "written and read by address")] [u8; FAR_SIZE]);
