//! Converts rows of elements: the reference for the other families, and what remains for the rarer pairs.

use core::mem::MaybeUninit;

use super::super::convert::{
    Bf16, Boolean, Convert, E8M0, F4E2M1, F4E3M0, F8E4M3, F8E5M2, F16, Format, Number,
};
use super::super::drive::{ConvertRows, Rows, by_buffer};
use super::super::epilogue::{Affine, LANES, affine};
use super::{step, step_mut, zero_run};

/// The loop from `src` to `dst`: for every pair with f32, and those that f32 between the two would change.
pub(in super::super) const fn convert_rows(src: Format, dst: Format) -> Option<ConvertRows> {
    Some(match (src, dst) {
        (Format::F32, Format::F64) => f32_scaled::<f64>,
        (Format::F32, Format::F32) => F32_TO_F32,
        (Format::F32, Format::F16) => scaled::<f32, F16>,
        (Format::F32, Format::Bf16) => scaled::<f32, Bf16>,
        (Format::F32, Format::S32) => scaled::<f32, i32>,
        (Format::F32, Format::S8) => scaled::<f32, i8>,
        (Format::F32, Format::U8) => scaled::<f32, u8>,
        (Format::F64, Format::F32) => scaled_f32::<f64>,
        (Format::F16, Format::F32) => scaled::<F16, f32>,
        (Format::Bf16, Format::F32) => scaled::<Bf16, f32>,
        (Format::S32, Format::F32) => scaled::<i32, f32>,
        (Format::S8, Format::F32) => scaled::<i8, f32>,
        (Format::U8, Format::F32) => scaled::<u8, f32>,
        (Format::F64, Format::F16) => plain::<f64, F16>,
        (Format::F64, Format::Bf16) => plain::<f64, Bf16>,
        (Format::F64, Format::S32) => plain::<f64, i32>,
        (Format::F64, Format::S8) => plain::<f64, i8>,
        (Format::F64, Format::U8) => plain::<f64, u8>,
        (Format::F8E5M2, Format::F32) => scaled_f32::<F8E5M2>,
        (Format::F32, Format::F8E5M2) => f32_scaled::<F8E5M2>,
        (Format::F64, Format::F8E5M2) => plain::<f64, F8E5M2>,
        (Format::F8E4M3, Format::F32) => scaled_f32::<F8E4M3>,
        (Format::F32, Format::F8E4M3) => f32_scaled::<F8E4M3>,
        (Format::F64, Format::F8E4M3) => plain::<f64, F8E4M3>,
        (Format::E8M0, Format::F32) => scaled_f32::<E8M0>,
        (Format::F32, Format::E8M0) => f32_scaled::<E8M0>,
        (Format::F64, Format::E8M0) => plain::<f64, E8M0>,
        (Format::F4E2M1, Format::F32) => scaled_f32::<F4E2M1>,
        (Format::F32, Format::F4E2M1) => f32_scaled::<F4E2M1>,
        (Format::F64, Format::F4E2M1) => plain::<f64, F4E2M1>,
        (Format::F4E3M0, Format::F32) => scaled_f32::<F4E3M0>,
        (Format::F32, Format::F4E3M0) => f32_scaled::<F4E3M0>,
        (Format::F64, Format::F4E3M0) => plain::<f64, F4E3M0>,
        (Format::Boolean, Format::F32) => scaled_f32::<Boolean>,
        (Format::F32, Format::Boolean) => f32_scaled::<Boolean>,
        (Format::F64, Format::Boolean) => plain::<f64, Boolean>,
        (Format::S32, Format::E8M0) => plain::<i32, E8M0>,
        (Format::S32, Format::F64) => plain::<i32, f64>,
        (Format::S32, Format::Bf16) => plain::<i32, Bf16>,
        _ => return None,
    })
}

/// The loop that applies parameters and nothing else.
pub(in super::super) const F32_TO_F32: ConvertRows = scaled::<f32, f32>;

/// Converts the elements of `job` from type `S` to `D`, of which one is f32, with an affine map if there is one.
///
/// # Safety
/// That of [`ConvertRows`].
unsafe fn scaled<S, D>(job: &Rows, map: Option<&Affine>)
where
    S: Number + Convert<f32> + Convert<D>,
    D: Number,
    f32: Convert<D>,
{
    let Some(map) = map else {
        // SAFETY: the caller's promise.
        unsafe { plain::<S, D>(job, None) };
        return;
    };
    for y in 0..job.count {
        // SAFETY: the caller's promise.
        let (src, dst) = unsafe { row::<S, D>(job, y) };
        let (src, src_rest) = src.as_chunks::<LANES>();
        let (dst, dst_rest) = dst.as_chunks_mut::<LANES>();
        for (i, (src, dst)) in src.iter().zip(dst).enumerate() {
            // SAFETY: the caller's promise: these elements are valid.
            unsafe { lanes::<S, D>(src, dst, &map.skip(i * LANES, y)) };
        }
        if !src_rest.is_empty() {
            // SAFETY: as above.
            unsafe { lanes::<S, D>(src_rest, dst_rest, &map.skip(src.len() * LANES, y)) };
        }
    }
}

/// Converts f32 to `D`, to which an affine map is applied in a buffer, if there is one: few ask for that.
///
/// # Safety
/// That of [`ConvertRows`].
unsafe fn f32_scaled<D: Number>(job: &Rows, map: Option<&Affine>)
where
    f32: Convert<D>,
{
    let loops = [F32_TO_F32, alone::<f32, D> as ConvertRows];
    match map {
        // SAFETY: the caller's promise.
        None => unsafe { loops[1](job, None) },
        // SAFETY: the caller's promise; these are its two steps.
        Some(_) => unsafe { by_buffer(job, [map, None], loops, [size_of::<f32>(), size_of::<D>()]) },
    }
}

/// The same from `S` to f32.
///
/// # Safety
/// That of [`ConvertRows`].
unsafe fn scaled_f32<S: Number + Convert<f32>>(job: &Rows, map: Option<&Affine>) {
    let loops = [alone::<S, f32> as ConvertRows, F32_TO_F32];
    match map {
        // SAFETY: the caller's promise.
        None => unsafe { loops[0](job, None) },
        // SAFETY: the caller's promise; these are its two steps.
        Some(_) => unsafe { by_buffer(job, [None, map], loops, [size_of::<S>(), size_of::<f32>()]) },
    }
}

/// [`plain`], compiled once for those that take it as one of two steps.
///
/// # Safety
/// As there.
#[inline(never)]
unsafe fn alone<S: Number + Convert<D>, D: Number>(job: &Rows, _: Option<&Affine>) {
    // SAFETY: the caller's promise.
    unsafe { plain::<S, D>(job, None) }
}

/// Converts up to [`LANES`] elements by their parameters, which `map` begins with.
///
/// # Safety
/// As many values as [`LANES`] can be read of each.
#[inline(always)]
unsafe fn lanes<S, D>(src: &[Packed<S>], dst: &mut [MaybeUninit<Packed<D>>], map: &Affine)
where
    S: Number + Convert<f32>,
    D: Number,
    f32: Convert<D>,
{
    // SAFETY: the caller's promise.
    let [a, b, c, d] = map.at.map(|at| unsafe { at.cast::<[f32; LANES]>().read_unaligned() });
    for (i, (from, to)) in src.iter().zip(dst).enumerate() {
        let from = from.0;
        let value = affine(from.convert(), [a[i], b[i], c[i], d[i]]);
        to.write(Packed(value.convert()));
    }
}

/// Converts the elements of `job` from type `S` to `D`. Families compile it again for the instructions that they have.
///
/// # Safety
/// That of [`ConvertRows`]; there is no affine map.
#[inline(always)]
pub(in super::super) unsafe fn plain<S: Number + Convert<D>, D: Number>(job: &Rows, _: Option<&Affine>) {
    for y in 0..job.count {
        // SAFETY: the caller's promise.
        let (src, dst) = unsafe { row::<S, D>(job, y) };
        for (from, to) in src.iter().zip(dst) {
            let from = from.0;
            to.write(Packed(from.convert()));
        }
    }
}

/// A number at any address.
#[derive(Clone, Copy)]
#[repr(C, packed)]
struct Packed<T>(T);

/// The valid elements of row `y`, on both sides; the rest of the row is set to zero. The destination may be a buffer that
/// holds nothing yet.
///
/// # Safety
/// That of [`ConvertRows`], for as long as the slices live.
#[inline(always)]
unsafe fn row<'a, S: Number, D: Number>(
    job: &Rows,
    y: usize,
) -> (&'a [Packed<S>], &'a mut [MaybeUninit<Packed<D>>]) {
    let (src, dst) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_y));
    let (at, rest) = (job.valid * size_of::<D>(), (job.len - job.valid) * size_of::<D>());
    // SAFETY: the caller's promise; all-zero bits are zero.
    unsafe { zero_run(dst.wrapping_add(at), rest) };
    // SAFETY: the caller's promise; `Packed` needs no alignment, and any bytes are a number.
    let src = unsafe { core::slice::from_raw_parts(src.cast::<Packed<S>>(), job.valid) };
    // SAFETY: the caller's promise; `MaybeUninit` needs no value.
    let dst = unsafe { core::slice::from_raw_parts_mut(dst.cast::<MaybeUninit<Packed<D>>>(), job.valid) };
    (src, dst)
}
