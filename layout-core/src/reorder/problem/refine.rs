//! Refines the digits of one axis on both sides to common ones. Called by `problem` for each axis.
//!
//! A *cut* is the divisor of a digit, or the size of groups of indices that share a value of an attribute. Where all cuts of both sides divide one another in ascending order, each interval
//! between two of them is one loop with one stride a side. Cuts that do not (48 and 32) form a *cluster*: below its
//! greatest common divisor (16) and above its least common multiple (96) every stride is single again, and between
//! them lies one loop over lcm / gcd segments (6), whose offsets on a side are a small mixed-radix number.
//!
//! Clusters are contiguous: if a and a' do not divide one another and b is comparable to both, then b divides both or
//! is a multiple of both. Hence each cluster's lcm divides the next one's gcd.

use super::super::attributes::Wanted;
use super::nodes::{Node, Nodes};
use crate::descriptor::Descriptor;
use crate::grammar::MAX_DIGITS;

/// The digits of a descriptor that can have another value than 0.
pub(super) struct Digits {
    axis: [u8; MAX_DIGITS],
    divisor: [u64; MAX_DIGITS],
    stride: [isize; MAX_DIGITS],
    len: usize,
}

impl Digits {
    /// The digits of `descriptor`; positions are below the extents `ends`.
    pub(super) const fn of(descriptor: &Descriptor, ends: &[usize]) -> Digits {
        let mut digits =
            Digits { axis: [0; MAX_DIGITS], divisor: [0; MAX_DIGITS], stride: [0; MAX_DIGITS], len: 0 };
        let mut walk = descriptor.inner_first();
        while let Some(digit) = walk.step() {
            if digit.divisor < ends[digit.axis] {
                digits.axis[digits.len] = digit.axis as u8;
                digits.divisor[digits.len] = digit.divisor as u64;
                digits.stride[digits.len] = digit.stride;
                digits.len += 1;
            }
        }
        digits
    }

    /// The least cut of `axis` above `above`, or `u64::MAX`.
    pub(super) const fn next(&self, axis: usize, above: u64) -> u64 {
        let mut next = u64::MAX;
        let mut i = 0;
        while i < self.len {
            if self.axis[i] as usize == axis && self.divisor[i] > above && self.divisor[i] < next {
                next = self.divisor[i];
            }
            i += 1;
        }
        next
    }

    /// How far index `at` of `axis` is from index 0, where `at` is a multiple of a cut and below the next one.
    pub(super) const fn offset(&self, axis: usize, at: u64) -> isize {
        // Every axis has a digit with divisor 1.
        let (mut divisor, mut stride) = (1, 0);
        let mut i = 0;
        while i < self.len {
            if self.axis[i] as usize == axis && self.divisor[i] <= at && self.divisor[i] >= divisor {
                (divisor, stride) = (self.divisor[i], self.stride[i]);
            }
            i += 1;
        }
        stride.wrapping_mul((at / divisor) as isize)
    }

    /// How far any `position` of `axis` is from position 0.
    pub(super) const fn at(&self, axis: usize, position: u64) -> isize {
        let mut distance = 0isize;
        let mut divisor = 1;
        while divisor <= position {
            let next = self.next(axis, divisor);
            let value = position % next / divisor;
            distance = distance.wrapping_add(self.offset(axis, divisor).wrapping_mul(value as isize));
            divisor = next;
        }
        distance
    }
}

/// Adds the common loops of `axis` to `nodes`, lowest first; indices are below `padded`, which is not 0. Loops are cut where
/// groups that are `wanted` end. `false` where there is no room.
#[must_use]
pub(super) const fn refine<const N: usize>(
    src: &Digits,
    dst: &Digits,
    wanted: &Wanted,
    axis: usize,
    padded: u64,
    nodes: &mut Nodes<N>,
) -> bool {
    let cuts = Cuts { src, dst, wanted, axis };
    // Everything below `low` is done.
    let mut low = 1;
    while low < padded {
        let cluster = cluster(&cuts, low, padded);
        // A single cut has gcd == lcm; no cut at all has `padded` as both.
        if cluster.gcd > low {
            let node =
                Node { n: cluster.gcd.div_ceil(low), src: src.offset(axis, low), dst: dst.offset(axis, low) };
            if !nodes.push(node) {
                return false;
            }
        }
        if cluster.lcm > cluster.gcd {
            let end = if cluster.lcm < padded { cluster.lcm } else { padded };
            if !segments(src, dst, axis, cluster.gcd, end, nodes) {
                return false;
            }
        }
        low = cluster.lcm;
    }
    true
}

/// The loop over the segments of `gcd` indices up to `end`.
const fn segments<const N: usize>(
    src: &Digits,
    dst: &Digits,
    axis: usize,
    gcd: u64,
    end: u64,
    nodes: &mut Nodes<N>,
) -> bool {
    let node = Node { n: end.div_ceil(gcd), src: src.offset(axis, gcd), dst: dst.offset(axis, gcd) };
    if !nodes.push(node) {
        return false;
    }
    push_pieces(src, dst, axis, gcd, end, nodes)
}

/// Adds the digits of both sides from `first` up to `end` to the last loop, as its pieces.
#[must_use]
pub(super) const fn push_pieces<const N: usize>(
    src: &Digits,
    dst: &Digits,
    axis: usize,
    first: u64,
    end: u64,
    nodes: &mut Nodes<N>,
) -> bool {
    // `end` ends the digits of a side; then it has no more.
    let (mut src_at, mut dst_at) = (first, first);
    while src_at < end || dst_at < end {
        let (src_n, src_stride, dst_n, dst_stride);
        (src_n, src_stride, src_at) = piece(src, axis, src_at, end);
        (dst_n, dst_stride, dst_at) = piece(dst, axis, dst_at, end);
        if !nodes.push_piece(src_n, dst_n, src_stride, dst_stride) {
            return false;
        }
    }
    true
}

/// Extent (0 where it takes the rest) and stride of the digit at `at`, and where the next one is.
const fn piece(side: &Digits, axis: usize, at: u64, end: u64) -> (u32, isize, u64) {
    if at >= end {
        return (0, 0, end);
    }
    let next = side.next(axis, at);
    let stride = side.offset(axis, at);
    // The extent of a digit between two cuts of one side is at most a block's, which fits.
    if next >= end { (0, stride, end) } else { ((next / at) as u32, stride, next) }
}

/// The cuts of an axis.
struct Cuts<'a> {
    src: &'a Digits,
    dst: &'a Digits,
    wanted: &'a Wanted,
    axis: usize,
}

impl Cuts<'_> {
    /// The least one above `above`, or `u64::MAX`.
    const fn next(&self, above: u64) -> u64 {
        let digits = min(self.src.next(self.axis, above), self.dst.next(self.axis, above));
        min(digits, self.wanted.next_group(self.axis, above))
    }
}

struct Cluster {
    gcd: u64,
    /// Saturated at `padded`.
    lcm: u64,
}

/// The first cluster of cuts above `low`; `padded` counts as a cut where there is none.
const fn cluster(cuts: &Cuts<'_>, low: u64, padded: u64) -> Cluster {
    let first = cuts.next(low);
    if first >= padded {
        return Cluster { gcd: padded, lcm: padded };
    }
    let (mut gcd, mut lcm) = (first, first);
    // All cuts up to `high` belong to the cluster; a later one belongs to it if some member does not divide it, and then
    // so do all before it.
    let mut high = first;
    let mut at = first;
    loop {
        at = cuts.next(at);
        if at >= padded {
            return Cluster { gcd, lcm };
        }
        if !at.is_multiple_of(lcm) {
            let mut member = high;
            while member < at {
                member = cuts.next(member);
                gcd = gcd_of(gcd, member);
                lcm = match (lcm / gcd_of(lcm, member)).checked_mul(member) {
                    Some(lcm) => min(lcm, padded),
                    None => padded,
                };
            }
            high = at;
        }
    }
}

/// The lesser of the two.
pub(in crate::reorder) const fn min(a: u64, b: u64) -> u64 {
    if a < b { a } else { b }
}

/// The greatest common divisor.
pub(in crate::reorder) const fn gcd_of(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
