//! Walks the loops of one box around the tile. Called by `boxes` for each box.
//!
//! Loops that the box runs once vanish here, so that what is left decides which loops the kernel takes: of rows, the two
//! innermost ones; of crossed tiles also those that continue x in the destination or y in the source where these are short,
//! by way of a table of distances.

use super::super::plan::{Class, MAX_LOOPS, Reorder};
use super::boxes::Boxes;
use super::tables::{X, Y};
use crate::kernels::{Place, Step, Tables, Tile, fill_packed_padding, fill_padding};

/// A loop around the tile.
#[derive(Clone, Copy)]
struct Loop {
    /// Index of the plan's loop.
    node: usize,
    /// Its first value and their number in the box.
    start: u64,
    count: u64,
    src: isize,
    dst: isize,
    /// Whether the strides hold for all values.
    strided: bool,
}

/// The loops around the tile, outermost first.
struct Around {
    loops: [Loop; MAX_LOOPS],
    len: usize,
    /// The loops that were taken out last, the outer one first; their number.
    taken: [usize; 2],
    taken_len: usize,
}

impl Around {
    /// Takes out the innermost loop if it has one stride on each side.
    fn take_last(&mut self) -> Option<Step> {
        let last = self.loops[..self.len].last().filter(|last| last.strided)?;
        self.len -= 1;
        (self.taken, self.taken_len) = ([last.node, self.taken[0]], self.taken_len + 1);
        Some(Step { len: last.count as usize, src: last.src, dst: last.dst })
    }

    /// The plan's loops that are left, outermost first.
    fn nodes(&self) -> impl Iterator<Item = usize> + Clone {
        self.loops[..self.len].iter().map(|one| one.node)
    }

    /// The plan's loops that are x, y and z of the tile, where z has `z_len` values; any loop stands for one that runs once.
    fn tile_nodes(&self, plan: &Reorder, z_len: usize) -> [usize; 3] {
        let (x, y) = (plan.nodes.len() - 1, plan.nodes.len() - 2);
        match self.taken_len {
            2 => [x, self.taken[1], self.taken[0]],
            1 if z_len == 1 => [x, self.taken[0], x],
            1 => [x, y, self.taken[0]],
            _ => [x, y, x],
        }
    }

    /// Takes out the loop of at most `most` values that `wanted` accepts.
    fn take(&mut self, most: usize, wanted: impl Fn(&Loop) -> bool) -> Option<Step> {
        let found = self.loops[..self.len]
            .iter()
            .position(|one| one.strided && one.count <= most as u64 && wanted(one))?;
        let one = self.loops[found];
        self.loops.copy_within(found + 1..self.len, found);
        self.len -= 1;
        Some(Step { len: one.count as usize, src: one.src, dst: one.dst })
    }
}

/// Bytes along x and y up to which a crossed tile is made longer.
const ENOUGH: usize = 256;

/// Bytes of a cache line.
const LINE: isize = 64;

const ONCE: Step = Step { len: 1, src: 0, dst: 0 };

impl Boxes<'_> {
    /// Calls the kernel for every tile of the box.
    ///
    /// # Safety
    /// That of [`super::super::Reorder::run_ptr`].
    pub(super) unsafe fn walk(&self) {
        let plan = self.plan;
        if self.fill.is_some() && !self.padding && self.valid_x.is_none() && self.valid_y.is_none() {
            return;
        }
        let (mut src, mut dst) = (plan.src_base, plan.dst_base);
        let mut around = self.around(&mut src, &mut dst);
        let mut tile = self.tile();
        let (mut xs, mut ys) = (X::new(), Y::new());
        if self.fill.is_some() {
            // Tables are for what is moved.
        } else if let Some(z) = woven(plan, &tile, &mut around) {
            tile.z = z;
        } else if plan.class == Class::Transpose && plan.moves_bytes() {
            lengthen(plan, &mut tile, &mut around, &mut xs, &mut ys);
            tile.tables = Tables { src_x: xs.finish(Tables::SLACK), dst_y: ys.finish(0) };
        }
        if plan.class == Class::Rows && tile.y.len == 1 && tile.valid_y == 1 {
            tile.y = around.take_last().unwrap_or(ONCE);
            tile.valid_y = tile.y.len;
        }
        if tile.z.len == 1 {
            tile.z = around.take_last().unwrap_or(ONCE);
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

impl Loop {
    /// How far the value `next` is from `value`, both counted from the first one of the box.
    #[inline]
    fn between(&self, plan: &Reorder, value: u64, next: u64) -> (isize, isize) {
        if self.strided {
            let by = next.wrapping_sub(value) as isize;
            return (self.src.wrapping_mul(by), self.dst.wrapping_mul(by));
        }
        let (from, to) =
            (plan.nodes.at(self.node, self.start + value), plan.nodes.at(self.node, self.start + next));
        (to.0.wrapping_sub(from.0), to.1.wrapping_sub(from.1))
    }
}

/// The loop that makes the tile blocks of 16 groups of 4 bytes on one side, for which there is a kernel; taken out.
fn woven(plan: &Reorder, tile: &Tile, around: &mut Around) -> Option<Step> {
    let (bytes, x, y) = (plan.dst_element as usize, tile.x, tile.y);
    let whole = tile.valid_x == x.len && tile.valid_y == y.len;
    if plan.class != Class::Transpose || !plan.moves_bytes() || bytes > 2 || !whole {
        return None;
    }
    if x.len * bytes == 4 && x.src == (y.len * bytes) as isize && y.len <= 16 {
        return around.take(16, |one| one.dst == 4 && one.count == 16);
    }
    if y.len * bytes == 4 && y.dst == (x.len * bytes) as isize && x.len <= 16 {
        return around.take(16, |one| one.src == 4 && one.count == 16);
    }
    None
}

/// Takes loops into a crossed tile that continue x in the destination, or y in the source, where these are short.
fn lengthen(plan: &Reorder, tile: &mut Tile, around: &mut Around, xs: &mut X, ys: &mut Y) {
    let (bytes, x, y) = (plan.dst_element as usize, tile.x, tile.y);
    let narrow = |len: usize| len <= 4 || len == 8 && bytes == 1;
    // Pixels have kernels of their own.
    if bytes <= 4
        && (narrow(x.len) && y.dst == (x.len * bytes) as isize
            || narrow(y.len) && x.src == (y.len * bytes) as isize)
        || tile.valid_x == 0
    {
        return;
    }
    if tile.valid_x == x.len {
        while tile.x.len * bytes < ENOUGH {
            let (end, y_end) = ((tile.x.len * bytes) as isize, (y.len * bytes) as isize);
            // Half a line and longer rows of the source are better than a line and shorter rows.
            let for_y = |one: &Loop| one.src == y_end && y_end < LINE && end >= LINE / 2;
            let wanted = |one: &Loop| one.dst == end && !for_y(one);
            let Some(step) = around.take(X::ROOM / tile.x.len, wanted) else { break };
            xs.extend(tile.x, step.len, step.src);
            tile.x.len *= step.len;
        }
        tile.valid_x = tile.x.len;
    }
    if tile.valid_y == y.len {
        while tile.y.len * bytes < ENOUGH {
            let end = (tile.y.len * bytes) as isize;
            let Some(step) = around.take(Y::ROOM / tile.y.len, |one| one.src == end) else { break };
            ys.extend(Step { src: tile.y.dst, ..tile.y }, step.len, step.dst);
            tile.y.len *= step.len;
        }
        tile.valid_y = tile.y.len;
    }
}
