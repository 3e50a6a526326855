//! Every job of every vector family on a few tiles, small enough for Miri to interpret them: it sees what no comparison of
//! bytes shows, such as a pointer that may not go where it goes.

use super::super::convert::{Bf16, Convert, F16, Number};
use super::convert::{all_pairs, check_pair};
use super::copy::check_copy;
use super::*;

/// The families that this processor has beside the portable one, which reorders run where there is no other.
fn vectors() -> impl Iterator<Item = Token> {
    tokens().filter(|token| !matches!(token, Token::Generic))
}

#[test]
fn copies() {
    let mut random = Random(0xFEE);
    for token in vectors() {
        for bytes in [1, 2, 4, 8, 16] {
            let (line, square) = (64 / bytes, 16 / bytes);
            for (shape, nx, ny) in [
                (Shape::Rows, 1 + 40 / bytes, 2),
                (Shape::Pixels, 7, 17),
                (Shape::Crossed, line + 3, square + 1),
                (Shape::Crossed, square, square + 1),
                (Shape::Crossed, 5, 3),
                (Shape::Dense, 2, 19),
                (Shape::Dense, 19, 2),
                (Shape::Dense, 3, 19),
                (Shape::Dense, 19, 3),
                (Shape::Dense, 4, 19),
                (Shape::Dense, 19, 4),
                (Shape::Dense, 8, 17),
                (Shape::Dense, 17, 8),
                (Shape::Strided, 5, 3),
            ] {
                let mut tile = tile(shape, (bytes, bytes), (nx, ny), &mut random);
                tile.z.len = tile.z.len.min(2);
                check_copy(token, bytes, &tile, &mut random);
            }
        }
    }
}

#[test]
fn conversions() {
    let mut random = Random(0xFEC);
    for token in vectors() {
        all_pairs!(convert(token, &mut random));
    }
}

fn convert<S: Number + Convert<D>, D: Number>(token: Token, random: &mut Random)
where
    f64: Convert<S>,
{
    for (shape, nx, ny) in [(Shape::Rows, 21, 1), (Shape::Pixels, 3, 17), (Shape::Crossed, 17, 3)] {
        let mut tile = tile(shape, (size_of::<S>(), size_of::<D>()), (nx, ny), random);
        tile.z.len = tile.z.len.min(2);
        check_pair::<S, D>(token, &tile, random);
    }
}
