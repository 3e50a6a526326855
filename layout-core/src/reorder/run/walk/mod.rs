//! Walks the loops of one box around the tile. Called by `boxes` for each box.
//!
//! Loops that the box runs once vanish here, so that what is left decides which loops the kernel takes: of rows, the two
//! innermost ones; of crossed tiles also those that continue x in the destination or y in the source where these are short,
//! by way of a table of distances. Boxes of small tiles that are converted go by way of a buffer, in `staged`; `singly` moves one by one.

mod lengthen;
mod lines;
mod padding;
mod parted;
mod singly;
mod staged;
mod take;

use super::super::plan::{Class, MAX_LOOPS, TILE_LOOPS};
use super::boxes::Boxes;
use super::loops::ONCE;
use super::tables::{X, Y};
use crate::kernels::{
    Blocks, Kernel, LINE, Place, Step, Tables, Tile, fill_packed_padding, fill_padding, repeats_tiles,
};
use lengthen::lengthen;
use lines::{are_padded_groups, lines};
use take::{Around, are_pieces, are_quads, are_short_pixels, beside, is_small, is_square, repeat, woven};

/// Elements of 4 bits of a row from which on it is not worth the while to look for the rest of its lines.
const SHARED: usize = 512;

/// Elements of a tile up to which a loop around it that runs so many times is better its innermost one.
const SMALL: usize = 256;
const MANY: u64 = 8;

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
        // SAFETY: the caller's promise.
        if self.padding && unsafe { self.walk_padding(self.fill.unwrap_or(&[0; 16])) } {
            return;
        }
        if let Some(kernel) = self.single() {
            // SAFETY: as above.
            unsafe { self.walk_singly(kernel) };
        } else if self.fill.is_none() && plan.moves_bytes() {
            // SAFETY: the caller's promise.
            if !unsafe { self.walk_parted() } {
                // SAFETY: as above.
                unsafe { self.walk_moved() };
            }
        } else if let Some(valid) = self.valid_z {
            // SAFETY: as above.
            unsafe { self.walk_parts(valid) };
        } else if self.is_staged() {
            // SAFETY: as above.
            unsafe { self.walk_staged() };
        } else {
            // SAFETY: as above.
            unsafe { self.walk_converted() };
        }
    }

    /// [`Boxes::walk`] where elements change on their way, or padding is filled with what is not zero: without tables.
    ///
    /// # Safety
    /// As there.
    #[inline(never)]
    unsafe fn walk_converted(&self) {
        let (mut around, src, dst) = self.around();
        let mut tile = self.tile();
        if self.fill.is_none()
            && self.scaling.is_none()
            && let Some(step) = beside(self.plan, &tile, &mut around)
        {
            // SAFETY: the caller's promise; the loop that was taken is a step.
            return unsafe { self.walk_beside(step, tile, around, (src, dst)) };
        }
        self.take_rows(&mut tile, &mut around);
        // SAFETY: the caller's promise; the loops of the box are in the tile and around it.
        unsafe { self.each(None, tile, around, src, dst) };
    }

    /// Calls the kernel for `tile`, repeated by `step`, at all places of the loops `around` it. Apart from its caller, whose kernels
    /// need the stack for other things than tables.
    ///
    /// # Safety
    /// As [`Boxes::walk`]: together they are the box.
    #[inline(never)]
    unsafe fn walk_beside(
        &self,
        step: Step,
        mut tile: Tile<'_>,
        mut around: Around<'_>,
        (src, dst): (isize, isize),
    ) {
        let (mut src_blocks, mut dst_blocks) = (Y::new(), Y::new());
        src_blocks.extend(ONCE, 1, 0);
        dst_blocks.extend(ONCE, 1, 0);
        src_blocks.extend(ONCE, step.len, step.src);
        dst_blocks.extend(ONCE, step.len, step.dst);
        self.take_rows(&mut tile, &mut around);
        let valid_z = tile.z.len;
        let blocks =
            src_blocks.finish(0).zip(dst_blocks.finish(0)).map(|(src, dst)| Blocks { src, dst, valid_z });
        let tile = Tile { tables: Tables { blocks: blocks.as_ref(), ..Tables::NONE }, ..tile };
        // SAFETY: the caller's promise; the loops of the box are in the tile and around it.
        unsafe { self.each(None, tile, around, src, dst) };
    }

    /// [`Boxes::walk`] where elements are moved as they are. Apart from the other way, whose kernels need the stack for other
    /// things than tables.
    ///
    /// # Safety
    /// As there.
    #[inline(never)]
    unsafe fn walk_moved(&self) {
        let plan = self.plan;
        let (mut around, src, dst) = self.around();
        let mut tile = self.tile();
        let (mut xs, mut ys) = (X::new(), Y::new());
        let (mut src_blocks, mut dst_blocks) = (Y::new(), Y::new());
        let (taken, repeated);
        let mut many = false;
        if let Some(z) = woven(plan, &tile, &mut around, &mut xs, &mut ys) {
            let valid_z = self.valid_z.map_or(z.len, |valid| valid as usize);
            taken = xs.finish(0).zip(ys.finish(0)).map(|(src, dst)| Blocks { src, dst, valid_z });
            (tile.z, tile.tables.blocks) = (z, taken.as_ref());
        } else if let Some(valid) = self.valid_z {
            // SAFETY: the caller's promise.
            return unsafe { self.walk_parts(valid) };
        } else if are_quads(plan, &tile) || are_padded_groups(plan, &tile) {
            many = true;
        } else if plan.class == Class::Transpose {
            if let Some(together) = lines(plan, &mut tile, &mut around, &mut xs, &mut ys) {
                tile.tables.together = together;
            } else if is_small(plan, &tile, &around) {
                many = true;
            } else {
                lengthen(plan, &mut tile, &mut around, &mut xs, &mut ys);
            }
            (tile.tables.src_x, tile.tables.dst_y) = (xs.finish(Tables::SLACK), ys.finish(0));
        }
        self.take_rows(&mut tile, &mut around);
        let small =
            is_square(plan, &tile) || are_pieces(plan, &tile) || are_short_pixels(plan, &tile) || many;
        if tile.tables.together > 0 || small {
            repeat(&mut around, &mut src_blocks, &mut dst_blocks);
            let valid_z = tile.z.len;
            repeated =
                src_blocks.finish(0).zip(dst_blocks.finish(0)).map(|(src, dst)| Blocks { src, dst, valid_z });
            tile.tables.blocks = repeated.as_ref();
        }
        // SAFETY: the caller's promise; the loops of the box are in the tile and around it.
        unsafe { self.each(None, tile, around, src, dst) };
    }

    /// `tile` with its rows as one, where these follow one another on both sides: those of a block that both have, of which the last
    /// ones may be padding.
    fn flat<'t>(&self, tile: &Tile<'t>) -> Option<Tile<'t>> {
        let plan = self.plan;
        if plan.class != Class::Rows || tile.z.len > 1 || self.scaling.is_some() || !plan.packing.is_none() {
            return None;
        }
        tile.flattened(plan.src_element.into(), plan.dst_element.into())
    }

    /// Takes loops into `tile` that have room there: as y where it has a single row, and as z.
    fn take_rows(&self, tile: &mut Tile<'_>, around: &mut Around<'_>) {
        let plan = self.plan;
        if let Some(flat) = self.flat(tile) {
            *tile = flat;
        }
        if plan.class == Class::Rows && tile.y.len == 1 && tile.valid_y == 1 {
            tile.y = around.take_last().unwrap_or(ONCE);
            tile.valid_y = tile.y.len;
        }
        if tile.z.len == 1 {
            if plan.class == Class::Rows && plan.packing.src.is_some() && tile.x.len < SHARED {
                // Rows of elements of 4 bits that are parts of lines: those that hold the rest come next.
                around.bring_last(|one| one.src == tile.x.len as isize);
            }
            let small = plan.class == Class::Transpose && tile.x.len * tile.y.len <= SMALL;
            if small && !plan.moves_bytes() && repeats_tiles(plan.token()) {
                // A few small tiles would be converted in a call each time.
                around.bring_longer(MANY);
            }
            if plan.inner == 0 && plan.packing.is_none() && repeats_tiles(plan.token()) {
                // Up to which a call takes longer than what it moves, measured on Zen 3.
                let few = match (plan.class, plan.moves_bytes()) {
                    (_, true) => 16,
                    (Class::Rows, false) => 32,
                    _ => 64,
                };
                around.bring_longest(tile.y.len, few);
            }
            // Whole lines that go past the caches need no neighbours; those of the source, and their pages, are read in turn.
            let in_turn = tile.stream
                && plan.class == Class::Transpose
                && (tile.x.len * plan.dst_element as usize).is_multiple_of(LINE)
                && self.scaling.is_none();
            let z =
                if in_turn { around.take_least(|one| one.src.unsigned_abs()) } else { around.take_last() };
            tile.z = z.unwrap_or(ONCE);
        }
    }

    /// Calls the kernel, or `kernel` in its place, for `tile` at all places of the loops `around` it, of which the first is at `src`
    /// and `dst`.
    ///
    /// # Safety
    /// As [`Boxes::walk`]: together they are the box; `kernel` moves what the plan's does.
    #[inline(never)]
    unsafe fn each(
        &self,
        kernel: Option<Kernel>,
        tile: Tile<'_>,
        mut around: Around<'_>,
        mut src: isize,
        mut dst: isize,
    ) {
        let plan = self.plan;
        let segments =
            if self.fill.is_none() && kernel.is_none() { around.take_segments(&tile) } else { None };
        let placed =
            self.scaling.and_then(|scaling| scaling.place(&self.start, around.tile_nodes(plan, tile.z.len)));
        let epilogue = placed.as_ref().map(|placed| &placed.epilogue);
        // Lines that were just read are in the caches.
        let stream = tile.stream && epilogue.is_none_or(|epilogue| epilogue.beta == 0.0);
        let tile = Tile { epilogue, stream, ..tile };
        let mut value = [0; MAX_LOOPS];
        loop {
            if let Some(placed) = &placed {
                placed.locate(around.nodes().zip(value));
            }
            if let Some(value) = self.fill
                && plan.packing.dst.is_some()
            {
                let place = Place { memory: self.dst, at: dst };
                // SAFETY: as below.
                unsafe { fill_packed_padding(value[0], place, &tile) };
            } else if let Some(value) = self.fill {
                let bytes = plan.dst_element.into();
                // SAFETY: the box holds positions that the destination owns, so that the invariant 2 of the plan places every
                // element of the tile in the memory that the caller vouches for.
                unsafe { fill_padding(value, bytes, self.dst.wrapping_offset(dst), &tile) };
            } else if let Some(kernel) = kernel {
                // SAFETY: as below.
                unsafe { kernel(self.src.wrapping_offset(src), self.dst.wrapping_offset(dst), &tile) };
            } else if let Some(node) = segments {
                // SAFETY: the caller's promise; the loop over segments was taken out.
                unsafe { self.move_segments(node, src, dst, &tile) };
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
                let one = around.get(i);
                let next = if value[i] + 1 < one.count { value[i] + 1 } else { 0 };
                let (src_by, dst_by) = one.between(plan, around.nodes[i] as usize, value[i], next);
                (src, dst) = (src.wrapping_add(src_by), dst.wrapping_add(dst_by));
                value[i] = next;
                if next != 0 {
                    break;
                }
            }
        }
    }

    /// [`Boxes::walk`] for the first `valid` values of z, and for those that are padding: only kernels that weave write both.
    ///
    /// # Safety
    /// As there.
    unsafe fn walk_parts(&self, valid: u64) {
        let z = self.plan.nodes.len() - TILE_LOOPS;
        let mut part = Boxes { valid_z: None, ..*self };
        part.count[z] = valid;
        // SAFETY: the caller's promise; these are the box.
        unsafe { part.walk_some(z) };
        (part.start[z], part.count[z]) = (self.start[z] + valid, self.count[z] - valid);
        part.padding = true;
        // SAFETY: as above.
        unsafe { part.walk_some(z) };
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

    /// Moves `tile` for all values of loop `node`, which is one over segments: those that follow one another on both sides at a
    /// time. `src` and `dst` are where the tile lies for the first of them.
    ///
    /// # Safety
    /// That of [`super::super::Reorder::run_ptr`]; [`Around::take_segments`] took the loop out.
    unsafe fn move_segments(&self, node: usize, src: isize, dst: isize, tile: &Tile<'_>) {
        let plan = self.plan;
        let rows = plan.class == Class::Rows;
        let element = plan.dst_element as isize;
        let length = if rows { tile.x.len as isize * element } else { element };
        let (first, end) = (self.start[node], self.start[node] + self.count[node]);
        let begin = plan.nodes.at(node, first);
        let (mut value, mut at) = (first, begin);
        while value < end {
            let (mut next, mut count) = (at, 0);
            while value < end {
                let last = next;
                (value, count) = (value + 1, count + 1);
                next = plan.nodes.at(node, value);
                if next.0.wrapping_sub(last.0) != length || next.1.wrapping_sub(last.1) != length {
                    break;
                }
            }
            let run = if rows {
                let len = tile.x.len * count;
                Tile { x: Step { len, ..tile.x }, valid_x: len, ..*tile }
            } else {
                let x = Step { len: count, src: element, dst: element };
                Tile { x, valid_x: count, y: tile.x, valid_y: tile.x.len, z: tile.y, ..*tile }
            };
            let src = src.wrapping_add(at.0.wrapping_sub(begin.0));
            let dst = dst.wrapping_add(at.1.wrapping_sub(begin.1));
            // SAFETY: as in `walk`: the elements of the run are those of its segments, which are the box's, and follow one another.
            unsafe { plan.move_tile((self.src, src), (self.dst, dst), &run) };
            at = next;
        }
    }

    /// The loops that the box runs more than once, except the two innermost; and where the box begins on both sides.
    #[inline(always)]
    fn around(&self) -> (Around<'_>, isize, isize) {
        let nodes = &self.plan.nodes;
        let (mut src, mut dst) = (self.plan.src_base, self.plan.dst_base);
        let mut around = Around::new(self);
        let len = nodes.len();
        for i in 0..len {
            if self.start[i] != 0 || !nodes.is_strided(i) {
                let (src_at, dst_at) = nodes.at(i, self.start[i]);
                (src, dst) = (src.wrapping_add(src_at), dst.wrapping_add(dst_at));
            }
            if self.count[i] > 1 && i + 2 < len {
                around.nodes[around.len] = i as u8;
                around.len += 1;
            }
        }
        (around, src, dst)
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
            claims: self.plan.claims(),
            tables: Tables::NONE,
            epilogue: None,
            token: self.plan.token(),
        }
    }
}
