//! Rows of elements of 4 bits that become floats, without a byte for each between. Called by `staged`.

use super::super::cpu::Token;
use super::super::drive::nibbles;
use super::super::tile::{Step, Tile};
use super::{Job, Place};

/// Elements of a row below which it is too short.
const SHORT: usize = 16;

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
    // SAFETY: rows begin with whole bytes and follow one another on both sides; the caller's promise.
    unsafe { nibbles(token, job.formats, src.byte(true), dst.byte_mut(false), &bytes) }
}
