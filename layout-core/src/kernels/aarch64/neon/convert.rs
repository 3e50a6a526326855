//! Conversions of rows, eight elements at a time: a loader for each source type, a storer for each destination type, and
//! f32 between them, with an affine map if there is one. Bit for bit what `kernels::convert` says; rounding is that of the
//! environment, which Rust programs leave at its default.

use core::arch::aarch64::*;
use core::mem::MaybeUninit;

use super::super::super::convert::{Bf16, Convert, E8M0, F16, Format, Number};
use super::super::super::drive::{ConvertRows, Rows, by_buffer};
use super::super::super::epilogue::{ALL, Affine, FACTOR, FACTOR_SHIFT, NONE, PARAMETERS, SHIFT_FACTOR};
use super::super::super::generic::{step, step_mut};
use super::super::super::parts::convert::{
    AnyBf16, Load, Row, Store, claim, claim_row, convert_kernel, lines, zero,
};
use super::super::super::parts::loops::{loads, loops, stores};
use super::super::super::parts::rows::BLOCK;
use super::memory::*;

loops! {
    F16: F16, Bf16: Bf16, S32: i32, S8: i8, U8: u8;
    // Miri knows neither these instructions nor assembly.
    unless |src, dst| cfg!(miri)
        && (matches!(src, Format::F16) || !matches!(dst, Format::F32 | Format::Bf16))
}

convert_kernel! { "neon", float32x4x2_t, 8, zero: float32x4x2_t(vdupq_n_f32(0.0), vdupq_n_f32(0.0)), overlap: true }

loads! {
    "neon", float32x4x2_t;
    f32: load32 first_32bit,
        |bits| float32x4x2_t(vreinterpretq_f32_u8(bits.0), vreinterpretq_f32_u8(bits.1));
    F16: load16 first_16bit, |bits| f16_to_f32(bits);
    Bf16: load16 first_16bit, |bits| bf16_to_f32(bits);
    AnyBf16: load16 first_16bit, |bits| bf16_to_f32(bits);
    i8: load8 load8_first, |bits| s16_to_f32(vmovl_s8(vreinterpret_s8_u8(bits)));
    u8: load8 load8_first, |bits| s16_to_f32(vreinterpretq_s16_u16(vmovl_u8(bits)));
    i32: load32 first_32bit, |bits| s32_to_f32(words(bits));
}

// There are no stores past the caches for parts of lines.
stores! {
    "neon", float32x4x2_t;
    f32: store32 store32 put_32bit,
        |value| uint8x16x2_t(vreinterpretq_u8_f32(value.0), vreinterpretq_u8_f32(value.1));
    F16: store16 store16 put_16bit, |value| f32_to_f16(value);
    Bf16: store16 store16 put_16bit, |value| f32_to_bf16(value);
    i32: store32 store32 put_32bit, |value| bytes(f32_to_s32(value));
    i8: store8 store8 store8_first, |value| s32_to_s8(f32_to_s32(value));
    u8: store8 store8 store8_first, |value| s32_to_u8(f32_to_s32(value));
}

/// What `epilogue` says: the `STEPS` of it, rounded each for itself.
#[inline]
#[target_feature(enable = "neon")]
fn apply<const STEPS: u8>(
    mut value: float32x4x2_t,
    parameters: &[float32x4x2_t; PARAMETERS],
) -> float32x4x2_t {
    for (k, by) in parameters.iter().enumerate() {
        if STEPS >> k & 1 == 1 {
            value = match k {
                0 => float32x4x2_t(vsubq_f32(value.0, by.0), vsubq_f32(value.1, by.1)),
                3 => float32x4x2_t(vaddq_f32(value.0, by.0), vaddq_f32(value.1, by.1)),
                _ => float32x4x2_t(vmulq_f32(value.0, by.0), vmulq_f32(value.1, by.1)),
            };
        }
    }
    value
}

/// The first `len` values, then zeros.
#[inline]
#[target_feature(enable = "neon")]
fn keep_first(value: float32x4x2_t, len: usize) -> float32x4x2_t {
    let bytes = len * size_of::<f32>();
    let low = vandq_u8(vreinterpretq_u8_f32(value.0), ones16(if bytes < 16 { bytes } else { 16 }));
    let high = vandq_u8(vreinterpretq_u8_f32(value.1), ones16(bytes.saturating_sub(16)));
    float32x4x2_t(vreinterpretq_f32_u8(low), vreinterpretq_f32_u8(high))
}

/// `$load: the first elements of a width, others zero; $store: writes them` => by bytes.
macro_rules! firsts {
    ($($load:ident $store:ident: $value:ty, $bytes:literal $load_bytes:ident $store_bytes:ident;)*) => {$(
        /// Reads `len` elements; the others are zero.
        ///
        /// # Safety
        /// They can be read.
        #[inline]
        #[target_feature(enable = "neon")]
        unsafe fn $load(src: *const u8, len: usize) -> $value {
            // SAFETY: the caller's promise.
            unsafe { $load_bytes(src, len * $bytes) }
        }

        /// Writes the first `len` elements.
        ///
        /// # Safety
        /// They can be written.
        #[inline]
        #[target_feature(enable = "neon")]
        unsafe fn $store(dst: *mut u8, value: $value, len: usize) {
            // SAFETY: the caller's promise.
            unsafe { $store_bytes(dst, value, len * $bytes) }
        }
    )*};
}
firsts! {
    first_16bit put_16bit: uint8x16_t, 2 load16_first store16_first;
    first_32bit put_32bit: uint8x16x2_t, 4 load32_first store32_first;
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
