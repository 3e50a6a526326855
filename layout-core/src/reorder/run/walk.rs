//! Walks the loops of one box around the tile. Called by `boxes` for each box.

use super::super::plan::{MAX_LOOPS, TILE_LOOPS};
use super::boxes::Boxes;
use crate::kernels::{Step, Tile};

impl Boxes<'_> {
    /// Calls the kernel for every tile of the box.
    ///
    /// # Safety
    /// That of [`super::super::Reorder::run_ptr`].
    pub(super) unsafe fn walk(&self) {
        let nodes = &self.plan.nodes;
        let outer = nodes.len() - TILE_LOOPS;
        let (mut src, mut dst) = (self.plan.src_base, self.plan.dst_base);
        for i in 0..nodes.len() {
            let (src_at, dst_at) = nodes.at(i, self.start[i]);
            src = src.wrapping_add(src_at);
            dst = dst.wrapping_add(dst_at);
        }
        let tile = self.tile(outer);
        let mut value = self.start;
        loop {
            // SAFETY: 1. and 2. the box holds positions that the destination owns, and those outside `valid` and the boxes
            // that are padding are not read; so the invariants 1 and 2 of the plan place every element of the tile
            // in the memory that the caller vouches for. 3. is the caller's promise, 4. holds of a box's counts, and the
            // element sizes are invariant 4 of the plan.
            unsafe {
                (self.plan.kernel)(self.src.wrapping_offset(src), self.dst.wrapping_offset(dst), &tile)
            };
            // The next combination of values, the innermost loop first.
            let mut i = outer;
            loop {
                if i == 0 {
                    return;
                }
                i -= 1;
                let next =
                    if value[i] + 1 < self.start[i] + self.count[i] { value[i] + 1 } else { self.start[i] };
                let ((src_from, dst_from), (src_to, dst_to)) = (nodes.at(i, value[i]), nodes.at(i, next));
                src = src.wrapping_add(src_to.wrapping_sub(src_from));
                dst = dst.wrapping_add(dst_to.wrapping_sub(dst_from));
                value[i] = next;
                if next != self.start[i] {
                    break;
                }
            }
        }
    }

    /// The three innermost loops of the box.
    fn tile(&self, outer: usize) -> Tile {
        let step = |i: usize| {
            let node = self.plan.nodes.get(i);
            Step { len: self.count[i] as usize, src: node.src, dst: node.dst }
        };
        let (z, y, x) = (step(outer), step(outer + 1), step(outer + 2));
        let valid = |valid: Option<u64>, len: usize| match valid {
            Some(valid) => valid as usize,
            None => len,
        };
        let valid_x = if self.padding { 0 } else { valid(self.valid_x, x.len) };
        Tile { valid_x, valid_y: valid(self.valid_y, y.len), x, y, z, stream: self.plan.streams() }
    }
}

const _: () = assert!(MAX_LOOPS > TILE_LOOPS);
