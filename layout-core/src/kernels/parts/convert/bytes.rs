//! Loops from bytes to bytes for those pairs of types of which an instruction or two make the result, without f32 between them. Made
//! for every family by `convert_kernel`, called by its loops; [`each_byte`] is compiled into each.

use core::mem::MaybeUninit;

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
            use $crate::kernels::parts::convert::{Saturated, each_byte};
            // SAFETY: the caller's promise.
            unsafe { each_byte::<Saturated<SIGNED>>(job) };
        }

        /// Converts elements of 8 bits, which are zero where none of the bits of `MASK` is set, to booleans.
        ///
        /// # Safety
        /// That of [`ConvertRows`]; there is no affine map.
        #[target_feature(enable = $features)]
        unsafe fn booleans<const MASK: u8>(job: &Rows, _: Option<&Affine>) {
            use $crate::kernels::parts::convert::{IsSet, each_byte};
            // SAFETY: the caller's promise.
            unsafe { each_byte::<IsSet<MASK>>(job) };
        }
    };
}
pub(in super::super::super) use bytes_kernel;

/// What a byte becomes.
pub(in super::super::super) trait Byte {
    fn of(from: u8) -> u8;
}

/// A byte as an `i8` (if it is to be `SIGNED`) or as a `u8`.
pub(in super::super::super) struct Saturated<const SIGNED: bool>;

impl<const SIGNED: bool> Byte for Saturated<SIGNED> {
    #[inline(always)]
    fn of(from: u8) -> u8 {
        if SIGNED { from.min(i8::MAX as u8) } else { from.cast_signed().max(0) as u8 }
    }
}

/// Whether one of the bits of `MASK` is set.
pub(in super::super::super) struct IsSet<const MASK: u8>;

impl<const MASK: u8> Byte for IsSet<MASK> {
    #[inline(always)]
    fn of(from: u8) -> u8 {
        u8::from(from & MASK != 0)
    }
}

/// Bytes of a piece of a long row.
const LONG: usize = 64;

/// Converts rows of bytes, which the compiler does for whole registers of the family that calls this.
///
/// # Safety
/// That of [`ConvertRows`](super::super::super::drive::ConvertRows).
#[inline(always)]
pub(in super::super::super) unsafe fn each_byte<B: Byte>(job: &Rows) {
    let (len, is_whole) = (job.valid as isize, job.valid == job.len);
    let (rows, valid) = match job.count {
        // The rows follow one another on both sides.
        count if is_whole && job.src_y == len && job.dst_y == len => (1, job.valid * count),
        count => (count, job.valid),
    };
    for y in 0..rows {
        let (src, dst) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_y));
        if valid >= LONG {
            // SAFETY: the caller's promise.
            unsafe { long_row::<B>(src, dst, valid) };
        } else {
            // SAFETY: the caller's promise.
            let from = unsafe { core::slice::from_raw_parts(src, valid) };
            // SAFETY: as above; `MaybeUninit` needs no value.
            let to = unsafe { core::slice::from_raw_parts_mut(dst.cast::<MaybeUninit<u8>>(), valid) };
            for (to, &from) in to.iter_mut().zip(from) {
                to.write(B::of(from));
            }
        }
        if !is_whole {
            // SAFETY: the rest of the row can be written.
            unsafe { zero_run(dst.wrapping_add(valid), job.len - valid) };
        }
    }
}

/// Converts `len` bytes that follow one another, in pieces of which the last may overlap the one before: what the compiler makes of a
/// plain loop takes the bytes behind whole registers by eight and one.
///
/// # Safety
/// They are [`LONG`] or more, can be read, and written, and do not overlap.
#[inline(always)]
unsafe fn long_row<B: Byte>(src: *const u8, dst: *mut u8, len: usize) {
    let mut x = 0;
    while x + LONG <= len {
        // SAFETY: the caller's promise; the piece lies in the row.
        unsafe { piece::<B>(src.wrapping_add(x), dst.wrapping_add(x)) };
        x += LONG;
    }
    if x < len {
        let at = len - LONG;
        // SAFETY: as above.
        unsafe { piece::<B>(src.wrapping_add(at), dst.wrapping_add(at)) };
    }
}

/// Converts [`LONG`] bytes.
///
/// # Safety
/// They can be read, and written.
#[inline(always)]
unsafe fn piece<B: Byte>(src: *const u8, dst: *mut u8) {
    // SAFETY: the caller's promise; no alignment is needed.
    let mut bytes = unsafe { src.cast::<[u8; LONG]>().read_unaligned() };
    for byte in &mut bytes {
        *byte = B::of(*byte);
    }
    // SAFETY: as above.
    unsafe { dst.cast::<[u8; LONG]>().write_unaligned(bytes) };
}
