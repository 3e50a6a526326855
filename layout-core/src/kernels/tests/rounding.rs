//! Loops that round as a caller says: every family against the portable one, whose numbers the tests of reorders hold against
//! their definition.

use super::super::convert::{
    Bf16, Convert, E8M0, F4E2M1, F4E3M0, F8E4M3, F8E5M2, F16, Number, Rounder, Rounding, chance,
};
use super::super::drive::Conversion;
use super::super::epilogue::{Epilogue, PARAMETERS, Parameter, Rounded, Values};
use super::convert::{converted, patterns};
use super::*;

const WAYS: [Rounding; 5] = [
    Rounding::NearestAway,
    Rounding::TowardZero,
    Rounding::Down,
    Rounding::Up,
    Rounding::Stochastic { seed: 42 },
];

fn epilogue(how: Rounding, [x, y, z]: [usize; 3]) -> Epilogue {
    let position = Parameter { values: Values::NONE, at: 3.into(), x, y, z };
    let position = matches!(how, Rounding::Stochastic { .. }).then_some(position);
    Epilogue {
        beta: 0.0,
        parameters: [const { None }; PARAMETERS],
        rounding: Some(Rounded { how, position }),
    }
}

/// Every pattern in a row.
fn row<S: Number, D: Number>(all: &[Vec<u8>]) {
    let src = &all[size_of::<S>().ilog2() as usize];
    for how in WAYS {
        let epilogue = epilogue(how, [1, 0, 0]);
        let of = |token| converted::<S, D>(token, src, Some(&epilogue));
        let expected = of(Token::Generic);
        for token in tokens() {
            assert!(of(token) == expected, "{} {how}: {:?} to {:?}", token.cpu(), S::FORMAT, D::FORMAT);
        }
    }
}

fn from<S: Number>(all: &[Vec<u8>]) {
    row::<S, F16>(all);
    row::<S, Bf16>(all);
    row::<S, i32>(all);
    row::<S, i8>(all);
    row::<S, u8>(all);
    row::<S, F8E5M2>(all);
    row::<S, F8E4M3>(all);
    row::<S, E8M0>(all);
    row::<S, F4E2M1>(all);
    row::<S, F4E3M0>(all);
}

#[test]
fn all_values() {
    // Where nothing is optimised, every 37th of the wide ones.
    fn some<const B: usize>(all: Vec<u8>) -> Vec<u8> {
        let step = if cfg!(debug_assertions) { 37 } else { 1 };
        all.as_chunks::<B>().0.iter().step_by(step).flatten().copied().collect()
    }
    let all = [
        patterns::<u8>(),
        some::<2>(patterns::<F16>()),
        some::<4>(patterns::<f32>()),
        some::<8>(patterns::<f64>()),
    ];
    row::<f64, f32>(&all);
    row::<i32, f32>(&all);
    from::<f64>(&all);
    from::<f32>(&all);
    from::<i32>(&all);
    from::<F16>(&all);
    from::<Bf16>(&all);
    from::<F8E5M2>(&all);
}

/// Tiles of all shapes, element by element: from f32 to `D`.
fn shapes<D: Number>(token: Token, random: &mut Random)
where
    f64: Convert<D>,
{
    for shape in [Shape::Rows, Shape::Pixels, Shape::Crossed, Shape::Dense, Shape::Strided] {
        for (nx, ny) in [(1, 1), (3, 50), (17, 16), (33, 40), (3, 600), (16, 700)] {
            let plain = tile(shape, (4, size_of::<D>()), (nx, ny), random);
            for how in WAYS {
                let steps = [1 + random.below(3), random.below(900), random.below(9000)];
                let epilogue = epilogue(how, steps);
                let tile = Tile { epilogue: Some(&epilogue), ..plain };
                let conversion = Conversion::new(token, f32::FORMAT, D::FORMAT, tile.epilogue);
                // SAFETY: `check` gives memory for all of the tile on both sides, apart from one another.
                let kernel = |src, dst| unsafe { conversion.run(src, dst, &tile) };
                let rounder = Rounder::new(how, D::FORMAT);
                let element = |[i, j, k]: [usize; 3], from: &[u8], to: &mut [u8]| {
                    let mut number = [f64::from(f32::from_ne_bytes([from[0], from[1], from[2], from[3]]))];
                    match how {
                        Rounding::Stochastic { seed } => {
                            let at = 3 + i * steps[0] + j * steps[1] + k * steps[2];
                            rounder.round_by(&mut number, &[chance(seed, at as u64)], |number| number);
                        }
                        _ => rounder.round_all(&mut number, |number| number),
                    }
                    let number: D = number[0].convert();
                    // SAFETY: a number is its bytes.
                    let bytes = unsafe { core::slice::from_raw_parts((&raw const number).cast(), to.len()) };
                    to.copy_from_slice(bytes);
                };
                let name = (token.cpu(), how, D::FORMAT);
                check(&name, (4, size_of::<D>()), &tile, random, small_floats, kernel, element);
            }
        }
    }
}

fn small_floats(memory: &mut [u8], random: &mut Random) {
    for bytes in memory.chunks_exact_mut(4) {
        bytes.copy_from_slice(&(random.below(4000) as f32 / 7.0 - 280.0).to_ne_bytes());
    }
}

#[test]
fn all_shapes() {
    let mut random = Random(0x20D);
    for token in tokens() {
        shapes::<i8>(token, &mut random);
        shapes::<F16>(token, &mut random);
        shapes::<i32>(token, &mut random);
        shapes::<F8E4M3>(token, &mut random);
    }
}
