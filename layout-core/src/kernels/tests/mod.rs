//! Every kernel of every family that this processor has against loops so plain that they need no proof: bit for bit,
//! the bytes around the tile included. Memory ends where the tile does, so that the address sanitizer sees a step too far.

mod convert;
mod copy;
mod few;
mod lines;
mod pieces;
mod rounding;
mod small;
mod tiles;

use super::cpu::{ALL, Token};
use super::tile::{Step, Tables, Tile};
use alloc::vec;
use alloc::vec::Vec;

/// What memory holds before, so that a byte that must not be touched can be told.
const SENTINEL: u8 = 0xA5;

/// The tokens of all families that this processor has.
fn tokens() -> impl Iterator<Item = Token> {
    ALL.into_iter().filter_map(Token::detect)
}

/// A sequence of numbers that is the same in every run (xorshift64*).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    /// Below `end`.
    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// Once in `n`.
    fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// A tile, and memory for one side of it that begins with the lowest byte of the tile and ends with the highest.
struct Side {
    /// Bytes from the lowest address to the tile's first element.
    first: usize,
    len: usize,
}

impl Side {
    /// For loops whose values lie at these distances.
    fn new(loops: [&[isize]; 3], bytes: usize) -> Side {
        let least = |distances: &[isize]| distances.iter().copied().min().unwrap_or(0).min(0);
        let most = |distances: &[isize]| distances.iter().copied().max().unwrap_or(0).max(0);
        let low: isize = loops.map(least).iter().sum();
        let high: isize = loops.map(most).iter().sum();
        Side { first: -low as usize, len: (high - low) as usize + bytes }
    }
}

/// The distances of the values of a loop, from `table` or by `stride`.
fn distances(table: Option<&[isize]>, len: usize, stride: isize) -> Vec<isize> {
    (0..len).map(|i| table.map_or(i as isize * stride, |table| table[i])).collect()
}

/// Runs `kernel` on `tile` and compares all of the destination with what `element` does one element at a time: it is
/// given the values of x, y and z, the bytes of an element of the source, and those of the destination, which hold zero.
fn check(
    name: &dyn core::fmt::Debug,
    (src_bytes, dst_bytes): (usize, usize),
    tile: &Tile,
    random: &mut Random,
    fill: impl FnOnce(&mut [u8], &mut Random),
    kernel: impl FnOnce(*const u8, *mut u8),
    element: impl Fn([usize; 3], &[u8], &mut [u8]),
) {
    let Tile { x, y, z, valid_x, valid_y, tables, .. } = *tile;
    let (x_src, x_dst) = (distances(tables.src_x, valid_x, x.src), distances(None, x.len, x.dst));
    let (y_src, y_dst) = (distances(None, valid_y, y.src), distances(tables.dst_y, y.len, y.dst));
    let (z_src, z_dst) = (distances(None, z.len, z.src), distances(None, z.len, z.dst));
    let from = Side::new([&x_src, &y_src, &z_src], src_bytes);
    let to = Side::new([&x_dst, &y_dst, &z_dst], dst_bytes);
    let (shift, front) = (random.below(64), 64 + random.below(64));
    let mut src = vec![0; shift + from.len];
    fill(&mut src[shift..], random);
    let mut found = vec![SENTINEL; front + to.len + 64];
    let mut expected = found.clone();
    kernel(src.as_ptr().wrapping_add(shift + from.first), found.as_mut_ptr().wrapping_add(front + to.first));
    for (k, &to_z) in z_dst.iter().enumerate() {
        for (j, &to_y) in y_dst.iter().enumerate() {
            let to = (front + to.first) as isize + to_z + to_y;
            for &to_x in &x_dst {
                let to = (to + to_x) as usize;
                expected[to..to + dst_bytes].fill(0);
            }
            if j < valid_y {
                let from = (shift + from.first) as isize + z_src[k] + y_src[j];
                for (i, (&from_x, &to_x)) in x_src.iter().zip(&x_dst).enumerate() {
                    let (from, to) = ((from + from_x) as usize, (to + to_x) as usize);
                    element([i, j, k], &src[from..from + src_bytes], &mut expected[to..to + dst_bytes]);
                }
            }
        }
    }
    // All at once: one by one takes most of the time where nothing is optimised.
    if found != expected
        && let Some(at) = (0..found.len()).find(|&at| found[at] != expected[at])
    {
        panic!(
            "{name:?} {src_bytes} -> {dst_bytes} {tile:?}: byte {} behind the first: {:#04x}, not {:#04x}",
            at as isize - (front + to.first) as isize,
            found[at],
            expected[at]
        );
    }
}

/// How the two sides lie to one another.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Shape {
    /// Contiguous along x on both sides.
    Rows,
    /// Contiguous along x in the destination, along y in the source.
    Crossed,
    /// The same, without a gap behind the pixels.
    Dense,
    /// Rows without a gap, with padding in the destination.
    Pixels,
    /// Rows of blocks of channels: the repetitions lie between two of them in the source, and behind all of them in the destination.
    Blocks,
    /// Crossed tiles of a few elements, whose repetitions are the innermost loop but one on both sides.
    Tiny,
    /// Gaps everywhere.
    Strided,
}

/// A tile of `nx` by `ny` elements with random strides, padding and repetitions.
fn tile(
    shape: Shape,
    (src, dst): (usize, usize),
    (nx, ny): (usize, usize),
    random: &mut Random,
) -> Tile<'static> {
    let mut valid_x = 1 + random.below(nx);
    // Strides of any number of bytes, and often ones that are a multiple of a line.
    let mut outer = |inside: usize| {
        let gap = match random.below(4) {
            _ if shape == Shape::Dense => 0,
            0 => 0,
            1 => random.below(70),
            2 => inside.next_multiple_of(64) - inside,
            _ => 8 * random.below(9),
        };
        let sign = if shape != Shape::Dense && random.once_in(4) { -1 } else { 1 };
        sign * (inside + gap) as isize
    };
    let (x_dst, mut x_src, mut y_dst, mut y_src);
    match shape {
        Shape::Rows | Shape::Blocks => {
            (x_src, x_dst) = (src as isize, dst as isize);
            (y_src, y_dst) = (outer(nx * src), outer(nx * dst));
        }
        Shape::Pixels => {
            (x_src, x_dst) = (src as isize, dst as isize);
            (y_src, y_dst) = ((valid_x * src) as isize, (nx * dst) as isize);
        }
        Shape::Crossed | Shape::Dense | Shape::Tiny => {
            (y_src, x_dst) = (src as isize, dst as isize);
            (x_src, y_dst) = (outer(ny * src), outer(nx * dst));
        }
        Shape::Strided => {
            (x_src, x_dst) = (outer(src), outer(dst));
            (y_src, y_dst) = (outer(nx * x_src.unsigned_abs()), outer(nx * x_dst.unsigned_abs()));
        }
    }
    let blocks = if ny > 100 { 3 } else { 150 };
    if shape == Shape::Blocks {
        (y_src, y_dst) = ((blocks * nx * src) as isize, (nx * dst) as isize);
    }
    let box_bytes = |x: isize, y: isize| nx * x.unsigned_abs() + ny * y.unsigned_abs();
    let inside = match shape {
        Shape::Tiny => [ny * src, nx * dst],
        _ => [box_bytes(x_src, y_src), box_bytes(x_dst, y_dst)],
    };
    let [mut z_src, mut z_dst] = inside.map(&mut outer);
    let mut z_len = 1 + random.below(2);
    if shape == Shape::Crossed && random.once_in(4) {
        // The repetitions continue x.
        z_len = 1 + random.below(if nx < 16 { 40 } else { 3 });
        (z_dst, y_dst) = ((nx * dst) as isize, y_dst * z_len as isize);
    }
    if shape == Shape::Blocks {
        z_len = blocks;
        (z_src, z_dst) = ((nx * src) as isize, (ny * nx * dst) as isize);
    }
    if shape == Shape::Tiny {
        let most = if random.once_in(8) { 400 } else { 40 };
        z_len = 3 + random.below(most);
        (x_src, y_dst) = (z_src * z_len as isize, z_dst * z_len as isize);
    }
    let mut part = |len: usize| if random.once_in(3) { random.below(len + 1) } else { len };
    if shape != Shape::Pixels {
        valid_x = part(nx);
    }
    Tile {
        valid_x,
        valid_y: part(ny),
        x: Step { len: nx, src: x_src, dst: x_dst },
        y: Step { len: ny, src: y_src, dst: y_dst },
        z: Step { len: z_len, src: z_src, dst: z_dst },
        stream: random.once_in(2),
        claims: random.once_in(2),
        tables: Tables::NONE,
        epilogue: None,
        token: Token::Generic,
    }
}

/// Any bytes.
fn any_bytes(memory: &mut [u8], random: &mut Random) {
    for chunk in memory.chunks_mut(4) {
        let bytes = random.next().to_le_bytes();
        let len = chunk.len();
        chunk.copy_from_slice(&bytes[..len]);
    }
}

/// Sizes along the second axis of a tile, around the sides of all squares; a few of them where nothing is optimised.
fn sizes(random: &mut Random) -> Vec<usize> {
    let all = [1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 48, 63, 64, 65, 70];
    let kept = if cfg!(debug_assertions) { 6 } else { 1 };
    all.into_iter().filter(|_| random.once_in(kept)).collect()
}
