//! Pixels of a few elements to planes and back, for the families without permutations across 16 bytes: what their `narrow` is
//! made of.

/// Bytes of a lane.
pub(in super::super) const SIDE: usize = 16;

/// So many bytes ahead lines of the destination are asked for, where that pays: a store waits for its line.
pub(in super::super) const AHEAD: usize = 256;

/// Defines `pixels` and `planes` for registers of `$width` bytes, of which each 16 take a part of the pixels for themselves: `$join`
/// makes a register of as many lanes, `$lane` is one of them, `$spread` repeats 16 bytes in all. `$claims`: whether lines of the
/// destination are asked for before they are written.
macro_rules! pixel_kernels {
    (
        $features:literal, $vector:ty, $width:tt, $zero:ident $join:ident $spread:ident $lane:ident $turn:ident,
        $shuffle:ident $or:ident, $load:ident $load_first:ident $store:ident $store_first:ident,
        claims: $claims:expr
    ) => {
        /// Planes to pixels.
        ///
        /// # Safety
        /// As [`super::super::super::drive::Simd::pixels`].
        #[inline]
        #[target_feature(enable = $features)]
        pub(super) unsafe fn pixels<const B: usize, const N: usize>(job: &Pixels) {
            let side = $width / B;
            if job.len < side {
                // SAFETY: the caller's promise.
                unsafe { pixels_at::<B, N, false>(job, 0, job.len, false) };
                return;
            }
            let claims: bool = $claims;
            let mut done = 0;
            loop {
                // SAFETY: `side` pixels from there on lie in the job.
                unsafe { pixels_at::<B, N, true>(job, done, side, claims) };
                match next(done, side, job.len) {
                    Some(next) => done = next,
                    None => return,
                }
            }
        }

        /// # Safety
        /// As [`pixels`]: `count` of them from `done` on, a register of each plane where they are `WHOLE`, and else fewer.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn pixels_at<const B: usize, const N: usize, const WHOLE: bool>(
            job: &Pixels,
            done: usize,
            count: usize,
            claims: bool,
        ) {
            let mut planes = [$zero(); N];
            unrolled!(N, n => {
                if n < job.valid {
                    let from = step(job.src, n, job.plane).wrapping_add(done * B);
                    planes[n] = if WHOLE {
                        // SAFETY: the caller's promise.
                        unsafe { $load(from) }
                    } else {
                        // SAFETY: the caller's promise.
                        unsafe { $load_first(from, count * B) }
                    };
                }
            });
            let lines = if N == 3 { interleave3::<B, N>(planes) } else { $turn::<B, N>(planes, N) };
            let to = job.dst.wrapping_add(done * N * B);
            if WHOLE && claims {
                unrolled!(N, n => {
                    if n % (LINE / $width) == 0 {
                        prefetch_write(to.wrapping_add(AHEAD + n * $width));
                    }
                });
            }
            unrolled!(N, n => {
                let parts = lanes!($width, l => $lane(lines[n], l));
                for (l, part) in parts.into_iter().enumerate() {
                    let at = (N * l + n) * SIDE;
                    if WHOLE {
                        // SAFETY: the caller's promise.
                        unsafe { store16(to.wrapping_add(at), part) };
                    } else {
                        let left = (count * N * B).saturating_sub(at).min(SIDE);
                        // SAFETY: `left` stops at the last pixel.
                        unsafe { store16_first(to.wrapping_add(at), part, left) };
                    }
                }
            });
        }

        /// Pixels to planes.
        ///
        /// # Safety
        /// As [`super::super::super::drive::Simd::planes`].
        #[inline]
        #[target_feature(enable = $features)]
        pub(super) unsafe fn planes<const B: usize, const N: usize>(job: &Pixels) {
            let side = $width / B;
            if job.len < side {
                // SAFETY: the caller's promise.
                unsafe { planes_at::<B, N, false>(job, 0, job.len, false) };
                return;
            }
            let claims: bool = $claims;
            let mut done = 0;
            loop {
                // SAFETY: `side` pixels from there on lie in the job.
                unsafe { planes_at::<B, N, true>(job, done, side, claims) };
                match next(done, side, job.len) {
                    Some(next) => done = next,
                    None => return,
                }
            }
        }

        /// # Safety
        /// As [`planes`]: `count` pixels from `done` on, a register of each plane where they are `WHOLE`, and else fewer.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn planes_at<const B: usize, const N: usize, const WHOLE: bool>(
            job: &Pixels,
            done: usize,
            count: usize,
            claims: bool,
        ) {
            let from = job.src.wrapping_add(done * N * B);
            let mut lines = [$zero(); N];
            unrolled!(N, n => {
                lines[n] = $join(lanes!($width, l => {
                    let at = (N * l + n) * SIDE;
                    if WHOLE {
                        // SAFETY: the caller's promise.
                        unsafe { load16(from.wrapping_add(at)) }
                    } else {
                        let left = (count * N * B).saturating_sub(at).min(SIDE);
                        // SAFETY: `left` stops at the last pixel.
                        unsafe { load16_first(from.wrapping_add(at), left) }
                    }
                }));
            });
            // N times 16 bytes: as many shuffles turn the one into the other as are left of a round.
            let planes = if N == 3 { separate3::<B, N>(lines) } else { $turn::<B, N>(lines, SIDE / B) };
            unrolled!(N, n => {
                let to = step_mut(job.dst, n, job.plane).wrapping_add(done * B);
                if WHOLE {
                    if claims {
                        prefetch_write(to.wrapping_add(AHEAD));
                    }
                    // SAFETY: the caller's promise.
                    unsafe { $store(to, planes[n]) };
                } else {
                    // SAFETY: the caller's promise.
                    unsafe { $store_first(to, planes[n], count * B) };
                }
            });
        }

        /// The elements of three registers in turn.
        #[inline]
        #[target_feature(enable = $features)]
        fn interleave3<const B: usize, const N: usize>(planes: [$vector; N]) -> [$vector; N] {
            pick3(planes, const { &woven::<B>() })
        }

        /// Every third element of three registers.
        #[inline]
        #[target_feature(enable = $features)]
        fn separate3<const B: usize, const N: usize>(lines: [$vector; N]) -> [$vector; N] {
            pick3(lines, const { &parted::<B>() })
        }

        /// Register k from the bytes of all three at `at[k]`, lane by lane.
        #[inline]
        #[target_feature(enable = $features)]
        fn pick3<const N: usize>(from: [$vector; N], at: &[[[u8; SIDE]; 3]; 3]) -> [$vector; N] {
            let mut to = from;
            for k in 0..3 {
                let mut value = $zero();
                for n in 0..3 {
                    // SAFETY: a table has 16 bytes.
                    let at = unsafe { load16(at[k][n].as_ptr()) };
                    value = $or(value, $shuffle(from[n], $spread(at)));
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
