//! From 16 to 8 bits, 64 elements at a time, without a change of their order on the way: what is unzipped is zipped again by what
//! packs it. An f8_e5m2 is the upper part of an f16, rounded. Called by the module around it for conversions without parameters.

use core::arch::x86_64::*;

use super::super::super::super::convert::Format;
use super::super::super::super::drive::{ConvertRows, LINE, Rows};
use super::super::super::super::epilogue::Affine;
use super::super::super::super::generic::{step, step_mut};
use super::super::super::super::parts::convert::{lines, zero};
use super::super::memory::*;
use super::float8::{bf16_to_e4m3, bf16_to_e5m2, f16_to_e4m3, upper_bytes};
use super::integers::{
    in_order, is_no_integer, nearest, packed_s8, packed_u8, smallest, to_s8_range, to_u8_range,
};

/// The loop from `src` to `dst`, where this is one of those.
pub(super) const fn convert_rows(src: Format, dst: Format) -> Option<ConvertRows> {
    match (src, dst) {
        (Format::Bf16, Format::F8E4M3) => Some(rows::<BF16_TO_E4M3>),
        (Format::Bf16, Format::F8E5M2) => Some(rows::<BF16_TO_E5M2>),
        (Format::F16, Format::F8E4M3) => Some(rows::<F16_TO_E4M3>),
        (Format::F16, Format::F8E5M2) => Some(rows::<F16_TO_E5M2>),
        (Format::Bf16, Format::S8) => Some(rows::<BF16_TO_S8>),
        (Format::Bf16, Format::U8) => Some(rows::<BF16_TO_U8>),
        (Format::F16, Format::S8) => Some(rows::<F16_TO_S8>),
        (Format::F16, Format::U8) => Some(rows::<F16_TO_U8>),
        _ => None,
    }
}

const BF16_TO_E4M3: u8 = 0;
const BF16_TO_E5M2: u8 = 1;
const F16_TO_E5M2: u8 = 2;
const BF16_TO_S8: u8 = 3;
const BF16_TO_U8: u8 = 4;
const F16_TO_S8: u8 = 5;
const F16_TO_U8: u8 = 6;
const F16_TO_E4M3: u8 = 7;

/// Defines `$rows`, which converts the elements of `job` from 16 to 8 bits, 64 at a time, by `$bytes` of two registers; with `$line` and
/// `$some`.
macro_rules! byte_rows {
    ($features:literal, <$which:ident: $of:ty>, $rows:ident $line:ident $some:ident $bytes:ident) => {
        /// Converts the elements of `job`, 64 at a time.
        ///
        /// # Safety
        /// That of `ConvertRows`; there is no affine map, and the processor has the instructions.
        #[target_feature(enable = $features)]
        pub(super) unsafe fn $rows<const $which: $of>(job: &Rows, _: Option<&Affine>) {
            for y in 0..job.count {
                let (src, dst) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_y));
                let mut x = 0;
                // SAFETY of each call: these elements are in the row.
                if job.stream {
                    let (first, end) = lines(dst, job.valid, 1);
                    // SAFETY: see above.
                    unsafe { $some::<$which>(src, dst, first) };
                    x = first;
                    while x + LINE <= end {
                        // SAFETY: see above.
                        let line = unsafe { $line::<$which>(src.wrapping_add(2 * x)) };
                        // SAFETY: see above; whole lines begin at `first`.
                        unsafe { stream(dst.wrapping_add(x), line) };
                        x += LINE;
                    }
                }
                // The last line overlaps the one before.
                while x < job.valid && job.valid >= LINE {
                    x = x.min(job.valid - LINE);
                    // SAFETY: see above.
                    let line = unsafe { $line::<$which>(src.wrapping_add(2 * x)) };
                    // SAFETY: see above.
                    unsafe { store64(dst.wrapping_add(x), line) };
                    x += LINE;
                }
                if job.valid < LINE {
                    // SAFETY: see above.
                    unsafe { $some::<$which>(src, dst, job.valid) };
                }
                if job.valid < job.len {
                    // SAFETY: the rest of the row can be written.
                    unsafe { zero(dst.wrapping_add(job.valid), job.len - job.valid) };
                }
            }
        }

        /// The results for 64 elements.
        ///
        /// # Safety
        /// They can be read; the processor has the instructions.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn $line<const $which: $of>(src: *const u8) -> __m512i {
            // SAFETY: the caller's promise.
            let first = unsafe { load64(src) };
            // SAFETY: as above.
            let second = unsafe { load64(src.wrapping_add(LINE)) };
            $bytes::<$which>(first, second)
        }

        /// Converts `len` elements, fewer than a line has.
        ///
        /// # Safety
        /// They can be read and written; the processor has the instructions.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn $some<const $which: $of>(src: *const u8, dst: *mut u8, len: usize) {
            if len == 0 {
                return;
            }
            // SAFETY: the caller's promise.
            let first = unsafe { load64_first(src, (2 * len).min(LINE)) };
            // SAFETY: as above.
            let second = unsafe { load64_first(src.wrapping_add(LINE), (2 * len).saturating_sub(LINE)) };
            let results = $bytes::<$which>(first, second);
            // SAFETY: as above.
            unsafe { store64_first(dst, results, len) };
        }
    };
}
pub(super) use byte_rows;
byte_rows! { "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi", <PAIR: u8>, rows line some bytes }

/// The results for the elements of two registers.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn bytes<const PAIR: u8>(first: __m512i, second: __m512i) -> __m512i {
    match PAIR {
        BF16_TO_S8 => bf16_to_integers::<true>(first, second),
        BF16_TO_U8 => bf16_to_integers::<false>(first, second),
        F16_TO_S8 => in_order(integers::<true>(f16_to_f32(first, second))),
        F16_TO_U8 => in_order(integers::<false>(f16_to_f32(first, second))),
        BF16_TO_E4M3 => upper_bytes(bf16_to_e4m3(first), bf16_to_e4m3(second)),
        BF16_TO_E5M2 => {
            let [first, second] = bf16_to_e5m2([first, second]);
            upper_bytes(first, second)
        }
        F16_TO_E4M3 => upper_bytes(f16_to_e4m3(first), f16_to_e4m3(second)),
        _ => upper_bytes(f16_to_e5m2(first), f16_to_e5m2(second)),
    }
}

/// The nearest integers to the bf16 of two registers, saturated; 0 for NaN.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn bf16_to_integers<const SIGNED: bool>(first: __m512i, second: __m512i) -> __m512i {
    let zero = _mm512_setzero_si512();
    let packed = integers::<SIGNED>([
        _mm512_castsi512_ps(_mm512_unpacklo_epi16(zero, first)),
        _mm512_castsi512_ps(_mm512_unpackhi_epi16(zero, first)),
        _mm512_castsi512_ps(_mm512_unpacklo_epi16(zero, second)),
        _mm512_castsi512_ps(_mm512_unpackhi_epi16(zero, second)),
    ]);
    // A quarter of the first register, then one of the second.
    _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), packed)
}

/// The numbers of two registers of f16.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn f16_to_f32(first: __m512i, second: __m512i) -> [__m512; 4] {
    [
        _mm512_cvtph_ps(_mm512_castsi512_si256(first)),
        _mm512_cvtph_ps(_mm512_extracti64x4_epi64::<1>(first)),
        _mm512_cvtph_ps(_mm512_castsi512_si256(second)),
        _mm512_cvtph_ps(_mm512_extracti64x4_epi64::<1>(second)),
    ]
}

/// The nearest integers, saturated; 0 for NaN. Packed in each quarter apart.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn integers<const SIGNED: bool>(values: [__m512; 4]) -> __m512i {
    let mut integers = nearest(values);
    if is_no_integer(smallest(integers)) {
        integers = if SIGNED { to_s8_range(values) } else { to_u8_range(values) };
    }
    if SIGNED { packed_s8(integers) } else { packed_u8(integers) }
}

/// The f8_e5m2 nearest to each f16, in its upper byte; a NaN keeps its upper bits, and becomes quiet.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn f16_to_e5m2(bits: __m512i) -> __m512i {
    let odd = _mm512_and_si512(_mm512_srli_epi16::<8>(bits), _mm512_set1_epi16(1));
    let rounded = _mm512_add_epi16(_mm512_add_epi16(bits, _mm512_set1_epi16(0x7F)), odd);
    let magnitude = _mm512_and_si512(bits, _mm512_set1_epi16(i16::MAX));
    let nan = _mm512_cmpgt_epi16_mask(magnitude, _mm512_set1_epi16(0x7C00));
    _mm512_mask_mov_epi16(rounded, nan, _mm512_or_si512(bits, _mm512_set1_epi16(0x0200)))
}
