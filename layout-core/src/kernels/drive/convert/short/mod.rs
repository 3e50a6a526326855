//! Short rows with gaps between them on one side, by way of a buffer without gaps: what converts takes it as one row, and what
//! moves elements as they are does the rest. Called by `tile`.

use core::mem::MaybeUninit;

use super::super::super::copy_bytes;
use super::super::super::cpu::Cpu;
use super::super::super::epilogue::LANES;
use super::super::super::generic::{step, step_mut};
use super::super::super::tile::{Step, Tables, Tile};
use super::super::Rows;
use super::rows::{Loop, Place, rows_from};
use super::tile::at_once;
use super::{Conversion, SMALL, SMALLEST, Stage, larger, smaller};

/// Bytes of the source that rows which are gathered together span: a part of the second-level cache.
const SPAN: usize = 256 * 1024;

impl Conversion<'_> {
    /// Converts the rows of `tile` that hold data, of which there are `valid_y`; `false` where they are no such short ones, and
    /// then nothing was done.
    ///
    /// # Safety
    /// As [`Conversion::run`], for a tile of rows.
    pub(super) unsafe fn short(&self, src: *const u8, dst: *mut u8, tile: &Tile, valid_y: usize) -> bool {
        if self.gathers(tile) {
            // Those with padding or gaps in the destination are spread, which takes a buffer too.
            let spreads = tile.valid_x < tile.x.len || tile.y.dst != (tile.x.len * self.dst) as isize;
            if self.is_crowded() || spreads {
                // SAFETY: the caller's promise.
                unsafe { self.gathered::<SMALLEST>(src, dst, tile, valid_y) };
            } else {
                // SAFETY: as above.
                unsafe { self.gathered::<SMALL>(src, dst, tile, valid_y) };
            }
            return true;
        }
        let Some(scatter) = self.scatter(tile, valid_y) else { return false };
        if self.is_crowded() {
            // SAFETY: the caller's promise.
            unsafe { self.scattered::<SMALLEST>(src, dst, tile, &scatter) };
        } else {
            // SAFETY: as above.
            unsafe { self.scattered::<SMALL>(src, dst, tile, &scatter) };
        }
        true
    }

    /// Whether all elements have the same parameters, or none.
    pub(super) fn is_alike(&self) -> bool {
        self.epilogue.is_none() || self.common.is_some()
    }

    /// Whether it takes longer to convert rows of `len` elements one by one than to move them twice.
    pub(super) fn is_slow(&self, len: usize) -> bool {
        /// Bytes of a row that fill too little of a register.
        const FEW: usize = 8;
        let bytes = larger(self.src, self.dst);
        let slow = self.epilogue.is_none() || len < LANES && self.steps.second.is_some();
        bytes <= 2 && (slow || len * bytes <= FEW)
    }

    /// Whether the tile is of short rows with gaps between them in the source, and more of them than of repetitions, which may have
    /// none there.
    fn gathers(&self, tile: &Tile) -> bool {
        /// Bytes of a row in the source that outweigh a loop's beginning.
        const SHORT: usize = 32;
        /// Repetitions of which there are few, however many rows.
        const FEW: usize = 16;
        let (src, dst) = (tile.valid_x * self.src, tile.x.len * self.dst);
        let follows = tile.y.dst == dst as isize;
        let gaps = tile.y.src != src as isize;
        // Many rows of a block go to the loops as they are.
        let blocks = matches!(self.token.cpu(), Cpu::Avx512 | Cpu::Avx2) && tile.x.len == LANES;
        let fills = blocks && !self.is_slow(tile.x.len) && tile.y.len >= 2 * LANES;
        let long = tile.y.len >= 4 && tile.z.len <= larger(FEW, tile.y.len);
        // Rows with padding or gaps in the destination are gathered and spread, which is more work than to convert wide elements
        // where they lie.
        let worth = tile.valid_x == tile.x.len && follows || self.is_alike() && self.is_slow(tile.x.len);
        gaps && !fills && src <= SHORT && long && worth
    }

    /// Short rows of the source, one behind the other in a buffer of `N` bytes; then as one row.
    ///
    /// # Safety
    /// As [`Conversion::run`], for a tile that [gathers](Self::gathers).
    #[inline(never)]
    unsafe fn gathered<const N: usize>(&self, src: *const u8, dst: *mut u8, tile: &Tile, valid_y: usize) {
        let mut stage = Stage([MaybeUninit::uninit(); N]);
        let stage = stage.0.as_mut_ptr().cast::<u8>();
        let line = tile.valid_x * self.src;
        // As many rows as there is room for, and as stay in the cache for the next repetitions, which often have a part of the same
        // lines; several of these at a time if they are short.
        let near = larger(16, SPAN / larger(1, tile.y.src.unsigned_abs()) / 16 * 16);
        let height = smaller(smaller(valid_y, near), N / line);
        let depth = smaller(N / (line * height), tile.z.len);
        // A row that is as long as some element is moved as one.
        let whole = matches!(line, 2 | 4 | 8 | 16);
        let element = if whole { line } else { self.src };
        let mut y = 0;
        while y < valid_y {
            let ny = smaller(valid_y - y, height);
            let mut z = 0;
            while z < tile.z.len {
                let nz = smaller(depth, tile.z.len - z);
                let (src, dst) = (step(src, z, tile.z.src), step_mut(dst, z, tile.z.dst));
                let (rows, repeats) = (
                    Step { len: ny, src: tile.y.src, dst: line as isize },
                    Step { len: nz, src: tile.z.src, dst: (ny * line) as isize },
                );
                let x = Step { len: tile.valid_x, dst: self.src as isize, ..tile.x };
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
                        valid: tile.valid_x,
                        len: tile.x.len,
                        count: ny,
                        stream: tile.stream,
                    };
                    // SAFETY: what is read was just written, and the destination lies in the tile.
                    unsafe { self.padded(&job, &Place::rows([0, y, z + k], tile.valid_x)) };
                }
                z += nz;
            }
            y += ny;
        }
    }

    /// The loops of a tile of short rows that follow one another in the source alone, if it is that and there are enough of them,
    /// all with the same parameters.
    fn scatter(&self, tile: &Tile, valid_y: usize) -> Option<Scatter> {
        /// Bytes of a row from which what converts fills its registers; and rows that outweigh two loops' beginnings.
        const SHORT: usize = 16;
        const MANY: usize = 64;
        let (src, dst) = ((tile.valid_x * self.src) as isize, (tile.x.len * self.dst) as isize);
        let y = Step { len: valid_y, ..tile.y };
        let follows = |one: Step| one.src == src && one.dst != dst;
        let (rows, others, across) = match () {
            () if follows(y) => (y, tile.z, Loop::Y),
            () if follows(tile.z) => (tile.z, y, Loop::Z),
            () => return None,
        };
        let lanes = if matches!(self.token.cpu(), Cpu::Avx512) { LANES } else { LANES / 2 };
        let short = tile.x.len < lanes && tile.x.len * larger(self.src, self.dst) <= SHORT;
        let many = rows.len >= 8 && rows.len * others.len >= MANY;
        (short && many && self.is_alike() && !self.steps.accumulates()).then_some(Scatter {
            rows,
            others,
            across,
        })
    }

    /// Short rows of several repetitions, one behind the other in a buffer of `N` bytes, and from there to their places.
    ///
    /// # Safety
    /// As [`Conversion::run`], for rows with data, of which `scatter` was found in `tile`.
    #[inline(never)]
    unsafe fn scattered<const N: usize>(
        &self,
        src: *const u8,
        dst: *mut u8,
        tile: &Tile,
        &Scatter { rows, others, across }: &Scatter,
    ) {
        let mut stage = Stage([MaybeUninit::uninit(); N]);
        let stage = stage.0.as_mut_ptr().cast::<u8>();
        let line = tile.valid_x * self.dst;
        let band = at_once(rows, tile.x.len * self.src, tile.x.len * self.dst);
        let height = smaller(smaller(band, rows.len), N / line);
        let depth = smaller(others.len, N / (line * height));
        let mut y = 0;
        while y < rows.len {
            let ny = smaller(height, rows.len - y);
            let mut z = 0;
            while z < others.len {
                let nz = smaller(depth, others.len - z);
                let at = |k: usize| if across == Loop::Y { [y, z + k] } else { [z + k, y] };
                for k in 0..nz {
                    let job = Rows {
                        dst: stage.wrapping_add(k * ny * line),
                        dst_y: line as isize,
                        len: tile.valid_x,
                        stream: false,
                        ..rows_from(src, dst, tile, at(k), Step { len: ny, ..rows })
                    };
                    let [y, z] = at(k);
                    let place = Place { across, ..Place::rows([0, y, z], tile.valid_x) };
                    // SAFETY: the rows lie in the tile, and the buffer has room for what they become.
                    unsafe { self.rows(&job, &place) };
                }
                let [first_y, first_z] = at(0);
                let dst = step_mut(step_mut(dst, first_y, tile.y.dst), first_z, tile.z.dst);
                // A row that is as long as some element is moved as one.
                let whole = tile.valid_x == tile.x.len && matches!(line, 2 | 4 | 8 | 16);
                let (element, once) = (if whole { line } else { self.dst }, Step { len: 1, src: 0, dst: 0 });
                let y_step = Step { len: ny, src: line as isize, dst: rows.dst };
                let z_step = Step { len: nz, src: (ny * line) as isize, dst: others.dst };
                let x_step = Step { src: self.dst as isize, ..tile.x };
                let [x_step, y_step, z_step] =
                    if whole { [y_step, z_step, once] } else { [x_step, y_step, z_step] };
                let scatter = Tile {
                    x: x_step,
                    y: y_step,
                    z: z_step,
                    valid_x: if whole { ny } else { tile.valid_x },
                    valid_y: y_step.len,
                    stream: tile.stream,
                    tables: Tables::NONE,
                    epilogue: None,
                };
                // SAFETY: what is read was just written, and these rows lie in the tile.
                unsafe { copy_bytes(self.token, element, stage, dst, &scatter) };
                z += nz;
            }
            y += ny;
        }
    }
}

/// Rows that follow one another in the source, and the loop around them.
struct Scatter {
    rows: Step,
    others: Step,
    /// Which loop the rows are.
    across: Loop,
}
