//! Bytes of which rows of the source and lines of the destination drive one another out of a first-level cache: through a buffer,
//! several lines of each on both sides, since every row has a page of its own. Called by `strips`.

use core::mem::MaybeUninit;

use super::super::{LINE, Rows, Simd, Strips};
use super::FAR;
use super::strips::is_bytewise;

/// Strips that are written side by side.
pub(super) const STRIPS: usize = 2;

/// Bytes of each row of the source that are read together at most, and where a second-level cache has all rows.
const FAR_PITCH: usize = 4 * LINE;
const NEAR_PITCH: usize = 2 * LINE;

/// Bytes from the first row to the last that such a cache has places for.
const NEAR: usize = 1024 * 1024;

/// Bytes from the first row to the last, and from the first line to the last, that no other way has a buffer for: what comes out of
/// one or goes into one has its stack already.
const BEYOND: usize = 32 * 1024;

/// How many of the values of x from `x` on go this way: none, or whole strips.
#[inline(always)]
pub(super) fn count<S: Simd, const B: usize>(job: &Strips, x: usize) -> usize {
    let aligned = job.even && (job.dst_step as usize).is_multiple_of(LINE);
    let spans = |step: isize, count: usize| step.unsigned_abs().saturating_mul(count) > BEYOND;
    let far = spans(job.src_step, job.width) && spans(job.dst_step, job.height);
    let whole = aligned && far && job.valid == job.width && !job.stream;
    if !whole || !is_bytewise::<S, B>() {
        return 0;
    }
    (job.width - x) / (STRIPS * LINE) * (STRIPS * LINE)
}

/// Transposes `job`, which has data in all of its strips. Not inlined: a buffer of this size makes every call of a kernel longer.
///
/// # Safety
/// The first point of [`Simd::column`]; elements have 1 byte, `width` is a multiple of [`STRIPS`] lines, `height` 16 at least; the
/// job is even and does not stream.
#[inline(never)]
pub(super) unsafe fn beside<S: Simd, const B: usize>(simd: S, job: &Strips) {
    let row = job.src_step.unsigned_abs();
    let pitch = if row >= FAR || row * job.width > NEAR { FAR_PITCH } else { NEAR_PITCH };
    let mut buffer = MaybeUninit::<Buffer>::uninit();
    let buffer = buffer.as_mut_ptr().cast::<u8>();
    let mut y = 0;
    while y < job.height {
        // The last values of y overlap those before, to be a square.
        y = if job.height - y < 16 { job.height - 16 } else { y };
        let height = if job.height - y < pitch { job.height - y } else { pitch };
        let mut x = 0;
        while x < job.width {
            let strips = job.part::<B>(x, STRIPS * LINE).part_y(y, height);
            let rows = Rows {
                src: strips.src,
                src_y: strips.src_step,
                dst: buffer,
                dst_y: pitch as isize,
                count: STRIPS * LINE,
                valid: height,
                len: height,
                stream: false,
                claims: false,
            };
            // SAFETY: these elements lie in the job, and the buffer has room for as many.
            unsafe { simd.rows(&rows) };
            let strips = Strips { src: buffer, src_step: pitch as isize, ..strips };
            // SAFETY: these elements were just written to the buffer, and their destination lies in the job.
            unsafe { simd.columns::<B>(&strips, STRIPS) };
            x += STRIPS * LINE;
        }
        y += height;
    }
}

/// Rows of strips that are written side by side.
#[repr(align(64))]
struct Buffer(#[allow(dead_code, reason = "written and read by address")] [[u8; FAR_PITCH]; STRIPS * LINE]);
