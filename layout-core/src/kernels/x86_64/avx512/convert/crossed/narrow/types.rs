//! What becomes of f32 on the way to narrower lines: the types, and how their elements are brought beside one another. Called by
//! the module around it.

use core::arch::asm;
use core::arch::x86_64::*;

use super::super::super::super::super::super::convert::{Bf16, F16};
use super::super::super::super::super::super::parts::zip::lanes;
use super::super::super::integers::{nearest, packed_s8, packed_u8, to_s8_range, to_u8_range};
use super::super::super::{NEAREST, rounded_to_bf16};

/// A type that f32 becomes.
pub(in super::super) trait Narrow: Sized {
    /// Elements in 4 bytes.
    const SIDE: usize = 4 / size_of::<Self>();
    /// The type for products, which may be subnormal numbers that this one does not know.
    type Product: Narrow;
    /// Whether [`Narrow::join_usual`] is another way than [`Narrow::join`].
    const LOOKS: bool = false;

    /// The elements of the first [`Narrow::SIDE`] registers beside one another.
    ///
    /// # Safety
    /// The processor has the family's instructions.
    unsafe fn join(values: [__m512; 4]) -> __m512i;

    /// The same in fewer instructions, if nothing [`Seen`] in the end stands against it.
    ///
    /// # Safety
    /// As [`Narrow::join`].
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn join_usual(values: [__m512; 4], seen: &mut Seen) -> __m512i {
        let _ = seen;
        // SAFETY: the caller's promise.
        unsafe { Self::join(values) }
    }
}

/// What was seen of the values of a block, for which the usual instructions may be wrong. By instructions of its own, which are
/// not `pure`: the compiler would put what it gathers off to the end, for which there are not enough registers.
#[derive(Clone, Copy)]
pub(in super::super) struct Seen {
    /// The smallest integers of 16 bits.
    smallest: __m512i,
    /// Where there were subnormal numbers.
    subnormal: i16,
}

impl Seen {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    pub(super) fn nothing() -> Seen {
        Seen { smallest: _mm512_setzero_si512(), subnormal: 0 }
    }

    /// Two registers of integers, saturated as those of 16 bits: what an s32 does not hold becomes the smallest of them.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    fn see_integers(&mut self, integers: __m512i) {
        // SAFETY: registers alone are touched.
        unsafe {
            asm!(
                "vpminsw {0}, {0}, {1}", inout(zmm_reg) self.smallest, in(zmm_reg) integers,
                options(nomem, nostack, preserves_flags),
            );
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    fn see_number(&mut self, number: __m512) {
        // SAFETY: registers alone are touched.
        unsafe {
            asm!(
                "vfpclassps {1}, {2}, 0x20",
                "korw {0}, {0}, {1}",
                inout(kreg) self.subnormal, out(kreg) _, in(zmm_reg) number,
                options(nomem, nostack, preserves_flags),
            );
        }
    }

    /// Whether what [`Narrow::join_usual`] made may not be what [`Narrow::join`] does.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    pub(super) fn is_wrong(&self) -> bool {
        self.subnormal != 0 || _mm512_cmpeq_epi16_mask(self.smallest, _mm512_set1_epi16(i16::MIN)) != 0
    }
}

impl Narrow for Bf16 {
    type Product = Bf16;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn join([a, b, ..]: [__m512; 4]) -> __m512i {
        let low = _mm512_srli_epi32::<16>(rounded_to_bf16(a));
        _mm512_mask_blend_epi16(0xAAAA_AAAA, low, rounded_to_bf16(b))
    }
}

/// A bf16 of any number, by the instruction for those that it knows as long as there are no others.
pub(in super::super) struct UsualBf16(#[allow(dead_code, reason = "it has the size of a bf16")] u16);

impl Narrow for UsualBf16 {
    type Product = UsualBf16;
    const LOOKS: bool = true;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn join(values: [__m512; 4]) -> __m512i {
        // SAFETY: the caller's promise.
        unsafe { Bf16::join(values) }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn join_usual(values: [__m512; 4], seen: &mut Seen) -> __m512i {
        seen.see_number(values[0]);
        seen.see_number(values[1]);
        // SAFETY: the caller's promise.
        unsafe { NativeBf16::join(values) }
    }
}

/// A bf16, by the instruction for numbers that it knows: of an f16, all.
pub(in super::super) struct NativeBf16(#[allow(dead_code, reason = "it has the size of a bf16")] u16);

impl Narrow for NativeBf16 {
    type Product = Bf16;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn join([a, b, ..]: [__m512; 4]) -> __m512i {
        let beside = _mm512_set_epi16(
            31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8, 23, 7, 22, 6, 21, 5, 20, 4, 19, 3,
            18, 2, 17, 1, 16, 0,
        );
        // SAFETY: the caller's promise.
        _mm512_permutexvar_epi16(beside, unsafe { native_line(a, b) })
    }
}

/// The nearest bf16 to the numbers of two registers, ties to even; none of these is subnormal.
///
/// # Safety
/// The processor has AVX512_BF16.
#[inline]
#[target_feature(enable = "avx512f")]
pub(in super::super) unsafe fn native_line(low: __m512, high: __m512) -> __m512i {
    let line;
    // An intrinsic is no part of a function that other processors have too.
    // SAFETY: the caller's promise; registers alone are touched.
    unsafe {
        asm!(
            "vcvtne2ps2bf16 {}, {}, {}", out(zmm_reg) line, in(zmm_reg) high, in(zmm_reg) low,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    line
}

impl Narrow for F16 {
    type Product = F16;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn join([a, b, ..]: [__m512; 4]) -> __m512i {
        let pair = [a, b];
        let [low, high] = lanes!(32, l => _mm512_cvtepu16_epi32(_mm512_cvtps_ph::<NEAREST>(pair[l])));
        _mm512_or_si512(low, _mm512_slli_epi32::<16>(high))
    }
}

/// Integers of 8 bits, which differ in how two registers are packed at last.
macro_rules! narrow_integer {
    ($number:ty, $range:ident, $packed:ident, $pack:ident) => {
        impl Narrow for $number {
            type Product = $number;
            const LOOKS: bool = true;

            #[inline]
            #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
            unsafe fn join(values: [__m512; 4]) -> __m512i {
                woven($packed($range(values)))
            }

            #[inline]
            #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
            unsafe fn join_usual(values: [__m512; 4], seen: &mut Seen) -> __m512i {
                let [a, b, c, d] = nearest(values);
                let (first, second) = (_mm512_packs_epi32(a, b), _mm512_packs_epi32(c, d));
                seen.see_integers(first);
                seen.see_integers(second);
                woven($pack(first, second))
            }
        }
    };
}
narrow_integer!(i8, to_s8_range, packed_s8, _mm512_packs_epi16);
narrow_integer!(u8, to_u8_range, packed_u8, _mm512_packus_epi16);

/// Of each lane, four groups of 4 bytes transposed.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
fn woven(bytes: __m512i) -> __m512i {
    let at = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    _mm512_shuffle_epi8(bytes, at)
}
