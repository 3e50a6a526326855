//! Groups of four elements on one side that are in four rows on the other: `OIhw4i16o4i` and its like, whose innermost block
//! has four. Two bytes of a group at a time, without a byte for each element. Called by `staged`.

use core::mem::MaybeUninit;

use super::super::cpu::Token;
use super::super::drive::{Four, Fours, fours};
use super::weave::{part_four, weave_four};
use super::{Job, Nibble, Place};

/// Moves the tile, if it is of this kind and has no padding; else does nothing and returns `false`.
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
    let (four, job) = if to_groups {
        let (four, groups_z) = if spreads { (Four::Spread { signed }, to) } else { (Four::Weave, to >> 1) };
        let (rows, groups) = (src.byte(true), dst.byte_mut(!spreads));
        (
            four,
            Fours {
                rows,
                row: x.src >> 1,
                rows_z: repeats >> 1,
                groups,
                groups_z,
                count: z.len,
                len: y.len / 2,
            },
        )
    } else {
        let (rows, groups) = (dst.byte_mut(true).cast_const(), src.byte(true).cast_mut());
        let (rows_z, groups_z) = (to >> 1, repeats >> 1);
        (Four::Part, Fours { rows, row: y.dst >> 1, rows_z, groups, groups_z, count: z.len, len: x.len / 2 })
    };
    if job.len.is_multiple_of(Fours::PIECE)
        && let Some(way) = fours(token, four)
    {
        // SAFETY: rows and groups begin with whole bytes, and follow one another; the caller's promise.
        unsafe { way(&job) };
        return true;
    }
    if spreads {
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
