//! Crossed tiles whose lines lie far apart in the destination, and those of a few lines out of wider blocks: what `drive::strips`
//! chooses by.

use super::copy::check_copy;
use super::*;

/// A crossed tile of `nx` values `pitch` bytes apart in the source, whose lines lie `line` bytes apart.
fn crossed(bytes: usize, (nx, ny): (usize, usize), pitch: usize, line: usize, z: usize) -> Tile<'static> {
    Tile {
        x: Step { len: nx, src: pitch as isize, dst: bytes as isize },
        y: Step { len: ny, src: bytes as isize, dst: line as isize },
        z: Step { len: z, src: (pitch * nx) as isize, dst: (line * ny) as isize },
        valid_x: nx,
        valid_y: ny,
        stream: false,
        tables: Tables::NONE,
        epilogue: None,
    }
}

/// Several strips side by side, with what is left of them, on lines of memory and off them.
#[test]
fn far_apart() {
    let mut random = Random(0xFA7);
    for token in tokens() {
        for bytes in [1, 2, 4, 8] {
            for lines in [2, 3, 4, 5, 9] {
                for ny in [15, 16, 17, 31, 32, 70] {
                    let nx = lines * 64 / bytes + [0, 1, 5][random.below(3)];
                    let pitch = ny * bytes + [0, bytes, 64, 256][random.below(4)];
                    let line = usize::max(nx * bytes, 2048).next_multiple_of([1, 64, 128][random.below(3)]);
                    let tile = crossed(bytes, (nx, ny), pitch, line, 1 + random.below(2));
                    check_copy(token, bytes, &Tile { stream: random.once_in(3), ..tile }, &mut random);
                    if random.once_in(4) {
                        check_copy(token, bytes, &Tile { valid_x: nx - 3, ..tile }, &mut random);
                    }
                }
            }
        }
    }
}

/// The few channels of blocks that hold data, down to one.
#[test]
fn few() {
    let mut random = Random(0x10);
    for token in tokens() {
        for bytes in [1, 2, 4] {
            for ny in 1..16 / bytes {
                for block in [ny, ny + 1, 8, 12, 16, 17, 32] {
                    for nx in [64 / bytes - 1, 64 / bytes, 64 / bytes + 1, 3 * 64 / bytes + 5] {
                        let line = nx * bytes + random.below(3) * 8;
                        let pitch = block.max(ny) * bytes;
                        let tile = crossed(bytes, (nx, ny), pitch, line, 1 + random.below(3));
                        check_copy(token, bytes, &tile, &mut random);
                    }
                }
            }
        }
    }
}
