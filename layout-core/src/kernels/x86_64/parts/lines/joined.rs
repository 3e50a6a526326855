//! Rows of whole blocks and a part of one, a few rows at a time: else the lines that blocks share are touched twice. What every
//! such family's `join_rows` is made of.

use super::super::super::super::tile::Step;

/// Bytes of one block of as many rows as are moved before the next block: a stream for each block, and one of all of them, are
/// what the processor foresees, and what was moved of the shared lines is still in the first-level cache.
pub(in super::super::super) const BAND: usize = 512;

/// Moves the part of a block, `valid` bytes, of a few rows.
pub(in super::super::super) type Part = unsafe fn(src: *const u8, dst: *mut u8, rows: Step, valid: usize);

/// Defines `join_rows`; `$padded::<W>(src, dst, valid)` writes that many bytes and zeros behind them, `W` in all: 16, 32 or 64.
macro_rules! joined_kernel {
    ($features:literal, $padded:ident) => {
        /// Moves `job`.
        ///
        /// # Safety
        /// That of `JoinRows`.
        #[inline]
        #[target_feature(enable = $features)]
        pub(in super::super) unsafe fn join_rows(job: &Joined) {
            if job.blocks.len == 1 && job.block == LINE {
                // SAFETY: the caller's promise.
                return unsafe { line_and_part(job) };
            }
            let part: Part = match (job.padded, job.block, job.valid) {
                (true, 16, _) => padded::<16>,
                (true, 32, _) => padded::<32>,
                (true, ..) => padded::<64>,
                (_, _, 32..) => ends::<32>,
                (_, _, 16..) => ends::<16>,
                (_, _, 8..) => ends::<8>,
                (_, _, 4..) => ends::<4>,
                (_, _, 2..) => ends::<2>,
                _ => ends::<1>,
            };
            match job.block {
                // SAFETY of all arms: the caller's promise, and the length was just compared.
                // SAFETY: see above.
                16 => unsafe { blocks::<16>(job, part) },
                // SAFETY: see above.
                32 => unsafe { blocks::<32>(job, part) },
                // SAFETY: see above; there are no others.
                _ => unsafe { blocks::<64>(job, part) },
            }
        }

        /// Moves `job`, whose blocks have `W` bytes, its parts by `part`.
        ///
        /// # Safety
        /// As [`join_rows`].
        #[inline(never)]
        #[target_feature(enable = $features)]
        unsafe fn blocks<const W: usize>(job: &Joined, part: Part) {
            /// Rows that are moved without a branch.
            const AT_ONCE: usize = 8;
            let Joined { rows, blocks, valid, .. } = *job;
            let mut y = 0;
            while y < rows.len {
                let count = (BAND / W).min(rows.len - y);
                let (mut first, mut to) = (step(job.src, y, rows.src), step_mut(job.dst, y, rows.dst));
                for _ in 0..blocks.len {
                    let (mut src, mut dst, mut left) = (first, to, count);
                    while left >= AT_ONCE {
                        unrolled!(8, _i => {
                            // SAFETY: the caller's promise: a block of one of these rows.
                            unsafe { transfer::<[u8; W]>(src, dst) };
                            (src, dst) = (step(src, 1, rows.src), step_mut(dst, 1, rows.dst));
                        });
                        left -= AT_ONCE;
                    }
                    for _ in 0..left {
                        // SAFETY: as above.
                        unsafe { transfer::<[u8; W]>(src, dst) };
                        (src, dst) = (step(src, 1, rows.src), step_mut(dst, 1, rows.dst));
                    }
                    (first, to) = (step(first, 1, blocks.src), step_mut(to, 1, blocks.dst));
                }
                // SAFETY: the caller's promise: the part behind the blocks of these rows.
                unsafe { part(first, to, Step { len: count, ..rows }, valid) };
                y += count;
            }
        }

        /// Moves `valid` bytes of each row, `W` to twice as many, as the first and the last `W`.
        ///
        /// # Safety
        /// They can be read at `src` and written at `dst` for all rows, and do not overlap.
        #[target_feature(enable = $features)]
        unsafe fn ends<const W: usize>(mut src: *const u8, mut dst: *mut u8, rows: Step, valid: usize) {
            let last = valid - W;
            for _ in 0..rows.len {
                // SAFETY: the caller's promise.
                unsafe { transfer::<[u8; W]>(src, dst) };
                if last > 0 {
                    // SAFETY: as above.
                    unsafe { transfer::<[u8; W]>(src.wrapping_add(last), dst.wrapping_add(last)) };
                }
                (src, dst) = (step(src, 1, rows.src), step_mut(dst, 1, rows.dst));
            }
        }

        /// Moves `valid` bytes of each row, and zeros behind them up to `W`.
        ///
        /// # Safety
        /// They can be read at `src`, and `W` bytes, which is 16, 32 or 64, written at `dst`, for all rows; they do not overlap.
        #[target_feature(enable = $features)]
        unsafe fn padded<const W: usize>(mut src: *const u8, mut dst: *mut u8, rows: Step, valid: usize) {
            for _ in 0..rows.len {
                // SAFETY: the caller's promise.
                unsafe { $padded::<W>(src, dst, valid) };
                (src, dst) = (step(src, 1, rows.src), step_mut(dst, 1, rows.dst));
            }
        }

        /// [`join_rows`] of one line and a part.
        ///
        /// # Safety
        /// As there, for such rows.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn line_and_part(job: &Joined) {
            match job.valid {
                // SAFETY of all arms: the caller's promise, and the part's length was just compared.
                // SAFETY: see above.
                _ if job.padded => unsafe { pairs::<0>(job) },
                // SAFETY: see above.
                32.. => unsafe { pairs::<32>(job) },
                // SAFETY: see above.
                16.. => unsafe { pairs::<16>(job) },
                // SAFETY: see above.
                8.. => unsafe { pairs::<8>(job) },
                // SAFETY: see above.
                4.. => unsafe { pairs::<4>(job) },
                // SAFETY: see above.
                2.. => unsafe { pairs::<2>(job) },
                // SAFETY: see above.
                _ => unsafe { pairs::<1>(job) },
            }
        }

        /// [`join_rows`] of one line and a part of `PART` bytes to twice as many, or of a padded one where that is 0: row by row.
        ///
        /// # Safety
        /// As there.
        #[inline(never)]
        #[target_feature(enable = $features)]
        unsafe fn pairs<const PART: usize>(job: &Joined) {
            let Joined { blocks, valid, .. } = *job;
            let last = valid - PART;
            let (mut src, mut dst) = (job.src, job.dst);
            // Of blocks that are written across lines, to two streams.
            let claims = PART == 0 && writes_in_turn() && !job.dst.addr().is_multiple_of(LINE);
            for _ in 0..job.rows.len {
                if claims {
                    prefetch_write(step_mut(dst, ACROSS, job.rows.dst).wrapping_add(LINE - 1));
                    let padded = step_mut(dst, 1, blocks.dst);
                    prefetch_write(step_mut(padded, ACROSS, job.rows.dst).wrapping_add(LINE - 1));
                }
                // SAFETY: the caller's promise.
                unsafe { transfer::<[u8; LINE]>(src, dst) };
                let (from, to) = (step(src, 1, blocks.src), step_mut(dst, 1, blocks.dst));
                if PART == 0 {
                    // SAFETY: as above: a whole block of the destination.
                    unsafe { $padded::<LINE>(from, to, valid) };
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
    };
}
pub(in super::super::super) use joined_kernel;
