//! Blocks of 16 by 4 bytes, the operands of dot products (`16o4i` of 8-bit, `16o2i` of 16-bit elements), for families whose
//! lookups stay within 16 bytes: on the one side lines of 16 groups of 4 bytes, a line for each tap, on the other side, for each
//! of the 16, a run in which the taps follow one another. A run is brought to groups, or back, by a lookup in each 16 bytes of
//! it, and then there are squares of 4 by 4 groups to transpose. What every such family's `weave` and `unweave` are made of.

pub(in super::super) use super::super::super::parts::woven::tables;

/// Defines `weave` and `unweave` for registers of `$width` bytes: `$spread` repeats 16 bytes in all lanes, `$lane` is one of them.
macro_rules! woven_kernel {
    (
        $features:literal, $vector:ty, $width:tt, $zero:ident $join:ident $spread:ident $lane:ident $turn:ident,
        $shuffle:ident $or:ident, $load:ident $load_first:ident $store:ident
    ) => {
        /// Runs to lines.
        ///
        /// # Safety
        /// As [`super::super::super::drive::Simd::weave`].
        #[inline(never)]
        #[target_feature(enable = $features)]
        pub(super) unsafe fn weave<const B: usize>(job: &Woven) {
            let at = indices(&const { tables::<B>(false) }.0[job.taps]);
            let whole = job.whole::<B>(job.src_blocks);
            some_runs!(job, $width / 4, |k, first| {
                let block = job.block(k);
                if k < whole {
                    // SAFETY: the caller's promise; the runs of the blocks behind this one follow, and fill a register.
                    unsafe { weave_block::<B, true>(&block, first, &at) };
                } else {
                    // SAFETY: the caller's promise.
                    unsafe { weave_block::<B, false>(&block, first, &at) };
                }
            });
        }

        /// # Safety
        /// As [`weave`], for the runs of one block from `first` on; where it is `WHOLE`, 64 bytes of all 16 runs can be read.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn weave_block<const B: usize, const WHOLE: bool>(
            job: &Woven,
            first: usize,
            at: &[[$vector; 4]; 4],
        ) {
            let len = job.run_len::<B>();
            if WHOLE && fetches(job.run, 16) {
                for run in first..first + $width / 4 {
                    prefetch(step(job.src, run, job.run).wrapping_add(AHEAD));
                }
            }
            // 16 bytes each of the runs: lane l of register i is run 4 l + i.
            let mut runs = [[$zero(); 4]; 4];
            unrolled!(4, c => {
                if 16 * c < len {
                    unrolled!(4, i => {
                        runs[c][i] = $join(lanes!($width, l => {
                            let run = first + 4 * l + i;
                            let from = step(job.src, run, job.run).wrapping_add(16 * c);
                            if WHOLE {
                                // SAFETY: the caller's promise.
                                unsafe { load16(from) }
                            } else if run < job.runs {
                                // SAFETY: the caller's promise.
                                unsafe { load16_first(from, len - 16 * c) }
                            } else {
                                _mm_setzero_si128()
                            }
                        }));
                    });
                }
            });
            for (tap, at) in (0..job.taps).step_by(4).zip(at) {
                let mut groups = [$zero(); 4];
                unrolled!(4, i => {
                    groups[i] = $shuffle(runs[0][i], at[0]);
                });
                unrolled!(4, c => {
                    if c > 0 && 16 * c < len {
                        unrolled!(4, i => {
                            groups[i] = $or(groups[i], $shuffle(runs[c][i], at[c]));
                        });
                    }
                });
                let lines = $turn::<4, 4>(groups, 4);
                unrolled!(4, j => {
                    if tap + j < job.taps {
                        let to = step_mut(job.dst, tap + j, job.line).wrapping_add(4 * first);
                        // SAFETY: the caller's promise.
                        unsafe { $store(to, lines[j]) };
                    }
                });
            }
        }

        /// Lines to runs.
        ///
        /// # Safety
        /// As [`super::super::super::drive::Simd::unweave`].
        #[inline(never)]
        #[target_feature(enable = $features)]
        pub(super) unsafe fn unweave<const B: usize>(job: &Woven) {
            let at = indices(&const { tables::<B>(true) }.0[job.taps]);
            let whole = job.whole::<B>(job.dst_blocks);
            some_runs!(job, $width / 4, |k, first| {
                let block = job.block(k);
                if k < whole {
                    // SAFETY: the caller's promise; what lies behind the runs is written with the blocks behind this one.
                    unsafe { unweave_block::<B, true>(&block, first, &at) };
                } else {
                    // SAFETY: the caller's promise.
                    unsafe { unweave_block::<B, false>(&block, first, &at) };
                }
            });
        }

        /// # Safety
        /// As [`unweave`], for the runs of one block from `first` on; where it is `WHOLE`, 64 bytes of all 16 runs can be written.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn unweave_block<const B: usize, const WHOLE: bool>(
            job: &Woven,
            first: usize,
            at: &[[$vector; 4]; 4],
        ) {
            let len = job.run_len::<B>();
            // Up to the last element of a line that holds data.
            let data = if len == 0 { 0 } else { (4 * job.runs + job.elements * B).saturating_sub(4) };
            // The groups of the runs, of four taps each: lane l of register i is run 4 l + i.
            let mut groups = [[$zero(); 4]; 4];
            unrolled!(4, part => {
                if 4 * part < job.taps {
                    let mut lines = [$zero(); 4];
                    unrolled!(4, j => {
                        if 4 * part + j < job.taps {
                            let from = step(job.src, 4 * part + j, job.line).wrapping_add(4 * first);
                            lines[j] = if WHOLE {
                                // SAFETY: the caller's promise; all of the line holds data.
                                unsafe { $load(from) }
                            } else {
                                // SAFETY: the caller's promise; between elements lies padding.
                                unsafe { $load_first(from, data.saturating_sub(4 * first)) }
                            };
                        }
                    });
                    groups[part] = $turn::<4, 4>(lines, 4);
                }
            });
            for (done, at) in (0..len).step_by(16).zip(at) {
                unrolled!(4, i => {
                    let mut run = $shuffle(groups[0][i], at[0]);
                    unrolled!(4, part => {
                        if part > 0 && 4 * part < job.taps {
                            run = $or(run, $shuffle(groups[part][i], at[part]));
                        }
                    });
                    let _: [(); $width / 16] = lanes!($width, l => {
                        let (part, number) = ($lane(run, l), first + 4 * l + i);
                        let to = step_mut(job.dst, number, job.run).wrapping_add(done);
                        if WHOLE {
                            // SAFETY: the caller's promise.
                            unsafe { store16(to, part) };
                        } else if number < job.runs {
                            // SAFETY: the caller's promise.
                            unsafe { store16_first(to, part, len - done) };
                        }
                    });
                });
            }
        }

        /// For each 16 bytes of `table` and each 16 bytes that it looks up in: the bytes to take from these, where they have
        /// them; of the others the upper bit is set.
        #[inline]
        #[target_feature(enable = $features)]
        fn indices(table: &[u8; LINE]) -> [[$vector; 4]; 4] {
            let mut indices = [[$zero(); 4]; 4];
            for (part, indices) in indices.iter_mut().enumerate() {
                // SAFETY: a table has 64 bytes.
                let at = unsafe { load16(table.as_ptr().wrapping_add(16 * part)) };
                for (c, index) in indices.iter_mut().enumerate() {
                    let own = _mm_sub_epi8(at, _mm_set1_epi8(16 * c as i8));
                    *index = $spread(_mm_adds_epu8(own, _mm_set1_epi8(0x70)));
                }
            }
            indices
        }
    };
}
pub(in super::super) use woven_kernel;

/// `$body` for each block `$k` of `$job`, and `$count` of its 16 runs at a time, from `$first` on: those of several blocks before the others,
/// since lines of all 16 may compete for the same places of a first-level cache where runs lie apart.
macro_rules! some_runs {
    ($job:ident, $count:expr, |$k:ident, $first:ident| $body:block) => {
        const TOGETHER: usize = 8;
        let blocks = $job.src_blocks.len();
        for begin in (0..blocks).step_by(TOGETHER) {
            let end = if blocks - begin < TOGETHER { blocks } else { begin + TOGETHER };
            for $first in (0..16).step_by($count) {
                for $k in begin..end {
                    $body
                }
            }
        }
    };
}
pub(in super::super) use some_runs;

/// So many bytes ahead far runs are fetched.
pub(in super::super) const AHEAD: usize = 256;

/// The methods `weave` and `unweave` of a family's `Simd`, by its module `woven`.
macro_rules! woven_methods {
    () => {
        #[inline(always)]
        unsafe fn weave<const B: usize>(self, job: &Woven) -> bool {
            match B {
                // SAFETY: the token proves the features; what the callee asks of memory is what the trait's method does.
                1 => unsafe { woven::weave::<1>(job) },
                // SAFETY: as above.
                2 => unsafe { woven::weave::<2>(job) },
                _ => return false,
            }
            true
        }

        #[inline(always)]
        unsafe fn unweave<const B: usize>(self, job: &Woven) -> bool {
            match B {
                // SAFETY: as above.
                1 => unsafe { woven::unweave::<1>(job) },
                // SAFETY: as above.
                2 => unsafe { woven::unweave::<2>(job) },
                _ => return false,
            }
            true
        }
    };
}
pub(in super::super) use woven_methods;
