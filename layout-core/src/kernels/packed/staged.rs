//! A packed tile, part by part: unpacks a part of the source, runs the kernel, packs its result. Called by
//! `packed`, for any strides; what `four`, `floats`, `paired` and `halved` can do it leaves to them.
//!
//! Kernels that convert get rows where they have parameters: a part that is crossed is turned before or behind them, in the buffer
//! that there is, since they would need one of their own for it besides those of the parameters.

use super::super::copy_bytes;
use super::super::cpu::Token;
use super::super::epilogue::{Epilogue, Parameter};
use super::super::tile::{Step, Tables, Tile};
use super::line::{Box3, Runs};
use super::{Held, Job, Nibble, Place, STAGE, Stage, floats, four, halved, paired, with_places_at};

/// Buffers of a part, a byte for each of its elements.
#[derive(Clone, Copy, PartialEq)]
enum Buffers {
    /// One, for the side that is packed.
    One,
    /// One for each side.
    Two,
    /// The same, half as large: kernels with parameters have buffers for these besides.
    Halves,
}

impl Buffers {
    /// Elements that each has room for.
    const fn room(self) -> usize {
        match self {
            Buffers::One | Buffers::Two => STAGE,
            Buffers::Halves => STAGE / 2,
        }
    }
}

/// Elements along x of a part that is transposed: a line of memory.
const WIDTH: usize = 128;

/// Moves the tile.
///
/// # Safety
/// That of [`super::run_on`].
pub(super) unsafe fn all(token: Token, job: &Job<'_>, src: Place<*const u8>, dst: Place<*mut u8>) {
    let Tile { x, y, z, valid_x, valid_y, tables, .. } = *job.tile;
    if let Some(blocks) = tables.blocks {
        // SAFETY: the caller's promise.
        if !unsafe { four::groups(token, job, src, dst) } {
            let one = Tile { tables: Tables::NONE, ..*job.tile };
            for (from, to) in blocks.src.iter().zip(blocks.dst) {
                // SAFETY: as above: the tile is repeated at these places.
                unsafe { all(token, &Job { tile: &one, ..*job }, src.step(1, *from), dst.step(1, *to)) };
            }
        }
        return;
    }
    let whole = Part {
        src,
        dst,
        valid: [valid_x, valid_y, z.len],
        len: [x.len, y.len, z.len],
        buffers: Buffers::One,
    };
    // SAFETY: the caller's promise.
    if unsafe { whole.direct(token, job) } {
        return;
    }
    // SAFETY: the caller's promise.
    if unsafe { four::groups(token, job, src, dst) } {
        return;
    }
    // SAFETY: the caller's promise.
    let (x, y) = if unsafe { floats::floats(token, job, src, dst) } {
        (job.tile.valid_x, job.tile.valid_y)
    } else if job.copies {
        // SAFETY: as above.
        unsafe { paired::pairs(token, job, src, dst) }
    } else {
        // SAFETY: as above.
        unsafe { halved::halved(token, job, src, dst) }
    };
    let (x_len, y_len) = (job.tile.x.len, job.tile.y.len);
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
    // With parameters, crossed parts are turned, which takes a buffer on both sides.
    let is_one_sided = job.packing.src.is_none() || job.packing.dst.is_none();
    let buffers = match tile.epilogue {
        None if is_one_sided => Buffers::One,
        Some(_) if is_one_sided && rows => Buffers::One,
        None => Buffers::Two,
        Some(_) => Buffers::Halves,
    };
    let room = buffers.room();
    // A whole number of lines along x, of as many as fit in the buffer; several repetitions if these are small.
    let width = if rows { room } else { (room / y_len.min(room)).next_multiple_of(WIDTH).min(room) };
    let width = width.min(x_len);
    // Parts as high as one another.
    let height = y_len.div_ceil(y_len.div_ceil((room / width).min(y_len)));
    let depth = if (width, height) == (x_len, y_len) { (room / (width * height)).min(tile.z.len) } else { 1 };
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
                    buffers,
                };
                with_places_at(tile, [x, y, z], || {
                    // SAFETY: the part lies in the tile, and has as many elements as there is room for at most.
                    unsafe { part.run(token, job) };
                });
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
    buffers: Buffers,
}

impl Part {
    /// Moves the part.
    ///
    /// # Safety
    /// That of [`super::run_on`]; there are at most as many elements as the buffers have [room](Buffers::room) for.
    unsafe fn run(&self, token: Token, job: &Job<'_>) {
        // SAFETY: the caller's promise.
        if unsafe { self.direct(token, job) } {
            return;
        }
        match self.buffers {
            // SAFETY: the caller's promise.
            Buffers::Two => unsafe { self.run_with::<2>(token, job) },
            // SAFETY: as above.
            Buffers::One | Buffers::Halves => unsafe { self.run_with::<1>(token, job) },
        }
    }

    /// [`Part::run`] by way of buffers, in `N` of the largest. Apart from it, so that others need no stack for these.
    ///
    /// # Safety
    /// As there.
    #[inline(never)]
    unsafe fn run_with<const N: usize>(&self, token: Token, job: &Job<'_>) {
        let mut stages = [const { Stage::new() }; N];
        let from = stages.as_mut_ptr().cast::<u8>();
        let to = if self.buffers == Buffers::One { from } else { from.wrapping_add(self.buffers.room()) };
        // SAFETY: the caller's promise.
        unsafe { self.run_in(token, job, [from, to]) };
    }

    /// [`Part::run`] with buffers for the source's bytes and for the destination's.
    ///
    /// # Safety
    /// As there.
    #[inline(never)]
    unsafe fn run_in(&self, token: Token, job: &Job<'_>, [from, to]: [*mut u8; 2]) {
        let tile = job.tile;
        let mut src_strides = [tile.x.src, tile.y.src, tile.z.src];
        let mut dst_strides = [tile.x.dst, tile.y.dst, tile.z.dst];
        let (mut src, mut dst) =
            (self.src.byte(job.packing.src.is_some()), self.dst.byte_mut(job.packing.dst.is_some()));
        let has_data = self.valid[0] > 0 && self.valid[1] > 0;
        let is_crossed = |src: &Box3<isize>, dst: &Box3<isize>| {
            let [src_bytes, dst_bytes] = [job.src_bytes, job.dst_bytes].map(|bytes| bytes as isize);
            let lines = src[1] == src_bytes && dst[0] == dst_bytes && src[0] != src_bytes;
            lines && has_data && self.buffers != Buffers::One && !job.moves_bytes()
        };
        let runs = Runs::new(self.len, dst_strides);
        if job.packing.dst.is_some() {
            (dst, dst_strides) = (to, runs.staged);
        }
        if let Some(nibble) = job.packing.src {
            let runs = Runs::new(self.valid, src_strides);
            src_strides = runs.staged;
            let turns = is_crossed(&src_strides, &dst_strides);
            let loaded = if turns { to } else { from };
            if has_data {
                // SAFETY: the caller's promise.
                unsafe { runs.load(token, Held::As(nibble), self.src, loaded) };
            }
            if turns {
                let rows = dense(self.valid, [0, 1, 2]);
                // SAFETY: what is read was just written, and there is room for as much.
                unsafe { turn(token, (loaded, src_strides), (from, rows), self.valid) };
                src_strides = rows;
            }
            src = from;
        }
        if let Some(nibble) = job.packing.dst
            && tile.epilogue.is_some_and(|epilogue| epilogue.beta != 0.0)
        {
            let old = Place { memory: self.dst.memory.cast_const(), at: self.dst.at };
            // SAFETY: the caller's promise; with beta, the destination can be read as well.
            unsafe { runs.load(token, Held::As(nibble), old, to) };
        }
        if job.packing.src.is_none() && is_crossed(&src_strides, &dst_strides) {
            // SAFETY: the caller's promise; `from` is not used yet, and there are two buffers.
            unsafe { self.turned(token, job, (src, src_strides), (to, dst_strides), from) };
        } else {
            let step = |i: usize| Step { len: self.len[i], src: src_strides[i], dst: dst_strides[i] };
            let inner = Tile {
                x: step(0),
                y: step(1),
                z: step(2),
                valid_x: self.valid[0],
                valid_y: self.valid[1],
                stream: tile.stream && job.packing.dst.is_none(),
                claims: tile.claims && job.packing.dst.is_none(),
                tables: Tables::NONE,
                epilogue: tile.epilogue,
                token,
            };
            // SAFETY: each side is memory of the tile, or a buffer with a byte for each element, of which those of the source
            // that hold data were just written.
            unsafe { (job.kernel)(src, dst, &inner) };
        }
        if let Some(nibble) = job.packing.dst {
            let nibble = if job.copies { Nibble::Bits } else { nibble };
            // SAFETY: the caller's promise; all bytes were written.
            unsafe { runs.store(token, Held::As(nibble), to, self.dst) };
        }
    }

    /// Converts the rows of a source that is not packed to `rows`, and turns them.
    ///
    /// # Safety
    /// As [`Part::run`]: the source can be read, and each of the buffers has room for the part.
    unsafe fn turned(
        &self,
        token: Token,
        job: &Job<'_>,
        (src, src_strides): (*const u8, Box3<isize>),
        (dst, dst_strides): (*mut u8, Box3<isize>),
        rows: *mut u8,
    ) {
        let strides = dense(self.len, [1, 0, 2]);
        let epilogue = job.tile.epilogue.map(with_x_for_y);
        if epilogue.as_ref().is_some_and(|epilogue| epilogue.beta != 0.0) {
            // SAFETY: the caller's promise: these are what the destination holds.
            unsafe { turn(token, (dst, dst_strides), (rows, strides), self.len) };
        }
        let step = |i: usize| Step { len: self.len[i], src: src_strides[i], dst: strides[i] };
        let inner = Tile {
            x: step(1),
            y: step(0),
            z: step(2),
            valid_x: self.valid[1],
            valid_y: self.valid[0],
            stream: false,
            claims: false,
            tables: Tables::NONE,
            epilogue: epilogue.as_ref(),
            token,
        };
        // SAFETY: the caller's promise.
        unsafe { (job.kernel)(src, rows, &inner) };
        // SAFETY: what is read was just written.
        unsafe { turn(token, (rows, strides), (dst, dst_strides), self.len) };
    }

    /// Unpacks or packs runs that both sides have, without a buffer; `false` where there are none, and then nothing was done.
    ///
    /// # Safety
    /// As [`Part::run`], of any size.
    unsafe fn direct(&self, token: Token, job: &Job<'_>) -> bool {
        let is_one_sided = job.packing.src.is_some() != job.packing.dst.is_some();
        if self.valid != self.len || !is_one_sided || !job.moves_bytes() {
            return false;
        }
        let Tile { x, y, z, .. } = *job.tile;
        let (src, dst) = ([x.src, y.src, z.src], [x.dst, y.dst, z.dst]);
        let (from, to) = (Runs::new(self.len, src), Runs::new(self.len, dst));
        let alike = (0..3).all(|i| from.count[i] > 1 || self.len[i] == 1 || src[i] == dst[i]);
        if from.len < 2 || from.count != to.count || !alike {
            return false;
        }
        match (job.packing.src, job.packing.dst) {
            // SAFETY: the elements of a run follow one another on both sides; the caller's promise.
            (Some(nibble), _) => unsafe {
                Runs { staged: dst, ..from }.load(
                    token,
                    Held::As(nibble),
                    self.src,
                    self.dst.byte_mut(false),
                );
            },
            // SAFETY: as above.
            (_, Some(nibble)) => unsafe {
                Runs { staged: src, ..to }.store(token, Held::As(nibble), self.src.byte(false), self.dst);
            },
            _ => {}
        }
        true
    }
}

/// Strides of a box of `len` bytes without gaps, of which the loops of `order` come one around the other.
fn dense(len: Box3<usize>, order: Box3<usize>) -> Box3<isize> {
    let mut strides = [0; 3];
    let mut follows = 1;
    for i in order {
        strides[i] = follows as isize;
        follows *= len[i];
    }
    strides
}

/// Moves a box of `len` bytes.
///
/// # Safety
/// They can be read at their places from `src` on, and written from `dst` on; the two do not overlap.
unsafe fn turn(
    token: Token,
    (src, src_strides): (*mut u8, Box3<isize>),
    (dst, dst_strides): (*mut u8, Box3<isize>),
    len: Box3<usize>,
) {
    let step = |i: usize| Step { len: len[i], src: src_strides[i], dst: dst_strides[i] };
    let tile = Tile {
        x: step(0),
        y: step(1),
        z: step(2),
        valid_x: len[0],
        valid_y: len[1],
        stream: false,
        claims: false,
        tables: Tables::NONE,
        epilogue: None,
        token,
    };
    // Along x the destination is contiguous; where the source is turned back, it is that along y.
    let tile = if dst_strides[0] == 1 {
        tile
    } else {
        Tile { x: tile.y, y: tile.x, valid_x: len[1], valid_y: len[0], ..tile }
    };
    // SAFETY: the caller's promise.
    unsafe { copy_bytes(token, 1, src, dst, &tile) };
}

/// `epilogue` of a tile whose x and y have changed places.
fn with_x_for_y(epilogue: &Epilogue) -> Epilogue {
    let mut epilogue = epilogue.clone();
    let change = |one: &mut Parameter| core::mem::swap(&mut one.x, &mut one.y);
    epilogue.parameters.iter_mut().flatten().for_each(change);
    epilogue.rounding.iter_mut().filter_map(|rounded| rounded.position.as_mut()).for_each(change);
    epilogue
}
