//! Lines whose elements change on their way: they are put together in a buffer, in the order of the destination, and converted from
//! there in rows.

use super::super::super::attributes::Placed;
use super::super::super::plan::{Line, MAX_LOOPS, Reorder};
use super::super::loops::{ONCE, each, fill};
use super::walk::Walk;
use crate::kernels::{Gather, LINE, Step, Tables, Tile, fill_padding};
use core::mem::MaybeUninit;

/// Lines that the buffer has room for.
const LINES: usize = 64;

#[repr(align(64))]
struct Buffer([MaybeUninit<u8>; LINES * LINE]);

/// Loops of a chunk at most: all but one have two values or more, and there is one that the chunk has a part of.
const FEW: usize = LINES.ilog2() as usize + 2;

/// Some loops, the innermost first.
#[derive(Clone, Copy)]
struct Loops {
    steps: [Step; FEW],
    len: usize,
}

impl Loops {
    const NONE: Loops = Loops { steps: [ONCE; FEW], len: 0 };

    fn push(&mut self, step: Step) {
        self.steps[self.len] = step;
        self.len += 1;
    }

    /// Those behind the first two.
    fn rest(&self) -> &[Step] {
        &self.steps[2..self.len.max(2)]
    }
}

/// Lines that are in the buffer together.
struct Chunk<'a> {
    /// Their loops, where the second strides are those of the buffer.
    put: Loops,
    /// What is converted, and the loops around it from the buffer to the destination.
    tile: Tile<'a>,
    out: Loops,
}

impl Walk<'_> {
    /// Moves the lines of the box, which begins at `first` on both sides: those of `loops`, the innermost first.
    ///
    /// # Safety
    /// That of [`Reorder::run_ptr`](super::super::super::Reorder::run_ptr).
    #[inline(never)]
    pub(super) unsafe fn convert_lines(&mut self, first: (isize, isize), loops: &[Step]) {
        let of = self.of;
        let (memory, plan) = (self.memory, of.plan);
        let table = self.tables.get(of.line, &self.held);
        if table.data == 0 {
            // SAFETY: the caller's promise.
            return unsafe {
                zero_lines(table.written, plan, of.line, memory.1.wrapping_offset(first.1), loops)
            };
        }
        let mut buffer = Buffer([MaybeUninit::uninit(); LINES * LINE]);
        let buffer = buffer.0.as_mut_ptr().cast::<u8>();
        let (whole, part) = few(loops);
        let (inner, outer) = loops.split_at(whole);
        let (parted, outer) = match outer.split_first() {
            Some((&parted, outer)) => (parted, outer),
            None => (ONCE, outer),
        };
        let mut around = [ONCE; MAX_LOOPS];
        // From the outermost in.
        for (to, one) in around.iter_mut().zip(outer.iter().rev()) {
            *to = *one;
        }
        let converted = Converted::new(table, of.line, plan, self.placed);
        let chunk = converted.chunk(inner, Step { len: part.min(parted.len), ..parted });
        let last = converted.chunk(inner, Step { len: parted.len % part, ..parted });
        each(&around[..outer.len()], first, |src, dst| {
            for at in (0..parted.len).step_by(part) {
                let chunk = if parted.len - at < part { &last } else { &chunk };
                let at = |from: isize, by: isize| from.wrapping_add(by.wrapping_mul(at as isize));
                let (src, dst) = (at(src, parted.src), memory.1.wrapping_offset(at(dst, parted.dst)));
                let [inner, outer, ..] = chunk.put.steps;
                each(chunk.put.rest(), (src, 0), |src, at| {
                    let (src, buffer) = (memory.0.wrapping_offset(src), buffer.wrapping_offset(at));
                    // SAFETY: the caller's promise; the buffer has room for as many lines.
                    unsafe { (of.kernel)(table, src, buffer, [inner, outer], false) };
                });
                each(chunk.out.rest(), (0, 0), |from, at| {
                    let (from, to) = (buffer.wrapping_offset(from), dst.wrapping_offset(at));
                    // SAFETY: as above: these lines were just written.
                    unsafe { converted.convert(&chunk.tile, from, to) };
                });
            }
        });
    }
}

/// Writes zero to the lines of `loops`, the innermost first, where `written` has a bit for each byte of one in the buffer.
///
/// # Safety
/// These places can be written.
unsafe fn zero_lines(written: u64, plan: &Reorder, line: &Line, to: *mut u8, loops: &[Step]) {
    let dst = plan.dst_element as usize;
    for (first, len) in runs(written) {
        let to = to.wrapping_add(first / line.element * dst);
        // SAFETY: the caller's promise.
        unsafe { fill(&[0; 16], dst, len / line.element, loops, to) };
    }
}

/// How many of `loops`, the innermost first, the buffer has room for the lines of, and how many values of the next one at a time.
fn few(loops: &[Step]) -> (usize, usize) {
    let mut lines = 1;
    for (i, one) in loops.iter().enumerate() {
        if lines * one.len > LINES {
            return (i, LINES / lines);
        }
        lines *= one.len;
    }
    (loops.len(), 1)
}

/// What is converted of lines in the buffer, and what is zero afterwards.
struct Converted<'a> {
    plan: &'a Reorder,
    placed: Option<&'a Placed<'a>>,
    /// Elements of a line, and bytes of one in the buffer.
    elements: usize,
    held: isize,
    /// A bit for each byte of a line in the buffer.
    converted: u64,
    zeroed: u64,
    /// Whether all of a line is converted.
    whole: bool,
}

impl<'a> Converted<'a> {
    /// Padding, zero in the buffer, is converted with the rest where parameters make nothing else of it.
    fn new(table: &Gather, line: &Line, plan: &'a Reorder, placed: Option<&'a Placed<'a>>) -> Converted<'a> {
        let data = table.data;
        let (converted, zeroed) =
            if placed.is_some() { (data, table.written & !data) } else { (table.written, 0) };
        let held = line.elements * line.element;
        let whole = converted == u64::MAX >> (LINE - held);
        Converted { plan, placed, elements: line.elements, held: held as isize, converted, zeroed, whole }
    }

    /// The lines of the loops `inner`, the innermost first, and of `parted` around them.
    fn chunk(&self, inner: &[Step], parted: Step) -> Chunk<'a> {
        let (mut put, mut out) = (Loops::NONE, Loops::NONE);
        let dst = self.plan.dst_element as isize;
        let (mut len, mut stride) = (self.elements, self.held);
        for one in inner.iter().chain([&parted]).filter(|one| one.len > 1) {
            put.push(Step { dst: stride, ..*one });
            // Lines that follow one another in the destination too are one row, or one loop.
            match out.steps[..out.len].last_mut() {
                None if self.whole && one.dst == dst * len as isize => len *= one.len,
                Some(last) if one.dst == last.dst.wrapping_mul(last.len as isize) => last.len *= one.len,
                _ => out.push(Step { len: one.len, src: stride, dst: one.dst }),
            }
            stride *= one.len as isize;
        }
        let [y, z, ..] = out.steps;
        let tile = Tile {
            x: Step { len, src: self.plan.src_element as isize, dst },
            y,
            z,
            valid_x: len,
            valid_y: y.len,
            stream: self.plan.streams(),
            claims: self.plan.claims(),
            tables: Tables::NONE,
            epilogue: self.placed.map(|placed| &placed.epilogue),
            token: self.plan.token(),
        };
        Chunk { put, tile, out }
    }

    /// Converts the lines of `tile` from `buffer` to `to`.
    ///
    /// # Safety
    /// They can be read there and written here.
    unsafe fn convert(&self, tile: &Tile<'_>, buffer: *const u8, to: *mut u8) {
        if self.whole {
            // SAFETY: the caller's promise.
            return unsafe { (self.plan.kernel)(buffer, to, tile) };
        }
        let (src, dst) = (tile.x.src as usize, tile.x.dst as usize);
        for (first, len) in runs(self.converted) {
            let x = len / src;
            let tile = Tile { x: Step { len: x, ..tile.x }, valid_x: x, ..*tile };
            // SAFETY: the caller's promise.
            unsafe {
                (self.plan.kernel)(buffer.wrapping_add(first), to.wrapping_add(first / src * dst), &tile)
            };
        }
        for (first, len) in runs(self.zeroed) {
            let tile = Tile { x: Step { len: len / src, ..tile.x }, valid_y: 0, ..*tile };
            // SAFETY: as above.
            unsafe { fill_padding(&[0; 16], dst, to.wrapping_add(first / src * dst), &tile) };
        }
    }
}

/// The first bit of each run of ones, and how many there are.
fn runs(mut bits: u64) -> impl Iterator<Item = (usize, usize)> {
    let mut passed = 0;
    core::iter::from_fn(move || {
        if bits == 0 {
            return None;
        }
        let skipped = bits.trailing_zeros();
        bits >>= skipped;
        let len = bits.trailing_ones();
        bits = bits.checked_shr(len).unwrap_or(0);
        let first = passed + skipped;
        passed = first + len;
        Some((first as usize, len as usize))
    })
}
