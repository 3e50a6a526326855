//! From 16 to 8 bits, 64 elements at a time, without a change of their order on the way: what is unzipped is zipped again by what
//! packs it. A float of 8 bits is the upper part of an f16, rounded, and a bf16 becomes an f16 without the loss of anything that
//! counts. Called by the module around it for conversions without parameters.

use core::arch::x86_64::*;

use super::super::super::super::convert::Format;
use super::super::super::super::drive::{ConvertRows, LINE, Rows};
use super::super::super::super::epilogue::Affine;
use super::super::super::super::generic::{step, step_mut};
use super::super::super::super::parts::convert::{lines, zero};
use super::super::memory::*;

/// The loop from `src` to `dst`, where this is one of those.
pub(super) const fn convert_rows(src: Format, dst: Format) -> Option<ConvertRows> {
    match (src, dst) {
        (Format::Bf16, Format::F8E4M3) => Some(rows::<BF16_TO_E4M3>),
        (Format::Bf16, Format::F8E5M2) => Some(rows::<BF16_TO_E5M2>),
        (Format::F16, Format::F8E5M2) => Some(rows::<F16_TO_E5M2>),
        (Format::Bf16, Format::S8) => Some(rows::<BF16_TO_S8>),
        (Format::Bf16, Format::U8) => Some(rows::<BF16_TO_U8>),
        _ => None,
    }
}

const BF16_TO_E4M3: u8 = 0;
const BF16_TO_E5M2: u8 = 1;
const F16_TO_E5M2: u8 = 2;
const BF16_TO_S8: u8 = 3;
const BF16_TO_U8: u8 = 4;

/// Converts the elements of `job`, 64 at a time.
///
/// # Safety
/// That of [`ConvertRows`]; there is no affine map.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn rows<const PAIR: u8>(job: &Rows, _: Option<&Affine>) {
    for y in 0..job.count {
        let (src, dst) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_y));
        let mut x = 0;
        // SAFETY of each call: these elements are in the row.
        if job.stream {
            let (first, end) = lines(dst, job.valid, 1);
            // SAFETY: see above.
            unsafe { some::<PAIR>(src, dst, first) };
            x = first;
            while x + LINE <= end {
                // SAFETY: see above.
                let line = unsafe { line::<PAIR>(src.wrapping_add(2 * x)) };
                // SAFETY: see above; whole lines begin at `first`.
                unsafe { stream(dst.wrapping_add(x), line) };
                x += LINE;
            }
        }
        while x + LINE <= job.valid {
            // SAFETY: see above.
            let line = unsafe { line::<PAIR>(src.wrapping_add(2 * x)) };
            // SAFETY: see above.
            unsafe { store64(dst.wrapping_add(x), line) };
            x += LINE;
        }
        // SAFETY: see above.
        unsafe { some::<PAIR>(src.wrapping_add(2 * x), dst.wrapping_add(x), job.valid - x) };
        if job.valid < job.len {
            // SAFETY: the rest of the row can be written.
            unsafe { zero(dst.wrapping_add(job.valid), job.len - job.valid) };
        }
    }
}

/// The results for 64 elements.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn line<const PAIR: u8>(src: *const u8) -> __m512i {
    // SAFETY: the caller's promise.
    let first = unsafe { load64(src) };
    // SAFETY: as above.
    let second = unsafe { load64(src.wrapping_add(LINE)) };
    bytes::<PAIR>(first, second)
}

/// Converts `len` elements, fewer than a line has.
///
/// # Safety
/// They can be read and written.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn some<const PAIR: u8>(src: *const u8, dst: *mut u8, len: usize) {
    if len == 0 {
        return;
    }
    // SAFETY: the caller's promise.
    let first = unsafe { load64_first(src, 2 * len) };
    // SAFETY: as above.
    let second = unsafe { load64_first(src.wrapping_add(LINE), (2 * len).saturating_sub(LINE)) };
    let results = bytes::<PAIR>(first, second);
    // SAFETY: as above.
    unsafe { store64_first(dst, results, len) };
}

/// The results for the elements of two registers.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn bytes<const PAIR: u8>(first: __m512i, second: __m512i) -> __m512i {
    match PAIR {
        BF16_TO_S8 => return integers::<true>(first, second),
        BF16_TO_U8 => return integers::<false>(first, second),
        _ => {}
    }
    let table = if PAIR == F16_TO_E5M2 { &LOWER } else { &LOWER_OF_HALVES };
    // SAFETY: the table has 64 bytes.
    let lower = unsafe { load64(table.as_ptr()) };
    // SAFETY: as above.
    let upper = unsafe { load64(UPPER.as_ptr()) };
    let numbers = _mm512_permutex2var_epi8(magnitudes::<PAIR>(first), lower, magnitudes::<PAIR>(second));
    let signs = _mm512_and_si512(_mm512_permutex2var_epi8(first, upper, second), _mm512_set1_epi8(i8::MIN));
    _mm512_or_si512(numbers, signs)
}

/// The nearest integers to the bf16 of two registers, saturated; 0 for NaN.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn integers<const SIGNED: bool>(first: __m512i, second: __m512i) -> __m512i {
    let zero = _mm512_setzero_si512();
    let values = [
        _mm512_castsi512_ps(_mm512_unpacklo_epi16(zero, first)),
        _mm512_castsi512_ps(_mm512_unpackhi_epi16(zero, first)),
        _mm512_castsi512_ps(_mm512_unpacklo_epi16(zero, second)),
        _mm512_castsi512_ps(_mm512_unpackhi_epi16(zero, second)),
    ];
    let [a, b, c, d] = if SIGNED { super::to_s8_range(values) } else { super::to_u8_range(values) };
    let (low, high) = (_mm512_packs_epi32(a, b), _mm512_packs_epi32(c, d));
    let packed = if SIGNED { _mm512_packs_epi16(low, high) } else { _mm512_packus_epi16(low, high) };
    // A quarter of the first register, then one of the second.
    _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), packed)
}

/// The results without their signs, in the order of the elements or, where they are of type bf16, of [`LOWER_OF_HALVES`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn magnitudes<const PAIR: u8>(bits: __m512i) -> __m512i {
    let magnitude = _mm512_and_si512(bits, _mm512_set1_epi16(i16::MAX));
    match PAIR {
        // The biases of f16 and f8_e4m3 differ by 8. What is too large is NaN.
        BF16_TO_E4M3 => {
            let number = rounded::<7>(halves(magnitude, Some(1.0 / 256.0)));
            _mm512_min_epu16(number, _mm512_set1_epi16(0x7F))
        }
        BF16_TO_E5M2 => rounded_to_e5m2(halves(magnitude, None)),
        _ => rounded_to_e5m2(magnitude),
    }
}

/// Without the lowest `BITS`: the nearest, ties to even.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn rounded<const BITS: u32>(number: __m512i) -> __m512i {
    let odd = _mm512_and_si512(_mm512_srli_epi16::<BITS>(number), _mm512_set1_epi16(1));
    let half = _mm512_set1_epi16((1 << (BITS - 1)) - 1);
    _mm512_srli_epi16::<BITS>(_mm512_add_epi16(_mm512_add_epi16(number, half), odd))
}

/// The f8_e5m2 nearest to each positive f16; a NaN keeps its upper bits, and becomes quiet.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn rounded_to_e5m2(half: __m512i) -> __m512i {
    let nan = _mm512_cmpgt_epi16_mask(half, _mm512_set1_epi16(0x7C00));
    let quiet = _mm512_or_si512(_mm512_srli_epi16::<8>(half), _mm512_set1_epi16(2));
    _mm512_mask_mov_epi16(rounded::<8>(half), nan, quiet)
}

/// The f16 of positive bf16 times `factor`, in the order of zips. They have all the bits that there are above the half of the
/// smallest f8. What lies below is rounded up: it stays below or at that half if it was, and above if it was, and that is all that
/// the next step asks.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn halves(magnitude: __m512i, factor: Option<f32>) -> __m512i {
    let zero = _mm512_setzero_si512();
    let half = |wide: __m512i| {
        let value = _mm512_castsi512_ps(wide);
        let value = match factor {
            Some(factor) => _mm512_mul_ps(value, _mm512_set1_ps(factor)),
            None => value,
        };
        _mm512_cvtps_ph::<{ _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC }>(value)
    };
    let low = half(_mm512_unpacklo_epi16(zero, magnitude));
    let high = half(_mm512_unpackhi_epi16(zero, magnitude));
    _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
}

/// The upper and the lower bytes of two registers of 16 bits.
static UPPER: [u8; LINE] = every_other(1);
static LOWER: [u8; LINE] = every_other(0);

const fn every_other(first: u8) -> [u8; LINE] {
    let mut table = [0; LINE];
    let mut i = 0;
    while i < LINE {
        table[i] = 2 * i as u8 + first;
        i += 1;
    }
    table
}

/// The lower bytes where the first half of each register has the first half of each of its quarters.
static LOWER_OF_HALVES: [u8; LINE] = {
    let mut table = [0; LINE];
    let mut i = 0;
    while i < LINE {
        let (register, element) = (i / 32, i % 32);
        let (quarter, within) = (element / 8, element % 8);
        let at = within / 4 * 16 + quarter * 4 + within % 4;
        table[i] = (register * LINE + 2 * at) as u8;
        i += 1;
    }
    table
};
