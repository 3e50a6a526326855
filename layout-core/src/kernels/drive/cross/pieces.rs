//! What fills no line of the destination: registers that are narrower, or are filled in part. Called by the files of this folder.

use super::super::{LINE, Simd, Strips};

/// The `width` values of x from `x` on, in pieces of a register: the fast ones where it is full.
///
/// # Safety
/// As [`strips`](super::strips::strips); the values are in the job.
#[inline(always)]
pub(in super::super) unsafe fn pieces<S: Simd, const B: usize>(
    simd: S,
    job: &Strips,
    x: usize,
    width: usize,
) {
    let (end, side) = (x + width, S::REGISTER / B);
    let high = job.height * B >= 16 && job.even;
    let (begin, mut x) = (x, x);
    while x < end {
        let width = if end - x < side { end - x } else { side };
        let full = if width * B > 16 { side } else { 16 / B };
        if S::REGISTER < LINE && x > begin && width < full && high && job.valid == job.width {
            // The last piece overlaps the one before, to fill a register: there are no masks.
            x = end - full;
            continue;
        }
        let part = Strips { stream: false, ..job.part::<B>(x, width) };
        match part.width * B {
            // SAFETY: the piece lies in the job, is full and high enough.
            64 if high && part.valid == width && S::REGISTER == 64 => unsafe {
                simd.column::<B>(&part, 0);
            },
            // SAFETY: as above.
            32 if high && part.valid == width && S::REGISTER >= 32 => unsafe {
                simd.narrow_column::<B, 32>(&part);
            },
            // SAFETY: as above.
            16 if high && part.valid == width => unsafe { simd.narrow_column::<B, 16>(&part) },
            // SAFETY: the piece lies in the job and fits in a register; `src` is the place of an element.
            _ => unsafe { simd.edge::<B>(&part) },
        }
        x += width;
    }
}
