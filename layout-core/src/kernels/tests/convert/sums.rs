//! Results that are added to what the destination holds: all pairs on tiles of all shapes, with parameters and without, against the
//! definition.

use super::super::super::convert::{Bf16, Convert, F16, Number};
use super::super::super::drive::Conversion;
use super::super::super::epilogue::Epilogue;
use super::super::*;
use super::{ALL_SHAPES, all_pairs, element, numbers, parameter_of, random_parameters, sizes, values_at};

/// The f32 nearest to a number.
fn number<S: Number + Convert<f32>>(from: &[u8]) -> f32 {
    let mut bytes = [0; 4];
    element::<S, f32>(from, &mut bytes);
    f32::from_ne_bytes(bytes)
}

/// Adds random numbers to others, which are no NaN: of two of them either may be the result.
fn summed<S: Number + Convert<f32>, D: Number + Convert<f32>>(token: Token, plain: &Tile, random: &mut Random)
where
    f32: Convert<D>,
    f64: Convert<S> + Convert<D>,
{
    let all = if random.once_in(3) { [const { None }; _] } else { random_parameters(plain, random) };
    let beta = [1.0, -0.5, 3.0][random.below(3)];
    let epilogue = Epilogue { beta, parameters: all.each_ref().map(parameter_of), rounding: None };
    let tile = Tile { epilogue: Some(&epilogue), stream: false, ..*plain };
    let Tile { x, y, z, valid_x, valid_y, .. } = tile;
    let from = [(valid_x, x.src), (valid_y, y.src), (z.len, z.src)];
    let to = [(x.len, x.dst), (y.len, y.dst), (z.len, z.dst)];
    let side = |[x, y, z]: [(usize, isize); 3], bytes| {
        let of = |(len, stride)| distances(None, len, stride);
        Side::new([&of(x), &of(y), &of(z)], bytes)
    };
    let (from, to) = (side(from, size_of::<S>()), side(to, size_of::<D>()));
    let (shift, front) = (random.below(64), 64 + random.below(64));
    let mut src = vec![0; shift + from.len];
    numbers::<S>(&mut src[shift..], random);
    let mut found = vec![SENTINEL; front + to.len + 64];
    numbers::<D>(&mut found[front..front + to.len], random);
    let place = |first: usize, strides: [isize; 3], at: [usize; 3]| {
        (first as isize + (0..3).map(|i| at[i] as isize * strides[i]).sum::<isize>()) as usize
    };
    let to_place = |at| place(front + to.first, [x.dst, y.dst, z.dst], at);
    let indices =
        || (0..z.len).flat_map(move |k| (0..y.len).flat_map(move |j| (0..x.len).map(move |i| [i, j, k])));
    for at in indices() {
        let bytes = &mut found[to_place(at)..][..size_of::<D>()];
        if number::<D>(bytes).is_nan() {
            bytes.fill(0);
        }
    }
    let mut expected = found.clone();
    for at in indices() {
        let to = &mut expected[to_place(at)..][..size_of::<D>()];
        if at[0] >= valid_x || at[1] >= valid_y {
            to.fill(0);
            continue;
        }
        let from = place(shift + from.first, [x.src, y.src, z.src], at);
        let [a, b, c, d] = values_at(&all, at);
        let sum = (number::<S>(&src[from..][..size_of::<S>()]) - a) * b + beta * number::<D>(to);
        element::<f32, D>(&(sum * c + d).to_ne_bytes(), to);
    }
    let conversion = Conversion::new(token, S::FORMAT, D::FORMAT, tile.epilogue);
    let src = src.as_ptr().wrapping_add(shift + from.first);
    let dst = found.as_mut_ptr().wrapping_add(front + to.first);
    // SAFETY: there is memory for all of the tile on both sides, apart from one another, and values for all elements.
    unsafe { conversion.run(src, dst, &tile) };
    let wrong = (0..found.len()).find(|&at| found[at] != expected[at]);
    let wrong = wrong.map(|at| (at as isize - (front + to.first) as isize, found[at], expected[at]));
    assert_eq!(wrong, None, "{} {:?} {:?} {tile:?}", token.cpu(), S::FORMAT, D::FORMAT);
}

fn tiles<S: Number + Convert<f32>, D: Number + Convert<f32>>(token: Token, shape: Shape, random: &mut Random)
where
    f32: Convert<D>,
    f64: Convert<S> + Convert<D>,
{
    for &(nx, ny) in sizes(shape) {
        // One size in 24 where nothing is optimised.
        for _ in 0..if cfg!(debug_assertions) { random.once_in(24).into() } else { 3 } {
            let plain = tile(shape, (size_of::<S>(), size_of::<D>()), (nx, ny), random);
            summed::<S, D>(token, &plain, random);
        }
    }
}

#[test]
fn all_sums() {
    let mut random = Random(0x5035);
    for token in tokens() {
        for shape in ALL_SHAPES {
            all_pairs!(tiles(token, shape, &mut random));
        }
    }
}
