//! Walks the loops of one box around the tile. Called by `boxes` for each box.
//!
//! Loops that the box runs once vanish here, so that what is left decides which loops the kernel takes: of rows, the two
//! innermost ones; of crossed tiles also those that continue x in the destination or y in the source where these are short,
//! by way of a table of distances.

mod take;

use super::super::plan::{Class, MAX_LOOPS, TILE_LOOPS};
use super::boxes::Boxes;
use super::tables::{X, Y};
use crate::kernels::{Blocks, Step, Tables, Tile, fill_padding};
use take::{Around, Loop, ONCE, lengthen, lines, repeat, woven};

impl Boxes<'_> {
    /// Calls the kernel for every tile of the box.
    ///
    /// # Safety
    /// That of [`super::super::Reorder::run_ptr`].
    pub(super) unsafe fn walk(&self) {
        let plan = self.plan;
        if self.fill.is_some()
            && !self.padding
            && self.valid_x.is_none()
            && self.valid_y.is_none()
            && self.valid_z.is_none()
        {
            return;
        }
        let (mut src, mut dst) = (plan.src_base, plan.dst_base);
        let mut around = self.around(&mut src, &mut dst);
        let mut tile = self.tile();
        let (mut xs, mut ys) = (X::new(), Y::new());
        let (mut src_blocks, mut dst_blocks) = (Y::new(), Y::new());
        let (taken, repeated);
        if self.fill.is_none()
            && let Some(z) = woven(plan, &tile, &mut around, &mut xs, &mut ys)
        {
            let valid_z = self.valid_z.map_or(z.len, |valid| valid as usize);
            taken = xs.finish(0).zip(ys.finish(0)).map(|(src, dst)| Blocks { src, dst, valid_z });
            (tile.z, tile.tables.blocks) = (z, taken.as_ref());
        } else if let Some(valid) = self.valid_z {
            // Only those kernels write data and padding along z.
            let z = plan.nodes.len() - TILE_LOOPS;
            let mut part = Boxes { valid_z: None, ..*self };
            part.count[z] = valid;
            // SAFETY: the caller's promise; these are the box.
            unsafe { part.walk_some(z) };
            (part.start[z], part.count[z]) = (self.start[z] + valid, self.count[z] - valid);
            part.padding = true;
            // SAFETY: as above.
            return unsafe { part.walk_some(z) };
        } else if self.fill.is_none() && plan.class == Class::Transpose && plan.moves_bytes() {
            // Tables are for what is moved.
            if let Some(together) = lines(plan, &mut tile, &mut around, &mut xs, &mut ys) {
                tile.tables.together = together;
            } else {
                lengthen(plan, &mut tile, &mut around, &mut xs, &mut ys);
            }
            (tile.tables.src_x, tile.tables.dst_y) = (xs.finish(Tables::SLACK), ys.finish(0));
        }
        if plan.class == Class::Rows && tile.y.len == 1 && tile.valid_y == 1 {
            tile.y = around.take_last().unwrap_or(ONCE);
            tile.valid_y = tile.y.len;
        }
        if tile.z.len == 1 {
            tile.z = around.take_last().unwrap_or(ONCE);
        }
        if tile.tables.together > 0 {
            repeat(&mut around, &mut src_blocks, &mut dst_blocks);
            let valid_z = tile.z.len;
            repeated =
                src_blocks.finish(0).zip(dst_blocks.finish(0)).map(|(src, dst)| Blocks { src, dst, valid_z });
            tile.tables.blocks = repeated.as_ref();
        }
        let placed =
            self.scaling.and_then(|scaling| scaling.place(&self.start, around.tile_nodes(plan, tile.z.len)));
        tile.epilogue = placed.as_ref().map(|placed| &placed.epilogue);
        // Lines that were just read are in the caches.
        tile.stream &= placed.as_ref().is_none_or(|placed| placed.epilogue.beta == 0.0);
        let mut value = [0; MAX_LOOPS];
        loop {
            if let Some(placed) = &placed {
                placed.locate(around.nodes().zip(value));
            }
            if let Some(value) = self.fill {
                let bytes = plan.dst_element.into();
                // SAFETY: the box holds positions that the destination owns, so that the invariant 2 of the plan places every
                // element of the tile in the memory that the caller vouches for.
                unsafe { fill_padding(value, bytes, self.dst.wrapping_offset(dst), &tile) };
            } else {
                // SAFETY: 1. and 2. the box holds positions that the destination owns, and those outside `valid` and the boxes
                // that are padding are not read; so the invariants 1 and 2 of the plan place every element of the tile
                // in the memory that the caller vouches for. 3. is the caller's promise, 4. holds of a box's counts, and the
                // element sizes are invariant 4 of the plan. 5. The class is looked at before, and the tables hold the
                // distances of the loops that were taken into the tile.
                unsafe { plan.move_tile((self.src, src), (self.dst, dst), &tile) };
            }
            // The next combination of values, the innermost loop first.
            let mut i = around.len;
            loop {
                if i == 0 {
                    return;
                }
                i -= 1;
                let one = &around.loops[i];
                let next = if value[i] + 1 < one.count { value[i] + 1 } else { 0 };
                let (src_by, dst_by) = one.between(plan, value[i], next);
                (src, dst) = (src.wrapping_add(src_by), dst.wrapping_add(dst_by));
                value[i] = next;
                if next != 0 {
                    break;
                }
            }
        }
    }

    /// [`Boxes::walk`] for a box in which loop `z` has any number of values.
    ///
    /// # Safety
    /// As there.
    unsafe fn walk_some(&self, z: usize) {
        if self.count[z] > 0 {
            // SAFETY: the caller's promise.
            unsafe { self.walk() };
        }
    }

    /// The loops that the box runs more than once, except the two innermost; adds to the offsets where the box begins.
    fn around(&self, src: &mut isize, dst: &mut isize) -> Around {
        let nodes = &self.plan.nodes;
        let mut around = Around {
            loops: [Loop { node: 0, start: 0, count: 0, src: 0, dst: 0, strided: true }; MAX_LOOPS],
            len: 0,
            taken: [0; 2],
            taken_len: 0,
        };
        let len = nodes.len();
        for i in 0..len {
            if self.start[i] != 0 || !nodes.is_strided(i) {
                let (src_at, dst_at) = nodes.at(i, self.start[i]);
                *src = src.wrapping_add(src_at);
                *dst = dst.wrapping_add(dst_at);
            }
            if self.count[i] > 1 && i + 2 < len {
                let node = nodes.get(i);
                around.loops[around.len] = Loop {
                    node: i,
                    start: self.start[i],
                    count: self.count[i],
                    src: node.src,
                    dst: node.dst,
                    strided: nodes.fits_tile(i),
                };
                around.len += 1;
            }
        }
        around
    }

    /// The two innermost loops of the box.
    fn tile(&self) -> Tile<'static> {
        let len = self.plan.nodes.len();
        let step = |i: usize| {
            let node = self.plan.nodes.get(i);
            Step { len: self.count[i] as usize, src: node.src, dst: node.dst }
        };
        let (y, x) = (step(len - 2), step(len - 1));
        let valid = |valid: Option<u64>, len: usize| match valid {
            Some(valid) => valid as usize,
            None => len,
        };
        let valid_x = if self.padding { 0 } else { valid(self.valid_x, x.len) };
        Tile {
            valid_x,
            valid_y: valid(self.valid_y, y.len),
            x,
            y,
            z: ONCE,
            stream: self.plan.streams(),
            tables: Tables::NONE,
            epilogue: None,
        }
    }
}
