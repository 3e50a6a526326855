//! Rows of a tile with the parameters of their elements: one value for a whole row, or a table along it. Called by `tile`.

use core::mem::MaybeUninit;

use super::super::super::convert::Format;
use super::super::super::copy_bytes;
use super::super::super::cpu::Cpu;
use super::super::super::epilogue::{Affine, Epilogue, LANES, PARAMETERS};
use super::super::super::generic::{step, step_mut};
use super::super::super::tile::{Step, Tables, Tile};
use super::super::{LINE, Rows};
use super::table::{Line, ONES, Table, WIDTH};
use super::{Conversion, SMALL, SMALLEST, STAGE, Stage, smaller};

/// A loop of the tile; its number is the index into what there is for each of the three.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Loop {
    X,
    Y,
    Z,
}

/// Which elements of the tile the rows of a job are.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Values of x, y and z of the first element.
    pub(super) first: [usize; 3],
    /// The loop that the elements of a row follow, and the one from row to row.
    pub(super) along: Loop,
    pub(super) across: Loop,
    /// After so many elements a row goes on with the next value of that loop.
    pub(super) inner: usize,
    pub(super) after: Loop,
    /// The first so many of these hold data; the others are zero, and stay it.
    pub(super) data: usize,
}

impl Place {
    /// Rows along x from `first` on, of `len` elements for each value of z.
    pub(super) const fn rows(first: [usize; 3], len: usize) -> Place {
        Place { first, along: Loop::X, across: Loop::Y, inner: len, after: Loop::Z, data: len }
    }

    /// The rows from row `y` on.
    pub(super) const fn at_row(mut self, y: usize) -> Place {
        self.first[self.across as usize] += y;
        self
    }
}

/// The rows of `tile` along x from row `y` of repetition `z` on, and from there across.
pub(super) fn rows_from(src: *const u8, dst: *mut u8, tile: &Tile, [y, z]: [usize; 2], across: Step) -> Rows {
    Rows {
        src: step(step(src, z, tile.z.src), y, tile.y.src),
        src_y: across.src,
        dst: step_mut(step_mut(dst, z, tile.z.dst), y, tile.y.dst),
        dst_y: across.dst,
        valid: tile.valid_x,
        len: tile.x.len,
        count: across.len,
        stream: tile.stream,
        claims: tile.claims,
    }
}

/// Elements of a row from which a table of results is worth writing for it alone.
const LONG: usize = 1024;

impl Conversion<'_> {
    /// Converts the rows of `job`.
    ///
    /// # Safety
    /// That of [`ConvertRows`](super::super::ConvertRows); with an epilogue, the rows are those of a tile at `place`.
    pub(super) unsafe fn rows(&self, job: &Rows, place: &Place) {
        match (self.epilogue, self.common) {
            // SAFETY: the caller's promise.
            (None, _) => unsafe { self.alike(job, None) },
            // SAFETY: as above.
            _ if job.valid == 0 || job.count == 0 => unsafe { self.alike(job, None) },
            // SAFETY: as above.
            (Some(epilogue @ Epilogue { rounding: Some(rounded), .. }), _) => unsafe {
                self.rounded(job, place, epilogue, rounded)
            },
            // SAFETY: as above.
            (_, Some(common)) if place.data == place.inner => unsafe { self.alike(job, Some(common)) },
            // SAFETY: as above.
            (Some(epilogue), _) => unsafe { self.scaled(job, place, epilogue) },
        }
    }

    /// Converts the rows of `job`, whose elements have the same parameters in each row: as one row where there are no gaps.
    ///
    /// # Safety
    /// That of [`ConvertRows`](super::super::ConvertRows).
    pub(super) unsafe fn alike(&self, job: &Rows, affine: Option<&Affine>) {
        let len = job.valid * job.count;
        let whole = Rows { valid: len, len, count: 1, ..*job };
        let job = if job.count > 1 && self.is_dense(job) { &whole } else { job };
        // The table of the tile is for what all of its elements have.
        let is_common = match (affine, self.common) {
            (None, _) => true,
            (Some(affine), Some(common)) => core::ptr::eq(affine, common),
            _ => false,
        };
        // SAFETY: the caller's promise: the same elements.
        if unsafe { self.looked_up(job, affine, self.results.filter(|_| is_common)) } {
            return;
        }
        // Of a table, each register has a part of its own.
        let cut = affine.is_none_or(|affine| affine.mask == [0; _]);
        let parts = if cut { job.on_lines([self.src, self.dst]) } else { [Rows { valid: 0, ..*job }, *job] };
        let [first, job] = &parts;
        if first.valid > 0 {
            // SAFETY: as above: these elements, which have the same parameters as the others.
            unsafe { self.steps.run(first, affine) };
        }
        // SAFETY: as above.
        unsafe { self.steps.run(job, affine) };
    }

    /// Whether the rows have no gaps on either side.
    fn is_dense(&self, job: &Rows) -> bool {
        let (src, dst) = (job.valid * self.src, job.valid * self.dst);
        job.valid == job.len && job.src_y == src as isize && job.dst_y == dst as isize
    }

    /// Converts the rows of `job`, each element with its parameters.
    ///
    /// # Safety
    /// As [`Conversion::rows`]; `valid` is not 0.
    pub(super) unsafe fn scaled(&self, job: &Rows, place: &Place, epilogue: &Epilogue) {
        // Written out: a call for each of them would take longer than a short row.
        let [a, b, c, d] = &epilogue.parameters;
        let lines: [Line; PARAMETERS] = [
            Line::new(a.as_ref(), place, job.valid),
            Line::new(b.as_ref(), place, job.valid),
            Line::new(c.as_ref(), place, job.valid),
            Line::new(d.as_ref(), place, job.valid),
        ];
        let table = Table::new();
        let mut affine = Affine::neutral();
        let across = job.count > 1 && lines.iter().any(|line| line.across > 0);
        let is_table = lines.iter().any(|line| line.is_table);
        // SAFETY of each call: the caller's promise, for the elements of a part of the job; every row of it is moved, so
        // that its parameters can be read.
        // Loops that make wider elements of bytes know rows of whole registers.
        let whole = self.src == 1 && self.dst > 1 && self.steps.second.is_none();
        let short = if whole && job.valid.is_multiple_of(2 * LANES) { LANES } else { 2 * LANES };
        if across && job.valid <= if is_table { WIDTH / 8 } else { short } && self.is_dense(job) {
            // SAFETY: see above.
            unsafe { self.joined(job, &lines, &table) };
        } else if is_table {
            if !across && LANES.is_multiple_of(job.valid) && self.is_dense(job) {
                // The values of a row repeat within every register.
                for (k, line) in lines.iter().enumerate() {
                    // SAFETY: see above.
                    unsafe { table.fill(k, line, [0, 0], [job.valid, 2 * LANES], &mut affine) };
                    affine.mask[k] &= job.valid - 1;
                }
                // SAFETY: see above.
                unsafe { self.alike(job, Some(&affine)) };
                return;
            }
            match self.fold(job, across) {
                // SAFETY: see above.
                Some(rows) => unsafe { self.folded(job, &lines, &table, rows) },
                // SAFETY: see above.
                None => unsafe { self.tables(job, &lines, &table, across) },
            }
        } else if across {
            let mut y = 0;
            while y < job.count {
                let count = smaller(job.count - y, ONES);
                for (k, line) in lines.iter().enumerate() {
                    // SAFETY: see above.
                    unsafe { table.fill_ones(k, line, [y, count], &mut affine) };
                }
                if self.look_up.is_some() && job.valid >= LONG {
                    for row in 0..count {
                        let (own, job) = (affine.skip(0, row), job.skip(y + row, 1));
                        let of_rows = self.results_of_rows.filter(|_| place.across == Loop::Y);
                        let results = of_rows.and_then(|all| all.get(place.first[1] + y + row));
                        // SAFETY: see above; these are the results for this row.
                        if results.is_none() || !unsafe { self.looked_up(&job, Some(&own), results) } {
                            // SAFETY: see above.
                            unsafe { self.alike(&job, Some(&own)) };
                        }
                    }
                } else {
                    // SAFETY: see above.
                    unsafe { self.steps.run(&job.skip(y, count), Some(&affine)) };
                }
                y += count;
            }
        } else {
            for (k, line) in lines.iter().enumerate() {
                // SAFETY: see above.
                unsafe { table.fill_ones(k, line, [0, 1], &mut affine) };
            }
            // SAFETY: see above.
            unsafe { self.alike(job, Some(&affine)) };
        }
    }

    /// How many short rows without gaps are taken as one, so that registers and lines are filled.
    fn fold(&self, job: &Rows, across: bool) -> Option<usize> {
        /// Elements from which the ends of a row weigh little.
        const ENOUGH: usize = 256;
        if across || job.count == 1 || job.valid > ENOUGH || !self.is_dense(job) {
            return None;
        }
        // Rows that make up whole lines, of whatever type.
        let even = LINE >> smaller(job.valid.trailing_zeros() as usize, LINE.ilog2() as usize);
        let rows = match even * job.valid {
            len if len <= WIDTH => ENOUGH.div_ceil(len) * even,
            _ => ENOUGH.div_ceil(job.valid),
        };
        Some(smaller(rows, job.count))
    }

    /// Converts the rows of `job`, `rows` of them as one, for which a table holds the parameters.
    ///
    /// # Safety
    /// As [`Conversion::scaled`]; there are no gaps between rows, and all have the same parameters.
    unsafe fn folded(&self, job: &Rows, lines: &[Line; PARAMETERS], table: &Table, rows: usize) {
        let mut affine = Affine::neutral();
        let len = rows * job.valid;
        for (k, line) in lines.iter().enumerate() {
            // SAFETY: the caller's promise.
            unsafe { table.fill(k, line, [0, 0], [job.valid, len], &mut affine) };
        }
        let (count, rest) = (job.count / rows, job.count % rows * job.valid);
        let (src_y, dst_y) = ((len * self.src) as isize, (len * self.dst) as isize);
        let stream = job.stream && (len * self.dst).is_multiple_of(LINE);
        let whole = Rows { src_y, dst_y, valid: len, len, count, stream, ..*job };
        // SAFETY: the caller's promise: the same elements.
        unsafe { self.steps.run(&whole, Some(&affine)) };
        let (src, dst) = (step(job.src, count, src_y), step_mut(job.dst, count, dst_y));
        let last = Rows { src, dst, valid: rest, len: rest, count: 1, ..whole };
        // SAFETY: as above.
        unsafe { self.steps.run(&last, Some(&affine)) };
    }

    /// Converts the rows of `job`, some at a time as one row, for which a table holds the parameters of all of them.
    ///
    /// # Safety
    /// As [`Conversion::scaled`]; there are no gaps between rows.
    unsafe fn joined(&self, job: &Rows, lines: &[Line; PARAMETERS], table: &Table) {
        let mut affine = Affine::neutral();
        let rows = WIDTH / job.valid;
        let mut y = 0;
        while y < job.count {
            let count = smaller(rows, job.count - y);
            let len = count * job.valid;
            for (k, line) in lines.iter().enumerate() {
                // SAFETY: the caller's promise.
                unsafe { table.fill_rows(k, line, [y, count], job.valid, &mut affine) };
            }
            let part = Rows { valid: len, len, count: 1, ..job.skip(y, count) };
            // SAFETY: the caller's promise: the same elements.
            unsafe { self.steps.run(&part, Some(&affine)) };
            y += count;
        }
    }

    /// Converts the rows of `job` with tables for parts of them; for each row anew where they differ `across` rows.
    ///
    /// # Safety
    /// As [`Conversion::scaled`].
    unsafe fn tables(&self, job: &Rows, lines: &[Line; PARAMETERS], table: &Table, across: bool) {
        let mut affine = Affine::neutral();
        let mut x = 0;
        while x < job.valid {
            let width = smaller(job.valid - x, WIDTH);
            let part = Rows {
                src: job.src.wrapping_add(x * self.src),
                dst: job.dst.wrapping_add(x * self.dst),
                valid: width,
                len: if x + width == job.valid { job.len - x } else { width },
                ..*job
            };
            for y in 0..if across { job.count } else { 1 } {
                for (k, line) in lines.iter().enumerate() {
                    if y == 0 || line.across > 0 {
                        // SAFETY: the caller's promise: these elements are moved.
                        unsafe { table.fill(k, line, [x, y], [width, width], &mut affine) };
                    }
                }
                let rows = if across { part.skip(y, 1) } else { part };
                // SAFETY: the caller's promise, for a part of each row.
                unsafe { self.steps.run(&rows, Some(&affine)) };
            }
            x += width;
        }
    }

    /// Rows along x: short ones with padding and no gaps are spread in the narrower of the two types, and converted without
    /// gaps; those that gaps of the destination separate are spread in its type.
    ///
    /// # Safety
    /// That of [`ConvertRows`](super::super::ConvertRows).
    pub(super) unsafe fn padded(&self, job: &Rows, place: &Place) {
        let gaps = job.dst_y != (job.len * self.dst) as isize;
        let (widens, narrower) = match self.dst > self.src && !gaps {
            true => (true, self.src),
            false => (false, self.dst),
        };
        let follows = job.src_y == (job.valid * self.src) as isize;
        let worth = if gaps { self.is_alike() && self.is_slow(job.len) } else { job.valid < job.len };
        let spreads = follows && worth && !(widens && self.fits_register(job)) && !self.steps.accumulates();
        if !spreads || job.len * narrower > LINE / 2 || job.count < 16 {
            // SAFETY: the caller's promise.
            unsafe { self.rows(job, place) };
            return;
        }
        // More than a packed tile's buffer holds: then that is not on the stack too, and larger parts write their parameters less
        // often.
        let is_packed = job.count * job.len * narrower <= STAGE;
        if self.is_crowded(job.count * job.len) {
            // SAFETY: as above.
            unsafe { self.spread::<SMALLEST>(job, place, widens, narrower) };
        } else if !is_packed {
            // SAFETY: as above.
            unsafe { self.spread::<STAGE>(job, place, widens, narrower) };
        } else {
            // SAFETY: as above.
            unsafe { self.spread::<SMALL>(job, place, widens, narrower) };
        }
    }

    /// Whether a row of `job`, which is padded, is best read as the part of a register that it fills, and written at once with its
    /// padding: where an instruction or two convert that register, full or not.
    fn fits_register(&self, job: &Rows) -> bool {
        let few = matches!(
            self.formats,
            (Format::S8 | Format::U8 | Format::F16 | Format::Bf16, Format::F32)
                | (Format::S8 | Format::U8, Format::F16)
        );
        let fits = job.len == LANES && self.token.cpu() == Cpu::Avx512 && self.steps.second.is_none();
        // Past the caches go rows that follow one another.
        few && fits && !job.stream
    }

    /// [`Conversion::padded`] by way of a buffer of `N` bytes. Apart from it, so that others need no stack for that.
    ///
    /// # Safety
    /// As there.
    #[inline(never)]
    unsafe fn spread<const N: usize>(&self, job: &Rows, place: &Place, widens: bool, narrower: usize) {
        let mut stage = Stage([MaybeUninit::uninit(); N]);
        let stage = stage.0.as_mut_ptr().cast::<u8>();
        let room = N / (job.len * narrower);
        let mut y = 0;
        while y < job.count {
            let count = smaller(job.count - y, room);
            let (src, dst) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_y));
            let mut spread = Tile {
                x: Step { len: job.len, src: narrower as isize, dst: narrower as isize },
                y: Step {
                    len: count,
                    src: (job.valid * narrower) as isize,
                    dst: if widens { (job.len * narrower) as isize } else { job.dst_y },
                },
                z: Step { len: 1, src: 0, dst: 0 },
                valid_x: job.valid,
                valid_y: count,
                stream: false,
                claims: false,
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
                let part = Rows { src, dst: stage, dst_y, len, count, stream: false, claims: false, ..*job };
                // SAFETY: these rows lie in the job; the buffer has room for what is longer.
                unsafe { self.rows(&part, &place) };
                spread.stream = job.stream;
                // SAFETY: what is read was just written, and these rows lie in the job.
                unsafe { copy_bytes(self.token, narrower, stage, dst, &spread) };
            }
            y += count;
        }
    }
}

impl Rows {
    /// The `count` rows from row `y` on.
    fn skip(&self, y: usize, count: usize) -> Rows {
        let (src, dst) = (step(self.src, y, self.src_y), step_mut(self.dst, y, self.dst_y));
        Rows { src, dst, count, ..*self }
    }
}
