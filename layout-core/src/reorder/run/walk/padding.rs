//! Boxes that are all padding: written in the order of the destination, whatever the order of the others is. Called by the module
//! around it.

use super::super::super::plan::MAX_LOOPS;
use super::super::boxes::Boxes;
use super::take::ONCE;
use crate::kernels::{Step, Tables, Tile, fill_padding};

impl Boxes<'_> {
    /// Writes `value`, an element as often as there is room for it, to all places of the box. Returns `false` where this is no box of
    /// padding alone, or not to be written through the caches, and then nothing was done.
    ///
    /// # Safety
    /// That of [`Boxes::walk`].
    #[inline(never)]
    pub(super) unsafe fn walk_padding(&self, value: &[u8; 16]) -> bool {
        let (plan, len) = (self.plan, self.plan.nodes.len());
        // Sums have no destination.
        if !self.padding
            || self.dst.is_null()
            || plan.streams()
            || plan.packing.dst.is_some()
            || self.rows.is_some()
        {
            return false;
        }
        // By how far they go in the destination, the nearest first.
        let (mut loops, mut many) = ([ONCE; MAX_LOOPS], 0);
        let mut dst = plan.dst_base;
        for i in 0..len {
            let node = plan.nodes.get(i);
            if !plan.nodes.is_strided(i) {
                return false;
            }
            dst = dst.wrapping_add(node.dst.wrapping_mul(self.start[i] as isize));
            if self.count[i] == 0 {
                return true;
            }
            if self.count[i] > 1 {
                let mut at = many;
                while at > 0 && loops[at - 1].dst.unsigned_abs() > node.dst.unsigned_abs() {
                    loops[at] = loops[at - 1];
                    at -= 1;
                }
                loops[at] = Step { len: self.count[i] as usize, src: 0, dst: node.dst };
                many += 1;
            }
        }
        let bytes = usize::from(plan.dst_element);
        let mut x = Step { len: 1, src: 0, dst: bytes as isize };
        let mut first = 0;
        while first < many && loops[first].dst == (x.len * bytes) as isize {
            x.len *= loops[first].len;
            first += 1;
        }
        let (inner, outer) = loops[first..many.max(first)].split_at(2.min(many - first));
        let [y, z] = [0, 1].map(|i| inner.get(i).copied().unwrap_or(ONCE));
        let (claims, tables, epilogue) = (false, Tables::NONE, None);
        let tile = Tile { x, y, z, valid_x: 0, valid_y: 0, stream: false, claims, tables, epilogue };
        let mut at = [0; MAX_LOOPS];
        loop {
            // SAFETY: the box holds positions that the destination owns, so that the invariant 2 of the plan places them in the memory
            // that the caller vouches for.
            unsafe { fill_padding(value, bytes, self.dst.wrapping_offset(dst), &tile) };
            let next = outer.iter().zip(&mut at).find_map(|(one, at)| {
                if *at + 1 < one.len {
                    *at += 1;
                    dst = dst.wrapping_add(one.dst);
                    return Some(());
                }
                dst = dst.wrapping_sub(one.dst.wrapping_mul(*at as isize));
                *at = 0;
                None
            });
            if next.is_none() {
                return true;
            }
        }
    }
}
