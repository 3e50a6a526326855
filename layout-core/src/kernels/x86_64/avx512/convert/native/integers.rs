//! Integers of 8 bits to 16-bit floats, which hold all of them, and from f16, saturated: 32 at a time. Called by the module around it.

use core::arch::asm;
use core::arch::x86_64::*;

use super::super::super::super::super::drive::{LINE, Rows};
use super::super::super::super::super::epilogue::{Affine, NONE};
use super::super::super::super::super::generic::{step, step_mut};
use super::super::super::super::super::parts::convert::{Row, lines, zero};
use super::super::super::super::super::parts::zip::lanes;
use super::super::super::super::super::parts::{CLAIMED, prefetch_write};
use super::super::super::memory::*;
use super::super::narrow16::byte_rows;

/// Elements that fill a line.
const SIDE: usize = LINE / 2;

/// Defines `$rows` by `$wide`, which makes a register of 32 integers.
macro_rules! rows {
    ($features:literal: $rows:ident $some:ident $wide:ident) => {
        /// Converts the elements of `job`; `SIGNED`: from s8.
        ///
        /// # Safety
        /// That of [`ConvertRows`](super::ConvertRows); there is no affine map, and the processor has the instructions.
        #[target_feature(enable = $features)]
        pub(super) unsafe fn $rows<const SIGNED: bool>(job: &Rows, _: Option<&Affine>) {
            // Of shorter rows those that go on behind them.
            let ahead = if job.valid < CLAIMED * SIDE { 2 * job.valid } else { CLAIMED * LINE };
            for y in 0..job.count {
                let row = Row::new::<NONE>(job, &Affine::neutral(), y);
                let (src, dst) = (row.src, row.dst);
                let mut x = 0;
                // SAFETY of each call: these elements are in the row.
                if job.stream {
                    let (first, end) = lines(dst, job.valid, 2);
                    // SAFETY: see above.
                    unsafe { $some::<SIGNED>(src, dst, first) };
                    x = first;
                    while x + SIDE <= end {
                        // SAFETY: see above.
                        let line = $wide::<SIGNED>(unsafe { load32(src.wrapping_add(x)) });
                        // SAFETY: see above; whole lines begin at `first`.
                        unsafe { stream(dst.wrapping_add(2 * x), line) };
                        x += SIDE;
                    }
                }
                while x + 2 * SIDE <= job.valid {
                    if job.claims {
                        prefetch_write(dst.wrapping_add(2 * x + ahead));
                        prefetch_write(dst.wrapping_add(2 * x + ahead + LINE));
                    }
                    // SAFETY: see above.
                    let first = $wide::<SIGNED>(unsafe { load32(src.wrapping_add(x)) });
                    // SAFETY: see above.
                    let second = $wide::<SIGNED>(unsafe { load32(src.wrapping_add(x + SIDE)) });
                    let to = dst.wrapping_add(2 * x);
                    // SAFETY: see above.
                    unsafe { store64(to, first) };
                    // SAFETY: see above.
                    unsafe { store64(to.wrapping_add(LINE), second) };
                    x += 2 * SIDE;
                }
                // The last line overlaps the one before.
                while x < job.valid && job.valid >= SIDE {
                    x = x.min(job.valid - SIDE);
                    // SAFETY: see above.
                    let line = $wide::<SIGNED>(unsafe { load32(src.wrapping_add(x)) });
                    // SAFETY: see above.
                    unsafe { store64(dst.wrapping_add(2 * x), line) };
                    x += SIDE;
                }
                if job.valid < SIDE {
                    // SAFETY: see above.
                    unsafe { $some::<SIGNED>(src, dst, job.valid) };
                }
                if job.valid < job.len {
                    // SAFETY: the rest of the row can be written.
                    unsafe { zero(dst.wrapping_add(2 * job.valid), 2 * (job.len - job.valid)) };
                }
            }
        }

        /// Converts `len` elements, a line of results at most.
        ///
        /// # Safety
        /// They can be read and written; the processor has the instructions.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn $some<const SIGNED: bool>(src: *const u8, dst: *mut u8, len: usize) {
            // SAFETY: the caller's promise.
            let results = $wide::<SIGNED>(unsafe { load32_first(src, len) });
            // SAFETY: as above.
            unsafe { store64_first(dst, results, 2 * len) };
        }
    };
}
rows! { "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512fp16": to_f16 some_f16 f16 }
rows! { "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512bf16": to_bf16 some_bf16 bf16 }

/// 32 integers as f16.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512fp16")]
fn f16<const SIGNED: bool>(integers: __m256i) -> __m512i {
    let words = if SIGNED { _mm512_cvtepi8_epi16(integers) } else { _mm512_cvtepu8_epi16(integers) };
    let results;
    // The oldest compiler that the crate is for has no intrinsic for it.
    // SAFETY: the processor has the instruction, which touches registers alone.
    unsafe {
        asm!(
            "vcvtw2ph {}, {}", out(zmm_reg) results, in(zmm_reg) words,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    results
}

/// 32 integers as bf16.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512bf16")]
fn bf16<const SIGNED: bool>(integers: __m256i) -> __m512i {
    let halves = [_mm256_castsi256_si128(integers), _mm256_extracti128_si256::<1>(integers)];
    let [low, high] = lanes!(32, l => {
        let wide = if SIGNED { _mm512_cvtepi8_epi32(halves[l]) } else { _mm512_cvtepu8_epi32(halves[l]) };
        _mm512_cvtepi32_ps(wide)
    });
    let both = _mm512_cvtne2ps_pbh(high, low);
    // SAFETY: both are 64 bytes of any value.
    unsafe { core::mem::transmute::<__m512bh, __m512i>(both) }
}

byte_rows! {
    "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512fp16", <SIGNED: bool>, from_f16 line_from_f16 some_from_f16 bytes
}

/// The nearest integers to the f16 of two registers, ties to even, saturated; 0 for NaN.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512fp16")]
fn bytes<const SIGNED: bool>(first: __m512i, second: __m512i) -> __m512i {
    let [first, second] = [words::<SIGNED>(first), words::<SIGNED>(second)];
    let packed = if SIGNED { _mm512_packs_epi16(first, second) } else { _mm512_packus_epi16(first, second) };
    // A quarter of the first register, then one of the second.
    _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), packed)
}

/// The same as integers of 16 bits, none of them too large for 8; those that are too small are left to what packs them.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512fp16")]
fn words<const SIGNED: bool>(values: __m512i) -> __m512i {
    /// 127 and 255 as f16.
    const MOST: [i16; 2] = [0x57F0, 0x5BF8];
    let most = _mm512_set1_epi16(MOST[usize::from(!SIGNED)]);
    let words;
    // What is not a number is no larger and no smaller: it has no bit in the mask. What no integer of 16 bits holds, as it is too
    // small, converts to the smallest.
    // SAFETY: the processor has the instructions, which touch registers alone.
    unsafe {
        asm!(
            "vcmpph {numbers}, {values}, {values}, 7",
            "vminph {lower}, {values}, {most}",
            "vcvtph2w {lower} {{{numbers}}} {{z}}, {lower}, {{rn-sae}}",
            values = in(zmm_reg) values,
            most = in(zmm_reg) most,
            numbers = out(kreg) _,
            lower = out(zmm_reg) words,
            options(pure, nomem, nostack),
        );
    }
    words
}
