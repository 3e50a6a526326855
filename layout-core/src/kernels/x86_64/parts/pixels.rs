//! Pixels of a few elements to planes and back in registers of 16 bytes, for the families without permutations across
//! lanes: what their `narrow` is made of.

/// Bytes of a register.
pub(in super::super) const SIDE: usize = 16;

/// Defines `pixels` and `planes`.
macro_rules! pixel_kernels {
    ($features:literal) => {
        /// Planes to pixels.
        ///
        /// # Safety
        /// As [`super::super::super::drive::Simd::pixels`].
        #[inline]
        #[target_feature(enable = $features)]
        pub(super) unsafe fn pixels<const B: usize, const N: usize>(job: &Pixels) {
            let side = SIDE / B;
            let mut done = 0;
            while done < job.len {
                let count = if job.len - done < side { job.len - done } else { side };
                let whole = count == side && job.valid == N;
                let mut planes = [_mm_setzero_si128(); N];
                for (n, plane) in planes.iter_mut().enumerate() {
                    let from = step(job.src, n, job.plane).wrapping_add(done * B);
                    if whole {
                        // SAFETY: `side` elements of plane n lie in the job.
                        *plane = unsafe { load16(from) };
                    } else if n < job.valid {
                        // SAFETY: this stops at the end of the plane.
                        *plane = unsafe { load16_first(from, count * B) };
                    }
                }
                let lines = if N == 3 { interleave3::<B, N>(planes) } else { turn::<B, N>(planes, N) };
                for (n, &line) in lines.iter().enumerate() {
                    let to = job.dst.wrapping_add(done * N * B + n * SIDE);
                    if count == side {
                        // SAFETY: `side` pixels lie in the job.
                        unsafe { store16(to, line) };
                    } else {
                        let left = (count * N * B).saturating_sub(n * SIDE).min(SIDE);
                        // SAFETY: `left` stops at the last pixel.
                        unsafe { store16_first(to, line, left) };
                    }
                }
                done += count;
            }
        }

        /// Pixels to planes.
        ///
        /// # Safety
        /// As [`super::super::super::drive::Simd::planes`].
        #[inline]
        #[target_feature(enable = $features)]
        pub(super) unsafe fn planes<const B: usize, const N: usize>(job: &Pixels) {
            let side = SIDE / B;
            let mut done = 0;
            while done < job.len {
                let count = if job.len - done < side { job.len - done } else { side };
                let mut lines = [_mm_setzero_si128(); N];
                for (n, line) in lines.iter_mut().enumerate() {
                    let from = job.src.wrapping_add(done * N * B + n * SIDE);
                    if count == side {
                        // SAFETY: `side` pixels lie in the job.
                        *line = unsafe { load16(from) };
                    } else {
                        let left = (count * N * B).saturating_sub(n * SIDE).min(SIDE);
                        // SAFETY: `left` stops at the last pixel.
                        *line = unsafe { load16_first(from, left) };
                    }
                }
                // N registers of `side` elements: as many shuffles turn the one into the other as are left of a round.
                let planes = if N == 3 { separate3::<B, N>(lines) } else { turn::<B, N>(lines, side) };
                for (n, &plane) in planes.iter().enumerate() {
                    let to = step_mut(job.dst, n, job.plane).wrapping_add(done * B);
                    if count == side {
                        // SAFETY: `side` elements of plane n lie in the job.
                        unsafe { store16(to, plane) };
                    } else {
                        // SAFETY: this stops at the end of the plane.
                        unsafe { store16_first(to, plane, count * B) };
                    }
                }
                done += count;
            }
        }

        /// The elements of three registers in turn.
        #[inline]
        #[target_feature(enable = $features)]
        fn interleave3<const B: usize, const N: usize>(planes: [__m128i; N]) -> [__m128i; N] {
            pick3(planes, const { &woven::<B>() })
        }

        /// Every third element of three registers.
        #[inline]
        #[target_feature(enable = $features)]
        fn separate3<const B: usize, const N: usize>(lines: [__m128i; N]) -> [__m128i; N] {
            pick3(lines, const { &parted::<B>() })
        }

        /// Register k from the bytes of all three at `at[k]`.
        #[inline]
        #[target_feature(enable = $features)]
        fn pick3<const N: usize>(from: [__m128i; N], at: &[[[u8; SIDE]; 3]; 3]) -> [__m128i; N] {
            let mut to = from;
            for k in 0..3 {
                let mut value = _mm_setzero_si128();
                for n in 0..3 {
                    // SAFETY: a table has 16 bytes.
                    let at = unsafe { load16(at[k][n].as_ptr()) };
                    value = _mm_or_si128(value, _mm_shuffle_epi8(from[n], at));
                }
                to[k] = value;
            }
            to
        }
    };
}
pub(in super::super) use pixel_kernels;

/// Where the bytes of output k lie in input n, 0x80 where in another: three registers of `B`-byte elements in turn.
pub(in super::super) const fn woven<const B: usize>() -> [[[u8; SIDE]; 3]; 3] {
    let mut at = [[[0x80; SIDE]; 3]; 3];
    let mut byte = 0;
    while byte < 3 * SIDE {
        let element = byte / B;
        let (pixel, plane) = (element / 3, element % 3);
        at[byte / SIDE][plane][byte % SIDE] = (pixel * B + byte % B) as u8;
        byte += 1;
    }
    at
}

/// The inverse of [`woven`]: every third element.
pub(in super::super) const fn parted<const B: usize>() -> [[[u8; SIDE]; 3]; 3] {
    let mut at = [[[0x80; SIDE]; 3]; 3];
    let mut byte = 0;
    while byte < 3 * SIDE {
        let (plane, element) = (byte / SIDE, byte % SIDE / B);
        let from = (element * 3 + plane) * B + byte % B;
        at[plane][from / SIDE][byte % SIDE] = (from % SIDE) as u8;
        byte += 1;
    }
    at
}
