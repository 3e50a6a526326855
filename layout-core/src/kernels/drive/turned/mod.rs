//! Crossed tiles of which a side holds two elements of 4 bits in a byte, by squares of whole lines of the source, for families
//! that have a way. Called by `packed`, which takes another way where this has none.

mod by_rows;
mod fours;
mod uneven;

pub(in super::super) use fours::{Four, Fours, fours};
#[cfg(target_arch = "x86_64")]
pub(in super::super) use uneven::Uneven;
pub(in super::super) use uneven::uneven;

use core::mem::MaybeUninit;

use super::super::convert::Format;
use super::super::cpu::Token;
use super::super::epilogue::{Affine, Epilogue, PARAMETERS, Parameter};
use super::super::generic::{step, step_mut};
use super::super::tile::Tile;
#[cfg(target_arch = "x86_64")]
use super::super::x86_64;
use super::convert::numbers;
use by_rows::{by_rows, factor_of_rows, scaled_rows};

/// What is done to the elements besides.
#[derive(Clone, Copy)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "x86-64 alone reads it so far"))]
pub(in super::super) enum Turn {
    /// Nothing.
    Pairs,
    /// Bytes become elements of 4 bits: the lower halves, or the nearest values.
    Pack { nearest: bool, signed: bool },
    /// Elements of 4 bits become bytes.
    Unpack { signed: bool },
    /// Elements of 4 bits become floats.
    Convert(Format, Format),
}

/// Two blocks of rows of the source, and the lines of the destination that they become.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "x86-64 alone reads it so far"))]
pub(in super::super) struct Turned {
    /// The first row of each block; where they cannot lie anywhere, twice the same.
    pub(in super::super) rows: [*const u8; 2],
    /// Bytes between two rows.
    pub(in super::super) row: isize,
    /// The first line that each block becomes a part of.
    pub(in super::super) lines: [*mut u8; 2],
    /// Bytes between two lines.
    pub(in super::super) line: isize,
    /// The same of the next blocks, for loops that fetch these; where lines are streamed, none of them but a row again and again.
    pub(in super::super) next: [*const u8; 2],
    pub(in super::super) next_lines: [*const u8; 2],
    pub(in super::super) next_line: isize,
    /// The 16 results of the first line of each block, and bytes from those to the next line's.
    pub(in super::super) tables: [*const u8; 2],
    pub(in super::super) table: usize,
    /// Whether the lines, which are aligned, go past the caches.
    pub(in super::super) stream: bool,
}

/// A family's loop.
///
/// # Safety
/// A line of each row can be read: of 128 rows, or of 32 of each block; as many lines can be written as it says, where elements
/// are converted two for each byte of a row. With `stream` these are aligned. The tables can be read. Nothing overlaps.
type Way = unsafe fn(job: &Turned);

/// Writes tables of the 16 results that `map` makes of each of the numbers, for `count` lines, one after the other.
///
/// # Safety
/// The values of the map's rows can be read, and the tables written.
type Results = unsafe fn(numbers: &[f32; 16], map: Option<&Affine>, count: usize, to: *mut u8);

/// What elements of 4 bits are in bytes, with a sign and without.
pub(in super::super) static FROM_SIGNED: [u8; 16] =
    [0, 1, 2, 3, 4, 5, 6, 7, 248, 249, 250, 251, 252, 253, 254, 255];
pub(in super::super) static FROM_UNSIGNED: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// Bytes between two rows from which the processor does not see what is read next.
const FAR: usize = 1536;
/// Lines so far apart share a place of a first-level cache.
const PAGE: usize = 4096;
/// Lines of a square of unpacked elements.
const LINES: usize = 128;
/// Rows of a block.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "x86-64 alone reads it so far"))]
const ROWS: usize = 32;

/// How a family does it.
#[derive(Clone, Copy)]
struct Plan {
    way: Way,
    /// The same, which fetches the lines of the next blocks besides.
    fetching: Way,
    /// Rows of the source and lines of the destination of a square.
    side: [usize; 2],
    /// Whether a square has two blocks that may lie anywhere.
    is_split: bool,
    /// Bits of an element.
    bits: [usize; 2],
}

/// The plan of the family that `token` proves, if it has one.
fn plan(token: Token, turn: Turn) -> Option<Plan> {
    /// The same for each family, whose functions have the same names.
    #[cfg(target_arch = "x86_64")]
    macro_rules! plan_of {
        ($family:ident) => {{
            use x86_64::$family::{nibbles_from_bytes, nibbles_to_bytes, nibbles_to_lines, turn_nibbles};
            let squares = |[way, fetching]: [Way; 2], side, bits| {
                Some(Plan { way, fetching, side, is_split: false, bits })
            };
            match turn {
                Turn::Pairs => squares([turn_nibbles::<false>, turn_nibbles::<true>], [LINES, LINES], [4, 4]),
                Turn::Pack { nearest, signed } => {
                    let ways: [Way; 2] = match (nearest, signed) {
                        (false, _) => [
                            nibbles_from_bytes::<false, false, false>,
                            nibbles_from_bytes::<false, false, true>,
                        ],
                        (true, false) => [
                            nibbles_from_bytes::<true, false, false>,
                            nibbles_from_bytes::<true, false, true>,
                        ],
                        (true, true) => {
                            [nibbles_from_bytes::<true, true, false>, nibbles_from_bytes::<true, true, true>]
                        }
                    };
                    squares(ways, [LINES, 64], [8, 4])
                }
                Turn::Unpack { .. } => {
                    squares([nibbles_to_bytes::<false>, nibbles_to_bytes::<true>], [2 * ROWS, LINES], [4, 8])
                }
                Turn::Convert(_, to) => {
                    let way: Way = match to.bytes() {
                        2 => nibbles_to_lines::<2, true>,
                        _ => nibbles_to_lines::<4, true>,
                    };
                    let bits = [4, 8 * to.bytes()];
                    Some(Plan { way, fetching: way, side: [ROWS, LINES], is_split: true, bits })
                }
            }
        }};
    }
    match token {
        #[cfg(target_arch = "x86_64")]
        Token::Avx512(_) => plan_of!(avx512),
        #[cfg(target_arch = "x86_64")]
        Token::Avx2(_) => plan_of!(avx2),
        _ => {
            let _ = (token, turn);
            None
        }
    }
}

/// The family's results of type `to`, if it has such.
fn results(token: Token, to: Format) -> Option<Results> {
    match (token, to) {
        #[cfg(target_arch = "x86_64")]
        (Token::Avx512(_), Format::F32) => Some(x86_64::avx512::results_of_f32),
        #[cfg(target_arch = "x86_64")]
        (Token::Avx512(_), Format::F16) => Some(x86_64::avx512::results_of_f16),
        #[cfg(target_arch = "x86_64")]
        (Token::Avx512(token), Format::Bf16) if token.has_bf16() => Some(x86_64::avx512::native_results),
        #[cfg(target_arch = "x86_64")]
        (Token::Avx512(_), Format::Bf16) => Some(x86_64::avx512::results_of_bf16),
        #[cfg(target_arch = "x86_64")]
        (Token::Avx2(_), Format::F32) => Some(x86_64::avx2::results_of_f32),
        #[cfg(target_arch = "x86_64")]
        (Token::Avx2(_), Format::F16) => Some(x86_64::avx2::results_of_f16),
        #[cfg(target_arch = "x86_64")]
        (Token::Avx2(_), Format::Bf16) => Some(x86_64::avx2::results_of_bf16),
        _ => {
            let _ = (token, to);
            None
        }
    }
}

/// Moves the data from the first element on of as many x and y as it can; returns these numbers, 0 where it is none.
///
/// # Safety
/// The contract of [`Kernel`](super::super::tile::Kernel) for the data, where strides of a packed side are even numbers of elements,
/// and such elements are read and written with the byte that holds two of them. Along x the destination and along y the source is
/// contiguous.
pub(in super::super) unsafe fn turned(
    token: Token,
    turn: Turn,
    src: *const u8,
    dst: *mut u8,
    tile: &Tile<'_>,
) -> (usize, usize) {
    if let Turn::Convert(from, to) = turn
        && let Some(epilogue) = tile.epilogue
        && let Some((one, numbers)) = factor_of_rows(epilogue).zip(numbers(from))
    {
        let Some(way) = by_rows(token, to) else { return (0, 0) };
        // SAFETY: the caller's promise.
        return unsafe { scaled_rows(way, one, numbers, 8 * to.bytes(), src, dst, tile) };
    }
    let Some(plan) = plan(token, turn) else { return (0, 0) };
    let whole = |len: usize, bits: usize| if bits == 4 { len / 2 * 2 } else { len };
    let len = [whole(tile.valid_x, plan.bits[1]), whole(tile.valid_y, plan.bits[0])];
    if len[0] < plan.side[0] || len[1] < plan.side[1] {
        return (0, 0);
    }
    let squares = Squares { plan, src, dst, tile, len };
    match turn {
        Turn::Convert(from, to) => {
            let Some((results, numbers)) = results(token, to).zip(numbers(from)) else { return (0, 0) };
            let takes = |epilogue: &Epilogue| {
                let rows = epilogue.parameters.iter().flatten().all(|one| one.x == 0);
                rows && epilogue.beta == 0.0 && epilogue.rounding.is_none()
            };
            if !tile.epilogue.is_none_or(takes) {
                return (0, 0);
            }
            // SAFETY: the caller's promise, and the parameters were just looked at.
            unsafe { squares.converted(results, numbers, to.bytes()) };
        }
        Turn::Unpack { signed: true } => {
            // SAFETY: the caller's promise.
            unsafe { squares.each(false, |_, _| ([FROM_SIGNED.as_ptr(); 2], 0)) };
        }
        _ => {
            // SAFETY: the caller's promise.
            unsafe { squares.each(false, |_, _| ([FROM_UNSIGNED.as_ptr(); 2], 0)) };
        }
    }
    (len[0], len[1])
}

/// The squares of a tile, of which the last ones overlap those before.
struct Squares<'a> {
    plan: Plan,
    src: *const u8,
    dst: *mut u8,
    tile: &'a Tile<'a>,
    /// Elements along x and y.
    len: [usize; 2],
}

/// The results of the lines of a block.
#[repr(align(64))]
struct Tables(#[allow(dead_code, reason = "written and read by address")] [MaybeUninit<u8>; 64 * LINES]);

impl Squares<'_> {
    /// Moves each square: all of the same rows before the next, or `blocks_first` all of the same lines; `tables` says where the
    /// results of its blocks are, given where they begin along y, and along x and z, and how far the next line's are.
    ///
    /// # Safety
    /// That of [`turned`]; the tables can be read.
    #[inline(always)]
    unsafe fn each(
        &self,
        blocks_first: bool,
        mut tables: impl FnMut(usize, [[usize; 2]; 2]) -> ([*const u8; 2], usize),
    ) {
        let Squares { plan, tile, .. } = *self;
        let [src_bits, dst_bits] = plan.bits;
        let bytes = |stride: isize, bits: usize| if bits == 4 { stride >> 1 } else { stride };
        let (row, line) = (bytes(tile.x.src, src_bits), bytes(tile.y.dst, dst_bits));
        let [across, along] = [0, 1].map(|i| self.len[i].div_ceil(plan.side[i]));
        let blocks = across * tile.z.len;
        // Where lines are waited for, all that comes next is asked for.
        let way = if row.unsigned_abs() >= FAR || tile.claims { plan.fetching } else { plan.way };
        let place = |y: usize| (y * plan.side[1]).min(self.len[1] - plan.side[1]);
        // The first row and line of a block, and its place along x and z.
        let at = |y: usize, block: usize| {
            let block = block.min(blocks - 1);
            // Without a division, as long as many a load, where there is nothing to divide.
            let (z, x) = if tile.z.len == 1 { (0, block) } else { (block / across, block % across) };
            let x = (x * plan.side[0]).min(self.len[0] - plan.side[0]);
            let from = step(step(self.src, z, bytes(tile.z.src, src_bits)), x, row);
            let to = step_mut(self.dst, z, bytes(tile.z.dst, dst_bits)).wrapping_add(x * dst_bits / 8);
            (from.wrapping_add(y * src_bits / 8), step_mut(to, y, line), [x, z])
        };
        let both = |y: usize, block: usize| {
            let first = at(y, block);
            [first, if plan.is_split { at(y, block + 1) } else { first }]
        };
        let mut square = |y: usize, block: usize, next: (usize, usize)| {
            let y = place(y);
            let (here, next) = (both(y, block), both(place(next.0.min(along - 1)), next.1));
            let lines = here.map(|one| one.1);
            let (tables, table) = tables(y, here.map(|one| one.2));
            let aligned = (lines[0].addr() | lines[1].addr() | line as usize).is_multiple_of(64);
            let (stream, next_rows) = (tile.stream && aligned, next.map(|one| one.0));
            // Lines that share a place of the caches would drive one another out before they are written.
            let alone = plan.bits[0] == 8 && (line as usize).is_multiple_of(PAGE);
            let (next_lines, next_line) = match stream || alone {
                true => (next_rows, 0),
                false => (next.map(|one| one.1.cast_const()), line),
            };
            let job = Turned {
                rows: here.map(|one| one.0),
                row,
                lines,
                line,
                next: next_rows,
                next_lines,
                next_line,
                tables,
                table,
                stream,
            };
            // SAFETY: the square lies in the tile; the caller's promise.
            unsafe { way(&job) };
        };
        let count = if plan.is_split { 2 } else { 1 };
        if blocks_first {
            for y in 0..along {
                for block in (0..blocks).step_by(count) {
                    let next = if block + count < blocks { (y, block + count) } else { (y + 1, 0) };
                    square(y, block, next);
                }
            }
        } else {
            // Lines whose other half, or the next, would have to be asked for again are written side by side.
            let aside = match plan.bits {
                [4, 8] => 2,
                [4, 4] if (line as usize).is_multiple_of(PAGE / 2) => 2,
                _ => 1,
            };
            for first in (0..blocks).step_by(aside * count) {
                let end = if blocks - first < aside * count { blocks } else { first + aside * count };
                for y in 0..along {
                    for block in (first..end).step_by(count) {
                        let next = match (block + count < end, y + 1 < along) {
                            (true, _) => (y, block + count),
                            (false, true) => (y + 1, first),
                            (false, false) => (0, end),
                        };
                        square(y, block, next);
                    }
                }
            }
        }
    }

    /// [`Squares::each`] with tables of results of `bytes` bytes each, which `results` writes. No parameter differs along x.
    ///
    /// # Safety
    /// That of [`turned`].
    #[inline(never)]
    unsafe fn converted(&self, results: Results, numbers: &[f32; 16], bytes: usize) {
        let mut tables = [const { MaybeUninit::<Tables>::uninit() }; 2];
        let mut lanes = [[MaybeUninit::<f32>::uninit(); LINES]; PARAMETERS];
        let parameters = self.tile.epilogue.map(|epilogue| &epilogue.parameters);
        let differs = |along: fn(&Parameter) -> usize| {
            parameters.is_some_and(|all| all.iter().flatten().any(|one| along(one) > 0))
        };
        let (by_y, by_z) = (differs(|one| one.y), differs(|one| one.z));
        let count = if by_y { LINES } else { 1 };
        // A table that differs along z alone serves all lines of a block.
        let blocks_first = by_y || !by_z;
        let mut written = [None; 2];
        let each = |y: usize, places: [[usize; 2]; 2]| {
            let places = places.map(|[_, z]| z);
            // Blocks that have the same parameters share a table.
            let of = |z: usize| (if by_y { y } else { 0 }, if by_z { z } else { 0 });
            let keys = places.map(of);
            let at = [0, if keys[0] == keys[1] { 0 } else { 1 }].map(|i: usize| {
                let to = tables[i].as_mut_ptr().cast::<u8>();
                if written[i] != Some(keys[i]) {
                    let mut map = Affine::neutral();
                    for (k, one) in parameters.into_iter().flatten().enumerate() {
                        let Some(one) = one else { continue };
                        let first = one.at.get() + y * one.y + places[i] * one.z;
                        let values = &mut lanes[k][..if one.y > 0 { LINES } else { 1 }];
                        // SAFETY: the caller's promise: 6. of the kernel's contract.
                        unsafe { one.values.write(first, one.y, values) };
                        (map.at[k], map.row[k]) = (values.as_ptr().cast(), usize::from(one.y > 0));
                    }
                    // SAFETY: the values were just written; a buffer has room for the results of all lines.
                    unsafe { results(numbers, parameters.map(|_| &map), count, to) };
                    written[i] = Some(keys[i]);
                }
                to.cast_const()
            });
            (at, if by_y { 16 * bytes } else { 0 })
        };
        // SAFETY: the caller's promise; the tables were written.
        unsafe { self.each(blocks_first, each) };
    }
}
