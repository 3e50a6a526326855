//! Groups of four elements on one side that are in four rows on the other: `OIhw4i16o4i` and its like, whose innermost block
//! has four. Two bytes of a group at a time, without a byte for each element. Called by `staged`.

use core::mem::MaybeUninit;

use super::super::cpu::Token;
use super::super::drive::{Four, Fours, fours};
use super::super::generic::{step, step_mut};
use super::weave::{part_four, weave_four};
use super::{Job, Nibble, Place};

/// Moves the tile, if it is of this kind and has no padding; else does nothing and returns `false`. Where it is repeated, all
/// repetitions, if the family has a way for these.
///
/// # Safety
/// That of [`super::run_on`].
pub(super) unsafe fn groups(token: Token, job: &Job<'_>, src: Place<*const u8>, dst: Place<*mut u8>) -> bool {
    let tile = job.tile;
    let (x, y, z) = (tile.x, tile.y, tile.z);
    let spreads = job.packing.dst.is_none() && job.moves_bytes();
    let whole = tile.valid_x == x.len && tile.valid_y == y.len && x.dst == 1 && y.src == 1;
    let (repeats, to) = if z.len > 1 { (z.src, z.dst) } else { (0, 0) };
    let uneven = (src.at | repeats) & 1 == 1 || !spreads && (dst.at | to) & 1 == 1;
    if !(job.copies || spreads) || !whole || uneven {
        return false;
    }
    let to_groups = x.len == 4 && y.dst == 4 && y.len.is_multiple_of(2) && x.src % 2 == 0;
    let to_rows = !spreads && y.len == 4 && x.src == 4 && x.len.is_multiple_of(2) && y.dst % 2 == 0;
    if !to_groups && !to_rows {
        return false;
    }
    let signed = job.packing.src == Some(Nibble::Signed);
    let (four, len) = match (to_groups, spreads) {
        (true, true) => (Four::Spread { signed }, y.len / 2),
        (true, false) => (Four::Weave, y.len / 2),
        (false, _) => (Four::Part, x.len / 2),
    };
    if len.is_multiple_of(Fours::PIECE)
        && let Some(way) = fours(token, four)
    {
        let (src_z, dst_z) = (repeats >> 1, if spreads { to } else { to >> 1 });
        let (from, to) = (src.byte(true), dst.byte_mut(!spreads));
        let places = &[];
        let fours = match to_groups {
            true => {
                let (row, rows_z, groups_z) = (x.src >> 1, src_z, dst_z);
                Fours { rows: from, row, rows_z, groups: to, groups_z, count: z.len, places }
            }
            false => {
                let (rows, groups, row) = (to.cast_const(), from.cast_mut(), y.dst >> 1);
                Fours { rows, row, rows_z: dst_z, groups, groups_z: src_z, count: z.len, places }
            }
        };
        let across = len / Fours::PIECE;
        let Some(blocks) = tile.tables.blocks else {
            let at = |piece: usize| place([0, 0], piece, spreads);
            // SAFETY: rows and groups begin with whole bytes, and follow one another; the caller's promise.
            unsafe { each_part(way, &fours, across, at) };
            return true;
        };
        let is_uneven = |at: &[isize]| at.iter().any(|at| at & 1 == 1);
        if to_groups && !is_uneven(blocks.src) && (spreads || !is_uneven(blocks.dst)) {
            let at = |piece: usize| {
                let (block, piece) = (piece / across, piece % across);
                let (src, dst) = (blocks.src[block], blocks.dst[block]);
                place([src >> 1, if spreads { dst } else { dst >> 1 }], piece, spreads)
            };
            // SAFETY: as above, for all repetitions of the tile.
            unsafe { each_part(way, &fours, across * blocks.src.len(), at) };
            return true;
        }
    }
    if spreads || tile.tables.blocks.is_some() {
        return false;
    }
    for i in 0..z.len {
        let (src, dst) = (src.step(i, z.src), dst.step(i, z.dst));
        if to_groups {
            let rows = [0, 1, 2, 3].map(|k| {
                // SAFETY: the elements of a row follow one another from a whole byte on; the caller's promise.
                unsafe { core::slice::from_raw_parts(src.step(k, x.src).byte(true), y.len / 2) }
            });
            let groups = dst.byte_mut(true).cast::<MaybeUninit<[u8; 4]>>();
            // SAFETY: groups follow one another from a whole byte on; the caller's promise; bytes need no alignment.
            weave_four(token, rows, unsafe { core::slice::from_raw_parts_mut(groups, y.len / 2) });
        } else {
            // SAFETY: as above.
            let groups = unsafe { core::slice::from_raw_parts(src.byte(true).cast::<[u8; 4]>(), x.len / 2) };
            let rows = [0, 1, 2, 3].map(|k| {
                let row = dst.step(k, y.dst).byte_mut(true).cast::<MaybeUninit<u8>>();
                // SAFETY: as above; the rows are places of their own.
                unsafe { core::slice::from_raw_parts_mut(row, x.len / 2) }
            });
            part_four(token, groups, rows);
        }
    }
    true
}

/// The place of a piece of rows that begin at `first`.
fn place([rows, groups]: [isize; 2], piece: usize, spreads: bool) -> [isize; 2] {
    let by = (piece * Fours::PIECE) as isize;
    [rows.wrapping_add(by), groups.wrapping_add(by * if spreads { 8 } else { 4 })]
}

/// Calls `way` for all repetitions of `job` and `pieces` of each, whose places `at` says, as many of them at a time as are worth it.
///
/// # Safety
/// That of `way`, for all of these.
unsafe fn each_part(
    way: unsafe fn(job: &Fours<'_>),
    job: &Fours<'_>,
    pieces: usize,
    at: impl Fn(usize) -> [isize; 2],
) {
    let next =
        |[rows, groups]: [isize; 2]| [rows.wrapping_add(job.rows_z), groups.wrapping_add(job.groups_z)];
    if pieces == 1 && job.count.is_multiple_of(2) {
        let (rows_z, groups_z) = (job.rows_z.wrapping_mul(2), job.groups_z.wrapping_mul(2));
        let places = &[[at(0), next(at(0))]];
        // SAFETY: the caller's promise.
        return unsafe { way(&Fours { rows_z, groups_z, count: job.count / 2, places, ..*job }) };
    }
    for first in (0..pieces).step_by(Fours::BESIDE) {
        let len = Fours::BESIDE.min(pieces - first);
        let mut places = [[0; 2]; 2 * Fours::BESIDE];
        for (i, place) in places[..len].iter_mut().enumerate() {
            *place = at(first + i);
        }
        // An odd number of pieces is taken together with the next repetition's; one that is left, twice.
        let together = if len.is_multiple_of(2) { 1 } else { 2 };
        let mut done = 0;
        for together in [together, 1] {
            let count = (job.count - done) / together;
            if count == 0 {
                continue;
            }
            for i in len..2 * len {
                places[i] = if together == 1 { places[len - 1] } else { next(places[i - len]) };
            }
            let by = together as isize;
            let part = Fours {
                rows: step(job.rows, done, job.rows_z),
                rows_z: job.rows_z.wrapping_mul(by),
                groups: step_mut(job.groups, done, job.groups_z),
                groups_z: job.groups_z.wrapping_mul(by),
                count,
                places: &places.as_chunks().0[..(together * len).div_ceil(2)],
                ..*job
            };
            // SAFETY: the caller's promise.
            unsafe { way(&part) };
            done += together * count;
        }
    }
}
