//! A packed tile, part by part: unpacks a part of the source, runs the kernel, packs its result. Called by
//! `packed`, for any strides; what `paired` can do it leaves to that.

use super::super::cpu::Token;
use super::super::tile::{Step, Tables, Tile};
use super::line::{get, pack, saturated, set, unpack};
use super::{Job, Nibble, Place, STAGE, Stage, paired};

/// Elements along x of a part that is transposed: a line of memory.
const WIDTH: usize = 128;

/// Moves the tile.
///
/// # Safety
/// That of [`super::run_on`].
pub(super) unsafe fn all(token: Token, job: &Job<'_>, src: Place<*const u8>, dst: Place<*mut u8>) {
    let tile = job.tile;
    let (x_len, y_len) = (tile.x.len, tile.y.len);
    // SAFETY: the caller's promise.
    let (x, y) = unsafe { paired::pairs(token, job, src, dst) };
    if (x, y) == (x_len, y_len) {
        return;
    }
    for z in 0..tile.z.len {
        let (src, dst) = (src.step(z, tile.z.src), dst.step(z, tile.z.dst));
        for (x, y) in [([x, x_len], [0, y]), ([0, x_len], [y, y_len])] {
            // SAFETY: the caller's promise, for one repetition.
            unsafe { rest(token, job, (src, dst, z), x, y) };
        }
    }
}

/// Moves the elements of these ranges, part by part.
///
/// # Safety
/// That of [`all`], for repetition `z`, to which `src` and `dst` point.
unsafe fn rest(
    token: Token,
    job: &Job<'_>,
    (src, dst, z): (Place<*const u8>, Place<*mut u8>, usize),
    [x_start, x_end]: [usize; 2],
    [y_start, y_end]: [usize; 2],
) {
    if x_start >= x_end || y_start >= y_end {
        return;
    }
    let tile = job.tile;
    let (x_len, y_len) = (x_end - x_start, y_end - y_start);
    let rows = tile.x.src == job.src_bytes as isize && tile.x.dst == job.dst_bytes as isize;
    // A whole number of lines along x, of as many as fit in the buffer.
    let width = if rows { STAGE } else { (STAGE / y_len.min(STAGE)).next_multiple_of(WIDTH).min(STAGE) };
    let width = width.min(x_len);
    let height = (STAGE / width).min(y_len);
    let mut y = y_start;
    while y < y_end {
        let ny = height.min(y_end - y);
        let mut x = x_start;
        while x < x_end {
            let nx = width.min(x_end - x);
            let part = Part {
                src: src.step(x, tile.x.src).step(y, tile.y.src),
                dst: dst.step(x, tile.x.dst).step(y, tile.y.dst),
                valid: [tile.valid_x.saturating_sub(x).min(nx), tile.valid_y.saturating_sub(y).min(ny)],
                len: [nx, ny],
            };
            let shift = |by: fn(usize, usize) -> usize| {
                for one in tile.epilogue.iter().flat_map(|epilogue| epilogue.places()) {
                    one.at.set(by(one.at.get(), x * one.x + y * one.y + z * one.z));
                }
            };
            // The kernel takes the part for a whole tile.
            shift(usize::wrapping_add);
            // SAFETY: the part lies in the tile, and has as many elements as a buffer bytes at most.
            unsafe { part.run(token, job) };
            shift(usize::wrapping_sub);
            x += nx;
        }
        y += ny;
    }
}

/// A part of a tile.
struct Part {
    src: Place<*const u8>,
    dst: Place<*mut u8>,
    /// Elements along x and y that hold data.
    valid: [usize; 2],
    len: [usize; 2],
}

/// How a side of the kernel lies.
type Strides = [isize; 2];

impl Part {
    /// Moves the part.
    ///
    /// # Safety
    /// That of [`super::run_on`]; there are at most [`STAGE`] elements.
    unsafe fn run(&self, token: Token, job: &Job<'_>) {
        let tile = job.tile;
        let (mut from, mut to) = (Stage::new(), Stage::new());
        let (from, to) = (from.start(), to.start());
        let (mut src, mut src_strides) = (self.src.byte(job.packing.src.is_some()), [tile.x.src, tile.y.src]);
        if let Some(nibble) = job.packing.src {
            // SAFETY: the caller's promise.
            src_strides = unsafe { self.load(token, nibble, src_strides, from) };
            src = from;
        }
        let (mut dst, mut dst_strides) =
            (self.dst.byte_mut(job.packing.dst.is_some()), [tile.x.dst, tile.y.dst]);
        if job.packing.dst.is_some() {
            // Along y where that is how the destination's lines run.
            let along_y = tile.x.dst != 1 && tile.y.dst == 1;
            dst_strides = if along_y { [self.len[1] as isize, 1] } else { [1, self.len[0] as isize] };
            dst = to;
        }
        if let Some(nibble) = job.packing.dst
            && tile.epilogue.is_some_and(|epilogue| epilogue.beta != 0.0)
        {
            // SAFETY: the caller's promise; with beta, the destination can be read as well.
            unsafe { self.load_old(token, nibble, [tile.x.dst, tile.y.dst], (to, dst_strides)) };
        }
        let [nx, ny] = self.len;
        let inner = Tile {
            x: Step { len: nx, src: src_strides[0], dst: dst_strides[0] },
            y: Step { len: ny, src: src_strides[1], dst: dst_strides[1] },
            z: Step { len: 1, src: 0, dst: 0 },
            valid_x: self.valid[0],
            valid_y: self.valid[1],
            stream: tile.stream && job.packing.dst.is_none(),
            tables: Tables::NONE,
            epilogue: tile.epilogue,
        };
        // SAFETY: each side is memory of the tile, or a buffer with a byte for each element, of which those of the source
        // that hold data were just written.
        unsafe { (job.kernel)(src, dst, &inner) };
        if let Some(nibble) = job.packing.dst {
            // SAFETY: the kernel has written all of them.
            let bytes = unsafe { core::slice::from_raw_parts(to, nx * ny) };
            let nibble = if job.copies { Nibble::Bits } else { nibble };
            // SAFETY: the caller's promise.
            unsafe { self.store(token, nibble, bytes, [tile.x.dst, tile.y.dst]) };
        }
    }

    /// Writes the elements that hold data to `stage`, a byte each; returns how they lie there.
    ///
    /// # Safety
    /// They can be read, and as many bytes written.
    unsafe fn load(&self, token: Token, nibble: Nibble, strides: Strides, stage: *mut u8) -> Strides {
        let [nx, ny] = self.valid;
        let [x, y] = strides;
        if nx == 0 || ny == 0 {
            return [1, 1];
        }
        // A line for each value of the second axis.
        let (len, count, across) = if x == 1 || y != 1 { (nx, ny, y) } else { (ny, nx, x) };
        let lines = x == 1 || y == 1;
        let line = if lines && across == len as isize { [len * count, 1] } else { [len, count] };
        for i in 0..line[1] {
            let (from, to) = (self.src.step(i, across), stage.wrapping_add(i * line[0]));
            if lines {
                // SAFETY: the elements of a line follow one another; the caller's promise.
                unsafe { unpack(token, nibble, from, line[0], to) };
                continue;
            }
            for k in 0..len {
                // SAFETY: the caller's promise.
                let byte = unsafe { get(nibble, from.step(k, x)) };
                // SAFETY: the caller's promise.
                unsafe { to.wrapping_add(k).write(byte) };
            }
        }
        if x == 1 || y != 1 { [1, len as isize] } else { [len as isize, 1] }
    }

    /// Writes what the destination holds in place of data to `stage.0`, a byte each, `stage.1` apart.
    ///
    /// # Safety
    /// It can be read, and as many bytes written.
    unsafe fn load_old(&self, token: Token, nibble: Nibble, strides: Strides, stage: (*mut u8, Strides)) {
        let ([nx, ny], [x, y], (stage, [stage_x, stage_y])) = (self.valid, strides, stage);
        let old = Place { memory: self.dst.memory.cast_const(), at: self.dst.at };
        // A line of the stage for each value of the second axis.
        let (len, count, along, across, pitch) =
            if stage_x == 1 { (nx, ny, x, y, stage_y) } else { (ny, nx, y, x, stage_x) };
        for i in 0..count {
            let (from, to) = (old.step(i, across), stage.wrapping_offset(i as isize * pitch));
            if along == 1 {
                // SAFETY: the elements of a line follow one another; the caller's promise.
                unsafe { unpack(token, nibble, from, len, to) };
                continue;
            }
            for k in 0..len {
                // SAFETY: the caller's promise.
                let byte = unsafe { get(nibble, from.step(k, along)) };
                // SAFETY: the caller's promise.
                unsafe { to.wrapping_add(k).write(byte) };
            }
        }
    }

    /// Puts `bytes`, which follow one another along the destination's lines, in their places.
    ///
    /// # Safety
    /// The elements can be written.
    unsafe fn store(&self, token: Token, nibble: Nibble, bytes: &[u8], strides: Strides) {
        let [nx, ny] = self.len;
        let [x, y] = strides;
        let (len, count, along, across) = if x != 1 && y == 1 { (ny, nx, y, x) } else { (nx, ny, x, y) };
        let line = if along == 1 && across == len as isize { len * count } else { len };
        for (i, bytes) in bytes.chunks(line).enumerate() {
            let to = self.dst.step(i, across);
            if along == 1 {
                // SAFETY: the elements of a line follow one another; the caller's promise.
                unsafe { pack(token, nibble, bytes, to) };
                continue;
            }
            for (k, &byte) in bytes.iter().enumerate() {
                // SAFETY: the caller's promise.
                unsafe { set(to.step(k, along), saturated(nibble, byte)) };
            }
        }
    }
}
