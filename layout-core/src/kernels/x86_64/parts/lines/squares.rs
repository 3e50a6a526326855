//! Transpositions of squares that are a line wide on both sides: each line is read and written once, and the next ones of the
//! same rows follow at once, which the processor foresees. For lines that lie far from one another. What such families' `squares`
//! are made of.

/// So many squares ahead the source is fetched.
pub(in super::super::super) const AHEAD: usize = 2;

/// Up to this distance, lines of the destination lie near one another along y.
pub(in super::super::super) const NEAR: usize = 512;

/// Defines `squares`; `$square::<B>` transposes one.
macro_rules! squares_kernel {
    ($features:literal, $square:ident) => {
        /// Transposes `job`, first the squares that follow one another along x, or along y where that is longer and the lines of
        /// the destination lie near one another, unless they are better written in turn; the last one along y may overlap the one
        /// before.
        ///
        /// # Safety
        /// As `Simd::squares`, for elements of 2 or 4 bytes.
        #[inline(never)]
        #[target_feature(enable = $features)]
        pub(in super::super) unsafe fn squares<const B: usize>(job: &Strips, ahead: Ahead) {
            let near = job.height > job.width && job.dst_step.unsigned_abs() <= NEAR;
            let (side, down) = (LINE / B, near && !writes_in_turn());
            let (mut x, mut y) = (0, 0);
            loop {
                let from = step(step(job.src, x, job.src_step), y, job.src_y);
                if ahead != Ahead::Nowhere {
                    let from = step(from, AHEAD * side, job.src_step);
                    unrolled!(4 / B, part => {
                        let from = step(from, 16 * part, job.src_step);
                        unrolled!(16, i => {
                            let row = step(from, i, job.src_step);
                            if ahead == Ahead::First {
                                prefetch(row);
                            } else {
                                _mm_prefetch::<_MM_HINT_T1>(row.cast());
                            }
                        });
                    });
                }
                let to = step_mut(job.dst, y, job.dst_step).wrapping_add(x * B);
                // SAFETY: this square lies in the job.
                unsafe { $square::<B>(from, job.src_step, to, job.dst_step) };
                let below = next(y, side, job.height);
                (x, y) = match (down, below) {
                    (true, Some(below)) => (x, below),
                    (true, None) => (x + side, 0),
                    (false, _) if x + side < job.width => (x + side, y),
                    (false, Some(below)) => (0, below),
                    (false, None) => return,
                };
                if x == job.width {
                    return;
                }
            }
        }
    };
}
pub(in super::super::super) use squares_kernel;
