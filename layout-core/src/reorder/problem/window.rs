//! Where the positions of an axis lie on both sides: [`place`], called by `problem` for each axis. A plain tensor counts
//! both from its first block; a part that starts inside a block, and extra padding in front, move the two apart.
//!
//! The loops of an axis count a place `t`: the destination's position is `t + to`, the source's `t + from`, and
//! `from - to` is the difference of the origins. Where both can be whole numbers of blocks, the loops are those of plain
//! tensors, from some `t` on, and the blocks skipped go into the bases. Where they cannot, blocks of the two sides never
//! begin together: then one loop over a period of both counts single places, and whoever runs it cuts it wherever a
//! block of either side begins (a *skewed* loop of [`Nodes`]).

use super::super::attributes::Wanted;
use super::Axis;
use super::nodes::{Node, Nodes};
use super::refine::{Digits, push_pieces, refine};
use crate::descriptor::Descriptor;

/// One side of a reorder.
pub(super) struct Side<'a> {
    pub(super) descriptor: &'a Descriptor,
    pub(super) digits: &'a Digits,
}

impl Side<'_> {
    const fn origin(&self, axis: usize) -> i128 {
        self.descriptor.origin().as_slice()[axis] as i128
    }

    /// Positions in a block of all levels.
    const fn block(&self, axis: usize) -> i128 {
        self.descriptor.spec().block_of(axis) as i128
    }

    /// The distance of `blocks` such blocks.
    const fn skip(&self, axis: usize, blocks: i128) -> isize {
        let block = self.block(axis);
        self.digits.offset(axis, block as u64).wrapping_mul(blocks as isize)
    }

    /// Whether the positions `first..end` are one loop with a single stride.
    const fn is_run(&self, axis: usize, first: i128, end: i128) -> bool {
        let block = self.digits.next(axis, 1) as i128;
        first / block == (end - 1) / block
    }
}

/// An axis with its loops, and the distance of its place 0 from where each side's base is, in elements.
pub(super) struct Placed {
    pub(super) axis: Axis,
    pub(super) src_base: isize,
    pub(super) dst_base: isize,
}

/// Whether index 0 is position 0 on both sides.
pub(super) const fn is_plain(src: &Descriptor, dst: &Descriptor, axis: usize) -> bool {
    src.origin().as_slice()[axis] == 0 && dst.origin().as_slice()[axis] == 0
}

/// Adds the loops of `axis` to `nodes`; `None` where there is no room. The tensors have elements.
#[must_use]
pub(super) const fn place<const N: usize>(
    src: &Side<'_>,
    dst: &Side<'_>,
    axis: usize,
    wanted: &Wanted,
    nodes: &mut Nodes<N>,
) -> Option<Placed> {
    let owned = dst.descriptor.owned(axis);
    // Sizes and blocks are below 2^63: sums, and products of two, fit.
    let window = Window {
        low: owned.start as i128,
        high: owned.end as i128,
        data: dst.origin(axis),
        dim: dst.descriptor.dims()[axis] as i128,
    };
    let difference = src.origin(axis) - window.data;
    let first = nodes.len();
    let room;
    let (to, src_base, dst_base);
    let src_end = src.origin(axis) + window.dim;
    if is_plain(src.descriptor, dst.descriptor, axis) {
        (to, src_base, dst_base) = (0, 0, 0);
        room = refine(src.digits, dst.digits, wanted, axis, window.high as u64, nodes);
    } else if wanted.next_group(axis, 1) == u64::MAX
        && dst.is_run(axis, window.low, window.high)
        && src.is_run(axis, src.origin(axis), src_end)
    {
        to = window.low;
        let (src_stride, dst_stride) = (src.digits.offset(axis, 1), dst.digits.offset(axis, 1));
        let before = src_stride.wrapping_mul((window.data - window.low) as isize);
        src_base = src.digits.at(axis, src.origin(axis) as u64).wrapping_sub(before);
        dst_base = dst.digits.at(axis, window.low as u64);
        let n = (window.high - window.low) as u64;
        room = n == 1 || nodes.push(Node { n, src: src_stride, dst: dst_stride });
    } else if let Some(aligned) = aligned(src.block(axis), dst.block(axis), difference, &window)
        && begins_group(wanted, axis, window.data - aligned)
    {
        to = aligned;
        src_base = src.skip(axis, (to + difference) / src.block(axis));
        dst_base = dst.skip(axis, to / dst.block(axis));
        room = refine(src.digits, dst.digits, wanted, axis, (window.high - to) as u64, nodes);
    } else {
        to = window.low - window.low % dst.block(axis);
        let from = to + difference;
        src_base = src.skip(axis, from.div_euclid(src.block(axis)));
        dst_base = dst.skip(axis, to / dst.block(axis));
        let skew = from.rem_euclid(src.block(axis));
        let places = [(window.data - to) as u64, (window.high - to) as u64];
        room = skewed(src, dst, (axis, wanted), skew as u64, places, nodes);
    }
    if !room {
        return None;
    }
    let axis = Axis {
        first,
        len: nodes.len() - first,
        start: (window.low - to) as u64,
        data: (window.data - to) as u64,
        dim: (window.data + window.dim - to) as u64,
        padded: (window.high - to) as u64,
    };
    Some(Placed { axis, src_base, dst_base })
}

/// Positions of the destination: it owns `low..high`, and its `dim` elements begin at `data`.
struct Window {
    low: i128,
    high: i128,
    data: i128,
    dim: i128,
}

/// The largest multiple of `dst_block` up to `low` whose sum with `difference` is a multiple of `src_block`, if there is
/// one from which the window can be counted.
const fn aligned(src_block: i128, dst_block: i128, difference: i128, window: &Window) -> Option<i128> {
    // `gcd == dst_block * inverse` modulo `src_block`.
    let (mut gcd, mut rest) = (dst_block, src_block);
    let (mut inverse, mut next) = (1i128, 0i128);
    while rest != 0 {
        let quotient = gcd / rest;
        (gcd, rest) = (rest, gcd % rest);
        (inverse, next) = (next, inverse - quotient * next);
    }
    if difference % gcd != 0 {
        return None;
    }
    let turns = src_block / gcd;
    let period = dst_block * turns;
    let blocks = ((-difference / gcd).rem_euclid(turns) * inverse.rem_euclid(turns)) % turns;
    let first = dst_block * blocks;
    let to = first + (window.low - first).div_euclid(period) * period;
    if window.high - to <= isize::MAX as i128 { Some(to) } else { None }
}

/// Whether a group of each size that is `wanted` along `axis` begins at place 0, where the data begins at `data`.
const fn begins_group(wanted: &Wanted, axis: usize, data: i128) -> bool {
    let mut group = wanted.next_group(axis, 1);
    while group != u64::MAX {
        if data % group as i128 != 0 {
            return false;
        }
        group = wanted.next_group(axis, group);
    }
    true
}

/// The loops over `0..end` where the destination's blocks begin at 0 and the source's `skew` places before, and groups
/// begin with the data.
#[must_use]
const fn skewed<const N: usize>(
    src: &Side<'_>,
    dst: &Side<'_>,
    (axis, wanted): (usize, &Wanted),
    skew: u64,
    [data, end]: [u64; 2],
    nodes: &mut Nodes<N>,
) -> bool {
    let (src_block, dst_block) = (src.block(axis) as u64, dst.block(axis) as u64);
    let mut period = period(src_block, dst_block, end);
    // The loop is cut wherever any group may end, and counts whole groups of all sizes where another goes on after it.
    let mut cut = 0;
    let mut group = wanted.next_group(axis, 1);
    while group != u64::MAX {
        cut = super::refine::gcd_of(cut, group);
        period = self::period(period, group, end);
        group = wanted.next_group(axis, group);
    }
    let groups = if cut > 0 { [cut, data % cut] } else { [0, 0] };
    let node = Node { n: period, src: src.digits.offset(axis, 1), dst: dst.digits.offset(axis, 1) };
    if !nodes.push_skewed(node, skew, groups)
        || !push_pieces(src.digits, dst.digits, axis, 1, u64::MAX, nodes)
    {
        return false;
    }
    period == end
        || nodes.push(Node {
            n: end.div_ceil(period),
            src: src.digits.offset(axis, period),
            dst: dst.digits.offset(axis, period),
        })
}

/// The least common multiple, or `end` where it is not below that.
const fn period(a: u64, b: u64, end: u64) -> u64 {
    match (a / super::refine::gcd_of(a, b)).checked_mul(b) {
        Some(period) if period < end => period,
        _ => end,
    }
}
