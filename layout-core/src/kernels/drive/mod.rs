//! What all vector families share: cuts a tile into the jobs of [`Simd`], which every family implements with its own
//! registers. Called by `kernels` with a token; `generic` does not go this way, so that it can be the reference.
//!
//! * `copy` tells `rows`, tiles of pixels (`narrow`), `small` and other crossed ones apart; `grid` orders short rows; `cross` cuts crossed
//!   tiles into bands, and these into lines of the destination, or squares of both sides; `repeat` is what is done around repetitions;
//!   `groups` knows the operands of dot products; `convert` converts besides; `turned` takes elements of 4 bits;
//!   `carried` writes rows that begin anywhere past the caches, for `cross` and `convert`.

mod carried;
mod convert;
mod copy;
mod cross;
mod grid;
mod groups;
mod narrow;
mod repeat;
mod rows;
mod small;
mod turned;

pub(super) use carried::{Carried, carried};
#[cfg(test)]
pub(super) use convert::{Conversion, convert_on};
#[cfg(target_arch = "x86_64")]
pub(super) use convert::{
    Crossed, CrossedWay, Nibbles, Parted, PartedRows, PlanesWay, is_crowded, takes_bands,
};
pub(super) use convert::{by_buffer, nibbles};
pub(crate) use convert::{convert_kernel, converts_blocks};
pub(super) use copy::{copy, copy_entry, repeated};
#[cfg(target_arch = "x86_64")]
pub(super) use cross::fetches;
pub(super) use cross::{Eights, Order, Strips};
pub(super) use grid::{Grid, Pieces, ordered};
pub(super) use groups::{Groups, Woven};
pub(super) use narrow::Quads;
pub(super) use rows::{Rows, pack_by_eight};
#[cfg(target_arch = "x86_64")]
pub(super) use turned::{FROM_SIGNED, FROM_UNSIGNED, Turned, Uneven};
pub(super) use turned::{Four, Fours, Turn, fours, turned, uneven};

use super::generic::transfer;
use super::isa::Isa;
use super::tile::{Blocks, Step};

/// Bytes of a cache line, which a strip fills.
pub(crate) const LINE: usize = 64;

/// Pixels of a few elements that follow one another, on one side, and the planes of their elements on the other.
#[derive(Clone, Copy)]
pub(super) struct Pixels {
    pub(super) src: *const u8,
    pub(super) dst: *mut u8,
    /// Bytes between two planes.
    pub(super) plane: isize,
    /// Pixels.
    pub(super) len: usize,
    /// Planes that hold data; of the others zero is written. All, where pixels are the source.
    pub(super) valid: usize,
    /// Whether lines of the destination may be asked for before they are written.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "x86-64 alone reads it so far"))]
    pub(super) claims: bool,
}

/// Converts the elements of rows.
///
/// # Safety
/// `valid` elements of the source's type can be read at `src + y * src_y`, and `len` of the destination's written at
/// `dst + y * dst_y`, for all y below `count`; the two do not overlap; `valid <= len`. The processor has the
/// instructions of the family that the function belongs to. With an affine map, f32 lies between the two types or is one of them, and
/// [`LANES`](super::epilogue::LANES) values can be read from the place of each valid element on.
pub(super) type ConvertRows = unsafe fn(job: &Rows, affine: Option<&super::epilogue::Affine>);

/// The same, added to `beta` times what the destination holds; the last two parameters belong behind the sum.
///
/// # Safety
/// That of [`ConvertRows`]; the valid elements of the destination can be read.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "x86-64 alone has such loops so far"))]
pub(super) type AddRows = unsafe fn(job: &Rows, affine: Option<&super::epilogue::Affine>, beta: f32);

/// A family of vector instructions; the token for it.
#[allow(unused_variables, reason = "by families that have no such way")]
pub(super) trait Simd: Isa {
    /// Bytes of a register, 16, 32 or 64.
    const REGISTER: usize;
    /// Bytes along x from which [`Simd::few`] takes every job.
    const FEW: usize = usize::MAX;

    /// A line of the destination for each y, then the next one: transposes `job`, whose elements have `B` bytes (1, 2, 4, 8 or
    /// 16). With `job.stream`, past the caches where the family can. What lies `ahead` bytes further in the source, if that is not 0, is fetched.
    ///
    /// # Safety
    /// * Elements of `B` bytes can be read at `src + src_x[x] + y * src_y` for all x below `valid`, and written at
    ///   `dst + x * B + dst_y[y]` for all x below `width`, for all y below `height`. The two do not overlap; `src_y` is
    ///   `B`, unless `B` is 16; `src_x` has a line of entries more, for x that can be read. Where the job is even, the
    ///   multiples of the two steps stand for the tables.
    /// * `valid` and `width` are whole [`LINE`]s, and not 0; `height` is at least `16 / B`; the job is even. With `job.stream`, the
    ///   lines are aligned.
    unsafe fn column<const B: usize>(self, job: &Strips, ahead: isize);

    /// The same for a job that a first-level cache holds with both sides; nothing streams.
    ///
    /// # Safety
    /// As [`Simd::column`].
    #[inline(always)]
    unsafe fn near_column<const B: usize>(self, job: &Strips) {
        // SAFETY: the caller's promise.
        unsafe { self.column::<B>(job, 0) };
    }

    /// The same by squares a line wide, for any width and height, where that is faster; `false` elsewhere, and then nothing was done.
    ///
    /// # Safety
    /// The first point of [`Simd::column`]; the job is even, there is data in all of it, and nothing streams.
    #[inline(always)]
    unsafe fn near_squares<const B: usize>(self, _: &Strips) -> bool {
        false
    }

    /// The same `aside` lines at a time, elements of 4 bytes at most; nothing streams.
    ///
    /// # Safety
    /// As [`Simd::column`]; `aside` is not 0.
    unsafe fn columns<const B: usize>(self, job: &Strips, aside: usize);

    /// A line for each y of jobs that are not even.
    ///
    /// # Safety
    /// As [`Simd::column`], for a single line, with tables.
    unsafe fn tabled<const B: usize>(self, job: &Strips);

    /// Planes to groups, for elements of 1 or 2 bytes; `false` where the family has no such way, and then nothing was done.
    ///
    /// # Safety
    /// `valid` elements can be read at `src + n * plane` for all n below `planes`, and 4 bytes written at `dst` and each
    /// distance of `lines`, or 4 bytes further each, for all groups; the same for all repetitions. `lines` has an entry for
    /// each group, of which 16 lie together. The two sides do not overlap; there are `4 / B` planes and `len` valid groups at
    /// most.
    #[inline(always)]
    unsafe fn group<const B: usize>(self, job: &Groups) -> bool {
        false
    }

    /// Groups to planes, for elements of 1 or 2 bytes; `false` where the family has no such way, and then nothing was done.
    ///
    /// # Safety
    /// As [`Simd::group`], the other way round: 4 bytes of all valid groups can be read, and `len` elements of all `4 / B` planes
    /// written, which all hold data.
    #[inline(always)]
    unsafe fn ungroup<const B: usize>(self, job: &Groups) -> bool {
        false
    }

    /// Runs to lines, for elements of 1 or 2 bytes; `false` where the family has no such way, and then nothing was done.
    ///
    /// # Safety
    /// For all blocks, `elements * taps` elements can be read at `src + i * run` for i below `runs`, and 64 bytes written at
    /// `dst + tap * line` for all taps; the two do not overlap; there are 16 taps, 16 runs and `4 / B` elements at most.
    #[inline(always)]
    unsafe fn weave<const B: usize>(self, job: &Woven) -> bool {
        false
    }

    /// Lines to runs, for elements of 1 or 2 bytes; `false` where the family has no such way, and then nothing was done.
    ///
    /// # Safety
    /// For all blocks, `elements` elements can be read at `src + tap * line + 4 * i` for all taps and i below `runs`, and
    /// `elements * taps` written at `dst + i * run`; the two do not overlap; there are 16 taps, 16 runs and `4 / B` elements at
    /// most.
    #[inline(always)]
    unsafe fn unweave<const B: usize>(self, job: &Woven) -> bool {
        false
    }

    /// [`Simd::column`] for rows of the destination of `W` bytes, 16 or [`Simd::REGISTER`] at most; nothing streams.
    ///
    /// # Safety
    /// As [`Simd::column`], with `W` in place of [`LINE`].
    unsafe fn narrow_column<const B: usize, const W: usize>(self, job: &Strips);

    /// All repetitions of `job`, near one another on both sides; `false` where the family has no faster way than one after the
    /// other, or none for rows of this width, and then nothing was done.
    ///
    /// # Safety
    /// As [`Simd::narrow_column`] for each repetition, with `width` in place of `W`; there is one at least.
    #[inline(always)]
    unsafe fn repeated<const B: usize>(self, job: &Strips, again: Step) -> bool {
        false
    }

    /// All repetitions of `job` at all places of `blocks`, with padding along x or without; `false` where they are not small, or the
    /// family has no such way, and then nothing was done. `narrow`: there are ways for one of its sides, as for pixels.
    ///
    /// # Safety
    /// The first point of [`Simd::column`] for each repetition; the table of a side that is even is null.
    #[inline(always)]
    unsafe fn tiles<const B: usize>(self, job: &Strips, again: Step, blocks: &Blocks, narrow: bool) -> bool {
        false
    }

    /// All repetitions of `job`, which [has no gaps](Strips::is_dense); `false` where the family has no faster way, and then nothing was
    /// done.
    ///
    /// # Safety
    /// As [`Simd::tiles`].
    #[inline(always)]
    unsafe fn without_gaps<const B: usize>(self, job: &Strips, again: Step) -> bool {
        false
    }

    /// [`Simd::column`] for any rows of the destination up to a register (or an element), with padding, of any height.
    ///
    /// # Safety
    /// The first point of [`Simd::column`]; `width` is at most [`Simd::REGISTER`] bytes, `height` is not 0. Where `valid` is
    /// 0, the first element can be read all the same, for all y.
    unsafe fn edge<const B: usize>(self, job: &Strips);

    /// All of `job`, whose lines follow one another in the destination; `false` where the family has no faster way than
    /// [`Simd::narrow_column`] and [`Simd::edge`], or none for this size, and then nothing was done.
    ///
    /// # Safety
    /// The first point of [`Simd::column`]; `width` is a [`LINE`] at most, `dst_step` is as many bytes; the job is even.
    #[inline(always)]
    unsafe fn dense<const B: usize>(self, job: &Strips) -> bool {
        false
    }

    /// All of `job`, which is lower than a square; `false` where the family has no faster way than [`Simd::edge`], or none for
    /// this size, and then nothing was done.
    ///
    /// # Safety
    /// The first point of [`Simd::column`]; `height` is less than `16 / B` and not 0, `valid` is `width`; the job is even.
    #[inline(always)]
    unsafe fn few<const B: usize>(self, job: &Strips) -> bool {
        false
    }

    /// All of `job` in squares that are a line wide on both sides; `false` where the family has no such way, or none for this
    /// size, and then nothing was done.
    ///
    /// # Safety
    /// The first point of [`Simd::column`]; `valid` is `width`, which is whole lines, and not 0; `height` is a line at least;
    /// the job is even. Nothing streams.
    #[inline(always)]
    unsafe fn squares<const B: usize>(self, job: &Strips, order: Order) -> bool {
        false
    }

    /// All of `job` by 8 rows of the source and a line of each; `false` where the family has no such way, and then nothing was done.
    ///
    /// # Safety
    /// The first point of [`Simd::column`]; elements have 4 bytes at most; `valid` is `width`, which is 8 at least; `height` is a
    /// [`LINE`] at least; the job is even. Nothing streams.
    #[inline(always)]
    unsafe fn eight_rows<const B: usize>(self, job: &Strips) -> bool {
        false
    }

    /// Whether lines that lie near one another are better written in turn than read on: makers of processors differ.
    #[inline(always)]
    fn writes_in_turn(self) -> bool {
        false
    }

    /// All of `job`, of whose lines 16 bytes at most hold data, and some do; `false` where the family has no faster way than
    /// [`Simd::edge`], or none for this size, and then nothing was done.
    ///
    /// # Safety
    /// The first point of [`Simd::column`]; `width` is [`LINE`] bytes, `valid` 16 at most and not 0; the job is even. With
    /// `job.stream`, the lines are aligned.
    #[inline(always)]
    unsafe fn sparse<const B: usize>(self, job: &Strips) -> bool {
        false
    }

    /// All of `job`, of rows of 16 bytes or of half lines that lie anywhere; `false` where the family has no faster way than
    /// [`Simd::edge`], or none for this size, and then nothing was done.
    ///
    /// # Safety
    /// The first point of [`Simd::column`]; `valid` and `width` are 16 or 32 bytes, and the job is not even.
    #[inline(always)]
    unsafe fn scattered<const B: usize>(self, job: &Strips) -> bool {
        false
    }

    /// Squares of 8 by 8 elements without gaps on either side, `count` of them; `false` where the family has no such way, and
    /// then nothing was done.
    ///
    /// # Safety
    /// 64 elements can be read at `src + i * src_z`, and written at `dst + i * dst_z`, for i below `count`; the two do not overlap.
    #[inline(always)]
    unsafe fn eights<const B: usize>(self, job: &Eights) -> bool {
        false
    }

    /// All tiles of `job`; `false` where the family has no way for so small ones, and then nothing was done.
    ///
    /// # Safety
    /// The elements can be read and written, and do not overlap; both sides of a tile are 2 or 4.
    #[inline(always)]
    unsafe fn quads<const B: usize>(self, job: &Quads) -> bool {
        false
    }

    /// Moves the rows of `job`.
    ///
    /// # Safety
    /// `valid` bytes can be read at `src + y * src_y`, and `len` written at `dst + y * dst_y`, for all y below `count`;
    /// the two do not overlap; `valid <= len`.
    unsafe fn rows(self, job: &Rows);

    /// Moves the pieces of `job` one by one, by way of [`ordered`] compiled for the family.
    ///
    /// # Safety
    /// As [`grid::grid`].
    unsafe fn ordered(self, job: &Grid);

    /// Moves the first rows of `job`, which have gaps in the source but none in the destination, several in a register; returns
    /// how many, which follows from their number, length and stride. What remains is as it was, or is overwritten next.
    ///
    /// # Safety
    /// As [`Simd::rows`], with `valid == len == dst_y`, which is not 0, and `src_y` above that and at most half of
    /// [`Simd::REGISTER`].
    #[inline(always)]
    unsafe fn pack(self, job: &Rows) -> usize {
        // SAFETY: the caller's promise.
        unsafe { pack_by_eight(job) }
    }

    /// Moves the pieces of `job` as squares whose lines are whole on both sides; `false` where the family has no such way, and
    /// then nothing was done.
    ///
    /// # Safety
    /// `len` bytes, 16 or 32, can be read at `src` and written at `dst`, moved by the strides of all values of the two loops;
    /// what is read and what is written do not overlap; `across.src` and `down.dst` are `len`. With `job.stream`, the lines are
    /// aligned.
    #[inline(always)]
    unsafe fn pieces(self, job: &Pieces) -> bool {
        false
    }

    /// Moves `W` (16, 32 or 64) bytes past the caches, where the family can.
    ///
    /// # Safety
    /// They can be read at `src` and written at `dst`, which is a multiple of `W`, and do not overlap.
    #[inline(always)]
    unsafe fn stream<const W: usize>(self, src: *const u8, dst: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { transfer::<[u8; W]>(src, dst) };
    }

    /// Moves the lines of rows that go on in a buffer past the caches, by way of [`carried`] compiled for the family.
    ///
    /// # Safety
    /// As there.
    #[inline(always)]
    unsafe fn carried(self, job: &Carried) {
        // SAFETY: the caller's promise.
        unsafe { carried(self, job) }
    }

    /// Brings the line at `src`, if there is one, into the second-level cache.
    fn fetch(self, src: *const u8);

    /// Planes to pixels: `N` (2, 3, 4 or 8) elements of `B` bytes (1, 2 or 4) each.
    ///
    /// # Safety
    /// `len` elements can be read at `src + n * plane` for all n below `valid`, and `len * N` written at `dst`; the two
    /// do not overlap; `valid <= N`.
    unsafe fn pixels<const B: usize, const N: usize>(self, job: &Pixels);

    /// Pixels to planes: `N` (2, 3, 4 or 8) elements of `B` bytes (1, 2 or 4) each.
    ///
    /// # Safety
    /// `len * N` elements can be read at `src`, and `len` written at `dst + n * plane` for all n below `N`; the two do not
    /// overlap.
    unsafe fn planes<const B: usize, const N: usize>(self, job: &Pixels);
}
