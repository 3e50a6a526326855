//! [`Rows`]: elements of 4 bits of a part, between the bytes that hold two of them and a buffer with a byte for each. Asked by
//! `cut` for each box.

use super::super::super::plan::TILE_LOOPS;
use super::super::boxes::Boxes;
use super::super::parts::{Parts, Side};
use super::Cut;
use crate::kernels::{Held, Place, pack_box, unpack_box};

/// What is done with the elements of one side.
pub(in super::super) struct Rows<'a> {
    pub(super) parts: &'a Parts,
    pub(super) side: Side,
    pub(super) held: Held,
    /// In the order of the side.
    pub(super) buffer: *mut u8,
    /// Whether elements are put into memory, or taken out.
    pub(super) stores: bool,
}

impl Rows<'_> {
    /// Whether what is padding is done as well.
    pub(in super::super) fn has_padding(&self) -> bool {
        self.stores
    }

    /// Takes the elements of the box, a part of `cut`, out of memory, or puts them there.
    ///
    /// # Safety
    /// That of [`Reorder::run_ptr`](super::super::super::Reorder::run_ptr); the buffer has room for `cut`.
    pub(super) unsafe fn walk(&self, part: &mut Boxes<'_>, cut: &Cut) {
        if part.padding && !self.stores {
            return;
        }
        let (plan, side) = (part.plan, self.side);
        let base = if side == Side::Src { plan.src_base } else { plan.dst_base };
        let stride = |i: usize| plan.nodes.get(i).stride(side);
        let last = plan.nodes.len() - 1;
        for (i, valid) in
            [(last, part.valid_x), (last - 1, part.valid_y), (last + 1 - TILE_LOOPS, part.valid_z)]
        {
            if let Some(valid) = valid.filter(|_| !self.stores) {
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
        if self.stores {
            let mut runs =
                self.parts.runs(part, side, |i| (self.parts.stride(side, i), stride(i)), |_, _, _| true);
            let tile = [runs.take(0).step, runs.take(0).step, runs.take(0).step];
            runs.each(|from, to, _| {
                let place = Place { memory: part.dst, at: at.wrapping_add(to) };
                // SAFETY: the caller's promise.
                unsafe { pack_box(self.held, buffer.cast_const().wrapping_offset(from), tile, place) };
            });
        } else {
            let memory = if side == Side::Src { part.src } else { part.dst.cast_const() };
            let mut runs =
                self.parts.runs(part, side, |i| (stride(i), self.parts.stride(side, i)), |_, _, _| true);
            let tile = [runs.take(0).step, runs.take(0).step, runs.take(0).step];
            runs.each(|from, to, _| {
                let place = Place { memory, at: at.wrapping_add(from) };
                // SAFETY: the caller's promise.
                unsafe { unpack_box(self.held, place, tile, buffer.wrapping_offset(to)) };
            });
        }
    }
}
