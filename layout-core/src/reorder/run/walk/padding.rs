//! Boxes that are all padding: written in the order of the destination, whatever the order of the others is. Called by the module
//! around it.

use super::super::super::plan::MAX_LOOPS;
use super::super::boxes::Boxes;
use super::super::loops::{ONCE, fill};
use crate::kernels::Step;

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
        let to = self.dst.wrapping_offset(dst);
        // SAFETY: the box holds positions that the destination owns, so that the invariant 2 of the plan places them in the memory
        // that the caller vouches for.
        unsafe { fill(value, plan.dst_element.into(), 1, &loops[..many], to) };
        true
    }
}
