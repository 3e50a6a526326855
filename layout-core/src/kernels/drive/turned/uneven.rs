//! Crossed tiles of elements of 4 bits of which rows or lines begin with half a byte, by squares of whole lines of the source, for
//! families that have a way. Called by `packed`, which takes another way where this has none.

use super::super::super::cpu::Token;
use super::super::super::tile::Tile;
#[cfg(target_arch = "x86_64")]
use super::super::super::x86_64;
use super::FAR;

/// Pairs of rows of the source, and lines of the destination that have the same half of the bytes.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "x86-64 alone reads it so far"))]
pub(in super::super::super) struct Uneven {
    /// The bytes of the first two rows with their first element.
    pub(in super::super::super) rows: [*const u8; 2],
    /// Whether that and every other element that is taken is in the upper half.
    pub(in super::super::super) upper: [bool; 2],
    /// Bytes from a row to the next but one.
    pub(in super::super::super) row: isize,
    /// The first line: a byte holds an element of each of two rows.
    pub(in super::super::super) lines: *mut u8,
    /// Bytes from a line to the next that is written.
    pub(in super::super::super) line: isize,
    /// Where the rows and lines of the next square begin, for loops that fetch these.
    pub(in super::super::super) next: ([*const u8; 2], *const u8),
}

/// Pairs of rows, and lines, of a square.
const SIDE: usize = 64;

/// The family's loop, if it has one: it turns a square.
///
/// # Safety
/// The loop asks for 64 bytes of each of 64 pairs of rows that can be read, and of 64 lines that can be written.
fn way(token: Token, fetches: bool) -> Option<unsafe fn(job: &Uneven)> {
    match token {
        #[cfg(target_arch = "x86_64")]
        Token::Avx512(_) if fetches => Some(x86_64::avx512::turn_uneven::<true>),
        #[cfg(target_arch = "x86_64")]
        Token::Avx512(_) => Some(x86_64::avx512::turn_uneven::<false>),
        #[cfg(target_arch = "x86_64")]
        Token::Avx2(_) if fetches => Some(x86_64::avx2::turn_uneven::<true>),
        #[cfg(target_arch = "x86_64")]
        Token::Avx2(_) => Some(x86_64::avx2::turn_uneven::<false>),
        _ => {
            let _ = (token, fetches);
            None
        }
    }
}

/// Moves the data from the first element on, except for what lies in a line before the first whole byte and behind the last one;
/// `false` where the tile is too small or the family has no way, and then nothing was done. Strides are in elements; `src_at` and
/// `dst_at` are the places of the first ones.
///
/// # Safety
/// The contract of [`Kernel`](super::super::super::tile::Kernel) for the data, where elements are read and written with the byte
/// that holds two of them. Along x the destination and along y the source is contiguous.
pub(in super::super::super) unsafe fn uneven(
    token: Token,
    (src, src_at): (*const u8, isize),
    (dst, dst_at): (*mut u8, isize),
    tile: &Tile<'_>,
) -> bool {
    let Tile { x, y, z, valid_x, valid_y, .. } = *tile;
    // Two rows and as many lines each.
    let Some(way) = way(token, x.src.unsigned_abs() >= 2 * FAR || tile.claims) else { return false };
    let [across, along] = [valid_x, valid_y].map(|len| len.div_ceil(2 * SIDE));
    let area = |[x, y]: [usize; 2]| x.saturating_mul(y);
    // Squares that overlap others take as long.
    let is_worth_it =
        area([across, along]).saturating_mul(4 * SIDE * SIDE) / 8 <= area([valid_x, valid_y]) / 5;
    if valid_x < 2 * SIDE + 1 || valid_y < 2 * SIDE || !is_worth_it {
        return false;
    }
    let by = |at: isize, count: usize, stride: isize| at.wrapping_add((count as isize).wrapping_mul(stride));
    // The last square overlaps the one before.
    let place = |i: usize, count: usize| (i * SIDE).min(count - SIDE);
    // Every other line begins with the same half of a byte, and has an element of the same half of bytes of each row: a square of
    // these, or of the others, at this place, as its rows and their halves of bytes, and its lines.
    let square = |[src_at, dst_at]: [isize; 2], i: usize, j: usize, odd: usize| {
        let first = by(dst_at, odd, y.dst);
        let skipped = (first & 1) as usize;
        let (pairs, lines) = ((valid_x - skipped) / 2, (valid_y - odd).div_ceil(2));
        let (pair, line) = (place(i, pairs), place(j, lines));
        let (at_x, at_y) = (skipped + 2 * pair, odd + 2 * line);
        let row = by(src_at, at_x, x.src).wrapping_add(at_y as isize);
        let rows = [row, row.wrapping_add(x.src)];
        let to = by(first, 2 * line, y.dst).wrapping_add(at_x as isize);
        let upper = rows.map(|at| at & 1 == 1);
        (rows.map(|at| src.wrapping_offset(at >> 1)), upper, dst.wrapping_offset(to >> 1))
    };
    for k in 0..z.len {
        let at = [by(src_at, k, z.src), by(dst_at, k, z.dst)];
        for i in 0..across {
            for j in 0..along {
                let (next_i, next_j) = if j + 1 < along { (i, j + 1) } else { (i + 1, 0) };
                for odd in 0..2 {
                    let (rows, upper, lines) = square(at, i, j, odd);
                    let (next_rows, _, next_lines) = square(at, next_i, next_j, odd);
                    let next = (next_rows, next_lines.cast_const());
                    let job = Uneven { rows, upper, row: x.src, lines, line: y.dst, next };
                    // SAFETY: each byte holds elements of the tile; the caller's promise.
                    unsafe { way(&job) };
                }
            }
        }
    }
    true
}
