//! Rows whose elements have parameters of their own. Called by `rows`.

use super::super::super::super::epilogue::{Affine, Epilogue, LANES, PARAMETERS};
use super::super::super::super::generic::{step, step_mut};
use super::super::super::{LINE, Rows};
use super::super::table::{Line, ONES, Table, WIDTH};
use super::super::{Conversion, larger, smaller};
use super::{Loop, Place};

/// Elements of a row from which a table of results is worth writing for it alone.
const LONG: usize = 1024;

impl Conversion<'_> {
    /// Converts the rows of `job`, each element with its parameters.
    ///
    /// # Safety
    /// As [`Conversion::rows`]; `valid` is not 0.
    pub(in super::super) unsafe fn scaled(&self, job: &Rows, place: &Place, epilogue: &Epilogue) {
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

    /// Converts the rows of `job` with tables for parts of them, some rows at a time; for each row anew where they differ `across`
    /// rows. Values that lie in memory as loops take them are taken from there, but for those behind which loops read on.
    ///
    /// # Safety
    /// As [`Conversion::scaled`].
    unsafe fn tables(&self, job: &Rows, lines: &[Line; PARAMETERS], table: &Table, across: bool) {
        /// Elements of rows whose parts follow one another: what they take up stays in the caches meanwhile.
        const TOGETHER: usize = 48 * 1024;
        let straight = lines.iter().all(|line| !line.is_table || line.is_straight(job.valid));
        // Whole lines, of whatever type.
        let direct = job.valid.saturating_sub(LANES) / LINE * LINE;
        let direct = if straight && direct >= WIDTH { direct } else { 0 };
        // The values of rows that differ may lie apart: those of a part of all rows are near one another.
        let rows = match job.valid {
            _ if across && !straight => job.count,
            ..=WIDTH => job.count,
            valid => larger(1, TOGETHER / valid),
        };
        let (mut own, mut there) = (Affine::neutral(), Affine::neutral());
        // Where the part begins whose values the table has.
        let mut filled = None;
        let mut first = 0;
        while first < job.count {
            let count = smaller(rows, job.count - first);
            let mut x = 0;
            while x < job.valid {
                let is_direct = x < direct;
                let width = if is_direct { direct } else { smaller(job.valid - x, WIDTH) };
                let part = Rows {
                    src: job.src.wrapping_add(x * self.src),
                    dst: job.dst.wrapping_add(x * self.dst),
                    valid: width,
                    len: if x + width == job.valid { job.len - x } else { width },
                    ..*job
                };
                let at_once = if across { 1 } else { count };
                for y in (first..first + count).step_by(at_once) {
                    let keeps = if is_direct { y > 0 } else { filled == Some(x) };
                    for (k, line) in lines.iter().enumerate() {
                        if is_direct && line.is_table {
                            // All of these values are of the row, and as many behind the last as a register has.
                            (there.at[k], there.mask[k]) = (line.straight(y), usize::MAX);
                        } else if line.across > 0 || !keeps {
                            let map = if is_direct { &mut there } else { &mut own };
                            // SAFETY: the caller's promise: these elements are moved.
                            unsafe { table.fill(k, line, [x, y], [width, width], map) };
                        }
                    }
                    if !is_direct {
                        filled = Some(x);
                    }
                    let map = if is_direct { &there } else { &own };
                    // SAFETY: the caller's promise, for a part of each row.
                    unsafe { self.steps.run(&part.skip(y, at_once), Some(map)) };
                }
                x += width;
            }
            first += count;
        }
    }
}
