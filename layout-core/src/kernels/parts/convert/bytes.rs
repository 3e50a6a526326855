//! Loops from bytes to bytes for those pairs of types of which an instruction or two make the result, without f32 between them. Made
//! for every family by `convert_kernel`, called by its loops.

use super::super::super::drive::Rows;
use super::super::super::generic::{step, step_mut, zero_run};

/// Defines `saturate` and `booleans`, for rows of elements of 8 bits.
macro_rules! bytes_kernel {
    ($features:literal) => {
        /// Converts u8 to s8, or s8 to u8, and saturates.
        ///
        /// # Safety
        /// That of [`ConvertRows`]; there is no affine map.
        #[target_feature(enable = $features)]
        unsafe fn saturate<const SIGNED: bool>(job: &Rows, _: Option<&Affine>) {
            use $crate::kernels::parts::convert::{each_byte, saturated};
            // SAFETY: the caller's promise.
            unsafe { each_byte(job, saturated::<SIGNED>) };
        }

        /// Converts elements of 8 bits, which are zero where none of the bits of `MASK` is set, to booleans.
        ///
        /// # Safety
        /// That of [`ConvertRows`]; there is no affine map.
        #[target_feature(enable = $features)]
        unsafe fn booleans<const MASK: u8>(job: &Rows, _: Option<&Affine>) {
            use $crate::kernels::parts::convert::{each_byte, is_set};
            // SAFETY: the caller's promise.
            unsafe { each_byte(job, is_set::<MASK>) };
        }
    };
}
pub(in super::super::super) use bytes_kernel;

/// A byte as an `i8` (if it is to be `SIGNED`) or as a `u8`.
#[inline(always)]
pub(in super::super::super) fn saturated<const SIGNED: bool>(from: u8) -> u8 {
    if SIGNED { from.min(i8::MAX as u8) } else { from.cast_signed().max(0) as u8 }
}

/// Whether one of the bits of `MASK` is set.
#[inline(always)]
pub(in super::super::super) fn is_set<const MASK: u8>(from: u8) -> u8 {
    u8::from(from & MASK != 0)
}

/// Converts rows of bytes by `convert`, which the compiler does for whole registers of the family that calls this.
///
/// # Safety
/// That of [`ConvertRows`](super::super::super::drive::ConvertRows).
#[inline(always)]
pub(in super::super::super) unsafe fn each_byte(job: &Rows, convert: impl Fn(u8) -> u8 + Copy) {
    for y in 0..job.count {
        let (src, dst) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_y));
        // SAFETY: the caller's promise.
        unsafe { row(src, dst, job.valid, convert) };
        if job.valid < job.len {
            // SAFETY: the rest of the row can be written.
            unsafe { zero_run(dst.wrapping_add(job.valid), job.len - job.valid) };
        }
    }
}

/// Converts `len` bytes that follow one another, in pieces of which the last may overlap the one before.
///
/// # Safety
/// They can be read, and written, and do not overlap.
#[inline(always)]
unsafe fn row(src: *const u8, dst: *mut u8, len: usize, convert: impl Fn(u8) -> u8 + Copy) {
    const LONG: usize = 64;
    let mut x = 0;
    while x + LONG <= len {
        // SAFETY of each call: the caller's promise; the piece lies in the row.
        // SAFETY: see above.
        unsafe { piece::<LONG>(src.wrapping_add(x), dst.wrapping_add(x), convert) };
        x += LONG;
    }
    let (src, dst, left) = (src.wrapping_add(x), dst.wrapping_add(x), len - x);
    match left {
        // SAFETY: see above.
        32.. => unsafe { both_ends::<32>(src, dst, left, convert) },
        // SAFETY: see above.
        16.. => unsafe { both_ends::<16>(src, dst, left, convert) },
        // SAFETY: see above.
        8.. => unsafe { both_ends::<8>(src, dst, left, convert) },
        // SAFETY: see above.
        4.. => unsafe { both_ends::<4>(src, dst, left, convert) },
        // SAFETY: see above.
        2.. => unsafe { both_ends::<2>(src, dst, left, convert) },
        // SAFETY: see above.
        1 => unsafe { piece::<1>(src, dst, convert) },
        0 => {}
    }
}

/// Converts the first and the last `N` of `len` bytes.
///
/// # Safety
/// As [`row`]; there are so many, and no more than twice as many.
#[inline(always)]
unsafe fn both_ends<const N: usize>(
    src: *const u8,
    dst: *mut u8,
    len: usize,
    convert: impl Fn(u8) -> u8 + Copy,
) {
    // SAFETY of both: the caller's promise.
    // SAFETY: see above.
    unsafe { piece::<N>(src, dst, convert) };
    // SAFETY: see above.
    unsafe { piece::<N>(src.wrapping_add(len - N), dst.wrapping_add(len - N), convert) };
}

/// Converts `N` bytes.
///
/// # Safety
/// They can be read, and written.
#[inline(always)]
unsafe fn piece<const N: usize>(src: *const u8, dst: *mut u8, convert: impl Fn(u8) -> u8) {
    // SAFETY: the caller's promise; no alignment is needed.
    let mut bytes = unsafe { src.cast::<[u8; N]>().read_unaligned() };
    for byte in &mut bytes {
        *byte = convert(*byte);
    }
    // SAFETY: as above.
    unsafe { dst.cast::<[u8; N]>().write_unaligned(bytes) };
}
