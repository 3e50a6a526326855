//! Transposes where one side is packed, and no byte of it is parted: bytes of two elements are turned as they are, which is half
//! the work, and become two lines behind that; or two rows are joined to one of such bytes before. Called by `staged`.

use super::super::copy_bytes;
use super::super::cpu::Token;
use super::super::drive::{Turn, turned};
use super::super::tile::{Step, Tables, Tile};
use super::weave::{Halves, Join, halve_rows, join_rows};
use super::{Job, LINE, Nibble, Place, STAGE, Stage, with_places_at};

/// Elements of a line of the destination below which it is too short; of one that is converted besides.
const SHORT: usize = 32;
const SHORT_CONVERTED: usize = 64;

/// Bytes that are used of the buffer: a line of each row, with which a part of that stays in the first-level cache.
const ROOM: usize = STAGE / 4 * 3;

const ONCE: Step = Step { len: 1, src: 0, dst: 0 };

/// Moves the data from the first element on of as many x and y as it can; returns these numbers, 0 where it is none.
///
/// # Safety
/// That of [`super::run_on`].
#[inline(never)]
pub(super) unsafe fn halved(
    token: Token,
    job: &Job<'_>,
    src: Place<*const u8>,
    dst: Place<*mut u8>,
) -> (usize, usize) {
    let Tile { x, y, z, valid_x, valid_y, epilogue, .. } = *job.tile;
    let least = if job.moves_bytes() || epilogue.is_some() { SHORT } else { SHORT_CONVERTED };
    if x.dst != if job.packing.dst.is_some() { 1 } else { job.dst_bytes as isize }
        || y.src != if job.packing.src.is_some() { 1 } else { job.src_bytes as isize }
        || valid_x < least
        || valid_y < SHORT
    {
        return (0, 0);
    }
    let (src_z, dst_z) = if z.len > 1 { (z.src, z.dst) } else { (0, 0) };
    // SAFETY: the caller's promise; the strides were just compared.
    let moved = unsafe { by_squares(token, job, src, dst) };
    if moved != (0, 0) {
        return moved;
    }
    match (job.packing.src, job.packing.dst) {
        (Some(nibble), None) if (src.at | x.src | src_z) & 1 == 0 => {
            // SAFETY: the caller's promise, and the strides were just compared.
            unsafe { to_halves(token, job, nibble, src, dst) };
            (valid_x, valid_y / 2 * 2)
        }
        (None, Some(nibble)) if job.moves_bytes() && (dst.at | y.dst | dst_z) & 1 == 0 => {
            // SAFETY: as above.
            unsafe { from_rows(token, job, nibble, src, dst) };
            (valid_x / 2 * 2, valid_y)
        }
        _ => (0, 0),
    }
}

/// Moves the data by squares, if the family has a way, and packed rows begin with whole bytes.
///
/// # Safety
/// As [`halved`], which has looked at the strides.
unsafe fn by_squares(
    token: Token,
    job: &Job<'_>,
    src: Place<*const u8>,
    dst: Place<*mut u8>,
) -> (usize, usize) {
    let Tile { x, y, z, .. } = *job.tile;
    let (src_z, dst_z) = if z.len > 1 { (z.src, z.dst) } else { (0, 0) };
    let turn = match (job.packing.src, job.packing.dst) {
        (Some(nibble), None) if (src.at | x.src | src_z) & 1 == 0 => match job.moves_bytes() {
            true => Turn::Unpack { signed: nibble == Nibble::Signed },
            false => Turn::Convert(job.formats.0, job.formats.1),
        },
        (None, Some(nibble)) if job.moves_bytes() && (dst.at | y.dst | dst_z) & 1 == 0 => {
            Turn::Pack { nearest: nibble != Nibble::Bits, signed: nibble == Nibble::Signed }
        }
        _ => return (0, 0),
    };
    let (from, to) = (src.byte(job.packing.src.is_some()), dst.byte_mut(job.packing.dst.is_some()));
    // SAFETY: the caller's promise.
    unsafe { turned(token, turn, from, to, job.tile) }
}

/// Turns packed elements, and then parts them.
///
/// # Safety
/// As [`halved`], which has looked at the strides.
unsafe fn to_halves(token: Token, job: &Job<'_>, nibble: Nibble, src: Place<*const u8>, dst: Place<*mut u8>) {
    let tile = job.tile;
    let mut stage = Stage::new();
    let turned = stage.start();
    let is_last = job.moves_bytes();
    // Both halves of what was turned have room behind it, unless they are what is wanted.
    let room = if is_last { ROOM } else { ROOM / 3 };
    let parted = turned.wrapping_add(room);
    let width = tile.valid_x.min(2 * LINE);
    let (ny, height) = (tile.valid_y / 2, (room / width).min(LINE));
    let mut y = 0;
    while y < ny {
        let rows = height.min(ny - y);
        for z in 0..tile.z.len {
            let mut x = 0;
            while x < tile.valid_x {
                let columns = width.min(tile.valid_x - x);
                let from = src.step(z, tile.z.src).step(x, tile.x.src).step(2 * y, 1);
                let to = dst.step(z, tile.z.dst).step(x, tile.x.dst).step(2 * y, tile.y.dst).byte_mut(false);
                let bytes = Tile {
                    x: Step { len: columns, src: tile.x.src / 2, dst: 1 },
                    y: Step { len: rows, src: 1, dst: columns as isize },
                    z: ONCE,
                    valid_x: columns,
                    valid_y: rows,
                    stream: false,
                    claims: false,
                    tables: Tables::NONE,
                    epilogue: None,
                    token,
                };
                // SAFETY: these bytes hold elements of the tile, and the buffer has room for them; the caller's promise.
                unsafe { copy_bytes(token, 1, from.byte(true), turned, &bytes) };
                let line = columns as isize;
                let (to_halves, pitch) = if is_last { (to, tile.y.dst) } else { (parted, line) };
                let halves = Halves {
                    nibble,
                    src: turned,
                    src_row: line,
                    dst: to_halves,
                    dst_row: pitch,
                    count: rows,
                    len: columns,
                };
                // SAFETY: what is read was just written; there is room for twice as many, or they are the tile's.
                unsafe { halve_rows(token, &halves) };
                if !is_last {
                    let lines = Tile {
                        x: Step { len: columns, src: 1, dst: tile.x.dst },
                        y: Step { len: 2 * rows, src: line, dst: tile.y.dst },
                        valid_y: 2 * rows,
                        stream: tile.stream,
                        epilogue: tile.epilogue,
                        ..bytes
                    };
                    with_places_at(tile, [x, 2 * y, z], || {
                        // SAFETY: what is read was just written; the destination's elements are the tile's.
                        unsafe { (job.kernel)(parted, to, &lines) };
                    });
                }
                x += columns;
            }
        }
        y += rows;
    }
}

/// Joins rows of bytes, and then turns them.
///
/// # Safety
/// As [`halved`], which has looked at the strides.
unsafe fn from_rows(token: Token, job: &Job<'_>, nibble: Nibble, src: Place<*const u8>, dst: Place<*mut u8>) {
    let tile = job.tile;
    let mut stage = Stage::new();
    let joined = stage.start();
    let (nx, height) = (tile.valid_x / 2, tile.valid_y.min(2 * LINE));
    let width = (ROOM / height / LINE * LINE).min(nx);
    for z in 0..tile.z.len {
        let mut x = 0;
        while x < nx {
            let columns = width.min(nx - x);
            let mut y = 0;
            while y < tile.valid_y {
                let rows = height.min(tile.valid_y - y);
                let from = src.step(z, tile.z.src).step(2 * x, tile.x.src).step(y, tile.y.src).byte(false);
                let to = dst.step(z, tile.z.dst).step(2 * x, 1).step(y, tile.y.dst).byte_mut(true);
                let pairs = Join { nibble, src: from, src_row: tile.x.src, count: columns, len: rows };
                // SAFETY: these elements are the tile's, and the buffer has room for them; the caller's promise.
                unsafe { join_rows(token, &pairs, joined) };
                let bytes = Tile {
                    x: Step { len: columns, src: rows as isize, dst: 1 },
                    y: Step { len: rows, src: 1, dst: tile.y.dst / 2 },
                    z: ONCE,
                    valid_x: columns,
                    valid_y: rows,
                    stream: tile.stream,
                    claims: tile.claims,
                    tables: Tables::NONE,
                    epilogue: None,
                    token,
                };
                // SAFETY: what is read was just written; these bytes hold elements of the tile alone.
                unsafe { copy_bytes(token, 1, joined, to, &bytes) };
                y += rows;
            }
            x += columns;
        }
    }
}
