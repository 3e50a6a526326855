//! Which lines have the same places in a first-level cache. Called by the files of this folder.

use super::super::{LINE, Simd, Strips};

/// Lines of the source at this distance compete for the same places of a first-level cache, of which there are at
/// least `WAYS`.
const ALIAS: usize = 4096;
pub(super) const WAYS: usize = 8;

/// How many different places of a first-level cache lines at this distance fall into.
#[inline(always)]
pub(super) fn places(step: isize) -> usize {
    ALIAS >> (step.unsigned_abs() | ALIAS).trailing_zeros()
}

/// Whether the lines of the first `count` rows, or of all values of y, would drive one another out of a first-level cache.
#[inline(always)]
pub(super) fn is_crowded(job: &Strips, count: usize) -> bool {
    if job.even {
        return count > WAYS * places(job.src_step) || lines_compete(job);
    }
    let mut sets = 0u64;
    for x in 0..count {
        // SAFETY: the table has a line of entries at least.
        sets |= 1 << (unsafe { job.row(x) }.addr() % ALIAS / LINE);
    }
    count > WAYS * sets.count_ones() as usize
}

/// Whether the lines of all values of y, or of a line of these, would drive one another out of a first-level cache.
#[inline(always)]
pub(super) fn lines_compete(job: &Strips) -> bool {
    let lines = if job.height < LINE { job.height } else { LINE };
    lines > WAYS * places(job.dst_step)
}

/// Whether `count` rows of the source drive one another out of a first-level cache so often that a line of each is better moved
/// first, even where it is not one of the destination that they fill: of 48 rows and fewer Intel's processors have them back sooner
/// from the second-level cache.
#[inline(always)]
pub(super) fn rows_compete<S: Simd, const B: usize>(simd: S, job: &Strips, count: usize) -> bool {
    let times = if simd.writes_in_turn() { 6 } else { 2 };
    B < 16 && job.even && count > times * WAYS * places(job.src_step)
}
