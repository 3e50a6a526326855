//! Short rows with padding, of all pairs of types, by the way in that plans take.

use super::super::super::convert::{Bf16, Convert, F16, Number};
use super::super::super::drive::convert_on;
use super::super::*;
use super::{all_pairs, element, numbers};

/// Rows that end inside of registers, without gaps on either side and with them, and repetitions of all of them.
fn padded_rows<S: Number + Convert<D>, D: Number>(token: Token, random: &mut Random)
where
    f64: Convert<S>,
{
    let formats = (S::FORMAT, D::FORMAT);
    if formats.0 == formats.1 {
        return;
    }
    let (src, dst) = (size_of::<S>(), size_of::<D>());
    for nx in [1, 2, 4, 8, 16, 17, 24, 32, 48, 64, 65] {
        for _ in 0..if cfg!(debug_assertions) { 2 } else { 12 } {
            let (valid_x, ny, nz) = (random.below(nx + 1), 1 + random.below(20), 1 + random.below(4));
            let mut gap = || if random.once_in(2) { 0 } else { random.below(70) };
            let [row_src, row_dst] = [nx * src + gap(), nx * dst + gap()];
            let step = |len, src: usize, dst: usize| Step { len, src: src as isize, dst: dst as isize };
            let y = step(ny, row_src, row_dst);
            let z = step(nz, ny * row_src + gap(), ny * row_dst + gap());
            let tile = Tile {
                x: step(nx, src, dst),
                y,
                z,
                valid_x,
                valid_y: random.below(ny + 1),
                stream: random.once_in(8),
                claims: false,
                tables: Tables::NONE,
                epilogue: None,
                token,
            };
            // SAFETY: `check` gives memory for all of the tile on both sides, apart from one another.
            let kernel = |src, dst| unsafe { convert_on(token, formats, src, dst, &tile) };
            let name = (token.cpu(), S::FORMAT, D::FORMAT);
            check(&name, (src, dst), &tile, random, numbers::<S>, kernel, |_, from, to| {
                element::<S, D>(from, to)
            });
        }
    }
}

#[test]
fn rows_that_end_inside_of_registers() {
    let mut random = Random(0x1CE);
    for token in tokens() {
        all_pairs!(padded_rows(token, &mut random));
    }
}
