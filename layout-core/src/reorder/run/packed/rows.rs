//! [`Rows`]: elements of a part, between memory and a buffer with a byte for each. Those of 4 bits are taken out of the bytes that
//! hold two of them, or put there, others are converted. Asked by `cut` for each box.

use super::super::super::plan::{Reorder, TILE_LOOPS};
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
    /// Whether elements are written to memory, and with them what is padded.
    pub(in super::super) fn stores(&self) -> bool {
        self.side == Side::Dst
    }

    /// Whether what is padded is done as data is: with parameters, zero need not stay zero.
    pub(in super::super) fn pads(&self, scaled: bool) -> bool {
        self.stores() && !(scaled && matches!(self.done, Done::Converted(_)))
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
        let stores = self.stores();
        if part.padding && !stores {
            return;
        }
        let last = part.plan.nodes.len() - 1;
        let valid = [(last, part.valid_x), (last - 1, part.valid_y), (last + 1 - TILE_LOOPS, part.valid_z)];
        let pads = self.pads(part.scaling.is_some());
        for (i, valid) in valid {
            let Some(valid) = valid.filter(|_| !pads) else { continue };
            if stores {
                let mut rest = Boxes { padding: true, ..*part };
                (rest.start[i], rest.count[i]) = (part.start[i] + valid, part.count[i] - valid);
                // SAFETY: the caller's promise: this is part of the box.
                unsafe { self.walk_all(&rest, cut) };
            }
            part.count[i] = valid;
        }
        // SAFETY: as above.
        unsafe { self.walk_all(part, cut) };
    }

    /// [`Rows::walk`] for a box that is all data, or all padding, or whose padding is done as data is.
    ///
    /// # Safety
    /// As there.
    unsafe fn walk_all(&self, part: &Boxes<'_>, cut: &Cut) {
        let stores = self.stores();
        let (plan, side) = (part.plan, self.side);
        let base = if side == Side::Src { plan.src_base } else { plan.dst_base };
        let stride = |i: usize| plan.nodes.get(i).stride(side);
        let last = plan.nodes.len() - 1;
        let mut at = base;
        let mut buffer = self.buffer;
        for i in 0..=last {
            at = at.wrapping_add(stride(i).wrapping_mul(part.start[i] as isize));
            let beyond = (part.start[i] - cut.start[i].get()) as isize;
            buffer = buffer.wrapping_offset(self.parts.stride(side, i).wrapping_mul(beyond));
        }
        let buffered = |i: usize| self.parts.stride(side, i);
        let step = |i: usize| if stores { (buffered(i), stride(i)) } else { (stride(i), buffered(i)) };
        let scaling = part.scaling.filter(|_| matches!(self.done, Done::Converted(_)));
        let zeros = scaling.is_some() && part.padding;
        let scaling = scaling.filter(|_| !part.padding);
        let alike = |first: usize, len: usize, next: usize| {
            scaling.is_none_or(|scaling| scaling.goes_on(first, len, next))
        };
        let mut runs = self.parts.runs(part, side, step, alike);
        let [x, y, z] = [runs.take(0), runs.take(0), runs.take(0)];
        let placed = scaling.and_then(|scaling| scaling.place(&part.start, [x.node, y.node, z.node]));
        let steps = [x.step, y.step, z.step];
        let mut tile = tile(plan, steps, stores);
        tile.epilogue = placed.as_ref().map(|placed| &placed.epilogue);
        if zeros {
            tile.valid_x = 0;
        }
        let (src, dst) = (part.src, part.dst);
        runs.each(|from, to, values| {
            if let Some(placed) = &placed {
                placed.locate(runs.values(values));
            }
            match self.done {
                Done::Packed(held) if stores => {
                    let place = Place { memory: dst, at: at.wrapping_add(to) };
                    // SAFETY: the caller's promise.
                    unsafe {
                        pack_box(plan.token(), held, buffer.cast_const().wrapping_offset(from), steps, place)
                    };
                }
                Done::Packed(held) => {
                    let place = Place { memory: src, at: at.wrapping_add(from) };
                    // SAFETY: as above.
                    unsafe { unpack_box(plan.token(), held, place, steps, buffer.wrapping_offset(to)) };
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
            }
        });
    }
}

/// A tile of `steps`, all of it data, of the memory of `plan` where it `stores`.
fn tile<'a>(plan: &Reorder, [x, y, z]: [Step; 3], stores: bool) -> Tile<'a> {
    Tile {
        x,
        y,
        z,
        valid_x: x.len,
        valid_y: y.len,
        stream: stores && plan.streams(),
        claims: stores && plan.claims(),
        tables: Tables::NONE,
        epilogue: None,
        token: plan.token(),
    }
}
