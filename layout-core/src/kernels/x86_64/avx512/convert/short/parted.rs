//! Rows of 16 elements that lie in one part, 2 or 4 in the source. Called by `drive::convert::short`.

use core::arch::x86_64::*;

use super::super::super::super::super::convert::{Bf16, F16, Format};
use super::super::super::super::super::drive::{Parted, PartedRows};
use super::super::super::super::super::epilogue::{ALL, Affine, FACTOR, NONE};
use super::super::super::super::super::generic::{step, step_mut};
use super::super::super::super::super::parts::convert::Store;
use super::super::super::super::super::parts::prefetch_write;
use super::super::{apply, bf16_to_f32, native::bf16, parameters};

/// The loop from `src` to `dst` for rows of so many `parts`.
pub(in super::super::super) const fn parted_rows(
    src: Format,
    dst: Format,
    parts: usize,
) -> Option<PartedRows> {
    macro_rules! way {
        ($src:ty, $dst:ty) => {
            match parts {
                1 => Some(rows::<$src, $dst, 1>),
                2 => Some(rows::<$src, $dst, 2>),
                4 => Some(rows::<$src, $dst, 4>),
                _ => None,
            }
        };
    }
    match (src, dst) {
        (Format::F32, Format::Bf16) => way!(f32, Bf16),
        (Format::F32, Format::F16) => way!(f32, F16),
        (Format::F32, Format::S8) => way!(f32, i8),
        (Format::F32, Format::U8) => way!(f32, u8),
        (Format::Bf16, Format::F32) => way!(Bf16, f32),
        (Format::F16, Format::F32) => way!(F16, f32),
        (Format::S8, Format::F32) => way!(i8, f32),
        (Format::U8, Format::F32) => way!(u8, f32),
        _ => None,
    }
}

/// The loop from f32 to bf16, for processors with AVX512_BF16.
pub(in super::super::super) const fn native_parted_rows(parts: usize) -> Option<PartedRows> {
    match parts {
        1 => Some(native_rows::<f32, NativeBf16, 1>),
        2 => Some(native_rows::<f32, NativeBf16, 2>),
        4 => Some(native_rows::<f32, NativeBf16, 4>),
        _ => None,
    }
}

/// `name loop: features`: the loops for processors that have these.
macro_rules! rows {
    ($($rows:ident $with:ident: $features:literal;)*) => {$(
        /// # Safety
        /// That of [`PartedRows`].
        #[target_feature(enable = $features)]
        unsafe fn $rows<S: Parts, D: Put, const P: usize>(job: &Parted, map: Option<&Affine>) {
            let (steps, map) = map.map_or((NONE, Affine::neutral()), Affine::steps);
            match steps {
                // SAFETY: the caller's promise.
                NONE => unsafe { $with::<S, D, P, NONE>(job, &map) },
                // SAFETY: as above.
                FACTOR => unsafe { $with::<S, D, P, FACTOR>(job, &map) },
                // SAFETY: as above.
                _ => unsafe { $with::<S, D, P, ALL>(job, &map) },
            }
        }

        /// # Safety
        /// That of [`PartedRows`].
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn $with<S: Parts, D: Put, const P: usize, const STEPS: u8>(job: &Parted, map: &Affine) {
            let ahead = job.ahead();
            for o in 0..job.outer.len {
                let (src, dst) = (step(job.src, o, job.outer.src), step_mut(job.dst, o, job.outer.dst));
                for i in 0..job.inner.len {
                    let (src, dst) = (step(src, i, job.inner.src), step_mut(dst, i, job.inner.dst));
                    if job.claims {
                        prefetch_write(dst.wrapping_offset(ahead));
                    }
                    // SAFETY: the caller's promise: these are the values of a register.
                    let own = unsafe { parameters::<STEPS>(map, i * job.own[0] + o * job.own[1]) };
                    // SAFETY: as above: these elements can be read.
                    let value = unsafe { S::gather::<P>(src, job.apart) };
                    // SAFETY: as above: these can be written.
                    unsafe { D::put(dst, apply::<STEPS>(value, &own)) };
                }
            }
        }
    )*};
}
rows! {
    rows with: "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi";
    native_rows native_with: "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512bf16";
}

/// What registers are written as.
trait Put {
    /// Writes 16 elements.
    ///
    /// # Safety
    /// They can be written; the processor has the features of the loop.
    unsafe fn put(dst: *mut u8, value: __m512);
}

impl<D: Store<__m512>> Put for D {
    #[inline(always)]
    unsafe fn put(dst: *mut u8, value: __m512) {
        // SAFETY: the caller's promise.
        unsafe { D::store(dst, value) }
    }
}

/// A bf16, by the instruction for numbers that it knows.
struct NativeBf16;

impl Put for NativeBf16 {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512bf16")]
    unsafe fn put(dst: *mut u8, value: __m512) {
        // SAFETY: the caller's promise.
        unsafe { bf16::store(dst, value) }
    }
}

/// Elements whose registers are put together from parts.
trait Parts {
    /// 16 elements, in `P` parts `apart` bytes from one another.
    ///
    /// # Safety
    /// They can be read; the processor has the family's instructions.
    unsafe fn gather<const P: usize>(src: *const u8, apart: isize) -> __m512;
}

/// `type: how its parts become bits in memory => register`.
macro_rules! parts {
    ($($ty:ty: $gather:ident, |$bits:ident| $widened:expr;)*) => {$(
        impl Parts for $ty {
            #[inline]
            #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
            unsafe fn gather<const P: usize>(src: *const u8, apart: isize) -> __m512 {
                // SAFETY: the caller's promise.
                let $bits = unsafe { $gather::<P>(src, apart) };
                $widened
            }
        }
    )*};
}
parts! {
    f32: gather64, |bits| _mm512_castsi512_ps(bits);
    F16: gather32, |bits| _mm512_cvtph_ps(bits);
    Bf16: gather32, |bits| bf16_to_f32(bits);
    i8: gather16, |bits| _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(bits));
    u8: gather16, |bits| _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(bits));
}

/// `gather: value, load of all of it; half: its value; load of a whole half, load of half of one`, and how two become one.
macro_rules! gathers {
    ($($gather:ident: $value:ty, $load_all:ident, |$low:ident, $high:ident| $join:expr;
        $half:ident: $half_value:ty, $load:ident $load_part:ident, |$first:ident, $second:ident| $join_parts:expr;)*) => {$(
        /// # Safety
        /// That of [`Parts::gather`].
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
        unsafe fn $gather<const P: usize>(src: *const u8, apart: isize) -> $value {
            if P == 1 {
                // SAFETY: the caller's promise.
                return unsafe { $load_all(src.cast()) };
            }
            // SAFETY: the caller's promise, for the first half of the parts.
            let $low = unsafe { $half::<P>(src, apart) };
            // SAFETY: as above, for the second.
            let $high = unsafe { $half::<P>(step(src, P / 2, apart), apart) };
            $join
        }

        /// # Safety
        /// That of [`Parts::gather`], for half of the parts: one or two.
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
        unsafe fn $half<const P: usize>(src: *const u8, apart: isize) -> $half_value {
            if P == 2 {
                // SAFETY: the caller's promise.
                return unsafe { $load(src.cast()) };
            }
            // SAFETY: the caller's promise.
            let $first = unsafe { $load_part(src.cast()) };
            // SAFETY: as above.
            let $second = unsafe { $load_part(src.wrapping_offset(apart).cast()) };
            $join_parts
        }
    )*};
}
gathers! {
    gather64: __m512i, _mm512_loadu_si512, |low, high| _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high);
    half32: __m256i, _mm256_loadu_si256 _mm_loadu_si128,
        |first, second| _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(first), second);
    gather32: __m256i, _mm256_loadu_si256, |low, high| _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high);
    half16: __m128i, _mm_loadu_si128 _mm_loadl_epi64, |first, second| _mm_unpacklo_epi64(first, second);
    gather16: __m128i, _mm_loadu_si128, |low, high| _mm_unpacklo_epi64(low, high);
    half8: __m128i, _mm_loadl_epi64 _mm_loadu_si32, |first, second| _mm_unpacklo_epi32(first, second);
}
