//! Numbers of 8 bits and less: the loops that every family has, those with f32 between them, and elements of 4 bits in memory.

use super::super::convert::{Bf16, Boolean, Convert, E8M0, F4E2M1, F4E3M0, F8E4M3, F8E5M2, F16, Number};
use super::super::packed::check_lines;
use super::convert::{converted, patterns, row, scaled, tiles};
use super::*;

/// Calls `$check::<S>(…)` for every small type.
macro_rules! all_small {
    ($check:ident $arguments:tt) => {
        $check::<F8E5M2> $arguments;
        $check::<F8E4M3> $arguments;
        $check::<E8M0> $arguments;
        $check::<F4E2M1> $arguments;
        $check::<F4E3M0> $arguments;
        $check::<Boolean> $arguments;
    };
}

fn shapes<T: Number + Convert<f32>>(token: Token, shape: Shape, random: &mut Random)
where
    f32: Convert<T>,
    f64: Convert<T>,
{
    tiles::<T, f32>(token, shape, random);
    tiles::<f32, T>(token, shape, random);
    if matches!(shape, Shape::Rows | Shape::Crossed) {
        scaled::<T, f32>(token, shape, random);
        scaled::<f32, T>(token, shape, random);
        // By tables of results.
        scaled::<F8E4M3, T>(token, shape, random);
    }
}

#[test]
fn all_shapes() {
    let mut random = Random(0x8B17);
    for token in tokens() {
        for shape in [Shape::Rows, Shape::Pixels, Shape::Crossed, Shape::Dense, Shape::Strided] {
            all_small!(shapes(token, shape, &mut random));
        }
    }
}

fn values<T: Number + Convert<f32>>(token: Token, patterns: &[Vec<u8>; 3])
where
    f32: Convert<T>,
    f64: Convert<T>,
{
    row::<T, f32>(token, &patterns[0]);
    row::<f32, T>(token, &patterns[1]);
    row::<f64, T>(token, &patterns[2]);
}

#[test]
fn all_values() {
    let patterns = [patterns::<u8>(), patterns::<f32>(), patterns::<f64>()];
    for token in tokens() {
        all_small!(values(token, &patterns));
    }
}

/// A row from `S` to `D`, which has f32 between them, against one rounding in f64.
fn between<S: Number + Convert<W>, W: Number + Convert<f64>, D: Number>(token: Token, src: &[u8])
where
    f64: Convert<D>,
{
    if S::FORMAT == D::FORMAT {
        return;
    }
    let dst = converted::<S, D>(token, src, None);
    for (from, to) in src.chunks_exact(size_of::<S>()).zip(dst.chunks_exact(size_of::<D>())) {
        // SAFETY: as many bytes as the type has, and any bytes are a number.
        let value = unsafe { from.as_ptr().cast::<S>().read_unaligned() };
        let wide: f64 = value.convert().convert();
        let number: D = wide.convert();
        // SAFETY: a number is its bytes.
        let expected = unsafe { core::slice::from_raw_parts((&raw const number).cast::<u8>(), to.len()) };
        assert_eq!(to, expected, "{} {:?} {from:02x?} to {:?}", token.cpu(), S::FORMAT, D::FORMAT);
    }
    // Short rows have loops of their own.
    let parts = src.chunks(31 * size_of::<S>()).flat_map(|part| converted::<S, D>(token, part, None));
    assert!(parts.eq(dst), "{} {:?} to {:?} in short rows", token.cpu(), S::FORMAT, D::FORMAT);
}

fn from_small<T: Number + Convert<f32>>(token: Token, bytes: &[u8]) {
    between::<T, f32, F16>(token, bytes);
    between::<T, f32, Bf16>(token, bytes);
    between::<T, f32, i32>(token, bytes);
    between::<T, f32, i8>(token, bytes);
    between::<T, f32, u8>(token, bytes);
    between::<T, f32, f64>(token, bytes);
    to_small_from::<T, f32>(token, bytes);
}

fn to_small_from<S: Number + Convert<W>, W: Number + Convert<f64>>(token: Token, src: &[u8]) {
    between::<S, W, F8E5M2>(token, src);
    between::<S, W, F8E4M3>(token, src);
    between::<S, W, E8M0>(token, src);
    between::<S, W, F4E2M1>(token, src);
    between::<S, W, F4E3M0>(token, src);
    between::<S, W, Boolean>(token, src);
}

#[test]
fn all_values_with_f32_between() {
    let [bytes, halves, mut words] = [patterns::<u8>(), patterns::<F16>(), patterns::<f32>()];
    for place in 0..32 {
        for offset in -300..300i32 {
            words.extend((1i32 << place).wrapping_add(offset).to_ne_bytes());
        }
    }
    for token in tokens() {
        all_small!(from_small(token, &bytes));
        to_small_from::<i8, f32>(token, &bytes);
        to_small_from::<u8, f32>(token, &bytes);
        to_small_from::<F16, f32>(token, &halves);
        to_small_from::<Bf16, f32>(token, &halves);
        to_small_from::<i32, f64>(token, &words);
    }
}

#[test]
fn lines_of_four_bits() {
    for token in tokens() {
        check_lines(token);
    }
}
