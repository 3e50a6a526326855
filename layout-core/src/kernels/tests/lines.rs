//! Tiles that have few elements in each line of one side, and squares that are moved at several places together.

use super::super::tile::Blocks;
use super::copy::{check_blocks, check_copy};
use super::*;

/// A few elements out of each line, and a few to each line, the rest of which is padding.
#[test]
fn few_in_lines() {
    let mut random = Random(0xFE3);
    for token in tokens() {
        for bytes in [1, 2, 4, 8] {
            for long in [4, 15, 16, 17, 31, 32, 48, 50] {
                for few in 1..=5 {
                    let (width, side) = (bytes as isize, 64 / bytes);
                    let row = ((long + random.below(3)) * bytes) as isize;
                    let line = 64 * (1 + random.below(2) as isize);
                    let out = Tile {
                        x: Step { len: long, src: line, dst: width },
                        y: Step { len: few, src: width, dst: row },
                        z: Step { len: 2, src: line * long as isize, dst: row * few as isize },
                        valid_x: long,
                        valid_y: few,
                        stream: random.once_in(2),
                        tables: Tables::NONE,
                        epilogue: None,
                    };
                    check_copy(token, bytes, &out, &mut random);
                    let into = Tile {
                        x: Step { len: side, src: row, dst: width },
                        y: Step { len: long, src: width, dst: line },
                        z: Step { len: 2, src: row * side as isize, dst: line * long as isize },
                        valid_x: few,
                        valid_y: long,
                        ..out
                    };
                    check_copy(token, bytes, &into, &mut random);
                    let rows = Step { len: side, src: width, dst: width };
                    let far = Step { len: long, src: 68, dst: line };
                    check_copy(token, bytes, &Tile { x: rows, y: far, ..into }, &mut random);
                }
            }
        }
    }
}

/// Squares at several places, together with padding behind them or none.
#[test]
fn squares_in_blocks() {
    let mut random = Random(0x5B);
    for token in tokens() {
        for bytes in [1, 2, 4] {
            for (side, gap) in [(8, 0), (8, 4), (4, 0)] {
                let (width, line) = (bytes as isize, (side * bytes + gap) as isize);
                let square = line * side as isize;
                let tile = Tile {
                    x: Step { len: side, src: line, dst: width },
                    y: Step { len: side, src: width, dst: line },
                    z: Step { len: 3, src: 2 * square, dst: square },
                    valid_x: side,
                    valid_y: side,
                    stream: random.once_in(2),
                    tables: Tables::NONE,
                    epilogue: None,
                };
                for (valid_x, valid_z) in [(side, 3), (side, 2), (side, 0), (side - 1, 3)] {
                    let (src, dst) = (&[4000, 0, 8], &[0, 20_000, 40_000]);
                    let tile = Tile { valid_x, ..tile };
                    check_blocks(token, bytes, &tile, &Blocks { src, dst, valid_z }, &mut random);
                }
            }
        }
    }
}
