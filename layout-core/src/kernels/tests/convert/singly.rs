//! Elements that are moved and converted one by one: all widths and pairs of types, tiles of all shapes.

use super::super::super::convert::{Bf16, Convert, F16, Number};
use super::super::super::{Kernel, converts_singly, copies_singly};
use super::super::*;
use super::{ALL_SHAPES, all_pairs, element, numbers, sizes};

/// Calls `checked` for tiles of `shape`, with this token.
fn each_tile(
    token: Token,
    shape: Shape,
    bytes: (usize, usize),
    random: &mut Random,
    checked: impl Fn(&Tile, &mut Random),
) {
    for &(nx, ny) in sizes(shape) {
        for _ in 0..if cfg!(debug_assertions) { random.once_in(3).into() } else { 6 } {
            checked(&Tile { token, ..tile(shape, bytes, (nx, ny), random) }, random);
        }
    }
}

fn converted<S: Number + Convert<D>, D: Number>(token: Token, shape: Shape, random: &mut Random)
where
    f64: Convert<S>,
{
    let Some(kernel) = converts_singly(S::FORMAT, D::FORMAT) else { return };
    let bytes = (size_of::<S>(), size_of::<D>());
    each_tile(token, shape, bytes, random, |tile, random| {
        // SAFETY: `check` gives memory for all of the tile on both sides, apart from one another.
        let run = |src, dst| unsafe { kernel(src, dst, tile) };
        let name = (token.cpu(), S::FORMAT, D::FORMAT);
        check(&name, bytes, tile, random, numbers::<S>, run, |_, from, to| element::<S, D>(from, to));
    });
}

fn copied(kernel: Kernel, token: Token, bytes: usize, shape: Shape, random: &mut Random) {
    each_tile(token, shape, (bytes, bytes), random, |tile, random| {
        // SAFETY: as above.
        let run = |src, dst| unsafe { kernel(src, dst, tile) };
        let element = |_, from: &[u8], to: &mut [u8]| to.copy_from_slice(from);
        check(&token.cpu(), (bytes, bytes), tile, random, any_bytes, run, element);
    });
}

#[test]
fn all_shapes() {
    let mut random = Random(0x0FE5);
    for token in tokens() {
        for shape in ALL_SHAPES {
            all_pairs!(converted(token, shape, &mut random));
            for bytes in [1, 2, 4, 8, 16] {
                let kernel = copies_singly(bytes).expect("a kernel of each width");
                copied(kernel, token, bytes, shape, &mut random);
            }
        }
    }
}

#[test]
fn frequent_pairs_have_a_kernel() {
    use super::super::super::convert::Format::*;
    for src in [F32, Bf16, S32, S8, U8] {
        for dst in [F32, F16, Bf16, S32, S8, U8] {
            assert_eq!(converts_singly(src, dst).is_some(), src != dst, "{src:?} {dst:?}");
        }
    }
    assert!(copies_singly(3).is_none());
}
