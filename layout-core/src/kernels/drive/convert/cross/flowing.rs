//! Lines of the destination that begin anywhere, past the caches: parts of its rows are converted to a buffer, and written in whole lines.
//! Called by `registers`.

use core::mem::MaybeUninit;

use super::super::super::super::cpu::{Cpu, Token};
use super::super::super::super::epilogue::{Affine, FACTOR};
use super::super::super::super::generic::{step, step_mut};
use super::super::super::super::tile::{Step, Tables, Tile};
use super::super::super::super::writes_in_turn;
use super::super::super::carried::{self, Flow, Part};
use super::super::super::{LINE, Simd};
use super::super::{Conversion, STAGE, Stage};
use super::registers::{Crossed, CrossedWay};

/// Lines of a row of the destination at least.
const LONG: usize = 8;

/// Bytes, read and written, of which a third-level cache often has nothing left: what it still holds is faster through it.
const LARGE: usize = 21 * 1024 * 1024;

/// How a part is converted.
enum Turn<'a> {
    /// In registers, each element times the factor of the map if there is one.
    Registers(&'a CrossedWay, Option<&'a Affine>),
    /// By way of a buffer of [`STAGE`] bytes, for this repetition.
    Buffer(usize, *mut u8),
}

impl Conversion<'_> {
    /// Converts the elements of `tile`, which streams, if it is all data and lines of the destination begin anywhere: 1.2 to 2.5 times as
    /// fast (Zen 4) as into lines that no loop finds whole; by the family's `way`, if it has one that fits. `false` elsewhere, and then
    /// nothing was done. Cold, so that others do not save registers for it.
    ///
    /// # Safety
    /// As [`Conversion::crossed`].
    #[cold]
    #[inline(never)]
    pub(super) unsafe fn flowing(
        &self,
        way: Option<CrossedWay>,
        src: *const u8,
        dst: *mut u8,
        tile: &Tile,
        valid_y: usize,
    ) -> bool {
        let long = tile.x.len * self.dst >= LONG * LINE && valid_y * self.src >= LINE;
        let large = tile.x.len * valid_y * tile.z.len * (self.src + self.dst) >= LARGE;
        let plain = !self.steps.accumulates() && !self.steps.rounds() && tile.valid_x == tile.x.len;
        if !long || !large || !plain || !self.flows(dst, tile) {
            return false;
        }
        let steps = self.common.map(|common| common.steps());
        let map = match (self.epilogue, &steps) {
            (None, _) => Some(None),
            (_, Some((FACTOR, map))) => Some(Some(map)),
            _ => None,
        };
        let fits = |way: &CrossedWay| way.x * self.dst <= LINE && way.y * self.src <= LINE && !way.pads;
        let way = way.filter(fits);
        match (&way, map) {
            // SAFETY: the caller's promise, and the map is of a factor that all elements share.
            (Some(way), Some(map)) => unsafe { self.by_registers(src, dst, tile, valid_y, way, map) },
            // SAFETY: as above.
            (None, _) if self.epilogue.is_none() || self.common.is_some() => unsafe {
                self.by_buffer(src, dst, tile, valid_y)
            },
            // Parameters that differ are written out for many elements elsewhere, and would be so for each part here.
            _ => false,
        }
    }

    /// Whether it is better to go so by where lines begin and how long rows are. On Intel's processors other ways are as fast for short
    /// ones, and lines that are written in halves, which registers of half a line do, are lost even where they begin with one
    /// (1.2 to 4 times as fast so).
    fn flows(&self, dst: *mut u8, tile: &Tile) -> bool {
        let aligned = (dst.addr() | tile.y.dst.unsigned_abs()).is_multiple_of(LINE);
        if !writes_in_turn() {
            return !aligned;
        }
        let (row, apart) = (tile.x.len * self.dst, tile.x.src.unsigned_abs());
        let halves = self.token.cpu() != Cpu::Avx512;
        // Bytes of a row of the destination from which it was faster (a Xeon with AVX-512, and the same held to AVX2).
        let least = match (self.src, self.dst) {
            (4, 1) if halves && !(aligned && apart.is_multiple_of(4096)) => 2000,
            (4, 1) => return false,
            (2, 1) => 800,
            (2, 2) if halves => 512,
            (4, 2) if halves && aligned => 2048,
            (4 | 2, 2) => 5000,
            // Elements become wider: rows of the source of a few lines are read as fast in any order.
            _ if apart < 2000 => return false,
            (1, 2) => 8000,
            (1, _) if halves => 16_000,
            (1, _) => 12_000,
            _ if halves => 12_000,
            _ => 8000,
        };
        row >= least && (!aligned || halves && self.dst <= self.src)
    }

    /// [`Conversion::flowing`] by `way`. Each of the two has a frame of its own.
    ///
    /// # Safety
    /// As there; factors are those that all elements share.
    #[inline(never)]
    unsafe fn by_registers(
        &self,
        src: *const u8,
        dst: *mut u8,
        tile: &Tile,
        valid_y: usize,
        way: &CrossedWay,
        map: Option<&Affine>,
    ) -> bool {
        let turn = |_| Turn::Registers(way, map);
        // SAFETY: the caller's promise.
        unsafe { self.repetitions(src, dst, tile, valid_y, turn) }
    }

    /// The same for others, by way of a buffer.
    ///
    /// # Safety
    /// As there.
    #[inline(never)]
    unsafe fn by_buffer(&self, src: *const u8, dst: *mut u8, tile: &Tile, valid_y: usize) -> bool {
        let mut stage = Stage([MaybeUninit::uninit(); STAGE]);
        let stage = stage.0.as_mut_ptr().cast::<u8>();
        let turn = |z| Turn::Buffer(z, stage);
        // SAFETY: the caller's promise.
        unsafe { self.repetitions(src, dst, tile, valid_y, turn) }
    }

    /// All repetitions of `tile`, with the way of each.
    ///
    /// # Safety
    /// As [`Conversion::flowing`].
    unsafe fn repetitions<'a>(
        &self,
        src: *const u8,
        dst: *mut u8,
        tile: &Tile,
        valid_y: usize,
        turn: impl Fn(usize) -> Turn<'a>,
    ) -> bool {
        for z in 0..tile.z.len {
            let job = Crossed {
                src: step(src, z, tile.z.src),
                src_x: tile.x.src,
                dst: step_mut(dst, z, tile.z.dst),
                dst_y: tile.y.dst,
                nx: tile.x.len,
                ny: valid_y,
                stream: true,
                claims: false,
            };
            match self.token {
                // SAFETY of both: the caller's promise, for this repetition.
                // SAFETY: see above.
                Token::Avx512(avx512) => unsafe { self.flowing_on(avx512, &job, &turn(z)) },
                // SAFETY: see above.
                Token::Avx2(avx2) => unsafe { self.flowing_on(avx2, &job, &turn(z)) },
                _ => return false,
            }
        }
        true
    }

    /// A repetition, with a family.
    ///
    /// # Safety
    /// As [`Conversion::flowing`].
    #[inline(never)]
    unsafe fn flowing_on<S: Simd>(&self, simd: S, job: &Crossed, turn: &Turn) {
        // As much as a first-level cache holds on both sides.
        let lines = match (self.src, self.dst) {
            (_, 1) => 1,
            (1, _) => 2,
            _ => 4,
        };
        let flow = Flow {
            src: job.src,
            src_step: job.src_x,
            dst: job.dst,
            dst_step: job.dst_y,
            width: job.nx,
            height: job.ny,
            bytes: [self.src, self.dst],
            lines,
        };
        let convert = |part: &Part| {
            let near = Crossed {
                src: part.src,
                src_x: LINE as isize,
                dst: part.dst,
                dst_y: part.pitch as isize,
                nx: part.width,
                ny: part.height,
                stream: false,
                claims: false,
            };
            // SAFETY: these lines were just written, and the buffer has room for what they become.
            unsafe { self.turn(&near, part.first, turn) };
        };
        // SAFETY: the caller's promise; rows are long enough, and all of a part is converted.
        unsafe { carried::flow(simd, &flow, convert) };
    }

    /// Converts a part, whose first element is that of the values `x` and `y`.
    ///
    /// # Safety
    /// Its elements can be read and written, and the two sides do not overlap; for those values, 6. of the contract of
    /// [`Kernel`](super::super::super::super::tile::Kernel).
    unsafe fn turn(&self, job: &Crossed, [x, y]: [usize; 2], turn: &Turn) {
        let (z, stage) = match turn {
            // SAFETY: the caller's promise; a part has as many elements as a block, and more.
            Turn::Registers(way, map) => return unsafe { (way.run)(job, *map) },
            Turn::Buffer(z, stage) => (*z, *stage),
        };
        let tile = Tile {
            x: Step { len: job.nx, src: job.src_x, dst: self.dst as isize },
            y: Step { len: job.ny, src: self.src as isize, dst: job.dst_y },
            z: Step { len: 1, src: 0, dst: 0 },
            valid_x: job.nx,
            valid_y: job.ny,
            stream: false,
            claims: false,
            tables: Tables::NONE,
            epilogue: None,
            token: self.token,
        };
        if self.dst > self.src {
            // SAFETY: the caller's promise; a part fits in the buffer.
            unsafe { self.widen(job.src, job.dst, &tile, [x, y, z], stage) };
        } else {
            // SAFETY: as above.
            unsafe { self.narrow(job.src, job.dst, &tile, [x, y, z], stage) };
        }
    }
}
