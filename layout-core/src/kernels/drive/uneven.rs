//! Crossed tiles of elements of 4 bits of which rows or lines begin with half a byte, by squares of whole lines of the source, for
//! families that have a way. Called by `packed`, which takes another way where this has none.

use super::super::cpu::Token;
use super::super::tile::Tile;
#[cfg(target_arch = "x86_64")]
use super::super::x86_64;

/// Pairs of rows of the source, and lines of the destination that have the same half of the bytes.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "AVX-512 alone reads it so far"))]
pub(in super::super) struct Uneven {
    /// The bytes of the first two rows with their first element.
    pub(in super::super) rows: [*const u8; 2],
    /// Whether that and every other element that is taken is in the upper half.
    pub(in super::super) upper: [bool; 2],
    /// Bytes from a row to the next but one.
    pub(in super::super) row: isize,
    /// The first line: a byte holds an element of each of two rows.
    pub(in super::super) lines: *mut u8,
    /// Bytes from a line to the next that is written.
    pub(in super::super) line: isize,
}

/// Pairs of rows, and lines, of a square.
pub(in super::super) const SIDE: usize = 64;

/// The family's loop, if it has one: it turns a square.
///
/// # Safety
/// The loop asks for 64 bytes of each of 64 pairs of rows that can be read, and of 64 lines that can be written.
fn way(token: Token) -> Option<unsafe fn(job: &Uneven)> {
    match token {
        #[cfg(target_arch = "x86_64")]
        Token::Avx512(_) => Some(x86_64::avx512::turn_uneven),
        _ => None,
    }
}

/// Moves the data from the first element on, except for what lies in a line before the first whole byte and behind the last one;
/// `false` where the tile is too small or the family has no way, and then nothing was done. Strides are in elements; `src_at` and
/// `dst_at` are the places of the first ones.
///
/// # Safety
/// The contract of [`Kernel`](super::super::tile::Kernel) for the data, where elements are read and written with the byte that holds
/// two of them. Along x the destination and along y the source is contiguous.
pub(in super::super) unsafe fn uneven(
    token: Token,
    (src, src_at): (*const u8, isize),
    (dst, dst_at): (*mut u8, isize),
    tile: &Tile<'_>,
) -> bool {
    let Some(way) = way(token) else { return false };
    let Tile { x, y, z, valid_x, valid_y, .. } = *tile;
    if valid_x < 2 * SIDE + 1 || valid_y < 2 * SIDE {
        return false;
    }
    let along = |at: isize, count: usize, by: isize| at.wrapping_add((count as isize).wrapping_mul(by));
    // The last square overlaps the one before.
    let place = |i: usize, count: usize| (i * SIDE).min(count - SIDE);
    for k in 0..z.len {
        let (src_at, dst_at) = (along(src_at, k, z.src), along(dst_at, k, z.dst));
        for j in 0..valid_y.div_ceil(2 * SIDE) {
            for i in 0..valid_x.div_ceil(2 * SIDE) {
                // Every other line begins with the same half of a byte, and has an element of the same half of bytes of each row.
                for odd in 0..2 {
                    let first = along(dst_at, odd, y.dst);
                    let skipped = (first & 1) as usize;
                    let (pairs, lines) = ((valid_x - skipped) / 2, (valid_y - odd).div_ceil(2));
                    let (pair, line) = (place(i, pairs), place(j, lines));
                    let (at_x, at_y) = (skipped + 2 * pair, odd + 2 * line);
                    let row = along(src_at, at_x, x.src).wrapping_add(at_y as isize);
                    let rows = [row, row.wrapping_add(x.src)];
                    let to = along(first, 2 * line, y.dst).wrapping_add(at_x as isize);
                    let job = Uneven {
                        rows: rows.map(|at| src.wrapping_offset(at >> 1)),
                        upper: rows.map(|at| at & 1 == 1),
                        row: x.src,
                        lines: dst.wrapping_offset(to >> 1),
                        line: y.dst,
                    };
                    // SAFETY: each byte holds elements of the tile; the caller's promise.
                    unsafe { way(&job) };
                }
            }
        }
    }
    true
}
