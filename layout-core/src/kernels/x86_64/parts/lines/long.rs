//! Rows of one to four lines' bytes, which lie in gaps or not: what the `run` of such families is made of.

use super::super::super::super::drive::LINE;

/// Bytes of rows up to which a loop over their lines would cost as much as their moves.
pub(in super::super::super) const FEW_LINES: usize = 5 * LINE - 1;

/// Rows of the source that are fetched ahead of the one at hand, where these have gaps: the processor does not see what is
/// read next behind a gap.
pub(in super::super::super) const AHEAD: usize = 4;

/// Defines `long_rows`; `$load` and `$store` move a line.
macro_rules! long_rows {
    ($features:literal, $load:ident $store:ident) => {
        /// Moves rows of 64 to `FEW_LINES` bytes without padding.
        ///
        /// # Safety
        /// As [`rows`], for such rows.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn long_rows(job: &Rows) {
            match job.len / LINE {
                // SAFETY: the caller's promise, and the length was just compared.
                1 => unsafe { registers::<1>(job) },
                // SAFETY: as above.
                2 => unsafe { registers::<2>(job) },
                // SAFETY: as above.
                3 => unsafe { registers::<3>(job) },
                // SAFETY: as above; there are no others.
                _ => unsafe { registers::<4>(job) },
            }
        }

        /// Moves rows of `N` times 64 bytes, and what may be left as 64 more that overlap the last of these.
        ///
        /// # Safety
        /// As [`rows`], for rows without padding of as many bytes.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn registers<const N: usize>(job: &Rows) {
            let (last, gaps) = (job.len - LINE, job.src_y != job.len as isize);
            let overlaps = !job.len.is_multiple_of(LINE);
            let (mut src, mut dst) = (job.src, job.dst);
            for _ in 0..job.count {
                if gaps {
                    let ahead = step(src, AHEAD, job.src_y);
                    for i in 0..N {
                        prefetch(ahead.wrapping_add(i * LINE));
                    }
                }
                if job.claims {
                    let claimed = step_mut(dst, $crate::kernels::parts::CLAIMED / N, job.dst_y);
                    for i in 0..N {
                        prefetch_write(claimed.wrapping_add(i * LINE));
                    }
                }
                for i in 0..N {
                    // SAFETY: the row has as many lines' bytes.
                    let part = unsafe { $load(src.wrapping_add(i * LINE)) };
                    // SAFETY: as above.
                    unsafe { $store(dst.wrapping_add(i * LINE), part) };
                }
                if overlaps {
                    // SAFETY: this is the end of the row.
                    let part = unsafe { $load(src.wrapping_add(last)) };
                    // SAFETY: as above.
                    unsafe { $store(dst.wrapping_add(last), part) };
                }
                (src, dst) = (step(src, 1, job.src_y), step_mut(dst, 1, job.dst_y));
            }
        }
    };
}
pub(in super::super::super) use long_rows;
