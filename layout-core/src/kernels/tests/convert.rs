//! The converting kernels: all pairs on tiles of all shapes, and all values of narrow sources, against the conversions
//! of single numbers.

use super::super::convert::{Bf16, Convert, F16, Number};
use super::super::drive::Rows;
use super::super::pair;
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

/// [`check`] for conversions from `S` to `D`.
pub(super) fn check_pair<S: Number + Convert<D>, D: Number>(token: Token, tile: &Tile, random: &mut Random)
where
    f64: Convert<S>,
{
    let name = (token.cpu(), S::FORMAT, D::FORMAT);
    // SAFETY: `check` gives memory for all of the tile on both sides, apart from one another.
    let kernel = |src, dst| unsafe { pair::<S, D>(token).run(src, dst, tile) };
    check(&name, (size_of::<S>(), size_of::<D>()), tile, random, numbers::<S>, kernel, element::<S, D>);
}

fn tiles<S: Number + Convert<D>, D: Number>(token: Token, shape: Shape, random: &mut Random)
where
    f64: Convert<S>,
{
    let bytes = (size_of::<S>(), size_of::<D>());
    let sizes: &[(usize, usize)] = match shape {
        Shape::Dense => &[(2, 100), (3, 70), (4, 33), (90, 2), (2200, 3), (65, 4), (700, 5)],
        Shape::Pixels => &[(16, 700), (4, 3000), (16, 17), (8, 40), (7, 90), (30, 30)],
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
    };
    for &(nx, ny) in sizes {
        for _ in 0..if cfg!(debug_assertions) { 1 } else { 6 } {
            let tile = tile(shape, bytes, (nx, ny), random);
            check_pair::<S, D>(token, &tile, random);
        }
    }
}

#[test]
fn all_shapes() {
    let mut random = Random(0xD1CE);
    for token in tokens() {
        for shape in [Shape::Rows, Shape::Pixels, Shape::Crossed, Shape::Dense, Shape::Strided] {
            all_pairs!(tiles(token, shape, &mut random));
        }
    }
}

/// Converts all of `src` as one row and compares with the definition.
fn row<S: Number + Convert<D>, D: Number>(token: Token, src: &[u8]) {
    let count = src.len() / size_of::<S>();
    let mut dst = vec![SENTINEL; count * size_of::<D>()];
    let job = Rows {
        src: src.as_ptr(),
        src_y: 0,
        dst: dst.as_mut_ptr(),
        dst_y: 0,
        valid: count,
        len: count,
        count: 1,
        stream: false,
    };
    // SAFETY: both slices have `count` elements.
    unsafe { (pair::<S, D>(token).rows)(&job) };
    let mut expected = vec![0; size_of::<D>()];
    for (from, to) in src.chunks_exact(size_of::<S>()).zip(dst.chunks_exact(size_of::<D>())) {
        element::<S, D>(from, &mut expected);
        assert_eq!(to, expected, "{} {:?} {from:02x?} to {:?}", token.cpu(), S::FORMAT, D::FORMAT);
    }
}

/// Bit patterns of type `S`: all of them where there are few; else all exponents and signs, with mantissas around all
/// the places where some type rounds.
fn patterns<S: Number>() -> Vec<u8> {
    let mut bytes = Vec::new();
    match size_of::<S>() {
        1 => (0..=u8::MAX).for_each(|bits| bytes.push(bits)),
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
