//! [`Rows`]: elements of a part, between memory and a buffer with a byte for each. Those of 4 bits are taken out of the bytes that
//! hold two of them, or put there, others are converted. Asked by `cut` for each box.

use super::super::super::plan::TILE_LOOPS;
use super::super::boxes::Boxes;
use super::super::parts::{Parts, Side};
use super::Cut;
use super::bytes::Done;
use crate::kernels::{Place, Step, Tables, Tile, pack_box, unpack_box};
use crate::reorder::problem::Nodes;

/// What is done with the elements of one side.
pub(in super::super) struct Rows<'a> {
    pub(super) parts: &'a Parts,
    pub(super) side: Side,
    pub(super) done: Done,
    /// In the order of the side.
    pub(super) buffer: *mut u8,
}

impl Rows<'_> {
    /// Whether what is padding is done as well.
    pub(in super::super) fn has_padding(&self) -> bool {
        self.side == Side::Dst
    }

    /// How far loop `i` goes in memory and in the buffer.
    pub(super) fn strides<const N: usize>(&self, nodes: &Nodes<N>, i: usize) -> [isize; 2] {
        [nodes.get(i).stride(self.side), self.parts.stride(self.side, i)]
    }

    /// Takes the elements of the box, a part of `cut`, out of memory, or puts them there.
    ///
    /// # Safety
    /// That of [`Reorder::run_ptr`](super::super::super::Reorder::run_ptr); the buffer has room for `cut`.
    pub(super) unsafe fn walk(&self, part: &mut Boxes<'_>, cut: &Cut) {
        let stores = self.has_padding();
        if part.padding && !stores {
            return;
        }
        let (plan, side) = (part.plan, self.side);
        let base = if side == Side::Src { plan.src_base } else { plan.dst_base };
        let stride = |i: usize| plan.nodes.get(i).stride(side);
        let last = plan.nodes.len() - 1;
        for (i, valid) in
            [(last, part.valid_x), (last - 1, part.valid_y), (last + 1 - TILE_LOOPS, part.valid_z)]
        {
            if let Some(valid) = valid.filter(|_| !stores) {
                part.count[i] = valid;
            }
        }
        let mut at = base;
        let mut buffer = self.buffer;
        for i in 0..=last {
            at = at.wrapping_add(stride(i).wrapping_mul(part.start[i] as isize));
            let beyond = (part.start[i] - cut.start[i].get()) as isize;
            buffer = buffer.wrapping_offset(self.parts.stride(side, i).wrapping_mul(beyond));
        }
        let buffered = |i: usize| self.parts.stride(side, i);
        let step = |i: usize| if stores { (buffered(i), stride(i)) } else { (stride(i), buffered(i)) };
        let mut runs = self.parts.runs(part, side, step, |_, _, _| true);
        let steps = [runs.take(0).step, runs.take(0).step, runs.take(0).step];
        let tile = self.tile(steps, stores && plan.streams(), stores && plan.claims());
        let (src, dst) = (part.src, part.dst);
        runs.each(|from, to, _| match self.done {
            Done::Packed(held) if stores => {
                let place = Place { memory: dst, at: at.wrapping_add(to) };
                // SAFETY: the caller's promise.
                unsafe { pack_box(held, buffer.cast_const().wrapping_offset(from), steps, place) };
            }
            Done::Packed(held) => {
                let place = Place { memory: src, at: at.wrapping_add(from) };
                // SAFETY: as above.
                unsafe { unpack_box(held, place, steps, buffer.wrapping_offset(to)) };
            }
            Done::Converted(kernel) => {
                let (from, to) = if stores {
                    (buffer.cast_const().wrapping_offset(from), dst.wrapping_offset(at.wrapping_add(to)))
                } else {
                    (src.wrapping_offset(at.wrapping_add(from)), buffer.wrapping_offset(to))
                };
                // SAFETY: as above: rows of elements that the kernel converts.
                unsafe { kernel(from, to, &tile) };
            }
        });
    }

    /// A tile of `steps`, all of it data.
    fn tile(&self, [x, y, z]: [Step; 3], stream: bool, claims: bool) -> Tile<'static> {
        Tile { x, y, z, valid_x: x.len, valid_y: y.len, stream, claims, tables: Tables::NONE, epilogue: None }
    }
}
