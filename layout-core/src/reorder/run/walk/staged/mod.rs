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
use super::super::super::plan::{Class, MAX_LOOPS};
use super::super::boxes::Boxes;
use super::super::parts::{Parts, Side};
use moved::Moved;

use crate::kernels::{LINE, Tile, repeats_tiles};

/// Bytes of the buffer: with it, what SSE4.1 needs behind it for elements that lie anywhere is nearly 64 KiB of stack.
const STAGE: usize = 17 * 1024;
/// The same where kernels have buffers for parameters and sums besides, or the box is a part that is in a buffer itself; and where both
/// holds.
const SMALL: usize = 8 * 1024;
const LEAST: usize = 4 * 1024;
/// Elements that are data from which padded runs are moved in two steps.
const RUNS: u64 = 256;
/// Elements from which a row is long.
const ROW: u64 = 16;

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
    fn new(of: &Boxes<'_>) -> Way {
        let (plan, is_part) = (of.plan, of.cut.is_some());
        let (src, dst) = (usize::from(plan.src_element), usize::from(plan.dst_element));
        // What is moved has the shorter elements, unless rows of that side are parted by their parameters.
        let mut converts = if dst > src { Side::Dst } else { Side::Src };
        if plan.packing.src.is_some() {
            converts = Side::Src;
        } else if let Some(scaling) = of.scaling {
            let other = if dst > src { Side::Src } else { Side::Dst };
            if !of.is_eased(converts, scaling) && of.even_run(other, scaling) >= ROW {
                converts = other;
            }
        }
        // Sums need what the destination holds.
        if plan.roles.accumulates {
            converts = Side::Dst;
        }
        let element = if converts == Side::Dst { src } else { dst };
        Way {
            converts,
            element,
            stage: if is_part {
                LEAST
            } else if plan.roles.any() || !plan.packing.is_none() {
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
        let fits = plan.takes_two_steps(tile, all)
            || self.scaling.is_some_and(|scaling| {
                let [x, y, _] = tile;
                let alike = [last, last - 1].map(|i| scaling.ignores(i));
                !scaling.is_common() && plan.parts_parameters([x, y], alike, all)
            });
        let valid = self.valid_x.unwrap_or(0);
        let enough = || (all() / self.count[last].max(1)).saturating_mul(valid) >= RUNS;
        let runs =
            || self.has_short_runs() && plan.may_take_two_steps() && repeats_tiles(plan.token()) && enough();
        // Rows of a block that both sides have are one long row.
        let long = |flat: Tile<'_>| flat.x.len * usize::from(plan.src_element) >= LINE;
        let flat = || self.flat(&self.tile()).is_some_and(long);
        let fits = fits && !flat() || plan.converts_packed_rows() && self.has_even_rows(Side::Src) || runs();
        fits && data && self.fill.is_none() && self.scaling.is_none_or(Scaling::is_even)
    }

    /// Whether there are parameters that allow any order, not one for all elements, and the rows of `side` have the same, or one after the
    /// other, for many of these.
    pub(in super::super::super) fn has_even_rows(&self, side: Side) -> bool {
        let even = self.scaling.filter(|scaling| scaling.is_even() && !scaling.is_common());
        even.is_some_and(|scaling| self.even_run(side, scaling) >= ROW)
    }

    /// The loops of the box that follow one another along `side` without gaps, innermost first.
    fn along(&self, side: Side) -> impl Iterator<Item = usize> {
        let nodes = &self.plan.nodes;
        let distance = move |i: usize| nodes.get(i).distance(side);
        let mut end = None;
        core::iter::from_fn(move || {
            let open = |&i: &usize| self.count[i] > 1 && distance(i) >= end.unwrap_or(1);
            let next = (0..nodes.len()).filter(open).min_by_key(|&i| distance(i))?;
            if end.is_some_and(|end| end != distance(next)) {
                return None;
            }
            end = Some(distance(next).saturating_mul(self.count[next] as usize));
            Some(next)
        })
    }

    /// Elements that follow one another along `side` and whose parameters are the same, or follow one another too.
    fn even_run(&self, side: Side, scaling: &Scaling<'_>) -> u64 {
        let mut along = self.along(side);
        let Some(first) = along.next() else { return 1 };
        let mut run = self.count[first];
        for i in along {
            if !scaling.goes_on(first, run as usize, i) {
                break;
            }
            run = run.saturating_mul(self.count[i]);
        }
        run
    }

    /// Whether rows of `side` are long, or as many parameters as are written out for short ones serve others too.
    fn is_eased(&self, side: Side, scaling: &Scaling<'_>) -> bool {
        if self.even_run(side, scaling) >= ROW {
            return true;
        }
        let mut len = scaling.parameters() as u64;
        let more = self.along(side).find(|&i| {
            len = len.saturating_mul(self.count[i]);
            len > steps::WRITTEN as u64
        });
        more.is_none_or(|i| scaling.ignores(i))
    }

    /// Moves the box.
    ///
    /// # Safety
    /// That of [`Reorder::run_ptr`]; [`Boxes::is_staged`] holds.
    #[inline(never)]
    pub(super) unsafe fn walk_staged(&self) {
        let last = self.plan.nodes.len() - 1;
        let mut data = Boxes { valid_x: None, valid_y: None, ..*self };
        let way = Way::new(self);
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

    /// Whether the source has runs of a few elements for each value of x, of which the last ones are padding.
    fn has_short_runs(&self) -> bool {
        let (plan, last) = (self.plan, self.plan.nodes.len() - 1);
        let [x, y] = [last, last - 1].map(|i| plan.nodes.get(i).src);
        let high = self.count[last - 1];
        let padded = matches!(self.count[last], 8 | 16..=64) && self.valid_x.is_some_and(|valid| valid > 0);
        plan.class == Class::Transpose
            && padded
            && (2..=4).contains(&high)
            && x == y.wrapping_mul(high as isize)
    }

    /// The padding along x, where that is moved with the data: it is to be zero, and to become zero.
    fn padding_in(&self, way: &Way) -> Option<Padding> {
        let (plan, last) = (self.plan, self.plan.nodes.len() - 1);
        let (all, high, first) = (self.count[last], self.count[last - 1], way.converts == Side::Src);
        let valid = self.valid_x.filter(|&valid| valid > 0)?;
        let runs = self.has_short_runs();
        // Where that pays (Zen 3).
        let fits = match all {
            8 => high >= 8 || runs,
            4 if plan.nodes.get(last - 1).dst != 4 * isize::from(plan.dst_element) => false,
            4..16 => high >= 8 && valid > all / 2,
            16..=64 => high >= 4 || runs,
            _ => false,
        };
        let stays = first || self.scaling.is_none() && !plan.roles.any() && plan.has_zero();
        (plan.class == Class::Transpose && stays && fits && repeats_tiles(plan.token()))
            .then_some(Padding { all, valid })
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
        let plan = self.plan;
        let (from, to) = ((self.src, src), (self.dst, dst));
        let buffer = stage.cast_const();
        if way.converts == Side::Src {
            // SAFETY: the caller's promise.
            unsafe { self.convert((parts, way), from, (stage, 0)) };
        }
        // The side that is moved as bytes has no elements of 4 bits.
        let (src, dst) = match way.converts {
            Side::Src => (buffer, self.dst.wrapping_offset(dst)),
            Side::Dst => (self.src.wrapping_offset(src), stage),
        };
        let mut bytes = Boxes { count: moved.count(&self.count), ..Boxes::new(&moved.plan, src, dst) };
        if let Some(Padding { all, valid }) = padding {
            (bytes.count[plan.nodes.len() - 1], bytes.valid_x) = (all, Some(valid));
        }
        // SAFETY: as above: the elements of the part, where `moved` has them; what is read of the buffer was just written.
        unsafe { bytes.walk() };
        if way.converts == Side::Dst {
            // SAFETY: as above.
            unsafe { self.convert((parts, way), (buffer, 0), to) };
        }
    }
}
