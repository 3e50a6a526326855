//! Rows of a few whole blocks, each a line at most, and of a part of one, where an axis ends inside a block: two boxes that share
//! lines, moved together. Called by `boxes`.

use super::super::plan::{Class, MAX_LOOPS};
use super::boxes::Boxes;
use super::loops::ONCE;
use crate::kernels::{JoinRows, Joined, LINE, Step, claims, join_rows};

/// The part of a block behind the whole ones of a box.
#[derive(Clone, Copy)]
pub(super) struct Join {
    kernel: JoinRows,
    /// The loop over blocks.
    node: usize,
    /// Elements of the part that hold data, and all of them.
    valid: u64,
    len: u64,
}

/// More blocks than these are more streams than the processor foresees.
const MOST_BLOCKS: u64 = 4;

/// Bytes of both sides that a second-level cache holds: single blocks of 16 bytes are moved faster there for themselves.
const HELD: usize = 1024 * 1024;

impl Boxes<'_> {
    /// How to move the whole blocks of tail axis `t`, of which there are `blocks`, together with the part behind them, of which
    /// `[valid, len]` elements hold data and are written; `None` where they are no rows for which there is a kernel.
    pub(super) fn join_of(&self, t: usize, [valid, len]: [u64; 2], blocks: u64) -> Option<Join> {
        let plan = self.plan;
        let (nodes, x) = (&plan.nodes, plan.nodes.len() - 1);
        let &[lowest, node] = plan.tails.levels(t) else { return None };
        let (node, block) = (node as usize, nodes.get(x).n);
        let rows = plan.class == Class::Rows && lowest as usize == x && t + 1 == plan.tails.len as usize;
        let few = (1..=MOST_BLOCKS).contains(&blocks);
        let sizes = few && 0 < valid && valid < block && (len == valid || len == block);
        let bytes = block.saturating_mul(plan.dst_element.into());
        let moves = plan.moves_bytes() && !plan.streams() && self.scaling.is_none() && self.fill.is_none();
        // Another axis may end in the tile: what lies behind its data is padding.
        let data = self.cut.is_none() && !self.padding && self.valid_y.is_none() && self.valid_z.is_none();
        let whole = data && self.part.is_none_or(|(part, ..)| part != node && part != x);
        let total = plan.src_len().saturating_add(plan.dst_len());
        // Blocks that follow one another on neither side share no lines; of few bytes a second box costs more than their order.
        let follow = |stride: isize| stride.unsigned_abs() as u64 == bytes;
        // Where lines are asked for before they are written, one box is as fast or faster all the same (1.02 to 1.1 times, Emerald Rapids).
        let shares =
            follow(nodes.get(node).src) || follow(nodes.get(node).dst) || total <= HELD / 4 || claims();
        let short = bytes == 16 && blocks == 1 && total <= HELD;
        let fits = rows
            && sizes
            && shares
            && !short
            && (matches!(bytes, 16 | 32) || bytes == LINE as u64)
            && moves
            && whole;
        let fits = fits && (0..=x).all(|i| nodes.is_strided(i));
        if fits { join_rows(plan.token()).map(|kernel| Join { kernel, node, valid, len }) } else { None }
    }

    /// Moves what is wanted of the box.
    ///
    /// # Safety
    /// That of [`super::super::Reorder::run_ptr`].
    pub(super) unsafe fn walk_all(&self) {
        match &self.join {
            // SAFETY: the caller's promise.
            None => unsafe { self.walk() },
            // SAFETY: as above.
            Some(join) => unsafe { self.walk_joined(join) },
        }
    }

    /// Moves the box and the part of a block behind it.
    ///
    /// # Safety
    /// That of [`super::super::Reorder::run_ptr`]; [`Boxes::join_of`] made `join` for this box.
    unsafe fn walk_joined(&self, join: &Join) {
        let (nodes, x) = (&self.plan.nodes, self.plan.nodes.len() - 1);
        let element = usize::from(self.plan.dst_element);
        let (mut src, mut dst) = (self.plan.src_base, self.plan.dst_base);
        let (mut around, mut len) = ([0; MAX_LOOPS], 0);
        for i in 0..x {
            let (src_at, dst_at) = nodes.at(i, self.start[i]);
            (src, dst) = (src.wrapping_add(src_at), dst.wrapping_add(dst_at));
            if self.count[i] > 1 && i != join.node {
                (around[len], len) = (i, len + 1);
            }
        }
        let loop_of =
            |i: usize| Step { len: self.count[i] as usize, src: nodes.get(i).src, dst: nodes.get(i).dst };
        let mut rows = ONCE;
        if let Some(last) = len.checked_sub(1) {
            (rows, len) = (loop_of(around[last]), last);
        }
        let mut value = [0; MAX_LOOPS];
        loop {
            let job = Joined {
                src: self.src.wrapping_offset(src),
                dst: self.dst.wrapping_offset(dst),
                rows,
                blocks: loop_of(join.node),
                block: nodes.get(x).n as usize * element,
                valid: join.valid as usize * element,
                padded: join.len > join.valid,
            };
            // SAFETY: as for the tiles of both boxes: what they hold is data up to `valid`, and positions that the destination owns
            // up to `len`.
            unsafe { (join.kernel)(&job) };
            let mut i = len;
            loop {
                if i == 0 {
                    return;
                }
                i -= 1;
                let one = loop_of(around[i]);
                value[i] += 1;
                if value[i] < one.len {
                    (src, dst) = (src.wrapping_add(one.src), dst.wrapping_add(one.dst));
                    break;
                }
                let back = value[i] as isize - 1;
                src = src.wrapping_sub(one.src.wrapping_mul(back));
                dst = dst.wrapping_sub(one.dst.wrapping_mul(back));
                value[i] = 0;
            }
        }
    }
}
