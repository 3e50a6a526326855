//! A loop over the logical indices in their order, without tiles: what one writes first, and the oracle of all results.

use super::{Entrant, Role};
use crate::element::{Convert, Visitor, each_row, typed, typed_mut, with_types};
use crate::problem::Problem;
use bytemuck::Pod;

/// The naive loop as an entrant.
pub(super) fn entrant(problem: &Problem) -> Entrant<'_> {
    Entrant::new("naive", Role::Naive, Box::new(move |src, dst| oracle(problem, src, dst)))
}

/// Writes what the case is to leave in the destination: every logical element, converted, and zero in the padding.
pub(crate) fn oracle(problem: &Problem, src: &[u8], dst: &mut [u8]) {
    with_types(problem.dtypes(), Naive { problem, src, dst });
}

struct Naive<'a> {
    problem: &'a Problem,
    src: &'a [u8],
    dst: &'a mut [u8],
}

impl Visitor for Naive<'_> {
    type Out = ();

    fn visit<S: Convert<D>, D: Pod>(self) {
        let Naive { problem, src, dst } = self;
        let (src, dst) = (typed::<S>(src), typed_mut::<D>(dst));
        if problem.pads() {
            zero(problem, dst);
        }
        let Some(last) = problem.axes.last() else { return };
        each_row(problem, |at| {
            for (s, d) in last.src.iter().zip(&last.dst) {
                dst[at.1 + d] = src[at.0 + s].convert();
            }
        });
    }
}

/// Writes zero wherever an index is past its extent.
pub(super) fn zero<D: Pod>(problem: &Problem, dst: &mut [D]) {
    let Some((last, outer)) = problem.axes.split_last() else { return };
    let mut index = vec![0; outer.len()];
    loop {
        let at = outer.iter().zip(&index).fold(problem.dst.base(), |at, (axis, &i)| at + axis.dst[i]);
        let outside = outer.iter().zip(&index).any(|(axis, &i)| i >= axis.dim);
        for d in &last.dst[if outside { 0 } else { last.dim }..] {
            dst[at + d] = D::zeroed();
        }
        let Some(moved) = (0..outer.len()).rev().find(|&a| index[a] + 1 < outer[a].dst.len()) else { return };
        index[moved] += 1;
        index[moved + 1..].fill(0);
    }
}
