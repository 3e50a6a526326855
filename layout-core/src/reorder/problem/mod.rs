//! [`Problem`]: two descriptors as one list of loops with a stride on each side. Made by `Reorder::new`, changed by
//! `simplify`; strides in elements. `window` finds where an axis' positions meet, `refine` its common loops.
//! Knows no kernels and no memory.

mod nodes;
mod refine;
mod window;

pub(super) use nodes::{Node, Nodes};

use super::ReorderError;
use super::attributes::{Attributes, Wanted, is_anonymous};
use crate::descriptor::Descriptor;
use crate::grammar::{MAX_RANK, Spec};
use refine::Digits;
pub(super) use refine::{gcd_of, min};
use window::{Side, is_plain, place};

/// Loops and pieces of a problem before it is simplified. Every loop has at least two values, so that a tensor that
/// fits into memory has fewer.
pub(super) const MAX_NODES: usize = 96;

/// An axis: its loops stand in [`Problem::nodes`] from `first`, lowest first, and together count places up to `padded`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Axis {
    pub(super) first: usize,
    pub(super) len: usize,
    /// Places below this are not the destination's.
    pub(super) start: u64,
    /// Places from `start` up to this are padding of the destination.
    pub(super) data: u64,
    /// Places from `data` up to this hold data.
    pub(super) dim: u64,
    /// Places from `dim` up to this are padding of the destination.
    pub(super) padded: u64,
}

impl Axis {
    /// Whether the places start with data.
    pub(super) const fn starts_with_data(&self) -> bool {
        self.start == 0 && self.data == 0
    }
}

/// What is to be moved: the loops of each axis, and behind them the loops that belong to no axis any more because all
/// their values hold data.
pub(super) struct Problem {
    pub(super) nodes: Nodes<MAX_NODES>,
    pub(super) axes: [Axis; MAX_RANK],
    pub(super) axes_len: usize,
    /// Logical positions of the axes.
    pub(super) positions: [u8; MAX_RANK],
    /// What is given to the numbers on the way; an axis that has values of its own keeps its loops.
    pub(super) wanted: Wanted,
    /// Distance of place 0 of all axes from the offset of position 0, on both sides.
    pub(super) src_base: isize,
    pub(super) dst_base: isize,
    /// Number of elements that hold data.
    pub(super) logical: usize,
    /// Number of elements that are written.
    pub(super) padded: usize,
}

impl Problem {
    /// The loops that take every element of `src` to its place in `dst`.
    pub(super) const fn new(src: &Descriptor, dst: &Descriptor) -> Result<Problem, ReorderError> {
        Problem::with_attributes(src, dst, &Attributes::new())
    }

    /// The same for a reorder with `attributes`: loops are cut where groups of indices that share a value end.
    pub(super) const fn with_attributes(
        src: &Descriptor,
        dst: &Descriptor,
        attributes: &Attributes<'_>,
    ) -> Result<Problem, ReorderError> {
        if let Err(error) = check(src, dst) {
            return Err(error);
        }
        match Wanted::new(attributes, src, dst) {
            Ok(wanted) => Problem::with_wanted(src, dst, wanted),
            Err(error) => Err(error),
        }
    }

    /// The loops over every element of `tensor`, for sums over all but the axes named `axes`.
    pub(super) const fn of_sums(
        tensor: &Descriptor,
        axes: &[char],
        padded: bool,
    ) -> Result<Problem, ReorderError> {
        match check_unique(tensor) {
            Ok(()) => {}
            Err(ReorderError::Broadcast { axis, position }) => {
                return Err(ReorderError::CompensationBroadcast { axis, position });
            }
            Err(error) => return Err(error),
        }
        match Wanted::of_sums(tensor, axes, padded) {
            Ok(wanted) => Problem::with_wanted(tensor, tensor, wanted),
            Err(error) => Err(error),
        }
    }

    /// The same for `wanted`, between two that were checked.
    const fn with_wanted(
        src: &Descriptor,
        dst: &Descriptor,
        wanted: Wanted,
    ) -> Result<Problem, ReorderError> {
        let rank = dst.rank();
        let padded = dst.padded_dims();
        let mut problem = Problem {
            nodes: Nodes::EMPTY,
            axes: [Axis { first: 0, len: 0, start: 0, data: 0, dim: 0, padded: 0 }; MAX_RANK],
            axes_len: 0,
            positions: [0; MAX_RANK],
            wanted,
            src_base: 0,
            dst_base: 0,
            logical: 1,
            padded: 1,
        };
        let mut axis = 0;
        while axis < rank {
            // The descriptor has checked both products, zeros apart.
            problem.logical = problem.logical.saturating_mul(dst.dims()[axis]);
            problem.padded = problem.padded.saturating_mul(padded[axis]);
            axis += 1;
        }
        if dst.is_empty() {
            problem.padded = 0;
            problem.logical = 0;
            return Ok(problem);
        }
        // Digits that no position reaches are left out; parts and extra padding need them to find their way.
        let mut ends = [usize::MAX; MAX_RANK];
        let mut axis = 0;
        while axis < rank {
            if is_plain(src, dst, axis) {
                ends[axis] = padded[axis];
            }
            axis += 1;
        }
        let (src_digits, dst_digits) = (Digits::of(src, &ends), Digits::of(dst, &ends));
        let from = Side { descriptor: src, digits: &src_digits };
        let to = Side { descriptor: dst, digits: &dst_digits };
        let mut axis = 0;
        while axis < rank {
            let Some(placed) = place(&from, &to, axis, &problem.wanted, &mut problem.nodes) else {
                return Err(ReorderError::TooManyLoops {
                    needed: MAX_NODES + 1,
                    limit: super::plan::MAX_LOOPS,
                });
            };
            problem.axes[axis] = placed.axis;
            problem.src_base = problem.src_base.wrapping_add(placed.src_base);
            problem.dst_base = problem.dst_base.wrapping_add(placed.dst_base);
            problem.positions[axis] = axis as u8;
            problem.axes_len = axis + 1;
            axis += 1;
        }
        Ok(problem)
    }
}

/// Whether the two describe tensors of the same axes and extents, and no elements of the destination share a place: of
/// a descriptor only those do that are broadcast.
const fn check(src: &Descriptor, dst: &Descriptor) -> Result<(), ReorderError> {
    if src.rank() != dst.rank() {
        return Err(ReorderError::Rank { src: src.rank(), dst: dst.rank() });
    }
    let named = !is_anonymous(src.spec()) && !is_anonymous(dst.spec());
    let mut position = 0;
    while position < dst.rank() {
        let (src_name, dst_name) = (name(src.spec(), position), name(dst.spec(), position));
        if named && src_name != dst_name {
            return Err(ReorderError::AxisName { position, src: src_name, dst: dst_name });
        }
        let (src, dst) = (src.dims()[position], dst.dims()[position]);
        if src != dst {
            let axis = dst_name;
            return Err(ReorderError::Extent { axis, position, src, dst });
        }
        position += 1;
    }
    check_unique(dst)
}

/// Whether every place of the destination is written once.
const fn check_unique(dst: &Descriptor) -> Result<(), ReorderError> {
    let mut position = 0;
    while position < dst.rank() {
        if dst.is_broadcast(position) && !dst.is_empty() {
            return Err(ReorderError::Broadcast { axis: name(dst.spec(), position), position });
        }
        position += 1;
    }
    Ok(())
}

const fn name(spec: &Spec, axis: usize) -> char {
    match spec.axis_name(axis) {
        Some(name) => name,
        None => '?',
    }
}
