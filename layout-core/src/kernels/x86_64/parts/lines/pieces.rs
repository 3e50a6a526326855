//! Pieces of half a line or a quarter of one, in squares: each line is read once and whole, and written once and whole. What
//! such families' `pieces` are made of.

/// Lines of each row of the destination that are written in turn: more rows than the processor follows may lie side by side.
pub(in super::super::super) const BAND: usize = 8;

/// Defines `halves` and `quarters` for lines of type `$line`, of which two, or four, are turned by the functions given.
macro_rules! pieces_kernel {
    (
        $features:literal, $line:ty, $zero:expr, $turn_two:ident $turn_four:ident, $load:ident $store:ident $stream:ident
    ) => {
        /// Moves pieces of half a line.
        ///
        /// # Safety
        /// As `Simd::pieces`, for such pieces.
        #[inline(never)]
        #[target_feature(enable = $features)]
        pub(in super::super) unsafe fn halves(job: &Pieces) {
            match job.claims {
                // SAFETY: the caller's promise.
                true => unsafe { squares::<2, true>(job, |lines| $turn_two(lines)) },
                // SAFETY: as above.
                false => unsafe { squares::<2, false>(job, |lines| $turn_two(lines)) },
            }
        }

        /// Moves pieces of a quarter of a line.
        ///
        /// # Safety
        /// As `Simd::pieces`, for such pieces.
        #[inline(never)]
        #[target_feature(enable = $features)]
        pub(in super::super) unsafe fn quarters(job: &Pieces) {
            match job.claims {
                // SAFETY: the caller's promise.
                true => unsafe { squares::<4, true>(job, |lines| $turn_four(lines)) },
                // SAFETY: as above.
                false => unsafe { squares::<4, false>(job, |lines| $turn_four(lines)) },
            }
        }

        /// Moves squares of `N` by `N` pieces, which `turn` turns.
        ///
        /// # Safety
        /// As `Simd::pieces`, for pieces of which `N` fill a line.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn squares<const N: usize, const CLAIMS: bool>(job: &Pieces, turn: impl Fn([$line; N]) -> [$line; N]) {
            let Pieces { across, down, places, .. } = *job;
            // Of several places, one row of the destination after the other: else they compete for the caches.
            let band = if places.0.len() > 1 { usize::MAX } else { BAND * N };
            let mut y = 0;
            while y < down.len {
                let count = if down.len - y < band { down.len - y } else { band };
                let (mut src, mut dst) = (step(job.src, y, down.src), step_mut(job.dst, y, down.dst));
                for _ in 0..across.len / N {
                    for (&src_by, &dst_by) in places.0.iter().zip(places.1) {
                        let (mut from, mut to) = (src.wrapping_offset(src_by), dst.wrapping_offset(dst_by));
                        for _ in 0..count / N {
                            let mut lines = [$zero; N];
                            unrolled!(N, i => {
                                // SAFETY: this line is `N` pieces of the job.
                                lines[i] = unsafe { $load(step(from, i, down.src)) };
                            });
                            let lines = turn(lines);
                            unrolled!(N, i => {
                                let to = step_mut(to, i, across.dst);
                                if CLAIMS {
                                    prefetch_write(to.wrapping_add((ACROSS + 1) * LINE - 1));
                                }
                                if job.stream {
                                    // SAFETY: this line is `N` pieces of the job, and aligned.
                                    unsafe { $stream(to, lines[i]) };
                                } else {
                                    // SAFETY: this line is `N` pieces of the job.
                                    unsafe { $store(to, lines[i]) };
                                }
                            });
                            from = opaque(step(from, N, down.src).cast_mut()).cast_const();
                            to = opaque(to.wrapping_add(LINE));
                        }
                    }
                    (src, dst) = (src.wrapping_add(LINE), step_mut(dst, N, across.dst));
                }
                y += count;
            }
        }
    };
}
pub(in super::super::super) use pieces_kernel;
