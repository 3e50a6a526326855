//! Converts rows of elements, any type to any other; the reference for the others, and what remains for the rarer pairs.

use core::mem::MaybeUninit;

use super::super::convert::{Convert, Number};
use super::super::drive::Rows;
use super::{step, step_mut, zero_run};

/// Converts the elements of `job` from type `S` to `D`.
///
/// # Safety
/// That of [`super::super::drive::ConvertRows`].
pub(in super::super) unsafe fn convert_rows<S: Number + Convert<D>, D: Number>(job: &Rows) {
    for y in 0..job.count {
        let (src, dst) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_y));
        // SAFETY: the caller's promise.
        unsafe { run::<S, D>(src, dst, job.valid) };
        let (at, rest) = (job.valid * size_of::<D>(), (job.len - job.valid) * size_of::<D>());
        // SAFETY: the caller's promise; all-zero bits are zero.
        unsafe { zero_run(dst.wrapping_add(at), rest) };
    }
}

/// A number at any address.
#[derive(Clone, Copy)]
#[repr(C, packed)]
struct Packed<T>(T);

/// Converts `len` contiguous elements.
///
/// # Safety
/// `len` elements of `S` can be read at `src`, and as many of `D` written at `dst`; they do not overlap.
#[inline(always)]
unsafe fn run<S: Number + Convert<D>, D: Number>(src: *const u8, dst: *mut u8, len: usize) {
    // SAFETY: the caller's promise; `Packed` needs no alignment, and any bytes are a number.
    let src = unsafe { core::slice::from_raw_parts(src.cast::<Packed<S>>(), len) };
    // The destination may be a buffer that holds nothing yet.
    // SAFETY: the caller's promise; `MaybeUninit` needs no value.
    let dst = unsafe { core::slice::from_raw_parts_mut(dst.cast::<MaybeUninit<Packed<D>>>(), len) };
    for (from, to) in src.iter().zip(dst) {
        let value = from.0;
        to.write(Packed(value.convert()));
    }
}
