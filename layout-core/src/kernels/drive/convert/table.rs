//! The values of parameters laid out as loops take them. Called by `rows`.

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;

use super::super::super::epilogue::{Affine, Epilogue, LANES, PARAMETERS, Parameter};
use super::rows::{Loop, Place};
use super::smaller;

/// Elements of a row that a table has values for.
pub(super) const WIDTH: usize = 512;

/// Rows that a table has values for, where all elements of a row have the same.
pub(super) const ONES: usize = WIDTH / LANES;

/// A parameter along the rows of a job.
pub(super) struct Line<'a> {
    parameter: Option<&'a Parameter>,
    /// The value of the first element.
    first: usize,
    /// Values between two elements of a row, between two rows, and where a row goes on after `inner` elements.
    along: usize,
    pub(super) across: usize,
    after: usize,
    inner: usize,
    /// Of `inner` elements the first so many hold data.
    data: usize,
    /// Whether the elements of a row have different values.
    pub(super) is_table: bool,
}

impl<'a> Line<'a> {
    /// `parameter` along the rows at `place`, which have `len` elements. Inlined: four of them are stored and read back at once.
    #[inline(always)]
    pub(super) fn new(parameter: Option<&'a Parameter>, place: &Place, len: usize) -> Line<'a> {
        let Place { first: [x, y, z], inner, data, .. } = *place;
        let steps = parameter.map_or([0; 3], |p| [p.x, p.y, p.z]);
        let of = |direction: Loop| steps[direction as usize];
        let at = parameter.map_or(0, |p| p.at.get());
        let first = at + x * steps[0] + y * steps[1] + z * steps[2];
        let (along, across, after) = (of(place.along), of(place.across), of(place.after));
        let differ = data < inner || along > 0 && len > 1 || after > 0 && len > inner;
        let is_table = parameter.is_some() && differ;
        Line { parameter, first, along, across, after, inner, data, is_table }
    }

    /// Whether the values for a row of `len` elements lie one after the other as loops take them.
    pub(super) fn is_straight(&self, len: usize) -> bool {
        let goes_on = self.data == self.inner && len <= self.inner;
        goes_on && self.along == 1 && self.parameter.is_some_and(|parameter| parameter.values.is_plain())
    }

    /// The value of the first element of row `y`, where [`Line::is_straight`] holds.
    pub(super) fn straight(&self, y: usize) -> *const f32 {
        let first = self.parameter.map_or(core::ptr::null(), |parameter| parameter.values.first);
        first.cast::<f32>().wrapping_add(self.first + y * self.across)
    }

    /// Writes the values of the elements of row `y` from `x` on; 0, which keeps a zero, where there is no data.
    ///
    /// # Safety
    /// The elements are the job's.
    unsafe fn write(&self, parameter: &Parameter, [x, y]: [usize; 2], lanes: &mut [MaybeUninit<f32>]) {
        let (mut turn, mut x) = if x < self.inner { (0, x) } else { (x / self.inner, x % self.inner) };
        let mut rest = lanes;
        while !rest.is_empty() {
            let (values, zeros) = (self.data.saturating_sub(x), self.inner - self.data.max(x));
            let (lanes, behind) = rest.split_at_mut(smaller(values, rest.len()));
            let at = self.first + x * self.along + turn * self.after + y * self.across;
            // SAFETY: the caller's promise: 6. of the kernel's contract.
            unsafe { parameter.values.write(at, self.along, lanes) };
            let (lanes, behind) = behind.split_at_mut(smaller(zeros, behind.len()));
            lanes.fill(MaybeUninit::new(0.0));
            (rest, turn, x) = (behind, turn + 1, 0);
        }
    }

    /// Calls `f` for the elements of the first row from `x` on, run by run: with a range of the `count` elements, the value of the
    /// first of them, and how many values lie between two.
    pub(super) fn each_run(
        &self,
        x: usize,
        count: usize,
        mut f: impl FnMut(core::ops::Range<usize>, usize, usize),
    ) {
        let (mut turn, mut within) = (x / self.inner, x % self.inner);
        let mut at = 0;
        while at < count {
            let len = smaller(self.inner - within, count - at);
            f(at..at + len, self.first + within * self.along + turn * self.after, self.along);
            (at, turn, within) = (at + len, turn + 1, 0);
        }
    }

    /// The values of as many rows as `lanes` has from row `y` on, each of all elements of its row.
    ///
    /// # Safety
    /// The rows are the job's.
    unsafe fn values(&self, parameter: &Parameter, y: usize, lanes: &mut [MaybeUninit<f32>]) {
        // SAFETY: the caller's promise: 6. of the kernel's contract.
        unsafe { parameter.values.write(self.first + y * self.across, self.across, lanes) };
    }
}

/// The parameters that all elements of a tile have, [`LANES`] times.
#[repr(align(64))]
pub(super) struct Common(Lanes<LANES>);

/// Values of each parameter, with a pointer to which maps go about: a cell, so that what is written for one leaves the
/// pointers to the others valid.
type Lanes<const N: usize> = [UnsafeCell<[MaybeUninit<f32>; N]>; PARAMETERS];

impl Common {
    #[inline(always)]
    pub(super) fn new() -> Common {
        Common([const { UnsafeCell::new([MaybeUninit::uninit(); LANES]) }; PARAMETERS])
    }

    /// The map of `epilogue`, which is common.
    ///
    /// # Safety
    /// Its values can be read, and `self` lives longer than the map.
    pub(super) unsafe fn of(&self, epilogue: Option<&Epilogue>) -> Affine {
        let mut affine = Affine::neutral();
        for (k, parameter) in epilogue.iter().flat_map(|epilogue| epilogue.parameters.iter().enumerate()) {
            if let Some(parameter) = parameter {
                // SAFETY: the caller's promise.
                let value = MaybeUninit::new(unsafe { parameter.values.get(parameter.at.get()) });
                // SAFETY: nobody else refers to the cell.
                unsafe { self.0[k].get().write([value; LANES]) };
                affine.at[k] = self.0[k].get().cast_const().cast();
            }
        }
        affine
    }
}

/// The values of the parameters, for the elements of a row, or [`LANES`] times for each of some rows.
#[repr(align(64))]
pub(super) struct Table(Lanes<{ WIDTH + LANES }>);

impl Table {
    #[inline(always)]
    pub(super) fn new() -> Table {
        Table([const { UnsafeCell::new([MaybeUninit::uninit(); WIDTH + LANES]) }; PARAMETERS])
    }

    /// Makes parameter `k` of `affine` that of `line`, for a row of `len` elements (at most [`WIDTH`]): those of row `y`
    /// from `x` on, and after `period` of them again the same.
    ///
    /// # Safety
    /// These elements are the job's.
    pub(super) unsafe fn fill(
        &self,
        k: usize,
        line: &Line<'_>,
        [x, y]: [usize; 2],
        [period, len]: [usize; 2],
        affine: &mut Affine,
    ) {
        let Some(parameter) = line.parameter else { return };
        if !line.is_table {
            // SAFETY: the caller's promise.
            unsafe { self.fill_ones(k, line, [y, 1], affine) };
            return;
        }
        // SAFETY: nobody reads what the cell held while this is written.
        let lanes = unsafe { &mut *self.0[k].get() };
        // SAFETY: the caller's promise.
        unsafe { line.write(parameter, [x, y], &mut lanes[..period]) };
        let mut filled = period;
        while filled < len {
            let more = smaller(filled, len - filled);
            lanes.copy_within(..more, filled);
            filled += more;
        }
        // The last register reads more than the row has.
        lanes[len..len + LANES].fill(MaybeUninit::new(0.0));
        (affine.at[k], affine.mask[k]) = (self.0[k].get().cast_const().cast(), usize::MAX);
    }

    /// Makes parameter `k` of `affine` that of `line`, for `count` rows of `len` elements from row `y` on, at most [`WIDTH`]
    /// elements in all, as one row.
    ///
    /// # Safety
    /// These rows are the job's.
    pub(super) unsafe fn fill_rows(
        &self,
        k: usize,
        line: &Line<'_>,
        [y, count]: [usize; 2],
        len: usize,
        affine: &mut Affine,
    ) {
        let Some(parameter) = line.parameter else { return };
        if !line.is_table && line.across == 0 {
            // SAFETY: the caller's promise.
            unsafe { self.fill_ones(k, line, [y, 1], affine) };
            return;
        }
        if line.across == 0 {
            // SAFETY: the caller's promise.
            unsafe { self.fill(k, line, [0, y], [len, count * len], affine) };
            return;
        }
        // SAFETY: nobody reads what the cell held while this is written.
        let lanes = unsafe { &mut *self.0[k].get() };
        let mut rows = lanes[..count * len].chunks_exact_mut(len);
        if line.is_table {
            for (i, lanes) in rows.enumerate() {
                // SAFETY: the caller's promise.
                unsafe { line.write(parameter, [0, y + i], lanes) };
            }
        } else {
            let mut done = 0;
            while done < count {
                let mut values = [MaybeUninit::uninit(); ONES];
                let some = &mut values[..smaller(ONES, count - done)];
                // SAFETY: the caller's promise.
                unsafe { line.values(parameter, y + done, some) };
                some.iter().zip(&mut rows).for_each(|(&value, lanes)| lanes.fill(value));
                done += some.len();
            }
        }
        // The last register reads more than the rows have.
        lanes[count * len..count * len + LANES].fill(MaybeUninit::new(0.0));
        (affine.at[k], affine.mask[k], affine.row[k]) = (self.0[k].get().cast_const().cast(), usize::MAX, 0);
    }

    /// Makes parameter `k` of `affine` that of `line`, for `count` rows (at most [`ONES`]) from `y` on, all of whose
    /// elements have the same value.
    ///
    /// # Safety
    /// These rows are the job's.
    pub(super) unsafe fn fill_ones(
        &self,
        k: usize,
        line: &Line<'_>,
        [y, count]: [usize; 2],
        affine: &mut Affine,
    ) {
        let Some(parameter) = line.parameter else { return };
        // SAFETY: as in `fill`.
        let (lanes, _) = unsafe { &mut *self.0[k].get() }.as_chunks_mut::<LANES>();
        let rows = if line.across > 0 { count } else { 1 };
        let mut values = [MaybeUninit::uninit(); ONES];
        // SAFETY: the caller's promise.
        unsafe { line.values(parameter, y, &mut values[..rows]) };
        for (lanes, &value) in lanes.iter_mut().zip(&values[..rows]) {
            *lanes = [value; LANES];
        }
        (affine.at[k], affine.mask[k]) = (self.0[k].get().cast_const().cast(), 0);
        affine.row[k] = if line.across > 0 { LANES } else { 0 };
    }
}
