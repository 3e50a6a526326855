//! Cuts a tile into jobs of rows and transposes: which go first is up to the narrower of the two types. Called by the
//! kernels of this folder.

use core::mem::MaybeUninit;

use super::super::super::copy_bytes;
use super::super::super::generic::{fill_zero, step, step_mut};
use super::super::super::tile::{Step, Tables, Tile};
use super::super::{LINE, Rows};
use super::rows::{Loop, Place};
use super::table::Common;
use super::{Conversion, larger, smaller};

/// Bytes of the buffer.
const STAGE: usize = 16 * 1024;

/// The buffer, aligned to lines so that transposes fill whole ones.
#[repr(align(64))]
struct Stage([MaybeUninit<u8>; STAGE]);

impl Conversion<'_> {
    /// Converts the elements of `tile` and writes zero to its padding.
    ///
    /// # Safety
    /// The contract of [`Kernel`](super::super::super::tile::Kernel) for elements of the two widths.
    pub(in super::super::super) unsafe fn run(&self, src: *const u8, dst: *mut u8, tile: &Tile) {
        let valid_y = if tile.valid_x == 0 { 0 } else { tile.valid_y };
        let is_common = self.epilogue.is_some_and(|epilogue| epilogue.is_common() && valid_y > 0);
        if is_common && self.common.is_none() {
            let mut lanes = Common::new();
            // SAFETY: 6. of the contract: there is data.
            let common = unsafe { lanes.of(self.epilogue) };
            // SAFETY: the caller's promise.
            unsafe { Conversion { common: Some(&common), ..*self }.run(src, dst, tile) };
            return;
        }
        if valid_y > 0 && self.is_turned(tile) {
            // SAFETY: the caller's promise.
            unsafe { self.turned(src, dst, tile, valid_y) };
        } else if valid_y > 0 && self.is_folded(tile) {
            // SAFETY: the caller's promise.
            unsafe { self.crossed(src, dst, tile, [0, valid_y, tile.z.len]) };
        } else if valid_y > 0 {
            for z in 0..tile.z.len {
                let (src, dst) = (step(src, z, tile.z.src), step_mut(dst, z, tile.z.dst));
                if tile.x.dst == self.dst as isize && tile.x.src == self.src as isize {
                    let job = Rows {
                        src,
                        src_y: tile.y.src,
                        dst,
                        dst_y: tile.y.dst,
                        valid: tile.valid_x,
                        len: tile.x.len,
                        count: valid_y,
                        stream: tile.stream,
                    };
                    // SAFETY: the elements of a row follow one another on both sides; 1. to 4. of the contract.
                    unsafe { self.padded(&job, &Place::rows([0, 0, z], tile.valid_x)) };
                } else if tile.x.dst == self.dst as isize && tile.y.src == self.src as isize {
                    // SAFETY: the caller's promise, and the strides were just compared.
                    unsafe { self.crossed(src, dst, tile, [z, valid_y, 1]) };
                } else {
                    // SAFETY: the caller's promise.
                    unsafe { self.strided(src, dst, tile, [z, valid_y]) };
                }
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

    /// The same row of all repetitions, one row after the other.
    ///
    /// # Safety
    /// As [`Conversion::run`], for a tile of rows.
    unsafe fn turned(&self, src: *const u8, dst: *mut u8, tile: &Tile, valid_y: usize) {
        /// Repetitions at a time: few enough for the lines of the destination to be there for the next row.
        const AT_ONCE: usize = 256;
        let mut z = 0;
        while z < tile.z.len {
            let count = smaller(tile.z.len - z, AT_ONCE);
            for y in 0..valid_y {
                let job = Rows {
                    src: step(step(src, z, tile.z.src), y, tile.y.src),
                    src_y: tile.z.src,
                    dst: step_mut(step_mut(dst, z, tile.z.dst), y, tile.y.dst),
                    dst_y: tile.z.dst,
                    valid: tile.valid_x,
                    len: tile.x.len,
                    count,
                    stream: false,
                };
                let place = Place { across: Loop::Z, ..Place::rows([0, y, z], tile.valid_x) };
                // SAFETY: the elements of a row follow one another on both sides; 1. to 4. of the contract.
                unsafe { self.padded(&job, &place) };
            }
            z += count;
        }
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
        if !dense || job.valid == job.len || job.len * narrower > LINE / 2 || job.count < 16 {
            // SAFETY: the caller's promise.
            unsafe { self.rows(job, place) };
            return;
        }
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
            let place = place.from_row(y);
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

    /// Whether `tile` is crossed, and short along x, and its repetitions go on where x ends.
    fn is_folded(&self, tile: &Tile) -> bool {
        let end = tile.x.len * self.dst;
        let crossed = tile.x.dst == self.dst as isize && tile.y.src == self.src as isize;
        let rows = tile.x.src == self.src as isize;
        let whole = tile.valid_x == tile.x.len && tile.z.len > 1;
        crossed && !rows && whole && end < LINE && tile.z.dst == end as isize
    }

    /// The destination is contiguous along x, the source along y. `folded` repetitions of x follow one another, from
    /// `first` on.
    ///
    /// # Safety
    /// As [`Conversion::run`], with these strides; `src` and `dst` point to repetition `first`.
    unsafe fn crossed(
        &self,
        src: *const u8,
        dst: *mut u8,
        tile: &Tile,
        [first, valid_y, folded]: [usize; 3],
    ) {
        let (x_len, widens) = (tile.x.len, self.dst > self.src);
        let width_of = if widens { self.src } else { self.dst };
        // As much as fits in the buffer, whole lines along x.
        let (line, height) = (LINE / width_of, smaller(valid_y, STAGE / LINE));
        let width = STAGE / (width_of * height) / line * line;
        // In turn over groups of repetitions, or parts of a single one.
        let groups = if folded > 1 { larger(1, width / x_len) } else { 1 };
        let mut z = 0;
        while z < folded {
            let nz = smaller(folded - z, groups);
            let (src, dst) = (step(src, z, tile.z.src), step_mut(dst, z, tile.z.dst));
            let mut y = 0;
            while y < valid_y {
                let ny = smaller(valid_y - y, height);
                let mut x = 0;
                while x < x_len {
                    let nx = smaller(x_len - x, width);
                    let part = Tile {
                        x: Step { len: nx, ..tile.x },
                        y: Step { len: ny, ..tile.y },
                        z: Step { len: nz, ..tile.z },
                        valid_x: smaller(tile.valid_x.saturating_sub(x), nx),
                        valid_y: ny,
                        stream: tile.stream,
                        tables: Tables::NONE,
                        epilogue: None,
                    };
                    let at = [x, y, first + z];
                    let from =
                        step(step(src, if part.valid_x > 0 { x } else { 0 }, tile.x.src), y, tile.y.src);
                    let to = step_mut(step_mut(dst, x, tile.x.dst), y, tile.y.dst);
                    if widens {
                        // SAFETY: the part lies in the tile, and fits in the buffer.
                        unsafe { self.widen(from, to, &part, at) };
                    } else {
                        // SAFETY: as above.
                        unsafe { self.narrow(from, to, &part, at) };
                    }
                    x += nx;
                }
                y += ny;
            }
            z += nz;
        }
    }

    /// Converts, then transposes in the destination's type. `tile` is a part of the whole that begins at `at`; repetitions
    /// follow one another in the destination.
    ///
    /// # Safety
    /// As [`Conversion::crossed`]; all elements fit in the buffer.
    unsafe fn narrow(&self, src: *const u8, dst: *mut u8, tile: &Tile, at: [usize; 3]) {
        let mut stage = Stage([MaybeUninit::uninit(); STAGE]);
        let stage = stage.0.as_mut_ptr().cast::<u8>();
        let (nx, ny, nz) = (tile.valid_x, tile.y.len, tile.z.len);
        let pitch = ny * self.dst;
        for z in 0..nz {
            let src = step(src, z, tile.z.src);
            let dst = stage.wrapping_add(z * tile.x.len * pitch);
            let job = Rows {
                src,
                src_y: tile.x.src,
                dst,
                dst_y: pitch as isize,
                valid: ny,
                len: ny,
                count: nx,
                stream: false,
            };
            let place = Place {
                first: [at[0], at[1], at[2] + z],
                along: Loop::Y,
                across: Loop::X,
                inner: ny,
                data: ny,
            };
            // SAFETY: the source's elements lie in the tile; the buffer has room for all.
            unsafe { self.rows(&job, &place) };
        }
        let part = Tile {
            x: Step { len: tile.x.len * nz, src: pitch as isize, dst: tile.x.dst },
            y: Step { src: self.dst as isize, ..tile.y },
            z: Step { len: 1, src: 0, dst: 0 },
            valid_x: nx * nz,
            ..*tile
        };
        // SAFETY: what is read was just written, and the destination lies in the tile: repetitions are whole if there is
        // more than one.
        unsafe { copy_bytes(self.token, self.dst, stage, dst, &part) };
    }

    /// Transposes in the source's type, then converts. `tile` is a part of the whole that begins at `at`; repetitions follow
    /// one another in the destination.
    ///
    /// # Safety
    /// As [`Conversion::crossed`]; all elements fit in the buffer.
    unsafe fn widen(&self, src: *const u8, dst: *mut u8, tile: &Tile, at: [usize; 3]) {
        let mut stage = Stage([MaybeUninit::uninit(); STAGE]);
        let stage = stage.0.as_mut_ptr().cast::<u8>();
        let (nx, nz) = (tile.valid_x, tile.z.len);
        let line = nx * nz * self.src;
        // Rows of whole lines, where there is room; but of narrow ones none if those of the destination have no gaps either.
        let padded = line.next_multiple_of(LINE);
        let dense = line < LINE && nx == tile.x.len && tile.y.dst == (nx * nz * self.dst) as isize;
        let pitch = if padded * tile.y.len <= STAGE && !dense { padded } else { line };
        let part = Tile {
            x: Step { len: nx, src: tile.x.src, dst: self.src as isize },
            y: Step { dst: pitch as isize, ..tile.y },
            z: Step { dst: (nx * self.src) as isize, ..tile.z },
            valid_x: nx,
            stream: false,
            ..*tile
        };
        if nx > 0 {
            // SAFETY: the source lies in the tile, and the buffer has room for it.
            unsafe { copy_bytes(self.token, self.src, src, stage, &part) };
        }
        let job = Rows {
            src: stage,
            src_y: pitch as isize,
            dst,
            dst_y: tile.y.dst,
            valid: nx * nz,
            len: tile.x.len * nz,
            count: tile.y.len,
            stream: tile.stream,
        };
        // SAFETY: what is read was just written, and the destination lies in the tile.
        unsafe { self.rows(&job, &Place::rows(at, nx)) };
    }

    /// Any strides: gathers, converts, scatters.
    ///
    /// # Safety
    /// As [`Conversion::run`], for repetition `z`, to which `src` and `dst` point.
    unsafe fn strided(&self, src: *const u8, dst: *mut u8, tile: &Tile, [z, valid_y]: [usize; 2]) {
        const WIDTH: usize = STAGE / 2 / 8;
        let mut stage = Stage([MaybeUninit::uninit(); STAGE]);
        let stage = stage.0.as_mut_ptr().cast::<u8>();
        let converted = stage.wrapping_add(STAGE / 2);
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
