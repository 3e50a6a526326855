//! [`Bytes`]: the plan for what lies between the buffers, where elements of 4 bits have a byte each. Made by the module around it.

use super::super::super::plan::{Class, MAX_LOOPS, Reorder, format};
use super::super::super::policy::Stores;
use super::super::parts::{Parts, Side};
use crate::descriptor::DType;
use crate::kernels::convert::Format;
use crate::kernels::{Held, Kernel, Nibble, Packing, copy_kernel};
use crate::reorder::problem::Node;

/// A plan for bytes, and which loop of the whole plan each of its loops is.
pub(super) struct Bytes {
    pub(super) plan: Reorder,
    pub(super) order: [u8; MAX_LOOPS],
}

/// What becomes of the elements of a side on the way to its buffer, or from there.
#[derive(Clone, Copy)]
pub(super) enum Done {
    Packed(Held),
    /// Elements of a byte or more are converted to those in the buffer, or from these.
    Converted(Kernel),
}

/// What is done along each side; where nothing is, the bytes that are moved are the memory's.
#[derive(Clone, Copy)]
pub(super) struct Steps {
    pub(super) src: Option<Done>,
    pub(super) dst: Option<Done>,
    /// Whether bytes are moved as they are in between, and not converted.
    pub(super) moves: bool,
}

impl Bytes {
    /// The plan that moves what `plan` does between `steps`, in the orders of `parts`.
    pub(super) fn new(plan: &Reorder, steps: &Steps, parts: &Parts) -> Bytes {
        let mut bytes = Reorder { packing: Packing::NONE, one_tile: false, ..plan.clone() };
        (bytes.src_dtype, bytes.dst_dtype) = (of_byte(plan.src_dtype), of_byte(plan.dst_dtype));
        if let Some(kernel) = copy_kernel(1).filter(|_| steps.moves) {
            (bytes.src_dtype, bytes.dst_dtype, bytes.kernel) = (DType::U8, DType::U8, kernel);
            (bytes.src_element, bytes.dst_element) = (1, 1);
        }
        if steps.src.is_some() {
            bytes.src_base = 0;
        }
        if steps.dst.is_some() {
            // The buffer is no memory that lines are waited for.
            (bytes.dst_base, bytes.stores, bytes.logical, bytes.padded) = (0, Stores::Temporal, 0, 0);
        }
        for i in 0..plan.nodes.len() {
            let node = plan.nodes.get(i);
            let src = if steps.src.is_some() { parts.stride(Side::Src, i) } else { node.src };
            let dst = if steps.dst.is_some() { parts.stride(Side::Dst, i) } else { node.dst };
            bytes.nodes.set(i, Node { n: node.n, src, dst });
        }
        let order = core::array::from_fn(|i| i as u8);
        let mut bytes = Bytes { plan: bytes, order };
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

impl Steps {
    /// Those of `plan`. Integers are saturated where they are packed, and numbers converted in rows: those with parameters where these are
    /// `even` along the side that is not packed.
    pub(super) fn of(plan: &Reorder, even: bool) -> Steps {
        let Packing { src, dst } = plan.packing;
        let (read, written) = (src.map(Held::As), dst.map(Held::As));
        let bits = Held::As(Nibble::Bits);
        let (src, dst, moves) = match (format(plan.src_dtype), format(plan.dst_dtype)) {
            _ if !plan.converts() => (Some(bits), Some(bits), true),
            _ if plan.roles.any() => (read, written, even && (src.is_none() || dst.is_none())),
            (Format::S8, Format::S8) | (Format::U8, Format::U8) => (read, written, true),
            (Format::S8, Format::U8) if src.is_some() => (Some(Held::Positive), dst.map(|_| bits), true),
            (Format::S8, Format::U8) => (None, Some(Held::Positive), true),
            (Format::U8, Format::S8) => (read, dst.map(|_| Held::Low), true),
            // Padding, which is zero, is no zero of this type.
            (_, Format::E8M0) => (read, written, false),
            _ => (read, written, src.is_none() || dst.is_none()),
        };
        let converted = || Done::Converted(plan.kernel);
        let is_integer = |format: Format| matches!(format, Format::S8 | Format::U8);
        let integers = is_integer(format(plan.src_dtype)) && is_integer(format(plan.dst_dtype));
        let (src, dst) = (src.map(Done::Packed), dst.map(Done::Packed));
        let in_rows = moves && (!integers || plan.roles.any());
        match (src, dst) {
            (src, None) if in_rows => Steps { src, dst: Some(converted()), moves },
            (None, dst) if in_rows => Steps { src: Some(converted()), dst, moves },
            _ => Steps { src, dst, moves },
        }
    }
}

/// The type that has the values of `dtype` in a byte of its own.
fn of_byte(dtype: DType) -> DType {
    match dtype {
        DType::S4 => DType::S8,
        DType::U4 => DType::U8,
        other => other,
    }
}
