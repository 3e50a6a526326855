//! Rows of a whole block and a part of one, in one pass: else the lines that the two share are touched twice. Called by the
//! folder's `mod`.

use super::super::super::super::drive::LINE;
use super::super::super::super::generic::{step, step_mut, transfer};
use super::super::super::super::tile::Joined;
use super::super::memory::{load64_first, store64};

/// Moves `job`.
///
/// # Safety
/// That of [`super::super::super::super::JoinRows`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(in super::super) unsafe fn join_rows(job: &Joined) {
    match job.valid {
        // SAFETY of all arms: the caller's promise, and the part's length was just compared.
        // SAFETY: see above.
        _ if job.padded => unsafe { rows::<0>(job) },
        // SAFETY: see above.
        32.. => unsafe { rows::<32>(job) },
        // SAFETY: see above.
        16.. => unsafe { rows::<16>(job) },
        // SAFETY: see above.
        8.. => unsafe { rows::<8>(job) },
        // SAFETY: see above.
        4.. => unsafe { rows::<4>(job) },
        // SAFETY: see above.
        2.. => unsafe { rows::<2>(job) },
        // SAFETY: see above.
        _ => unsafe { rows::<1>(job) },
    }
}

/// [`join_rows`] of parts of `PART` bytes to twice as many, or of padded ones where that is 0.
///
/// # Safety
/// As there.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn rows<const PART: usize>(job: &Joined) {
    let Joined { part, valid, .. } = *job;
    let last = valid - PART;
    let (mut src, mut dst) = (job.src, job.dst);
    for _ in 0..job.rows.len {
        // SAFETY: the caller's promise.
        unsafe { transfer::<[u8; LINE]>(src, dst) };
        let (from, to) = (step(src, 1, part.src), step_mut(dst, 1, part.dst));
        if PART == 0 {
            // SAFETY: as above.
            let part = unsafe { load64_first(from, valid) };
            // SAFETY: as above: a whole block of the destination.
            unsafe { store64(to, part) };
        } else {
            // The first and the last bytes of the part.
            // SAFETY: as above.
            unsafe { transfer::<[u8; PART]>(from, to) };
            if last > 0 {
                // SAFETY: as above.
                unsafe { transfer::<[u8; PART]>(from.wrapping_add(last), to.wrapping_add(last)) };
            }
        }
        (src, dst) = (step(src, 1, job.rows.src), step_mut(dst, 1, job.rows.dst));
    }
}
