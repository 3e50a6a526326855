//! Turns a problem over elements of 4 bits into one over pairs of them, which are bytes: [`halve`]. Called by `Reorder::new`
//! between `simplify` and `arrange`, and by plans for reorders in place.

use crate::descriptor::Descriptor;
use crate::reorder::problem::{Axis, Node, Problem};

/// Counts pairs where both sides have the same type of 4 bits and every pair of them is a byte on both sides; returns whether
/// it did.
pub(in crate::reorder) const fn halve(problem: &mut Problem, src: &Descriptor, dst: &Descriptor) -> bool {
    let same = src.dtype() as u8 == dst.dtype() as u8 && src.dtype().is_packed();
    let bases = src.base() as isize | problem.src_base | dst.base() as isize | problem.dst_base;
    if !same || problem.wanted.any() || bases & 1 != 0 {
        return false;
    }
    let Some(within) = pairs(problem) else { return false };
    let mut i = 0;
    while i < problem.nodes.len() {
        let Node { n, src, dst } = problem.nodes.get(i);
        let halved =
            if i == within { Node { n: n / 2, src, dst } } else { Node { n, src: src / 2, dst: dst / 2 } };
        problem.nodes.set(i, halved);
        i += 1;
    }
    let mut a = 0;
    while a < problem.axes_len {
        let axis = problem.axes[a];
        if axis.first == within {
            problem.axes[a] = Axis {
                start: axis.start / 2,
                data: axis.data / 2,
                dim: axis.dim / 2,
                padded: axis.padded / 2,
                ..axis
            };
        }
        a += 1;
    }
    // A loop that is left with one value is none, unless an axis counts with it.
    if problem.nodes.get(within).n == 1 {
        problem.nodes.remove(within);
    }
    true
}

/// The loop over elements that follow one another on both sides, if there is one whose values are pairs, and all others step
/// over whole bytes.
const fn pairs(problem: &Problem) -> Option<usize> {
    let mut within = None;
    let mut i = 0;
    while i < problem.nodes.len() {
        let node = problem.nodes.get(i);
        if !problem.nodes.is_strided(i) {
            return None;
        }
        if node.src == 1 && node.dst == 1 && node.n.is_multiple_of(2) {
            if within.is_some() {
                return None;
            }
            within = Some(i);
        } else if (node.src | node.dst) & 1 != 0 {
            return None;
        }
        i += 1;
    }
    let Some(within) = within else { return None };
    let mut a = 0;
    while a < problem.axes_len {
        let Axis { first, len, start, data, dim, padded } = problem.axes[a];
        let of_axis = first <= within && within < first + len;
        // A higher loop of an axis steps over all lower ones; only the lowest counts single elements.
        if of_axis
            && (first != within || (start | data | dim | padded) & 1 != 0 || problem.nodes.get(within).n == 2)
        {
            return None;
        }
        a += 1;
    }
    Some(within)
}
