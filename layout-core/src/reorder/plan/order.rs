//! Which loops are the tile, and in which order the others lie around it. Called by `arrange`.
//!
//! The tile is two loops: x, along which the destination is contiguous, and y, along which the source is. The other loops
//! lie around it with the destination's strides falling from the outermost in, so that its lines are written in turn; around
//! long runs, those of both sides.

use super::{Class, Reorder, TILE_LOOPS};
use crate::reorder::problem::{MAX_NODES, Node, Nodes};

/// Bytes that are read, with which most of a first-level cache is full, and rows of a tile and its repetitions that take no longer to
/// move than it takes to call the kernel.
const FIRST_LEVEL: usize = 64 * 1024;
const FEW_ROWS: u64 = 32;
const FEW_ELEMENTS: u64 = 256;

impl Reorder {
    /// How much further out the longer loop is that short rows, which are converted, are better repeated along: where data is near and
    /// tiles are small, calls of the kernel take the time (Emerald Rapids: 1.9 times as fast in the mean of 214 out of 20,000 random
    /// reorders of 8 to 400 KB, up to 16). 0 for the innermost loop.
    pub(super) const fn longer_loop(&self) -> usize {
        let last = self.nodes.len() - 1;
        let [x, y, z] = [self.nodes.get(last), self.nodes.get(last - 1), self.nodes.get(last - 2)];
        let (rows, read) = (y.n.saturating_mul(z.n), self.bytes_read());
        let small = rows <= FEW_ROWS && read <= FIRST_LEVEL
            || rows.saturating_mul(x.n) <= FEW_ELEMENTS && read <= FIRST_LEVEL / 2;
        let short = x.n.saturating_mul(self.dst_element as u64) > 4 && small;
        if !short || !matches!(self.class, Class::Rows) || !self.converts() || !self.packing.is_none() {
            return 0;
        }
        let (mut best, mut n, mut by) = (0, z.n, 1);
        while by <= 2 && last >= TILE_LOOPS - 1 + by {
            let around = last + 1 - TILE_LOOPS - by;
            if self.nodes.fits_tile(around) && self.nodes.get(around).n / 2 >= n {
                (best, n) = (by, self.nodes.get(around).n);
            }
            by += 1;
        }
        best
    }
}

/// The loops x and y, where there are as many. `element` is what the kernel moves at a time, in elements.
pub(super) const fn tile(
    nodes: &Nodes<MAX_NODES>,
    promoted: Option<usize>,
    element: usize,
) -> (Option<usize>, Option<usize>) {
    let element = element as isize;
    let x = least(nodes, [promoted, None, None], By::Dst);
    let Some(x_at) = x else { return (None, None) };
    // Where x is contiguous on both sides, the next loop of the destination; else that along which the source is.
    let rows = nodes.get(x_at).src == element && nodes.get(x_at).dst == element;
    let y = least(nodes, [promoted, x, None], if rows { By::Dst } else { By::Src });
    (x, y)
}

/// The loop with single strides that `by` puts innermost, except those in `taken`.
const fn least(nodes: &Nodes<MAX_NODES>, taken: [Option<usize>; 3], by: By) -> Option<usize> {
    let mut best: Option<usize> = None;
    let mut i = 0;
    while i < nodes.len() {
        if nodes.fits_tile(i) && !is_in(i, &taken) {
            best = match best {
                Some(other) if rank(nodes.get(other), by) <= rank(nodes.get(i), by) => best,
                _ => Some(i),
            };
        }
        i += 1;
    }
    best
}

const fn is_in(i: usize, taken: &[Option<usize>]) -> bool {
    let mut k = 0;
    while k < taken.len() {
        if let Some(t) = taken[k]
            && t == i
        {
            return true;
        }
        k += 1;
    }
    false
}

/// Whose strides decide how far inside a loop is.
#[derive(Clone, Copy)]
pub(super) enum By {
    Dst,
    Src,
    Both,
}

/// Grows from the innermost loop out; ties go to the smaller stride of the other side, and to positive ones.
const fn rank(node: Node, by: By) -> u128 {
    let (src, dst) = (node.src.unsigned_abs() as u128, node.dst.unsigned_abs() as u128);
    let (first, second) = match by {
        By::Dst => (dst, src),
        By::Src => (src, dst),
        // As if they were one area: neither side goes far as long as the other does not. Products beyond all memory are one.
        By::Both => {
            let both = src.saturating_mul(dst);
            (if both > u64::MAX as u128 { u64::MAX as u128 } else { both }, dst)
        }
    };
    first << 64 | second << 1 | (node.dst < 0) as u128
}

/// Whether loop `x` is a run on both sides of more than a line: then what comes next to it shares none.
pub(super) const fn is_long_run(nodes: &Nodes<MAX_NODES>, x: Option<usize>, bytes: usize) -> bool {
    let Some(x) = x else { return false };
    let node = nodes.get(x);
    node.src == 1 && node.dst == 1 && node.n.saturating_mul(bytes as u64) > 64
}

/// Writes the loops that are not in `taken` to `order`, outermost first; returns how many.
pub(super) const fn outer_loops(
    nodes: &Nodes<MAX_NODES>,
    taken: [Option<usize>; 3],
    by: By,
    order: &mut [u8; MAX_NODES],
) -> usize {
    let mut len = 0;
    let mut i = 0;
    while i < nodes.len() {
        if !is_in(i, &taken) {
            let mut at = len;
            while at > 0 && rank(nodes.get(order[at - 1] as usize), by) < rank(nodes.get(i), by) {
                order[at] = order[at - 1];
                at -= 1;
            }
            order[at] = i as u8;
            len += 1;
        }
        i += 1;
    }
    len
}

/// Of pieces that share lines, those of `y` in the destination and those of another loop in the source, puts that loop
/// innermost in `order`, which has `len` loops: the kernel then finishes the lines of both sides.
pub(super) const fn share_lines(
    nodes: &Nodes<MAX_NODES>,
    (x, y): (usize, usize),
    bytes: usize,
    order: &mut [u8; MAX_NODES],
    len: usize,
) {
    let (piece, y) = (nodes.get(x), nodes.get(y));
    let run = piece.n as isize;
    let short = piece.src == 1 && piece.dst == 1 && piece.n.saturating_mul(bytes as u64) < 64;
    if !short || y.dst != run {
        return;
    }
    let mut found = 0;
    while found < len {
        let at = order[found] as usize;
        if nodes.fits_tile(at) && nodes.get(at).src == run {
            put_innermost(order, found, len);
            return;
        }
        found += 1;
    }
}

/// Puts loop `order[from]` innermost; the others keep their order.
const fn put_innermost(order: &mut [u8; MAX_NODES], from: usize, len: usize) {
    let moved = order[from];
    let mut i = from;
    while i + 1 < len {
        order[i] = order[i + 1];
        i += 1;
    }
    order[len - 1] = moved;
}

/// Bytes of the source that a second-level cache holds besides the destination.
const HELD: usize = 1024 * 1024;

/// Of crossed tiles that read a part of each line of the source, which no cache holds until its other parts are read, puts the loop
/// over these parts innermost in `order`, which has `len` loops.
pub(super) const fn share_source_lines(
    nodes: &Nodes<MAX_NODES>,
    (x, y): (usize, usize),
    logical: usize,
    bytes: usize,
    order: &mut [u8; MAX_NODES],
    len: usize,
) {
    let (x, y) = (nodes.get(x), nodes.get(y));
    let crossed = x.src != 1 && y.src == 1 && y.n.saturating_mul(bytes as u64) < 64;
    if !crossed || logical.saturating_mul(bytes) <= HELD {
        return;
    }
    let mut found = 0;
    while found < len {
        let at = order[found] as usize;
        if nodes.fits_tile(at) && nodes.get(at).src == y.n as isize {
            put_innermost(order, found, len);
            return;
        }
        found += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::descriptor::{DType, Descriptor};

    fn plan(types: [DType; 2], dims: &[usize], formats: [&str; 2]) -> Reorder {
        let [src, dst] = [0, 1].map(|i| Descriptor::new(types[i], dims, formats[i]).expect("a layout"));
        Reorder::new(&src, &dst).expect("a plan")
    }

    #[test]
    fn short_rows_are_repeated_along_the_longer_loop() {
        const CONVERTED: [DType; 2] = [DType::F32, DType::Bf16];
        let blocks = ["nChw8c", "nChw4c"];
        // How often the innermost loop around the tile runs, and the next one.
        let loops = |plan: &Reorder| {
            let z = plan.nodes.len() - TILE_LOOPS;
            [z, z - 1].map(|i| plan.nodes.get(i).n)
        };
        for (types, dims, longer) in [
            (CONVERTED, [3, 517, 2, 2], true),
            // Far, long tiles, and rows that are moved as they are.
            (CONVERTED, [3, 51_700, 2, 2], false),
            (CONVERTED, [3, 517, 8, 8], false),
            ([DType::F32; 2], [3, 517, 2, 2], false),
        ] {
            let plan = plan(types, &dims, blocks);
            let [inner, next] = loops(&plan);
            assert_eq!(inner >= 2 * next, longer, "{plan}");
            assert_eq!(plan.longer_loop(), 0, "{plan}");
        }
    }
}
