//! Crossed tiles of which a family converts and transposes blocks in registers. Called by the module around it, which does what is left.

#[cfg(target_arch = "x86_64")]
use super::super::super::super::convert::Format;
use super::super::super::super::cpu::Cpu;
#[cfg(target_arch = "x86_64")]
use super::super::super::super::cpu::Token;
use super::super::super::super::epilogue::{Affine, Epilogue, FACTOR, LANES, PARAMETERS};
use super::super::super::super::generic::{step, step_mut};
use super::super::super::super::tile::Tile;
use super::super::super::super::writes_in_turn;
#[cfg(target_arch = "x86_64")]
use super::super::super::super::x86_64;
use super::super::super::LINE;
use super::super::rows::{Loop, Place};
use super::super::table::{Line, ONES, Table, WIDTH};
use super::super::{Conversion, is_crowded, smaller, takes_bands};
#[cfg(target_arch = "x86_64")]
use super::SHORT;

/// Bytes of the source of which a third-level cache holds a part, besides what they become.
const LARGE: usize = 16 * 1024 * 1024;

/// Elements to convert that are contiguous along x in the destination and along y in the source, without padding.
#[derive(Clone, Copy)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "x86-64 alone has such ways so far"))]
pub(in super::super::super::super) struct Crossed {
    pub(in super::super::super::super) src: *const u8,
    /// Bytes between two values of x in the source.
    pub(in super::super::super::super) src_x: isize,
    pub(in super::super::super::super) dst: *mut u8,
    /// Bytes between two values of y in the destination.
    pub(in super::super::super::super) dst_y: isize,
    /// Values of x and of y.
    pub(in super::super::super::super) nx: usize,
    pub(in super::super::super::super) ny: usize,
    /// Whether whole lines of the destination go past the caches.
    pub(in super::super::super::super) stream: bool,
    /// Whether lines of the destination are asked for before they are written.
    pub(in super::super::super::super) claims: bool,
}

/// How a family converts and transposes blocks of a [`Crossed`] in registers.
#[derive(Clone, Copy)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "x86-64 alone has such ways so far"))]
pub(in super::super::super::super) struct CrossedWay {
    /// Converts the elements of a job, each times the factor of the map if there is one: where the way `narrows`, the map is that
    /// of rows along y, else of rows along x.
    ///
    /// # Safety
    /// Each element can be read and written, and the two sides do not overlap; there are at least `x` values of x and `y` of
    /// y; the tile is one that the way was made for. Factors are there as in [`ConvertRows`](super::super::super::ConvertRows).
    pub(in super::super::super::super) run: unsafe fn(job: &Crossed, map: Option<&Affine>),
    /// Values of x and of y in a block.
    pub(in super::super::super::super) x: usize,
    pub(in super::super::super::super) y: usize,
    /// Whether the destination has the narrower type.
    pub(in super::super::super::super) narrows: bool,
    /// Whether it takes few lines of the destination at a time where these compete, as far as [`takes_bands`] says.
    pub(in super::super::super::super) in_bands: bool,
    /// Whether it writes padding along x too; then no factors differ along y.
    pub(in super::super::super::super) pads: bool,
    /// Whether it yields to a table of results, where there is one.
    pub(in super::super::super::super) yields: bool,
    /// Whether it reads whole lines of rows that drive one another out, on processors that foresee rows that go on.
    pub(in super::super::super::super) reads_lines: bool,
}

impl Conversion<'_> {
    /// How the family does `tile`, if it has a way.
    fn crossed_way(&self, tile: &Tile) -> Option<CrossedWay> {
        let dense = tile.y.dst == (tile.x.len * self.dst) as isize;
        match self.token {
            _ if self.steps.accumulates() || self.steps.rounds() => None,
            #[cfg(target_arch = "x86_64")]
            Token::Avx512(avx512) => {
                let (src, dst) = self.formats;
                // Results that are in a table are not rounded again, which one instruction does as soon.
                let rounds = matches!(dst, Format::Bf16) && x86_64::avx512::is_native(avx512, src, dst);
                let looked_up = self.common.is_some() && self.look_up.is_some() && !rounds;
                let way = x86_64::avx512::crossed_way(avx512, src, dst, [tile.x.len, tile.valid_x], dense);
                // Pixels of four elements that all become the same are turned as bytes in no time.
                let own = self.epilogue.is_some() && self.common.is_none();
                let small = tile.x.len < SHORT && self.dst == 2 && !own;
                way.filter(|way| !way.yields || !(looked_up || way.pads && small))
            }
            #[cfg(target_arch = "x86_64")]
            Token::Avx2(avx2) => {
                let (src, dst) = self.formats;
                x86_64::avx2::crossed_way(avx2, src, dst, tile.x.len, self.epilogue.is_some())
            }
            _ => {
                let _ = (dense, self.formats);
                None
            }
        }
    }

    /// Converts the data of the first values of x, all y and all z, and returns how many.
    ///
    /// # Safety
    /// As [`Conversion::crossed`].
    pub(super) unsafe fn in_registers(
        &self,
        src: *const u8,
        dst: *mut u8,
        tile: &Tile,
        valid_y: usize,
    ) -> usize {
        let way = self.crossed_way(tile);
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the caller's promise.
        if tile.stream && unsafe { self.flowing(way, src, dst, tile, valid_y) } {
            return tile.x.len;
        }
        let Some(way) = way else { return 0 };
        // Rows in a buffer are better where blocks would jump between lines that compete for the same places, unless each is read whole
        // and they save more; and where 4 of its lines make one of the destination, and all have the same factor.
        let jumps = match way.narrows {
            true => {
                let apart = tile.x.src.unsigned_abs();
                let whole = (src.addr() | apart).is_multiple_of(LINE);
                let own = self.epilogue.is_some() && self.common.is_none();
                // Where the processor foresees rows that go on, several lines of each in a row are better than that.
                let reads_on = !writes_in_turn() && way.x > LANES && !is_crowded(tile.y.dst, LINE);
                let saves = whole && (own || self.dst == 2) && !reads_on;
                // Rows in pages of their own are waited for longer than these lines, once they are in no cache.
                let waits = tile.claims && self.dst == 1 && apart.is_multiple_of(4096);
                // Long parts of few rows are as good in any place; with AVX-512, where a third-level cache holds a part of them, and places
                // of the second are not short too.
                let large = tile.x.len * valid_y * tile.z.len * self.src >= LARGE && self.common.is_none();
                let places = tile.stream || !apart.is_multiple_of(8192);
                let long = !writes_in_turn() && (self.token.cpu() == Cpu::Avx2 || large && places);
                let lines = way.reads_lines && !writes_in_turn() && !is_crowded(tile.y.dst, LINE);
                let crowded = is_crowded(tile.x.src, way.x) && !saves && !waits && !lines && !long;
                crowded || self.common.is_some() && way.x == LINE && apart > LINE && apart < 8 * LINE
            }
            false => {
                let bands = way.in_bands && takes_bands(tile.y.dst, self.src);
                !bands && is_crowded(tile.y.dst, smaller(valid_y, LINE))
            }
        };
        if jumps {
            return 0;
        }
        // The last block overlaps the one before, unless padding follows.
        let whole = tile.valid_x == tile.x.len;
        let nx = if whole || way.pads { tile.valid_x } else { tile.valid_x / way.x * way.x };
        let own = |epilogue: &Epilogue| epilogue.places().any(|place| place.y > 0);
        if way.pads && self.common.is_none() && self.epilogue.is_some_and(own) {
            return 0;
        }
        if nx < way.x || valid_y < way.y {
            return 0;
        }
        let job = Crossed {
            src,
            src_x: tile.x.src,
            dst,
            dst_y: tile.y.dst,
            nx,
            ny: valid_y,
            stream: tile.stream,
            claims: tile.claims,
        };
        for z in 0..tile.z.len {
            let (src, dst) = (step(src, z, tile.z.src), step_mut(dst, z, tile.z.dst));
            let job = Crossed { src, dst, ..job };
            match (self.epilogue, self.common) {
                // SAFETY: the blocks lie in the tile.
                (None, _) => unsafe { (way.run)(&job, None) },
                (_, Some(common)) => match common.steps() {
                    // SAFETY: as above.
                    (FACTOR, map) => unsafe { (way.run)(&job, Some(&map)) },
                    _ => return 0,
                },
                // SAFETY: as above.
                _ => match unsafe { self.crossed_parts(&way, &job, z) } {
                    true => {}
                    false => return 0,
                },
            }
        }
        if way.pads { tile.x.len } else { nx }
    }

    /// The same for a repetition whose parameters differ along x or y; `false` where these are more than a factor along one of
    /// the two, and then nothing was done. Apart from it, so that others need no stack for the table.
    ///
    /// # Safety
    /// As [`Conversion::in_registers`].
    #[inline(never)]
    unsafe fn crossed_parts(&self, way: &CrossedWay, job: &Crossed, z: usize) -> bool {
        let Some(epilogue) = self.epilogue else { return false };
        // Registers run along y of the source or x of the destination.
        let (along, across) = if way.narrows { (Loop::Y, Loop::X) } else { (Loop::X, Loop::Y) };
        let lines_of = |place: &Place, len: usize| -> [Line; PARAMETERS] {
            core::array::from_fn(|k| Line::new(epilogue.parameters[k].as_ref(), place, len))
        };
        let (nx, ny) = (job.nx, job.ny);
        let (len, count) = if way.narrows { (ny, nx) } else { (nx, ny) };
        let lines = lines_of(&Place { along, across, ..Place::rows([0, 0, z], len) }, len);
        let len = if lines.iter().any(|line| line.is_table) { smaller(len, WIDTH) } else { len };
        let count = if lines.iter().any(|line| line.across > 0) { smaller(count, ONES) } else { count };
        let (width, height) = if way.narrows { (count, len) } else { (len, count) };
        let table = Table::new();
        let mut x = 0;
        while x < job.nx {
            let x0 = smaller(x, job.nx - width);
            let mut y = 0;
            while y < job.ny {
                let y0 = smaller(y, job.ny - height);
                let lines = lines_of(&Place { along, across, ..Place::rows([x0, y0, z], len) }, len);
                if lines.iter().any(|line| line.is_table && line.across > 0) {
                    return false;
                }
                let mut affine = Affine::neutral();
                for (k, line) in lines.iter().enumerate() {
                    if line.is_table {
                        // SAFETY: the caller's promise: these elements are moved.
                        unsafe { table.fill(k, line, [0, 0], [len, len], &mut affine) };
                    } else {
                        // SAFETY: as above.
                        unsafe { table.fill_ones(k, line, [0, count], &mut affine) };
                    }
                }
                let (steps, map) = affine.steps();
                if steps != FACTOR {
                    return false;
                }
                let part = Crossed {
                    src: step(job.src, x0, job.src_x).wrapping_add(y0 * self.src),
                    dst: step_mut(job.dst, y0, job.dst_y).wrapping_add(x0 * self.dst),
                    nx: width,
                    ny: height,
                    ..*job
                };
                // SAFETY: the part lies in the job.
                unsafe { (way.run)(&part, Some(&map)) };
                y += height;
            }
            x += width;
        }
        true
    }
}
