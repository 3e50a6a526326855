//! Moves elements of 4 bits whose tiles have no kernels of their own: in parts, of which the elements have a byte each in a buffer
//! in the order of the side that is packed. What lies between is a plan for bytes, with tails and padding like any other. Called by
//! `run` in place of the walk.
//!
//! `cut` says which values of the loops a part has, `bytes` what moves them there, `rows` takes elements out of bytes and puts them
//! back.

mod bytes;
mod cut;
mod rows;

use core::mem::MaybeUninit;

use super::super::attributes::Scaling;
use super::super::plan::{Class, Reorder};
use super::boxes::Boxes;
use super::parts::{Parts, Side};
use bytes::{Bytes, Done, Steps};
use cut::Cut;
pub(super) use cut::Cutting;
pub(super) use rows::Rows;

/// Bytes of the buffer, of which each side that is packed has a part: where bytes are moved as they are, where what converts them
/// has buffers besides, and where these hold parameters as well.
const STAGE: usize = 16 * 1024;
const SMALL: usize = 8 * 1024;
const LEAST: usize = 3 * 1024;

#[repr(align(64))]
struct Stage<const N: usize>([MaybeUninit<u8>; N]);

/// Calls `run` with a buffer of `N` bytes.
#[inline(never)]
fn with_stage<const N: usize>(run: &dyn Fn(*mut u8, usize)) {
    let mut stage = Stage([MaybeUninit::uninit(); N]);
    run(stage.0.as_mut_ptr().cast(), N);
}

impl Reorder {
    /// Moves all of the tensor, or where a loop has values of a range.
    ///
    /// # Safety
    /// That of [`Reorder::run_ptr`], except for the attributes; [`Reorder::goes_by_bytes`] holds.
    #[inline(never)]
    pub(super) unsafe fn run_by_bytes(
        &self,
        memory: (*const u8, *mut u8),
        part: Option<(usize, u64, u64)>,
        scaling: Option<&Scaling<'_>>,
    ) {
        // Groups are packed faster where they are converted on the way (Zen 3).
        let side = if self.packing.src.is_some() { Side::Dst } else { Side::Src };
        let even = || self.has_even_rows(memory.0, memory.1, scaling, side);
        let steps = Steps::of(self, (side == Side::Dst || self.class == Class::Rows) && even());
        // SAFETY: the caller's promise; there are so many bytes.
        let run =
            |stage: *mut u8, len: usize| unsafe { self.run_in(stage, len, memory, part, (&steps, scaling)) };
        match steps.moves {
            true if self.roles.any() => with_stage::<SMALL>(&run),
            true => with_stage::<STAGE>(&run),
            false if self.roles.any() => with_stage::<LEAST>(&run),
            false => with_stage::<SMALL>(&run),
        }
    }

    /// [`Reorder::run_by_bytes`] by way of `len` bytes from `stage` on.
    ///
    /// # Safety
    /// As there; the bytes can be written.
    unsafe fn run_in(
        &self,
        stage: *mut u8,
        len: usize,
        (src, dst): (*const u8, *mut u8),
        part: Option<(usize, u64, u64)>,
        (steps, scaling): (&Steps, Option<&Scaling<'_>>),
    ) {
        let mut all = Boxes { scaling: scaling.filter(|_| steps.moves), ..Boxes::new(self, src, dst) };
        if let Some((node, start, end)) = part {
            (all.start[node], all.count[node]) = (start, end - start);
        }
        let (from, to) = (steps.src, steps.dst);
        let both = from.is_some() && to.is_some();
        let room = if both { len / 2 } else { len };
        let parts = Parts::new(&all, room, Side::Dst, true);
        let buffers = [stage, if both { stage.wrapping_add(room) } else { stage }];
        let bytes = Bytes::new(self, steps, &parts);
        let cut = Cut::new(&all, &parts.sizes);
        let rows =
            |side: Side, done: Done| Rows { parts: &parts, side, done, buffer: buffers[side as usize] };
        let read = from.map(|done| rows(Side::Src, done));
        let written = to.map(|done| rows(Side::Dst, done));
        let in_turn = core::array::from_fn(|i| i as u8);
        all.cut = Some(Cutting { cut: &cut, order: &in_turn });
        let cutting = Cutting { cut: &cut, order: &bytes.order };
        let scaling = scaling.filter(|_| !steps.moves);
        let mut moved = Boxes { scaling, cut: Some(cutting), ..Boxes::new(&bytes.plan, src, dst) };
        loop {
            // The buffers begin with the part.
            let first = |side: Side| parts.distance(side, &cut.start).wrapping_neg();
            if from.is_some() {
                moved.src = buffers[0].cast_const().wrapping_offset(first(Side::Src));
            }
            if to.is_some() {
                moved.dst = buffers[1].wrapping_offset(first(Side::Dst));
            }
            // SAFETY of all: the caller's promise: these are elements of the part, and the buffers have room for it; what is read of a
            // buffer was just written.
            if read.is_some() {
                all.rows = read.as_ref();
                // SAFETY: see above.
                unsafe { all.fork(0) };
            }
            // SAFETY: see above.
            unsafe { moved.fork(0) };
            if written.is_some() {
                all.rows = written.as_ref();
                // SAFETY: see above.
                unsafe { all.fork(0) };
            }
            if !cut.go_on() {
                return;
            }
        }
    }
}
