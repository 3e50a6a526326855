//! Conversions of rows of a register at most, or of a block: what is done for each of them weighs more than its elements. Made for
//! every family by `convert_kernel`, called by `convert` and `plain`.

/// Defines `short_rows` and `blocks`, and when they are for a job, for registers of `$side` f32.
macro_rules! few_kernel {
    ($features:literal, $value:ty, $side:literal) => {
        /// Whether the types are frequent enough for loops over rows of few registers.
        const fn is_frequent<S: Load<$value>, D: Store<$value>>() -> bool {
            S::FREQUENT && D::FREQUENT
        }

        /// Whether a register holds a row.
        #[inline(always)]
        const fn is_short(job: &Rows) -> bool {
            job.len <= $side
        }

        /// Whether rows are blocks, of which each is several registers.
        #[inline(always)]
        const fn is_block(job: &Rows) -> bool {
            $side < BLOCK && job.valid > 0 && job.len == BLOCK
        }

        /// Converts the rows of `job`, which are blocks.
        ///
        /// # Safety
        /// As `rows`.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn blocks<S: Load<$value>, D: Store<$value>, const STEPS: u8>(job: &Rows, map: &Affine) {
            if const { $side < BLOCK } {
                // SAFETY: the caller's promise.
                unsafe { block_rows::<S, D, STEPS>(job, map) };
            }
        }

        /// Converts the rows of `job`, of a register at most.
        ///
        /// # Safety
        /// As `rows`.
        #[inline(never)]
        #[target_feature(enable = $features)]
        unsafe fn short_rows<S: Load<$value>, D: Store<$value>, const STEPS: u8>(job: &Rows, map: &Affine) {
            // SAFETY of each call: as above.
            let own = STEPS != NONE && map.row != [0; PARAMETERS];
            // Rows that are lines.
            let claims = job.claims && $side * size_of::<D>() == $crate::kernels::LINE;
            // SAFETY: see above.
            let mut shared = unsafe { parameters::<STEPS>(map, 0) };
            // SAFETY: see above.
            let mut done = if const { STEPS == NONE } { unsafe { split::<S, D>(job) } } else { 0 };
            let fast = const { STEPS != ALL } && !own;
            if fast && job.valid == $side && job.dst_y == ($side * size_of::<D>()) as isize {
                // Whole lines of several rows at a time.
                while done + 4 <= job.count {
                    let dst = step_mut(job.dst, done, job.dst_y);
                    if job.claims {
                        claim(dst, 4 * $side * size_of::<D>());
                    }
                    let mut values = [shared[0]; 4];
                    for (i, value) in values.iter_mut().enumerate() {
                        // SAFETY: see above; a row has as many elements as a register.
                        let loaded = unsafe { S::load(step(job.src, done + i, job.src_y)) };
                        *value = apply::<STEPS>(loaded, &shared);
                    }
                    // SAFETY: see above; the rows follow one another.
                    unsafe { D::store_four(dst, values) };
                    done += 4;
                }
            } else if fast && job.valid == $side {
                while done < job.count {
                    if claims {
                        claim_row(step_mut(job.dst, done, job.dst_y), job.dst_y);
                    }
                    // SAFETY: see above; a row has as many elements as a register.
                    let loaded = unsafe { S::load(step(job.src, done, job.src_y)) };
                    // SAFETY: as above.
                    unsafe { D::store(step_mut(job.dst, done, job.dst_y), apply::<STEPS>(loaded, &shared)) };
                    done += 1;
                }
            }
            for y in done..job.count {
                let (src, dst) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_y));
                if claims {
                    claim_row(dst, job.dst_y);
                }
                if own {
                    // SAFETY: see above.
                    shared = unsafe { parameters::<STEPS>(&map.skip(0, y), 0) };
                }
                // SAFETY: see above.
                unsafe { register::<S, D, STEPS>(src, dst, &shared, [job.valid, job.len]) };
            }
        }
    };
}
pub(in super::super::super) use few_kernel;
