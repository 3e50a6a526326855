//! Cuts a band into strips: whole aligned lines of the destination where there are any, narrower registers for what is
//! left. Called by `cross`.

use core::mem::MaybeUninit;

use super::super::super::generic::{copy_run, step, step_mut};
use super::super::{LINE, Simd, Strips};
use super::BAND;

/// Lines of the source at this distance compete for the same places of a first-level cache, of which there are at
/// least `WAYS`.
const ALIAS: usize = 4096;
const WAYS: usize = 8;

/// From this distance between two rows of the source the processor does not see what is read next.
const FAR: usize = 512;

/// From this distance in elements (of 2 bytes at least) between two lines of the destination a strip waits for too many
/// pages: as many as this are written side by side, a square of each at a time.
const APART: usize = 1024;
const ASIDE: usize = 4;

impl Strips {
    /// The `width` values of x from `x` on, for elements of `B` bytes. Without data it reads what the job reads first.
    #[inline(always)]
    pub(in super::super::super) fn part<const B: usize>(&self, x: usize, width: usize) -> Strips {
        let valid = self.valid.saturating_sub(x);
        let valid = if valid < width { valid } else { width };
        let skipped = if valid == 0 { 0 } else { x };
        let dst = self.dst.wrapping_add(x * B);
        if self.even {
            Strips { src: step(self.src, skipped, self.src_step), dst, valid, width, ..*self }
        } else {
            Strips { src_x: self.src_x.wrapping_add(skipped), dst, valid, width, ..*self }
        }
    }

    /// Where the row of value `x` begins in the source.
    ///
    /// # Safety
    /// There is such a value.
    #[inline(always)]
    pub(in super::super::super) unsafe fn row(&self, x: usize) -> *const u8 {
        if self.even {
            step(self.src, x, self.src_step)
        } else {
            // SAFETY: the table has an entry for each value.
            self.src.wrapping_offset(unsafe { self.src_x.wrapping_add(x).read() })
        }
    }

    /// Where the line of value `y` begins in the destination.
    ///
    /// # Safety
    /// There is such a value.
    #[inline(always)]
    pub(in super::super::super) unsafe fn line(&self, y: usize) -> *mut u8 {
        if self.even {
            step_mut(self.dst, y, self.dst_step)
        } else {
            // SAFETY: the table has an entry for each value.
            self.dst.wrapping_offset(unsafe { self.dst_y.wrapping_add(y).read() })
        }
    }

    /// The values of y from `y` on.
    #[inline(always)]
    pub(in super::super::super) fn part_y(&self, y: usize, height: usize) -> Strips {
        let src = step(self.src, y, self.src_y);
        if self.even {
            Strips { src, dst: step_mut(self.dst, y, self.dst_step), height, ..*self }
        } else {
            Strips { src, dst_y: self.dst_y.wrapping_add(y), height, ..*self }
        }
    }
}

/// Transposes `job`.
///
/// # Safety
/// The first point of [`Simd::column`]; `height` is not 0. Where `valid` is 0, `src` is still the place of an element.
#[inline(always)]
pub(super) unsafe fn strips<S: Simd, const B: usize>(simd: S, job: &Strips) {
    let side = LINE / B;
    let follow = job.even && job.dst_step == (job.width * B) as isize;
    if job.width < side && follow {
        // Half a line that is left along y would cost as much as a whole one.
        let rest = job.height % side;
        let squares = rest * B >= 16 && 2 * rest <= side && rest < job.height && job.valid == job.width;
        let height = if squares { job.height - rest } else { job.height };
        // SAFETY: the caller's promise, and the strides were just compared.
        if unsafe { simd.dense::<B>(&Strips { height, ..*job }) } {
            if squares {
                // SAFETY: these values of y lie in the job.
                unsafe { pieces::<S, B>(simd, &job.part_y(height, rest), 0, job.width) };
            }
            return;
        }
    }
    let high = job.height * B >= 16;
    // SAFETY: the caller's promise, and the sizes were just compared.
    if !high && job.even && job.valid == job.width && unsafe { simd.few::<B>(job) } {
        return;
    }
    if job.width < side {
        let halves = !job.even && 2 * job.width == side && job.valid == job.width;
        // SAFETY of both: the caller's promise, and the sizes were just compared.
        // SAFETY: see above.
        if !halves || unsafe { !simd.halves::<B>(job) } {
            // SAFETY: see above.
            unsafe { pieces::<S, B>(simd, job, 0, job.width) };
        }
        return;
    }
    let mut x = 0;
    // Lines of the destination that all rows share begin where it is a multiple of 64.
    // SAFETY: there is a first value of y.
    let off = unsafe { job.line(0) }.addr() % LINE;
    let shared = if job.even {
        (job.dst_step as usize).is_multiple_of(LINE)
    } else {
        // SAFETY: these values of y are there.
        (1..job.height).all(|y| unsafe { job.line(y) }.addr() % LINE == off)
    };
    let aligned = shared && off.is_multiple_of(B);
    if aligned && off > 0 && job.width >= 2 * side {
        x = (LINE - off) / B;
        // SAFETY: these values of x lie in the job.
        unsafe { pieces::<S, B>(simd, job, 0, x) };
    }
    let stream = job.stream && aligned && (off == 0 || x > 0);
    let job = &Strips { stream, ..*job };
    if high && B < 16 && x + side <= job.valid && is_crowded(job, side) && !are_planes::<S>(job, side) {
        // Each line of the source is read once here as well.
        // SAFETY: the caller's promise, and the width and strides were just compared.
        if job.width == side && follow && unsafe { simd.dense::<B>(job) } {
            return;
        }
        let strips = (job.valid - x) / side;
        let part = job.part::<B>(x, strips * side);
        // SAFETY: these values of x lie in the job, with data in whole lines; where it streams, the lines are aligned.
        unsafe { staged::<S, B>(simd, &part) };
        x += strips * side;
    }
    let most = if high && B <= 4 { aside::<B>(job) } else { 1 };
    if most > 1 && x + 2 * side <= job.valid {
        let part = job.part::<B>(x, (job.valid - x) / side * side);
        // SAFETY: the strips lie in the job, with data in all of their lines; it does not stream.
        unsafe { simd.columns::<B>(&part, most) };
        x += part.width;
    }
    if high && job.even && x + side <= job.valid {
        let part = job.part::<B>(x, (job.valid - x) / side * side);
        let ahead = if is_far(&part) { ahead::<B>() } else { 0 };
        // SAFETY: the strips lie in the job, with data in all of their lines; where it streams, these are aligned.
        unsafe { simd.column::<B>(&part, ahead) };
        x += part.width;
    }
    while high && x + side <= job.valid {
        // SAFETY: as above.
        unsafe { simd.tabled::<B>(&job.part::<B>(x, side)) };
        x += side;
    }
    let mut left = job.width - x;
    let register = if left * B <= 16 { 16 } else { (left * B).next_power_of_two() };
    if left > 0 && job.valid == job.width && B < 16 && register <= LINE {
        // Without padding the last strip overlaps the one before, to fill a register.
        (x, left) = (job.width - register / B, register / B);
    }
    let rest = job.part::<B>(x, left);
    let sparse = job.even && left == side && rest.valid > 0 && rest.valid * B <= 16;
    // SAFETY: these values of x lie in the job, a line of them; where it streams, the lines are aligned.
    if sparse && unsafe { simd.sparse::<B>(&rest) } {
        return;
    }
    // SAFETY: these values of x lie in the job.
    unsafe { pieces::<S, B>(simd, job, x, left) };
}

/// How many different places of a first-level cache lines at this distance fall into.
#[inline(always)]
fn places(step: isize) -> usize {
    ALIAS >> (step.unsigned_abs() | ALIAS).trailing_zeros()
}

/// Whether the lines of the first `count` rows, or of all values of y, would drive one another out of a first-level cache.
#[inline(always)]
pub(super) fn is_crowded(job: &Strips, count: usize) -> bool {
    if job.even {
        let lines = if job.height < LINE { job.height } else { LINE };
        return count > WAYS * places(job.src_step) || lines > WAYS * places(job.dst_step);
    }
    let mut sets = 0u64;
    for x in 0..count {
        // SAFETY: the table has a line of entries at least.
        sets |= 1 << (unsafe { job.row(x) }.addr() % ALIAS / LINE);
    }
    count > WAYS * sets.count_ones() as usize
}

/// How many strips are written side by side: several where lines of the destination are far from one another, and the lines of
/// the source that are read for them stay in a first-level cache until their next values of y are.
#[inline(always)]
fn aside<const B: usize>(job: &Strips) -> usize {
    let (src, dst) = (job.src_step.unsigned_abs(), job.dst_step.unsigned_abs());
    // Without gaps in the source a strip reads it from end to end, which the processor foresees; but less than a line of each
    // row takes longer to write than to read, and rows that begin anywhere in a line are read twice at its ends.
    let row = job.height * B;
    let gaps =
        B == 1 || src > row || B == 4 && row < LINE || B == 2 && row > LINE && !src.is_multiple_of(LINE);
    // Of a single square in each line the order is the same.
    let single = row <= 16;
    if !job.even || job.stream || src >= FAR || dst < APART * B.max(2) || !gaps || single {
        return 1;
    }
    (WAYS * places(job.src_step) * B / LINE).clamp(1, ASIDE)
}

/// Whether to fetch ahead in `rows` rows that are `step` bytes apart: they are so far from one another that the processor does
/// not see well what is read next, and do not compete for the same places.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(in super::super::super) fn fetches(step: isize, rows: usize) -> bool {
    const FAR: usize = 2048;
    step.unsigned_abs() >= FAR && rows <= WAYS / 2 * places(step)
}

/// Bytes ahead in rows of the source that are so far from one another, which are fetched.
#[inline(always)]
const fn ahead<const B: usize>() -> isize {
    if B <= 2 { 2 * LINE as isize } else { LINE as isize }
}

/// Whether two rows of the source are so far from one another that the processor does not see what is read next.
#[inline(always)]
fn is_far(job: &Strips) -> bool {
    job.src_step.unsigned_abs() >= FAR
}

/// The `width` values of x from `x` on, in pieces of a register: the fast ones where it is full.
///
/// # Safety
/// As [`strips`]; the values are in the job.
#[inline(always)]
pub(in super::super) unsafe fn pieces<S: Simd, const B: usize>(
    simd: S,
    job: &Strips,
    x: usize,
    width: usize,
) {
    let (end, side) = (x + width, S::REGISTER / B);
    let high = job.height * B >= 16 && job.even;
    let (begin, mut x) = (x, x);
    while x < end {
        let width = if end - x < side { end - x } else { side };
        let full = if width * B > 16 { side } else { 16 / B };
        if S::REGISTER < LINE && x > begin && width < full && high && job.valid == job.width {
            // The last piece overlaps the one before, to fill a register: there are no masks.
            x = end - full;
            continue;
        }
        let part = Strips { stream: false, ..job.part::<B>(x, width) };
        match part.width * B {
            // SAFETY: the piece lies in the job, is full and high enough.
            64 if high && part.valid == width && S::REGISTER == 64 => unsafe {
                simd.column::<B>(&part, 0);
            },
            // SAFETY: as above.
            32 if high && part.valid == width && S::REGISTER >= 32 => unsafe {
                simd.narrow_column::<B, 32>(&part);
            },
            // SAFETY: as above.
            16 if high && part.valid == width => unsafe { simd.narrow_column::<B, 16>(&part) },
            // SAFETY: the piece lies in the job and fits in a register; `src` is the place of an element.
            _ => unsafe { simd.edge::<B>(&part) },
        }
        x += width;
    }
}

/// Whole lines of the destination through a buffer, for rows of the source or lines of the destination that drive one
/// another out of the first-level cache: each line of the source is read once and whole, and fetched into the second-level
/// cache, where there is room for it, a band ahead.
///
/// # Safety
/// As [`strips`], for a job that has data in all of its lines, and some of these; with `job.stream` they are aligned.
#[inline(always)]
unsafe fn staged<S: Simd, const B: usize>(simd: S, job: &Strips) {
    let side = LINE / B;
    let mut buffer = MaybeUninit::<Lines>::uninit();
    let buffer = buffer.as_mut_ptr().cast::<u8>();
    let mut y = 0;
    while y < job.height {
        let height = if job.height - y < side { job.height - y } else { side };
        let mut x = 0;
        while x < job.width {
            let strip = job.part::<B>(x, side).part_y(y, height);
            for x in 0..side {
                // SAFETY: the strip has as many values of x.
                let from = unsafe { strip.row(x) };
                simd.fetch(from.wrapping_add(BAND));
                let to = buffer.wrapping_add(x * LINE);
                if height == side {
                    // SAFETY: a line of this row lies in the job, and the buffer has as many lines.
                    unsafe { core::ptr::copy_nonoverlapping(from, to, LINE) };
                } else {
                    // SAFETY: `height` elements of this row lie in the job; a line of the buffer has room for them.
                    unsafe { copy_run(from, to, height * B) };
                }
            }
            let part =
                Strips { src: buffer, src_x: ROWS.as_ptr(), src_step: LINE as isize, even_x: true, ..strip };
            if job.even && height * B >= 16 {
                // SAFETY: these elements were just written to the buffer, and their destination lies in the job.
                unsafe { simd.column::<B>(&part, 0) };
            } else if height * B >= 16 {
                // SAFETY: as above, and so are the tables.
                unsafe { simd.tabled::<B>(&part) };
            } else {
                // SAFETY: as above; the strip is a line wide.
                unsafe { pieces::<S, B>(simd, &part, 0, side) };
            }
            x += side;
        }
        y += height;
    }
}

/// Whether rows of the source lie near one another, so that it is lines of the destination alone that can drive one another out of a
/// first-level cache: pixels on their way to planes.
#[inline(always)]
fn are_planes<S: Simd>(job: &Strips, side: usize) -> bool {
    /// Bytes of a pixel, of which a part is read at a time: fewer where registers are parts of lines.
    const SHORT: usize = 256;
    let near = job.even && side <= WAYS * places(job.src_step);
    near && (S::REGISTER == LINE || job.src_step.unsigned_abs() <= SHORT)
}

/// For planes that compete for the same places of a first-level cache: how many of them are written at a time, and for how many
/// pixels, which it holds besides.
#[inline(always)]
pub(super) fn competing<S: Simd, const B: usize>(job: &Strips) -> Option<[usize; 2]> {
    /// Bytes of the source, and lines of a plane at least, which outweigh a loop's beginning.
    const NEAR: usize = 16 * 1024;
    const FEW: usize = 4;
    let side = LINE / B.min(8);
    let planes = if B <= 2 { 2 * WAYS } else { WAYS };
    if B > 8 || job.height <= planes || !are_planes::<S>(job, side) || !is_crowded(job, side) {
        return None;
    }
    Some([planes, (NEAR / side / job.src_step.unsigned_abs().max(1)).max(FEW) * side])
}

/// The rows of a strip in the buffer.
static ROWS: [isize; LINE] = {
    let mut rows = [0; LINE];
    let mut i = 0;
    while i < LINE {
        rows[i] = (i * LINE) as isize;
        i += 1;
    }
    rows
};

/// A line for each row.
#[repr(align(64))]
struct Lines(#[allow(dead_code, reason = "written and read by address")] [[u8; LINE]; LINE]);
