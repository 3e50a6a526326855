//! Rows of a tile: those whose elements have the same parameters here, the others in `scaled`; `spread` moves what has padding.
//! Called by `tile`.

mod scaled;
mod spread;

use super::super::super::epilogue::{Affine, Epilogue};
use super::super::super::generic::{step, step_mut};
use super::super::super::tile::{Step, Tile};
use super::super::Rows;
use super::Conversion;

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
}

impl Rows {
    /// The `count` rows from row `y` on.
    fn skip(&self, y: usize, count: usize) -> Rows {
        let (src, dst) = (step(self.src, y, self.src_y), step_mut(self.dst, y, self.dst_y));
        Rows { src, dst, count, ..*self }
    }
}
