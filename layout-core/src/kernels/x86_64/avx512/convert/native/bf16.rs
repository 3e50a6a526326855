//! f32 to bf16 by the instruction of AVX512_BF16, which takes subnormal numbers for zero: for products of the numbers of 4 bits and
//! factors that keep them clear of these, and for rows, which are looked at. Called by `avx512` and by its squares of elements of 4
//! bits.

use core::arch::x86_64::*;

use super::super::super::super::super::convert::Bf16;
use super::super::super::super::super::drive::Rows;
use super::super::super::super::super::epilogue::{Affine, FACTOR, NONE};
use super::super::super::super::super::parts::convert::Row;
use super::super::super::super::parts::zip::lanes;
use super::super::super::memory::*;
use super::super::{convert, f32_to_bf16, four_bf16, results_of};

/// Values that are looked at together.
const LANES: usize = 16;

/// What the instruction does otherwise: both kinds of NaN and subnormal numbers.
const OTHERS: i32 = 0xA1;

/// The nearest bf16 to the numbers of two registers, ties to even, none of which is subnormal or NaN.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512bf16")]
fn packed(low: __m512, high: __m512) -> __m512i {
    let both = _mm512_cvtne2ps_pbh(high, low);
    // SAFETY: both are 64 bytes of any value.
    unsafe { core::mem::transmute::<__m512bh, __m512i>(both) }
}

/// Stores the elements of four registers as bf16: none is subnormal or NaN.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512bf16")]
pub(in super::super::super) unsafe fn store_four(dst: *mut u8, [a, b, c, d]: [__m512; 4]) {
    let (first, second) = (packed(a, b), packed(c, d));
    // SAFETY: the caller's promise.
    unsafe { store64(dst, first) };
    // SAFETY: as above.
    unsafe { store64(dst.wrapping_add(64), second) };
}

/// Stores the elements of a register as bf16.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512bf16")]
pub(in super::super) unsafe fn store(dst: *mut u8, value: __m512) {
    if _mm512_fpclass_ps_mask::<OTHERS>(value) == 0 {
        let bits = _mm512_cvtneps_pbh(value);
        // SAFETY: both are 32 bytes of any value.
        let bits = unsafe { core::mem::transmute::<__m256bh, __m256i>(bits) };
        // SAFETY: the caller's promise.
        unsafe { store32(dst, bits) };
    } else {
        let bits = f32_to_bf16(value);
        // SAFETY: as above.
        unsafe { store32(dst, bits) };
    }
}

/// Whether the product of each of `count` factors, a multiple of 16, with any number of 4 bits is zero, normal or infinite: these
/// are not smaller than 2 to the power of -2.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(in super::super::super) unsafe fn keep_normal(factors: *const f32, count: usize) -> bool {
    /// 2 to the power of -124, and the first that is no number.
    const FIRST: i32 = 3 << 23;
    const END: i32 = 0xFF << 23;
    let mut all = u16::MAX;
    for i in 0..count / LANES {
        // SAFETY: the caller's promise.
        let bits = unsafe { load64(factors.wrapping_add(i * LANES).cast()) };
        let magnitude = _mm512_and_si512(bits, _mm512_set1_epi32(i32::MAX));
        let above = _mm512_sub_epi32(magnitude, _mm512_set1_epi32(FIRST));
        let normal = _mm512_cmplt_epu32_mask(above, _mm512_set1_epi32(END - FIRST));
        all &= normal | _mm512_cmpeq_epi32_mask(magnitude, _mm512_setzero_si512());
    }
    all == u16::MAX
}

/// [`results_of`] bf16.
///
/// # Safety
/// As there; the processor has AVX512_BF16.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512bf16")]
pub(in super::super::super::super::super) unsafe fn native_results(
    numbers: &[f32; 16],
    map: Option<&Affine>,
    count: usize,
    to: *mut u8,
) {
    let (steps, factors) = map.map_or((NONE, Affine::neutral()), Affine::steps);
    let first = factors.at[1];
    let many = steps == FACTOR && factors.row[1] == 1 && count.is_multiple_of(LANES);
    // SAFETY: the caller's promise: each row has a factor.
    if !many || !unsafe { keep_normal(first, count) } {
        // SAFETY: as above.
        return unsafe { results_of::<Bf16>(numbers, map, count, to) };
    }
    // SAFETY: there are 16 numbers.
    let numbers = _mm512_castsi512_ps(unsafe { load64(numbers.as_ptr().cast()) });
    for y in (0..count).step_by(4) {
        let mut values = [numbers; 4];
        for (i, value) in values.iter_mut().enumerate() {
            // SAFETY: as above.
            *value = _mm512_mul_ps(numbers, _mm512_set1_ps(unsafe { first.wrapping_add(y + i).read() }));
        }
        // SAFETY: as above: 16 results of two bytes for each row.
        unsafe { store_four(to.wrapping_add(y * 16 * size_of::<Bf16>()), values) };
    }
}

/// Converts the rows of `job` from f32 to bf16.
///
/// # Safety
/// That of [`ConvertRows`](super::super::ConvertRows); there is no affine map, and the processor has AVX512_BF16.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512bf16")]
pub(in super::super::super) unsafe fn rows(job: &Rows, _: Option<&Affine>) {
    const MANY: usize = 4 * LANES;
    if job.stream || job.valid < MANY {
        // SAFETY: the caller's promise.
        return unsafe { convert::<f32, Bf16>(job, None) };
    }
    let many = job.valid / MANY * MANY;
    for y in 0..job.count {
        let row = Row::new::<NONE>(job, &Affine::neutral(), y);
        for x in (0..many).step_by(MANY) {
            row.claim(2 * x, 2 * MANY);
            // SAFETY: the caller's promise: these elements are in the row.
            let values = lanes!(64, i => unsafe { load64(row.src.wrapping_add(4 * (x + i * LANES))) });
            let values = lanes!(64, i => _mm512_castsi512_ps(values[i]));
            let [a, b, c, d] = lanes!(64, i => _mm512_fpclass_ps_mask::<OTHERS>(values[i]));
            let to = row.dst.wrapping_add(2 * x);
            if (a | b) | (c | d) == 0 {
                // SAFETY: as above, and what they hold was just looked at.
                unsafe { store_four(to, values) };
            } else {
                // SAFETY: as above.
                unsafe { four_bf16(to, values) };
            }
        }
    }
    if many < job.len {
        let (src, dst) = (job.src.wrapping_add(4 * many), job.dst.wrapping_add(2 * many));
        let rest = Rows { src, dst, valid: job.valid - many, len: job.len - many, ..*job };
        // SAFETY: the rest of each row.
        unsafe { convert::<f32, Bf16>(&rest, None) };
    }
}
