//! Short rows and single elements in every order of their loops, beside one another and in gaps, on lines and off them: what
//! `drive::grid` chooses by. The destination is compared as a whole, so that what is written past a piece shows. And crossed
//! tiles whose lines lie far apart in the destination, or are a few out of wider blocks: what `drive::cross::strips` chooses by.

use super::super::copy_on;
use super::super::cpu::Token;
use super::super::tile::Blocks;
use super::copy::check_copy;
use super::*;

/// Memory that begins with a line.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Line([u8; 64]);

/// The strides of three loops whose pieces of `piece` bytes lie beside one another in this order, innermost first, each
/// loop `gap` bytes further apart than it needs; and the bytes of all.
fn strides(order: [usize; 3], counts: [usize; 3], piece: usize, gap: usize) -> ([isize; 3], usize) {
    let (mut strides, mut bytes) = ([0; 3], piece);
    for at in order {
        bytes += gap;
        strides[at] = bytes as isize;
        bytes *= counts[at];
    }
    (strides, bytes)
}

/// Moves pieces of `len` elements of `bytes` bytes with the strides of both sides, and compares with a loop.
fn check_pieces(
    token: Token,
    (bytes, len): (usize, usize),
    counts: [usize; 3],
    (src, src_bytes): ([isize; 3], usize),
    (dst, dst_bytes): ([isize; 3], usize),
    (shift, stream): (usize, bool),
) {
    let loops: [Step; 3] = core::array::from_fn(|i| Step { len: counts[i], src: src[i], dst: dst[i] });
    let step = Step { len, src: bytes as isize, dst: bytes as isize };
    // A piece of one element is x itself.
    let [z, y, x] = if len == 1 { loops } else { [loops[0], loops[1], step] };
    let tile = Tile {
        x,
        y,
        z,
        valid_x: x.len,
        valid_y: y.len,
        stream,
        claims: !stream,
        tables: Tables::NONE,
        epilogue: None,
        token,
    };
    let from: Vec<u8> = (0..src_bytes + 64).map(|i| (i * 7 + i / 251) as u8).collect();
    let mut to = vec![Line([SENTINEL; 64]); (dst_bytes + shift).div_ceil(64) + 1];
    let start = to.as_mut_ptr().cast::<u8>().wrapping_add(shift);
    match bytes {
        // SAFETY: both sides have as many bytes as their loops reach.
        1 => unsafe { copy_on::<1>(token, from.as_ptr(), start, &tile) },
        // SAFETY: as above.
        2 => unsafe { copy_on::<2>(token, from.as_ptr(), start, &tile) },
        // SAFETY: as above.
        4 => unsafe { copy_on::<4>(token, from.as_ptr(), start, &tile) },
        // SAFETY: as above.
        8 => unsafe { copy_on::<8>(token, from.as_ptr(), start, &tile) },
        // SAFETY: as above.
        _ => unsafe { copy_on::<16>(token, from.as_ptr(), start, &tile) },
    }
    super::super::fence();
    let found: Vec<u8> = to.iter().flat_map(|line| line.0).collect();
    let mut expected = vec![SENTINEL; found.len()];
    let third = if len == 1 { counts[2] } else { 1 };
    for i in 0..counts[0] {
        for j in 0..counts[1] {
            for k in 0..third {
                let at = |strides: [isize; 3]| {
                    i * strides[0] as usize + j * strides[1] as usize + k * strides[2] as usize
                };
                let (src_at, dst_at) = (at(src), at(dst) + shift);
                expected[dst_at..][..len * bytes].copy_from_slice(&from[src_at..][..len * bytes]);
            }
        }
    }
    let wrong = (0..found.len()).find(|&at| found[at] != expected[at]);
    assert_eq!(wrong, None, "{:?} pieces of {len} times {bytes} bytes {tile:?}", token.cpu());
}

const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

#[test]
fn rows_in_any_order() {
    let mut random = Random(0x91D);
    for token in tokens() {
        for bytes in [1, 2, 4, 8, 16] {
            for len in 2..=64 / bytes {
                for _ in 0..6 {
                    let counts = [[1, 2, 3, 5, 70], [2, 4, 9, 33, 65]].map(|all| all[random.below(5)]);
                    let counts =
                        if random.once_in(2) { [counts[0], counts[1], 1] } else { [counts[1], counts[0], 1] };
                    let mut side = |gaps: [usize; 3]| {
                        strides(ORDERS[random.below(6)], counts, len * bytes, gaps[random.below(3)])
                    };
                    let (src, dst) = (side([0, 1, 24]), side([0, 0, 64]));
                    let place = ([0, 0, 16, 3][random.below(4)], !random.once_in(3));
                    check_pieces(token, (bytes, len), counts, src, dst, place);
                }
            }
        }
    }
}

/// Halves and quarters of lines that share lines on both sides, past the caches or not; whole squares of them and some that are
/// left.
#[test]
fn pieces_in_squares() {
    for token in tokens() {
        for (bytes, piece) in [(1, 16), (4, 16), (2, 32), (4, 32)] {
            let side = 64 / piece;
            for (across, down) in [(side, side), (2 * side, 9 * side), (5 * side + 1, 4 * side)] {
                // Those of the first loop follow one another in the source, those of the second in the destination.
                let counts = [across, down, 1];
                let src = strides([0, 1, 2], counts, piece, 0);
                let dst = strides([1, 0, 2], counts, piece, 0);
                for place in [(0, true), (0, false), (piece / 2, true)] {
                    check_pieces(token, (bytes, piece / bytes), counts, src, dst, place);
                }
            }
        }
    }
}

#[test]
fn elements_in_any_order() {
    let mut random = Random(0xE1E);
    for token in tokens() {
        for bytes in [1, 2, 4, 8, 16] {
            for _ in 0..150 {
                let counts = core::array::from_fn(|_| [1, 2, 3, 5, 17, 40][random.below(6)]);
                let mut side =
                    |gaps: [usize; 4]| strides(ORDERS[random.below(6)], counts, bytes, gaps[random.below(4)]);
                let (src, dst) = (side([0, 1, bytes, 5 * bytes]), side([0, 0, 0, 48]));
                let place = ([0, 0, 16, 3][random.below(4)], !random.once_in(3));
                check_pieces(token, (bytes, 1), counts, src, dst, place);
            }
        }
    }
}

/// Every second element, three of sixteen, and others that lie in gaps and leave them.
#[test]
fn out_of_gaps() {
    for token in tokens() {
        for bytes in [1, 2, 4, 8] {
            for len in 1..=8 / bytes {
                for gap in (bytes..=40 - len * bytes).step_by(bytes) {
                    for count in [15, 16, 17, 31, 64, 333, 700] {
                        let pitch = (len * bytes + gap) as isize;
                        let src = ([pitch * count as isize, pitch, pitch], pitch as usize * count * 2);
                        let dense = (len * bytes) as isize;
                        let dst = ([dense * count as isize, dense, dense], len * bytes * count * 2);
                        let counts = if len == 1 { [2, 1, count] } else { [2, count, 1] };
                        check_pieces(token, (bytes, len), counts, src, dst, (3, false));
                    }
                }
            }
        }
    }
}

/// Pieces at several places: those of half a line and a quarter of one are turned in squares, the others are not.
#[test]
fn rows_at_places() {
    let mut random = Random(0x91ACE);
    for token in tokens() {
        for len in [16, 20, 32, 48, 64] {
            for _ in 0..if cfg!(debug_assertions) { 20 } else { 60 } {
                let counts = [[1, 2, 3, 8, 9, 17], [2, 4, 7, 8, 16, 21], [1, 2, 3, 5, 6, 8]]
                    .map(|all| all[random.below(6)]);
                let mut side =
                    |gaps: [usize; 3]| strides(ORDERS[random.below(6)], counts, len, gaps[random.below(3)]);
                let ((src, src_bytes), (dst, dst_bytes)) = (side([0, 4, 64]), side([0, 4, 4096]));
                let at = |stride: isize| (0..counts[2] as isize).map(|i| i * stride).collect::<Vec<_>>();
                let (src_at, dst_at) = (at(src[2]), at(dst[2]));
                let loops: [Step; 2] =
                    core::array::from_fn(|i| Step { len: counts[i], src: src[i], dst: dst[i] });
                let x = Step { len: len / 4, src: 4, dst: 4 };
                let blocks = Blocks { src: &src_at, dst: &dst_at, valid_z: loops[0].len };
                let tile = Tile {
                    x,
                    y: loops[1],
                    z: loops[0],
                    valid_x: x.len,
                    valid_y: loops[1].len,
                    stream: random.once_in(3),
                    claims: random.once_in(2),
                    tables: Tables { blocks: Some(&blocks), ..Tables::NONE },
                    epilogue: None,
                    token,
                };
                let shift = [0, 0, 16, 3][random.below(4)];
                let from: Vec<u8> = (0..src_bytes).map(|i| (i * 7 + i / 251) as u8).collect();
                let mut to = vec![Line([SENTINEL; 64]); (dst_bytes + shift).div_ceil(64) + 1];
                let start = to.as_mut_ptr().cast::<u8>().wrapping_add(shift);
                // SAFETY: both sides have as many bytes as their loops and places reach.
                unsafe { copy_on::<4>(token, from.as_ptr(), start, &tile) };
                super::super::fence();
                let found: Vec<u8> = to.iter().flat_map(|line| line.0).collect();
                let mut expected = vec![SENTINEL; found.len()];
                for (i, j, k) in (0..counts[0])
                    .flat_map(|i| (0..counts[1]).flat_map(move |j| (0..counts[2]).map(move |k| (i, j, k))))
                {
                    let at = |strides: [isize; 3]| {
                        i * strides[0] as usize + j * strides[1] as usize + k * strides[2] as usize
                    };
                    expected[at(dst) + shift..][..len].copy_from_slice(&from[at(src)..][..len]);
                }
                assert!(found == expected, "{:?} pieces of {len} bytes {tile:?}", token.cpu());
            }
        }
    }
}

/// A crossed tile of `nx` values `pitch` bytes apart in the source, whose lines lie `line` bytes apart.
pub(super) fn crossed(
    bytes: usize,
    (nx, ny): (usize, usize),
    pitch: usize,
    line: usize,
    z: usize,
) -> Tile<'static> {
    Tile {
        x: Step { len: nx, src: pitch as isize, dst: bytes as isize },
        y: Step { len: ny, src: bytes as isize, dst: line as isize },
        z: Step { len: z, src: (pitch * nx) as isize, dst: (line * ny) as isize },
        valid_x: nx,
        valid_y: ny,
        stream: false,
        claims: true,
        tables: Tables::NONE,
        epilogue: None,
        token: Token::Generic,
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
                    let line = usize::max(nx * bytes, 4096).next_multiple_of([1, 64, 128][random.below(3)]);
                    let tile = crossed(bytes, (nx, ny), pitch, line, 1 + random.below(2));
                    check_copy(
                        token,
                        bytes,
                        &Tile { stream: random.once_in(3), claims: random.once_in(2), ..tile },
                        &mut random,
                    );
                    if random.once_in(4) {
                        check_copy(token, bytes, &Tile { valid_x: nx - 3, ..tile }, &mut random);
                    }
                }
            }
        }
    }
}

/// Squares for rows of the source that compete for the same places of a cache, after one another along x and along y.
#[test]
fn crowded_squares() {
    let mut random = Random(0xC0);
    for token in tokens() {
        for bytes in [1usize, 2, 4] {
            let side = 64 / bytes;
            for (nx, ny) in [
                (side, 8 * side),
                (2 * side, 8 * side + 5),
                (2 * side + 3, 9 * side - 1),
                (8 * side + 1, side + 1),
                (9 * side, 2 * side),
                (8 * side + 5, 8 * side + 1),
            ] {
                let pitch = (ny * bytes).next_multiple_of(4096);
                let line =
                    (nx * bytes).next_multiple_of(4096) + 64 * random.below(2) + bytes * random.below(2);
                check_copy(token, bytes, &crossed(bytes, (nx, ny), pitch, line, 1), &mut random);
            }
        }
    }
}

/// Squares of planes that become pixels, whose lines begin on lines of memory or off them.
#[test]
fn squares_of_planes() {
    let mut random = Random(0x9147);
    for token in tokens() {
        for bytes in [2usize, 4] {
            let side = 64 / bytes;
            for nx in [2 * side, 3 * side, 4 * side] {
                for ny in [8 * side, 8 * side + 1, 9 * side - 1, 11 * side + random.below(side)] {
                    let pitch = usize::max(ny * bytes, 2048) + [0, bytes, 64][random.below(3)];
                    let line = nx * bytes + [0, 64, bytes][random.below(3)];
                    let tile = crossed(bytes, (nx, ny), pitch, line, 1 + random.below(2));
                    check_copy(token, bytes, &tile, &mut random);
                }
            }
        }
    }
}

/// Squares of pixels that become planes far from one another, and the few values that are left of them.
#[test]
fn squares_of_pixels() {
    let mut random = Random(0x91E1);
    for token in tokens() {
        for bytes in [1usize, 2, 4] {
            let side = 64 / bytes;
            for ny in [1, 2, 3, side / 4, side / 4 + 1, side / 2, side / 2 + 1, side - 1, side] {
                for nx in [8 * side, 8 * side + 1, 9 * side - 1, 11 * side + random.below(side)] {
                    let ny = ny + side * (1 + random.below(2));
                    let pitch =
                        (ny * bytes).next_multiple_of([bytes, 64][random.below(2)]) + 64 * random.below(2);
                    let line = usize::max(nx * bytes, 2048).next_multiple_of([1, 64][random.below(2)]);
                    let mut tile = crossed(bytes, (nx, ny), pitch, line, 1 + random.below(2));
                    if random.once_in(4) {
                        (tile.x.src, tile.z.src) = (-tile.x.src, 8);
                    }
                    if random.once_in(4) {
                        (tile.y.dst, tile.z.dst) = (-tile.y.dst, -tile.z.dst);
                    }
                    check_copy(token, bytes, &tile, &mut random);
                    if random.once_in(4) {
                        check_copy(
                            token,
                            bytes,
                            &Tile { valid_x: nx - 3, valid_y: ny - 1, ..tile },
                            &mut random,
                        );
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

/// Lines of 16, 32 and 64 bytes that follow one another, whole and half lines of the source; whose rows compete for the same places
/// of a cache or not.
#[test]
fn without_gaps() {
    let mut random = Random(0x9A95);
    for token in tokens() {
        for bytes in [1, 2, 4] {
            for width in [16, 32, 64] {
                for ny in 60 / bytes..=200 / bytes {
                    let gap = [0, 2048, 4096 - ny * bytes][random.below(3)];
                    let (nx, pitch) = (width / bytes, ny * bytes + gap);
                    let tile = crossed(bytes, (nx, ny), pitch, width, 1 + random.below(2));
                    check_copy(
                        token,
                        bytes,
                        &Tile { stream: random.once_in(3), claims: random.once_in(2), ..tile },
                        &mut random,
                    );
                }
            }
        }
    }
}
