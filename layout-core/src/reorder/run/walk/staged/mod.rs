//! Walks a box whose elements change on their way between layouts of which no tile holds many elements, as those for the operands of
//! dot products: in parts that fit in a buffer, and in two steps. Elements are converted in rows along one side, and moved as bytes
//! between the two orders. Called by the module around it.
//!
//! `parts` says how to cut the box and which loops go on in the same steps, `steps` does what is done along one side, and `moved` is the
//! plan of what is moved as bytes.

mod moved;
mod steps;

use core::mem::MaybeUninit;

use super::super::super::attributes::Scaling;
use super::super::super::plan::{Class, MAX_LOOPS, Reorder};
use super::super::boxes::Boxes;
use super::super::parts::{Parts, Side};
use moved::Moved;

use crate::kernels::repeats_tiles;

/// Bytes of the buffer.
const STAGE: usize = 20 * 1024;
/// The same where kernels have buffers for parameters and sums besides, or the box is a part that is in a buffer itself; and where both
/// holds.
const SMALL: usize = 8 * 1024;
const LEAST: usize = 4 * 1024;
#[repr(align(64))]
struct Stage<const N: usize>([MaybeUninit<u8>; N]);

/// What is done to a part besides moving its bytes.
#[derive(Clone, Copy)]
pub(super) struct Way {
    /// Along which side elements are converted.
    converts: Side,
    /// Bytes of an element where bytes are moved.
    element: usize,
    /// Bytes of the buffer.
    stage: usize,
}

/// Padding along x, which the step that moves bytes writes.
#[derive(Clone, Copy)]
struct Padding {
    /// Values of x in all, and those that hold data.
    all: u64,
    valid: u64,
}

impl Way {
    fn new(plan: &Reorder, is_part: bool) -> Way {
        let (src, dst) = (usize::from(plan.src_element), usize::from(plan.dst_element));
        // Sums need what the destination holds.
        let (converts, element) =
            if dst > src || plan.roles.accumulates { (Side::Dst, src) } else { (Side::Src, dst) };
        Way {
            converts,
            element,
            stage: if is_part {
                LEAST
            } else if plan.roles.any() {
                SMALL
            } else {
                STAGE
            },
        }
    }
}

impl Boxes<'_> {
    /// Whether the box is moved in several steps.
    pub(super) fn is_staged(&self) -> bool {
        let (plan, last) = (self.plan, self.plan.nodes.len() - 1);
        let data = !self.padding && self.valid_z.is_none();
        let z = self.count[..last - 1].iter().rev().find(|&&count| count > 1);
        let tile = [self.count[last], self.count[last - 1], *z.unwrap_or(&1)];
        let all = || self.count[..=last].iter().fold(1, |all: u64, &count| all.saturating_mul(count));
        plan.takes_two_steps(tile, all)
            && data
            && self.fill.is_none()
            && self.scaling.is_none_or(Scaling::is_even)
    }

    /// Moves the box.
    ///
    /// # Safety
    /// That of [`Reorder::run_ptr`]; [`Boxes::is_staged`] holds.
    #[inline(never)]
    pub(super) unsafe fn walk_staged(&self) {
        let last = self.plan.nodes.len() - 1;
        let mut data = Boxes { valid_x: None, valid_y: None, ..*self };
        let way = Way::new(self.plan, self.cut.is_some());
        let padding = self.padding_in(&way);
        if let Some(Padding { valid, .. }) = padding.filter(|_| way.converts == Side::Src) {
            data.count[last] = valid;
        }
        // The padding beside the data, x's first.
        for (i, valid) in [(last, self.valid_x.filter(|_| padding.is_none())), (last - 1, self.valid_y)] {
            let Some(valid) = valid else { continue };
            let mut rest = Boxes { padding: true, ..data };
            (rest.start[i], rest.count[i]) = (data.start[i] + valid, data.count[i] - valid);
            data.count[i] = valid;
            if let Some(Padding { all, .. }) = padding {
                rest.count[last] = all;
            }
            if rest.count[i] > 0 {
                // SAFETY: the caller's promise; this is part of the box.
                unsafe { rest.walk_converted() };
            }
        }
        if data.count.iter().all(|&count| count > 0) {
            // SAFETY: as above.
            unsafe { data.walk_data(&way, padding) };
        }
    }

    /// The padding along x, where that is moved with the data: it is to be zero, and to become zero.
    fn padding_in(&self, way: &Way) -> Option<Padding> {
        /// Values of x between which that pays, and those of y from which.
        const WIDTHS: core::ops::RangeInclusive<u64> = 16..=64;
        const HIGH: u64 = 4;
        let (plan, last) = (self.plan, self.plan.nodes.len() - 1);
        let (all, first) = (self.count[last], way.converts == Side::Src);
        let fits = WIDTHS.contains(&all) && self.count[last - 1] >= HIGH;
        let valid = self.valid_x.filter(|&valid| valid > 0)?;
        let stays = first || self.scaling.is_none() && !plan.roles.any();
        (plan.class == Class::Transpose && stays && fits && repeats_tiles()).then_some(Padding { all, valid })
    }

    /// Moves the box, all of which is data, with the padding along x if there is any.
    ///
    /// # Safety
    /// That of [`Reorder::run_ptr`]; [`Boxes::is_staged`] holds.
    unsafe fn walk_data(&self, way: &Way, padding: Option<Padding>) {
        let plan = self.plan;
        let last = plan.nodes.len() - 1;
        let parts = Parts::new(self, way.stage / way.element, way.converts, false);
        // Padding is written by parts that hold all of x.
        let whole = padding.is_none() || parts.sizes[last] == self.count[last];
        let Some(moved) = Moved::new(self, &parts, way).filter(|_| whole) else {
            let mut data = Boxes { valid_x: padding.map(|padding| padding.valid), ..*self };
            if let Some(Padding { all, .. }) = padding {
                data.count[last] = all;
            }
            // SAFETY: the caller's promise.
            return unsafe { data.walk_converted() };
        };
        match way.stage {
            // SAFETY: the caller's promise.
            STAGE => unsafe { self.walk_parts_in::<STAGE>(&parts, way, &moved, padding) },
            // SAFETY: as above.
            SMALL => unsafe { self.walk_parts_in::<SMALL>(&parts, way, &moved, padding) },
            // SAFETY: as above.
            _ => unsafe { self.walk_parts_in::<LEAST>(&parts, way, &moved, padding) },
        }
    }

    /// Moves all parts of the box by way of `N` bytes; `moved` moves their bytes.
    ///
    /// # Safety
    /// As [`Boxes::walk_data`]; `N` is what `way` says.
    #[inline(never)]
    unsafe fn walk_parts_in<const N: usize>(
        &self,
        parts: &Parts,
        way: &Way,
        moved: &Moved,
        padding: Option<Padding>,
    ) {
        let plan = self.plan;
        let mut stage = Stage([MaybeUninit::uninit(); N]);
        let stage = stage.0.as_mut_ptr().cast::<u8>();
        let mut part = Boxes { count: [1; MAX_LOOPS], ..*self };
        loop {
            let (mut src, mut dst) = (plan.src_base, plan.dst_base);
            for i in 0..plan.nodes.len() {
                let end = self.start[i] + self.count[i];
                part.count[i] = parts.sizes[i].min(end - part.start[i]);
                let (src_at, dst_at) = plan.nodes.at(i, part.start[i]);
                (src, dst) = (src.wrapping_add(src_at), dst.wrapping_add(dst_at));
            }
            // SAFETY: the part lies in the box, and fits in the buffer.
            unsafe { part.move_part((parts, way), (moved, padding), (src, dst), stage) };
            // The next part, the innermost loop first.
            let mut i = plan.nodes.len();
            loop {
                if i == 0 {
                    return;
                }
                i -= 1;
                part.start[i] += parts.sizes[i];
                if part.start[i] < self.start[i] + self.count[i] {
                    break;
                }
                part.start[i] = self.start[i];
            }
        }
    }

    /// Moves the part at hand, which begins at `src` and `dst`, by way of `stage`: `moved` moves its bytes.
    ///
    /// # Safety
    /// That of [`Reorder::run_ptr`]; the buffer has room for the part.
    unsafe fn move_part(
        &self,
        (parts, way): (&Parts, &Way),
        (moved, padding): (&Moved, Option<Padding>),
        (src, dst): (isize, isize),
        stage: *mut u8,
    ) {
        let (mut from, dst) = (self.src.wrapping_offset(src), self.dst.wrapping_offset(dst));
        if way.converts == Side::Src {
            // SAFETY: the caller's promise.
            unsafe { self.convert((parts, way), from, stage) };
            from = stage;
        }
        let to = if way.converts == Side::Dst { stage } else { dst };
        let mut bytes = Boxes { count: moved.count(&self.count), ..Boxes::new(&moved.plan, from, to) };
        if let Some(Padding { all, valid }) = padding {
            (bytes.count[self.plan.nodes.len() - 1], bytes.valid_x) = (all, Some(valid));
        }
        // SAFETY: as above: the elements of the part, where `moved` has them; what is read of the buffer was just written.
        unsafe { bytes.walk() };
        if way.converts == Side::Dst {
            // SAFETY: as above.
            unsafe { self.convert((parts, way), to, dst) };
        }
    }
}
