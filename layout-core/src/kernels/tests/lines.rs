//! Tiles that have few elements in each line of one side, or lines of any length without gaps, squares that are moved at several
//! places together, and rows of blocks and a part of one.

use super::super::join_rows;
use super::super::tile::{Blocks, Joined};
use super::copy::{check_blocks, check_copy};
use super::pieces::crossed;
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
                        claims: random.once_in(2),
                        tables: Tables::NONE,
                        epilogue: None,
                        token,
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

/// Squares of lines that lie near one another or far, in the order of each maker of processors.
#[cfg(target_arch = "x86_64")]
#[test]
fn squares_in_each_order() {
    let mut random = Random(0x1DE);
    for in_turn in [true, false] {
        super::super::x86_64::assume(in_turn);
        for token in tokens() {
            let near: [[usize; 4]; 4] = [[4, 32, 160, 0], [4, 48, 139, 0], [4, 64, 131, 0], [2, 64, 300, 0]];
            let far =
                [[4, 768, 720, 0], [4, 721, 733, 4], [4, 41, 200, 0], [4, 1024, 80, 0], [4, 1000, 67, 64]];
            for [bytes, width, height, gap] in near.into_iter().chain(far) {
                let element = bytes as isize;
                let line = ((width * bytes).next_multiple_of(64) + gap) as isize;
                let tile = Tile {
                    x: Step {
                        len: width,
                        src: 4096 + 64 * random.below(2) as isize + gap as isize,
                        dst: element,
                    },
                    y: Step { len: height, src: element, dst: line },
                    z: Step { len: 1, src: 0, dst: 0 },
                    valid_x: width,
                    valid_y: height,
                    stream: false,
                    claims: true,
                    tables: Tables::NONE,
                    epilogue: None,
                    token,
                };
                check_copy(token, bytes, &tile, &mut random);
            }
        }
    }
}

/// Squares that a first-level cache holds, on processors that shuffle whole lines and on others: some that overlap, rows with gaps and rows
/// that begin inside of lines.
#[cfg(target_arch = "x86_64")]
#[test]
fn near_squares() {
    let mut random = Random(0x5E4);
    for whole in [true, false] {
        super::super::x86_64::assume_lines(whole);
        for token in tokens() {
            for bytes in [2, 4] {
                let side = 64 / bytes;
                for width in [side, side + 3, 2 * side - 1, 3 * side] {
                    for height in [side - 1, side, side + 5, 2 * side, 3 * side - 2] {
                        let line = (width + random.below(2) * random.below(5)) * bytes;
                        let tile = Tile {
                            x: Step {
                                len: width,
                                src: [256, (height * bytes) as isize][random.below(2)],
                                dst: bytes as isize,
                            },
                            y: Step { len: height, src: bytes as isize, dst: line as isize },
                            z: Step { len: 1, src: 0, dst: 0 },
                            valid_x: width,
                            valid_y: height,
                            stream: false,
                            claims: false,
                            tables: Tables::NONE,
                            epilogue: None,
                            token,
                        };
                        check_copy(token, bytes, &tile, &mut random);
                    }
                }
            }
        }
    }
}

/// Lines of which the last ones, or all but a few elements of the first, are padding: on lines and inside of them, with gaps behind them
/// and without, of heights that registers do not divide.
#[test]
fn lines_of_padding() {
    let mut random = Random(0x9AD);
    for token in tokens() {
        for bytes in [1, 2, 4, 8] {
            let side = 64 / bytes;
            for lines in [2, 3, 4] {
                let width = lines * side;
                for valid in [1, 16 / bytes, side / 2 - 1, side, side + 1, side + side / 2 + 1, width - side]
                {
                    let height = [3, 17, side, side + 5, 70][random.below(5)];
                    let gap = [0, 0, 4, 64][random.below(4)];
                    let tile = Tile {
                        x: Step {
                            len: width,
                            src: ((height + random.below(3)) * bytes) as isize,
                            dst: bytes as isize,
                        },
                        y: Step {
                            len: height,
                            src: bytes as isize,
                            dst: (width * bytes + gap / bytes * bytes) as isize,
                        },
                        z: Step { len: 1, src: 0, dst: 0 },
                        valid_x: valid,
                        valid_y: height - random.below(3),
                        stream: random.once_in(2),
                        claims: random.once_in(2),
                        tables: Tables::NONE,
                        epilogue: None,
                        token,
                    };
                    check_copy(token, bytes, &tile, &mut random);
                }
            }
        }
    }
}

/// Bytes whose rows compete for places of a cache on one side or on both, or begin inside of lines.
#[cfg(target_arch = "x86_64")]
#[test]
fn bytes_in_bands() {
    let mut random = Random(0xBA9D);
    for in_turn in [true, false] {
        super::super::x86_64::assume(in_turn);
        for token in tokens() {
            for (row, line) in [
                (512, 1024),
                (1024, 512),
                (1024, 1024),
                (2048, 832),
                (4096, 448),
                (1024, 397),
                (700, 640),
                (389, 701),
            ] {
                for height in [16, 17, 64, 120, 139, 255, 256, 269, 301] {
                    let width = [128, 256, 130, 200, 300, 384][random.below(6)];
                    let tile = Tile {
                        x: Step { len: width, src: row, dst: 1 },
                        y: Step { len: height, src: 1, dst: line },
                        z: Step { len: 1, src: 0, dst: 0 },
                        valid_x: width,
                        valid_y: height,
                        stream: random.once_in(4),
                        claims: random.once_in(2),
                        tables: Tables::NONE,
                        epilogue: None,
                        token,
                    };
                    check_copy(token, 1, &tile, &mut random);
                }
            }
        }
    }
}

/// Rows of the source, or lines of the destination, that drive one another out of a first-level cache, in the order of each maker of
/// processors: planes to blocks and pixels, and back.
#[cfg(target_arch = "x86_64")]
#[test]
fn planes_that_compete() {
    let mut random = Random(0xC0D);
    for in_turn in [true, false] {
        super::super::x86_64::assume(in_turn);
        for token in tokens() {
            for bytes in [1, 2, 4, 8] {
                for channels in [8, 9, 16, 17, 24, 32, 50, 96, 130] {
                    let pixels = 64 / bytes * [1, 2, 5][random.below(3)] + random.below(2) * random.below(64);
                    let plane = [4096, 8192, -4096, 2048][random.below(4)];
                    let pixel = (channels + random.below(2) * random.below(9)) * bytes;
                    let into = Tile {
                        x: Step { len: channels, src: plane, dst: bytes as isize },
                        y: Step { len: pixels, src: bytes as isize, dst: pixel as isize },
                        z: Step { len: 1, src: 0, dst: 0 },
                        valid_x: channels,
                        valid_y: pixels,
                        stream: random.once_in(6),
                        claims: random.once_in(2),
                        tables: Tables::NONE,
                        epilogue: None,
                        token,
                    };
                    check_copy(token, bytes, &into, &mut random);
                    let out = Tile {
                        x: Step { len: pixels, src: pixel as isize, dst: bytes as isize },
                        y: Step { len: channels, src: bytes as isize, dst: plane },
                        valid_x: pixels,
                        valid_y: channels,
                        ..into
                    };
                    check_copy(token, bytes, &out, &mut random);
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
                    claims: random.once_in(2),
                    tables: Tables::NONE,
                    epilogue: None,
                    token,
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

/// Rows of one to four blocks and a part of one, padded or not, whose blocks follow one another on one side, or on the other.
#[test]
fn blocks_and_a_part() {
    let mut random = Random(0x301);
    for (token, kernel) in tokens().filter_map(|token| join_rows(token).map(|kernel| (token, kernel))) {
        for block in [16, 32, 64] {
            for valid in 1..block {
                for padded in [false, true] {
                    let (count, blocks) = ([1, 7, 8, 9, 40, 70][random.below(6)], 1 + random.below(4));
                    let wide = if padded { block } else { valid };
                    // Rows of the source that follow one another have no padding.
                    let gap = [0, 1, 64][random.below(3)];
                    let [read, written] = [valid, wide].map(|part| (blocks * block + part + gap) as isize);
                    let plane = count * block + [0, 4][random.below(2)];
                    // Row after row, or block after block.
                    let across = (block as isize, plane as isize);
                    let [read, written] = [read, written].map(|row| (row, block as isize));
                    let (src, dst) = match random.below(3) {
                        0 => (read, across),
                        1 => (across, written),
                        _ => (read, written),
                    };
                    let rows = Step { len: count, src: src.0, dst: dst.0 };
                    let loops = Step { len: blocks, src: src.1, dst: dst.1 };
                    let end = |row: isize, block: isize| (count as isize - 1) * row + blocks as isize * block;
                    let mut from = vec![0; end(src.0, src.1) as usize + valid];
                    any_bytes(&mut from, &mut random);
                    let mut found = vec![SENTINEL; end(dst.0, dst.1) as usize + wide];
                    let mut expected = found.clone();
                    for y in 0..count {
                        for k in 0..=blocks {
                            let at = |step: (isize, isize)| y * step.0 as usize + k * step.1 as usize;
                            let (len, to) = if k == blocks { (valid, wide) } else { (block, block) };
                            let to = &mut expected[at(dst)..][..to];
                            to.fill(0);
                            to[..len].copy_from_slice(&from[at(src)..][..len]);
                        }
                    }
                    let (src, dst) = (from.as_ptr(), found.as_mut_ptr());
                    let job = Joined { src, dst, rows, blocks: loops, block, valid, padded };
                    // SAFETY: both sides have as many bytes as their loops reach, and the token proves the features.
                    unsafe { kernel(&job) };
                    let wrong = (0..found.len()).find(|&at| found[at] != expected[at]);
                    assert_eq!(wrong, None, "{:?} {job:?}", token.cpu());
                }
            }
        }
    }
}

/// Lines of any length up to 64 bytes that follow one another, on either side, with data in some of their elements or in all.
#[test]
fn pixels_of_any_length() {
    let mut random = Random(0xF1CE);
    for token in tokens() {
        for bytes in [1, 2, 4] {
            for width in 1..=64 / bytes {
                for least in [16, 32, 64, 128] {
                    let count = least / bytes + random.below(64 / bytes);
                    let line = count * bytes + random.below(2) * 8;
                    let pixels = crossed(bytes, (width, count), line, width * bytes, 1 + random.below(2));
                    let valid_x = if random.once_in(3) { 1 + random.below(width) } else { width };
                    let pixels = Tile { valid_x, claims: random.once_in(2), ..pixels };
                    check_copy(token, bytes, &pixels, &mut random);
                    let planes = crossed(bytes, (count, width), width * bytes, line, 1 + random.below(2));
                    check_copy(token, bytes, &planes, &mut random);
                }
            }
        }
    }
}

/// Rows of 16, 32 and 64 bytes of all heights, whose repetitions fill the gaps between them or lie behind one another; with even
/// distances in the destination or any.
#[test]
fn narrow_rows() {
    let mut random = Random(0x1632);
    for token in tokens() {
        for bytes in [1usize, 2, 4] {
            for width in [16, 32, 64] {
                for ny in 8 / bytes..140 / bytes {
                    if cfg!(debug_assertions) && !random.once_in(8) {
                        continue;
                    }
                    let (nx, count) = (width / bytes, 1 + random.below(4));
                    let pitch = ny * bytes * count + [0, 1, 64][random.below(3)];
                    let line = width * count + [0, 8, 64][random.below(3)];
                    let tile = crossed(bytes, (nx, ny), pitch, line, count);
                    let beside = Step { len: count, src: (ny * bytes) as isize, dst: width as isize };
                    let beside =
                        Tile { z: beside, stream: random.once_in(4), claims: random.once_in(3), ..tile };
                    check_copy(token, bytes, &tile, &mut random);
                    check_copy(token, bytes, &beside, &mut random);
                    if random.once_in(4) {
                        let upwards = Tile { y: Step { dst: -tile.y.dst, ..tile.y }, ..beside };
                        check_copy(token, bytes, &upwards, &mut random);
                    }
                    // Every third line follows the one before, the others lie elsewhere.
                    let at = |y: usize| (y / 3 * width + y % 3 * line * ny) as isize;
                    let lines: Vec<isize> = (0..ny).map(at).collect();
                    let z = Step { len: 1, src: 0, dst: 0 };
                    let tables = Tables { dst_y: Some(&lines), ..Tables::NONE };
                    let anywhere = Tile { z, tables, ..tile };
                    check_copy(token, bytes, &anywhere, &mut random);
                    let valid_x = nx - random.below(2);
                    check_copy(token, bytes, &Tile { valid_x, ..anywhere }, &mut random);
                }
            }
        }
    }
}
