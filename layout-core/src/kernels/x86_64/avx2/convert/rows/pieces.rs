//! Rows of pairs that have a shorter way than by f32, 32 elements at a time and without parameters. Called by the folder's
//! `convert`, and by `lookup`, whose rows go through the same loop.

use core::arch::x86_64::*;

use super::super::super::super::super::convert::Format;
use super::super::super::super::super::drive::{ConvertRows, Rows};
use super::super::super::super::super::epilogue::Affine;
use super::super::super::super::super::generic::{step, step_mut};
use super::super::super::super::super::parts::convert::{claim, lines, zero};
use super::super::super::super::super::parts::zip::lanes;
use super::super::super::memory::{load32, store32, stream32};
use super::super::float8::{
    bf16_to_e4m3, bf16_to_e5m2, e4m3_to_bf16, e4m3_to_f16, e5m2_to_bf16, e5m2_to_f16, f16_to_e4m3,
    f16_to_e5m2,
};
use super::super::loop_between;

/// Defines `convert_rows` by `$source => $destination: 32 elements`; rows that have fewer go through f32.
macro_rules! pairs {
    ($($src:ident => $dst:ident: |$registers:pat_param| $converted:expr;)*) => {
        /// The loop from `src` to `dst` without parameters, of those pairs that have one here.
        #[inline]
        pub(in super::super) const fn convert_rows(src: Format, dst: Format) -> Option<ConvertRows> {
            match (src, dst) {
                $((Format::$src, Format::$dst) => Some({
                    /// Converts the elements of `job`.
                    ///
                    /// # Safety
                    /// That of [`ConvertRows`]; there is no affine map.
                    #[target_feature(enable = "avx2,f16c")]
                    unsafe fn rows(job: &Rows, _: Option<&Affine>) {
                        const SHORT: Option<ConvertRows> = loop_between(Format::$src, Format::$dst, false);
                        const { assert!(SHORT.is_some(), "short rows have a loop") };
                        let short = |rows: &Rows| {
                            if let Some(short) = SHORT {
                                // SAFETY: the caller's promise, for rows of the job.
                                unsafe { short(rows, None) };
                            }
                        };
                        let piece = |$registers: [__m256i; Format::$src.bytes()]| $converted;
                        // SAFETY: the caller's promise.
                        unsafe { pieces::<{ Format::$src.bytes() }, { Format::$dst.bytes() }>(job, piece, short) };
                    }
                    rows
                }),)*
                _ => None,
            }
        }
    };
}
pairs! {
    F8E4M3 => Bf16: |[bytes]| zipped(e4m3_to_bf16(apart(bytes)));
    F8E4M3 => F16: |[bytes]| zipped(e4m3_to_f16(apart(bytes)));
    F8E4M3 => F32: |[bytes]| {
        let places = _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7);
        let [first, second] = zipped(e4m3_to_bf16(_mm256_permutevar8x32_epi32(bytes, places)));
        let zero = _mm256_setzero_si256();
        [
            _mm256_unpacklo_epi16(zero, first),
            _mm256_unpackhi_epi16(zero, first),
            _mm256_unpacklo_epi16(zero, second),
            _mm256_unpackhi_epi16(zero, second),
        ]
    };
    F8E5M2 => Bf16: |[bytes]| zipped(e5m2_to_bf16(apart(bytes)));
    F8E5M2 => F16: |[bytes]| zipped(e5m2_to_f16(apart(bytes)));
    Bf16 => F8E4M3: |both| [apart(bf16_to_e4m3(both))];
    Bf16 => F8E5M2: |both| [apart(bf16_to_e5m2(both))];
    F16 => F8E4M3: |both| [apart(f16_to_e4m3(both))];
    F16 => F8E5M2: |both| [apart(f16_to_e5m2(both))];
    U8 => Bf16: |[bytes]| {
        let zero = _mm256_setzero_si256();
        let [low, high] = zipped([apart(bytes), zero]);
        [integers_to_bf16(low, zero), integers_to_bf16(high, zero)]
    };
    S8 => Bf16: |[bytes]| {
        let signs = _mm256_cmpgt_epi8(_mm256_setzero_si256(), bytes);
        let [low, high] = zipped([apart(bytes), apart(signs)]);
        let [low_signs, high_signs] = [_mm256_srai_epi16::<15>(low), _mm256_srai_epi16::<15>(high)];
        [integers_to_bf16(low, low_signs), integers_to_bf16(high, high_signs)]
    };
}

/// Integers of 8 bits, extended to the 16 of `words` and to 32 by `above`, as bf16, which holds them all: the lower half of such an f32 is
/// zero.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn integers_to_bf16(words: __m256i, above: __m256i) -> __m256i {
    let wide = [_mm256_unpacklo_epi16(words, above), _mm256_unpackhi_epi16(words, above)];
    let [first, second] =
        lanes!(32, l => _mm256_srli_epi32::<16>(_mm256_castps_si256(_mm256_cvtepi32_ps(wide[l]))));
    _mm256_packus_epi32(first, second)
}

/// The quarters of a register where a zip, which stays in lanes, leaves them in order, and where a pack has brought them out of it.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn apart(bytes: __m256i) -> __m256i {
    _mm256_permute4x64_epi64::<0b11_01_10_00>(bytes)
}

/// The lower and the upper bytes of elements of 16 bits, beside one another.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn zipped([low, high]: [__m256i; 2]) -> [__m256i; 2] {
    [_mm256_unpacklo_epi8(low, high), _mm256_unpackhi_epi8(low, high)]
}

/// Elements of a piece, and bytes of a register.
pub(super) const PIECE: usize = 32;

/// Converts the elements of `job`, of `S` bytes, to elements of `D`: pieces by `convert`, and rows without one by `short`.
///
/// # Safety
/// That of [`ConvertRows`](super::super::super::super::super::drive::ConvertRows) for these sizes; `short` converts rows of which that
/// holds.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(in super::super) unsafe fn pieces<const S: usize, const D: usize>(
    job: &Rows,
    convert: impl Fn([__m256i; S]) -> [__m256i; D],
    short: impl Fn(&Rows),
) {
    if job.valid < PIECE {
        short(job);
        return;
    }
    for y in 0..job.count {
        let (src, dst) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_y));
        let mut x = 0;
        // SAFETY of each call: these elements are in the row.
        if job.stream {
            let (first, end) = lines(dst, job.valid, D);
            if first > 0 {
                short(&Rows { src, dst, valid: first, len: first, count: 1, stream: false, ..*job });
            }
            x = first;
            while x + PIECE <= end {
                // SAFETY: see above.
                let piece = convert(unsafe { load::<S>(src.wrapping_add(x * S)) });
                for (i, &register) in piece.iter().enumerate() {
                    // SAFETY: see above; lines begin at `first`, and pieces are parts of one or whole ones.
                    unsafe { stream32(dst.wrapping_add(x * D + i * PIECE), register) };
                }
                x += PIECE;
            }
        }
        while x < job.valid {
            // The last piece overlaps the one before.
            x = if x > job.valid - PIECE { job.valid - PIECE } else { x };
            if job.claims {
                claim(dst.wrapping_add(x * D), PIECE * D);
            }
            // SAFETY: see above.
            let piece = convert(unsafe { load::<S>(src.wrapping_add(x * S)) });
            for (i, &register) in piece.iter().enumerate() {
                // SAFETY: see above.
                unsafe { store32(dst.wrapping_add(x * D + i * PIECE), register) };
            }
            x += PIECE;
        }
        if job.valid < job.len {
            // SAFETY: the rest of the row can be written.
            unsafe { zero(dst.wrapping_add(job.valid * D), (job.len - job.valid) * D) };
        }
    }
}

/// Reads `S` registers.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn load<const S: usize>(src: *const u8) -> [__m256i; S] {
    let mut registers = [_mm256_setzero_si256(); S];
    for (i, register) in registers.iter_mut().enumerate() {
        // SAFETY: the caller's promise.
        *register = unsafe { load32(src.wrapping_add(i * PIECE)) };
    }
    registers
}
