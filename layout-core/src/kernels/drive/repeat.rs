//! What is done around each repetition of a crossed tile: rows that are fetched ahead, and half lines that go through a buffer.
//! Called by `copy`.

use core::mem::MaybeUninit;

use super::super::generic::{step, step_mut};
use super::super::tile::Tile;
use super::cross::cross;
use super::{LINE, Rows, Simd};

/// From this distance between two rows of a repetition the processor does not see what is read next, if the rows are at most
/// `NEAR` bytes long; `AHEAD` repetitions are enough for the lines to arrive.
const FAR: usize = 2048;
const NEAR: usize = 512;
const AHEAD: usize = 4;

/// Fetches the rows of the repetition of `tile` that comes a few after that at `src`, if they are short and far from one another.
#[inline(always)]
pub(super) fn fetch_rows<S: Simd>(simd: S, src: *const u8, tile: &Tile, bytes: usize) {
    if tile.x.src.unsigned_abs() < FAR || tile.y.len * bytes > NEAR {
        return;
    }
    let src = step(src, AHEAD, tile.z.src);
    for x in 0..tile.x.len {
        let mut at = 0;
        while at < tile.y.len * bytes {
            simd.fetch(step(src, x, tile.x.src).wrapping_add(at));
            at += LINE;
        }
    }
}

/// Bytes of half a line, and of as many as a buffer holds: a part of the first-level cache.
const HALF: usize = LINE / 2;
const MOST: usize = 8 * 1024;

/// A repetition on its way to the destination.
#[repr(align(64))]
struct Buffer([MaybeUninit<u8>; MOST]);

/// Moves the repetitions of `tile` one after the other: to a buffer, and from there past the caches in whole lines. Apart from
/// what calls it, so that other tiles need no stack for the buffer.
///
/// # Safety
/// The contract of [`super::super::Kernel`] for elements of `B` bytes; each repetition [fills](filled_by_halves) `len` bytes.
#[inline(never)]
pub(super) unsafe fn through_buffer<S: Simd, const B: usize>(
    simd: S,
    src: *const u8,
    dst: *mut u8,
    tile: &Tile,
    len: usize,
) {
    let mut buffer = Buffer([const { MaybeUninit::uninit() }; MOST]);
    let buffer = buffer.0.as_mut_ptr().cast::<u8>();
    for z in 0..tile.z.len {
        // SAFETY: the repetition lies in the tile, and the buffer has room for what it fills.
        unsafe { cross::<S, B>(simd, step(src, z, tile.z.src), buffer, tile, tile.y.len) };
        let dst = step_mut(dst, z, tile.z.dst);
        let all = Rows {
            src: buffer,
            src_y: 0,
            dst,
            dst_y: 0,
            valid: len,
            len,
            count: 1,
            stream: true,
            claims: false,
        };
        // SAFETY: these bytes were just written, and fill as many of the destination.
        unsafe { simd.rows(&all) };
    }
}

/// Bytes of the destination that each repetition of `tile`, which is crossed, fills from its first one on by half lines that are
/// not written in turn, if it is that and they fit a buffer; else 0. No half line can go past the caches of families whose registers
/// are lines, which ask for this alone.
#[inline(always)]
pub(super) fn filled_by_halves(tile: &Tile, dst: *const u8, bytes: usize) -> usize {
    let whole = tile.valid_x == tile.x.len && tile.valid_y == tile.y.len;
    let aligned = (dst.addr() | tile.z.dst as usize).is_multiple_of(LINE);
    if tile.x.len * bytes != HALF || !whole || !aligned {
        return 0;
    }
    tile.tables.dst_y.map_or(0, |table| if covers(&table[..tile.y.len]) { tile.y.len * HALF } else { 0 })
}

/// Whether half lines at these distances are an area without gaps that begins at 0, of whole lines, several of them.
#[inline(never)]
fn covers(distances: &[isize]) -> bool {
    let count = distances.len();
    if count * HALF > MOST || !count.is_multiple_of(2) || count < 16 {
        return false;
    }
    let mut places = [0u64; MOST / HALF / 64];
    for &at in distances {
        let place = at as usize / HALF;
        if place >= count || !(at as usize).is_multiple_of(HALF) {
            return false;
        }
        places[place / 64] |= 1 << (place % 64);
    }
    places.iter().map(|places| places.count_ones() as usize).sum::<usize>() == count
}

#[cfg(test)]
mod tests {
    use super::{HALF, MOST, covers};
    use alloc::vec::Vec;

    #[test]
    fn halves_without_gaps() {
        let half = HALF as isize;
        let all = |n: isize| (0..n).map(|i| i * half).collect::<Vec<_>>();
        assert!(covers(&all(16)) && covers(&all((MOST / HALF) as isize)));
        let turned: Vec<isize> = (0..72).map(|i| (i % 9 * 8 + i / 9) * half).collect();
        assert!(covers(&turned));
        // Too few, an odd number, more than the buffer holds.
        assert!(!covers(&all(14)) && !covers(&all(73)) && !covers(&all((MOST / HALF) as isize + 2)));
        // Twice the same, a gap, before the first, off a half line.
        for wrong in [0, 72 * half, -half, half / 2, isize::MIN, isize::MAX] {
            let mut some = turned.clone();
            some[40] = wrong;
            assert!(!covers(&some), "{wrong}");
        }
    }
}
