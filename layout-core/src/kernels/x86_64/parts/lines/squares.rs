//! Transpositions of squares that are a line wide on both sides: each line is read and written once, and the next ones of the
//! same rows follow at once, which the processor foresees. For lines that lie far from one another. What such families' `squares`
//! are made of.

/// So many squares ahead the source is fetched.
pub(in super::super::super) const AHEAD: usize = 2;

/// Defines `$squares`; `$square::<B>` transposes one.
macro_rules! squares_kernel {
    ($features:literal, $squares:ident, $square:ident) => {
        /// Transposes `job` in the order given; the last squares along y may overlap those before.
        ///
        /// # Safety
        /// As `Simd::squares`, for elements of 2 or 4 bytes.
        #[inline(never)]
        #[target_feature(enable = $features)]
        pub(in super::super) unsafe fn $squares<const B: usize>(job: &Strips, order: Order) {
            let side = LINE / B;
            let Order { fetches, aside, claims, .. } = order;
            let mut first = 0;
            while first < job.width {
                let end = if aside < (job.width - first) / side { first + aside * side } else { job.width };
                let mut y = Some(0);
                while let Some(at) = y {
                    let mut x = first;
                    while x < end {
                        let from = step(step(job.src, x, job.src_step), at, job.src_y);
                        if fetches {
                            let from = step(from, AHEAD * side, job.src_step);
                            unrolled!(4 / B, part => {
                                let from = step(from, 16 * part, job.src_step);
                                unrolled!(16, i => prefetch_far(step(from, i, job.src_step)));
                            });
                        }
                        let to = step_mut(job.dst, at, job.dst_step).wrapping_add(x * B);
                        if claims {
                            let next = if x + side < end {
                                to.wrapping_add(LINE)
                            } else {
                                let y = next(at, side, job.height).unwrap_or(at);
                                step_mut(job.dst, y, job.dst_step).wrapping_add(first * B)
                            };
                            let last = next.wrapping_add(LINE - 1);
                            unrolled!(4 / B, part => {
                                let last = step_mut(last, 16 * part, job.dst_step);
                                unrolled!(16, i => prefetch_write(step_mut(last, i, job.dst_step)));
                            });
                        }
                        // SAFETY: this square lies in the job.
                        unsafe { $square::<B>(from, job.src_step, to, job.dst_step) };
                        x += side;
                    }
                    y = next(at, side, job.height);
                }
                first = end;
            }
        }
    };
}
pub(in super::super::super) use squares_kernel;
