//! Lines whose elements change on their way: they are put together in a buffer, in the order of the destination, and converted from
//! there in rows.

use super::super::super::plan::{Line, MAX_LOOPS, Reorder};
use super::walk::{ONCE, Walk, each};
use crate::kernels::{Gather, LINE, Step, Tables, Tile, fill_padding};
use core::mem::MaybeUninit;

/// Lines that the buffer has room for.
const LINES: usize = 64;

#[repr(align(64))]
struct Buffer([MaybeUninit<u8>; LINES * LINE]);

impl Walk<'_> {
    /// Moves the lines of the box, which begins at `first` on both sides: those of `loops`, the innermost first.
    ///
    /// # Safety
    /// That of [`Reorder::run_ptr`](super::super::super::Reorder::run_ptr).
    #[inline(never)]
    pub(super) unsafe fn convert_lines(&mut self, first: (isize, isize), loops: &[Step]) {
        let of = self.of;
        let (memory, plan) = (self.memory, of.plan);
        let table = self.tables.get(&of.line, &self.held);
        let mut buffer = Buffer([MaybeUninit::uninit(); LINES * LINE]);
        let buffer = buffer.0.as_mut_ptr().cast::<u8>();
        let held = (of.line.elements * of.line.element) as isize;
        let Some((&lines, outer)) = loops.split_first() else { return };
        let tile = Tile {
            x: Step { len: of.line.elements, src: of.line.element as isize, dst: plan.dst_element.into() },
            y: Step { src: held, ..lines },
            z: ONCE,
            valid_x: 0,
            valid_y: 0,
            stream: plan.streams(),
            claims: plan.claims(),
            tables: Tables::NONE,
            epilogue: self.placed.map(|placed| &placed.epilogue),
        };
        let (mut tile, fused) = fuse(tile, outer);
        let (inner, outer) = outer.split_at(fused);
        let rows = inner.first().copied().unwrap_or(ONCE);
        let mut around = [ONCE; MAX_LOOPS];
        // From the outermost in; those that are fused lie one after the other in the buffer.
        for (to, one) in around.iter_mut().zip(outer.iter().rev()) {
            *to = *one;
        }
        let mut more = [ONCE; MAX_LOOPS];
        let mut stride = held * (lines.len.min(LINES) * rows.len) as isize;
        let more = &mut more[..inner.len().saturating_sub(1)];
        for (to, one) in more.iter_mut().rev().zip(&inner[1.min(inner.len())..]) {
            *to = Step { dst: stride, ..*one };
            stride *= one.len as isize;
        }
        let converted = Converted::new(table, &of.line, plan, self.placed.is_some());
        each(&around[..outer.len()], first, |src, dst| {
            for line in (0..lines.len).step_by(LINES) {
                let at = |from: isize, by: isize| from.wrapping_add(by.wrapping_mul(line as isize));
                let (from, to) = (at(src, lines.src), memory.1.wrapping_offset(at(dst, lines.dst)));
                let len = LINES.min(lines.len - line);
                let put =
                    [Step { len, src: lines.src, dst: held }, Step { dst: held * len as isize, ..rows }];
                each(more, (from, 0), |src, at| {
                    let (src, buffer) = (memory.0.wrapping_offset(src), buffer.wrapping_offset(at));
                    // SAFETY: the caller's promise; the buffer has room for as many lines.
                    unsafe { (of.kernel)(table, src, buffer, put, false) };
                });
                if fused == 0 {
                    tile.y.len = len;
                }
                // SAFETY: as above: these lines were just written.
                unsafe { converted.convert(&tile, buffer, to) };
            }
        });
    }
}

/// `tile` with as many of the loops `outer` around its y, the innermost first, as the buffer has room for and as y and z can be; and
/// how many these are.
fn fuse<'a>(mut tile: Tile<'a>, outer: &[Step]) -> (Tile<'a>, usize) {
    let mut fused = 0;
    for one in outer {
        if tile.y.len * tile.z.len * one.len > LINES || tile.z.len > 1 {
            break;
        }
        if one.dst == tile.y.dst.wrapping_mul(tile.y.len as isize) {
            tile.y.len *= one.len;
        } else {
            tile.z = Step { len: one.len, src: tile.y.src * tile.y.len as isize, dst: one.dst };
        }
        fused += 1;
    }
    (tile, fused)
}

/// What is converted of lines in the buffer, and what is zero afterwards.
struct Converted<'a> {
    plan: &'a Reorder,
    /// A bit for each byte of a line in the buffer.
    converted: u64,
    zeroed: u64,
    /// Whether all of a line is converted.
    whole: bool,
}

impl<'a> Converted<'a> {
    /// Padding, zero in the buffer, is converted with the rest where parameters make nothing else of it.
    fn new(table: &Gather, line: &Line, plan: &'a Reorder, has_parameters: bool) -> Converted<'a> {
        let data = table.steps[..table.len].iter().fold(0, |all, step| all | step.taken);
        let (converted, zeroed) =
            if has_parameters { (data, table.written & !data) } else { (table.written, 0) };
        let whole = converted == u64::MAX >> (LINE - line.elements * line.element);
        Converted { plan, converted, zeroed, whole }
    }

    /// Converts the lines of `tile` from `buffer` to `to`.
    ///
    /// # Safety
    /// They can be read there and written here.
    unsafe fn convert(&self, tile: &Tile<'_>, buffer: *const u8, to: *mut u8) {
        let mut tile = *tile;
        let (src, dst) = (tile.x.src as usize, tile.x.dst as usize);
        if self.whole && tile.y.dst == tile.x.dst * tile.x.len as isize {
            // Lines that follow one another are one row.
            tile.x.len *= tile.y.len;
            (tile.y, tile.z) = (tile.z, ONCE);
        }
        tile.valid_y = tile.y.len;
        if self.whole {
            tile.valid_x = tile.x.len;
            // SAFETY: the caller's promise.
            return unsafe { (self.plan.kernel)(buffer, to, &tile) };
        }
        for (first, len) in runs(self.converted) {
            let x = len / src;
            let tile = Tile { x: Step { len: x, ..tile.x }, valid_x: x, ..tile };
            // SAFETY: the caller's promise.
            unsafe {
                (self.plan.kernel)(buffer.wrapping_add(first), to.wrapping_add(first / src * dst), &tile)
            };
        }
        for (first, len) in runs(self.zeroed) {
            let tile = Tile { x: Step { len: len / src, ..tile.x }, valid_y: 0, ..tile };
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
