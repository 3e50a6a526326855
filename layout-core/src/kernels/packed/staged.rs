//! A packed tile, part by part: unpacks a part of the source, runs the kernel, packs its result. Called by
//! `packed`, for any strides; what `four` and `paired` can do it leaves to them.

use super::super::cpu::Token;
use super::super::tile::{Step, Tables, Tile};
use super::line::{get, pack, saturated, set, unpack};
use super::{Job, Nibble, Place, STAGE, Stage, four, paired};

/// Elements along x of a part that is transposed: a line of memory.
const WIDTH: usize = 128;

/// Values along x, y and z.
type Box3<T> = [T; 3];

/// Moves the tile.
///
/// # Safety
/// That of [`super::run_on`].
pub(super) unsafe fn all(token: Token, job: &Job<'_>, src: Place<*const u8>, dst: Place<*mut u8>) {
    let (x_len, y_len) = (job.tile.x.len, job.tile.y.len);
    // SAFETY: the caller's promise.
    if unsafe { four::groups(token, job, src, dst) } {
        return;
    }
    // SAFETY: the caller's promise.
    let (x, y) = unsafe { paired::pairs(token, job, src, dst) };
    for (x, y) in [([x, x_len], [0, y]), ([0, x_len], [y, y_len])] {
        // SAFETY: the caller's promise.
        unsafe { rest(token, job, src, dst, x, y) };
    }
}

/// Moves the elements of these ranges, part by part.
///
/// # Safety
/// That of [`all`].
unsafe fn rest(
    token: Token,
    job: &Job<'_>,
    src: Place<*const u8>,
    dst: Place<*mut u8>,
    [x_start, x_end]: [usize; 2],
    [y_start, y_end]: [usize; 2],
) {
    if x_start >= x_end || y_start >= y_end {
        return;
    }
    let tile = job.tile;
    let (x_len, y_len) = (x_end - x_start, y_end - y_start);
    let rows = tile.x.src == job.src_bytes as isize && tile.x.dst == job.dst_bytes as isize;
    // A whole number of lines along x, of as many as fit in the buffer; several repetitions if these are small.
    let width = if rows { STAGE } else { (STAGE / y_len.min(STAGE)).next_multiple_of(WIDTH).min(STAGE) };
    let width = width.min(x_len);
    let height = (STAGE / width).min(y_len);
    let depth =
        if (width, height) == (x_len, y_len) { (STAGE / (width * height)).min(tile.z.len) } else { 1 };
    let mut z = 0;
    while z < tile.z.len {
        let nz = depth.min(tile.z.len - z);
        let mut y = y_start;
        while y < y_end {
            let ny = height.min(y_end - y);
            let mut x = x_start;
            while x < x_end {
                let nx = width.min(x_end - x);
                let valid =
                    [tile.valid_x.saturating_sub(x).min(nx), tile.valid_y.saturating_sub(y).min(ny), nz];
                let part = Part {
                    src: src.step(x, tile.x.src).step(y, tile.y.src).step(z, tile.z.src),
                    dst: dst.step(x, tile.x.dst).step(y, tile.y.dst).step(z, tile.z.dst),
                    valid,
                    len: [nx, ny, nz],
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
        z += nz;
    }
}

/// A part of a tile.
struct Part {
    src: Place<*const u8>,
    dst: Place<*mut u8>,
    /// Elements that hold data; along z all.
    valid: Box3<usize>,
    len: Box3<usize>,
}

/// A side of a part as runs of elements that follow one another, and what the part looks like where the runs do as well.
struct Runs {
    len: usize,
    /// Number of runs along each direction, and how far apart they are; outside a run's own directions 1.
    count: Box3<usize>,
    strides: Box3<isize>,
    /// Strides of the part in a buffer.
    staged: Box3<isize>,
}

impl Runs {
    /// The longest runs of a box of `len` elements.
    fn new(len: Box3<usize>, strides: Box3<isize>) -> Runs {
        let mut runs = Runs { len: 1, count: len, strides, staged: strides };
        while let Some(next) = (0..3).find(|&i| runs.count[i] > 1 && strides[i] == runs.len as isize) {
            (runs.len, runs.count[next]) = (runs.len * len[next], 1);
        }
        let mut follows = runs.len;
        for i in 0..3 {
            if runs.count[i] > 1 {
                runs.staged[i] = follows as isize;
                follows *= runs.count[i];
            }
        }
        runs
    }

    /// Calls `f` with the place in memory and in the buffer of each run, as distances from the first.
    fn each(&self, mut f: impl FnMut(isize, usize)) {
        let at = |[x, y, z]: Box3<usize>, by: &Box3<isize>| {
            x as isize * by[0] + y as isize * by[1] + z as isize * by[2]
        };
        for z in 0..self.count[2] {
            for y in 0..self.count[1] {
                for x in 0..self.count[0] {
                    f(at([x, y, z], &self.strides), at([x, y, z], &self.staged) as usize);
                }
            }
        }
    }
}

impl Part {
    /// Moves the part.
    ///
    /// # Safety
    /// That of [`super::run_on`]; there are at most [`STAGE`] elements.
    unsafe fn run(&self, token: Token, job: &Job<'_>) {
        let tile = job.tile;
        let (mut from, mut to) = (Stage::new(), Stage::new());
        let (from, to) = (from.start(), to.start());
        let mut src_strides = [tile.x.src, tile.y.src, tile.z.src];
        let mut dst_strides = [tile.x.dst, tile.y.dst, tile.z.dst];
        // SAFETY: the caller's promise.
        if job.moves_bytes() && unsafe { self.direct(token, job, [src_strides, dst_strides]) } {
            return;
        }
        let (mut src, mut dst) =
            (self.src.byte(job.packing.src.is_some()), self.dst.byte_mut(job.packing.dst.is_some()));
        let has_data = self.valid[0] > 0 && self.valid[1] > 0;
        if let Some(nibble) = job.packing.src {
            let runs = Runs::new(self.valid, src_strides);
            if has_data {
                // SAFETY: the caller's promise.
                unsafe { self.load(token, nibble, &runs, from) };
            }
            (src, src_strides) = (from, runs.staged);
        }
        let runs = Runs::new(self.len, dst_strides);
        if job.packing.dst.is_some() {
            (dst, dst_strides) = (to, runs.staged);
        }
        if let Some(nibble) = job.packing.dst
            && tile.epilogue.is_some_and(|epilogue| epilogue.beta != 0.0)
        {
            // SAFETY: the caller's promise; with beta, the destination can be read as well.
            unsafe { self.load_old(token, nibble, &runs, to) };
        }
        let step = |i: usize| Step { len: self.len[i], src: src_strides[i], dst: dst_strides[i] };
        let inner = Tile {
            x: step(0),
            y: step(1),
            z: step(2),
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
            let nibble = if job.copies { Nibble::Bits } else { nibble };
            // SAFETY: the kernel has written all of them.
            let bytes = unsafe { core::slice::from_raw_parts(to, self.len.iter().product()) };
            // SAFETY: the caller's promise.
            unsafe { self.store(token, nibble, &runs, bytes) };
        }
    }

    /// Unpacks or packs runs that both sides have, without a buffer; `false` where there are none, and then nothing was done.
    ///
    /// # Safety
    /// As [`Part::run`], for a kernel that moves bytes.
    unsafe fn direct(&self, token: Token, job: &Job<'_>, [src, dst]: [Box3<isize>; 2]) -> bool {
        if self.valid != self.len || job.packing.src.is_some() == job.packing.dst.is_some() {
            return false;
        }
        let (from, to) = (Runs::new(self.len, src), Runs::new(self.len, dst));
        let alike = (0..3).all(|i| from.count[i] > 1 || self.len[i] == 1 || src[i] == dst[i]);
        if from.len < 2 || from.count != to.count || !alike {
            return false;
        }
        let both = Runs { staged: dst, ..from };
        both.each(|src, dst| {
            let (src, dst) = (self.src.step(1, src), self.dst.step(1, dst as isize));
            match (job.packing.src, job.packing.dst) {
                // SAFETY: the elements of a run follow one another on both sides; the caller's promise.
                (Some(nibble), _) => unsafe { unpack(token, nibble, src, both.len, dst.byte_mut(false)) },
                (_, Some(nibble)) => {
                    // SAFETY: as above.
                    let bytes = unsafe { core::slice::from_raw_parts(src.byte(false), both.len) };
                    // SAFETY: as above.
                    unsafe { pack(token, nibble, bytes, dst) };
                }
                _ => {}
            }
        });
        true
    }

    /// Writes the elements that hold data to `stage`, a byte each.
    ///
    /// # Safety
    /// They can be read, and as many bytes written.
    unsafe fn load(&self, token: Token, nibble: Nibble, runs: &Runs, stage: *mut u8) {
        runs.each(|at, staged| {
            let (from, to) = (self.src.step(1, at), stage.wrapping_add(staged));
            if runs.len > 1 {
                // SAFETY: the elements of a run follow one another; the caller's promise.
                unsafe { unpack(token, nibble, from, runs.len, to) };
            } else {
                // SAFETY: the caller's promise.
                let byte = unsafe { get(nibble, from) };
                // SAFETY: the caller's promise.
                unsafe { to.write(byte) };
            }
        });
    }

    /// Writes what the destination holds to `stage`, a byte each.
    ///
    /// # Safety
    /// It can be read, and as many bytes written.
    unsafe fn load_old(&self, token: Token, nibble: Nibble, runs: &Runs, stage: *mut u8) {
        let src = Place { memory: self.dst.memory.cast_const(), at: self.dst.at };
        // SAFETY: the caller's promise.
        unsafe { Part { src, ..*self }.load(token, nibble, runs, stage) };
    }

    /// Puts `bytes`, which lie as `runs` says, in their places.
    ///
    /// # Safety
    /// The elements can be written.
    unsafe fn store(&self, token: Token, nibble: Nibble, runs: &Runs, bytes: &[u8]) {
        runs.each(|at, staged| {
            let to = self.dst.step(1, at);
            if runs.len > 1 {
                // SAFETY: the elements of a run follow one another; the caller's promise.
                unsafe { pack(token, nibble, &bytes[staged..staged + runs.len], to) };
            } else {
                // SAFETY: the caller's promise.
                unsafe { set(to, saturated(nibble, bytes[staged])) };
            }
        });
    }
}
