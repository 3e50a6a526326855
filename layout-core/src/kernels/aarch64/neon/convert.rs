//! Conversions of rows, eight elements at a time: a loader for each source type, a storer for each destination type, and
//! every pair of them a loop. f32 stands between all types that it holds exactly; s32 has its own way to 8 bits.
//! Bit for bit what `kernels::convert` says; rounding is that of the environment, which Rust programs leave at its default.

use core::arch::aarch64::*;

use super::super::super::convert::{Bf16, F16, Format};
use super::super::super::drive::{ConvertRows, Rows};
use super::super::super::generic::{step, step_mut, zero_run};
use super::super::super::parts::convert::{Load, Store, convert_kernel, loads, stores};
use super::memory::*;

/// The loop from `src` to `dst`, where there is one.
#[inline(always)]
pub(super) fn rows(src: Format, dst: Format) -> Option<ConvertRows> {
    // Miri knows neither these instructions nor assembly.
    if cfg!(miri) && (src == Format::F16 || !matches!(dst, Format::F32 | Format::Bf16)) {
        return None;
    }
    /// All destinations that differ from the source.
    macro_rules! from {
        ($src:ty, $own:ident) => {
            match dst {
                Format::$own | Format::F64 => return None,
                Format::F32 => convert::<$src, f32, float32x4x2_t>,
                Format::F16 => convert::<$src, F16, float32x4x2_t>,
                Format::Bf16 => convert::<$src, Bf16, float32x4x2_t>,
                Format::S32 => convert::<$src, i32, float32x4x2_t>,
                Format::S8 => convert::<$src, i8, float32x4x2_t>,
                Format::U8 => convert::<$src, u8, float32x4x2_t>,
            }
        };
    }
    #[allow(unreachable_patterns, reason = "a type is not converted to itself")]
    Some(match src {
        Format::F32 => from!(f32, F32),
        Format::F16 => from!(F16, F16),
        Format::Bf16 => from!(Bf16, Bf16),
        Format::S8 => from!(i8, S8),
        Format::U8 => from!(u8, U8),
        Format::S32 => match dst {
            Format::F32 => convert::<i32, f32, float32x4x2_t>,
            Format::S8 => convert::<i32, i8, int32x4x2_t>,
            Format::U8 => convert::<i32, u8, int32x4x2_t>,
            // f32 between would round twice.
            _ => return None,
        },
        Format::F64 => return None,
    })
}

convert_kernel! { "neon", 8 }

loads! {
    "neon";
    f32: float32x4x2_t, load32 load32_first,
        |bits| float32x4x2_t(vreinterpretq_f32_u8(bits.0), vreinterpretq_f32_u8(bits.1));
    F16: float32x4x2_t, load16 load16_first, |bits| f16_to_f32(bits);
    Bf16: float32x4x2_t, load16 load16_first, |bits| bf16_to_f32(bits);
    i8: float32x4x2_t, load8 load8_first, |bits| s16_to_f32(vmovl_s8(vreinterpret_s8_u8(bits)));
    u8: float32x4x2_t, load8 load8_first, |bits| s16_to_f32(vreinterpretq_s16_u16(vmovl_u8(bits)));
    i32: float32x4x2_t, load32 load32_first, |bits| s32_to_f32(words(bits));
    i32: int32x4x2_t, load32 load32_first, |bits| words(bits);
}

stores! {
    "neon";
    f32: float32x4x2_t, store32 store32_first,
        |value| uint8x16x2_t(vreinterpretq_u8_f32(value.0), vreinterpretq_u8_f32(value.1));
    F16: float32x4x2_t, store16 store16_first, |value| f32_to_f16(value);
    Bf16: float32x4x2_t, store16 store16_first, |value| f32_to_bf16(value);
    i32: float32x4x2_t, store32 store32_first, |value| bytes(f32_to_s32(value));
    i8: float32x4x2_t, store8 store8_first, |value| s32_to_s8(f32_to_s32(value));
    u8: float32x4x2_t, store8 store8_first, |value| s32_to_u8(f32_to_s32(value));
    i8: int32x4x2_t, store8 store8_first, |value| s32_to_s8(value);
    u8: int32x4x2_t, store8 store8_first, |value| s32_to_u8(value);
}

#[inline]
#[target_feature(enable = "neon")]
fn words(bits: uint8x16x2_t) -> int32x4x2_t {
    int32x4x2_t(vreinterpretq_s32_u8(bits.0), vreinterpretq_s32_u8(bits.1))
}

#[inline]
#[target_feature(enable = "neon")]
fn bytes(value: int32x4x2_t) -> uint8x16x2_t {
    uint8x16x2_t(vreinterpretq_u8_s32(value.0), vreinterpretq_u8_s32(value.1))
}

#[inline]
#[target_feature(enable = "neon")]
fn s16_to_f32(value: int16x8_t) -> float32x4x2_t {
    s32_to_f32(int32x4x2_t(vmovl_s16(vget_low_s16(value)), vmovl_high_s16(value)))
}

#[inline]
#[target_feature(enable = "neon")]
fn s32_to_f32(value: int32x4x2_t) -> float32x4x2_t {
    float32x4x2_t(vcvtq_f32_s32(value.0), vcvtq_f32_s32(value.1))
}

/// The nearest integer, saturated; 0 for NaN: all of it what the instruction does.
#[inline]
#[target_feature(enable = "neon")]
fn f32_to_s32(value: float32x4x2_t) -> int32x4x2_t {
    int32x4x2_t(vcvtnq_s32_f32(value.0), vcvtnq_s32_f32(value.1))
}

/// Saturated.
#[inline]
#[target_feature(enable = "neon")]
fn s32_to_s8(value: int32x4x2_t) -> uint8x8_t {
    vreinterpret_u8_s8(vqmovn_s16(vqmovn_high_s32(vqmovn_s32(value.0), value.1)))
}

/// Saturated.
#[inline]
#[target_feature(enable = "neon")]
fn s32_to_u8(value: int32x4x2_t) -> uint8x8_t {
    vqmovun_s16(vqmovn_high_s32(vqmovn_s32(value.0), value.1))
}

/// Exact; a NaN becomes quiet.
#[inline]
#[target_feature(enable = "neon")]
fn f16_to_f32(bits: uint8x16_t) -> float32x4x2_t {
    let (low, high): (float32x4_t, float32x4_t);
    // The intrinsics are not stable in the oldest compiler that this builds with.
    // SAFETY: arithmetic on registers, which every processor with NEON has.
    unsafe {
        core::arch::asm!(
            "fcvtl {low:v}.4s, {bits:v}.4h",
            "fcvtl2 {high:v}.4s, {bits:v}.8h",
            low = out(vreg) low,
            high = lateout(vreg) high,
            bits = in(vreg) bits,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    float32x4x2_t(low, high)
}

/// The nearest, ties to even; a NaN becomes quiet.
#[inline]
#[target_feature(enable = "neon")]
fn f32_to_f16(value: float32x4x2_t) -> uint8x16_t {
    let bits: uint8x16_t;
    // SAFETY: as above.
    unsafe {
        core::arch::asm!(
            "fcvtn {bits:v}.4h, {low:v}.4s",
            "fcvtn2 {bits:v}.8h, {high:v}.4s",
            bits = out(vreg) bits,
            low = in(vreg) value.0,
            high = in(vreg) value.1,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    bits
}

#[inline]
#[target_feature(enable = "neon")]
fn bf16_to_f32(bits: uint8x16_t) -> float32x4x2_t {
    let (zero, halves) = (vdupq_n_u16(0), vreinterpretq_u16_u8(bits));
    let low = vreinterpretq_u32_u16(vzip1q_u16(zero, halves));
    let high = vreinterpretq_u32_u16(vzip2q_u16(zero, halves));
    float32x4x2_t(quiet(low), quiet(high))
}

/// The f32 with these bits; a NaN becomes quiet.
#[inline]
#[target_feature(enable = "neon")]
fn quiet(bits: uint32x4_t) -> float32x4_t {
    let value = vreinterpretq_f32_u32(bits);
    // All ones where it is a number.
    let number = vceqq_f32(value, value);
    vreinterpretq_f32_u32(vorrq_u32(bits, vbicq_u32(vdupq_n_u32(0x0040_0000), number)))
}

#[inline]
#[target_feature(enable = "neon")]
fn f32_to_bf16(value: float32x4x2_t) -> uint8x16_t {
    let low = vreinterpretq_u16_u32(rounded_to_bf16(value.0));
    let high = vreinterpretq_u16_u32(rounded_to_bf16(value.1));
    // The upper halves.
    vreinterpretq_u8_u16(vuzp2q_u16(low, high))
}

/// The nearest bf16, ties to even, in the upper half, a quiet NaN for NaN; the lower half is anything.
#[inline]
#[target_feature(enable = "neon")]
fn rounded_to_bf16(value: float32x4_t) -> uint32x4_t {
    let bits = vreinterpretq_u32_f32(value);
    let odd = vandq_u32(vshrq_n_u32::<16>(bits), vdupq_n_u32(1));
    let rounded = vaddq_u32(vaddq_u32(bits, vdupq_n_u32(0x7FFF)), odd);
    let quiet = vorrq_u32(bits, vdupq_n_u32(0x0040_0000));
    vbslq_u32(vceqq_f32(value, value), rounded, quiet)
}
