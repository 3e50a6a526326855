//! Crossed tiles of elements of 2 and 4 bytes that go by squares a line wide on both sides, not cut into bands: where lines
//! lie far from one another, it is their move that takes the time, and the processor foresees it if the next lines of the
//! same rows follow at once. Called by `cross`.

use super::super::{LINE, Simd, Strips};
use super::pieces::pieces;
use super::places::{is_crowded, rows_compete};

/// Squares that follow one another at least.
const MANY: usize = 8;

/// Bytes of one side that a second-level cache does not hold, with those of the other.
const LARGE: usize = 512 * 1024;

/// Bytes of one side that are several times what such a cache holds.
const BEYOND: usize = 4 * 1024 * 1024;

/// From this distance each line has a page of its own, or nearly.
const FAR: usize = 2048;

/// Up to this distance, a few lines of the destination are written one behind the other.
const NEAR: usize = 512;

/// From this distance each line has a page of its own, whatever that begins with.
const PAGE: usize = 4096;

/// Squares that are written side by side where rows lie far from one another, and where they are no whole lines or a few lines'
/// rows of the other side lie near one another.
const ASIDE: usize = 4;
const PAIR: usize = 2;

/// In which order squares are transposed.
#[derive(Clone, Copy)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "x86-64 alone reads it so far"))]
pub(in super::super::super) struct Order {
    /// Whether what comes next in the source is fetched into the second-level cache: rows that compete for the same places drive one
    /// another out of the first.
    pub(in super::super::super) fetches: bool,
    /// Squares side by side along x at most, which are followed by those below them.
    pub(in super::super::super) aside: usize,
    /// Whether a square's lines drive one another out of a first-level cache.
    pub(in super::super::super) crowded: bool,
    /// Whether the lines of the next square are asked for before they are written.
    pub(in super::super::super) claims: bool,
}

/// Squares of 8 by 8 elements that follow one another on both sides.
#[derive(Clone, Copy)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "x86-64 alone reads it so far"))]
pub(in super::super::super) struct Eights {
    pub(in super::super::super) src: *const u8,
    pub(in super::super::super) dst: *mut u8,
    /// Squares, and the bytes between two of them.
    pub(in super::super::super) count: usize,
    pub(in super::super::super) src_z: isize,
    pub(in super::super::super) dst_z: isize,
}

/// Transposes `job`, which has no tables; `false` where squares do not pay, and then nothing was done.
///
/// # Safety
/// The first point of [`Simd::column`]; the job is even.
#[inline(always)]
pub(super) unsafe fn squares<S: Simd, const B: usize>(simd: S, job: &Strips) -> bool {
    let side = LINE / B;
    let longer = if job.width > job.height { job.width } else { job.height };
    let fits = job.width >= 2 * side && job.height > side && longer >= MANY * side;
    // Planes that compete are faster by strips, where the processor foresees the pixels.
    let competes = job.src_step.unsigned_abs() < 2 * LINE && !simd.writes_in_turn() && is_crowded(job, side);
    // Rows of the source that compete too, through a buffer of several lines of each, unless these are far more than it holds.
    let small = job.width * job.height * B < 2 * LARGE;
    let buffered = B == 2 && small && !simd.writes_in_turn() && rows_compete::<S, B>(simd, job, side);
    if !fits || job.stream || job.valid < job.width || competes || buffered {
        return false;
    }
    // Lines of the destination that all rows share begin where it is a multiple of 64.
    let off = job.dst.addr() % LINE;
    let aligned = off.is_multiple_of(B) && (job.dst_step as usize).is_multiple_of(LINE);
    let far = |step: isize| step.unsigned_abs() >= FAR;
    // Where rows begin inside of lines, strips side by side are faster as long as a cache of the second level has it all.
    let large = B == 4 && job.width * job.height * B >= LARGE && S::REGISTER == LINE;
    let whole = (job.src_step as usize).is_multiple_of(LINE) || large;
    // Pixels to planes: rows of the source near one another, lines of the destination far.
    let planes = whole && !far(job.src_step) && far(job.dst_step) && job.width >= MANY * side;
    // Planes to pixels of a few lines; narrower elements are faster by columns.
    let near = job.dst_step.unsigned_abs() <= NEAR && (aligned || simd.writes_in_turn());
    let pixels = B == 4 && far(job.src_step) && near && job.height >= MANY * side;
    let crowded = is_crowded(job, side);
    // Rows of both sides in pages of their own, where the processor foresees some of them.
    let apart = B == 4 && S::REGISTER == LINE && far(job.src_step) && far(job.dst_step);
    let apart = apart && job.width * job.height * B >= BEYOND / 2 && simd.writes_in_turn();
    // Registers of a quarter of a line read each line too often: through a buffer, where lines drive one another out.
    if !planes && !pixels && !crowded && !apart || crowded && 2 * S::REGISTER < LINE {
        return false;
    }
    let first = if aligned && off > 0 { (LINE - off) / B } else { 0 };
    let lines = (job.width - first) / side * side;
    let part = job.part::<B>(first, lines);
    // Rows of the source that compete are foreseen least; of a tile that the caches hold, fetching costs more than it saves.
    let beyond = crowded && job.width * job.height * B >= BEYOND && job.width >= job.height;
    let fetches = !planes && beyond && !apart;
    // A few values of y that are left would cost as much as a square; as many as a register takes of them do not.
    let (rest, least) = (job.height % side, 16 / B);
    let few = if planes && 2 * rest <= side { rest.div_ceil(least) * least } else { 0 };
    let height = if few > 0 { job.height - rest } else { job.height };
    let below = job.dst_step.unsigned_abs() <= NEAR && height > lines;
    let aside = match simd.writes_in_turn() {
        true if apart && aligned && (job.src_step as usize).is_multiple_of(LINE) => ASIDE,
        true if apart => PAIR,
        true if planes && (B > 2 || job.dst_step.unsigned_abs() > 2 * PAGE) => ASIDE,
        true if pixels && aligned && job.src_step.unsigned_abs() >= PAGE => PAIR,
        // The source is read on along its rows, which the processor foresees.
        false if below => 1,
        // Lines that two rows of squares share are still at hand for the second (Zen 5, 1.1 to 1.2 times as fast).
        false if planes && !(job.src_step as usize).is_multiple_of(LINE) => ASIDE,
        _ => usize::MAX,
    };
    let order = Order { fetches, aside, crowded, claims: B == 4 && simd.writes_in_turn() };
    // SAFETY: these values of x are whole lines in the job, and a line of values of y at least is; the rest was just looked at.
    if !unsafe { simd.squares::<B>(&Strips { height, ..part }, order) } {
        return false;
    }
    if few > 0 {
        // SAFETY: these values of y lie in the job, and are as many as a square of this kind needs.
        unsafe { simd.columns::<B>(&part.part_y(job.height - few, few), lines / side) };
    }
    let left = job.width - first - lines;
    for (x, width) in [(0, first), (first + lines, left)] {
        if width == 0 {
            continue;
        }
        if S::REGISTER == LINE {
            // SAFETY: these values of x lie in the job, and are less than a line.
            unsafe { simd.edge::<B>(&job.part::<B>(x, width)) };
        } else {
            // SAFETY: these values of x lie in the job.
            unsafe { pieces::<S, B>(simd, job, x, width) };
        }
    }
    true
}
