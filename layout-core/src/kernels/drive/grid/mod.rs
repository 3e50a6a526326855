//! [`Grid`]: pieces of a line at most that are contiguous on both sides and lie anywhere, three loops of them. Called by
//! `copy`; compiled once for each family, not for each width.
//!
//! Pieces that are a part of a line are turned in squares, where the family has such: whole lines on both sides.

mod order;
mod pieces;

use super::super::generic::{fill_zero, opaque, step, step_mut, transfer};
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
use super::super::parts::{ACROSS, CLAIMED, prefetch_write};
use super::super::tile::{Step, Tile};
use super::{LINE, Rows, Simd};
use order::Order;
use pieces::squares;

pub(in super::super) use pieces::Pieces;

/// Pieces of `len` bytes, at most a [`LINE`].
#[derive(Clone, Copy)]
pub(in super::super) struct Grid<'a> {
    pub(in super::super) src: *const u8,
    pub(in super::super) dst: *mut u8,
    pub(in super::super) len: usize,
    /// In any order.
    pub(in super::super) loops: [Step; 3],
    /// Bytes from `src` and from `dst` to where all of it is repeated; as many of both.
    pub(in super::super) places: (&'a [isize], &'a [isize]),
    /// Whether whole lines of the destination go past the caches.
    pub(in super::super) stream: bool,
    /// Whether its lines are asked for ahead.
    pub(in super::super) claims: bool,
}

/// No family comes here.
#[cfg(not(any(target_arch = "aarch64", target_arch = "x86_64")))]
fn prefetch_write(_: *mut u8) {}
#[cfg(not(any(target_arch = "aarch64", target_arch = "x86_64")))]
const CLAIMED: usize = 0;
#[cfg(not(any(target_arch = "aarch64", target_arch = "x86_64")))]
const ACROSS: usize = 0;

/// Pieces up to which several are taken out of gaps in a register.
const SMALL: usize = 8;

/// Whether `tile`, which is crossed, is lower than a square and the family takes such.
#[inline(always)]
pub(super) fn is_few<S: Simd>(tile: &Tile, bytes: usize) -> bool {
    let (wide, low) = (tile.x.len * bytes >= S::FEW, tile.y.len * bytes < 16);
    bytes <= 4 && wide && low && tile.valid_x == tile.x.len
}

/// Whether the repetitions of `tile`, which is crossed and no pixels, are so small that to move their elements one by one costs
/// less than to cross each of them in registers that they do not fill.
#[inline(always)]
pub(super) fn is_tiny(tile: &Tile, bytes: usize) -> bool {
    /// Bytes of a line, which no register is narrower than, and of a repetition; and how many repetitions.
    const NARROW: usize = 16;
    const MOST: usize = 64;
    const FEW: usize = 4;
    let Tile { x, y, z, valid_x, .. } = *tile;
    let rows = y.len == 1 && valid_x == x.len;
    let small = x.len * bytes < NARROW && x.len * y.len * bytes <= MOST;
    bytes <= 4 && small && z.len >= FEW && !rows
}

/// Takes tiles without padding along x whose rows are at most a line, and those whose elements are moved one by one, as pieces
/// of a [`Grid`]; `false` where `tile` is none, and then nothing was done. `tiny`: the repetitions are.
///
/// # Safety
/// As [`super::copy::copy`].
#[inline(always)]
pub(super) unsafe fn pieces_of<S: Simd, const B: usize>(
    simd: S,
    src: *const u8,
    dst: *mut u8,
    tile: &Tile,
    tiny: bool,
) -> bool {
    let Tile { x, y, z, valid_x, valid_y, tables, stream, claims, .. } = *tile;
    let plain = tables.src_x.is_none() && tables.dst_y.is_none();
    if !plain || valid_x < x.len && !tiny || valid_x == 0 {
        return false;
    }
    if tables.blocks.is_some_and(|blocks| blocks.valid_z < z.len || valid_y < y.len) {
        return false;
    }
    let bytes = B as isize;
    let once = Step { len: 1, src: 0, dst: 0 };
    let y = Step { len: valid_y, ..y };
    let (len, loops) = if x.src == bytes && x.dst == bytes {
        (x.len * B, [z, y, once])
    } else if tiny || B == 16 || B == 8 && (x.len < 4 || valid_y < 4) {
        // Wide enough, or too few, to be crossed in registers.
        (B, [z, y, Step { len: valid_x, ..x }])
    } else {
        let alone = x.dst != bytes || y.src != bytes;
        let near = x.dst == bytes && x.src > 0 && x.src <= S::REGISTER as isize / 2;
        if !alone || !(B == 8 || near) {
            return false;
        }
        (B, [z, y, x])
    };
    if len > LINE {
        return false;
    }
    let places: (&[isize], &[isize]) = tables.blocks.map_or((&[0], &[0]), |blocks| (blocks.src, blocks.dst));
    // SAFETY: the elements of a piece follow one another on both sides; 1. to 5. of the contract.
    unsafe { grid(simd, &Grid { src, dst, len, loops, places, stream, claims }) };
    for i in valid_x..x.len {
        // SAFETY: 2. of the contract; this value of x is in the tile.
        unsafe { fill_zero(step_mut(dst, i, x.dst), z, y, B) };
    }
    if valid_y < tile.y.len {
        for i in 0..z.len {
            // SAFETY: 2. of the contract; these rows are in the tile.
            unsafe { fill_rows(step_mut(dst, i, z.dst), tile, valid_y, B) };
        }
    }
    true
}

/// Writes zero to the rows of one repetition of `tile` from `y` on.
///
/// # Safety
/// The elements, of `bytes` bytes, can be written.
pub(super) unsafe fn fill_rows(dst: *mut u8, tile: &Tile, y: usize, bytes: usize) {
    match tile.tables.dst_y {
        None => {
            let rest = Step { len: tile.y.len - y, ..tile.y };
            // SAFETY: the caller's promise.
            unsafe { fill_zero(step_mut(dst, y, tile.y.dst), tile.x, rest, bytes) };
        }
        Some(table) => {
            for &at in &table[y..tile.y.len] {
                let row = Step { len: 1, ..tile.y };
                // SAFETY: the caller's promise.
                unsafe { fill_zero(dst.wrapping_offset(at), tile.x, row, bytes) };
            }
        }
    }
}

/// Moves the pieces of `job`.
///
/// # Safety
/// `len` bytes can be read at `src` and written at `dst`, moved by the strides of all values of the three loops; what is read
/// and what is written do not overlap.
#[inline(never)]
unsafe fn grid<S: Simd>(simd: S, job: &Grid) {
    let len = job.len;
    // SAFETY: the caller's promise.
    if unsafe { squares(simd, job) } {
        return;
    }
    // Out of gaps that nothing else is read from: several pieces fit a register, and leave it as one.
    let most = S::REGISTER as isize / 2;
    let near = |one: &Step| one.dst == len as isize && one.src > one.dst && one.src <= most && one.len >= 16;
    let fills = |one: &Step, gap: isize| one.len > 1 && one.src.abs() < gap;
    let packed = if len <= SMALL && job.places.0.len() == 1 { job.loops.iter().position(near) } else { None };
    if let Some(at) = packed.filter(|&at| !job.loops.iter().any(|one| fills(one, job.loops[at].src))) {
        let [a, b] = [job.loops[(at + 1) % 3], job.loops[(at + 2) % 3]];
        let packed = job.loops[at];
        let mut rest = packed.len;
        for i in 0..a.len {
            for j in 0..b.len {
                let rows = Rows {
                    src: step(step(job.src, i, a.src), j, b.src),
                    src_y: packed.src,
                    dst: step_mut(step_mut(job.dst, i, a.dst), j, b.dst),
                    dst_y: packed.dst,
                    valid: len,
                    len,
                    count: packed.len,
                    stream: false,
                    claims: false,
                };
                // SAFETY: the caller's promise, for the pieces of these two values.
                rest = packed.len - unsafe { simd.pack(&rows) };
            }
        }
        // As many for all, since they follow from the strides and lengths.
        let done = packed.len - rest;
        let mut loops = job.loops;
        loops[at].len = rest;
        let (src, dst) = (step(job.src, done, packed.src), step_mut(job.dst, done, packed.dst));
        // SAFETY: the caller's promise; these pieces are left.
        return unsafe { simd.ordered(&Grid { src, dst, loops, ..*job }) };
    }
    // SAFETY: the caller's promise.
    unsafe { simd.ordered(job) }
}

/// Moves the pieces of `job` one by one, in the order that suits them. Compiled once for each family, since it has a loop for each
/// length.
///
/// # Safety
/// As [`grid`].
#[inline(always)]
pub(in super::super) unsafe fn ordered<S: Simd>(simd: S, job: &Grid) {
    let order = Order::of(job);
    match (job.len, order.whole_lines) {
        // SAFETY: the caller's promise, and what is streamed is aligned.
        (64, true) => unsafe { streamed::<S, 64>(simd, job, &order) },
        // SAFETY: as above.
        (32, true) => unsafe { streamed::<S, 32>(simd, job, &order) },
        // SAFETY: as above.
        (16, true) => unsafe { streamed::<S, 16>(simd, job, &order) },
        // SAFETY: the caller's promise.
        (64, _) => unsafe { whole::<64>(job, &order) },
        // SAFETY: the caller's promise; the length is between these two.
        (33.., _) => unsafe { ends::<32>(job, &order) },
        // SAFETY: as above.
        (32, _) => unsafe { whole::<32>(job, &order) },
        // SAFETY: as above.
        (17.., _) => unsafe { ends::<16>(job, &order) },
        // SAFETY: as above.
        (16, _) => unsafe { whole::<16>(job, &order) },
        // SAFETY: as above.
        (9.., _) => unsafe { ends::<8>(job, &order) },
        // SAFETY: as above.
        (8, _) => unsafe { whole::<8>(job, &order) },
        // SAFETY: as above.
        (5.., _) => unsafe { ends::<4>(job, &order) },
        // SAFETY: as above.
        (4, _) => unsafe { whole::<4>(job, &order) },
        // SAFETY: as above.
        (3, _) => unsafe { ends::<2>(job, &order) },
        // SAFETY: as above.
        (2, _) => unsafe { whole::<2>(job, &order) },
        // SAFETY: as above.
        (1, _) => unsafe { whole::<1>(job, &order) },
        (0, _) => {}
    }
}

/// Pieces of `W` bytes that make up aligned lines, past the caches.
///
/// # Safety
/// As [`grid`], for pieces of as many bytes at multiples of as many.
#[inline(always)]
unsafe fn streamed<S: Simd, const W: usize>(simd: S, job: &Grid, order: &Order) {
    // SAFETY: the caller's promise.
    each(job, order, |src, dst| unsafe { simd.stream::<W>(src, dst) });
}

/// Pieces of `W` bytes.
///
/// # Safety
/// As [`grid`], for pieces of as many bytes.
#[inline(always)]
unsafe fn whole<const W: usize>(job: &Grid, order: &Order) {
    // SAFETY: the caller's promise.
    each(job, order, |src, dst| unsafe { transfer::<[u8; W]>(src, dst) });
}

/// Pieces of `W` bytes and up to as many more, as their first and their last `W`.
///
/// # Safety
/// As [`grid`], for pieces of as many bytes.
#[inline(always)]
unsafe fn ends<const W: usize>(job: &Grid, order: &Order) {
    let last = job.len - W;
    each(job, order, |src, dst| {
        // SAFETY: the caller's promise.
        unsafe { transfer::<[u8; W]>(src, dst) };
        // SAFETY: as above.
        unsafe { transfer::<[u8; W]>(src.wrapping_add(last), dst.wrapping_add(last)) };
    });
}

/// From this distance of rows of the destination on there are too many of them for the caches: one after the other, at all places.
const APART: usize = 4096;

/// Calls `piece` with the addresses of all pieces.
#[inline(always)]
fn each(job: &Grid, order: &Order, piece: impl Fn(*const u8, *mut u8)) {
    let Order { outer, middle, inner, band, .. } = *order;
    let places = job.places.0.iter().zip(job.places.1);
    // Lines of the next band, or those that follow.
    let on_lines = inner.dst != 0 && (inner.dst as usize).is_multiple_of(LINE);
    let in_turn = inner.dst == LINE as isize && middle.dst == inner.len as isize * inner.dst;
    let ahead = match job.claims {
        true if in_turn => CLAIMED,
        true if on_lines && band < inner.len => band,
        _ => 0,
    };
    // Pieces that are written across lines, in several streams.
    let across = job.claims && !job.dst.addr().is_multiple_of(job.len);
    let near = middle.dst.unsigned_abs() <= LINE && inner.dst.unsigned_abs() > LINE;
    let below = if across && near && ahead == 0 { ACROSS as isize * middle.dst } else { 0 };
    let beside = across && inner.dst == job.len as isize && band < inner.len;
    let asks = ahead > 0 || below != 0 || beside;
    let apart = job.places.0.len() > 1 && middle.dst.unsigned_abs() >= APART && band >= inner.len;
    let (rows, middle) =
        if apart { (middle, Step { len: 1, ..middle }) } else { (Step { len: 1, ..middle }, middle) };
    for row in 0..rows.len {
        let (src, dst) = (step(job.src, row, rows.src), step_mut(job.dst, row, rows.dst));
        for (&src_by, &dst_by) in places.clone() {
            for i in 0..outer.len {
                let (src, dst) = (src.wrapping_offset(src_by), dst.wrapping_offset(dst_by));
                let (src, dst) = (step(src, i, outer.src), step_mut(dst, i, outer.dst));
                let mut at = 0;
                while at < inner.len {
                    let count = if inner.len - at < band { inner.len - at } else { band };
                    let (mut src, mut dst) = (step(src, at, inner.src), step_mut(dst, at, inner.dst));
                    for _ in 0..middle.len {
                        if asks {
                            // Where a piece begins a line.
                            let end = dst.wrapping_add(job.len - 1);
                            let line = Step { len: count, ..inner };
                            if ahead > 0 && end.addr() % LINE < job.len {
                                claim(step_mut(end, ahead, inner.dst), line);
                            }
                            if below != 0 {
                                claim(end.wrapping_offset(below), line);
                            }
                            if beside {
                                let len = (count * job.len).div_ceil(LINE);
                                claim(
                                    step_mut(end, band, inner.dst),
                                    Step { len, src: 0, dst: LINE as isize },
                                );
                            }
                        }
                        line(src, dst, Step { len: count, ..inner }, &piece);
                        (src, dst) = (step(src, 1, middle.src), step_mut(dst, 1, middle.dst));
                    }
                    at += count;
                }
            }
        }
    }
}

/// Asks for the lines at the values of `one`.
fn claim(dst: *mut u8, one: Step) {
    for i in 0..one.len {
        prefetch_write(step_mut(dst, i, one.dst));
    }
}

/// Calls `piece` with the addresses of the pieces of one loop.
#[inline(always)]
fn line(mut src: *const u8, mut dst: *mut u8, one: Step, piece: &impl Fn(*const u8, *mut u8)) {
    let mut left = one.len;
    while left >= 4 {
        for _ in 0..4 {
            piece(src, dst);
            // Else the compiler works out all distances before the loops, more than there are registers.
            (src, dst) = (opaque(step(src, 1, one.src).cast_mut()), opaque(step_mut(dst, 1, one.dst)));
        }
        left -= 4;
    }
    while left > 0 {
        piece(src, dst);
        (src, dst, left) = (step(src, 1, one.src), step_mut(dst, 1, one.dst), left - 1);
    }
}
