//! Small crossed tiles, as many in a row as there are repetitions: weights of windows of 3 by 3, which plain layouts keep together and blocks
//! take apart. A call for each, or a table of where all of their rows begin, would take longer than their move.
//!
//! * `lanes` turns those whose rows and lines fill registers, or nearly so.
//! * `overlaid` turns what would leave most of these empty, in squares of 8 by 8.
//! * `runs` puts together what ends in padding, from a few elements for each place of a line.
//! * `dense` puts those without gaps on either side together by lookups.
//!
//! A lane of a register is [`SIDE`] bytes of a line of the destination: two beside one another, or two parts of a row, or of two repetitions.

mod dense;
mod lanes;
mod overlaid;
mod runs;

use super::super::super::drive::Strips;
use super::super::super::generic::{step, step_mut};
use super::super::super::tile::{Blocks, Step, Tile};
use super::super::parts::square::next;
use super::super::parts::zip::lanes;
use super::memory::load16;
pub(super) use dense::dense;
use lanes::{Lanes, Tiles};

/// Bytes of a lane; and of half of one, which rows and lines have at least.
const SIDE: usize = 16;
const HALF: usize = SIDE / 2;

/// Bytes of the longest rows and lines that are taken.
const LONGEST: usize = 128;
const WIDEST: usize = 256;

/// Pairs of lanes in the longest lines.
const MOST: usize = WIDEST / SIDE / 2;

/// What [`Simd`](super::super::super::drive::Simd) has of these.
macro_rules! tile_methods {
    () => {
        #[inline(always)]
        unsafe fn tiles<const B: usize>(
            self,
            job: &Strips,
            again: Step,
            blocks: &Blocks,
            narrow: bool,
        ) -> bool {
            // SAFETY: the caller's promise, and the token's.
            unsafe { tiles::tiles::<B>(job, again, blocks, narrow) }
        }

        #[inline(always)]
        unsafe fn without_gaps<const B: usize>(self, job: &Strips, again: Step) -> bool {
            // SAFETY: as above.
            unsafe { tiles::dense::<B>(job, again) }
        }
    };
}
pub(super) use tile_methods;

/// What lies behind rows of less than a lane.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Behind {
    /// The next row; the last one of a repetition is read with that before it.
    Row,
    /// The row of the next repetition; those of the last one are read with that before it.
    Repetition,
    /// What may not be read, unless rows are long enough.
    Nothing,
}

/// Transposes `job`, of elements of `B` bytes, and all of its repetitions; `false` where it is no such tile, and then nothing was done.
///
/// # Safety
/// As [`super::super::super::drive::Simd::tiles`].
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) unsafe fn tiles<const B: usize>(job: &Strips, again: Step, blocks: &Blocks, narrow: bool) -> bool {
    if runs::takes_runs::<B>(job, again, blocks.src.len()) {
        // SAFETY: the caller's promise, and the job was just looked at.
        unsafe { runs::runs::<B>(job, again, blocks) };
        return true;
    }
    if takes_overlaid::<B>(job, again) {
        match B {
            // SAFETY of all: the caller's promise, and the sizes were just looked at.
            // SAFETY: see above.
            1 => unsafe { overlaid::overlaid::<1>(job, again, blocks) },
            // SAFETY: see above.
            2 => unsafe { overlaid::overlaid::<2>(job, again, blocks) },
            // SAFETY: see above; there are no others.
            _ => unsafe { overlaid::overlaid::<4>(job, again, blocks) },
        }
        return true;
    }
    if narrow || !takes::<B>(job, again) {
        return false;
    }
    match B {
        // SAFETY of all: the caller's promise, and the sizes were just looked at.
        // SAFETY: see above.
        1 => unsafe { all::<1, 16>(job, again, blocks) },
        // SAFETY: see above.
        2 => unsafe { all::<2, 8>(job, again, blocks) },
        // SAFETY: see above; there are no others.
        _ => unsafe { all::<4, 4>(job, again, blocks) },
    }
    true
}

/// Whether the crossed `tile`, of elements of `bytes` bytes, is one of the small ones that are repeated by `z`. Lines that end inside of
/// what is written at a time, and go on in the next repetition, are better made longer; so is what `grows` on both sides.
#[inline]
pub(in super::super::super) fn takes_tiles(
    bytes: usize,
    tile: &Tile<'_>,
    z: Step,
    grows: impl FnOnce() -> bool,
) -> bool {
    let job = Strips::even(core::ptr::null(), core::ptr::null_mut(), tile);
    let width = job.width * bytes;
    let at_a_time = if bytes == 4 { 2 * SIDE } else { SIDE };
    let goes_on = !width.is_multiple_of(at_a_time) && z.dst == width as isize;
    let runs = match bytes {
        1 => runs::takes_runs::<1>(&job, z, usize::MAX),
        2 => runs::takes_runs::<2>(&job, z, usize::MAX),
        4 => runs::takes_runs::<4>(&job, z, usize::MAX),
        _ => false,
    };
    if runs {
        return true;
    }
    let overlaid = match bytes {
        1 => takes_overlaid::<1>(&job, z),
        2 => takes_overlaid::<2>(&job, z),
        4 => takes_overlaid::<4>(&job, z),
        _ => false,
    };
    // Rows that fill registers do so in longer tiles too.
    if overlaid && !(goes_on && (bytes == 4 || (job.height * bytes).is_multiple_of(SIDE))) && !grows() {
        return true;
    }
    match bytes {
        _ if goes_on => false,
        1 => takes::<1>(&job, z),
        2 => takes::<2>(&job, z),
        4 => takes::<4>(&job, z),
        _ => false,
    }
}

/// Whether `job`, of elements of `B` bytes, is better turned in small squares (measured with Zen 3): what leaves most of a large one empty.
#[inline]
fn takes_overlaid<const B: usize>(job: &Strips, again: Step) -> bool {
    const EIGHT: usize = 8;
    let (width, height) = (job.width, job.height);
    if B > 4 || width < 4 || height < 4 || job.stream || again.len == 0 {
        return false;
    }
    if !job.even {
        // Of longer rows and lines registers have several.
        let whole = job.even_x || job.dst_y.is_null() && job.valid == width;
        let (short, long) = if job.even_x { (width, height) } else { (height, width) };
        return whole && short * B < SIDE && long >= EIGHT;
    }
    match B {
        1 => {
            let squares = width.is_multiple_of(EIGHT) && height.is_multiple_of(EIGHT) && job.valid == width;
            // What is beside whole squares of 16 is little where there are some of these.
            let narrow = width == EIGHT && job.dst_step == EIGHT as isize
                || height == EIGHT && job.src_step == EIGHT as isize;
            let few = |side: usize, other: usize| match side {
                4 => false,
                EIGHT => other <= if narrow { 32 } else { 64 },
                SIDE => other < 25,
                side => side < 50 && !side.is_multiple_of(SIDE),
            };
            // Whole lanes of lines that lie apart are as well written at once.
            let apart = width == SIDE && job.dst_step != SIDE as isize;
            !squares && !apart && few(width, height) && few(height, width)
        }
        2 => {
            let squares = width.is_multiple_of(EIGHT) && height.is_multiple_of(EIGHT) && job.valid == width;
            let fits = width > 4 && width < 49 && !width.is_multiple_of(SIDE) && (5..100).contains(&height);
            fits && (!squares || width == EIGHT && height == EIGHT)
        }
        _ => {
            let fits = width > 4 && width < SIDE && width != EIGHT && height < 100;
            let squares = width.is_multiple_of(4) && height.is_multiple_of(4) && job.valid == width;
            fits && !squares && height > 4 && !height.is_multiple_of(EIGHT)
        }
    }
}

/// Whether [`tiles`] takes `job`, of elements of `B` bytes, repeated by `again`.
#[inline]
fn takes<const B: usize>(job: &Strips, again: Step) -> bool {
    let (width, height) = (job.width * B, job.height * B);
    let whole = job.valid == job.width || width < SIDE || width.is_multiple_of(SIDE);
    let lines = whole && width >= if B < 4 { HALF } else { SIDE };
    let rows = height >= SIDE || B < 4 && height >= HALF && behind::<B>(job, again) != Behind::Nothing;
    let fits = width <= WIDEST && height <= LONGEST && lines && rows;
    B <= 4 && job.even && !job.stream && job.valid > 0 && again.len > 0 && fits
}

/// What lies behind the rows of `job`.
#[inline]
fn behind<const B: usize>(job: &Strips, again: Step) -> Behind {
    let len = (job.height * B) as isize;
    if job.src_step == len && job.valid > 1 {
        Behind::Row
    } else if again.src == len && again.len > 1 {
        Behind::Repetition
    } else {
        Behind::Nothing
    }
}

/// # Safety
/// As [`tiles`], for a job that it [takes](takes), with `R * B == 16`.
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
unsafe fn all<const B: usize, const R: usize>(job: &Strips, again: Step, blocks: &Blocks) {
    let (width, row) = (job.width * B, job.height * B);
    let behind = if row < SIDE { behind::<B>(job, again) } else { Behind::Nothing };
    let back = SIDE.saturating_sub(row);
    let (mut shift, mut end) = ([0x80; SIDE], [0x80; SIDE]);
    for (i, at) in shift[..SIDE - back].iter_mut().enumerate() {
        *at = (back + i) as u8;
    }
    for (i, at) in end[..HALF].iter_mut().enumerate() {
        *at = (width.clamp(HALF, SIDE) - HALF + i) as u8;
    }
    let mut rows = [0; SIDE];
    for (i, at) in rows[..R].iter_mut().enumerate() {
        *at = (i.min(job.valid - 1) as isize).wrapping_mul(job.src_step);
    }
    // SAFETY of both: the tables have 16 bytes.
    // SAFETY: see above.
    let shift = unsafe { load16(shift.as_ptr()) };
    // SAFETY: see above.
    let end = unsafe { load16(end.as_ptr()) };
    let tiles = Tiles {
        job,
        shift,
        end,
        back,
        last: width.saturating_sub(HALF),
        rows,
        follow: job.dst_step == width as isize,
    };
    // The last lane of a line lies over the one before, and may have none beside it.
    let count = width.div_ceil(SIDE);
    let lane = |lane: usize| {
        let x = if lane + 1 < count { lane * R } else { width.saturating_sub(SIDE) / B };
        let valid = if job.valid < x { 0 } else { (job.valid - x).min(R) };
        let shifted = if behind == Behind::Row && valid > 0 { job.valid - 1 - x } else { R };
        // Without data nothing is read.
        let src = if valid > 0 { (x as isize).wrapping_mul(job.src_step) } else { 0 };
        (src, x * B, valid, shifted)
    };
    let beside = |a: usize, b: usize| {
        let (a, b) = (lane(a), lane(b));
        Lanes { src: [a.0, b.0], dst: [a.1, b.1], valid: [a.2, b.2], shifted: [a.3.min(R), b.3.min(R)] }
    };
    let mut pairs = [beside(0, 0); MOST];
    for (i, pair) in pairs[..count / 2].iter_mut().enumerate() {
        *pair = beside(2 * i, 2 * i + 1);
    }
    let pairs = &pairs[..count / 2];
    let full = pairs.iter().take_while(|pair| pair.is_full::<B, R>() && pair.follow()).count();
    if full == pairs.len() && count % 2 == 0 && behind != Behind::Repetition {
        // SAFETY: the caller's promise, and that the lines are whole registers of data was just looked at.
        return unsafe { tiles.whole::<B, R>(again, blocks) };
    }
    let alone = (count % 2 == 1).then(|| beside(count - 1, count - 1));
    // An odd number of lanes along rows would leave one.
    let by_rows = row >= 2 * SIDE && (row.div_ceil(SIDE).is_multiple_of(2) || again.len == 1);
    let ends = |z: usize| behind == Behind::Repetition && z + 1 == again.len;
    for (&src_by, &dst_by) in blocks.src.iter().zip(blocks.dst) {
        let (first, to) = (job.src.wrapping_offset(src_by), job.dst.wrapping_offset(dst_by));
        for z in 0..if pairs.is_empty() && !by_rows { 0 } else { again.len } {
            let (src, dst) = (step(first, z, again.src), step_mut(to, z, again.dst));
            let full = if ends(z) { 0 } else { full };
            let mut y = 0;
            loop {
                let (from, to) = (src.wrapping_add(y * B), step_mut(dst, y, job.dst_step));
                // SAFETY: the lanes lie in this repetition, and all of them is data.
                unsafe { tiles.registers::<B, R>(from, to, full) };
                for pair in &pairs[full..] {
                    let lanes = Lanes { shifted: if ends(z) { [0; 2] } else { pair.shifted }, ..*pair };
                    // SAFETY: the lanes lie in this repetition.
                    unsafe { tiles.part::<B, R>(src, dst, &lanes, y) };
                }
                match next(y, R, job.height) {
                    Some(next) => y = next,
                    None => break,
                }
            }
            if let Some(mut lanes) = alone
                && by_rows
            {
                // A row has two lanes at least.
                lanes.src[1] += SIDE as isize;
                lanes.dst[1] = lanes.dst[1].wrapping_add_signed((R as isize).wrapping_mul(job.dst_step));
                // SAFETY: as above.
                unsafe { tiles.lane::<B, R>(src, dst, lanes, 2 * R) };
            }
        }
        let Some(lanes) = alone.filter(|_| !by_rows) else { continue };
        let mut z = 0;
        loop {
            let (src, dst) = (step(first, z, again.src), step_mut(to, z, again.dst));
            let mut lanes = lanes;
            let other = if z + 1 < again.len { 1 } else { 0 };
            if other > 0 && lanes.valid[1] > 0 {
                lanes.src[1] = lanes.src[1].wrapping_add(again.src);
            }
            lanes.dst[1] = lanes.dst[1].wrapping_add_signed(again.dst.wrapping_mul(other as isize));
            lanes.shifted = lanes!(32, l => if ends(z + l * other) { 0 } else { lanes.shifted[l] });
            // SAFETY: the lanes lie in these repetitions.
            unsafe { tiles.lane::<B, R>(src, dst, lanes, R) };
            match next(z, 1 + other, again.len) {
                Some(next) => z = next,
                None => break,
            }
        }
    }
}
