//! Runs a plan on two buffers: checks their lengths, forks the boxes, walks the loops. The only part of this room that
//! touches memory, and that through kernels alone.

mod boxes;
mod gathered;
mod join;
mod loops;
mod packed;
#[cfg(any(feature = "rayon", test))]
mod parallel;
mod parts;
mod slices;
mod tables;
mod walk;
mod window;

use super::attributes::Scaling;
use super::plan::{Class, MAX_LOOPS, TILE_LOOPS, format};
use super::{Reorder, ReorderError};
use crate::kernels::{
    Job, LINE, Place, Step, Tables, Tile, claims, claims_near, fence, keeps_lines, run_packed,
};
use boxes::{BAND, Boxes};
use parts::Side;

pub use slices::{convert_slice, convert_slice_with};

/// From how many bytes of destination on it is written past the caches: half of a usual third-level cache.
const STREAM_BYTES: usize = 16 << 20;
/// From how many bytes, read and written, on that is so where lines are not written in turn: the processor, which does not see
/// what line is next, waits for each before it can be written. Where the third-level cache still has them from the last time,
/// it is faster with them, by a tenth to a third; less than this it often has.
const SCATTERED_BYTES: usize = 16 << 20;
/// From how many bytes, read and written, on lines are asked for before they are written where that pays: of elements that are moved
/// or become four bytes from one, what a first-level cache does not hold; of others what it does not hold several times over; and where
/// four bytes or one become two on the way, by a buffer, a large second-level cache.
const CLAIM_MOVED_BYTES: usize = 48 * 1024;
const CLAIM_BYTES: usize = 256 * 1024;
const CLAIM_BUFFERED_BYTES: usize = 2 << 20;
/// Bytes, read and written, of which a cache of the second level does not hold half.
const ACROSS_BYTES: usize = 3 << 20;
/// Fewer long rows than this that are written side by side are streams that the processor foresees.
const FEW_ROWS: u64 = 8;
const LONG_ROW: isize = 1024;
/// From so many lines of a place of their own in the source on it is their reading that takes the time.
const MANY_PLACES: u64 = 8;
/// Two lines in this distance have no more than one neighbour in a page.
const APART: usize = 2048;
/// Bytes of a page, and of what a way of a first-level cache holds.
const PAGE: isize = 4096;

/// Boxes that are no further apart than this are walked in bands.
const NEAR: usize = 4096;

impl Reorder {
    /// Moves the tensor in `src` to `dst` and writes zero to the padding of the destination.
    ///
    /// Both begin with the first byte that their descriptor covers (its base offset counts from there), may be longer
    /// than needed, and need no alignment: bytes read from a file will do. No run takes memory from the heap, or more than
    /// 64 KiB of the stack where the crate is optimised.
    ///
    /// # Errors
    /// [`ReorderError::SourceTooSmall`] or [`ReorderError::DestinationTooSmall`] with both lengths in bytes;
    /// [`ReorderError::AttributeMissing`] for a plan with attributes, which [`Reorder::run_with`] runs. Then nothing was
    /// written.
    ///
    /// ```
    /// # use layout_core::{descriptor::{DType, Descriptor}, reorder::{Reorder, ReorderError}};
    /// let scalar = Descriptor::scalar(DType::F32);
    /// let plan = Reorder::new(&scalar, &scalar)?;
    /// let short = plan.run(&[0; 3], &mut [0; 4]);
    /// assert_eq!(short, Err(ReorderError::SourceTooSmall { expected: 4, found: 3 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run(&self, src: &[u8], dst: &mut [u8]) -> Result<(), ReorderError> {
        self.check_plain()?;
        self.check_len(src.len(), dst.len())?;
        // SAFETY: both are as long as the plan says and, one being borrowed exclusively, do not overlap.
        unsafe { self.run_ptr(src.as_ptr(), dst.as_mut_ptr()) };
        Ok(())
    }

    /// [`Reorder::run`] for memory that is known by pointers.
    ///
    /// # Safety
    /// * The logical elements of the source can be read, from `src` as its descriptor's first byte; they lie within
    ///   [`Reorder::src_len`] bytes. Its padding need not be initialised.
    /// * The elements and the padding of the destination ([`Descriptor::owned`](crate::descriptor::Descriptor::owned)) can be
    ///   written, from `dst` as its descriptor's first byte; they lie
    ///   within [`Reorder::dst_len`] bytes.
    /// * The elements that are read and those that are written do not overlap. Of 4 bits, neither do the bytes that hold them,
    ///   and those of the destination that hold another's element as well, or nothing in their other half, can be read.
    /// * The plan has no attributes; [`Reorder::run_ptr_with`] runs those that have.
    pub unsafe fn run_ptr(&self, src: *const u8, dst: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { self.run_boxes(src, dst, None) };
    }

    /// Runs the plan, with the values of its attributes if it has any.
    ///
    /// # Safety
    /// That of [`Reorder::run_ptr`], except for the attributes.
    pub(super) unsafe fn run_boxes(&self, src: *const u8, dst: *mut u8, scaling: Option<&Scaling<'_>>) {
        // SAFETY: the caller's promise.
        unsafe { self.run_within(src, dst, None, scaling) };
    }

    /// Moves one part of the tensor.
    ///
    /// # Safety
    /// That of [`Reorder::run_ptr`], for the values of the part.
    #[cfg(any(feature = "rayon", test))]
    unsafe fn run_part(
        &self,
        src: *const u8,
        dst: *mut u8,
        part: parallel::Part,
        scaling: Option<&Scaling<'_>>,
    ) {
        let part = (part.node, part.values.start, part.values.end);
        // SAFETY: the caller's promise.
        unsafe { self.run_within(src, dst, Some(part), scaling) };
    }

    /// Moves all of the tensor, or where a loop has values of a range; then fills the padding with what the run wants there.
    ///
    /// # Safety
    /// That of [`Reorder::run_ptr`], except for the attributes.
    unsafe fn run_within(
        &self,
        src: *const u8,
        dst: *mut u8,
        part: Option<(usize, u64, u64)>,
        scaling: Option<&Scaling<'_>>,
    ) {
        if self.padded == 0 {
            return;
        }
        let plain = scaling.is_none_or(|scaling| scaling.is_plain() && scaling.fill.is_none());
        let is_packed = !self.packing.is_none();
        let packed_rows =
            is_packed && self.converts_packed_rows() && self.has_even_rows(src, dst, scaling, Side::Src);
        let by_bytes = is_packed && !packed_rows && self.goes_by_bytes();
        if plain && self.gathers() && !by_bytes {
            // SAFETY: the caller's promise.
            if unsafe { self.run_gathered(src, dst, scaling, part) } {
                return;
            }
        }
        if part.is_none() && plain && self.one_tile && !by_bytes && !packed_rows {
            // SAFETY: the caller's promise.
            unsafe { self.run_tile(src, dst, scaling) };
            return;
        }
        let boxes = || Boxes { part, scaling, ..Boxes::new(self, src, dst) };
        if by_bytes {
            // SAFETY: the caller's promise.
            unsafe { self.run_by_bytes((src, dst), part, scaling) };
        } else {
            // SAFETY: as above.
            unsafe { boxes().bands() };
        }
        if let Some(fill) = scaling.and_then(|scaling| scaling.fill.as_ref()) {
            // SAFETY: as above.
            unsafe { Boxes { fill: Some(fill), scaling: None, ..boxes() }.bands() };
        }
        if self.streams() {
            fence();
        }
    }

    /// Whether there are parameters that differ little along the rows of `side`. Apart from its caller: a small tensor would feel what
    /// that needs of the stack.
    #[inline(never)]
    fn has_even_rows(&self, src: *const u8, dst: *mut u8, scaling: Option<&Scaling<'_>>, side: Side) -> bool {
        Boxes { scaling, ..Boxes::new(self, src, dst) }.has_even_rows(side)
    }

    /// Runs a plan whose kernel runs all loops as they are: without a walk, which would take longer than a small tensor.
    ///
    /// # Safety
    /// That of [`Reorder::run_ptr`]; `one_tile` holds.
    unsafe fn run_tile(&self, src: *const u8, dst: *mut u8, scaling: Option<&Scaling<'_>>) {
        let [z, y, x] = [0, 1, 2].map(|i| {
            let node = self.nodes.get(i);
            Step { len: node.n as usize, src: node.src, dst: node.dst }
        });
        let stream = self.streams();
        let single = if self.is_single() { self.moves_singly() } else { None };
        let placed = scaling.and_then(|scaling| scaling.place(&[0; MAX_LOOPS], [2, 1, 0]));
        let tile = Tile {
            x,
            y,
            z,
            valid_x: x.len,
            valid_y: y.len,
            stream,
            claims: self.claims(),
            tables: Tables::NONE,
            epilogue: placed.as_ref().map(|placed| &placed.epilogue),
            token: self.token(),
        };
        // SAFETY: without tails every combination of values is an element on both sides, so that the invariants 1 and 2 of the
        // plan place it in the memory that the caller vouches for; the rest is as in `Boxes::walk`.
        match single {
            // SAFETY: see above.
            Some(kernel) => unsafe {
                kernel(src.wrapping_offset(self.src_base), dst.wrapping_offset(self.dst_base), &tile)
            },
            // SAFETY: see above.
            None => unsafe { self.move_tile((src, self.src_base), (dst, self.dst_base), &tile) },
        }
        if stream {
            fence();
        }
    }

    /// Moves one tile. Both sides are a pointer and how far from it the tile's first element is, in the units of the strides.
    ///
    /// # Safety
    /// That of the plan's kernel; where elements of 4 bits share a byte, that of [`run_packed`].
    #[inline(always)]
    unsafe fn move_tile(&self, src: (*const u8, isize), dst: (*mut u8, isize), tile: &Tile<'_>) {
        if self.packing.is_none() {
            // SAFETY: the caller's promise.
            unsafe { (self.kernel)(src.0.wrapping_offset(src.1), dst.0.wrapping_offset(dst.1), tile) };
            return;
        }
        let job = Job {
            packing: self.packing,
            copies: !self.converts(),
            formats: (format(self.src_dtype), format(self.dst_dtype)),
            kernel: self.kernel,
            src_bytes: self.src_element.into(),
            dst_bytes: self.dst_element.into(),
            tile,
        };
        // SAFETY: the caller's promise.
        unsafe { run_packed(&job, Place { memory: src.0, at: src.1 }, Place { memory: dst.0, at: dst.1 }) };
    }

    /// Whether there is a loop over segments that are shorter than a line, where blocks do not nest.
    fn has_short_segments(&self) -> bool {
        let piece = match self.class {
            Class::Rows => self.nodes.get(self.nodes.len() - 1).n.saturating_mul(self.dst_element.into()),
            _ => self.dst_element.into(),
        };
        piece < LINE as u64 && (0..self.nodes.len()).any(|i| !self.nodes.fits_tile(i))
    }

    /// Whether the boxes of an axis with a tail lie side by side in what the other loops step over, so that they share lines.
    fn has_interleaved_boxes(&self) -> bool {
        let is_near = |t: usize| {
            let highest = self.tails.levels(t).last().map(|&top| self.nodes.get(top as usize));
            // Of a single loop there is one box.
            self.tails.levels(t).len() > 1
                && highest.is_some_and(|top| top.src.unsigned_abs().min(top.dst.unsigned_abs()) < NEAR)
        };
        (0..self.tails.len as usize).any(is_near)
    }

    /// The outermost loop of tiles that are a line of the destination, and how many of its values share a line of the source, where in a
    /// tensor of `bytes` bytes the lines of all of them compete for the same places of a first-level cache: these few are gone through
    /// with all of the other loops before the next ones, and written on along their lines.
    fn across_lines(&self, bytes: usize) -> Option<(usize, u64)> {
        let len = self.nodes.len();
        // Where lines are asked for before they are written, what is written does not wait for them.
        let large = self.class == Class::Transpose && bytes >= CLAIM_BYTES && self.packing.is_none();
        if !large || claims() || len <= TILE_LOOPS || !(0..len).all(|i| self.nodes.is_strided(i)) {
            return None;
        }
        let [z, y, x] = [0, 1, 2].map(|i| self.nodes.get(len - TILE_LOOPS + i));
        let written = y.n.saturating_mul(x.n).saturating_mul(self.dst_element as u64);
        let competes = z.dst != 0 && z.dst % PAGE == 0;
        let count = match z.src.unsigned_abs() {
            piece @ 1..LINE if LINE.is_multiple_of(piece) => (LINE / piece) as u64,
            _ => return None,
        };
        (competes && written <= LINE as u64 && z.n >= 4 * count).then_some((len - TILE_LOOPS, count))
    }

    /// The second loop, and how many of its values are gone through with all of the outermost one before the next ones: where that goes
    /// along the source's lines in short pieces, a tensor of `bytes` bytes would come back to each of them when no cache has it
    /// any more. What is written for these values is no part of a few lines.
    fn across_outer(&self, bytes: usize) -> Option<(usize, u64)> {
        if self.class != Class::Transpose || bytes < ACROSS_BYTES || self.nodes.len() <= TILE_LOOPS {
            return None;
        }
        let (outer, inner) = (self.nodes.get(0), self.nodes.get(1));
        let packed = [self.packing.src, self.packing.dst].map(|side| u32::from(side.is_some()));
        let [piece, next] = [outer, inner].map(|node| node.src.unsigned_abs() >> packed[0]);
        let strided = self.nodes.is_strided(0) && self.nodes.is_strided(1);
        let (node, gone_through) = if strided && (1..=2 * LINE).contains(&piece) && piece < next {
            (1, inner)
        } else if self.has_blocks_beside() {
            // The walk makes the loop that goes along these lines the outermost one.
            (0, outer)
        } else {
            return None;
        };
        let count = (BAND as u64 / (bytes as u64 / gone_through.n.max(1)).max(1)).max(1);
        let written = (gone_through.dst.unsigned_abs() >> packed[1]).saturating_mul(count as usize);
        (written >= LONG_ROW as usize).then_some((node, count))
    }

    /// Whether the buffers are long enough.
    pub(super) fn check_len(&self, src: usize, dst: usize) -> Result<(), ReorderError> {
        if src < self.src_len() {
            return Err(ReorderError::SourceTooSmall { expected: self.src_len(), found: src });
        }
        if dst < self.dst_len() {
            return Err(ReorderError::DestinationTooSmall { expected: self.dst_len(), found: dst });
        }
        Ok(())
    }

    /// Whether whole lines are written past the caches: where the destination would not stay in them anyway, which saves
    /// reading each line before it is written. Below that, such stores cost the next reader more than they save. Not where the
    /// processor has a faster order through them.
    /// What the plan's [`Stores`](super::Stores) say comes first.
    pub(super) fn streams(&self) -> bool {
        let (read, written) = (self.bytes_read(), self.bytes_written());
        // A small tensor would feel it if this was asked first.
        let scattered = read.saturating_add(written) >= SCATTERED_BYTES && self.scatters();
        self.stores.stream(scattered || written >= STREAM_BYTES && !self.turns_pages())
    }

    /// Whether elements of 4 bytes are turned that come from rows in pages of their own, which this processor does faster by squares of
    /// whole lines on both sides, through the caches.
    fn turns_pages(&self) -> bool {
        let last = self.nodes.len() - 1;
        if self.class != Class::Transpose || last == 0 || self.dst_element != 4 || !self.moves_bytes() {
            return false;
        }
        let (x, y) = (self.nodes.get(last), self.nodes.get(last - 1));
        let row = (x.n as isize).wrapping_mul(4);
        // Whole lines that follow one another, of rows longer than the one that is written in turn in any case, or long rows.
        let line = LINE as isize;
        let whole = if y.dst == row { row > line && row % line == 0 } else { row >= LONG_ROW };
        x.src != 0
            && x.src % PAGE == 0
            && whole
            && keeps_lines(self.token(), y.dst.unsigned_abs() < LONG_ROW as usize)
    }

    /// Whether lines of the destination are asked for before they are written.
    pub(super) fn claims(&self) -> bool {
        if let Some(asked) = self.asked {
            return asked && !self.streams();
        }
        let bytes = self.bytes_read().saturating_add(self.bytes_written());
        let crosses = matches!(self.class, Class::Transpose);
        let least = match (self.src_element, self.dst_element) {
            _ if self.moves_bytes() => CLAIM_MOVED_BYTES,
            (1, 4) => CLAIM_MOVED_BYTES,
            (4 | 1, 2) if crosses => CLAIM_BUFFERED_BYTES,
            _ => CLAIM_BYTES,
        };
        bytes >= least
            && !self.streams()
            && if bytes < CLAIM_BYTES { claims_near(self.token()) } else { claims() }
    }

    /// Whether the lines of the destination are not written one after the other, or each is read from a page of its own.
    const fn scatters(&self) -> bool {
        let packed = self.packing.src.is_some() || self.packing.dst.is_some();
        if packed || self.dst_element > self.src_element || self.nodes.len() < 2 {
            return false;
        }
        let (x, y) = (self.nodes.get(self.nodes.len() - 1), self.nodes.get(self.nodes.len() - 2));
        let row = (x.n as isize).wrapping_mul(self.dst_element as isize);
        match self.class {
            // Rows that compete for the same places of a cache go by squares of whole lines, through the caches.
            Class::Transpose => {
                let competes = x.src % PAGE == 0 || y.dst % PAGE == 0;
                let in_turn = row <= LINE as isize && y.dst == row;
                let foreseen = y.n < FEW_ROWS && row >= LONG_ROW;
                !competes && !in_turn && !foreseen
            }
            Class::Rows => row == LINE as isize && y.n >= MANY_PLACES && y.src.unsigned_abs() >= APART,
            Class::Stream | Class::Strided => false,
        }
    }
}
