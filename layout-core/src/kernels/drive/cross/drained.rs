//! Lines of the destination that drive one another out of a first-level cache, of elements of 1 and 2 bytes: written to a buffer, and
//! from there row by row, several whole lines of each. Called by `cross`.

use core::mem::MaybeUninit;

use super::super::{LINE, Rows, Simd, Strips};
use super::places::{WAYS, lines_compete, places};
use super::strips::goes_along;

/// Bytes of a row that are written together at most, and rows.
const PITCH: usize = 4 * LINE;
const ROWS: usize = 64;

/// Values of y of elements of 2 bytes up to which their lines are better written a few at a time, without a buffer.
const FEW: usize = 16;

/// Whether `job`, which is even, is better written through the buffer: 1.4 to 1.6 times as fast for elements of 1 byte and 1.1 to 2.5 times
/// for those of 2 (Zen 3), where it was measured.
#[inline(always)]
pub(super) fn drains<S: Simd, const B: usize>(simd: S, job: &Strips) -> bool {
    let sizes = B == 1 && job.height >= 16 || B == 2 && job.height > FEW;
    let whole = job.valid == job.width && job.width * B >= LINE && !job.stream;
    sizes && whole && goes_along(simd) && lines_compete(job) && LINE / B <= WAYS * places(job.src_step)
}

/// Transposes `job`.
///
/// # Safety
/// The first point of [`Simd::column`]; elements have 1 or 2 bytes; `valid` is `width`, a line at least; `height` is 16 at least; the job is
/// even and does not stream.
#[inline(never)]
pub(super) unsafe fn drained<S: Simd, const B: usize>(simd: S, job: &Strips) {
    let mut buffer = MaybeUninit::<Buffer>::uninit();
    let buffer = buffer.as_mut_ptr().cast::<u8>();
    // Lines begin with all parts but the first.
    let off = job.dst.addr() % LINE;
    let mut most = if off.is_multiple_of(B) { (PITCH - off) / B } else { PITCH / B };
    let mut x = 0;
    while x < job.width {
        let left = job.width - x;
        let width = if left < most { left } else { most };
        // The last line overlaps the one before, and so does what is left of a first part.
        let width = if width * B < LINE { LINE / B } else { width };
        x = if x + width > job.width { job.width - width } else { x };
        let lines = width * B / LINE * LINE / B;
        let mut y = 0;
        while y < job.height {
            y = if job.height - y < 16 / B { job.height - 16 / B } else { y };
            let height = if job.height - y < ROWS { job.height - y } else { ROWS };
            let part = job.part::<B>(x, width).part_y(y, height);
            let turned = Strips { dst: buffer, dst_step: PITCH as isize, claims: false, ..part };
            // SAFETY: whole lines of the job, for which the buffer has room.
            unsafe { simd.near_column::<B>(&turned.part::<B>(0, lines)) };
            if lines < width {
                // SAFETY: as above; the last line overlaps the one before.
                unsafe { simd.near_column::<B>(&turned.part::<B>(width - LINE / B, LINE / B)) };
            }
            let rows = Rows {
                src: buffer,
                src_y: PITCH as isize,
                dst: part.dst,
                dst_y: job.dst_step,
                count: height,
                valid: width * B,
                len: width * B,
                stream: false,
                claims: job.claims,
            };
            // SAFETY: these elements were just written to the buffer, and their destination lies in the job.
            unsafe { simd.rows(&rows) };
            y += height;
        }
        x += width;
        most = PITCH / B;
    }
}

/// Rows that are written one after the other.
#[repr(align(64))]
struct Buffer(#[allow(dead_code, reason = "written and read by address")] [[u8; PITCH]; ROWS]);
