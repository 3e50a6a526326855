//! What is done to a part along one side: elements are converted in rows. Rows that are short because their parameters differ have
//! these written out, so that several pass for one. Called by the module around it.

use core::cell::Cell;
use core::mem::MaybeUninit;

use super::super::super::super::attributes::{Placed, Scaling};
use super::super::super::super::plan::MAX_LOOPS;
use super::super::super::boxes::Boxes;
use super::super::super::loops::ONCE;
use super::super::super::parts::{Parts, Run, Runs, Side};
use super::Way;

use crate::kernels::{PARAMETERS, Parameter, Step, Tables, Tile, ValueFormat, Values};

/// Elements of a run from which its parameters need not be written out; where all of them have the same, and what is written would
/// serve no other run.
const LONG: usize = 64;
const LONG_ALIKE: usize = 16;

/// Values of parameters that are written out.
pub(super) const WRITTEN: usize = 1024;

impl Boxes<'_> {
    /// Converts the elements of the part, along the side that `way` says, from `src` to `dst`.
    ///
    /// # Safety
    /// These elements can be read and written, and do not overlap.
    pub(super) unsafe fn convert(
        &self,
        (parts, way): (&Parts, &Way),
        (src, src_at): (*const u8, isize),
        (dst, dst_at): (*mut u8, isize),
    ) {
        let plan = self.plan;
        let side = way.converts;
        let step = |i: usize| {
            let (node, stride) = (plan.nodes.get(i), parts.stride(side, i));
            let bytes = |element: u8| stride * isize::from(element);
            (
                if side == Side::Dst { bytes(plan.src_element) } else { node.src },
                if side == Side::Src { bytes(plan.dst_element) } else { node.dst },
            )
        };
        let alike = |first: usize, len: usize, next: usize| {
            self.scaling.is_none_or(|scaling| scaling.goes_on(first, len, next))
        };
        let mut runs = parts.runs(self, side, step, alike);
        if let Some(scaling) = self.scaling
            && runs.get(0).step.len < LONG
            && let taken = written(scaling, &runs)
            && taken > 1
            && let serves = (taken..runs.len()).any(|i| scaling.ignores(runs.get(i).node))
            && (serves || runs.get(0).step.len < LONG_ALIKE || !scaling.ignores(runs.get(0).node))
            && let Some(placed) = scaling.place(&self.start, [0; 3])
        {
            // SAFETY: the caller's promise.
            return unsafe {
                self.convert_written((scaling, &placed), (runs, taken), ((src, src_at), (dst, dst_at)), side)
            };
        }
        // Rows that have parameters of their own are done many at a time.
        let x = runs.take(0);
        let longer = self.scaling.is_some() && runs.get(1).step.len > runs.get(0).step.len;
        let (y, z) = (runs.take(usize::from(longer)), runs.take(0));
        let placed = self.scaling.and_then(|scaling| scaling.place(&self.start, [x.node, y.node, z.node]));
        let tile = self.tile_of([x, y, z].map(|run| run.step), side);
        let tile = Tile { epilogue: placed.as_ref().map(|placed| &placed.epilogue), ..tile };
        runs.each(|src_by, dst_by, values| {
            if let Some(placed) = &placed {
                placed.locate(runs.values(values));
            }
            let (src, dst) = ((src, src_at.wrapping_add(src_by)), (dst, dst_at.wrapping_add(dst_by)));
            // SAFETY: the caller's promise: the elements of the part for these values of the outer loops.
            unsafe { plan.move_tile(src, dst, &tile) };
        });
    }

    /// A tile of rows, all of it data, which is converted between a buffer and `side`, or between buffers.
    fn tile_of(&self, [x, y, z]: [Step; 3], side: Side) -> Tile<'static> {
        let plan = self.plan;
        let to_memory = side == Side::Dst;
        Tile {
            x,
            y,
            z,
            valid_x: x.len,
            valid_y: y.len,
            stream: to_memory && plan.streams() && !plan.roles.accumulates,
            claims: to_memory && plan.claims(),
            tables: Tables::NONE,
            epilogue: None,
            token: plan.token(),
        }
    }

    /// [`Boxes::convert`] with the parameters of the first `taken` of `runs` written out.
    ///
    /// # Safety
    /// As there; these runs follow one another, and there is room for their parameters.
    #[inline(never)]
    unsafe fn convert_written(
        &self,
        (scaling, placed): (&Scaling<'_>, &Placed<'_>),
        (mut runs, taken): (Runs, usize),
        ((src, src_at), (dst, dst_at)): ((*const u8, isize), (*mut u8, isize)),
        side: Side,
    ) {
        let plan = self.plan;
        let mut inner = [Run { step: ONCE, node: 0 }; MAX_LOOPS];
        let inner = &mut inner[..taken];
        inner.fill_with(|| runs.take(0));
        let len = inner.iter().map(|run| run.step.len).product();
        // Loops that all parameters ignore are rows of the tile, the others lie around it.
        let mut rows = [ONCE; 2];
        for row in &mut rows {
            if let Some(i) = (0..runs.len()).find(|&i| scaling.ignores(runs.get(i).node)) {
                *row = runs.take(i).step;
            }
        }
        let mut values = [MaybeUninit::uninit(); WRITTEN];
        let values = values.as_mut_ptr();
        let tile = self.tile_of([Step { len, ..inner[0].step }, rows[0], rows[1]], side);
        let (mut epilogue, mut last) = (placed.epilogue.clone(), [None; PARAMETERS]);
        runs.each(|src_by, dst_by, at| {
            placed.locate(runs.values(at));
            let mut room = 0;
            for (k, last) in last.iter_mut().enumerate() {
                let Some(parameter) = &placed.epilogue.parameters[k] else { continue };
                let first = values.wrapping_add(room);
                room += len;
                if *last != Some(parameter.at.get()) {
                    *last = Some(parameter.at.get());
                    let steps = |node: usize| scaling.step(k, node);
                    // SAFETY: there is room for `len` values for each parameter, and nobody else refers to these.
                    let lanes = unsafe { core::slice::from_raw_parts_mut(first, len) };
                    // SAFETY: the caller's promise: these are elements of the part.
                    unsafe { write_out(parameter, inner, &steps, parameter.at.get(), lanes) };
                }
                let values =
                    Values { first: first.cast_const().cast(), format: ValueFormat::F32, inverse: false };
                epilogue.parameters[k] = Some(Parameter { values, at: Cell::new(0), x: 1, y: 0, z: 0 });
            }
            let (src, dst) = ((src, src_at.wrapping_add(src_by)), (dst, dst_at.wrapping_add(dst_by)));
            // SAFETY: the caller's promise: the elements of the part for these values of the outer loops.
            unsafe { plan.move_tile(src, dst, &Tile { epilogue: Some(&epilogue), ..tile }) };
        });
    }
}

/// How many of `runs`, from the innermost on, follow one another on both sides and have few enough parameters to write them out.
fn written(scaling: &Scaling<'_>, runs: &Runs) -> usize {
    let parameters = scaling.parameters();
    let mut all = runs.get(0).step;
    let mut taken = 1;
    while taken < runs.len() {
        let next = runs.get(taken).step;
        let len = all.len * next.len;
        if !all.goes_on(next.src, next.dst) || len * parameters > WRITTEN {
            break;
        }
        (all.len, taken) = (len, taken + 1);
    }
    taken
}

/// Writes the values that `parameter` has from value `at` on for each element of `runs`, the innermost first, of which `lanes` has as
/// many; `steps` says how it follows a loop.
///
/// # Safety
/// The values can be read.
unsafe fn write_out(
    parameter: &Parameter,
    runs: &[Run],
    steps: &impl Fn(usize) -> usize,
    at: usize,
    lanes: &mut [MaybeUninit<f32>],
) {
    let step = |run: &Run| steps(run.node);
    match runs {
        // SAFETY: the caller's promise.
        [] => unsafe { parameter.values.write(at, 0, lanes) },
        // SAFETY: as above.
        [run] => unsafe { parameter.values.write(at, step(run), lanes) },
        [inner, next] if step(inner) == 0 => {
            // SAFETY: as above.
            unsafe { parameter.values.write(at, step(next), &mut lanes[..next.step.len]) };
            for i in (0..next.step.len).rev() {
                let value = lanes[i];
                lanes[i * inner.step.len..(i + 1) * inner.step.len].fill(value);
            }
        }
        [inner @ .., last] => {
            let len = lanes.len() / last.step.len;
            if step(last) == 0 {
                // SAFETY: as above.
                unsafe { write_out(parameter, inner, steps, at, &mut lanes[..len]) };
                for i in 1..last.step.len {
                    lanes.copy_within(..len, i * len);
                }
                return;
            }
            for (i, lanes) in lanes.chunks_exact_mut(len).enumerate() {
                let at = at.wrapping_add(i.wrapping_mul(step(last)));
                // SAFETY: as above.
                unsafe { write_out(parameter, inner, steps, at, lanes) };
            }
        }
    }
}
