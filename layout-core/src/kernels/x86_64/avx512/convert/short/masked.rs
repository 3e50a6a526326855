//! Tiles of short rows with padding, converted a register at a time: what is no data is not read, and is zero in the register
//! that is written. Called by `drive::convert`.

use core::arch::x86_64::*;
use core::marker::PhantomData;

use super::super::super::super::super::convert::{Bf16, F16, Format};
use super::super::super::super::super::drive::LINE;
use super::super::super::super::super::epilogue::LANES;
use super::super::super::super::super::generic::{step, step_mut};
use super::super::super::super::super::parts::loops::Integer;
use super::super::super::super::super::parts::prefetch;
use super::super::super::super::super::tile::{Kernel, Tile};
use super::super::super::memory::{first, masked_ahead, store16, store16_first, store32, store64};
use super::super::saturate::nearest;
use super::super::{NEAREST, bf16_to_f32, f32_to_bf16, f32_to_s32, f32_to_s32_below, f32_to_u32};

/// The kernel from `src` to `dst` for tiles of rows that need no parameters and do not stream.
pub(in super::super::super) const fn padded_tile(src: Format, dst: Format) -> Option<Kernel> {
    macro_rules! to {
        ($($format:ident: $way:ty;)*) => {
            match dst {
                $(Format::$format => Some(tile::<$way> as Kernel),)*
                _ => None,
            }
        };
    }
    match src {
        Format::F32 => to! {
            F16: Via<f32, F16>; Bf16: Via<f32, Bf16>; S32: Via<f32, i32>; S8: Via<f32, i8>; U8: Via<f32, u8>;
        },
        Format::F16 => to! {
            F32: Via<F16, f32>; Bf16: Via<F16, Bf16>; S32: Via<F16, i32>; S8: Via<F16, i8>; U8: Via<F16, u8>;
        },
        Format::Bf16 => to! {
            F32: Via<Bf16, f32>; F16: Via<Bf16, F16>; S32: Via<Bf16, i32>; S8: Via<Bf16, i8>; U8: Via<Bf16, u8>;
        },
        // Not bf16: f32 does not hold every s32, and two roundings are not one.
        Format::S32 => to! {
            F32: Via<i32, f32>; F16: Via<i32, F16>; S8: Via<Integer<i32>, Integer<i8>>;
            U8: Via<Integer<i32>, Integer<u8>>;
        },
        Format::S8 => to! {
            F32: Via<i8, f32>; F16: Via<i8, F16>; Bf16: Via<i8, Bf16>; S32: Via<Integer<i8>, Integer<i32>>;
            U8: Bytes<true>;
        },
        Format::U8 => to! {
            F32: Via<u8, f32>; F16: Via<u8, F16>; Bf16: Via<u8, Bf16>; S32: Via<Integer<u8>, Integer<i32>>;
            S8: Bytes<false>;
        },
        _ => None,
    }
}

/// Bytes of the source from which on rows are fetched ahead.
const FAR: usize = 512 * 1024;

/// How elements are converted, as many at a time as a register has.
trait Way {
    /// Elements of a register: 16 or 64.
    const LANES: usize;
    /// Bytes of an element in the source, and in the destination.
    const SRC: usize;
    const DST: usize;

    /// Converts those elements that have their bit in `read`, and writes `all`, the others zero.
    ///
    /// # Safety
    /// They can be read, and as many written; the processor has the family's instructions.
    unsafe fn convert(src: *const u8, dst: *mut u8, read: u64, all: usize);
}

/// Converts the elements of a tile and writes zero to its padding.
///
/// # Safety
/// That of [`Kernel`], for a tile without epilogue and tables whose elements follow one another along x on both sides.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn tile<W: Way>(src: *const u8, dst: *mut u8, tile: &Tile<'_>) {
    let Tile { x, y, z, valid_x, valid_y, .. } = *tile;
    let valid_y = if valid_x == 0 { 0 } else { valid_y };
    let (from, to) = (x.len * W::SRC, x.len * W::DST);
    // Rows that fill a register together, with the same padding in each.
    let even =
        y.src == from as isize && y.dst == to as isize && valid_y > 0 && W::LANES.is_multiple_of(x.len);
    // Of these one row, with the padding behind them; else those that hold data.
    let (rows, data, all, done) = match even {
        true => (1, valid_y * x.len, y.len * x.len, y.len),
        false => (valid_y, valid_x, x.len, valid_y),
    };
    let period = if even { every::<W>(valid_x, x.len) } else { u64::MAX };
    let ahead = masked_ahead(y.src.unsigned_abs().saturating_mul(y.len).saturating_mul(z.len), FAR);
    for k in 0..z.len {
        let (src, dst) = (step(src, k, z.src), step_mut(dst, k, z.dst));
        for row in 0..rows {
            let (src, dst) = (step(src, row, y.src), step_mut(dst, row, y.dst));
            if ahead != 0 {
                prefetch(src.wrapping_add(ahead));
            }
            if all <= W::LANES {
                // SAFETY: the caller's promise: these rows are in the tile.
                unsafe { W::convert(src, dst, period & first(data), all) };
            } else {
                // SAFETY: as above.
                unsafe { line::<W>(src, dst, [data, all], period) };
            }
        }
        let (dst, left) = (step_mut(dst, done, y.dst), y.len - done);
        if y.dst == to as isize {
            // SAFETY: as above: they follow one another.
            unsafe { zeros(dst, left * to) };
        } else {
            for row in 0..left {
                // SAFETY: as above.
                unsafe { zeros(step_mut(dst, row, y.dst), to) };
            }
        }
    }
}

/// Ones for those elements of a register that are among the first `valid` of each `len`.
#[inline]
fn every<W: Way>(valid: usize, len: usize) -> u64 {
    let (mut mask, mut at) = (0, 0);
    while at < W::LANES {
        mask |= first(valid) << at;
        at += len;
    }
    mask
}

/// Converts those of the first `data` elements that have their bit in `period`, a register after the other, and writes `all`, the
/// others zero.
///
/// # Safety
/// They can be read, and as many written.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn line<W: Way>(src: *const u8, dst: *mut u8, [data, all]: [usize; 2], period: u64) {
    let mut at = 0;
    while at + W::LANES <= data {
        let (src, dst) = (src.wrapping_add(at * W::SRC), dst.wrapping_add(at * W::DST));
        // SAFETY: the caller's promise.
        unsafe { W::convert(src, dst, period, W::LANES) };
        at += W::LANES;
    }
    if at < data {
        let (src, dst) = (src.wrapping_add(at * W::SRC), dst.wrapping_add(at * W::DST));
        let left = if all - at < W::LANES { all - at } else { W::LANES };
        // SAFETY: as above.
        unsafe { W::convert(src, dst, period & first(data - at), left) };
        at += left;
    }
    if at < all {
        // SAFETY: as above.
        unsafe { zeros(dst.wrapping_add(at * W::DST), (all - at) * W::DST) };
    }
}

/// Elements of 16 lanes, from `S` to `D`.
struct Via<S, D>(PhantomData<(S, D)>);

impl<S: Lanes, D: Lanes> Way for Via<S, D> {
    const LANES: usize = LANES;
    const SRC: usize = size_of::<S>();
    const DST: usize = size_of::<D>();

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn convert(src: *const u8, dst: *mut u8, read: u64, all: usize) {
        // SAFETY: the caller's promise.
        let value = unsafe { S::load(src, read as __mmask16) };
        if all == LANES {
            // SAFETY: as above.
            unsafe { D::store(dst, value) };
        } else {
            // SAFETY: as above.
            unsafe { D::store_first(dst, value, first(all) as __mmask16) };
        }
    }
}

/// The nearest s8 of each u8, or with `SIGNED` the nearest u8 of each s8.
struct Bytes<const SIGNED: bool>;

impl<const SIGNED: bool> Way for Bytes<SIGNED> {
    const LANES: usize = LINE;
    const SRC: usize = 1;
    const DST: usize = 1;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
    unsafe fn convert(src: *const u8, dst: *mut u8, read: u64, all: usize) {
        // SAFETY: the caller's promise; what has no bit in the mask is not touched.
        let value = nearest::<SIGNED>(unsafe { _mm512_maskz_loadu_epi8(read, src.cast()) });
        let (quarter, half) = (_mm512_castsi512_si128(value), _mm512_castsi512_si256(value));
        match all {
            // SAFETY of each: the caller's promise.
            // SAFETY: see above.
            16 => unsafe { store16(dst, quarter) },
            // SAFETY: see above.
            32 => unsafe { store32(dst, half) },
            // SAFETY: see above.
            LINE => unsafe { store64(dst, value) },
            // SAFETY: see above; what has no bit in the mask is not touched.
            _ => unsafe { _mm512_mask_storeu_epi8(dst.cast(), first(all), value) },
        }
    }
}

/// Writes `len` bytes of zero.
///
/// # Safety
/// They can be written.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn zeros(dst: *mut u8, len: usize) {
    let (line, half, quarter) = (_mm512_setzero_si512(), _mm256_setzero_si256(), _mm_setzero_si128());
    let mut at = 0;
    while at + LINE <= len {
        // SAFETY: the caller's promise.
        unsafe { store64(dst.wrapping_add(at), line) };
        at += LINE;
    }
    // A part that is written by a mask takes longer than a few stores.
    if len - at >= 32 {
        // SAFETY: as above.
        unsafe { store32(dst.wrapping_add(at), half) };
        at += 32;
    }
    if len - at >= 16 {
        // SAFETY: as above.
        unsafe { store16(dst.wrapping_add(at), quarter) };
        at += 16;
    }
    if at < len {
        // SAFETY: as above; what has no bit in the mask is not touched.
        unsafe { store16_first(dst.wrapping_add(at), quarter, len - at) };
    }
}

/// Elements of which sixteen are f32 in a register, or integers of 32 bits.
trait Lanes {
    /// Those that have their bit in `mask`, the others zero.
    ///
    /// # Safety
    /// They can be read; the processor has the family's instructions.
    unsafe fn load(src: *const u8, mask: __mmask16) -> __m512;

    /// Writes all of them.
    ///
    /// # Safety
    /// They can be written; the processor has the family's instructions.
    unsafe fn store(dst: *mut u8, value: __m512);

    /// Writes those that have their bit in `mask`.
    ///
    /// # Safety
    /// They can be written; the processor has the family's instructions.
    unsafe fn store_first(dst: *mut u8, value: __m512, mask: __mmask16);
}

/// `type: load of those in a mask, store, store of those in a mask; bits to f32, f32 to bits`.
macro_rules! elements {
    ($($ty:ty: $load:ident $store:ident $store_first:ident, |$bits:ident| $widened:expr, |$value:ident| $narrowed:expr;)*) => {$(
        impl Lanes for $ty {
            #[inline]
            #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
            unsafe fn load(src: *const u8, mask: __mmask16) -> __m512 {
                // SAFETY: the caller's promise; what has no bit in the mask is not touched.
                let $bits = unsafe { $load(mask, src.cast()) };
                $widened
            }

            #[inline]
            #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
            unsafe fn store(dst: *mut u8, $value: __m512) {
                // SAFETY: the caller's promise.
                unsafe { $store(dst.cast(), $narrowed) };
            }

            #[inline]
            #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
            unsafe fn store_first(dst: *mut u8, $value: __m512, mask: __mmask16) {
                // SAFETY: the caller's promise; what has no bit in the mask is not touched.
                unsafe { $store_first(dst.cast(), mask, $narrowed) };
            }
        }
    )*};
}
elements! {
    f32: _mm512_maskz_loadu_epi32 _mm512_storeu_si512 _mm512_mask_storeu_epi32,
        |bits| _mm512_castsi512_ps(bits), |value| _mm512_castps_si512(value);
    i32: _mm512_maskz_loadu_epi32 _mm512_storeu_si512 _mm512_mask_storeu_epi32,
        |bits| _mm512_cvt_roundepi32_ps::<NEAREST>(bits), |value| f32_to_s32(value);
    F16: _mm256_maskz_loadu_epi16 _mm256_storeu_si256 _mm256_mask_storeu_epi16,
        |bits| _mm512_cvtph_ps(bits), |value| _mm512_cvtps_ph::<NEAREST>(value);
    Bf16: _mm256_maskz_loadu_epi16 _mm256_storeu_si256 _mm256_mask_storeu_epi16,
        |bits| bf16_to_f32(bits), |value| f32_to_bf16(value);
    i8: _mm_maskz_loadu_epi8 _mm_storeu_si128 _mm_mask_storeu_epi8,
        |bits| _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(bits)),
        |value| _mm512_cvtsepi32_epi8(f32_to_s32_below(value, 127.0));
    u8: _mm_maskz_loadu_epi8 _mm_storeu_si128 _mm_mask_storeu_epi8,
        |bits| _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(bits)),
        |value| _mm512_cvtusepi32_epi8(f32_to_u32(value));
    Integer<i32>: _mm512_maskz_loadu_epi32 _mm512_storeu_si512 _mm512_mask_storeu_epi32,
        |bits| _mm512_castsi512_ps(bits), |value| _mm512_castps_si512(value);
    Integer<i8>: _mm_maskz_loadu_epi8 _mm_storeu_si128 _mm_mask_storeu_epi8,
        |bits| _mm512_castsi512_ps(_mm512_cvtepi8_epi32(bits)),
        |value| _mm512_cvtsepi32_epi8(_mm512_castps_si512(value));
    Integer<u8>: _mm_maskz_loadu_epi8 _mm_storeu_si128 _mm_mask_storeu_epi8,
        |bits| _mm512_castsi512_ps(_mm512_cvtepu8_epi32(bits)),
        |value| _mm512_cvtusepi32_epi8(_mm512_max_epi32(_mm512_castps_si512(value), _mm512_setzero_si512()));
}
