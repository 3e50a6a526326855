//! The plan that moves the bytes of a part between the orders of the two sides. Made by the module around it.

use super::super::super::super::attributes::Roles;
use super::super::super::super::plan::{Class, MAX_LOOPS, Reorder};
use super::super::super::super::policy::Stores;
use super::super::super::boxes::Boxes;
use super::super::super::parts::{Parts, Side};
use super::Way;

use crate::kernels::{Packing, copy_kernel};
use crate::reorder::problem::Node;

/// A plan for bytes, and which loop of the whole plan each of its loops is.
pub(super) struct Moved {
    pub(super) plan: Reorder,
    order: [u8; MAX_LOOPS],
}

impl Moved {
    /// The plan for parts of the box; where all of these have rows of 2 to 8 bytes, each is one element, of which the loops are crossed.
    /// `None` where no kernel moves such elements.
    pub(super) fn new(of: &Boxes<'_>, parts: &Parts, way: &Way) -> Option<Moved> {
        let mut plan = Reorder { kernel: copy_kernel(way.element)?, ..parts.moved(of.plan, way) };
        let mut order = core::array::from_fn(|i| i as u8);
        let last = plan.nodes.len() - 1;
        let (row, n) = (plan.nodes.get(last), of.count[last]);
        let (element, wide) = (way.element as isize, n.saturating_mul(way.element as u64));
        let whole =
            plan.class == Class::Rows && (row.src, row.dst) == (element, element) && parts.sizes[last] == n;
        let next = |stride: fn(Node) -> isize| {
            (0..last).find(|&i| parts.sizes[i] > 1 && stride(plan.nodes.get(i)) as u64 == wide)
        };
        if whole
            && matches!(wide, 2 | 4 | 8)
            && n > 1
            && let Some((x, y)) = next(|node| node.dst).zip(next(|node| node.src))
            && x != y
            && let Some(kernel) = copy_kernel(wide as usize)
        {
            let [x, y, row] = [x, y, last].map(|i| i as u8);
            let others = (0..last as u8).filter(|&i| i != x && i != y);
            for (at, i) in order.iter_mut().zip([row].into_iter().chain(others).chain([y, x])) {
                *at = i;
            }
            let nodes = plan.nodes;
            for (i, &at) in order[..=last].iter().enumerate() {
                plan.nodes.set(i, if at == row { Node::UNIT } else { nodes.get(at.into()) });
            }
            (plan.src_element, plan.dst_element) = (wide as u8, wide as u8);
            (plan.class, plan.kernel) = (Class::Transpose, kernel);
        }
        Some(Moved { plan, order })
    }

    /// How many values of its loops a part has that has so many of the whole plan's.
    pub(super) fn count(&self, of: &[u64; MAX_LOOPS]) -> [u64; MAX_LOOPS] {
        let mut count = self.order.map(|i| of[usize::from(i)]);
        // Values of a loop that is part of an element are moved at once.
        if self.plan.nodes.get(0).n == 1 {
            count[0] = 1;
        }
        count
    }
}

impl Parts {
    /// The plan that moves the bytes of a part between the orders of the two sides.
    fn moved(&self, plan: &Reorder, way: &Way) -> Reorder {
        let [buffered_src, buffered_dst] = [Side::Src, Side::Dst].map(|side| way.converts == side);
        let element = way.element as isize;
        let mut moved = Reorder {
            src_element: way.element as u8,
            dst_element: way.element as u8,
            roles: Roles::NONE,
            packing: Packing::NONE,
            stores: if plan.streams() { Stores::Streaming } else { Stores::Temporal },
            src_base: 0,
            dst_base: 0,
            ..plan.clone()
        };
        for i in 0..plan.nodes.len() {
            let Node { n, src, dst } = plan.nodes.get(i);
            let src = if buffered_src { self.stride(Side::Src, i) * element } else { src };
            let dst = if buffered_dst { self.stride(Side::Dst, i) * element } else { dst };
            moved.nodes.set(i, Node { n, src, dst });
        }
        if buffered_src {
            moved.src_dtype = plan.dst_dtype;
        }
        if buffered_dst {
            // The buffer is no memory that lines are waited for.
            (moved.dst_dtype, moved.stores) = (moved.src_dtype, Stores::Temporal);
            (moved.logical, moved.padded) = (0, 0);
        }
        moved
    }
}
