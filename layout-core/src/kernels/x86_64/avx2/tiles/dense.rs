//! Transposes of a few bytes, without gaps on either side, one behind the other: batches of small matrices, weights of windows of a few
//! channels. Rows and lines need fill no lane: 16 bytes of the destination at a time are put together from the windows of the source
//! that they come from, by a table that is made once.

use core::arch::x86_64::*;

use super::super::super::super::drive::Strips;
use super::super::super::super::generic::{step, step_mut};
use super::super::super::super::tile::Step;
use super::super::super::parts::square::next;
use super::super::super::parts::zip::{lanes, unrolled};
use super::super::memory::{load16, store16};
use super::super::transpose::join2;
use super::super::woven::lane;
use super::SIDE;

/// Bytes of a unit, which is one repetition or several, at least.
const UNIT: usize = 64;

/// Units that are moved together.
const TOGETHER: usize = 4;

/// Elements from which the table pays.
const LEAST: usize = 1500;

/// Windows that 16 bytes are put together from at most; and where there is another way.
const MOST: usize = 8;
const FEW: usize = 4;

/// What is moved of a unit: for each 16 bytes of it some windows.
struct Table {
    /// The byte of each window for each of 16 bytes, or none.
    index: [[[u8; SIDE]; MOST]; Strips::DENSE / SIDE],
    /// Where in the unit's source each window begins.
    from: [[u8; MOST]; Strips::DENSE / SIDE],
    /// How many windows there are.
    windows: usize,
}

/// How many repetitions are a unit.
#[inline]
fn per_unit(len: usize) -> usize {
    UNIT.div_ceil(len)
}

/// Whether `job`, of elements of `B` bytes, has no faster way (measured with Zen 3): shapes that fill registers have.
#[inline]
fn pays<const B: usize>(job: &Strips) -> bool {
    let (x, y) = (job.width, job.height);
    let (line, row) = (x * B, y * B);
    let fills = |a: usize, b: usize| matches!(a, 2 | 4 | 8) && (b >= 8 || B == 2 && matches!(b, 2 | 4));
    match B {
        4 => line * y > 32 && line < 52 && !(line.is_multiple_of(32) || x == 3 && row.is_multiple_of(32)),
        _ => !fills(x, y) && !fills(y, x) && (y > 4 || line < 32),
    }
}

/// Where the bytes of the `len` bytes of each repetition come from; `None` where 16 of them come from more windows than `most`.
fn table<const B: usize>(job: &Strips, len: usize, most: usize) -> Option<Table> {
    let mut table = Table {
        index: [[[0x80; SIDE]; MOST]; Strips::DENSE / SIDE],
        from: [[0; MOST]; Strips::DENSE / SIDE],
        windows: 0,
    };
    let unit = len * per_unit(len);
    let mut first = 0;
    for (index, from) in table.index.iter_mut().zip(&mut table.from) {
        // The byte of the source for each of the destination.
        let mut at = [0; SIDE];
        let (mut begin, element) = (first / len * len, first % len / B);
        let (mut y, mut x) = (element / job.width, element % job.width);
        for at in at.chunks_exact_mut(B) {
            let place = begin + (x * job.height + y) * B;
            for (byte, at) in at.iter_mut().enumerate() {
                *at = place + byte;
            }
            x += 1;
            if x == job.width {
                (x, y) = (0, y + 1);
            }
            if y == job.height {
                (y, begin) = (0, begin + len);
            }
        }
        let mut lowest = at.iter().copied().min();
        let mut used = 0;
        while let Some(byte) = lowest {
            let window = byte.min(unit - SIDE);
            *from[..most].get_mut(used)? = window as u8;
            for (index, &at) in index[used].iter_mut().zip(&at) {
                if (window..window + SIDE).contains(&at) {
                    *index = (at - window) as u8;
                }
            }
            used += 1;
            // Windows go up, so that what lies before their end is taken.
            lowest = at.iter().copied().filter(|&at| at >= window + SIDE).min();
        }
        table.windows = table.windows.max(used);
        match next(first, SIDE, unit) {
            Some(next) => first = next,
            None => break,
        }
    }
    Some(table)
}

/// Transposes `job`, and all of its repetitions; `false` where they are too few, or there is a faster way, and then nothing was done.
///
/// # Safety
/// As [`super::super::super::super::drive::Simd::without_gaps`].
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
pub(in super::super) unsafe fn dense<const B: usize>(job: &Strips, again: Step) -> bool {
    let len = job.height * job.width * B;
    let per = per_unit(len);
    if again.len < TOGETHER * per || again.len * len < LEAST * B || !pays::<B>(job) {
        return false;
    }
    let most = if super::takes::<B>(job, again) { FEW } else { MOST };
    let Some(table) = table::<B>(job, len, most) else { return false };
    let units = match table.windows {
        1 => units::<1>,
        2 => units::<2>,
        3 => units::<3>,
        FEW => units::<FEW>,
        5 | 6 => units::<6>,
        _ => units::<MOST>,
    };
    let mut z = 0;
    loop {
        let src = step(job.src, z, again.src);
        let dst = step_mut(job.dst, z, again.dst);
        // SAFETY: the caller's promise: so many units from here on.
        unsafe { units(&table, src, dst, per * len) };
        match next(z, TOGETHER * per, again.len) {
            Some(next) => z = next,
            None => return true,
        }
    }
}

/// Moves [`TOGETHER`] units of `unit` bytes, each 16 bytes from `W` windows.
///
/// # Safety
/// They can be read at `src` and written at `dst`, and do not overlap.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn units<const W: usize>(table: &Table, src: *const u8, dst: *mut u8, unit: usize) {
    let mut first = 0;
    for (index, from) in table.index.iter().zip(&table.from) {
        let mut out = [_mm256_setzero_si256(); TOGETHER / 2];
        unrolled!(8, w => {
            if w < W {
                let from = src.wrapping_add(from[w].into());
                // SAFETY: these are 16 bytes.
                let index = unsafe { load16(index[w].as_ptr()) };
                let index = _mm256_broadcastsi128_si256(index);
                unrolled!(2, i => {
                    let bytes = join2(lanes!(32, l => {
                        let at = from.wrapping_add((2 * i + l) * unit);
                        // SAFETY: the caller's promise: windows lie in their unit.
                        unsafe { load16(at) }
                    }));
                    out[i] = _mm256_or_si256(out[i], _mm256_shuffle_epi8(bytes, index));
                });
            }
        });
        let to = dst.wrapping_add(first);
        unrolled!(2, i => {
            let parts = lanes!(32, l => (to.wrapping_add((2 * i + l) * unit), lane(out[i], l)));
            let _: [(); 2] = lanes!(32, l => {
                // SAFETY: the caller's promise.
                unsafe { store16(parts[l].0, parts[l].1) };
            });
        });
        match next(first, SIDE, unit) {
            Some(next) => first = next,
            None => return,
        }
    }
}
