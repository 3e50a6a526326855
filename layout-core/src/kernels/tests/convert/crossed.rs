//! Crossed tiles: ordinary numbers and a doubtful one among them, and strides at which lines compete for places of a cache.

use super::super::super::convert::{Bf16, Convert, F16, Number};
use super::super::super::drive::Conversion;
use super::super::*;
use super::{check_pair, element, scaled_tile};

/// Ordinary numbers: ties and their neighbours, zeros, subnormal numbers, and those up to the bounds of s32.
fn ordinary(memory: &mut [u8], random: &mut Random) {
    for bytes in memory.chunks_exact_mut(4) {
        let any = random.next() as u32;
        let number = match random.below(5) {
            0 => f32::from_bits(any & 0x8000_0000),
            1 => f32::from_bits(any & 0x807F_FFFF),
            2 => f32::from_bits((any << 31) | (0x4EFF_FFFF - (any >> 4) % 0x1000_0000)),
            3 => f32::from_bits(any & 0xBFFF_0000 | [0x7FFF, 0x8000, 0x8001][random.below(3)]),
            _ => random.below(1200) as f32 / 2.0 - 300.0,
        };
        let is_small = number.abs() < 2_147_483_648.0;
        bytes.copy_from_slice(&if is_small { number } else { 0.5 }.to_ne_bytes());
    }
}

/// Crossed tiles of such numbers; where `doubtful`, with one that is NaN, infinite or beyond the bounds.
fn ordinary_tiles<D: Number>(token: Token, random: &mut Random)
where
    f32: Convert<D>,
{
    const DOUBTFUL: [u32; 7] =
        [0x7F80_0000, 0xFF80_0000, 0x7F80_0001, 0xFFFF_FFFF, 0x4F00_0000, 0xCF00_0000, 0x7F7F_FFFF];
    let sizes = [(16, 48), (16, 35), (32, 16), (33, 70), (64, 16), (70, 33), (90, 64), (64, 300), (130, 90)];
    for (nx, ny) in sizes {
        for doubtful in [false, true] {
            let shape = if random.once_in(4) { Shape::Crossed } else { Shape::Dense };
            let plain = tile(shape, (4, size_of::<D>()), (nx, ny), random);
            let tile = Tile { valid_x: nx, valid_y: ny, ..plain };
            let numbers = |memory: &mut [u8], random: &mut Random| {
                ordinary(memory, random);
                let at = random.below(memory.len() / 4);
                if doubtful && let Some(bytes) = memory.chunks_exact_mut(4).nth(at) {
                    bytes.copy_from_slice(&DOUBTFUL[random.below(DOUBTFUL.len())].to_ne_bytes());
                }
            };
            let conversion = Conversion::new(token, f32::FORMAT, D::FORMAT, None);
            // SAFETY: `check` gives memory for all of the tile on both sides, apart from one another.
            let kernel = |src, dst| unsafe { conversion.run(src, dst, &tile) };
            let name = (token.cpu(), D::FORMAT, doubtful);
            let bytes = (4, size_of::<D>());
            check(&name, bytes, &tile, random, numbers, kernel, |_, from, to| element::<f32, D>(from, to));
        }
    }
}

#[test]
fn crossed_tiles_of_ordinary_numbers() {
    let mut random = Random(0x0D1);
    for token in tokens() {
        for _ in 0..if cfg!(debug_assertions) { 1 } else { 8 } {
            ordinary_tiles::<Bf16>(token, &mut random);
            ordinary_tiles::<i8>(token, &mut random);
            ordinary_tiles::<u8>(token, &mut random);
        }
    }
}

/// Bytes between two rows of the source and between two lines of the destination, or multiples of that.
#[cfg(target_arch = "x86_64")]
const STRIDES: [(usize, usize); 9] = [
    (1024, 2048),
    (4096, 4096),
    (256, 512),
    (512, 1024),
    (196, 1024),
    (4096, 256),
    (100, 404),
    (389, 4096),
    (1008, 960),
];

/// Tiles of all sizes at these strides, with parameters and without.
#[cfg(target_arch = "x86_64")]
fn competing<S: Number + Convert<D> + Convert<f32>, D: Number>(token: Token, random: &mut Random)
where
    f32: Convert<D>,
    f64: Convert<S>,
{
    let (src, dst) = (size_of::<S>(), size_of::<D>());
    for (row, line) in STRIDES {
        if cfg!(debug_assertions) && !random.once_in(5) {
            continue;
        }
        let nx = [16, 24, 32, 33, 64, 100, 130, 271, 300, 520][random.below(10)];
        let ny = [16, 17, 24, 40, 64, 70, 129, 200][random.below(8)];
        let part = |len: usize, random: &mut Random| match random.below(4) {
            0 => random.below(len + 1),
            _ => len,
        };
        let tile = Tile {
            x: Step { len: nx, src: row as isize, dst: dst as isize },
            y: Step { len: ny, src: src as isize, dst: (nx * dst).next_multiple_of(line) as isize },
            z: Step { len: 1, src: 0, dst: 0 },
            valid_x: part(nx, random),
            valid_y: part(ny, random),
            stream: random.once_in(4),
            claims: random.once_in(2),
            tables: Tables::NONE,
            epilogue: None,
            token,
        };
        check_pair::<S, D>(token, &tile, random);
        scaled_tile::<S, D>(token, &tile, random);
    }
}

/// In the order of each maker of processors.
#[cfg(target_arch = "x86_64")]
#[test]
fn crossed_tiles_that_compete() {
    let mut random = Random(0xC0);
    for in_turn in [true, false] {
        super::super::super::x86_64::assume(in_turn);
        for token in tokens() {
            for _ in 0..if cfg!(debug_assertions) { 1 } else { 3 } {
                competing::<i8, f32>(token, &mut random);
                competing::<u8, f32>(token, &mut random);
                competing::<Bf16, f32>(token, &mut random);
                competing::<F16, f32>(token, &mut random);
                competing::<f32, i8>(token, &mut random);
                competing::<f32, u8>(token, &mut random);
                competing::<f32, Bf16>(token, &mut random);
                competing::<f32, F16>(token, &mut random);
                competing::<u8, Bf16>(token, &mut random);
                competing::<i8, F16>(token, &mut random);
                competing::<i8, Bf16>(token, &mut random);
                competing::<u8, F16>(token, &mut random);
                competing::<Bf16, u8>(token, &mut random);
                competing::<Bf16, i8>(token, &mut random);
                competing::<F16, u8>(token, &mut random);
                competing::<F16, i8>(token, &mut random);
                competing::<F16, Bf16>(token, &mut random);
                competing::<Bf16, F16>(token, &mut random);
            }
        }
    }
}

/// A few planes to pixels that are longer, with parameters and without.
fn padded_pixels<S: Number + Convert<D> + Convert<f32>, D: Number>(token: Token, random: &mut Random)
where
    f32: Convert<D>,
    f64: Convert<S>,
{
    let (src, dst) = (size_of::<S>(), size_of::<D>());
    for nx in [4, 8, 16] {
        for valid_x in 1..=4 {
            let ny = [16, 17, 40, 64, 201][random.below(5)];
            let row = (ny * src + random.below(20)) as isize;
            let line = (nx * dst) as isize;
            let tile = Tile {
                x: Step { len: nx, src: row, dst: dst as isize },
                y: Step { len: ny, src: src as isize, dst: line },
                z: Step { len: 2, src: row * nx as isize, dst: line * ny as isize },
                valid_x,
                valid_y: ny,
                stream: random.once_in(3),
                claims: random.once_in(2),
                tables: Tables::NONE,
                epilogue: None,
                token,
            };
            check_pair::<S, D>(token, &tile, random);
            for _ in 0..3 {
                scaled_tile::<S, D>(token, &tile, random);
            }
        }
    }
}

#[test]
fn planes_to_padded_pixels() {
    let mut random = Random(0x9A);
    for token in tokens() {
        for _ in 0..if cfg!(debug_assertions) { 1 } else { 8 } {
            padded_pixels::<i8, f32>(token, &mut random);
            padded_pixels::<u8, f32>(token, &mut random);
            padded_pixels::<i8, Bf16>(token, &mut random);
            padded_pixels::<u8, Bf16>(token, &mut random);
            padded_pixels::<i8, F16>(token, &mut random);
            padded_pixels::<u8, F16>(token, &mut random);
            padded_pixels::<f32, Bf16>(token, &mut random);
        }
    }
}

/// Pixels of a few bytes, of which all or the first are planes of the destination, with parameters and without.
fn planes_of_pixels<S: Number + Convert<D> + Convert<f32>, D: Number>(token: Token, random: &mut Random)
where
    f32: Convert<D>,
    f64: Convert<S>,
{
    let dst = size_of::<D>();
    for pixel in 2..=4 {
        for ny in 1..=pixel {
            let nx = [32, 33, 48, 64, 79, 255, 256, 300, 1023][random.below(9)];
            // Some lines follow one another, some begin where all do, some anywhere.
            let line =
                [nx * dst, (nx * dst).next_multiple_of(64), nx * dst + random.below(70)][random.below(3)];
            let tile = Tile {
                x: Step { len: nx, src: pixel as isize, dst: dst as isize },
                y: Step { len: ny, src: 1, dst: line as isize },
                z: Step {
                    len: 2,
                    src: (nx * pixel + random.below(9)) as isize,
                    dst: (line * ny).next_multiple_of(64) as isize,
                },
                valid_x: if random.once_in(6) { random.below(nx + 1) } else { nx },
                valid_y: if random.once_in(6) { random.below(ny + 1) } else { ny },
                stream: random.once_in(3),
                claims: random.once_in(2),
                tables: Tables::NONE,
                epilogue: None,
                token,
            };
            check_pair::<S, D>(token, &tile, random);
            for _ in 0..4 {
                scaled_tile::<S, D>(token, &tile, random);
            }
        }
    }
}

#[test]
fn pixels_to_planes() {
    let mut random = Random(0x91A);
    for token in tokens() {
        for _ in 0..if cfg!(debug_assertions) { 1 } else { 12 } {
            planes_of_pixels::<i8, f32>(token, &mut random);
            planes_of_pixels::<u8, f32>(token, &mut random);
            planes_of_pixels::<i8, Bf16>(token, &mut random);
            planes_of_pixels::<u8, Bf16>(token, &mut random);
            planes_of_pixels::<i8, F16>(token, &mut random);
            planes_of_pixels::<u8, F16>(token, &mut random);
            planes_of_pixels::<u8, i8>(token, &mut random);
        }
    }
}
