//! Cuts a tile into jobs of rows and transposes: which go first is up to the narrower of the two types. Called by the
//! kernels of this folder.

use core::mem::MaybeUninit;

use super::super::super::copy_bytes;
use super::super::super::cpu::Cpu;
use super::super::super::epilogue::{Affine, LANES};
use super::super::super::generic::{fill_zero, step, step_mut};
use super::super::super::tile::{Step, Tables, Tile};
use super::super::{LINE, Rows};
use super::lookup::{MANY, Results};
use super::rows::{Loop, Place, rows_from};
use super::table::{Common, Line, Table, WIDTH};
use super::{Conversion, FEW, STAGE, Stage, larger, smaller};

/// How many short rows, of `src` and `dst` bytes, are finished before their neighbours: few enough for what they span on both sides
/// to be in the second-level cache still, or in the first where the neighbours have a part of the same lines.
fn at_once(rows: Step, src: usize, dst: usize) -> usize {
    let (from, to) = (rows.src.unsigned_abs(), rows.dst.unsigned_abs());
    let span = if src < LINE && from != src || dst < LINE && to != dst { 16 * 1024 } else { 64 * 1024 };
    larger(16, span / larger(1, from + to))
}

impl Conversion<'_> {
    /// Converts the elements of `tile` and writes zero to its padding.
    ///
    /// # Safety
    /// The contract of [`Kernel`](super::super::super::tile::Kernel) for elements of the two widths.
    pub(in super::super::super) unsafe fn run(&self, src: *const u8, dst: *mut u8, tile: &Tile) {
        let valid_y = if tile.valid_x == 0 { 0 } else { tile.valid_y };
        let is_common = self.epilogue.is_some_and(|epilogue| epilogue.is_common() && valid_y > 0);
        if is_common && self.common.is_none() {
            let lanes = Common::new();
            // SAFETY: 6. of the contract: there is data.
            let common = unsafe { lanes.of(self.epilogue) };
            // SAFETY: the caller's promise.
            unsafe { Conversion { common: Some(&common), ..*self }.run(src, dst, tile) };
            return;
        }
        if self.look_up.is_some() && self.results.is_none() && tile.valid_x * valid_y * tile.z.len >= MANY {
            let (results, rows) = (Results::new(), [const { Results::new() }; FEW]);
            let rows = self.differs_by_few(tile).then_some(&rows);
            // SAFETY: the caller's promise.
            unsafe {
                Conversion { results: Some(&results), results_of_rows: rows, ..*self }.run(src, dst, tile)
            };
            return;
        }
        if !self.keeps_zero && valid_y > 0 && tile.valid_x < tile.x.len {
            // SAFETY: the caller's promise.
            unsafe { self.padded_after(src, dst, tile) };
            return;
        }
        let lines = tile.x.dst == self.dst as isize;
        let rows = lines && tile.x.src == self.src as isize;
        let crosses = lines && tile.y.src == self.src as isize;
        if valid_y > 0 && rows && self.is_scattered(tile) {
            // SAFETY: the caller's promise, and the strides were just compared.
            unsafe { self.gathered(src, dst, tile, valid_y) };
        } else if valid_y > 0 && self.is_turned(tile) {
            // SAFETY: the caller's promise.
            unsafe { self.turned(src, dst, tile, valid_y) };
        } else if valid_y > 0 && !rows && crosses {
            // SAFETY: the caller's promise, and the strides were just compared.
            unsafe { self.crossed(src, dst, tile, valid_y) };
        } else if valid_y > 0 && rows {
            // SAFETY: the caller's promise, and the strides were just compared.
            unsafe { self.banded(src, dst, tile, valid_y) };
        } else if valid_y > 0 {
            for z in 0..tile.z.len {
                let (src, dst) = (step(src, z, tile.z.src), step_mut(dst, z, tile.z.dst));
                // SAFETY: the caller's promise.
                unsafe { self.strided(src, dst, tile, [z, valid_y]) };
            }
        }
        if valid_y < tile.y.len {
            for z in 0..tile.z.len {
                let rest = Step { len: tile.y.len - valid_y, ..tile.y };
                let at = step_mut(step_mut(dst, z, tile.z.dst), valid_y, tile.y.dst);
                // SAFETY: 2. of the contract; these rows are in the tile.
                unsafe { fill_zero(at, tile.x, rest, self.dst) };
            }
        }
    }

    /// [`Conversion::run`] without padding along x, which is written by itself.
    ///
    /// # Safety
    /// As [`Conversion::run`]; there is data.
    unsafe fn padded_after(&self, src: *const u8, dst: *mut u8, tile: &Tile) {
        let data = Tile { x: Step { len: tile.valid_x, ..tile.x }, ..*tile };
        // SAFETY: the caller's promise, for a part of the tile.
        unsafe { self.run(src, dst, &data) };
        let rest = Step { len: tile.x.len - tile.valid_x, ..tile.x };
        for z in 0..tile.z.len {
            let at = step_mut(step_mut(dst, z, tile.z.dst), tile.valid_x, tile.x.dst);
            // SAFETY: 2. of the contract; these places are in the tile.
            unsafe { fill_zero(at, rest, tile.y, self.dst) };
        }
    }

    /// Whether the tile is of short rows that have the same parameters in every repetition, and either their own each or
    /// fewer neighbours than repetitions.
    fn is_turned(&self, tile: &Tile) -> bool {
        /// Elements of a row that outweigh the writing of its parameters.
        const LONG: usize = 256;
        let rows = tile.x.dst == self.dst as isize && tile.x.src == self.src as isize;
        if !rows || tile.z.len == 1 || tile.x.len >= LONG {
            return false;
        }
        let mut parameters = self.epilogue.iter().flat_map(|epilogue| epilogue.parameters.iter().flatten());
        let own = parameters.clone().any(|one| one.y > 0);
        (own || tile.z.len > tile.y.len) && parameters.all(|one| one.z == 0)
    }

    /// Rows along x. Short ones in bands that are finished for all repetitions before the next one, because these often share
    /// lines of one side.
    ///
    /// # Safety
    /// As [`Conversion::run`], for a tile of rows with data.
    unsafe fn banded(&self, src: *const u8, dst: *mut u8, tile: &Tile, valid_y: usize) {
        let short = tile.z.len > 1 && tile.x.len * larger(self.src, self.dst) <= 2 * LINE;
        let band =
            if short { at_once(tile.y, tile.x.len * self.src, tile.x.len * self.dst) } else { valid_y };
        let mut y = 0;
        while y < valid_y {
            let count = smaller(valid_y - y, band);
            for z in 0..tile.z.len {
                let job = rows_from(src, dst, tile, [y, z], Step { len: count, ..tile.y });
                // SAFETY: the elements of a row follow one another on both sides; 1. to 4. of the contract.
                unsafe { self.padded(&job, &Place::rows([0, y, z], tile.valid_x)) };
            }
            y += count;
        }
    }

    /// Whether the tile is of a few short rows that all hold data, and that follow one another in the destination alone.
    fn is_scattered(&self, tile: &Tile) -> bool {
        /// Bytes of a row in the source that outweigh a loop's beginning.
        const SHORT: usize = 32;
        /// Repetitions from which they are better taken as rows.
        const FEW: usize = 16;
        let (src, dst) = (tile.x.len * self.src, tile.x.len * self.dst);
        let gaps = tile.y.src != src as isize && tile.y.dst == dst as isize;
        // Many rows of a block go to the loops as they are.
        let blocks = matches!(self.token.cpu(), Cpu::Avx512 | Cpu::Avx2);
        let fills = blocks && tile.y.len >= 2 * LANES && tile.x.len == LANES;
        gaps && !fills && src <= SHORT && tile.y.len >= 4 && tile.z.len <= FEW && tile.valid_x == tile.x.len
    }

    /// Short rows of the source, one behind the other in a buffer; then as one row.
    ///
    /// # Safety
    /// As [`Conversion::run`], for a tile that [is scattered](Self::is_scattered).
    #[inline(never)]
    unsafe fn gathered(&self, src: *const u8, dst: *mut u8, tile: &Tile, valid_y: usize) {
        let mut stage = Stage([MaybeUninit::uninit(); STAGE]);
        let stage = stage.0.as_mut_ptr().cast::<u8>();
        let line = tile.x.len * self.src;
        // As many rows as there is room for, of several repetitions where these are short.
        let height = smaller(valid_y, STAGE / line);
        let depth = if height == valid_y { smaller(STAGE / (line * height), tile.z.len) } else { 1 };
        let mut z = 0;
        while z < tile.z.len {
            let nz = smaller(depth, tile.z.len - z);
            let (src, dst) = (step(src, z, tile.z.src), step_mut(dst, z, tile.z.dst));
            let mut y = 0;
            while y < valid_y {
                let ny = smaller(valid_y - y, height);
                // A row that is as long as some element is moved as one.
                let whole = matches!(line, 2 | 4 | 8 | 16);
                let element = if whole { line } else { self.src };
                let (rows, repeats) = (
                    Step { len: ny, src: tile.y.src, dst: line as isize },
                    Step { len: nz, src: tile.z.src, dst: (ny * line) as isize },
                );
                let x = Step { dst: self.src as isize, ..tile.x };
                let (x, y_step, z_step) =
                    if whole { (rows, repeats, Step { len: 1, src: 0, dst: 0 }) } else { (x, rows, repeats) };
                let gather = Tile {
                    x,
                    y: y_step,
                    z: z_step,
                    valid_x: x.len,
                    valid_y: y_step.len,
                    stream: false,
                    tables: Tables::NONE,
                    epilogue: None,
                };
                // SAFETY: these rows lie in the tile, and the buffer has room for them.
                unsafe { copy_bytes(self.token, element, step(src, y, tile.y.src), stage, &gather) };
                for k in 0..nz {
                    let job = Rows {
                        src: stage.wrapping_add(k * ny * line),
                        src_y: line as isize,
                        dst: step_mut(step_mut(dst, k, tile.z.dst), y, tile.y.dst),
                        dst_y: tile.y.dst,
                        valid: tile.x.len,
                        len: tile.x.len,
                        count: ny,
                        stream: tile.stream,
                    };
                    // SAFETY: what is read was just written, and the destination lies in the tile.
                    unsafe { self.rows(&job, &Place::rows([0, y, z + k], tile.x.len)) };
                }
                y += ny;
            }
            z += nz;
        }
    }

    /// The same row of all repetitions, one row after the other.
    ///
    /// # Safety
    /// As [`Conversion::run`], for a tile of rows.
    unsafe fn turned(&self, src: *const u8, dst: *mut u8, tile: &Tile, valid_y: usize) {
        let table = Table::new();
        // SAFETY: the caller's promise: 6. of the contract.
        let parameters = unsafe { self.for_all_rows(tile, valid_y, &table) };
        let at_once = at_once(tile.z, tile.x.len * self.src, tile.x.len * self.dst);
        let mut z = 0;
        while z < tile.z.len {
            let count = smaller(tile.z.len - z, at_once);
            for y in 0..valid_y {
                let across = Step { len: count, ..tile.z };
                let job = Rows { stream: false, ..rows_from(src, dst, tile, [y, z], across) };
                // SAFETY of each call: the elements of a row follow one another on both sides; 1. to 4. of the contract.
                if let Some(affine) = &parameters {
                    // SAFETY: see above.
                    unsafe { self.steps.run(&job, Some(&affine.skip(y * tile.x.len, 0))) };
                } else {
                    let place = Place { across: Loop::Z, ..Place::rows([0, y, z], tile.valid_x) };
                    // SAFETY: see above.
                    unsafe { self.padded(&job, &place) };
                }
            }
            z += count;
        }
    }

    /// The parameters of all rows of a tile [that is turned](Self::is_turned), one row's behind the other's; `None` where `table` has
    /// no room for them, or they are not all that there is to do.
    ///
    /// # Safety
    /// As [`Conversion::turned`].
    unsafe fn for_all_rows(&self, tile: &Tile, valid_y: usize, table: &Table) -> Option<Affine> {
        let epilogue = self.epilogue?;
        let len = tile.x.len;
        if self.common.is_some() || self.steps.rounds() || tile.valid_x < len || len * valid_y > WIDTH {
            return None;
        }
        let mut affine = Affine::neutral();
        let place = Place::rows([0; 3], len);
        for (k, parameter) in epilogue.parameters.iter().enumerate() {
            let line = Line::new(parameter.as_ref(), &place, len);
            // SAFETY: the caller's promise: these rows are moved.
            unsafe { table.fill_rows(k, &line, [0, valid_y], len, &mut affine) };
        }
        Some(affine)
    }

    /// Rows along x: short ones with padding and no gaps are spread in the narrower of the two types, and converted without
    /// gaps.
    ///
    /// # Safety
    /// That of [`ConvertRows`](super::super::ConvertRows).
    unsafe fn padded(&self, job: &Rows, place: &Place) {
        let dense =
            job.src_y == (job.valid * self.src) as isize && job.dst_y == (job.len * self.dst) as isize;
        let (widens, narrower) = (self.dst > self.src, smaller(self.src, self.dst));
        let spreads = dense && !self.steps.accumulates();
        if !spreads || job.valid == job.len || job.len * narrower > LINE / 2 || job.count < 16 {
            // SAFETY: the caller's promise.
            unsafe { self.rows(job, place) };
            return;
        }
        // SAFETY: as above.
        unsafe { self.spread(job, place, widens, narrower) };
    }

    /// [`Conversion::padded`] by way of a buffer. Apart from it, so that others need no stack for that.
    ///
    /// # Safety
    /// As there.
    #[inline(never)]
    unsafe fn spread(&self, job: &Rows, place: &Place, widens: bool, narrower: usize) {
        let mut stage = Stage([MaybeUninit::uninit(); STAGE]);
        let stage = stage.0.as_mut_ptr().cast::<u8>();
        let room = STAGE / (job.len * narrower);
        let mut y = 0;
        while y < job.count {
            let count = smaller(job.count - y, room);
            let (src, dst) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_y));
            let mut spread = Tile {
                x: Step { len: job.len, src: narrower as isize, dst: narrower as isize },
                y: Step {
                    len: count,
                    src: (job.valid * narrower) as isize,
                    dst: (job.len * narrower) as isize,
                },
                z: Step { len: 1, src: 0, dst: 0 },
                valid_x: job.valid,
                valid_y: count,
                stream: false,
                tables: Tables::NONE,
                epilogue: None,
            };
            let place = place.at_row(y);
            if widens {
                // SAFETY: these rows lie in the job, and the buffer has room for them.
                unsafe { copy_bytes(self.token, narrower, src, stage, &spread) };
                let place = Place { inner: job.len, ..place };
                let (valid, src_y) = (job.len, (job.len * narrower) as isize);
                // SAFETY: what is read was just written.
                unsafe { self.rows(&Rows { src: stage, src_y, dst, valid, count, ..*job }, &place) };
            } else {
                let (len, dst_y) = (job.valid, (job.valid * narrower) as isize);
                let part = Rows { src, dst: stage, dst_y, len, count, stream: false, ..*job };
                // SAFETY: these rows lie in the job; the buffer has room for what is longer.
                unsafe { self.rows(&part, &place) };
                spread.stream = job.stream;
                // SAFETY: what is read was just written, and these rows lie in the job.
                unsafe { copy_bytes(self.token, narrower, stage, dst, &spread) };
            }
            y += count;
        }
    }

    /// Any strides: gathers, converts, scatters.
    ///
    /// # Safety
    /// As [`Conversion::run`], for repetition `z`, to which `src` and `dst` point.
    unsafe fn strided(&self, src: *const u8, dst: *mut u8, tile: &Tile, [z, valid_y]: [usize; 2]) {
        /// Bytes of each side: packed tiles have a buffer of their own besides.
        const SIDE: usize = STAGE / 4;
        const WIDTH: usize = SIDE / 8;
        let mut stage = Stage([MaybeUninit::uninit(); 2 * SIDE]);
        let stage = stage.0.as_mut_ptr().cast::<u8>();
        let converted = stage.wrapping_add(SIDE);
        let width = smaller(tile.x.len, WIDTH);
        let height = larger(1, WIDTH / width);
        let mut y = 0;
        while y < valid_y {
            let ny = smaller(valid_y - y, height);
            let mut x = 0;
            while x < tile.x.len {
                let nx = smaller(tile.x.len - x, width);
                let valid_x = smaller(tile.valid_x.saturating_sub(x), nx);
                let part = Tile { stream: false, epilogue: None, ..tile.part(nx, ny) };
                if valid_x > 0 {
                    let from = step(step(src, x, tile.x.src), y, tile.y.src);
                    let gather = Tile {
                        x: Step { len: valid_x, src: tile.x.src, dst: self.src as isize },
                        y: Step { dst: (valid_x * self.src) as isize, ..part.y },
                        valid_x,
                        ..part
                    };
                    // SAFETY: the source lies in the tile; the first half of the buffer has room for it.
                    unsafe { copy_bytes(self.token, self.src, from, stage, &gather) };
                    if self.steps.accumulates() {
                        let to = step_mut(step_mut(dst, x, tile.x.dst), y, tile.y.dst);
                        let gather = Tile {
                            x: Step { len: valid_x, src: tile.x.dst, dst: self.dst as isize },
                            y: Step { src: tile.y.dst, dst: (valid_x * self.dst) as isize, ..part.y },
                            ..gather
                        };
                        // SAFETY: 6. of the contract; the second half has room for as many elements.
                        unsafe { copy_bytes(self.token, self.dst, to, converted, &gather) };
                    }
                    let job = Rows {
                        src: stage,
                        src_y: (valid_x * self.src) as isize,
                        dst: converted,
                        dst_y: (valid_x * self.dst) as isize,
                        valid: valid_x,
                        len: valid_x,
                        count: ny,
                        stream: false,
                    };
                    // SAFETY: what is read was just written; the second half has room for as many elements.
                    unsafe { self.rows(&job, &Place::rows([x, y, z], valid_x)) };
                }
                let scatter = Tile {
                    x: Step { src: self.dst as isize, ..part.x },
                    y: Step { src: (valid_x * self.dst) as isize, ..part.y },
                    valid_x,
                    ..part
                };
                let to = step_mut(step_mut(dst, x, tile.x.dst), y, tile.y.dst);
                // SAFETY: as above, and the destination lies in the tile.
                unsafe { copy_bytes(self.token, self.dst, converted, to, &scatter) };
                x += nx;
            }
            y += ny;
        }
    }
}
