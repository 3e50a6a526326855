//! Pixels of 2, 3, 4 or 8 elements to planes and back. Up to 4 are what the processor loads and stores as structures; 8 are
//! turned by the zip network. Where the elements are not aligned, or fewer than a register holds, portable code.

use core::arch::aarch64::*;
use core::convert::identity;

use super::super::super::cpu::Token;
use super::super::super::drive::Pixels;
use super::super::super::generic::{self, step, step_mut};
use super::super::super::parts::square::next;
use super::super::super::tile::{Step, Tables, Tile};
use super::memory::*;
use super::zip::turn;

/// Bytes of a register.
const SIDE: usize = 16;

/// Planes to pixels.
///
/// # Safety
/// As [`super::super::super::drive::Simd::pixels`].
#[inline]
#[target_feature(enable = "neon")]
pub(super) unsafe fn pixels<const B: usize, const N: usize>(job: &Pixels) {
    let side = SIDE / B;
    if job.len < side || !(job.dst.addr()).is_multiple_of(B) {
        let x = Step { len: N, src: job.plane, dst: B as isize };
        let y = Step { len: job.len, src: B as isize, dst: (N * B) as isize };
        let tile = tile(x, y, job.valid);
        // SAFETY: the caller's promise.
        return unsafe { generic::copy::<B>(job.src, job.dst, &tile) };
    }
    let mut done = 0;
    loop {
        let mut planes = [zero16(); N];
        for (n, plane) in planes.iter_mut().enumerate() {
            if n < job.valid {
                // SAFETY: `side` elements of plane n lie in the job.
                *plane = unsafe { load16(step(job.src, n, job.plane).wrapping_add(done * B)) };
            }
        }
        // SAFETY: `side` pixels lie in the job, and their elements are aligned.
        unsafe { store_pixels::<B, N>(job.dst.wrapping_add(done * N * B), planes) };
        match next(done, side, job.len) {
            Some(next) => done = next,
            None => return,
        }
    }
}

/// Pixels to planes.
///
/// # Safety
/// As [`super::super::super::drive::Simd::planes`].
#[inline]
#[target_feature(enable = "neon")]
pub(super) unsafe fn planes<const B: usize, const N: usize>(job: &Pixels) {
    let side = SIDE / B;
    if job.len < side || !(job.src.addr()).is_multiple_of(B) {
        let x = Step { len: job.len, src: (N * B) as isize, dst: B as isize };
        let y = Step { len: N, src: B as isize, dst: job.plane };
        let tile = tile(x, y, job.len);
        // SAFETY: the caller's promise.
        return unsafe { generic::copy::<B>(job.src, job.dst, &tile) };
    }
    let mut done = 0;
    loop {
        // SAFETY: `side` pixels lie in the job, and their elements are aligned.
        let planes = unsafe { load_pixels::<B, N>(job.src.wrapping_add(done * N * B)) };
        for (n, &plane) in planes.iter().enumerate() {
            // SAFETY: `side` elements of plane n lie in the job.
            unsafe { store16(step_mut(job.dst, n, job.plane).wrapping_add(done * B), plane) };
        }
        match next(done, side, job.len) {
            Some(next) => done = next,
            None => return,
        }
    }
}

/// The tile of these loops, for the portable code.
fn tile(x: Step, y: Step, valid_x: usize) -> Tile<'static> {
    let z = Step { len: 1, src: 0, dst: 0 };
    Tile {
        x,
        y,
        z,
        valid_x,
        valid_y: y.len,
        stream: false,
        claims: false,
        tables: Tables::NONE,
        epilogue: None,
        token: Token::Generic,
    }
}

/// Defines `store_pixels` and `load_pixels`, for elements of each width: their type, casts of a register to it and back, and
/// what stores and loads 2 (by their even and odd elements), 3 and 4 registers of them as structures.
macro_rules! structures {
    ($(
        $bytes:pat => $element:ty, $to:ident $from:ident:
        $two:ident $store2:ident, $even:ident $odd:ident, $three:ident $store3:ident $load3:ident, $four:ident $store4:ident $load4:ident;
    )*) => {
        /// Writes as many pixels as the registers hold at `dst`.
        ///
        /// # Safety
        /// They can be written, and their elements are aligned.
        #[inline]
        #[target_feature(enable = "neon")]
        unsafe fn store_pixels<const B: usize, const N: usize>(dst: *mut u8, planes: [uint8x16_t; N]) {
            if N == 8 {
                for (n, &line) in turn::<B, N>(planes, N).iter().enumerate() {
                    // SAFETY: the caller's promise.
                    unsafe { store16(dst.wrapping_add(n * SIDE), line) };
                }
                return;
            }
            match B {$(
                $bytes => {
                    let (dst, plane) = (dst.cast::<$element>(), |n: usize| $to(planes[n]));
                    match N {
                        2 => {
                            let planes = $two(plane(0), plane(1));
                            // SAFETY: the caller's promise.
                            unsafe { $store2(dst, planes) }
                        }
                        3 => {
                            let planes = $three(plane(0), plane(1), plane(2));
                            // SAFETY: the caller's promise.
                            unsafe { $store3(dst, planes) }
                        }
                        _ => {
                            let planes = $four(plane(0), plane(1), plane(2), plane(3));
                            // SAFETY: the caller's promise.
                            unsafe { $store4(dst, planes) }
                        }
                    }
                }
            )*}
        }

        /// Reads as many pixels as the registers hold at `src`.
        ///
        /// # Safety
        /// They can be read, and their elements are aligned.
        #[inline]
        #[target_feature(enable = "neon")]
        unsafe fn load_pixels<const B: usize, const N: usize>(src: *const u8) -> [uint8x16_t; N] {
            let mut planes = [zero16(); N];
            if N == 8 {
                for (n, line) in planes.iter_mut().enumerate() {
                    // SAFETY: the caller's promise.
                    *line = unsafe { load16(src.wrapping_add(n * SIDE)) };
                }
                // As many shuffles as are left of a round.
                return turn::<B, N>(planes, SIDE / B);
            }
            match B {$(
                $bytes => {
                    let src = src.cast::<$element>();
                    match N {
                        2 => {
                            // SAFETY: the caller's promise.
                            let low = $to(unsafe { load16(src.cast()) });
                            // SAFETY: as above.
                            let high = $to(unsafe { load16(src.cast::<u8>().wrapping_add(SIDE)) });
                            (planes[0], planes[1]) = ($from($even(low, high)), $from($odd(low, high)));
                        }
                        3 => {
                            // SAFETY: the caller's promise.
                            let from = unsafe { $load3(src) };
                            (planes[0], planes[1], planes[2]) = ($from(from.0), $from(from.1), $from(from.2));
                        }
                        _ => {
                            // SAFETY: the caller's promise.
                            let from = unsafe { $load4(src) };
                            (planes[0], planes[1]) = ($from(from.0), $from(from.1));
                            (planes[2], planes[3]) = ($from(from.2), $from(from.3));
                        }
                    }
                }
            )*}
            planes
        }
    };
}

structures! {
    1 => u8, identity identity:
        uint8x16x2_t vst2q_u8, vuzp1q_u8 vuzp2q_u8, uint8x16x3_t vst3q_u8 vld3q_u8, uint8x16x4_t vst4q_u8 vld4q_u8;
    2 => u16, vreinterpretq_u16_u8 vreinterpretq_u8_u16:
        uint16x8x2_t vst2q_u16, vuzp1q_u16 vuzp2q_u16, uint16x8x3_t vst3q_u16 vld3q_u16, uint16x8x4_t vst4q_u16 vld4q_u16;
    // There are no others.
    _ => u32, vreinterpretq_u32_u8 vreinterpretq_u8_u32:
        uint32x4x2_t vst2q_u32, vuzp1q_u32 vuzp2q_u32, uint32x4x3_t vst3q_u32 vld3q_u32, uint32x4x4_t vst4q_u32 vld4q_u32;
}
