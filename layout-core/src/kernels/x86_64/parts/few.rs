//! Elements of which a few lie together in the source, and go to as many lines of the destination: the last channels of a block.
//! In registers of 16 bytes, for the families without permutations across lanes: what their `few` is made of.

/// Defines `few`, for registers of 16 bytes and the network `turn`.
macro_rules! few_kernel {
    ($features:literal) => {
        /// Transposes `job`, which is lower than a square and at least 16 bytes wide.
        ///
        /// # Safety
        /// As [`super::super::super::drive::Simd::few`].
        #[inline(never)]
        #[target_feature(enable = $features)]
        pub(super) unsafe fn few<const B: usize>(job: &Strips) {
            let mut y = 0;
            while y < job.height {
                let left = job.height - y;
                let height = if left * B > 8 { 8 / B } else { left };
                let part = job.part_y(y, height);
                match (B, height * B > 4) {
                    // SAFETY of each: these values of y lie in the job, and are as many as the cells have at most.
                    // SAFETY: see above.
                    (1, false) => unsafe { cells::<B, 4, 4, 4>(&part) },
                    // SAFETY: see above.
                    (1, true) => unsafe { cells::<B, 8, 8, 2>(&part) },
                    // SAFETY: see above.
                    (2, false) => unsafe { cells::<B, 4, 2, 8>(&part) },
                    // SAFETY: see above.
                    (2, true) => unsafe { cells::<B, 8, 4, 4>(&part) },
                    // SAFETY: see above.
                    (_, false) => unsafe { cells::<B, 4, 1, 16>(&part) },
                    // SAFETY: see above; there are no others.
                    (_, true) => unsafe { cells::<B, 8, 2, 8>(&part) },
                }
                y += height;
            }
        }

        /// [`few`] by cells of `C` bytes, which the elements of a value of x fit in: `R` registers of cells become as many lines,
        /// of which each register has `P` bytes beside one another.
        ///
        /// # Safety
        /// As [`few`], with `R * B == C`, `P * C == 16 * B` and no more than `R` values of y.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn cells<const B: usize, const C: usize, const R: usize, const P: usize>(job: &Strips) {
            let len = job.height * B;
            // SAFETY: the table fills a register.
            let by_line = unsafe { load16(const { &by_line::<B, C>() }.as_ptr()) };
            let mut x = 0;
            loop {
                let from = step(job.src, x, job.src_step);
                let mut rows = [_mm_setzero_si128(); R];
                for (i, row) in rows.iter_mut().enumerate() {
                    let from = opaque(step(from, i * (16 / C), job.src_step).cast_mut()).cast_const();
                    let mut halves = [0u64; 2];
                    for k in 0..16 / C {
                        // SAFETY: this value of x lies in the job, with as many bytes.
                        let cell = unsafe { cell::<C>(step(from, k, job.src_step), len) };
                        halves[k * C / 8] |= cell << (k * C % 8 * 8);
                    }
                    let cells = _mm_set_epi64x(halves[1] as i64, halves[0] as i64);
                    *row = _mm_shuffle_epi8(cells, by_line);
                }
                let lines = turn::<P, R>(rows, R);
                let to = job.dst.wrapping_add(x * B);
                for (y, &line) in lines.iter().enumerate() {
                    if y < job.height {
                        // SAFETY: 16 bytes of this value of y from x on are in the job.
                        unsafe { store16(step_mut(to, y, job.dst_step), line) };
                    }
                }
                match next(x, 16 / B, job.width) {
                    Some(next) => x = next,
                    None => return,
                }
            }
        }
    };
}
pub(in super::super) use few_kernel;

/// Reads `len` bytes, no more than the `C` (4 or 8) of a cell and, for 8, more than half of them; the others are zero. By two loads
/// that share bytes, which needs no way for each length.
///
/// # Safety
/// They can be read; `len` is not 0.
#[inline(always)]
pub(in super::super) unsafe fn cell<const C: usize>(src: *const u8, len: usize) -> u64 {
    /// `half` at `src` and `half` that end with byte `len`.
    macro_rules! halves {
        ($half:ty) => {{
            let behind = len - size_of::<$half>();
            // SAFETY: the caller's promise; `len` is no less than the bytes of a half.
            let first = unsafe { src.cast::<$half>().read_unaligned() };
            // SAFETY: as above.
            let last = unsafe { src.wrapping_add(behind).cast::<$half>().read_unaligned() };
            u64::from(first) | u64::from(last) << (8 * behind)
        }};
    }
    match len {
        // SAFETY: the caller's promise.
        8 => unsafe { src.cast::<u64>().read_unaligned() },
        _ if C == 8 => halves!(u32),
        // SAFETY: as above.
        4 => unsafe { src.cast::<u32>().read_unaligned() }.into(),
        3 => halves!(u16),
        _ => halves!(u8),
    }
}

/// Where the bytes lie in cells of `C` bytes when the first elements of all, of `B` bytes, come first, then the second ones.
pub(in super::super) const fn by_line<const B: usize, const C: usize>() -> [u8; 16] {
    let mut at = [0; 16];
    let (cells, mut byte) = (16 / C, 0);
    while byte < 16 {
        let (line, cell) = (byte / (cells * B), byte / B % cells);
        at[byte] = (cell * C + line * B + byte % B) as u8;
        byte += 1;
    }
    at
}
