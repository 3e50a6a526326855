//! Transposes elements of 4 bits in pairs: of two rows of the source, every other element goes to bytes that hold one of each
//! row, which the kernel for bytes turns into columns; so of the elements that begin with the first, and with the second.
//! Rows on either side may begin with half a byte. Called by `staged`.

use super::super::cpu::Token;
use super::super::drive::{Turn, turned, uneven};
use super::super::tile::{Step, Tables, Tile};
use super::line::{get, set};
use super::weave::{Weave, weave_both, weave_rows};
use super::{Held, Job, LINE, Nibble, Place, STAGE, Stage};

/// Pairs of elements below which a row is too short to be woven by itself.
const SHORT: usize = 8;

/// The same of rows of which some begin with half a byte.
const UNEVEN: usize = 64;

/// The same where lines of the destination begin with half a byte: each of them has an end that is moved by itself.
const LONG: usize = 128;

/// Bytes of a row below which a part is too small: loops take as many at a time.
const SHORT_PART: usize = 16;

const ONCE: Step = Step { len: 1, src: 0, dst: 0 };

/// Moves the data from the first element on of as many x and y as it can; returns these numbers, 0 where it is none.
///
/// # Safety
/// That of [`super::run_on`].
#[inline(never)]
pub(super) unsafe fn pairs(
    token: Token,
    job: &Job<'_>,
    src: Place<*const u8>,
    dst: Place<*mut u8>,
) -> (usize, usize) {
    let tile = job.tile;
    let repeats = if tile.z.len > 1 { tile.z.dst } else { 0 };
    // Lines of the destination that begin with half a byte pair other rows.
    let is_parted = (dst.at | tile.y.dst | repeats) & 1 == 1;
    let nx = tile.valid_x.saturating_sub(usize::from(is_parted)) / 2;
    let ny = tile.valid_y / 2;
    let src_repeats = if tile.z.len > 1 { tile.z.src } else { 0 };
    let is_uneven = (src.at | tile.x.src | src_repeats) & 1 == 1;
    let least = if is_parted { LONG } else { UNEVEN };
    let is_short = nx == 0 || ny < SHORT || (is_parted || is_uneven) && nx.min(ny) < least;
    if !job.copies || tile.x.dst != 1 || tile.y.src != 1 {
        return (0, 0);
    }
    // SAFETY: the caller's promise, and the strides were just compared.
    if (is_parted || is_uneven) && unsafe { by_squares(token, src, dst, tile) } {
        return (tile.valid_x, tile.valid_y);
    }
    if is_short {
        return (0, 0);
    }
    if !is_parted && !is_uneven {
        let (from, to) = (src.byte(true), dst.byte_mut(true));
        // SAFETY: the caller's promise, and the strides were just compared.
        let moved = unsafe { turned(token, Turn::Pairs, from, to, tile) };
        if moved != (0, 0) {
            return moved;
        }
    }
    let mut stage = Stage::new();
    // Two lines of each row of the source; whole lines of the destination; as many repetitions as fit in the buffer. Lines that
    // begin alike are taken all together, else every other one.
    let height = ny.min(2 * LINE);
    let lines = if is_parted { 1 } else { 2 };
    let width = (STAGE / (height * lines) / LINE * LINE).min(nx);
    let depth = if is_parted { 1 } else { (STAGE / (height * width * lines)).min(tile.z.len) };
    let mut z = 0;
    while z < tile.z.len {
        let nz = depth.min(tile.z.len - z);
        let mut x = 0;
        while x < nx {
            let columns = width.min(nx - x);
            let mut y = 0;
            while y < ny {
                // Not so that a few bytes are left for the last part.
                let left = ny - y;
                let rows = if left > height && left < height + SHORT_PART {
                    height - SHORT_PART
                } else {
                    height.min(left)
                };
                let from = src.step(z, tile.z.src).step(2 * x, tile.x.src).step(2 * y, 1);
                let to = dst.step(z, tile.z.dst).step(2 * x, 1).step(2 * y, tile.y.dst);
                for first in (0..2).step_by(lines) {
                    // SAFETY: the part lies in the tile, and fits in the buffer; the caller's promise.
                    unsafe { part(token, job, from, to, [columns, rows, nz], [first, lines], &mut stage) };
                }
                y += rows;
            }
            x += columns;
        }
        z += nz;
    }
    if !is_parted {
        return (2 * nx, 2 * ny);
    }
    // SAFETY: the caller's promise.
    unsafe { ends(tile, src, dst, 2 * ny, |_| nx) };
    (tile.valid_x, 2 * ny)
}

/// Moves all data by squares, if the family has a way.
///
/// # Safety
/// As [`pairs`], which has looked at the strides.
#[inline(always)]
unsafe fn by_squares(token: Token, src: Place<*const u8>, dst: Place<*mut u8>, tile: &Tile<'_>) -> bool {
    // SAFETY: the caller's promise.
    if !unsafe { uneven(token, (src.memory, src.at), (dst.memory, dst.at), tile) } {
        return false;
    }
    // SAFETY: as above.
    unsafe { ends(tile, src, dst, tile.valid_y, |first| (tile.valid_x - first) / 2) };
    true
}

/// Transposes a part of so many pairs along x and y, and so many repetitions: of `lines` in every two, those from `first` on.
///
/// # Safety
/// As [`pairs`], which has looked at the strides; the part takes `lines` bytes of the buffer for each of these.
#[inline(always)]
unsafe fn part(
    token: Token,
    job: &Job<'_>,
    src: Place<*const u8>,
    dst: Place<*mut u8>,
    [columns, rows, repeats]: [usize; 3],
    [first, lines]: [usize; 2],
    stage: &mut Stage,
) {
    let tile = job.tile;
    let dst = dst.step(first, tile.y.dst);
    // Where a line begins with half a byte, its first whole one has the second element.
    let skipped = (dst.at & 1) as usize;
    let woven = stage.start();
    let slice = columns * rows * lines;
    for k in 0..repeats {
        let src = src.step(k, tile.z.src).step(first, 1).step(skipped, tile.x.src);
        let job = Weave { src, row: tile.x.src, count: columns, len: rows };
        let to = woven.wrapping_add(k * slice);
        if lines == 1 {
            // SAFETY: the elements of a row follow one another; the caller's promise.
            unsafe { weave_rows(token, &job, to) };
        } else {
            // SAFETY: as above.
            unsafe { weave_both(token, &job, to) };
        }
    }
    let turned = Tile {
        x: Step { len: columns, src: (rows * lines) as isize, dst: 1 },
        y: Step { len: rows * lines, src: 1, dst: if lines == 1 { tile.y.dst } else { tile.y.dst >> 1 } },
        z: Step { len: repeats, src: slice as isize, dst: tile.z.dst >> 1 },
        valid_x: columns,
        valid_y: rows * lines,
        stream: tile.stream,
        claims: tile.claims,
        tables: Tables::NONE,
        epilogue: None,
        token,
    };
    let turned = if columns == 1 {
        // Nothing is turned: each repetition is a row.
        Tile { x: turned.y, y: turned.z, z: ONCE, valid_x: rows * lines, valid_y: repeats, ..turned }
    } else {
        turned
    };
    // SAFETY: the buffer was just written, and the lines of the destination go on with whole bytes; the caller's promise.
    unsafe { (job.kernel)(woven.cast_const(), dst.step(skipped, 1).byte_mut(true), &turned) };
}

/// The elements of `lines` lines before and after the pairs that are moved of each, given how many elements come before them; one
/// at a time.
///
/// # Safety
/// As [`pairs`].
unsafe fn ends(
    tile: &Tile<'_>,
    src: Place<*const u8>,
    dst: Place<*mut u8>,
    lines: usize,
    pairs: impl Fn(usize) -> usize,
) {
    for z in 0..tile.z.len {
        for y in 0..lines {
            let from = src.step(z, tile.z.src).step(y, 1);
            let to = dst.step(z, tile.z.dst).step(y, tile.y.dst);
            let first = (to.at & 1) as usize;
            for x in (0..first).chain(first + 2 * pairs(first)..tile.valid_x) {
                // SAFETY: the element is the tile's.
                let bits = unsafe { get(Held::As(Nibble::Bits), from.step(x, tile.x.src)) };
                // SAFETY: as above.
                unsafe { set(to.step(x, 1), bits) };
            }
        }
    }
}
