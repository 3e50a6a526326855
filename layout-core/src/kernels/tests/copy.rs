//! The copying kernels: all widths, tile sizes, strides, padding and repetitions.

use super::super::tile::Blocks;
use super::super::{Token, copy_on};
use super::*;

/// [`check`] for elements of `bytes` bytes.
pub(super) fn check_copy(token: Token, bytes: usize, tile: &Tile, random: &mut Random) {
    let tile = &Tile { token, ..*tile };
    // SAFETY of all: `check` gives memory for all of the tile on both sides, apart from one another.
    let kernel = |src, dst| match bytes {
        // SAFETY: see above.
        1 => unsafe { copy_on::<1>(token, src, dst, tile) },
        // SAFETY: see above.
        2 => unsafe { copy_on::<2>(token, src, dst, tile) },
        // SAFETY: see above.
        4 => unsafe { copy_on::<4>(token, src, dst, tile) },
        // SAFETY: see above.
        8 => unsafe { copy_on::<8>(token, src, dst, tile) },
        // SAFETY: see above.
        _ => unsafe { copy_on::<16>(token, src, dst, tile) },
    };
    let element = |_, from: &[u8], to: &mut [u8]| to.copy_from_slice(from);
    check(&token.cpu(), (bytes, bytes), tile, random, any_bytes, kernel, element);
}

fn all_sizes(shape: Shape) {
    let mut random = Random(0x5EED);
    for token in tokens() {
        for bytes in [1, 2, 4, 8, 16] {
            for long in 1..=70 {
                for short in sizes(&mut random) {
                    for (nx, ny) in [(long, short), (short, long)] {
                        let tile = tile(shape, (bytes, bytes), (nx, ny), &mut random);
                        check_copy(token, bytes, &tile, &mut random);
                    }
                }
            }
        }
    }
}

#[test]
fn rows() {
    all_sizes(Shape::Rows);
}

#[test]
fn crossed() {
    all_sizes(Shape::Crossed);
}

/// Pixels without a gap, on either side.
#[test]
fn narrow() {
    let mut random = Random(0xC0FFEE);
    for token in tokens() {
        for bytes in [1, 2, 4, 8, 16] {
            for long in 1..=300 {
                for short in [2, 3, 4, 5, 8] {
                    for (nx, ny) in [(long, short), (short, long)] {
                        let tile = tile(Shape::Dense, (bytes, bytes), (nx, ny), &mut random);
                        check_copy(token, bytes, &tile, &mut random);
                    }
                }
            }
        }
    }
}

/// Rows of a few elements without gaps that become longer.
#[test]
fn padded() {
    let mut random = Random(0xBADE);
    for token in tokens() {
        for bytes in [1, 2, 4, 8, 16] {
            for nx in 1..=40 {
                for ny in [1, 15, 16, 17, 40, 100] {
                    let tile = tile(Shape::Pixels, (bytes, bytes), (nx, ny), &mut random);
                    check_copy(token, bytes, &tile, &mut random);
                }
            }
        }
    }
}

/// Repetitions of a few elements.
#[test]
fn tiny() {
    let mut random = Random(0x717);
    for token in tokens() {
        for bytes in [1, 2, 4, 8] {
            for nx in 1..=17 {
                for ny in [1, 2, 3, 4, 5, 7, 8, 9, 16] {
                    let tile = tile(Shape::Tiny, (bytes, bytes), (nx, ny), &mut random);
                    check_copy(token, bytes, &tile, &mut random);
                }
            }
        }
    }
}

#[test]
fn strided() {
    let mut random = Random(0xBEEF);
    for token in tokens() {
        for bytes in [1, 2, 4, 8, 16] {
            for nx in [1, 3, 4, 8, 17, 40] {
                for ny in sizes(&mut random) {
                    let tile = tile(Shape::Strided, (bytes, bytes), (nx, ny), &mut random);
                    check_copy(token, bytes, &tile, &mut random);
                }
            }
        }
    }
}

/// Rows long enough for the platform's memcpy, for streaming stores, and for several bands of a transpose.
#[test]
fn long() {
    let mut random = Random(0xFACE);
    for token in tokens() {
        for bytes in [1, 2, 4, 8, 16] {
            for (shape, nx, ny) in [
                (Shape::Rows, 700, 3),
                (Shape::Rows, 2100 / bytes, 2),
                (Shape::Rows, 9000 / bytes, 1),
                (Shape::Crossed, 3, 700),
                (Shape::Crossed, 700, 3),
                (Shape::Crossed, 150, 5300 / bytes),
                (Shape::Crossed, 5300 / bytes, 90),
            ] {
                for _ in 0..4 {
                    let tile = tile(shape, (bytes, bytes), (nx, ny), &mut random);
                    check_copy(token, bytes, &tile, &mut random);
                }
            }
        }
    }
}

/// Rows of the source whose lines compete for the same places of a cache.
#[test]
fn aliasing() {
    let mut random = Random(0xA11A5);
    for token in tokens() {
        for bytes in [1, 2, 4, 8, 16] {
            for (nx, ny) in [
                (64, 70),
                (70, 64),
                (130, 3),
                (130, 65),
                (8, 20),
                // Parts of lines, and several lines of each row.
                (24, 300),
                (40, 130),
                (48, 257),
                (90, 150),
            ] {
                for stride in [4096, -4096, 2048, 8192] {
                    let mut tile = tile(Shape::Crossed, (bytes, bytes), (nx, ny), &mut random);
                    (tile.x.src, tile.z.src) = (stride, 16);
                    check_copy(token, bytes, &tile, &mut random);
                }
            }
        }
    }
}

/// Several loops that pass for x and for y.
#[test]
fn tabled() {
    let mut random = Random(0x7AB1E);
    for token in tokens() {
        for bytes in [1, 2, 4, 8, 16] {
            for (nx, inner_x) in [(64, 4), (64, 16), (36, 9), (17, 17), (130, 5), (6, 2), (256, 32)] {
                for (ny, inner_y) in [(9, 9), (36, 9), (16, 4), (70, 7), (3, 1), (144, 9)] {
                    let mut tile = tile(Shape::Crossed, (bytes, bytes), (nx, ny), &mut random);
                    if tile.valid_x == 0 {
                        continue;
                    }
                    tile.z = Step { len: 1, src: 0, dst: 0 };
                    // The inner loop lies further apart than the outer one.
                    let two = |len: usize, inner: usize, step: usize| -> Vec<isize> {
                        let outer = len.div_ceil(inner);
                        (0..len).map(|i| ((i % inner * outer + i / inner) * step) as isize).collect()
                    };
                    let step =
                        if random.once_in(2) { ny * bytes } else { (ny * bytes).next_multiple_of(4096) };
                    let mut src_x = two(tile.valid_x, inner_x, step);
                    src_x.extend(vec![*src_x.last().unwrap(); Tables::SLACK]);
                    let dst_y = two(ny, inner_y, (nx * bytes).next_multiple_of(1 + random.below(2) * 63));
                    let given = 1 + random.below(3);
                    tile.tables.src_x = (given & 1 != 0).then_some(&src_x);
                    tile.tables.dst_y = (given & 2 != 0).then_some(&dst_y);
                    check_copy(token, bytes, &tile, &mut random);
                }
            }
        }
    }
}

/// Groups of 4 bytes in lines that lie together or apart, to and from planes.
#[test]
fn groups() {
    let mut random = Random(0x64);
    for token in tokens() {
        for bytes in [1, 2] {
            for together in [16, 32, 48, 64, 128] {
                for count in [1, 2, 3, 4] {
                    let (group, len, width) = (4 / bytes, together * count, bytes as isize);
                    let plane = (len * bytes + random.below(70)) as isize;
                    let far = (4 * together).next_multiple_of(1 + random.below(2) * 63) as isize;
                    // The last lines come first.
                    let at =
                        |i: usize| (count - 1 - i / together) as isize * far + (i % together * 4) as isize;
                    let lines: Vec<isize> = (0..len).chain([len - 1; Tables::SLACK]).map(at).collect();
                    let planes = Step { len: group, src: plane, dst: width };
                    let to_groups = Tile {
                        x: planes,
                        y: Step { len, src: width, dst: 4 },
                        z: Step { len: 2, src: plane * group as isize, dst: far * count as isize },
                        valid_x: random.below(group + 1),
                        valid_y: if random.once_in(2) { len } else { random.below(len + 1) },
                        stream: random.once_in(2),
                        claims: random.once_in(2),
                        tables: Tables { dst_y: Some(&lines[..len]), together, ..Tables::NONE },
                        epilogue: None,
                        token,
                    };
                    let whole = Tile { valid_x: group, valid_y: len, ..to_groups };
                    let back = |step: Step| Step { src: step.dst, dst: step.src, ..step };
                    let to_planes = Tile {
                        x: back(to_groups.y),
                        y: back(planes),
                        z: back(to_groups.z),
                        valid_x: 1 + random.below(len),
                        valid_y: group,
                        tables: Tables { src_x: Some(&lines), together, ..Tables::NONE },
                        ..to_groups
                    };
                    let all = Tile { valid_x: len, ..to_planes };
                    for tile in [to_groups, whole, to_planes, all] {
                        // A table of x has an entry for each value with data, and then copies of the last.
                        if tile.tables.src_x.is_none() || tile.valid_x == len {
                            check_copy(token, bytes, &tile, &mut random);
                        }
                        let tile = Tile { tables: Tables::NONE, ..tile };
                        check_copy(token, bytes, &tile, &mut random);
                        let (src, dst) = (&[4000, 0, 8], &[0, 20_000, 40_000]);
                        check_blocks(token, bytes, &tile, &Blocks { src, dst, valid_z: 2 }, &mut random);
                    }
                }
            }
        }
    }
}

/// Squares that are as wide as they are high, without gaps and in rows that compete for the same places of a cache.
#[test]
fn squares() {
    let mut random = Random(0x5A);
    for token in tokens() {
        for bytes in [1, 2, 4, 8] {
            for side in [8, 12, 16, 48] {
                for z in [1, 2, 5] {
                    let (width, line) = (bytes as isize, (side * bytes) as isize);
                    let tile = Tile {
                        x: Step { len: side, src: line, dst: width },
                        y: Step { len: side, src: width, dst: line },
                        z: Step { len: z, src: line * side as isize, dst: line * side as isize + 8 },
                        valid_x: side,
                        valid_y: side,
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

/// Blocks of 16 groups of 4 bytes, to and from runs of taps.
#[test]
fn woven() {
    let mut random = Random(0xDAB);
    for token in tokens() {
        for bytes in [1, 2, 4] {
            for taps in 1..=17 {
                let (group, width) = (4 / bytes, bytes as isize);
                let run = 4 * taps as isize + 8 * random.below(3) as isize;
                let line = 64 + 64 * random.below(3) as isize;
                let runs = Step { len: taps, src: width, dst: line };
                let groups = Step { len: group, src: taps as isize * width, dst: width };
                let to_lines = Tile {
                    x: groups,
                    y: runs,
                    z: Step { len: 16, src: run, dst: 4 },
                    valid_x: group,
                    valid_y: taps,
                    stream: random.once_in(2),
                    claims: random.once_in(2),
                    tables: Tables::NONE,
                    epilogue: None,
                    token,
                };
                check_copy(token, bytes, &to_lines, &mut random);
                let back = |step: Step| Step { src: step.dst, dst: step.src, ..step };
                let (x, y, z) = (back(runs), back(groups), back(to_lines.z));
                let to_runs = Tile { x, y, z, valid_x: taps, valid_y: group, ..to_lines };
                check_copy(token, bytes, &to_runs, &mut random);
                for count in [1, 2, 4, 7, 17, 33] {
                    // One after another along a run, of a few the last ones elsewhere.
                    let elsewhere = if count < 16 { 9 } else { 0 };
                    let runs_at = |k: usize| (k * 4 * taps + k / 4 * elsewhere) as isize;
                    let lines_at = |k: usize| (k * 64 * 3 * taps) as isize;
                    let (runs_at, lines_at): (Vec<_>, Vec<_>) =
                        (0..count).map(|k| (runs_at(k), lines_at(k))).unzip();
                    let far = Step { src: 4 * (taps * count + 9) as isize, ..to_lines.z };
                    let blocks = |to_lines, valid_z| {
                        let (src, dst) = if to_lines { (&runs_at, &lines_at) } else { (&lines_at, &runs_at) };
                        Blocks { src, dst, valid_z }
                    };
                    for (valid_x, valid_z) in
                        [(group, 16), (group, random.below(17)), (random.below(group + 1), 16)]
                    {
                        let tile = Tile { z: far, valid_x, ..to_lines };
                        check_blocks(token, bytes, &tile, &blocks(true, valid_z), &mut random);
                    }
                    for (len, valid_y) in
                        [(16, group), (1 + random.below(16), group), (16, 1 + random.below(group))]
                    {
                        let y = Step { len: valid_y, ..to_runs.y };
                        let z = Step { len, ..back(far) };
                        let tile = Tile { y, z, valid_y, ..to_runs };
                        check_blocks(token, bytes, &tile, &blocks(false, len), &mut random);
                    }
                }
            }
        }
    }
}

/// The first elements of cells of 4 that follow one another, and of others.
#[test]
fn few_of_each_cell() {
    let mut random = Random(0xCE11);
    for token in tokens() {
        for bytes in [1, 2, 4] {
            for (cell, ny) in [(4, 1), (4, 2), (4, 3), (5, 3), (8, 3)] {
                for nx in [16, 31, 32, 33, 63, 64, 65, 100, 128, 200usize] {
                    let line = if random.once_in(2) { nx * bytes } else { (nx * bytes).next_multiple_of(64) };
                    let tile = Tile {
                        x: Step { len: nx, src: (cell * bytes) as isize, dst: bytes as isize },
                        y: Step { len: ny, src: bytes as isize, dst: line as isize },
                        z: Step { len: 2, src: (nx * cell * bytes) as isize, dst: (line * ny) as isize },
                        valid_x: nx,
                        valid_y: ny,
                        stream: random.once_in(3),
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

/// [`check_copy`] for a tile with blocks: what it writes is what the parts write one by one.
pub(super) fn check_blocks(token: Token, bytes: usize, tile: &Tile, blocks: &Blocks, random: &mut Random) {
    let tile = &Tile { tables: Tables { blocks: Some(blocks), ..tile.tables }, ..*tile };
    let bytes_of_all = if blocks.src.len() > 16 { 1 << 17 } else { 1 << 16 };
    let mut src = vec![0; bytes_of_all];
    any_bytes(&mut src, random);
    let (mut found, mut expected) = (vec![SENTINEL; bytes_of_all], vec![SENTINEL; bytes_of_all]);
    let run = |token, src: *const u8, dst: *mut u8, tile: &Tile| match bytes {
        // SAFETY: the buffers are larger than all of these tiles.
        1 => unsafe { copy_on::<1>(token, src, dst, tile) },
        // SAFETY: as above.
        2 => unsafe { copy_on::<2>(token, src, dst, tile) },
        // SAFETY: as above.
        _ => unsafe { copy_on::<4>(token, src, dst, tile) },
    };
    run(token, src.as_ptr(), found.as_mut_ptr(), tile);
    for i in 0..blocks.parts() {
        let (from, to, part) = blocks.part(tile, i);
        // The reference has no kernels for blocks.
        let src = src.as_ptr().wrapping_offset(from);
        run(Token::Generic, src, expected.as_mut_ptr().wrapping_offset(to), &part);
    }
    assert!(found == expected, "{:?} {bytes} {tile:?}", token.cpu());
}
