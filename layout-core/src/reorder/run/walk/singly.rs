//! Walks a box whose elements are moved one by one, where the plan asks for it (`plan::ways`). Called by the module around it.

use super::super::boxes::Boxes;
use super::super::loops::ONCE;
use crate::kernels::Kernel;

impl Boxes<'_> {
    /// The kernel, where the plan asks for that: it has no attributes then.
    pub(super) fn single(&self) -> Option<Kernel> {
        if self.fill.is_none() && self.plan.is_single() { self.plan.moves_singly() } else { None }
    }

    /// [`Boxes::walk`] where `kernel` moves elements one by one: along the longest loops that the tile has room for.
    ///
    /// # Safety
    /// As there; the kernel is the plan's for that.
    #[inline(never)]
    pub(super) unsafe fn walk_singly(&self, kernel: Kernel) {
        if let Some(valid) = self.valid_z {
            // SAFETY: the caller's promise.
            return unsafe { self.walk_parts(valid) };
        }
        let (mut around, src, dst) = self.around();
        let mut tile = self.tile();
        if tile.x.len == 1 && tile.valid_x == 1 {
            tile.x = around.take_longest().unwrap_or(ONCE);
            tile.valid_x = tile.x.len;
        }
        if tile.y.len == 1 && tile.valid_y == 1 {
            tile.y = around.take_longest().unwrap_or(ONCE);
            tile.valid_y = tile.y.len;
        }
        let whole = (tile.valid_x, tile.valid_y) == (tile.x.len, tile.y.len);
        if tile.z.len == 1 {
            // Padding is written in the order of the destination.
            let next = if whole { around.take_longest() } else { around.take_last() };
            tile.z = next.unwrap_or(ONCE);
        }
        // SAFETY: the caller's promise; the loops of the box are in the tile and around it.
        unsafe { self.each(Some(kernel), tile, around, src, dst) };
    }
}
