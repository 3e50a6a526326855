//! Small crossed tiles, one behind the other: windows of weights on their way to blocks and back.

use super::super::tile::Blocks;
use super::copy::{check_blocks, check_copy};
use super::*;

/// Lines that fill lanes of registers and others, with padding and without; rows that are longer than these and shorter ones, which lie
/// beside one another, beside those of the next repetition, or in gaps.
#[test]
fn repeated() {
    let mut random = Random(0x3B3);
    let heights = [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 15, 16, 17, 20, 25, 32, 49];
    for token in tokens() {
        for bytes in [1, 2, 4] {
            for nx in [2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 15, 16, 17, 20, 24, 25, 32, 49, 64] {
                for ny in heights {
                    if cfg!(debug_assertions) && !random.once_in(5) {
                        continue;
                    }
                    for (rows, lines) in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 2), (3, 3)] {
                        let (row, line) = (ny * bytes, nx * bytes);
                        // As many of short runs as a table is made for.
                        let many = ny <= 4 && rows == 0 && random.once_in(2);
                        let count = if many { 12 + random.below(6) } else { 1 + random.below(6) };
                        let gap = 8 * random.below(3);
                        // Rows beside one another, those of all repetitions, those with a gap; lines the same.
                        let (src_x, src_z) = match rows {
                            0 => (row, row * nx),
                            1 => (row * count, row),
                            _ => (row + gap, (row + gap) * nx + gap),
                        };
                        let (dst_y, dst_z) = match lines {
                            0 => (line, line * ny),
                            1 => (line * count, line),
                            _ => (line + gap, (line + gap) * ny + gap),
                        };
                        let valid_x = if random.once_in(3) { random.below(nx + 1) } else { nx };
                        let valid_y = if random.once_in(3) { random.below(ny + 1) } else { ny };
                        let tile = Tile {
                            x: Step { len: nx, src: src_x as isize, dst: bytes as isize },
                            y: Step { len: ny, src: bytes as isize, dst: dst_y as isize },
                            z: Step { len: count, src: src_z as isize, dst: dst_z as isize },
                            valid_x,
                            valid_y,
                            stream: random.once_in(8),
                            claims: random.once_in(2),
                            tables: Tables::NONE,
                            epilogue: None,
                            token,
                        };
                        check_copy(token, bytes, &tile, &mut random);
                        let (from, to) = (src_x * nx + src_z * count, dst_y * ny + dst_z * count);
                        let (src, dst) = ([0, from as isize], [0, to as isize]);
                        let blocks = Blocks { src: &src, dst: &dst, valid_z: count };
                        if from.max(to) <= 1 << 15 {
                            check_blocks(token, bytes, &tile, &blocks, &mut random);
                        }
                    }
                }
            }
        }
    }
}

/// Short rows or lines of tiles that two loops make longer on the other side, as those of images that lie beside one another: their
/// distances are in a table.
#[test]
fn beside_one_another() {
    let mut random = Random(0xBE51DE);
    for token in tokens() {
        for bytes in [1, 2, 4] {
            for (short, inner) in (1..=17).flat_map(|short| (1..=5).map(move |inner| (short, inner))) {
                for outer in [2, 3, 4, 7, 16, 29] {
                    if cfg!(debug_assertions) && !random.once_in(3) {
                        continue;
                    }
                    let long = inner * outer;
                    let (gap, z) = (bytes * random.below(3), 1 + random.below(3));
                    // The inner values lie far from one another, and those of the outer loop between them.
                    let plane = (outer * (short * bytes + gap)) as isize;
                    let at = |i: usize| {
                        (i % inner) as isize * plane + (i / inner * (short * bytes + gap)) as isize
                    };
                    let distances: Vec<isize> = (0..long).chain([long - 1; Tables::SLACK]).map(at).collect();
                    let (row, far) = (((long + random.below(3)) * bytes) as isize, plane * inner as isize);
                    let along = Step { len: short, src: row, dst: bytes as isize };
                    let tile = Tile {
                        x: along,
                        y: Step { len: long, src: bytes as isize, dst: 0 },
                        z: Step { len: z, src: row * short as isize, dst: far },
                        valid_x: if random.once_in(3) { random.below(short + 1) } else { short },
                        valid_y: if random.once_in(4) { random.below(long + 1) } else { long },
                        stream: false,
                        claims: random.once_in(2),
                        tables: Tables { dst_y: Some(&distances[..long]), ..Tables::NONE },
                        epilogue: None,
                        token,
                    };
                    check_copy(token, bytes, &tile, &mut random);
                    let tile = Tile {
                        x: Step { len: long, src: 0, dst: bytes as isize },
                        y: Step { len: short, src: bytes as isize, dst: row },
                        z: Step { len: z, src: far, dst: row * short as isize },
                        valid_x: long,
                        valid_y: if random.once_in(4) { random.below(short + 1) } else { short },
                        tables: Tables { src_x: Some(&distances), ..Tables::NONE },
                        ..tile
                    };
                    check_copy(token, bytes, &tile, &mut random);
                }
            }
        }
    }
}

/// Transposes of a few bytes without gaps, of every shape, as often as fills the registers and more often; and with a gap on one side.
#[test]
fn without_gaps() {
    let mut random = Random(0xDE5E);
    for token in tokens() {
        for bytes in [1, 2, 4, 8] {
            for (nx, ny) in (2..=64).flat_map(|nx| (2..=64).map(move |ny| (nx, ny))) {
                let (row, line, len) = (ny * bytes, nx * bytes, nx * ny * bytes);
                if len > 256 || cfg!(debug_assertions) && !random.once_in(12) {
                    continue;
                }
                let least = (4 * 64usize.div_ceil(len)).max((1500 * bytes).div_ceil(len));
                for count in [least - 1, least, least + 1 + random.below(8)] {
                    let mut gap = || if random.once_in(6) { bytes * (1 + random.below(3)) } else { 0 };
                    let (src_gap, dst_gap) = (gap(), gap());
                    let tile = Tile {
                        x: Step { len: nx, src: row as isize, dst: bytes as isize },
                        y: Step { len: ny, src: bytes as isize, dst: line as isize },
                        z: Step { len: count, src: (len + src_gap) as isize, dst: (len + dst_gap) as isize },
                        valid_x: if random.once_in(9) { random.below(nx + 1) } else { nx },
                        valid_y: if random.once_in(9) { random.below(ny + 1) } else { ny },
                        stream: random.once_in(4),
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
