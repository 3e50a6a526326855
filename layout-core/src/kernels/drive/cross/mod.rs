//! Crossed unit strides, the destination contiguous along x and the source along y: cuts a tile into bands that stay in
//! the first-level cache, unless it goes by squares, and writes down the distances of their rows. Called by `copy` and `convert`.
//!
//! * `squares` does whole tiles whose lines lie far from one another on one side.
//! * `strips` does a band: whole lines of the destination by the family's columns, and by `pieces` what fills none.
//! * `staged` takes a band through a buffer where its lines compete for the same places of the cache, which `places` counts;
//!   `beside` does so for several lines of each row, of bytes; `drained` has a buffer for the lines of the destination,
//!   for those that begin anywhere too.

mod beside;
mod drained;
mod pieces;
mod places;
mod squares;
mod staged;
mod strips;

use core::mem::MaybeUninit;

use super::super::generic::{step, step_mut};
use super::super::tile::{Tables, Tile};
use super::{LINE, Simd};
use drained::{drained, drains, flowing};
pub(super) use pieces::pieces;
use places::{WAYS, lines_compete, places};
use squares::squares;
pub(in super::super) use squares::{Eights, Order};
pub(in super::super) use strips::Strips;
#[cfg(target_arch = "x86_64")]
pub(in super::super) use strips::fetches;
use strips::{goes_along, is_far, strips};

/// Bytes along y that are finished for all x of a chunk before the next ones, so that the lines of the source are still at
/// hand for the neighbouring x.
pub(super) const BAND: usize = 256;

/// The same where rows of the destination begin inside of lines, for elements of 1 byte.
const SHARED: usize = 144;

/// From this distance between two rows of the source each of them has a page of its own.
const FAR: usize = 2048;

/// From this distance the processor does not foresee the next line of the destination.
const LINES_APART: usize = 512;

/// Values of x and of y of which there is a table at a time.
const CHUNK: usize = 256;

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
    // Lines of bytes that lie near one another are asked for by strips that share them alone.
    let claims = tile.claims && (B > 1 || tile.y.dst.unsigned_abs() >= LINES_APART);
    let even = tile.tables.src_x.is_none() && tile.tables.dst_y.is_none();
    let whole = S::REGISTER == LINE;
    let (mut competing, mut shares) = (None, false);
    if even {
        let job = Strips { height: valid_y, claims, ..Strips::even(src, dst, tile) };
        if is_near::<S, B>(&job, tile.claims) {
            // SAFETY: 1. to 4. of the contract, for all of the tile.
            if unsafe { simd.near_squares::<B>(&job) } {
                return;
            }
            if !(job.width * B).is_multiple_of(LINE) || job.height * B < 16 {
                // SAFETY: 1. to 4. of the contract, for all of the tile.
                return unsafe { strips::<S, B>(simd, &job) };
            }
            // SAFETY: as above, and the sizes were just compared.
            return unsafe { simd.near_column::<B>(&job) };
        }
        // SAFETY: 1. to 4. of the contract, for all of the tile.
        if unsafe { eight_rows::<S, B>(simd, &job) } {
            return;
        }
        // What other architectures have goes through the caches.
        let past = B <= 8 && job.stream && cfg!(target_arch = "x86_64");
        // SAFETY: as above.
        if past && unsafe { flowing::<S, B>(simd, &job) } {
            return;
        }
        if drains::<S, B>(simd, &job) {
            // SAFETY: as above, and its sizes were just looked at.
            return unsafe { drained::<S, B>(simd, &job) };
        }
        // SAFETY: 1. to 4. of the contract, for all of the tile.
        if (B == 4 && 2 * S::REGISTER >= LINE || B == 2 && whole) && unsafe { squares::<S, B>(simd, &job) } {
            return;
        }
        competing = strips::competing::<S, B>(simd, &job);
        shares = strips::shares_lines::<S, B>(simd, &job);
    }
    // Where one of the two is a table, so is the other.
    let mut own_x = [const { MaybeUninit::uninit() }; CHUNK + Tables::SLACK];
    let mut own_y = [const { MaybeUninit::uninit() }; CHUNK];
    // Lines that two strips share stay there too where they are not too many.
    let bands = match B {
        _ if tile.x.len * B <= LINE => 1,
        1 if shares => (valid_y + SHARED / 4) / SHARED,
        _ => valid_y * B / BAND,
    };
    let bands = bands.max(1);
    let band = if bands == 1 { valid_y } else { valid_y.div_ceil(bands) };
    let band = match even && tile.x.len * B > LINE {
        true if B == 2 && !simd.writes_in_turn() && is_far(tile.x.src) => band.max(along(tile.y.dst)),
        _ if even || band < CHUNK => band,
        _ => CHUNK,
    };
    // Rows of the source that lie in pages of their own are not too many at a time.
    let chunk = if even && tile.x.src.unsigned_abs() < FAR { tile.x.len } else { CHUNK };
    let [band, chunk] = competing.unwrap_or([band, chunk]);
    // Lines begin with all chunks but the first.
    let first = if competing.is_some() { chunk - dst.addr() % LINE / B } else { chunk };
    let mut x = 0;
    while x < tile.x.len {
        let most = if x == 0 { first } else { chunk };
        let width = if tile.x.len - x < most { tile.x.len - x } else { most };
        let valid = tile.valid_x.saturating_sub(x).min(width);
        let (mut job_src, mut src_x) = (step(src, x, tile.x.src), own_x.as_ptr().cast());
        match tile.tables.src_x {
            Some(table) => (job_src, src_x) = (src, table[x..].as_ptr()),
            None if !even => src_x = fill(&mut own_x[..width + LINE / B], tile.x.src, valid),
            None => {}
        }
        let mut y = 0;
        while y < valid_y {
            // A few planes that are left are written with some that were.
            if competing.is_some() && valid_y - y < 16 / B.min(16) {
                y = valid_y - 16 / B.min(16);
            }
            let height = if valid_y - y < band { valid_y - y } else { band };
            let (mut to, mut dst_y) = (step_mut(dst, y, tile.y.dst), own_y.as_ptr().cast());
            match tile.tables.dst_y {
                Some(table) => (to, dst_y) = (dst, table[y..].as_ptr()),
                None if !even => dst_y = fill(&mut own_y[..height], tile.y.dst, height),
                None => {}
            }
            let job = Strips {
                src: step(if valid == 0 { src } else { job_src }, y, tile.y.src),
                src_x,
                src_y: tile.y.src,
                dst: step_mut(to, x, tile.x.dst),
                dst_y,
                even,
                even_x: tile.tables.src_x.is_none(),
                src_step: tile.x.src,
                dst_step: tile.y.dst,
                valid,
                width,
                height,
                stream: tile.stream,
                claims,
            };
            // SAFETY: 1. to 4. of the contract, for this part of the tile, and the tables have as many entries.
            unsafe { strips::<S, B>(simd, &job) };
            y += height;
        }
        x += width;
    }
}

/// Transposes `job` by 8 rows at a time, if its rows compete for the same places of a first-level cache: as many values of y as that holds
/// the lines of the destination for, a few lines of each row at least; `false` elsewhere, and then nothing was done.
///
/// Against whole lines of more rows, which are read again and again, 1.2 to 2.7 times as fast (Zen 3, where it was measured).
///
/// # Safety
/// The first point of [`Simd::column`]; the job is even.
#[inline(always)]
unsafe fn eight_rows<S: Simd, const B: usize>(simd: S, job: &Strips) -> bool {
    /// Bytes of the destination that are finished before the next ones, and of each of its lines.
    const NEAR: usize = 16 * 1024;
    const WIDE: usize = 2 * LINE;
    // Parts of 8 bytes pay where lines have few of them.
    let fits = B <= 4 && job.width >= 8 && (B > 1 || job.width <= 32) && job.height * B >= LINE;
    let whole = job.valid == job.width && !job.stream;
    let compete = job.width > WAYS * places(job.src_step) && !lines_compete(job);
    if !fits || !whole || !compete || !goes_along(simd) {
        return false;
    }
    let side = LINE / B;
    let line = job.dst_step.unsigned_abs().min(WIDE.min(job.width * B)).max(1);
    let height = (NEAR / line).min(WAYS * places(job.dst_step) / 2) / side * side;
    if height < 2 * side {
        return false;
    }
    let mut x = 0;
    while x < job.width {
        let width = if job.width - x < WIDE / B + 8 { job.width - x } else { WIDE / B };
        let mut y = 0;
        while y < job.height {
            y = if job.height - y < side { job.height - side } else { y };
            let part = job.part_y(y, if job.height - y < height { job.height - y } else { height });
            // SAFETY: the caller's promise; this part has 8 values of x at least, and a line of those of y.
            if !unsafe { simd.eight_rows::<B>(&part.part::<B>(x, width)) } {
                return false;
            }
            y += height;
        }
        x += width;
    }
    true
}

/// As many lines, `step` bytes apart, as stay in a second-level cache until the next strip writes on in them.
#[inline(always)]
fn along(step: isize) -> usize {
    const NEAR: usize = 128 * 1024;
    NEAR / step.unsigned_abs().max(1) / LINE * LINE
}

/// Whether all of a job is data that lies so near on both sides that a first-level cache has room for it: looking at what competes
/// for that would take a part of the time that the move takes. `claims`: it is part of a tensor that this cache does not hold.
#[inline(always)]
fn is_near<S: Simd, const B: usize>(job: &Strips, claims: bool) -> bool {
    const NEAR: usize = 8 * 1024;
    if B == 16 || job.stream {
        return false;
    }
    // Lines that registers fill are not waited for, and need not be asked for.
    let lines = (job.dst.addr() | job.dst_step as usize).is_multiple_of(LINE);
    let most = if S::REGISTER == LINE && (lines || !claims) { 2 * NEAR } else { NEAR };
    let (src, dst) = (job.src_step.unsigned_abs(), job.dst_step.unsigned_abs());
    let near = src.saturating_mul(job.width) <= most && dst.saturating_mul(job.height) <= most;
    near && job.valid == job.width
}

/// Writes multiples of `stride`, from `valid` on the one before, and returns the address of the first.
#[inline(always)]
fn fill(table: &mut [MaybeUninit<isize>], stride: isize, valid: usize) -> *const isize {
    let mut last = 0;
    for (i, at) in table.iter_mut().enumerate() {
        if i < valid {
            last = (i as isize).wrapping_mul(stride);
        }
        *at = MaybeUninit::new(last);
    }
    table.as_ptr().cast()
}
