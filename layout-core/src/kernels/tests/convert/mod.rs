//! The converting kernels: all pairs on tiles of all shapes, and all values of narrow sources, against the conversions
//! of single numbers.

mod crossed;
mod short;
mod singly;
mod sums;

use super::super::convert::{Bf16, Convert, E8M0, F16, Number};
use super::super::drive::Conversion;
use super::super::epilogue::{Epilogue, NEUTRAL, PARAMETERS, Parameter, ValueFormat, Values, affine};
use super::*;

/// Calls `$check::<S, D>(…)` for every pair of different types.
macro_rules! all_pairs {
    ($check:ident $arguments:tt) => {
        all_pairs!(@from f64, $check $arguments);
        all_pairs!(@from f32, $check $arguments);
        all_pairs!(@from F16, $check $arguments);
        all_pairs!(@from Bf16, $check $arguments);
        all_pairs!(@from i32, $check $arguments);
        all_pairs!(@from i8, $check $arguments);
        all_pairs!(@from u8, $check $arguments);
    };
    (@from $src:ty, $check:ident $arguments:tt) => {
        $check::<$src, f64> $arguments;
        $check::<$src, f32> $arguments;
        $check::<$src, F16> $arguments;
        $check::<$src, Bf16> $arguments;
        $check::<$src, i32> $arguments;
        $check::<$src, i8> $arguments;
        $check::<$src, u8> $arguments;
    };
}

pub(super) use all_pairs;

/// One number, by the definition.
fn element<S: Number + Convert<D>, D: Number>(from: &[u8], to: &mut [u8]) {
    assert_eq!((from.len(), to.len()), (size_of::<S>(), size_of::<D>()));
    // SAFETY: as many bytes as the type has, and any bytes are a number.
    let value = unsafe { from.as_ptr().cast::<S>().read_unaligned() };
    // SAFETY: as above.
    unsafe { to.as_mut_ptr().cast::<D>().write_unaligned(value.convert()) };
}

/// Numbers of type `S`: small ones, halves, and any bits.
fn numbers<S: Number>(memory: &mut [u8], random: &mut Random)
where
    f64: Convert<S>,
{
    any_bytes(memory, random);
    for bytes in memory.chunks_exact_mut(size_of::<S>()) {
        // Miri gives a NaN any payload.
        if cfg!(miri) || !random.once_in(4) {
            let small = random.below(1200) as f64 / 2.0 - 300.0;
            element::<f64, S>(&small.to_ne_bytes(), bytes);
        }
    }
}

const ALL_SHAPES: [Shape; 7] =
    [Shape::Rows, Shape::Pixels, Shape::Blocks, Shape::Crossed, Shape::Dense, Shape::Tiny, Shape::Strided];

/// Sizes of tiles along x and y.
fn sizes(shape: Shape) -> &'static [(usize, usize)] {
    match shape {
        Shape::Dense => {
            &[(16, 70), (64, 90), (2, 100), (3, 70), (4, 33), (90, 2), (2200, 3), (65, 4), (700, 5)]
        }
        Shape::Pixels => &[(16, 700), (4, 3000), (16, 17), (8, 40), (7, 90), (30, 30)],
        Shape::Tiny => &[(2, 3), (4, 1), (4, 2), (3, 9), (9, 2), (9, 4), (7, 7), (1, 5), (1, 1), (16, 3)],
        Shape::Blocks => &[(16, 300), (16, 4), (8, 5), (24, 3), (3, 120)],
        _ => &[
            (1, 1),
            (3, 50),
            (4, 9),
            (8, 16),
            (16, 17),
            (17, 16),
            (31, 5),
            (33, 40),
            (64, 70),
            (70, 64),
            (130, 3),
            (3, 600),
            (40, 300),
        ],
    }
}

/// [`check`] for conversions from `S` to `D`.
pub(super) fn check_pair<S: Number + Convert<D>, D: Number>(token: Token, tile: &Tile, random: &mut Random)
where
    f64: Convert<S>,
{
    if S::FORMAT == D::FORMAT {
        // Copied.
        return;
    }
    let name = (token.cpu(), S::FORMAT, D::FORMAT);
    let conversion = Conversion::new(token, S::FORMAT, D::FORMAT, None);
    // SAFETY: `check` gives memory for all of the tile on both sides, apart from one another.
    let kernel = |src, dst| unsafe { conversion.run(src, dst, tile) };
    check(&name, (size_of::<S>(), size_of::<D>()), tile, random, numbers::<S>, kernel, |_, from, to| {
        element::<S, D>(from, to)
    });
}

pub(super) fn tiles<S: Number + Convert<D>, D: Number>(token: Token, shape: Shape, random: &mut Random)
where
    f64: Convert<S>,
{
    let bytes = (size_of::<S>(), size_of::<D>());
    for &(nx, ny) in sizes(shape) {
        for _ in 0..if cfg!(debug_assertions) { random.once_in(5).into() } else { 6 } {
            let tile = tile(shape, bytes, (nx, ny), random);
            check_pair::<S, D>(token, &tile, random);
        }
    }
}

#[test]
fn all_shapes() {
    let mut random = Random(0xD1CE);
    for token in tokens() {
        for shape in ALL_SHAPES {
            all_pairs!(tiles(token, shape, &mut random));
        }
    }
}

/// One number with an epilogue, by the definition.
fn scaled_element<S, D>(from: &[u8], to: &mut [u8], parameters: [f32; PARAMETERS])
where
    S: Number + Convert<f32>,
    D: Number,
    f32: Convert<D>,
{
    let mut number = [0; 4];
    element::<S, f32>(from, &mut number);
    element::<f32, D>(&affine(f32::from_ne_bytes(number), parameters).to_ne_bytes(), to);
}

/// Numbers like scales and zero points, and now and then extreme ones.
fn parameter(k: usize, random: &mut Random) -> f32 {
    let small = random.below(2000) as f32 / 16.0 - 60.0;
    match random.below(12) {
        0 => [0.0, -0.0, f32::INFINITY, 1e30, -1e-30, 1e-42][random.below(6)],
        _ if k == 0 || k == 3 => small,
        _ => small * 0.03,
    }
}

/// A parameter whose values differ along the loops for which the bits of `along` say so.
fn random_parameter(
    k: usize,
    along: usize,
    tile: &Tile,
    random: &mut Random,
) -> (Parameter, Vec<f32>, Vec<i32>) {
    let mut step = |bit: usize| if along >> bit & 1 == 1 { 1 + random.below(3) } else { 0 };
    let (x, y, z) = (step(0), step(1), step(2));
    let at = random.below(5);
    let reach = |len: usize, step: usize| len.saturating_sub(1) * step;
    let count = at + reach(tile.valid_x, x) + reach(tile.valid_y, y) + reach(tile.z.len, z) + 1;
    let floats: Vec<f32> = (0..count).map(|_| parameter(k, random)).collect();
    let integers: Vec<i32> = (0..count).map(|_| random.below(600) as i32 - 300).collect();
    let values = match random.below(3) {
        0 if k == 2 => Values { first: floats.as_ptr().cast(), format: ValueFormat::F32, inverse: true },
        1 if k == 0 || k == 3 => {
            Values { first: integers.as_ptr().cast(), format: ValueFormat::S32, inverse: false }
        }
        _ => Values { first: floats.as_ptr().cast(), format: ValueFormat::F32, inverse: false },
    };
    (Parameter { values, at: at.into(), x, y, z }, floats, integers)
}

/// Tiles of all shapes whose parameters are absent, common, or differ along some loops.
pub(super) fn scaled<S: Number + Convert<f32>, D: Number>(token: Token, shape: Shape, random: &mut Random)
where
    f32: Convert<D>,
    f64: Convert<S>,
{
    let bytes = (size_of::<S>(), size_of::<D>());
    for &(nx, ny) in sizes(shape) {
        for _ in 0..if cfg!(debug_assertions) { random.once_in(8).into() } else { 3 } {
            let plain = tile(shape, bytes, (nx, ny), random);
            scaled_tile::<S, D>(token, &plain, random);
        }
    }
}

/// [`scaled`] for a tile.
fn scaled_tile<S: Number + Convert<f32>, D: Number>(token: Token, plain: &Tile, random: &mut Random)
where
    f32: Convert<D>,
    f64: Convert<S>,
{
    let bytes = (size_of::<S>(), size_of::<D>());
    let all = random_parameters(plain, random);
    let epilogue = Epilogue { beta: 0.0, parameters: all.each_ref().map(parameter_of), rounding: None };
    let tile = Tile { epilogue: Some(&epilogue), ..*plain };
    let conversion = Conversion::new(token, S::FORMAT, D::FORMAT, tile.epilogue);
    // SAFETY: `check` gives memory for all of the tile on both sides, apart from one another; there are values for
    // all elements.
    let kernel = |src, dst| unsafe { conversion.run(src, dst, &tile) };
    let element = |at: [usize; 3], from: &[u8], to: &mut [u8]| {
        scaled_element::<S, D>(from, to, values_at(&all, at));
    };
    let name = (token.cpu(), S::FORMAT, D::FORMAT, &epilogue);
    check(&name, bytes, &tile, random, numbers::<S>, kernel, element);
}

/// A parameter and the values that it is about, if there is one.
type Given = Option<(Parameter, Vec<f32>, Vec<i32>)>;

fn parameter_of(given: &Given) -> Option<Parameter> {
    given.as_ref().map(|(parameter, ..)| parameter.clone())
}

/// Parameters of a tile, some of which are absent, common, or differ along some loops.
fn random_parameters(plain: &Tile, random: &mut Random) -> [Given; PARAMETERS] {
    // The loops along which values differ are mostly the same for all.
    let usual = random.below(8);
    // And now and then there is a factor alone.
    let alone = random.once_in(3).then(|| (1 + random.below(2), [0, 1, 2, 4][random.below(4)]));
    core::array::from_fn(|k| match (alone, random.below(6)) {
        (Some((factor, along)), _) => (k == factor).then(|| random_parameter(k, along, plain, random)),
        (_, 0) => None,
        (_, 1) => Some(random_parameter(k, 0, plain, random)),
        (_, 2) => Some(random_parameter(k, random.below(8), plain, random)),
        _ => Some(random_parameter(k, usual, plain, random)),
    })
}

/// Those of the element at these values of x, y and z.
fn values_at(all: &[Given; PARAMETERS], [i, j, k]: [usize; 3]) -> [f32; PARAMETERS] {
    let mut values = NEUTRAL;
    for (value, one) in values.iter_mut().zip(all) {
        if let Some((parameter, floats, integers)) = one {
            let at = parameter.at.get() + i * parameter.x + j * parameter.y + k * parameter.z;
            *value = match parameter.values {
                Values { format: ValueFormat::S32, .. } => integers[at] as f32,
                Values { inverse: true, .. } => 1.0 / floats[at],
                _ => floats[at],
            };
        }
    }
    values
}

#[test]
fn all_shapes_with_epilogues() {
    let mut random = Random(0xE911);
    for token in tokens() {
        for shape in ALL_SHAPES {
            all_pairs!(scaled(token, shape, &mut random));
        }
    }
}

/// All of `src` as one row of `D`.
pub(super) fn converted<S: Number, D: Number>(
    token: Token,
    src: &[u8],
    epilogue: Option<&Epilogue>,
) -> Vec<u8> {
    let count = src.len() / size_of::<S>();
    let mut dst = vec![SENTINEL; count * size_of::<D>()];
    let tile = Tile {
        x: Step { len: count, src: size_of::<S>() as isize, dst: size_of::<D>() as isize },
        y: Step { len: 1, src: 0, dst: 0 },
        z: Step { len: 1, src: 0, dst: 0 },
        valid_x: count,
        valid_y: 1,
        stream: false,
        claims: true,
        tables: Tables::NONE,
        epilogue,
        token,
    };
    let conversion = Conversion::new(token, S::FORMAT, D::FORMAT, epilogue);
    // SAFETY: both slices have `count` elements.
    unsafe { conversion.run(src.as_ptr(), dst.as_mut_ptr(), &tile) };
    dst
}

/// Converts all of `src` as one row and compares with the definition.
pub(super) fn row<S: Number + Convert<D>, D: Number>(token: Token, src: &[u8]) {
    if S::FORMAT == D::FORMAT {
        return;
    }
    let dst = converted::<S, D>(token, src, None);
    let mut expected = vec![0; size_of::<D>()];
    for (from, to) in src.chunks_exact(size_of::<S>()).zip(dst.chunks_exact(size_of::<D>())) {
        element::<S, D>(from, &mut expected);
        assert_eq!(to, expected, "{} {:?} {from:02x?} to {:?}", token.cpu(), S::FORMAT, D::FORMAT);
    }
}

/// Bit patterns of type `S`: all of them where there are few; else all exponents and signs, with mantissas around all
/// the places where some type rounds.
pub(super) fn patterns<S: Number>() -> Vec<u8> {
    let mut bytes = Vec::new();
    match size_of::<S>() {
        // So often that tables of results are worth it.
        1 => (0..2311u32).for_each(|i| bytes.push(i as u8)),
        2 => (0..=u16::MAX).for_each(|bits| bytes.extend(bits.to_ne_bytes())),
        4 => {
            for top in 0..512u32 {
                for place in 0..23 {
                    for mantissa in [0, 1 << place, (1 << place) - 1, (1 << place) + 1, 3 << place] {
                        for flipped in [0, 0x7F_FFFF] {
                            bytes.extend((top << 23 | (mantissa ^ flipped) & 0x7F_FFFF).to_ne_bytes());
                        }
                    }
                }
            }
            // Ties of the integers, and both sides of them.
            for half in -600..600 {
                let tie = (half as f32 / 2.0).to_bits();
                for bits in [tie, tie.wrapping_sub(1), tie.wrapping_add(1)] {
                    bytes.extend(bits.to_ne_bytes());
                }
            }
            let mut random = Random(0xF10A7);
            (0..100_000).for_each(|_| bytes.extend((random.next() as u32).to_ne_bytes()));
        }
        _ => {
            let mut random = Random(0xF64);
            // One bit, and both sides of it: the ties of all types, subnormal ones included, those of f32, and what lies as close
            // to either as an f64 can.
            for exponent in [0, 1, 2047].into_iter().chain(1023 - 152..1023 + 130u64) {
                for place in 0..52 {
                    for mantissa in [1u64 << place, (1 << place) - 1, (1 << place) + 1, 3 << place] {
                        for flipped in [0, (1 << 52) - 1] {
                            let bits = (mantissa ^ flipped) & ((1 << 52) - 1);
                            bytes.extend((random.next() << 63 | exponent << 52 | bits).to_ne_bytes());
                        }
                    }
                }
            }
            for exponent in 1023 - 160..1023 + 160u64 {
                for _ in 0..40 {
                    let low = [0, 1 << 28, (1 << 28) - 1, random.next()][random.below(4)];
                    let bits = random.next() << 63
                        | exponent << 52
                        | (random.next() << 29 | low) & 0xF_FFFF_FFFF_FFFF;
                    bytes.extend(bits.to_ne_bytes());
                }
            }
        }
    }
    bytes
}

/// Integers at the ties of the floats with 8 bits, implicit one included, and on both sides of them.
#[test]
fn integers_at_ties() {
    let mut bytes = Vec::new();
    for place in 8..31 {
        for half in 0..256i64 {
            for offset in [0, 1, 2, 63, 64, 127, 128, 129, 255, 256] {
                let tie = (1 << place) + (half << (place - 8));
                for integer in [tie + offset, tie - offset, -tie + offset, -tie - offset] {
                    bytes.extend((integer as i32).to_ne_bytes());
                }
            }
        }
    }
    for token in tokens() {
        row::<i32, Bf16>(token, &bytes);
        row::<i32, F16>(token, &bytes);
        row::<i32, E8M0>(token, &bytes);
    }
}

fn values<S: Number + Convert<D>, D: Number>(token: Token, patterns: &[Vec<u8>]) {
    row::<S, D>(token, &patterns[size_of::<S>().ilog2() as usize]);
}

#[test]
fn all_values() {
    let patterns = [patterns::<u8>(), patterns::<F16>(), patterns::<f32>(), patterns::<f64>()];
    for token in tokens() {
        all_pairs!(values(token, &patterns));
    }
}
