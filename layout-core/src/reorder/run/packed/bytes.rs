//! [`Bytes`]: the plan for what lies between the buffers, where elements of 4 bits have a byte each. Made by the module around it.

use super::super::super::plan::{Class, MAX_LOOPS, Reorder, format};
use super::super::super::policy::Stores;
use super::super::parts::{Parts, Side};
use crate::descriptor::DType;
use crate::kernels::convert::Format;
use crate::kernels::{Held, Kernel, Nibble, Packing, copy_kernel};
use crate::reorder::problem::Node;

/// A plan for bytes, which loop of the whole plan each of its loops is, and what elements of 4 bits are in them.
pub(super) struct Bytes {
    pub(super) plan: Reorder,
    pub(super) order: [u8; MAX_LOOPS],
    pub(super) src: Option<Held>,
    pub(super) dst: Option<Held>,
}

impl Bytes {
    /// The plan that moves what `plan` does, in the orders of `parts`.
    pub(super) fn new(plan: &Reorder, parts: &Parts) -> Bytes {
        let (src, dst, kernel) = held(plan);
        let mut bytes = Reorder { packing: Packing::NONE, one_tile: false, ..plan.clone() };
        (bytes.src_dtype, bytes.dst_dtype) = (of_byte(plan.src_dtype), of_byte(plan.dst_dtype));
        if let Some(kernel) = kernel {
            (bytes.src_dtype, bytes.dst_dtype, bytes.kernel) = (DType::U8, DType::U8, kernel);
        }
        if src.is_some() {
            bytes.src_base = 0;
        }
        if dst.is_some() {
            // The buffer is no memory that lines are waited for.
            (bytes.dst_base, bytes.stores, bytes.logical, bytes.padded) = (0, Stores::Temporal, 0, 0);
        }
        for i in 0..plan.nodes.len() {
            let node = plan.nodes.get(i);
            let src = if src.is_some() { parts.stride(Side::Src, i) } else { node.src };
            let dst = if dst.is_some() { parts.stride(Side::Dst, i) } else { node.dst };
            bytes.nodes.set(i, Node { n: node.n, src, dst });
        }
        let order = core::array::from_fn(|i| i as u8);
        let mut bytes = Bytes { plan: bytes, order, src, dst };
        bytes.take_runs(parts);
        if !bytes.plan.roles.any() && !bytes.plan.weaves() {
            bytes.put_long_inside(parts);
        }
        bytes
    }

    /// Takes runs of 2, 4 or 8 bytes, all of them whole, for elements.
    fn take_runs(&mut self, parts: &Parts) {
        let plan = &mut self.plan;
        let last = plan.nodes.len() - 1;
        let Node { n, src, dst } = plan.nodes.get(last);
        let whole = parts.sizes[last] == n && !plan.tails.all_levels().contains(&(last as u8));
        let few = plan.moves_bytes() && plan.class == Class::Rows && (src, dst) == (1, 1);
        let Some(kernel) =
            Some(n).filter(|n| whole && few && matches!(n, 2 | 4 | 8)).and_then(|n| copy_kernel(n as usize))
        else {
            return;
        };
        let least = |stride: fn(Node) -> isize, but: usize| {
            let others = (0..last).filter(|&i| i != but && parts.sizes[i] > 1);
            others.min_by_key(|&i| stride(plan.nodes.get(i)).unsigned_abs())
        };
        let Some(x) = least(|node| node.dst, last) else { return };
        let run = n as isize;
        let is_row = plan.nodes.get(x).src == run;
        let Some(y) = least(if is_row { |node| node.dst } else { |node| node.src }, x) else { return };
        let (row, column) = (plan.nodes.get(x), plan.nodes.get(y));
        if row.dst != run || !is_row && column.src != run {
            return;
        }
        plan.nodes.set(last, Node::UNIT);
        (plan.src_element, plan.dst_element, plan.kernel) = (n as u8, n as u8, kernel);
        plan.class = if is_row { Class::Rows } else { Class::Transpose };
        let [x, y, last] = [x, y, last].map(|i| i as u8);
        self.arrange(|i| {
            if i == last {
                0
            } else if i == x {
                3
            } else if i == y {
                2
            } else {
                1
            }
        });
    }

    /// Puts longer loops inside of shorter ones, but for those of the tile: in a buffer all lines are near.
    fn put_long_inside(&mut self, parts: &Parts) {
        let tile = self.plan.nodes.len() - 2;
        let order = self.order;
        let size = |i: u8| parts.sizes[usize::from(order[usize::from(i)])];
        self.arrange(|i| if usize::from(i) < tile { size(i) } else { u64::MAX });
    }

    /// Sorts the loops by `key` of where they are.
    fn arrange(&mut self, key: impl Fn(u8) -> u64) {
        let plan = &mut self.plan;
        let len = plan.nodes.len();
        let mut from: [u8; MAX_LOOPS] = core::array::from_fn(|i| i as u8);
        from[..len].sort_by_key(|&i| key(i));
        let (nodes, order) = (plan.nodes, self.order);
        let mut place = [0; MAX_LOOPS];
        for (i, &at) in from[..len].iter().enumerate() {
            place[usize::from(at)] = i as u8;
            self.order[i] = order[usize::from(at)];
            plan.nodes.set(i, nodes.get(at.into()));
        }
        for level in &mut plan.tails.levels {
            *level = place[usize::from(*level)];
        }
    }
}

/// Whether bytes are moved as they are between the buffers of `plan`.
pub(super) fn moves(plan: &Reorder) -> bool {
    held(plan).2.is_some()
}

/// What elements of 4 bits of both sides are in bytes, and the kernel where these are moved as they are. Integers need no other.
fn held(plan: &Reorder) -> (Option<Held>, Option<Held>, Option<Kernel>) {
    let Packing { src, dst } = plan.packing;
    let formats = (format(plan.src_dtype), format(plan.dst_dtype));
    let (read, written) = (src.map(Held::As), dst.map(Held::As));
    let bits = Held::As(Nibble::Bits);
    let (read, written) = match formats {
        _ if !plan.converts() => (Some(bits), Some(bits)),
        _ if plan.roles.any() => return (read, written, None),
        (Format::S8, Format::S8) | (Format::U8, Format::U8) => (read, written),
        (Format::S8, Format::U8) if src.is_some() => (Some(Held::Positive), dst.map(|_| bits)),
        (Format::S8, Format::U8) => (None, Some(Held::Positive)),
        (Format::U8, Format::S8) => (read, dst.map(|_| Held::Low)),
        _ => return (read, written, None),
    };
    (read, written, copy_kernel(1))
}

/// The type that has the values of `dtype` in a byte of its own.
fn of_byte(dtype: DType) -> DType {
    match dtype {
        DType::S4 => DType::S8,
        DType::U4 => DType::U8,
        other => other,
    }
}
