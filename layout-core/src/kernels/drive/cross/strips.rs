//! Cuts a band into strips: whole aligned lines of the destination where there are any, narrower registers for what is
//! left. Called by `cross`.

use super::super::super::generic::{step, step_mut};
use super::super::{LINE, Simd};
use super::beside::{beside, count};
use super::pieces::pieces;
use super::places::{WAYS, is_crowded, places, rows_compete};
use super::staged::staged;

/// From this distance between two rows of the source the processor does not see what is read next.
const FAR: usize = 512;

/// From this distance in elements (of 2 bytes at least) between two lines of the destination a strip waits for too many
/// pages: as many as this are written side by side, a square of each at a time.
const APART: usize = 1024;
const ASIDE: usize = 4;

/// Elements that are contiguous along x in the destination and along y in the source, of which `valid` along x hold data
/// and the rest up to `width` is zeroed.
#[derive(Clone, Copy)]
pub(in super::super::super) struct Strips {
    pub(in super::super::super) src: *const u8,
    /// Bytes from `src` to each value of x that holds data, and a line more that can be read; unless `even`.
    pub(in super::super::super) src_x: *const isize,
    /// Bytes between two values of y in the source: the element's, unless that has 16.
    pub(in super::super::super) src_y: isize,
    pub(in super::super::super) dst: *mut u8,
    /// Bytes from `dst` to each value of y; unless `even`.
    pub(in super::super::super) dst_y: *const isize,
    /// Whether there are no tables, and all distances are multiples of `src_step` and `dst_step`.
    pub(in super::super::super) even: bool,
    /// Whether all distances of the source at least are multiples of `src_step`.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "x86-64 alone reads it so far"))]
    pub(in super::super::super) even_x: bool,
    pub(in super::super::super) src_step: isize,
    pub(in super::super::super) dst_step: isize,
    /// Values of x that hold data.
    pub(in super::super::super) valid: usize,
    /// Values of x in all.
    pub(in super::super::super) width: usize,
    /// Values of y.
    pub(in super::super::super) height: usize,
    /// Whether whole lines of the destination go past the caches.
    pub(in super::super::super) stream: bool,
    /// Whether lines of the destination are asked for before they are written.
    pub(in super::super::super) claims: bool,
}

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
    let high = job.height * B >= 16;
    let buffered = high && rows_compete::<S, B>(simd, job, job.valid);
    if job.width < side && follow && !buffered {
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
    // SAFETY: the caller's promise, and the sizes were just compared.
    if !high && job.even && job.valid == job.width && unsafe { simd.few::<B>(job) } {
        return;
    }
    if job.width < side {
        let scattered = !job.even && matches!(job.width * B, 16 | 32) && job.valid == job.width;
        // SAFETY of both: the caller's promise, and the sizes were just compared.
        // SAFETY: see above.
        if scattered && unsafe { simd.scattered::<B>(job) } {
            return;
        }
        if buffered {
            // SAFETY: see above; a part of a line does not stream.
            unsafe { staged::<S, B>(simd, &Strips { stream: false, ..*job }) };
        } else {
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
        // All of them without a look at each: a tile of small squares would feel the branches.
        // SAFETY: these values of y are there.
        let differ = |bits, y| bits | unsafe { job.line(y) }.addr() ^ off;
        (1..job.height).fold(0, differ).is_multiple_of(LINE)
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
        let width = count::<S, B>(job, x);
        if width > 0 {
            // SAFETY: the caller's promise; these values of x lie in the job.
            unsafe { beside::<S, B>(simd, &job.part::<B>(x, width)) };
            x += width;
            if x == job.width {
                return;
            }
        }
        // What is left of a line is as well done by itself if it is read from a few rows.
        let left = (job.valid - x) % side;
        let width = if rows_compete::<S, B>(simd, job, left) { job.width - x } else { job.valid - x - left };
        if width > 0 {
            // SAFETY: these values of x lie in the job; where it streams, the lines are aligned.
            unsafe { staged::<S, B>(simd, &job.part::<B>(x, width)) };
            x += width;
        }
        if x == job.width {
            return;
        }
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
        let part = Strips { claims: part.claims || shares_lines::<S, B>(simd, job), ..part };
        let ahead = match is_far(part.src_step) && (B > 1 || part.height >= 192) {
            true => ahead::<B>(),
            // The rows of the next strip.
            false if B == 2 && reads_on(simd, &part) => part.src_step.wrapping_mul(side as isize),
            false => 0,
        };
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
    let rest = job.part::<B>(x, if left < side { left } else { side });
    let sparse = job.even && rest.width == side && rest.valid > 0 && rest.valid * B <= 16;
    // SAFETY: these values of x lie in the job, a line of them; where it streams, the lines are aligned.
    if sparse && unsafe { simd.sparse::<B>(&rest) } {
        // Behind it there are lines of padding alone.
        (x, left) = (x + side, left - side);
        if left == 0 {
            return;
        }
    }
    // SAFETY: these values of x lie in the job.
    unsafe { pieces::<S, B>(simd, job, x, left) };
}

/// Whether lines of the destination are shared by strips, which are bytes whose rows do not compete: fewer values of y are finished
/// at a time, so that these lines stay in a first-level cache until the next strip, and are asked for before they are written, since
/// a register that is written to two lines waits for both.
#[inline(always)]
pub(super) fn shares_lines<S: Simd, const B: usize>(simd: S, job: &Strips) -> bool {
    let uneven = job.even && !job.dst_step.unsigned_abs().is_multiple_of(LINE);
    is_bytewise::<S, B>() && simd.writes_in_turn() && uneven && LINE <= WAYS * places(job.src_step)
}

/// Whether elements are bytes that whole lines are made of, by families with which that was measured.
#[inline(always)]
pub(super) fn is_bytewise<S: Simd, const B: usize>() -> bool {
    B == 1 && S::REGISTER == LINE
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

/// Whether the processor goes along rows by itself and does not foresee the next ones: few rows at a time are read far along, in registers
/// narrower than a line, with which that was measured (Zen 3, elements of 2 bytes, 1.0 to 1.2 times as fast).
#[inline(always)]
pub(super) fn goes_along<S: Simd>(simd: S) -> bool {
    S::REGISTER < LINE && !simd.writes_in_turn()
}

/// Whether rows of pixels are fetched: they lie too far from one another for such processors to see the next ones (Zen 3, 1.1 to 1.5
/// times as fast).
#[inline(always)]
fn reads_on<S: Simd>(simd: S, job: &Strips) -> bool {
    goes_along(simd) && job.src_step.unsigned_abs() >= 2 * LINE && !is_far(job.src_step)
}

/// Whether rows of the source `step` bytes apart are so far from one another that the processor does not see what is read next.
#[inline(always)]
pub(super) fn is_far(step: isize) -> bool {
    step.unsigned_abs() >= FAR
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
pub(super) fn competing<S: Simd, const B: usize>(simd: S, job: &Strips) -> Option<[usize; 2]> {
    /// Bytes of the source, and lines of a plane at least, which outweigh a loop's beginning.
    const NEAR: usize = 16 * 1024;
    const FEW: usize = 4;
    let side = LINE / B.min(8);
    let planes = if B == 1 || B == 2 && !goes_along(simd) { 2 * WAYS } else { WAYS };
    // Pixels of so many lines would compete themselves before all planes are written.
    if is_bytewise::<S, B>() && FEW * side > WAYS * places(job.src_step) {
        return None;
    }
    if B > 8 || job.height <= planes || !are_planes::<S>(job, side) || !is_crowded(job, side) {
        return None;
    }
    Some([planes, (NEAR / side / job.src_step.unsigned_abs().max(1)).max(FEW) * side])
}
