//! How many cache lines a case touches at least: what bounds it where only some elements of each line are moved. Exact, from
//! the offset of every element.

use crate::problem::Problem;
use layout_core::descriptor::Descriptor;

/// Bytes of a cache line.
const LINE: usize = 64;

/// Bytes of the lines that hold a logical element of the source or an element of the destination, its padding included. Both
/// begin with a line.
pub(crate) fn bytes(problem: &Problem) -> usize {
    let src = side(&problem.src, problem.src.logical_len(), |axis| &problem.axes[axis].src);
    let dst = side(&problem.dst, problem.dst.padded_len(), |axis| &problem.axes[axis].dst);
    (src + dst) * LINE
}

/// Lines that hold any of `len` elements, whose offsets along an axis are `along(axis)`.
fn side<'a>(descriptor: &Descriptor, len: usize, along: impl Fn(usize) -> &'a [usize]) -> usize {
    let all = descriptor.size_bytes().div_ceil(LINE);
    let bits = descriptor.dtype().bits();
    if (len * bits).div_ceil(8) == descriptor.size_bytes() || all == 0 {
        return all;
    }
    let mut touched = vec![false; all];
    let mut offsets: Vec<&[usize]> = (0..descriptor.rank()).map(along).collect();
    // The longest loop inside.
    offsets.sort_by_key(|offsets| offsets.len());
    mark(&offsets, descriptor.base(), bits, &mut touched);
    touched.iter().filter(|&&touched| touched).count()
}

/// Marks the lines of all sums of `start` and one offset of each axis.
fn mark(axes: &[&[usize]], start: usize, bits: usize, touched: &mut [bool]) {
    match axes {
        [] => touched[start * bits / 8 / LINE] = true,
        [inner] => inner.iter().for_each(|offset| touched[(start + offset) * bits / 8 / LINE] = true),
        [outer, rest @ ..] => outer.iter().for_each(|offset| mark(rest, start + offset, bits, touched)),
    }
}
