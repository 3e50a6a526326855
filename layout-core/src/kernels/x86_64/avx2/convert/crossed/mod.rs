//! Converts and transposes in registers, for the commonest pairs: between f32 and bf16, f16, s8 and u8, and
//! between s32 and the last two. Called by `drive::convert`.
//!
//! Registers hold 8 groups of 4 bytes, of 2 or 4 values of x or y that become neighbours or cease to be; the groups are
//! transposed 4 by 4 in the two lanes.

mod narrow;
mod order;
mod planes;
mod widen;

use core::arch::x86_64::*;

use super::super::super::super::convert::{Bf16, F16, Format};
use super::super::super::super::drive::CrossedWay;
use super::super::super::super::epilogue::{Affine, NONE};
use super::super::super::super::parts::loops::Integer;
use narrow::narrow;
pub(in super::super) use planes::planes_way;
use widen::widen;

/// The way from `src` to `dst` for tiles with `x` values that make lines of the destination; with parameters, if `scaled`.
pub(in super::super) const fn way(src: Format, dst: Format, x: usize, scaled: bool) -> Option<CrossedWay> {
    macro_rules! way {
        ($x:literal, $y:literal, $narrows:literal, $run:expr) => {
            Some(CrossedWay {
                run: $run,
                x: $x,
                y: $y,
                narrows: $narrows,
                in_bands: false,
                pads: false,
                yields: false,
                reads_lines: $narrows,
            })
        };
    }
    match (src, dst) {
        (Format::F32, Format::Bf16) if x >= 32 => way!(32, 8, true, narrow::<Bf16, 2>),
        (Format::F32, Format::Bf16) if x >= 16 => way!(16, 8, true, narrow::<Bf16, 2>),
        (Format::F32, Format::Bf16) if x >= 8 => way!(8, 8, true, narrow::<Bf16, 1>),
        (Format::F32, Format::F16) if x >= 32 => way!(32, 8, true, narrow::<F16, 2>),
        (Format::F32, Format::F16) if x >= 16 => way!(16, 8, true, narrow::<F16, 2>),
        (Format::F32, Format::F16) if x >= 8 => way!(8, 8, true, narrow::<F16, 1>),
        (Format::F32, Format::S8) if x >= 64 => way!(64, 8, true, narrow::<i8, 1>),
        (Format::F32, Format::S8) if x >= 16 => way!(16, 8, true, narrow::<i8, 1>),
        (Format::F32, Format::U8) if x >= 64 => way!(64, 8, true, narrow::<u8, 1>),
        (Format::F32, Format::U8) if x >= 16 => way!(16, 8, true, narrow::<u8, 1>),
        (Format::Bf16, Format::F32) if x >= 16 => way!(16, 8, false, widen::<Bf16, 2>),
        (Format::Bf16, Format::F32) if x >= 8 => way!(8, 8, false, widen::<Bf16, 1>),
        (Format::F16, Format::F32) if x >= 16 => way!(16, 8, false, widen::<F16, 2>),
        (Format::F16, Format::F32) if x >= 8 => way!(8, 8, false, widen::<F16, 1>),
        (Format::S8, Format::F32) if x >= 16 => way!(16, 16, false, widen::<i8, 2>),
        (Format::S8, Format::F32) if x >= 8 => way!(8, 16, false, widen::<i8, 1>),
        (Format::U8, Format::F32) if x >= 16 => way!(16, 16, false, widen::<u8, 2>),
        (Format::U8, Format::F32) if x >= 8 => way!(8, 16, false, widen::<u8, 1>),
        // Without parameters: integers are no numbers to multiply.
        (Format::S32, Format::S8) if x >= 64 && !scaled => way!(64, 8, true, narrow::<Integer<i8>, 1>),
        (Format::S32, Format::S8) if x >= 16 && !scaled => way!(16, 8, true, narrow::<Integer<i8>, 1>),
        (Format::S32, Format::U8) if x >= 64 && !scaled => way!(64, 8, true, narrow::<Integer<u8>, 1>),
        (Format::S32, Format::U8) if x >= 16 && !scaled => way!(16, 8, true, narrow::<Integer<u8>, 1>),
        (Format::S8, Format::S32) if x >= 16 && !scaled => way!(16, 16, false, widen::<Integer<i8>, 2>),
        (Format::S8, Format::S32) if x >= 8 && !scaled => way!(8, 16, false, widen::<Integer<i8>, 1>),
        (Format::U8, Format::S32) if x >= 16 && !scaled => way!(16, 16, false, widen::<Integer<u8>, 2>),
        (Format::U8, Format::S32) if x >= 8 && !scaled => way!(8, 16, false, widen::<Integer<u8>, 1>),
        _ => None,
    }
}

/// The value multiplied by the factor of element `x` of row `y`, if there is one.
///
/// # Safety
/// As many factors as a register has can be read from there on.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn scaled<const STEPS: u8>(value: __m256, map: &Affine, x: usize, y: usize) -> __m256 {
    if STEPS == NONE {
        return value;
    }
    let at = map.at[1].wrapping_add((x & map.mask[1]) + y * map.row[1]);
    // SAFETY: the caller's promise: as many values as a register has.
    _mm256_mul_ps(value, unsafe { _mm256_loadu_ps(at) })
}
