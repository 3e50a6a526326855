//! Fewer and longer loops for the same moves. Called by `Reorder::new` between problem and plan.
//!
//! post: the same set of (source, destination) offset pairs, for data and for padding, as before.

use super::problem::{Axis, Node, Nodes, Problem};

/// Merges neighbouring loops of each axis that continue one another on both sides; then takes the loops of axes without
/// padding, tail and values of their own out of their axis and merges these across axes too.
pub(super) const fn simplify(problem: &mut Problem) {
    let mut axes_len = 0;
    let (mut nodes, mut free) = (Nodes::EMPTY, Nodes::EMPTY);
    let mut a = 0;
    while a < problem.axes_len {
        let axis = merge_levels(problem, a);
        let skewed = axis.len > 0 && problem.nodes.is_skewed(axis.first);
        let data_alone = axis.starts_with_data() && axis.dim == axis.padded;
        let followed = problem.wanted.follow(a) && axis.len > 0;
        let whole = data_alone && !skewed && count(problem, axis) == axis.padded && !followed;
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
            problem.positions[axes_len] = problem.positions[a];
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

/// Merges loop i + 1 of axis `a` into loop i where it continues it, unless a group of indices ends between them; the number of
/// values of the highest loop follows from the extent.
const fn merge_levels(problem: &mut Problem, a: usize) -> Axis {
    let mut axis = problem.axes[a];
    // Indices below the loop at hand.
    let mut weight = 1u64;
    let mut kept = axis.first;
    let mut i = axis.first + 1;
    while i < axis.first + axis.len {
        let (low, high) = (problem.nodes.get(kept), problem.nodes.get(i));
        let strided = problem.nodes.is_strided(kept) && problem.nodes.is_strided(i);
        let border = weight * low.n;
        let is_group = problem.wanted.next_group(a, border - 1) == border;
        if strided && continues(low, high) && !is_group {
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
const fn merge_free<const N: usize>(nodes: &mut Nodes<N>) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::descriptor::{DType, Descriptor};
    use alloc::vec;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    /// (source offset, destination offset, whether it is padding) of every index, sorted.
    fn moves(problem: &Problem) -> Vec<(isize, isize, bool)> {
        let nodes = &problem.nodes;
        let mut in_axes = 0;
        let mut moves = vec![(0, 0, false)];
        for axis in &problem.axes[..problem.axes_len] {
            in_axes += axis.len;
            moves = cross(&moves, axis.padded, |mut index| {
                let padding = index >= axis.dim;
                let (mut src, mut dst) = (0, 0);
                for i in axis.first..axis.first + axis.len {
                    let top = i + 1 == axis.first + axis.len;
                    let digit = if top { index } else { index % nodes.get(i).n };
                    assert!(digit < nodes.get(i).n, "a loop ends before the axis");
                    let (src_at, dst_at) = nodes.at(i, digit);
                    (src, dst, index) = (src + src_at, dst + dst_at, index / nodes.get(i).n);
                }
                (src, dst, padding)
            });
        }
        for i in in_axes..nodes.len() {
            moves = cross(&moves, nodes.get(i).n, |value| {
                let (src, dst) = nodes.at(i, value);
                (src, dst, false)
            });
        }
        moves.sort_unstable();
        moves
    }

    fn cross(
        moves: &[(isize, isize, bool)],
        n: u64,
        at: impl Fn(u64) -> (isize, isize, bool),
    ) -> Vec<(isize, isize, bool)> {
        let all = |&(src, dst, padding): &(isize, isize, bool)| {
            let at = &at;
            (0..n).map(move |value| {
                let (src_at, dst_at, outside) = at(value);
                (src + src_at, dst + dst_at, padding || outside)
            })
        };
        moves.iter().flat_map(all).collect()
    }

    const FORMATS: &[&str] = &[
        "abc",
        "cba",
        "bac",
        "aBc4b",
        "ABc3a6b",
        "aBC4b2c2b",
        "abC5c",
        "acB6b",
        "AbC2a2c",
        "bAc12a",
        "aBc8b",
        "caB16b",
    ];

    proptest! {
        /// post: the same set of offset pairs, and no two loops left that continue one another.
        #[test]
        fn same_moves(
            from in prop::sample::select(FORMATS),
            to in prop::sample::select(FORMATS),
            dims in prop::array::uniform3(1usize..14),
        ) {
            let src = Descriptor::new(DType::F32, &dims, from).unwrap();
            let dst = Descriptor::new(DType::F32, &dims, to).unwrap();
            let mut problem = Problem::new(&src, &dst).unwrap();
            let before = moves(&problem);
            let loops = problem.nodes.len();
            simplify(&mut problem);
            prop_assert_eq!(moves(&problem), before);
            prop_assert!(problem.nodes.len() <= loops);
            prop_assert!((0..problem.nodes.len()).all(|i| problem.nodes.get(i).n > 1));
        }
    }

    /// (number of values, source stride, destination stride) of the loops left.
    fn left(dims: &[usize], from: &str, to: &str) -> Vec<(u64, isize, isize)> {
        let src = Descriptor::new(DType::F32, dims, from).unwrap();
        let dst = Descriptor::new(DType::F32, dims, to).unwrap();
        let mut problem = Problem::new(&src, &dst).unwrap();
        simplify(&mut problem);
        let nodes = &problem.nodes;
        (0..nodes.len()).map(|i| (nodes.get(i).n, nodes.get(i).src, nodes.get(i).dst)).collect()
    }

    #[test]
    fn loops_that_continue_one_another_are_one() {
        assert_eq!(left(&[2, 3, 4, 5], "nchw", "nchw"), [(120, 1, 1)]);
        assert_eq!(left(&[2, 32, 4, 5], "nChw16c", "nChw16c"), [(1280, 1, 1)]);
        assert_eq!(left(&[1, 32, 4, 5], "nchw", "nhwc"), [(32, 20, 1), (20, 1, 32)]);
        assert_eq!(left(&[1, 32, 4, 5], "nchw", "nhwC8c"), [(32, 20, 1), (20, 1, 32)]);
        assert_eq!(left(&[1, 1, 1, 1], "nChw16c", "nchw"), []);
    }
}
