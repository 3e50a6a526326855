//! Lines of the destination that are made of few planes, for the families without permutations across 16 bytes. Pixels of 5, 6 or
//! 7 bytes are turned as if each had 8, and then moved together, two in each lane: what a lane has behind them is overwritten by the
//! next. Blocks of which up to four elements hold data are turned as pixels of four, and then moved apart.

/// Defines `from_few_planes` and `to_few_planes` for registers of `$width` bytes; `$spread` repeats 16 bytes in all lanes, `$lane` is one of them.
macro_rules! packed_kernel {
    (
        $features:literal, $width:tt, $zero:ident $join:ident $spread:ident $lane:ident $turn:ident $shuffle:ident,
        $load:ident $store:ident
    ) => {
        /// Transposes `job`, of elements of a byte.
        ///
        /// # Safety
        /// As [`super::super::super::drive::Simd::dense`], for lines of 5 to 7 bytes, `$width` of them at least.
        #[inline(never)]
        #[target_feature(enable = $features)]
        unsafe fn packed(job: &Strips) {
            let len = job.width;
            let mut together = [0x80; SIDE];
            for (i, at) in together[..2 * len].iter_mut().enumerate() {
                *at = (i / len * 8 + i % len) as u8;
            }
            // SAFETY: the table has 16 bytes.
            let together = $spread(unsafe { load16(together.as_ptr()) });
            let end = job.height * len;
            let mut y = 0;
            loop {
                let mut rows = [$zero(); 8];
                unrolled!(8, x => {
                    if x < job.valid {
                        // SAFETY: a register of values of y lies in the job, and this value of x holds data.
                        rows[x] = unsafe { $load(step(job.src, x, job.src_step).wrapping_add(y)) };
                    }
                });
                // Register i holds two pixels in each lane, those of lane l from 16 l + 2 i on.
                let pairs = $turn::<1, 8>(rows, 8);
                let mut parts = [[_mm_setzero_si128(); $width / SIDE]; 8];
                unrolled!(8, i => {
                    let pair = $shuffle(pairs[i], together);
                    parts[i] = lanes!($width, l => $lane(pair, l));
                });
                let first = y * len;
                let whole = first + ($width - 2) * len + SIDE <= end;
                for l in 0..$width / SIDE {
                    unrolled!(8, i => {
                        let at = first + (SIDE * l + 2 * i) * len;
                        if whole {
                            // SAFETY: these pixels and those behind them lie in the job.
                            unsafe { store16(job.dst.wrapping_add(at), parts[i][l]) };
                        } else {
                            let left = (end - at).min(SIDE);
                            // SAFETY: `left` stops at the last pixel.
                            unsafe { store16_first(job.dst.wrapping_add(at), parts[i][l], left) };
                        }
                    });
                }
                match next(y, $width, job.height) {
                    Some(next) => y = next,
                    None => return,
                }
            }
        }

        /// The inverse of [`packed`] for `job`, of elements of a byte.
        ///
        /// # Safety
        /// As [`super::super::super::drive::Simd::few`], for rows of 5 to 7 bytes that follow one another, `$width` of them at
        /// least.
        #[inline(never)]
        #[target_feature(enable = $features)]
        unsafe fn unpacked(job: &Strips) {
            let len = job.height;
            let mut apart = [0x80; SIDE];
            for (i, at) in apart.iter_mut().enumerate() {
                if i % 8 < len {
                    *at = (i / 8 * len + i % 8) as u8;
                }
            }
            // SAFETY: the table has 16 bytes.
            let apart = $spread(unsafe { load16(apart.as_ptr()) });
            let end = job.width * len;
            let mut x = 0;
            loop {
                let first = x * len;
                let whole = first + ($width - 2) * len + SIDE <= end;
                let mut pairs = [$zero(); 8];
                unrolled!(8, i => {
                    let pair = $join(lanes!($width, l => {
                        let at = first + (SIDE * l + 2 * i) * len;
                        if whole {
                            // SAFETY: these pixels and those behind them lie in the job.
                            unsafe { load16(job.src.wrapping_add(at)) }
                        } else {
                            let left = (end - at).min(SIDE);
                            // SAFETY: `left` stops at the last pixel.
                            unsafe { load16_first(job.src.wrapping_add(at), left) }
                        }
                    }));
                    pairs[i] = $shuffle(pair, apart);
                });
                // What `packed` did thrice, four times more: then it was done once around.
                let planes = $turn::<1, 8>(pairs, SIDE);
                unrolled!(8, y => {
                    if y < len {
                        // SAFETY: a register of values of x lies in the job.
                        unsafe { $store(step_mut(job.dst, y, job.dst_step).wrapping_add(x), planes[y]) };
                    }
                });
                match next(x, $width, job.width) {
                    Some(next) => x = next,
                    None => return,
                }
            }
        }

        /// Transposes `job` if its lines are pixels of 5 to 7 bytes, or blocks of which up to four elements hold data, and it is as
        /// high as a register; else it does nothing and returns `false`.
        ///
        /// # Safety
        /// As [`super::super::super::drive::Simd::dense`], or, for lines of 64 bytes, `Simd::sparse`.
        #[inline]
        #[target_feature(enable = $features)]
        pub(super) unsafe fn from_few_planes<const B: usize>(job: &Strips) -> bool {
            if job.height * B < $width {
                return false;
            }
            if B == 1 && matches!(job.width, 5..=7) {
                // SAFETY: the caller's promise, and the sizes were just looked at.
                unsafe { packed(job) };
                return true;
            }
            let blocks = (job.width * B).is_multiple_of(SIDE) && job.valid < job.width && !job.stream;
            if B > 4 || !matches!(job.valid, 1..=4) || !blocks {
                return false;
            }
            // SAFETY: as above.
            unsafe { apart::<B>(job) };
            true
        }

        /// The inverse for pixels of 5 to 7 bytes: `false` for others.
        ///
        /// # Safety
        /// As [`super::super::super::drive::Simd::few`].
        #[inline]
        #[target_feature(enable = $features)]
        pub(super) unsafe fn to_few_planes<const B: usize>(job: &Strips) -> bool {
            let pixels = B == 1 && matches!(job.height, 5..=7) && job.src_step == job.height as isize;
            if !pixels || job.width < $width {
                return false;
            }
            // SAFETY: the caller's promise, and the sizes were just looked at.
            unsafe { unpacked(job) };
            true
        }

        /// Transposes `job`, whose lines are multiples of 16 bytes, of which up to four elements hold data.
        ///
        /// # Safety
        /// As [`from_few_planes`], for elements of 1, 2 or 4 bytes and a register's of values of y at least.
        #[inline(never)]
        #[target_feature(enable = $features)]
        unsafe fn apart<const B: usize>(job: &Strips) {
            let (side, pixels, line) = ($width / B, 4 / B, job.width * B);
            let tables = const { &apart_tables::<B>() };
            let zero = _mm_setzero_si128();
            let mut y = 0;
            loop {
                let mut rows = [$zero(); 4];
                unrolled!(4, x => {
                    if x < job.valid {
                        // SAFETY: a register of values of y lies in the job, and this value of x holds data.
                        rows[x] = unsafe { $load(step(job.src, x, job.src_step).wrapping_add(y * B)) };
                    }
                });
                // Register i holds so many pixels in each lane, those of lane l from (4 l + i) times as many on.
                let groups = $turn::<B, 4>(rows, 4);
                unrolled!(4, i => {
                    for (j, table) in tables[..pixels].iter().enumerate() {
                        // SAFETY: the table has 16 bytes.
                        let at = $spread(unsafe { load16(table.as_ptr()) });
                        let part = $shuffle(groups[i], at);
                        let parts = lanes!($width, l => $lane(part, l));
                        for (l, part) in parts.into_iter().enumerate() {
                            let to = step_mut(job.dst, y + (4 * l + i) * pixels + j, job.dst_step);
                            // SAFETY: this line lies in the job.
                            unsafe { store16(to, part) };
                            let mut done = SIDE;
                            while done < line {
                                // SAFETY: as above.
                                unsafe { store16(to.wrapping_add(done), zero) };
                                done += SIDE;
                            }
                        }
                    }
                });
                match next(y, side, job.height) {
                    Some(next) => y = next,
                    None => return,
                }
            }
        }
    };
}
pub(in super::super) use packed_kernel;

/// Where the bytes of each pixel of four elements lie in 16 bytes; behind them come zeros.
pub(in super::super) const fn apart_tables<const B: usize>() -> [[u8; 16]; 4] {
    let mut tables = [[0x80; 16]; 4];
    if B > 4 {
        return tables;
    }
    let mut i = 0;
    while i < 16 {
        tables[i / (4 * B)][i % (4 * B)] = i as u8;
        i += 1;
    }
    tables
}
