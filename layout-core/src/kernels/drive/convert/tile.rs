//! Cuts a tile into jobs of rows and transposes: which go first is up to the narrower of the two types. Called by the
//! kernels of this folder.

use core::mem::MaybeUninit;

use super::super::super::copy_bytes;
use super::super::super::cpu::Cpu;
use super::super::super::epilogue::{Affine, Epilogue};
use super::super::super::generic::{fill_zero, step, step_mut};
use super::super::super::tile::{Step, Tile};
use super::super::{LINE, Rows};
use super::lookup::MANY;
use super::rows::{Loop, Place, rows_from};
use super::table::{Common, Line, Table, WIDTH};
use super::{Conversion, STAGE, Stage, larger, smaller};

/// How many rows of pages of their own are finished for all repetitions before the next ones, where the rows of these go on in the same
/// pages: few, so that those of each repetition are found there, on processors that foresee rows that go on. 1.5 to 4 times as fast as
/// all rows from the second-level cache on (Zen 3 and 4; Intel's 1.2 to 1.4: heads of an attention, columns of blocks); but 0.75 to 0.8
/// times through the caches where the processor `holds` the addresses of as many pages as there are.
fn in_pages(y: Step, z: Step, holds: usize) -> Option<usize> {
    const PAGE: usize = 4096;
    let (rows, repetitions) = (y.src.unsigned_abs(), z.src.unsigned_abs());
    // Single lines are read as fast in any order, and what they become is better written in turn.
    let goes_on = z.len > 1 && (2 * LINE..=PAGE / 4).contains(&repetitions) && repetitions < rows;
    match rows {
        _ if !goes_on || rows < PAGE / 2 => None,
        _ if y.len.saturating_mul(rows) <= holds * PAGE => None,
        ..PAGE => Some(16),
        _ => Some(8),
    }
}

/// How many short rows, of `src` and `dst` bytes, are finished before their neighbours: few enough for what they span on both sides
/// to be in the second-level cache still, or in the first where the neighbours have a part of the same lines.
pub(super) fn at_once(rows: Step, src: usize, dst: usize) -> usize {
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
            if self.differs_by_few(tile) {
                // SAFETY: the caller's promise.
                unsafe { self.with_results_of_rows(src, dst, tile) };
            } else {
                // SAFETY: as above.
                unsafe { self.with_results(src, dst, tile) };
            }
            return;
        }
        if !self.keeps_zero && valid_y > 0 && tile.valid_x < tile.x.len {
            // SAFETY: the caller's promise.
            unsafe { self.padded_after(src, dst, tile) };
            return;
        }
        if valid_y > 0 {
            // SAFETY: the caller's promise.
            unsafe { self.data(src, dst, tile, valid_y) };
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

    /// [`Conversion::run`] for the rows of `tile` that hold data.
    ///
    /// # Safety
    /// As there.
    unsafe fn data(&self, src: *const u8, dst: *mut u8, tile: &Tile, valid_y: usize) {
        let lines = tile.x.dst == self.dst as isize;
        let rows = lines && tile.x.src == self.src as isize;
        let crosses = lines && tile.y.src == self.src as isize;
        // SAFETY of each call: the caller's promise, and the strides were just compared.
        // SAFETY: see above.
        if rows && unsafe { self.short(src, dst, tile, valid_y) } {
            return;
        }
        if rows && self.is_turned(tile) {
            // SAFETY: see above.
            unsafe { self.turned(src, dst, tile, valid_y) };
        } else if rows {
            // SAFETY: see above.
            unsafe { self.banded(src, dst, tile, valid_y) };
        } else if crosses {
            // SAFETY: see above.
            unsafe { self.crossed(src, dst, tile, valid_y) };
        } else {
            for z in 0..tile.z.len {
                let (src, dst) = (step(src, z, tile.z.src), step_mut(dst, z, tile.z.dst));
                // SAFETY: see above.
                unsafe { self.strided(src, dst, tile, [z, valid_y]) };
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

    /// Whether rows are short and have the same parameters in every repetition, and either their own each or fewer neighbours than
    /// repetitions; or have their own everywhere, and few neighbours.
    fn is_turned(&self, tile: &Tile) -> bool {
        /// Elements of a row that outweigh the writing of its parameters.
        const LONG: usize = 256;
        /// Rows of which not to begin with others for each few of them.
        const MANY: usize = 8;
        if tile.z.len == 1 || tile.x.len >= LONG {
            return false;
        }
        let mut parameters = self.epilogue.iter().flat_map(|epilogue| epilogue.parameters.iter().flatten());
        let own = parameters.clone().any(|one| one.y > 0);
        let few = own && tile.y.len < MANY && tile.z.len >= MANY;
        few || (own || tile.z.len > tile.y.len) && parameters.all(|one| one.z == 0)
    }

    /// Rows along x. Short ones in bands that are finished for all repetitions before the next one, because these often share
    /// lines of one side, or pages.
    ///
    /// # Safety
    /// As [`Conversion::run`], for a tile of rows with data.
    unsafe fn banded(&self, src: *const u8, dst: *mut u8, tile: &Tile, valid_y: usize) {
        let short = tile.z.len > 1 && tile.x.len * larger(self.src, self.dst) <= 2 * LINE;
        // Those of registers of a line hold that many (Zen 4, 3,072).
        let holds = if self.token.cpu() == Cpu::Avx512 && !tile.stream { 2048 } else { 0 };
        let band = match in_pages(tile.y, tile.z, holds) {
            _ if short => at_once(tile.y, tile.x.len * self.src, tile.x.len * self.dst),
            // Rows with parameters of their own begin anew for each repetition.
            Some(rows) if !self.has_own() => rows,
            _ => valid_y,
        };
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

    /// Whether the stack has room for small buffers alone around rows of so many `elements`: they take some both for their
    /// parameters and between their steps, or both sides may be packed, which no more are than the buffer of that holds.
    pub(super) fn is_crowded(&self, elements: usize) -> bool {
        self.is_deep() || self.src == 1 && self.dst == 1 && elements <= STAGE
    }

    /// Whether rows take buffers both for their parameters and between their steps.
    pub(super) fn is_deep(&self) -> bool {
        let own = self.epilogue.is_some() && self.common.is_none();
        own && (self.steps.adds_apart() || self.steps.rounds())
    }

    /// The same row of all repetitions, one row after the other.
    ///
    /// # Safety
    /// As [`Conversion::run`], for a tile of rows.
    unsafe fn turned(&self, src: *const u8, dst: *mut u8, tile: &Tile, valid_y: usize) {
        let fits = tile.x.len * valid_y <= WIDTH && tile.valid_x == tile.x.len;
        let again =
            |epilogue: &&Epilogue| epilogue.parameters.iter().flatten().all(|parameter| parameter.z == 0);
        let epilogue = self.epilogue.filter(|_| fits && self.common.is_none() && !self.steps.rounds());
        match epilogue.filter(again) {
            // SAFETY: the caller's promise.
            Some(epilogue) => unsafe { self.turned_by_table(src, dst, tile, valid_y, epilogue) },
            // SAFETY: as above.
            None => unsafe { self.turned_rows(src, dst, tile, valid_y, None) },
        }
    }

    /// [`Conversion::turned`] with the parameters of all rows, which fit in a table. Apart from it, so that others need no stack
    /// for that.
    ///
    /// # Safety
    /// As there.
    #[inline(never)]
    unsafe fn turned_by_table(
        &self,
        src: *const u8,
        dst: *mut u8,
        tile: &Tile,
        valid_y: usize,
        epilogue: &Epilogue,
    ) {
        let (table, len) = (Table::new(), tile.x.len);
        let mut affine = Affine::neutral();
        let place = Place::rows([0; 3], len);
        for (k, parameter) in epilogue.parameters.iter().enumerate() {
            let line = Line::new(parameter.as_ref(), &place, len);
            // SAFETY: the caller's promise: 6. of the contract, and these rows are moved.
            unsafe { table.fill_rows(k, &line, [0, valid_y], len, &mut affine) };
        }
        // SAFETY: the caller's promise.
        unsafe { self.turned_rows(src, dst, tile, valid_y, Some(&affine)) };
    }

    /// [`Conversion::turned`], with the parameters of all rows if there are `parameters`.
    ///
    /// # Safety
    /// As there.
    unsafe fn turned_rows(
        &self,
        src: *const u8,
        dst: *mut u8,
        tile: &Tile,
        valid_y: usize,
        parameters: Option<&Affine>,
    ) {
        let at_once = at_once(tile.z, tile.x.len * self.src, tile.x.len * self.dst);
        let mut z = 0;
        while z < tile.z.len {
            let count = smaller(tile.z.len - z, at_once);
            for y in 0..valid_y {
                let across = Step { len: count, ..tile.z };
                let job = Rows { stream: false, claims: false, ..rows_from(src, dst, tile, [y, z], across) };
                // SAFETY of each call: the elements of a row follow one another on both sides; 1. to 4. of the contract.
                if let Some(affine) = parameters {
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

    /// Any strides: gathers, converts, scatters. Apart from the others, which need no stack for that.
    ///
    /// # Safety
    /// As [`Conversion::run`], for repetition `z`, to which `src` and `dst` point.
    #[inline(never)]
    unsafe fn strided(&self, src: *const u8, dst: *mut u8, tile: &Tile, [z, valid_y]: [usize; 2]) {
        /// Bytes of each side: packed tiles, and boxes in parts, have a buffer of their own besides.
        const SIDE: usize = STAGE * 3 / 16;
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
                        claims: false,
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
