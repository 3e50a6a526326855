//! Fewer and longer loops for the same moves. Called by `Reorder::new` between problem and plan.
//!
//! post: the same set of (source, destination) offset pairs, for data and for padding, as before.

use super::problem::{Axis, Node, Problem};

/// Merges neighbouring loops of each axis that continue one another on both sides; then takes the loops of axes without
/// padding and tail out of their axis and merges these across axes too.
pub(super) const fn simplify(problem: &mut Problem) {
    let mut axes_len = 0;
    let mut nodes = super::problem::Nodes::EMPTY;
    let mut free = super::problem::Nodes::EMPTY;
    let mut a = 0;
    while a < problem.axes_len {
        let axis = merge_levels(problem, problem.axes[a]);
        let whole = axis.dim == axis.padded && count(problem, axis) == axis.padded;
        let target = if whole { &mut free } else { &mut nodes };
        let first = target.len();
        let mut i = axis.first;
        while i < axis.first + axis.len {
            // A copy of part of a list of the same size always has room.
            let _ = target.push_from(&problem.nodes, i, 1, 1);
            i += 1;
        }
        if !whole {
            problem.axes[axes_len] = Axis { first, ..axis };
            axes_len += 1;
        }
        a += 1;
    }
    merge_free(&mut free);
    let mut i = 0;
    while i < free.len() {
        let _ = nodes.push_from(&free, i, 1, 1);
        i += 1;
    }
    problem.nodes = nodes;
    problem.axes_len = axes_len;
}

/// Merges loop i + 1 of `axis` into loop i where it continues it; the number of values of the highest loop follows from
/// the extent.
const fn merge_levels(problem: &mut Problem, mut axis: Axis) -> Axis {
    // Indices below the loop at hand.
    let mut weight = 1;
    let mut kept = axis.first;
    let mut i = axis.first + 1;
    while i < axis.first + axis.len {
        let (low, high) = (problem.nodes.get(kept), problem.nodes.get(i));
        let strided = problem.nodes.is_strided(kept) && problem.nodes.is_strided(i);
        if strided && continues(low, high) {
            let last = i + 1 == axis.first + axis.len;
            let n = if last { axis.padded.div_ceil(weight) } else { low.n * high.n };
            problem.nodes.set(kept, Node { n, ..low });
        } else {
            weight *= low.n;
            kept += 1;
            problem.nodes.swap(kept, i);
        }
        i += 1;
    }
    if axis.len > 0 {
        axis.len = kept + 1 - axis.first;
    }
    axis
}

/// How many indices the loops of `axis` count.
const fn count(problem: &Problem, axis: Axis) -> u64 {
    let mut product = 1u64;
    let mut i = axis.first;
    while i < axis.first + axis.len {
        product = product.saturating_mul(problem.nodes.get(i).n);
        i += 1;
    }
    product
}

/// Merges any two loops of which one continues the other, until there are none.
const fn merge_free<const N: usize>(nodes: &mut super::problem::Nodes<N>) {
    let mut low = 0;
    while low < nodes.len() {
        let mut high = 0;
        while high < nodes.len() {
            let strided = nodes.is_strided(low) && nodes.is_strided(high);
            if low != high && strided && continues(nodes.get(low), nodes.get(high)) {
                let node = nodes.get(low);
                nodes.set(low, Node { n: node.n * nodes.get(high).n, ..node });
                nodes.remove(high);
                if high < low {
                    low -= 1;
                }
                // The longer loop may continue in one that was passed.
                high = 0;
            } else {
                high += 1;
            }
        }
        low += 1;
    }
}

/// Whether a step of `high` is what `low` would take after its last value, on both sides.
const fn continues(low: Node, high: Node) -> bool {
    low.src.wrapping_mul(low.n as isize) == high.src && low.dst.wrapping_mul(low.n as isize) == high.dst
}
