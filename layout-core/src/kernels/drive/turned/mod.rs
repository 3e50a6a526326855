//! Crossed tiles of which a side holds two elements of 4 bits in a byte, by squares of whole lines of the source, for families
//! that have a way. Called by `packed`, which takes another way where this has none.

mod by_rows;
mod fours;
mod squares;
mod uneven;

pub(in super::super) use fours::{Four, Fours, fours};
#[cfg(target_arch = "x86_64")]
pub(in super::super) use uneven::Uneven;
pub(in super::super) use uneven::uneven;

use super::super::convert::Format;
use super::super::cpu::Token;
use super::super::epilogue::{Affine, Epilogue};
use super::super::tile::Tile;
#[cfg(target_arch = "x86_64")]
use super::super::x86_64;
use super::convert::numbers;
use by_rows::{by_rows, factor_of_rows, scaled_rows};
use squares::Squares;

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
        return unsafe { scaled_rows((way, token), one, numbers, 8 * to.bytes(), src, dst, tile) };
    }
    let Some(plan) = plan(token, turn) else { return (0, 0) };
    let whole = |len: usize, bits: usize| if bits == 4 { len / 2 * 2 } else { len };
    let len = [whole(tile.valid_x, plan.bits[1]), whole(tile.valid_y, plan.bits[0])];
    if len[0] < plan.side[0] || len[1] < plan.side[1] {
        return (0, 0);
    }
    let squares = Squares { plan, token, src, dst, tile, len };
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
