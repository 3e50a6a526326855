//! Lines of the destination that begin anywhere, past the caches: parts of its rows are converted to a buffer, and written in whole lines.
//! Called by `registers`.

use core::mem::MaybeUninit;

use super::super::super::super::cpu::Token;
use super::super::super::super::epilogue::{Affine, FACTOR};
use super::super::super::super::generic::{step, step_mut};
use super::super::super::super::tile::{Step, Tables, Tile};
use super::super::super::super::writes_in_turn;
use super::super::super::carried::first_lines;
use super::super::super::{Carried, LINE, Simd};
use super::super::{Conversion, STAGE, Stage, smaller};
use super::registers::{Crossed, CrossedWay};

/// Lines of a row of the destination at least.
const LONG: usize = 8;

/// Bytes, read and written, of which a third-level cache often has nothing left: what it still holds is faster through it.
const LARGE: usize = 21 * 1024 * 1024;

/// Values of x for which as many lines of the source as are read twice stay in a second-level cache.
const CHUNK: usize = 1024;

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
        let aligned = (dst.addr() | tile.y.dst.unsigned_abs()).is_multiple_of(LINE);
        let long = tile.x.len * self.dst >= LONG * LINE && valid_y * self.src >= LINE;
        let large = tile.x.len * valid_y * tile.z.len * (self.src + self.dst) >= LARGE;
        let plain = !self.steps.accumulates() && !self.steps.rounds() && tile.valid_x == tile.x.len;
        if aligned || !long || !large || !plain || writes_in_turn() {
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
        let (mut source, mut turned) = (MaybeUninit::<Source>::uninit(), MaybeUninit::<Turned>::uninit());
        let (source, turned) = (source.as_mut_ptr().cast::<u8>(), turned.as_mut_ptr().cast::<u8>());
        // As much as a first-level cache holds on both sides.
        let lines = match (self.src, self.dst) {
            (_, 1) => 1,
            (1, _) => 2,
            _ => 4,
        };
        let (line, side) = (LINE / self.dst, LINE / self.src);
        let (part, pitch) = (lines * line, (lines + 2) * LINE);
        let mut left = 0;
        while left < job.nx {
            // The last chunk has no part of few elements.
            let right = if job.nx - left < CHUNK + part { job.nx } else { left + CHUNK };
            let mut y = 0;
            while y < job.ny {
                // The last values of y overlap those before.
                y = smaller(y, job.ny - side);
                let mut x = left;
                while x < right {
                    let width = if right - x < part + line { right - x } else { part };
                    // What chunks before this one have of the line that goes on is converted again.
                    let again = if x == left && x > 0 { line } else { 0 };
                    let from = step(job.src, x - again, job.src_x).wrapping_add(y * self.src);
                    // SAFETY: a line of these rows lies in the job, and the buffer has room for it.
                    unsafe { first_lines(simd, from, job.src_x, source, width + again) };
                    let near = Crossed {
                        src: source,
                        src_x: LINE as isize,
                        dst: turned.wrapping_add(LINE - again * self.dst),
                        dst_y: pitch as isize,
                        nx: width + again,
                        ny: side,
                        stream: false,
                        claims: false,
                    };
                    // SAFETY: these lines were just written, and the buffer has room for what they become.
                    unsafe { self.turn(&near, [x - again, y], turn) };
                    let rows = Carried {
                        src: turned.wrapping_add(LINE),
                        pitch,
                        dst: step_mut(job.dst, y, job.dst_y).wrapping_add(x * self.dst),
                        dst_step: job.dst_y,
                        count: side,
                        len: width * self.dst,
                        first: x == 0,
                        last: x + width == job.nx,
                    };
                    // SAFETY: these elements were just written to the buffer, as were those before them; their places lie in the job.
                    unsafe { simd.carried(&rows) };
                    x += width;
                }
                y += side;
            }
            left = right;
        }
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

/// A line for each value of x of a part, and what it becomes.
#[repr(align(64))]
struct Source(#[allow(dead_code, reason = "written and read by address")] [u8; 12 * 1024]);
#[repr(align(64))]
struct Turned(#[allow(dead_code, reason = "written and read by address")] [u8; 16 * 1024]);
