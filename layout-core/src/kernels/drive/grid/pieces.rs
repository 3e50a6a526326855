//! [`Pieces`]: pieces of half a line or a quarter of one that share lines on both sides, so many at a time as read and write whole
//! lines. Called by the folder's `grid`, for the families that have such.

use super::super::super::generic::{step, step_mut};
use super::super::super::tile::Step;
use super::super::{LINE, Simd};
use super::Grid;

/// Pieces of `len` bytes, a part of a [`LINE`]: those along `across` follow one another in the source, those along `down` in
/// the destination.
#[derive(Clone, Copy)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "x86-64 alone reads it so far"))]
pub(in super::super::super) struct Pieces<'a> {
    pub(in super::super::super) src: *const u8,
    pub(in super::super::super) dst: *mut u8,
    pub(in super::super::super) len: usize,
    /// Multiples of as many pieces as fill a line.
    pub(in super::super::super) across: Step,
    pub(in super::super::super) down: Step,
    /// As those of a [`Grid`].
    pub(in super::super::super) places: (&'a [isize], &'a [isize]),
    /// Whether all lines of the destination are aligned and go past the caches.
    pub(in super::super::super) stream: bool,
    /// Whether lines of the destination, which squares are written across, are asked for before.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "x86-64 alone reads it so far"))]
    pub(in super::super::super) claims: bool,
}

/// Bytes of one side that a second-level cache holds with those of the other. Beyond it, the order of a [`Grid`] is faster: the
/// processor foresees it.
const LARGEST: usize = 512 * 1024;

/// Moves the pieces of `job` in squares of a line, and those that are left one by one; `false` where they are no such pieces or the
/// family has no way for them, and then nothing was done.
///
/// # Safety
/// As [`grid`](super::grid).
#[inline(always)]
pub(super) unsafe fn squares<S: Simd>(simd: S, job: &Grid) -> bool {
    match job.len {
        // SAFETY: the caller's promise.
        16 => unsafe { squares_of::<S, 4>(simd, job) },
        // SAFETY: as above.
        32 => unsafe { squares_of::<S, 2>(simd, job) },
        _ => false,
    }
}

/// [`squares`] of pieces of which `N` fill a line.
///
/// # Safety
/// As [`grid`](super::grid).
#[inline(always)]
unsafe fn squares_of<S: Simd, const N: usize>(simd: S, job: &Grid) -> bool {
    let Grid { src, dst, len, loops, places, stream, .. } = *job;
    let count = loops.iter().fold(places.0.len(), |count, one| count.saturating_mul(one.len));
    if count.saturating_mul(len) > LARGEST {
        return false;
    }
    let piece = len as isize;
    let across = loops.iter().position(|one| one.src == piece && one.len >= N);
    let down = loops.iter().position(|one| one.dst == piece && one.len >= N);
    let (Some(across), Some(down)) = (across, down) else { return false };
    if across == down {
        return false;
    }
    let around = loops[3 - across - down];
    let (across, down) = (loops[across], loops[down]);
    let cut = |one: Step| (Step { len: one.len / N * N, ..one }, Step { len: one.len % N, ..one });
    let ((across, more), (down, rest)) = (cut(across), cut(down));
    let is_on_line = |at: usize| at.is_multiple_of(LINE);
    let on_lines =
        is_on_line(dst.addr()) && is_on_line(across.dst as usize) && is_on_line(around.dst as usize);
    let stream = stream && on_lines && places.1.iter().all(|&at| is_on_line(at as usize));
    let claims = job.claims && !on_lines;
    for i in 0..around.len {
        let (src, dst) = (step(src, i, around.src), step_mut(dst, i, around.dst));
        // SAFETY: the caller's promise; these squares are in the job.
        if !unsafe { simd.pieces(&Pieces { src, dst, len, across, down, places, stream, claims }) } {
            // As of the first one.
            return false;
        }
    }
    let left = Grid { stream: false, ..*job };
    if more.len > 0 {
        let whole = Step { len: down.len + rest.len, ..down };
        let (src, dst) = (step(src, across.len, across.src), step_mut(dst, across.len, across.dst));
        // SAFETY: the caller's promise; these pieces are left.
        unsafe { simd.ordered(&Grid { src, dst, loops: [around, whole, more], ..left }) };
    }
    if rest.len > 0 {
        let (src, dst) = (step(src, down.len, down.src), step_mut(dst, down.len, down.dst));
        // SAFETY: as above.
        unsafe { simd.ordered(&Grid { src, dst, loops: [around, across, rest], ..left }) };
    }
    true
}
