//! Loads and stores, whole and in part. Called by the other files of this folder; nothing here computes.

use core::arch::aarch64::*;

use super::super::super::parts::bytes;

/// Reads 16 bytes at `src`.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "neon")]
pub(super) unsafe fn load16(src: *const u8) -> uint8x16_t {
    // SAFETY: the caller's promise; no alignment is needed.
    unsafe { vld1q_u8(src) }
}

/// Writes 16 bytes at `dst`.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "neon")]
pub(super) unsafe fn store16(dst: *mut u8, value: uint8x16_t) {
    // SAFETY: the caller's promise; no alignment is needed.
    unsafe { vst1q_u8(dst, value) }
}

/// Reads `len` (at most 16) bytes at `src`; the others are zero.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "neon")]
pub(super) unsafe fn load16_first(src: *const u8, len: usize) -> uint8x16_t {
    if len >= 16 {
        // SAFETY: the caller's promise.
        return unsafe { load16(src) };
    }
    // SAFETY: as above.
    let [low, high] = unsafe { bytes::first_halves(src, len) };
    vcombine_u8(vcreate_u8(low), vcreate_u8(high))
}

/// Writes the first `len` (at most 16) bytes of `value` at `dst`.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "neon")]
pub(super) unsafe fn store16_first(dst: *mut u8, value: uint8x16_t, len: usize) {
    if len >= 16 {
        // SAFETY: the caller's promise.
        unsafe { store16(dst, value) };
        return;
    }
    let (mut at, mut value) = (dst, value);
    if len & 8 != 0 {
        let part = vget_low_u8(value);
        // SAFETY: as above.
        unsafe { store8(at, part) };
        (at, value) = (at.wrapping_add(8), vextq_u8::<8>(value, value));
    }
    if len & 4 != 0 {
        let part = vgetq_lane_u32::<0>(vreinterpretq_u32_u8(value));
        // SAFETY: as above; no alignment is needed.
        unsafe { at.cast::<u32>().write_unaligned(part) };
        (at, value) = (at.wrapping_add(4), vextq_u8::<4>(value, value));
    }
    if len & 2 != 0 {
        let part = vgetq_lane_u16::<0>(vreinterpretq_u16_u8(value));
        // SAFETY: as above.
        unsafe { at.cast::<u16>().write_unaligned(part) };
        (at, value) = (at.wrapping_add(2), vextq_u8::<2>(value, value));
    }
    if len & 1 != 0 {
        let part = vgetq_lane_u8::<0>(value);
        // SAFETY: as above.
        unsafe { at.write(part) };
    }
}

/// Ones in the first `count` bytes, zeros in the others.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn ones16(count: usize) -> uint8x16_t {
    // SAFETY: 64 bytes can be read there.
    unsafe { load16(bytes::ones_at(count)) }
}

/// A register of zeros.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn zero16() -> uint8x16_t {
    vdupq_n_u8(0)
}

/// Reads 8 bytes at `src`.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "neon")]
pub(super) unsafe fn load8(src: *const u8) -> uint8x8_t {
    // SAFETY: the caller's promise; no alignment is needed.
    unsafe { vld1_u8(src) }
}

/// Writes 8 bytes at `dst`.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "neon")]
pub(super) unsafe fn store8(dst: *mut u8, value: uint8x8_t) {
    // SAFETY: the caller's promise; no alignment is needed.
    unsafe { vst1_u8(dst, value) }
}

/// Reads `len` (at most 8) bytes at `src`; the others are zero.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "neon")]
pub(super) unsafe fn load8_first(src: *const u8, len: usize) -> uint8x8_t {
    // SAFETY: the caller's promise.
    let [low, _] = unsafe { bytes::first_halves(src, len) };
    vcreate_u8(low)
}

/// Writes the first `len` (at most 8) bytes of `value` at `dst`.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "neon")]
pub(super) unsafe fn store8_first(dst: *mut u8, value: uint8x8_t, len: usize) {
    let value = vcombine_u8(value, value);
    // SAFETY: the caller's promise.
    unsafe { store16_first(dst, value, len) }
}

/// Reads 32 bytes at `src`.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "neon")]
pub(super) unsafe fn load32(src: *const u8) -> uint8x16x2_t {
    // SAFETY: the caller's promise.
    let low = unsafe { load16(src) };
    // SAFETY: as above.
    uint8x16x2_t(low, unsafe { load16(src.wrapping_add(16)) })
}

/// Writes 32 bytes at `dst`.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "neon")]
pub(super) unsafe fn store32(dst: *mut u8, value: uint8x16x2_t) {
    // SAFETY: the caller's promise.
    unsafe { store16(dst, value.0) };
    // SAFETY: as above.
    unsafe { store16(dst.wrapping_add(16), value.1) };
}

/// Reads `len` (at most 32) bytes at `src`; the others are zero.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "neon")]
pub(super) unsafe fn load32_first(src: *const u8, len: usize) -> uint8x16x2_t {
    if len <= 16 {
        // SAFETY: the caller's promise.
        return uint8x16x2_t(unsafe { load16_first(src, len) }, zero16());
    }
    // SAFETY: as above.
    let low = unsafe { load16(src) };
    // SAFETY: as above.
    uint8x16x2_t(low, unsafe { load16_first(src.wrapping_add(16), len - 16) })
}

/// Writes the first `len` (at most 32) bytes of `value` at `dst`, in pieces.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "neon")]
pub(super) unsafe fn store32_first(dst: *mut u8, value: uint8x16x2_t, len: usize) {
    if len <= 16 {
        // SAFETY: the caller's promise.
        unsafe { store16_first(dst, value.0, len) };
        return;
    }
    // SAFETY: as above.
    unsafe { store16(dst, value.0) };
    // SAFETY: as above.
    unsafe { store16_first(dst.wrapping_add(16), value.1, len - 16) };
}
