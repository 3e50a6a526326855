//! Crossed tiles, the destination contiguous along x and the source along y: a transpose in the narrower of the two types
//! goes before or after the conversion, through a buffer that stays in the first-level cache; of repetitions of a few elements
//! there is one before and one behind. Called by `tile`.

#[cfg(target_arch = "x86_64")]
mod flowing;
mod planes;
mod registers;

#[cfg(target_arch = "x86_64")]
pub(in super::super::super) use planes::PlanesWay;
#[cfg(target_arch = "x86_64")]
pub(in super::super::super) use registers::{Crossed, CrossedWay};

use core::mem::MaybeUninit;

use super::super::super::epilogue::{Epilogue, LANES};
use super::super::super::generic::{step, step_mut};
use super::super::super::tile::{Step, Tables, Tile};
use super::super::super::{copy_bytes, repeats_tiles, writes_in_turn};
use super::super::{LINE, Rows};
use super::rows::{Loop, Place};
use super::{Conversion, STAGE, Stage, larger, smaller};

/// From this distance between two lines of the destination few of them are written for each part of a tile whose elements become
/// wider; so many.
const APART: usize = 1024;
const FEW_LINES: usize = 64;

/// From this distance between two rows of the source, parts of one that follow one another are read in turn.
const FAR: usize = 512;

/// Lines of a row from which it goes past the caches wherever it begins.
const MANY: usize = 16;

/// Elements of a row that is much shorter than a register, and as many as fill one when they have become wider.
const SHORT: usize = 8;
const REGISTER: usize = 8;

impl Conversion<'_> {
    /// The destination is contiguous along x, the source along y.
    ///
    /// # Safety
    /// As [`Conversion::run`], with these strides.
    pub(super) unsafe fn crossed(&self, src: *const u8, dst: *mut u8, tile: &Tile, valid_y: usize) {
        if self.is_tiny(tile, valid_y) {
            // SAFETY: the caller's promise.
            return unsafe { self.tiny(src, dst, tile, valid_y) };
        }
        // SAFETY: the caller's promise.
        if unsafe { self.planes(src, dst, tile, valid_y) } {
            return;
        }
        // SAFETY: as above.
        let done = unsafe { self.in_registers(src, dst, tile, valid_y) };
        if done < tile.x.len {
            // SAFETY: as above, for the values of x from `done` on.
            unsafe { self.crossed_from(done, src, dst, tile, valid_y) };
        }
    }

    /// [`Conversion::crossed`] from this value of x on, by way of a buffer. Apart from it, so that others need no stack for that.
    ///
    /// # Safety
    /// As there.
    #[inline(never)]
    unsafe fn crossed_from(&self, done: usize, src: *const u8, dst: *mut u8, tile: &Tile, valid_y: usize) {
        let mut stage = Stage([MaybeUninit::uninit(); STAGE]);
        let stage = stage.0.as_mut_ptr().cast::<u8>();
        // What is added to the destination needs rows of that; and rows of a few elements of the source would be converted one by one,
        // unless they follow one another; without gaps, bytes alone are better turned first.
        let gaps = tile.x.src != (valid_y * self.src) as isize || self.src == 1;
        // Where four bytes become one, and each row is in a line of its own, turning the four would cost as much.
        let near = tile.x.src.unsigned_abs() < LINE || self.src < 4 * self.dst;
        let short = valid_y * self.src < 2 * SHORT * self.dst && tile.x.len >= LINE && gaps && near;
        let adds = self.steps.accumulates();
        let own = self.has_own() || adds;
        // Of two types as wide, numbers with parameters along x are written to the destination by what applies these.
        let along_x = |epilogue: &Epilogue| valid_y < LANES || epilogue.places().any(|place| place.x > 0);
        let is_long = self.dst == self.src && tile.x.len >= LINE;
        let as_wide = is_long && self.has_own() && self.epilogue.is_some_and(along_x);
        let widens = self.dst > self.src || adds || short || as_wide;
        let x_len = tile.x.len;
        let width_of = if widens { self.src } else { self.dst };
        // As much as fits in the buffer, whole lines along x: longer parts of few lines, where these become wider and lie far apart, since
        // they drive one another out of the caches.
        let line = LINE / width_of;
        let apart = self.dst > self.src && x_len > line && tile.y.dst.unsigned_abs() >= APART;
        // Lines of a few elements, as pixels have, share those of the buffer where nothing lies between them.
        let few = matches!(x_len, 1..=4 | 8) && (!widens || tile.y.dst == (x_len * self.dst) as isize);
        // Rows of few lines are written whole, so that they follow one another, and share what their parameters take.
        let rows = smaller(x_len.next_multiple_of(line) * width_of, 2 * LINE * smaller(2, width_of));
        let height = match (apart, few) {
            (true, _) => FEW_LINES,
            _ if widens && !few && own => STAGE / rows / line * line,
            (_, true) => STAGE / (width_of * x_len) / LINE * LINE,
            _ => STAGE / LINE,
        };
        let height = smaller(valid_y, height);
        let width = larger(STAGE / (width_of * height) / line * line, smaller(x_len, line));
        // In turn over groups of repetitions, or parts of a single one.
        let whole = x_len <= width && valid_y <= height;
        let groups = if whole { larger(1, width / x_len) } else { 1 };
        // Rows that lie in pages of their own are read on before the next ones, where the processor foresees that: 1.1 to 2.8 times as
        // fast in no cache (Zen 3); but bytes that become wider take as long to write, and what is mostly padding is written in turn. On
        // Intel's, 1.2 to 1.7 times where elements become narrower and rows of the destination are long.
        let full = tile.valid_x > x_len / 2;
        let far = full
            && tile.x.src.unsigned_abs() >= FAR
            && (!writes_in_turn() || self.dst < self.src && x_len * self.dst >= 2048);
        let goes_on = far && (self.src > 1 || self.dst == 1);
        let mut z = 0;
        while z < tile.z.len {
            let nz = smaller(tile.z.len - z, groups);
            let (src, dst) = (step(src, z, tile.z.src), step_mut(dst, z, tile.z.dst));
            let (mut x, mut y) = (done, 0);
            while x < x_len && y < valid_y {
                let (nx, ny) = (smaller(x_len - x, width), smaller(valid_y - y, height));
                let part = Tile {
                    x: Step { len: nx, ..tile.x },
                    y: Step { len: ny, ..tile.y },
                    z: Step { len: nz, ..tile.z },
                    valid_x: smaller(tile.valid_x.saturating_sub(x), nx),
                    valid_y: ny,
                    stream: tile.stream,
                    claims: tile.claims,
                    tables: Tables::NONE,
                    epilogue: None,
                    token: self.token,
                };
                let from = step(step(src, if part.valid_x > 0 { x } else { 0 }, tile.x.src), y, tile.y.src);
                let to = step_mut(step_mut(dst, x, tile.x.dst), y, tile.y.dst);
                if widens {
                    // SAFETY: the part lies in the tile, and fits in the buffer.
                    unsafe { self.widen(from, to, &part, [x, y, z], stage) };
                } else {
                    // SAFETY: as above.
                    unsafe { self.narrow(from, to, &part, [x, y, z], stage) };
                }
                if goes_on && y + ny < valid_y {
                    y += ny;
                } else if goes_on {
                    (x, y) = (x + nx, 0);
                } else if x + nx < x_len {
                    x += nx;
                } else {
                    (x, y) = (done, y + ny);
                }
            }
            z += nz;
        }
    }

    /// Whether elements have parameters that they do not all share, and are rounded as ever.
    pub(super) fn has_own(&self) -> bool {
        self.epilogue.is_some() && self.common.is_none() && !self.steps.rounds()
    }

    /// Whether the rows that the repetitions of `tile` would be converted in are much shorter than a register.
    fn is_tiny(&self, tile: &Tile, valid_y: usize) -> bool {
        /// Elements of a repetition, and how many repetitions.
        const MOST: usize = 16;
        const FEW: usize = 16;
        let alike = self.epilogue.is_none() || self.common.is_some();
        let plain = alike && !self.steps.accumulates() && !self.steps.rounds();
        let row = if self.dst > self.src { tile.x.len } else { valid_y };
        let folds = self.dst > self.src && self.is_folded(tile);
        let small = row < SHORT && tile.x.len * valid_y <= MOST && tile.z.len >= FEW;
        plain && small && !folds && tile.valid_x > 0
    }

    /// The elements of many repetitions, those of each place in it behind one another, in a buffer; then as one row to another
    /// buffer, and from there to their places.
    ///
    /// # Safety
    /// As [`Conversion::crossed`], for a tile that [is tiny](Self::is_tiny).
    #[inline(never)]
    unsafe fn tiny(&self, src: *const u8, dst: *mut u8, tile: &Tile, valid_y: usize) {
        const HALF: usize = STAGE / 2;
        let mut stage = Stage([MaybeUninit::uninit(); STAGE]);
        let stage = stage.0.as_mut_ptr().cast::<u8>();
        let converted = stage.wrapping_add(HALF);
        let (nx, ny) = (tile.valid_x, valid_y);
        let depth = HALF / (larger(self.src, self.dst) * nx * ny);
        let mut z = 0;
        while z < tile.z.len {
            let nz = smaller(depth, tile.z.len - z);
            let (from, to) = (step(src, z, tile.z.src), step_mut(dst, z, tile.z.dst));
            let [src_line, dst_line] = [nz * self.src, nz * self.dst].map(|line| line as isize);
            let gather = Tile {
                x: Step { len: nz, src: tile.z.src, dst: self.src as isize },
                y: Step { len: ny, src: tile.y.src, dst: src_line },
                z: Step { len: nx, src: tile.x.src, dst: ny as isize * src_line },
                valid_x: nz,
                valid_y: ny,
                stream: false,
                claims: false,
                tables: Tables::NONE,
                epilogue: None,
                token: self.token,
            };
            // SAFETY: these elements lie in the tile; half of the buffer has room for them.
            unsafe { copy_bytes(self.token, self.src, from, stage, &gather) };
            let len = nx * ny * nz;
            let row = Rows {
                src: stage,
                src_y: 0,
                dst: converted,
                dst_y: 0,
                valid: len,
                len,
                count: 1,
                stream: false,
                claims: false,
            };
            // SAFETY: what is read was just written; the other half has room for as many elements.
            unsafe { self.rows(&row, &Place::rows([0, 0, z], len)) };
            let scatter = Tile {
                x: Step { src: ny as isize * dst_line, ..tile.x },
                y: Step { len: nz, src: self.dst as isize, dst: tile.z.dst },
                z: Step { len: ny, src: dst_line, dst: tile.y.dst },
                valid_y: nz,
                valid_x: nx,
                ..gather
            };
            // SAFETY: what is read was just written, and the destination lies in the tile.
            unsafe { copy_bytes(self.token, self.dst, converted, to, &scatter) };
            z += nz;
        }
    }

    /// Whether the repetitions of `tile`, which are short and all data, follow one another in the destination.
    fn is_folded(&self, tile: &Tile) -> bool {
        let end = tile.x.len * self.dst;
        tile.valid_x == tile.x.len && tile.z.len > 1 && end < LINE && tile.z.dst == end as isize
    }

    /// Converts, then transposes in the destination's type. `tile` is a part of the whole that begins at `at`. Inlined, here and in
    /// `flowing`, since small tensors feel a call.
    ///
    /// # Safety
    /// As [`Conversion::crossed`]; all elements fit in the buffer, of [`STAGE`] bytes, at `stage`.
    #[inline(always)]
    unsafe fn narrow(&self, src: *const u8, dst: *mut u8, tile: &Tile, at: [usize; 3], stage: *mut u8) {
        let (nx, ny, nz) = (tile.valid_x, tile.y.len, tile.z.len);
        let pitch = ny * self.dst;
        let rows = Rows {
            src,
            src_y: tile.x.src,
            dst: stage,
            dst_y: pitch as isize,
            valid: ny,
            len: ny,
            count: nx,
            stream: false,
            claims: false,
        };
        let place = Place { along: Loop::Y, across: Loop::X, ..Place::rows(at, ny) };
        // Rows that follow one another are one; else the longer of the two loops goes from row to row.
        if self.epilogue.is_none() && tile.x.src == (ny * self.src) as isize {
            let (len, across) = (nx * ny, (nx * pitch) as isize);
            let job = Rows { src_y: tile.z.src, dst_y: across, valid: len, len, count: nz, ..rows };
            // SAFETY: the source's elements lie in the tile; the buffer has room for all.
            unsafe { self.rows(&job, &place) };
        } else if nz > nx {
            for x in 0..nx {
                let job = Rows {
                    src: step(src, x, tile.x.src),
                    src_y: tile.z.src,
                    dst: stage.wrapping_add(x * pitch),
                    dst_y: (nx * pitch) as isize,
                    count: nz,
                    ..rows
                };
                let place = Place { across: Loop::Z, ..place.at_row(x) };
                // SAFETY: the source's elements lie in the tile; the buffer has room for all.
                unsafe { self.rows(&job, &place) };
            }
        } else {
            for z in 0..nz {
                let (src, dst) = (step(src, z, tile.z.src), stage.wrapping_add(z * nx * pitch));
                let place = Place { first: [at[0], at[1], at[2] + z], ..place };
                // SAFETY: as above.
                unsafe { self.rows(&Rows { src, dst, ..rows }, &place) };
            }
        }
        let mut part = Tile {
            x: Step { src: pitch as isize, ..tile.x },
            y: Step { src: self.dst as isize, ..tile.y },
            z: Step { src: (nx * pitch) as isize, ..tile.z },
            ..*tile
        };
        if self.is_folded(tile) {
            (part.x.len, part.valid_x) = (nx * nz, nx * nz);
            part.z = Step { len: 1, src: 0, dst: 0 };
        }
        // SAFETY: what is read was just written, and the destination lies in the tile.
        unsafe { copy_bytes(self.token, self.dst, stage, dst, &part) };
    }

    /// Transposes in the source's type, then converts. `tile` is a part of the whole that begins at `at`. Inlined as well.
    ///
    /// # Safety
    /// As [`Conversion::crossed`]; all elements fit in the buffer, of [`STAGE`] bytes, at `stage`.
    #[inline(always)]
    unsafe fn widen(&self, src: *const u8, dst: *mut u8, tile: &Tile, at: [usize; 3], stage: *mut u8) {
        // Padding that is put in before, where zero remains zero, makes one row of all, or fills registers; others do not come here with any.
        let x = tile.x.len;
        let follows = tile.y.dst == (x * self.dst) as isize;
        let fills =
            repeats_tiles(self.token) && x.is_multiple_of(REGISTER) && x <= LINE && tile.y.len >= SHORT;
        let pads = (follows || fills) && self.epilogue.is_none() && tile.valid_x > 0;
        let nx = if pads { tile.x.len } else { tile.valid_x };
        let (ny, nz) = (tile.y.len, tile.z.len);
        // What follows in the destination follows in a row of the buffer.
        let (in_row, slices) = if self.is_folded(tile) { (nz, 1) } else { (1, nz) };
        let line = nx * in_row * self.src;
        // Rows of whole lines, where there is room; but of narrow ones none if those of the destination have no gaps either, nor of
        // those that would end with a part of a register.
        let padded = line.next_multiple_of(LINE);
        let own = self.has_own() || self.steps.accumulates();
        let dense =
            (line < LINE || own) && nx == tile.x.len && tile.y.dst == (nx * in_row * self.dst) as isize;
        let pitch = if padded * ny * slices <= STAGE && !dense { padded } else { line };
        let slice = ny * pitch;
        let part = Tile {
            x: Step { len: nx, src: tile.x.src, dst: self.src as isize },
            y: Step { dst: pitch as isize, ..tile.y },
            z: Step { dst: if slices > 1 { slice } else { nx * self.src } as isize, ..tile.z },
            valid_x: tile.valid_x,
            stream: false,
            ..*tile
        };
        if nx > 0 {
            // SAFETY: the source lies in the tile, and the buffer has room for it.
            unsafe { copy_bytes(self.token, self.src, src, stage, &part) };
        }
        // Past the caches go whole lines; of a few that begin elsewhere most would be written in two parts.
        let len = tile.x.len * in_row;
        let even = (dst.addr() | tile.y.dst.unsigned_abs() | tile.z.dst.unsigned_abs()).is_multiple_of(LINE);
        let rows = Rows {
            src: stage,
            src_y: pitch as isize,
            dst,
            dst_y: tile.y.dst,
            valid: nx * in_row,
            len,
            count: ny,
            stream: tile.stream && (even || len * self.dst >= MANY * LINE),
            claims: tile.claims,
        };
        let place = Place::rows(at, nx);
        // SAFETY of each call: what is read was just written, and the destination lies in the tile.
        if dense && self.epilogue.is_none() {
            // Short rows that follow one another are one.
            let (len, across) = (ny * len, slice as isize);
            let job = Rows { src_y: across, dst_y: tile.z.dst, valid: len, len, count: slices, ..rows };
            // SAFETY: see above.
            unsafe { self.rows(&job, &place) };
        } else if slices > ny {
            for y in 0..ny {
                let (src, dst) = (stage.wrapping_add(y * pitch), step_mut(dst, y, tile.y.dst));
                let job = Rows { src, src_y: slice as isize, dst, dst_y: tile.z.dst, count: slices, ..rows };
                // SAFETY: see above.
                unsafe { self.rows(&job, &Place { across: Loop::Z, ..place.at_row(y) }) };
            }
        } else {
            for z in 0..slices {
                let (src, dst) = (stage.wrapping_add(z * slice), step_mut(dst, z, tile.z.dst));
                // SAFETY: see above.
                unsafe {
                    self.rows(
                        &Rows { src, dst, ..rows },
                        &Place { first: [at[0], at[1], at[2] + z], ..place },
                    )
                };
            }
        }
    }
}
