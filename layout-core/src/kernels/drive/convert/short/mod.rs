//! Short rows with gaps between them, mostly by way of a buffer without gaps: what converts takes them as long rows, and what
//! moves elements as they are does the rest. Called by `tile`.
//!
//! * `parted` needs none: where they are 4, 8 or 16 elements, a family fills registers with one of them or several.
//! * `pieces` moves them in the narrower type, where those of the wider one follow one another.
//! * Here: those with gaps in the source, and with padding or gaps in the destination or in few repetitions, where that does not
//!   pay.

mod parted;
mod pieces;

use core::mem::MaybeUninit;

use super::super::super::copy_bytes;
use super::super::super::cpu::Cpu;
use super::super::super::epilogue::LANES;
use super::super::super::generic::{step, step_mut};
use super::super::super::tile::{Step, Tables, Tile};
use super::super::Rows;
use super::rows::Place;
use super::{Conversion, SMALL, SMALLEST, Stage, larger, smaller};
#[cfg(target_arch = "x86_64")]
pub(in super::super::super) use parted::{Parted, PartedRows};

/// Bytes of the source that rows which are gathered together span: a part of the second-level cache.
const SPAN: usize = 256 * 1024;

impl Conversion<'_> {
    /// Converts the rows of `tile` that hold data, of which there are `valid_y`; `false` where they are no such short ones, and
    /// then nothing was done.
    ///
    /// # Safety
    /// As [`Conversion::run`], for a tile of rows.
    pub(super) unsafe fn short(&self, src: *const u8, dst: *mut u8, tile: &Tile, valid_y: usize) -> bool {
        // SAFETY: the caller's promise.
        if unsafe { self.parted(src, dst, tile, valid_y) } {
            return true;
        }
        if let Some(way) = self.way(tile, valid_y) {
            // SAFETY: the caller's promise.
            unsafe { self.by_pieces(src, dst, tile, &way) };
            return true;
        }
        if self.gathers(tile) {
            // Those with padding or gaps in the destination are spread, which takes a buffer too.
            let spreads = tile.valid_x < tile.x.len || tile.y.dst != (tile.x.len * self.dst) as isize;
            if self.is_crowded(tile.x.len * valid_y * tile.z.len) || spreads {
                // SAFETY: the caller's promise.
                unsafe { self.gathered::<SMALLEST>(src, dst, tile, valid_y) };
            } else {
                // SAFETY: as above.
                unsafe { self.gathered::<SMALL>(src, dst, tile, valid_y) };
            }
            return true;
        }
        false
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
                    claims: false,
                    tables: Tables::NONE,
                    epilogue: None,
                    token: self.token,
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
                        claims: tile.claims,
                    };
                    // SAFETY: what is read was just written, and the destination lies in the tile.
                    unsafe { self.padded(&job, &Place::rows([0, y, z + k], tile.valid_x)) };
                }
                z += nz;
            }
            y += ny;
        }
    }
}
