//! Short rows that follow one another along one loop on the side of the wider type, and along another one or none on the side of
//! the narrower: they are converted along the first, as long rows, and moved as pieces of the narrower type. Called by the
//! folder's `short`.

use core::mem::MaybeUninit;

use super::super::super::super::epilogue::{Epilogue, LANES};
use super::super::super::super::generic::{step, step_mut};
use super::super::super::super::tile::{Step, Tables, Tile};
use super::super::super::super::{copy_bytes, writes_in_turn};
use super::super::super::{LINE, Rows};
use super::super::rows::{Loop, Place};
use super::super::{Conversion, SMALL, SMALLEST, Stage, is_crowded, larger, smaller};

/// How the rows of a tile are taken together.
pub(super) struct Way {
    /// The loop along which they follow one another where they are converted, the other one, and which of the tile's the first is.
    rows: Step,
    others: Step,
    along: Loop,
    /// Whether they are moved before they are converted, or after it.
    is_moved_first: bool,
}

impl Conversion<'_> {
    /// How to take the rows of `tile` together, of which `valid_y` hold data; none where it would not pay.
    pub(super) fn way(&self, tile: &Tile, valid_y: usize) -> Option<Way> {
        /// Rows that outweigh the beginnings of two loops.
        const MANY: usize = 64;
        /// Rows of each loop from which it pays whatever their length; and bytes of a row, of the wider type, up to which it pays
        /// with fewer too.
        const LEAST: usize = 4;
        const SHORT: usize = 16;
        /// Bytes that a part of the second-level cache does not hold.
        const LARGE: usize = 512 * 1024;
        let Tile { x, z, valid_x, .. } = *tile;
        let y = Step { len: valid_y, ..tile.y };
        let (narrower, wider) = (smaller(self.src, self.dst), larger(self.src, self.dst));
        let long = x.len * narrower > LINE / 2;
        let few = x.len * wider > SHORT && smaller(valid_y, z.len) < LEAST;
        if long || few || valid_y * z.len < MANY {
            return None;
        }
        let (src, dst) = ((valid_x * self.src) as isize, (x.len * self.dst) as isize);
        let find = |is_moved_first: bool| {
            let follows = |one: Step| match is_moved_first {
                true => valid_x == x.len && one.dst == dst && one.src != src,
                false => one.src == src && one.dst != dst && !self.steps.accumulates(),
            };
            match () {
                () if follows(y) => Some(Way { rows: y, others: z, along: Loop::Y, is_moved_first }),
                () if follows(z) => Some(Way { rows: z, others: y, along: Loop::Z, is_moved_first }),
                () => None,
            }
        };
        let joins = |way: &Way| self.joins(way.along);
        let way = match () {
            () if self.src < self.dst => find(true),
            () if self.src > self.dst => find(false),
            // Of two ways, the one whose rows are converted together, then the one with more of them.
            () => {
                [find(true), find(false)].into_iter().flatten().max_by_key(|way| (joins(way), way.rows.len))
            }
        };
        // Rows that are a line of the wider type, or half of one, are converted well as they lie. They are better written or read
        // in turn, as pixels; wide ones if that is not in the caches. Not where the processor foresees rows that go on: then only
        // those that fill no line, of which one would be written in parts.
        let wide = x.len * narrower > LINE / 4;
        let fills = wide || x.len == LANES && !self.is_slow(LANES);
        let size = valid_y * z.len * x.len * (self.src + self.dst);
        let own = || self.epilogue.is_some_and(|epilogue| epilogue.places().any(|place| place.x > 0));
        // Rows that drive one another out of the cache are foreseen least.
        let crowds = |rows: Step| is_crowded(if self.src < self.dst { rows.src } else { rows.dst }, rows.len);
        let goes_on = |rows| !writes_in_turn() && (x.len * wider >= LINE || own()) && !crowds(rows);
        let in_turn = |way: &Way| {
            let (rows, others) = (way.rows, way.others);
            let end = |one: Step| if way.is_moved_first { one.dst } else { one.src };
            let follow = rows.len < others.len && end(others) == rows.len as isize * end(rows);
            follow && (!wide || size >= LARGE) && !goes_on(rows)
        };
        // Small buffers would have parameters written too often.
        way.filter(|way| (!fills || in_turn(way)) && (!self.is_deep() || joins(way)))
    }

    /// Whether rows along `one` are converted as one. Parameters that are the same for all of them are better written for a single
    /// one.
    fn joins(&self, one: Loop) -> bool {
        let differs = |epilogue: &Epilogue| epilogue.places().any(|p| [p.x, p.y, p.z][one as usize] > 0);
        self.is_alike() || self.epilogue.is_some_and(differs)
    }

    /// Converts the rows of `tile` in this way.
    ///
    /// # Safety
    /// As [`Conversion::short`]; `way` was found for the rows that hold data.
    pub(super) unsafe fn by_pieces(&self, src: *const u8, dst: *mut u8, tile: &Tile, way: &Way) {
        if self.is_crowded(tile.x.len * way.rows.len * way.others.len) {
            // SAFETY: the caller's promise.
            unsafe { self.through_pieces::<SMALLEST>(src, dst, tile, way) };
        } else {
            // SAFETY: as above.
            unsafe { self.through_pieces::<SMALL>(src, dst, tile, way) };
        }
    }

    /// [`Conversion::by_pieces`] through a buffer of `N` bytes. Apart from it, so that others need no stack for that.
    ///
    /// # Safety
    /// As there.
    #[inline(never)]
    unsafe fn through_pieces<const N: usize>(&self, src: *const u8, dst: *mut u8, tile: &Tile, way: &Way) {
        /// Rows of the other loop at a time that share lines, and those where parameters are written for each of them.
        const ASIDE: usize = 16;
        const FEW: usize = 4;
        let mut stage = Stage([MaybeUninit::uninit(); N]);
        let stage = stage.0.as_mut_ptr().cast::<u8>();
        let joins = self.joins(way.along);
        let bytes = tile.valid_x * smaller(self.src, self.dst);
        // Whole lines of pieces, where a loop has more than there is room for.
        let part = |one: Step, room: usize| match one.len {
            len if len * bytes <= room => len,
            _ if room < LINE => larger(1, room / bytes),
            _ => room / LINE * LINE / bytes,
        };
        let width = part(way.rows, N / smaller(way.others.len, if joins { ASIDE } else { FEW }));
        let height = part(way.others, N / width);
        let mut i = 0;
        while i < way.others.len {
            let others = Step { len: smaller(height, way.others.len - i), ..way.others };
            let mut j = 0;
            while j < way.rows.len {
                let rows = Step { len: smaller(width, way.rows.len - j), ..way.rows };
                let at = if way.along == Loop::Y { [j, i] } else { [i, j] };
                let from = step(step(src, at[0], tile.y.src), at[1], tile.z.src);
                let to = step_mut(step_mut(dst, at[0], tile.y.dst), at[1], tile.z.dst);
                let way = Way { rows, others, ..*way };
                let line = (rows.len * bytes) as isize;
                let job = Rows {
                    src: from,
                    src_y: others.src,
                    dst: to,
                    dst_y: others.dst,
                    valid: rows.len * tile.valid_x,
                    len: rows.len * tile.valid_x,
                    count: others.len,
                    stream: tile.stream,
                    claims: tile.claims,
                };
                // SAFETY of each call: these rows lie in the tile, the buffer has room for them, and what is read there was just
                // written.
                if way.is_moved_first {
                    let stream = tile.stream && (job.len * self.dst).is_multiple_of(LINE);
                    let pieces = Pieces { src: from, dst: stage, is_source: false, line };
                    // SAFETY: see above.
                    unsafe { self.moved(&pieces, tile, &way) };
                    // SAFETY: see above.
                    unsafe {
                        self.converted(&Rows { src: stage, src_y: line, stream, ..job }, tile, &way, at)
                    };
                } else {
                    let job = Rows { dst: stage, dst_y: line, stream: false, claims: false, ..job };
                    // SAFETY: see above.
                    unsafe { self.converted(&job, tile, &way, at) };
                    let pieces = Pieces { src: stage, dst: to, is_source: true, line };
                    // SAFETY: see above.
                    unsafe { self.moved(&pieces, tile, &way) };
                }
                j += rows.len;
            }
            i += others.len;
        }
    }

    /// Converts rows of `tile` from the y and z of `at` on, of which each of `job` has as many as `way` says.
    ///
    /// # Safety
    /// That of [`Conversion::rows`].
    unsafe fn converted(&self, job: &Rows, tile: &Tile, way: &Way, at: [usize; 2]) {
        let (len, [y, z]) = (tile.valid_x, at);
        let place = Place::rows([0, y, z], len);
        let (along, across) = if way.along == Loop::Y { (Loop::Y, Loop::Z) } else { (Loop::Z, Loop::Y) };
        if self.joins(along) {
            // SAFETY: the caller's promise.
            unsafe { self.rows(job, &Place { after: along, across, ..place }) };
            return;
        }
        for k in 0..job.count {
            let rows = Rows {
                src: step(job.src, k, job.src_y),
                src_y: (len * self.src) as isize,
                dst: step_mut(job.dst, k, job.dst_y),
                dst_y: (len * self.dst) as isize,
                valid: len,
                len,
                count: way.rows.len,
                stream: job.stream,
                claims: job.claims,
            };
            let place = Place { across, ..place }.at_row(k);
            // SAFETY: the caller's promise: a part of the same elements.
            unsafe { self.rows(&rows, &Place { across: along, ..place }) };
        }
    }

    /// Moves the rows of `way` into the buffer or out of it.
    ///
    /// # Safety
    /// They can be read, and written.
    unsafe fn moved(&self, pieces: &Pieces, tile: &Tile, way: &Way) {
        let (len, valid) = (tile.x.len, tile.valid_x);
        let element = smaller(self.src, self.dst);
        let bytes = valid * element;
        let buffered = |one: Step, by: isize| match pieces.is_source {
            true => Step { src: by, ..one },
            false => Step { dst: by, ..one },
        };
        let (a, b) = (buffered(way.rows, bytes as isize), buffered(way.others, pieces.line));
        // A piece that is as long as some element is moved as one; those that follow one another in the destination as x.
        let whole = valid == len && matches!(bytes, 2 | 4 | 8 | 16);
        let once = Step { len: 1, src: 0, dst: 0 };
        let (element, [x, y, z]) = match whole {
            true if a.dst == bytes as isize => (bytes, [a, b, once]),
            true => (bytes, [b, a, once]),
            false => (element, [Step { len, src: element as isize, dst: element as isize }, a, b]),
        };
        let tile = Tile {
            x,
            y,
            z,
            valid_x: if whole { x.len } else { valid },
            valid_y: y.len,
            stream: pieces.is_source && tile.stream,
            claims: pieces.is_source && tile.claims,
            tables: Tables::NONE,
            epilogue: None,
            token: self.token,
        };
        // SAFETY: the caller's promise.
        unsafe { copy_bytes(self.token, element, pieces.src, pieces.dst, &tile) };
    }
}

/// Rows on their way into the buffer or out of it.
struct Pieces {
    src: *const u8,
    dst: *mut u8,
    /// Whether the buffer is the source.
    is_source: bool,
    /// Bytes from one row of the other loop to the next one there.
    line: isize,
}
