//! Crossed unit strides, the destination contiguous along x and the source along y: cuts a tile into bands that stay in
//! the first-level cache, and writes down the distances of their rows. Called by `copy` and `convert`.

use core::mem::MaybeUninit;

use super::super::generic::{fill_zero, step, step_mut};
use super::super::tile::{Step, Tables, Tile};
use super::strips::strips;
use super::{LINE, Simd, Strips};

/// Bytes along y that are finished for all x of a chunk before the next ones, so that the lines of the source are still at
/// hand for the neighbouring x.
const BAND: usize = 256;

/// Values of x that are finished for all y before the next ones, and values of y in a band at most.
const CHUNK: usize = 256;

/// Lines of the source at this distance compete for the same places of a first-level cache, of which there are at
/// least `WAYS`.
const ALIAS: usize = 4096;
const WAYS: usize = 8;

/// Transposes one repetition of `tile`, the first `valid_y` values of y.
///
/// # Safety
/// The contract of [`super::super::Kernel`] for elements of `B` bytes, with `x.dst == B`; `y.src == B` unless `B` is
/// 16; neither `valid_x` nor `valid_y` is 0.
#[inline(always)]
pub(super) unsafe fn cross<S: Simd, const B: usize>(
    simd: S,
    src: *const u8,
    dst: *mut u8,
    tile: &Tile,
    valid_y: usize,
) {
    let mut own_x = [const { MaybeUninit::uninit() }; CHUNK + Tables::SLACK];
    let mut own_y = [const { MaybeUninit::uninit() }; CHUNK];
    let band = if tile.x.len * B <= LINE { CHUNK } else { BAND / B };
    let src_x = match tile.tables.src_x {
        Some(table) => table.as_ptr(),
        None => own_x.as_mut_ptr().cast_const().cast(),
    };
    let (dst_y, lines) = match tile.tables.dst_y {
        Some(table) => {
            (table.as_ptr(), table.iter().fold(0, |all, &at| all | at as usize).is_multiple_of(LINE))
        }
        None => {
            fill(&mut own_y[..if valid_y < band { valid_y } else { band }], tile.y.dst);
            (own_y.as_ptr().cast(), (tile.y.dst as usize).is_multiple_of(LINE))
        }
    };
    let chunk = if tile.tables.src_x.is_some() { tile.x.len } else { CHUNK };
    let mut filled = 0;
    let mut x = 0;
    while x < tile.x.len {
        let width = if tile.x.len - x < chunk { tile.x.len - x } else { chunk };
        let valid = tile.valid_x.saturating_sub(x).min(width);
        if valid == 0 {
            let padding = Step { len: tile.x.len - x, ..tile.x };
            let mut y = 0;
            while y < valid_y {
                // SAFETY: the table has an entry for each y.
                let at = if tile.tables.dst_y.is_some() {
                    unsafe { *dst_y.add(y) }
                } else {
                    y as isize * tile.y.dst
                };
                let to = step_mut(dst, x, tile.x.dst).wrapping_offset(at);
                // SAFETY: 2. of the contract; x from `x` on is in the tile.
                unsafe { fill_zero(to, padding, Step { len: 1, src: 0, dst: 0 }, B) };
                y += 1;
            }
            return;
        }
        if tile.tables.src_x.is_none() && filled != valid {
            fill(&mut own_x[..valid], tile.x.src);
            own_x[valid..valid + LINE / B]
                .fill(MaybeUninit::new((valid as isize - 1).wrapping_mul(tile.x.src)));
            filled = valid;
        }
        let job = Strips {
            src: if tile.tables.src_x.is_some() { src } else { step(src, x, tile.x.src) },
            src_x,
            src_y: tile.y.src,
            dst: step_mut(dst, x, tile.x.dst),
            dst_y,
            valid,
            width,
            height: valid_y,
            stream: tile.stream,
            lines,
            // SAFETY: the table has as many entries.
            crowded: valid * B >= LINE && B < 16 && unsafe { is_crowded(src_x, LINE / B) },
        };
        let mut y = 0;
        while y < valid_y {
            let height = if valid_y - y < band { valid_y - y } else { band };
            let mut part = job.from_y(y, height);
            if tile.tables.dst_y.is_none() {
                part.dst_y = dst_y;
                part.dst = step_mut(job.dst, y, tile.y.dst);
            }
            // SAFETY: 1. to 4. of the contract, for these rows of the tile.
            unsafe { strips::<S, B>(simd, &part) };
            y += height;
        }
        x += width;
    }
}

/// Multiples of `stride`.
#[inline(always)]
fn fill(table: &mut [MaybeUninit<isize>], stride: isize) {
    for (i, at) in table.iter_mut().enumerate() {
        *at = MaybeUninit::new((i as isize).wrapping_mul(stride));
    }
}

/// Whether the lines at the first `count` distances would drive one another out of a first-level cache.
///
/// # Safety
/// `count` entries can be read.
#[inline(always)]
unsafe fn is_crowded(table: *const isize, count: usize) -> bool {
    let mut sets = 0u64;
    for i in 0..count {
        // SAFETY: the caller's promise.
        let at = unsafe { *table.add(i) };
        sets |= 1 << (at as usize % ALIAS / LINE);
    }
    count > WAYS * sets.count_ones() as usize
}
