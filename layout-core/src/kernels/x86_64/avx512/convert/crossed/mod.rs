//! Converts and transposes in registers, for the commonest pairs: between f32 and bf16, f16, s8 and u8, and between these but the
//! last two. Called by `drive::convert`.
//!
//! Registers hold 16 groups of 4 bytes, of 2 or 4 values of x or y that become neighbours or cease to be; the groups are
//! transposed 4 by 4 in the lanes of four registers, and the lanes themselves on the wide side.

mod bands;
mod halves;
mod narrow;
mod pixels;
mod planes;
mod widen;

use super::super::super::super::convert::{Bf16, F16, Format};
use super::super::super::super::cpu::Avx512;
use super::super::super::super::drive::CrossedWay;
use super::super::super::super::parts::convert::AnyBf16;
use halves::halves;
use narrow::{NativeBf16, UsualBf16, narrow};
use pixels::{are_pixels, pixels};
pub(in super::super::super::super) use planes::planes_way;
use widen::widen;

/// The way from `src` to `dst` for tiles with `x` values that make lines of the destination, of which so many are `valid`, and which
/// follow one another where `dense`.
pub(in super::super) fn way(
    token: Avx512,
    src: Format,
    dst: Format,
    [x, valid]: [usize; 2],
    dense: bool,
) -> Option<CrossedWay> {
    let native = token.has_bf16();
    macro_rules! way {
        ($x:literal, $y:literal, narrow::<$src:ty, $dst:ty, $groups:literal, $rest:literal>) => {
            Some(CrossedWay {
                run: narrow::<$src, $dst, $groups, $rest>,
                x: $x,
                y: $y,
                narrows: true,
                in_bands: false,
                pads: false,
                yields: size_of::<$src>() < 4,
                reads_lines: false,
            })
        };
        ($x:literal, $y:literal, $run:expr, $yields:literal) => {
            Some(CrossedWay {
                run: $run,
                x: $x,
                y: $y,
                narrows: false,
                in_bands: true,
                pads: false,
                yields: $yields,
                reads_lines: false,
            })
        };
    }
    macro_rules! to_16_bits {
        ($src:ty, $dst:ty) => {
            match x {
                16 if dense => way!(16, 16, narrow::<$src, $dst, 2, 2>),
                32.. => way!(32, 16, narrow::<$src, $dst, 4, 2>),
                16.. => way!(16, 16, narrow::<$src, $dst, 4, 2>),
                _ => None,
            }
        };
    }
    macro_rules! to_8_bits {
        ($src:ty, $dst:ty) => {
            match x {
                16 if dense => way!(16, 16, narrow::<$src, $dst, 1, 1>),
                64.. if size_of::<$src>() == 4 => way!(64, 16, narrow::<$src, $dst, 4, 1>),
                16.. if size_of::<$src>() == 4 => way!(16, 16, narrow::<$src, $dst, 4, 1>),
                _ => None,
            }
        };
    }
    macro_rules! from_8_bits {
        ($src:ty, $dst:ty) => {
            match x {
                16 if dense => way!(16, 16, halves::<$src, $dst>, true),
                32.. => way!(32, 16, halves::<$src, $dst>, true),
                _ => None,
            }
        };
    }
    macro_rules! pixels {
        ($src:ty, $dst:ty) => {
            Some(CrossedWay { pads: true, ..way!(1, 16, pixels::<$src, $dst>, true)? })
        };
    }
    let few = dense && are_pixels(valid, x);
    match (src, dst) {
        (Format::S8, Format::F32) if few => pixels!(i8, f32),
        (Format::S8, Format::Bf16) if few => pixels!(i8, Bf16),
        (Format::S8, Format::F16) if few => pixels!(i8, F16),
        (Format::U8, Format::F32) if few => pixels!(u8, f32),
        (Format::U8, Format::Bf16) if few => pixels!(u8, Bf16),
        (Format::U8, Format::F16) if few => pixels!(u8, F16),
        // Of whole lines there are more values than registers that look at them.
        (Format::F32, Format::Bf16) if native && x == 16 && dense => {
            way!(16, 16, narrow::<f32, UsualBf16, 2, 2>)
        }
        (Format::F32, Format::Bf16) => to_16_bits!(f32, Bf16),
        (Format::F32, Format::F16) => to_16_bits!(f32, F16),
        (Format::F16, Format::Bf16) if native => to_16_bits!(F16, NativeBf16),
        (Format::F16, Format::Bf16) => to_16_bits!(F16, Bf16),
        (Format::Bf16, Format::F16) => to_16_bits!(AnyBf16, F16),
        (Format::F32, Format::S8) => to_8_bits!(f32, i8),
        (Format::F32, Format::U8) => to_8_bits!(f32, u8),
        (Format::F16, Format::S8) => to_8_bits!(F16, i8),
        (Format::F16, Format::U8) => to_8_bits!(F16, u8),
        (Format::Bf16, Format::S8) => to_8_bits!(AnyBf16, i8),
        (Format::Bf16, Format::U8) => to_8_bits!(AnyBf16, u8),
        (Format::S8, Format::Bf16) if native => from_8_bits!(i8, NativeBf16),
        (Format::U8, Format::Bf16) if native => from_8_bits!(u8, NativeBf16),
        (Format::S8, Format::Bf16) => from_8_bits!(i8, Bf16),
        (Format::S8, Format::F16) => from_8_bits!(i8, F16),
        (Format::U8, Format::Bf16) => from_8_bits!(u8, Bf16),
        (Format::U8, Format::F16) => from_8_bits!(u8, F16),
        (Format::Bf16, Format::F32) if x >= 16 => way!(16, 8, widen::<Bf16>, false),
        (Format::F16, Format::F32) if x >= 16 => way!(16, 8, widen::<F16>, false),
        (Format::S8, Format::F32) if x >= 16 => way!(16, 16, widen::<i8>, false),
        (Format::U8, Format::F32) if x >= 16 => way!(16, 16, widen::<u8>, false),
        _ => None,
    }
}

/// Values of y that are finished for all x before the next ones.
const CHUNK: usize = 64;

/// From this distance between two rows of one side the processor does not see what is read or written next.
const FAR: usize = 512;
