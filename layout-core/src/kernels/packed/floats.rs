//! Rows of elements of 4 bits that become floats, without a byte for each between. Called by `staged`.

use super::super::cpu::Token;
use super::super::drive::nibbles;
use super::super::generic::{step, step_mut};
use super::super::tile::{Step, Tile};
use super::{Job, Place, with_places_at};

/// Elements of a row below which it is too short.
const SHORT: usize = 16;

/// Elements of rows, parts of longer ones, up to which these are better read as they lie; and bytes at a time.
const PART: usize = 512;
const BAND: usize = 128 * 1024;

/// Moves all data of the tile, if it is of this kind and the family has a way; else does nothing and returns `false`.
///
/// # Safety
/// That of [`super::run_on`].
pub(super) unsafe fn floats(token: Token, job: &Job<'_>, src: Place<*const u8>, dst: Place<*mut u8>) -> bool {
    let Tile { x, y, z, valid_x, valid_y, .. } = *job.tile;
    let rows = x.src == 1 && x.dst == job.dst_bytes as isize && valid_x >= SHORT;
    if job.copies || job.packing.src.is_none() || job.packing.dst.is_some() || !rows {
        return false;
    }
    let (y_src, z_src) = (if valid_y > 1 { y.src } else { 0 }, if z.len > 1 { z.src } else { 0 });
    if (src.at | y_src | z_src) & 1 == 1 {
        return false;
    }
    let bytes = Tile { y: Step { src: y_src >> 1, ..y }, z: Step { src: z_src >> 1, ..z }, ..*job.tile };
    let (src, dst) = (src.byte(true), dst.byte_mut(false));
    // Repetitions that go on where rows end: some rows of all of them at a time, since lines hold parts of several.
    let goes_on = z.len > 1 && z.src == valid_x as isize && valid_x < PART;
    let height = if goes_on { BAND / (z.len * valid_x / 2) } else { valid_y }.max(1);
    let mut at = 0;
    while at < valid_y {
        let count = height.min(valid_y - at);
        let band = Tile { y: Step { len: count, ..bytes.y }, valid_y: count, ..bytes };
        let (from, to) = (step(src, at, bytes.y.src), step_mut(dst, at, bytes.y.dst));
        let mut done = false;
        with_places_at(job.tile, [0, at, 0], || {
            // SAFETY: rows begin with whole bytes and follow one another on both sides; the caller's promise.
            done = unsafe { nibbles(token, job.formats, from, to, &band) };
        });
        // It takes all bands or none.
        if !done {
            return false;
        }
        at += count;
    }
    true
}
