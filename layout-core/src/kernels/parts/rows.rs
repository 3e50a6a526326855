//! Rows of bytes, for registers of any width: what every family's `run` is made of. And those loops of `convert` for rows of a
//! block of channels.

/// Defines `$rows` for rows of up to `$width` bytes.
macro_rules! short_rows {
    (
        $features:literal, $rows:ident, $width:literal, $load:ident $load_first:ident, $store:ident $store_first:ident,
        $ones:ident $and:ident
    ) => {
        /// Moves rows of up to `$width` bytes.
        ///
        /// # Safety
        /// As [`rows`].
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn $rows(job: &Rows) {
            let data = $ones(job.valid);
            let readable = job.readable($width);
            // Masked stores are much slower where they miss the caches.
            if job.len == $width {
                for y in 0..readable {
                    if $width == $crate::kernels::LINE && job.claims {
                        let claimed = step_mut(job.dst, y + $crate::kernels::parts::CLAIMED, job.dst_y);
                        $crate::kernels::parts::prefetch_write(claimed);
                    }
                    // SAFETY: a register can be read at these rows.
                    let row = unsafe { $load(step(job.src, y, job.src_y)) };
                    // SAFETY: the caller's promise; a row is a register.
                    unsafe { $store(step_mut(job.dst, y, job.dst_y), $and(data, row)) };
                }
                for y in readable..job.count {
                    // SAFETY: the caller's promise.
                    let row = unsafe { $load_first(step(job.src, y, job.src_y), job.valid) };
                    // SAFETY: as above; a row is a register.
                    unsafe { $store(step_mut(job.dst, y, job.dst_y), row) };
                }
                return;
            }
            for y in 0..readable {
                // SAFETY: a register can be read at these rows.
                let row = unsafe { $load(step(job.src, y, job.src_y)) };
                // SAFETY: the caller's promise.
                unsafe { $store_first(step_mut(job.dst, y, job.dst_y), $and(data, row), job.len) };
            }
            for y in readable..job.count {
                // SAFETY: the caller's promise.
                let row = unsafe { $load_first(step(job.src, y, job.src_y), job.valid) };
                // SAFETY: as above.
                unsafe { $store_first(step_mut(job.dst, y, job.dst_y), row, job.len) };
            }
        }
    };
}
pub(in super::super) use short_rows;

/// Defines `spread`, with registers of `$width` bytes.
macro_rules! spread_kernel {
    (
        $features:literal, $width:literal, $load:ident $load_first:ident, $store:ident $store_first:ident,
        $permute:ident $and:ident
    ) => {
        /// Spreads rows without gaps to longer ones without gaps, as many as there are in a register at a time.
        ///
        /// # Safety
        /// As [`rows`], for a job of which `is_spread($width)` holds.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn spread(job: &Rows) {
            let at_once = $width / job.len;
            let (mut from, mut data) = ([0u8; $width], [0u8; $width]);
            for row in 0..at_once {
                for i in 0..job.valid {
                    from[row * job.len + i] = (row * job.valid + i) as u8;
                    data[row * job.len + i] = 0xFF;
                }
            }
            // SAFETY: the table fills a register.
            let from = unsafe { $load(from.as_ptr()) };
            // SAFETY: as above.
            let data = unsafe { $load(data.as_ptr()) };
            // Steps after which a register can still be read, and written: of zeros behind the last whole row, which the
            // next step replaces.
            let (src_step, dst_step) = (at_once * job.valid, at_once * job.len);
            let readable = (job.count * job.valid).saturating_sub($width - 1).div_ceil(src_step);
            let writable = (job.count * job.len).saturating_sub($width - 1).div_ceil(dst_step);
            let steps = if readable < writable { readable } else { writable };
            let (mut src, mut dst) = (job.src, job.dst);
            for _ in 0..steps {
                // SAFETY: a register from here is in the rows.
                let rows = unsafe { $load(src) };
                // SAFETY: as above.
                unsafe { $store(dst, $and($permute(from, rows), data)) };
                (src, dst) = (src.wrapping_add(src_step), dst.wrapping_add(dst_step));
            }
            for _ in steps * at_once..job.count {
                // SAFETY: this row is in the job.
                let row = unsafe { $load_first(src, job.valid) };
                // SAFETY: as above.
                unsafe { $store_first(dst, row, job.len) };
                (src, dst) = (src.wrapping_add(job.valid), dst.wrapping_add(job.len));
            }
        }
    };
}
pub(in super::super) use spread_kernel;

/// Defines `run`, with registers of `$width` bytes.
macro_rules! run_kernel {
    ($features:literal, $width:literal, $load:ident $load_first:ident, $store:ident $store_first:ident) => {
        /// Moves `len` bytes.
        ///
        /// # Safety
        /// They can be read at `src` and written at `dst`, and do not overlap.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn run(src: *const u8, dst: *mut u8, len: usize) {
            if len >= $crate::kernels::parts::rows::LONG {
                // SAFETY: the caller's promise.
                unsafe { core::ptr::copy_nonoverlapping(src, dst, len) };
                return;
            }
            if len < $width {
                // SAFETY: as above.
                let part = unsafe { $load_first(src, len) };
                // SAFETY: as above.
                unsafe { $store_first(dst, part, len) };
                return;
            }
            let mut at = 0;
            while at + $width <= len {
                // SAFETY: at + width <= len.
                let part = unsafe { $load(src.wrapping_add(at)) };
                // SAFETY: as above.
                unsafe { $store(dst.wrapping_add(at), part) };
                at += $width;
            }
            if at < len {
                // The last register overlaps what was written: no branches for its length.
                at = len - $width;
                // SAFETY: at + width == len.
                let part = unsafe { $load(src.wrapping_add(at)) };
                // SAFETY: as above.
                unsafe { $store(dst.wrapping_add(at), part) };
            }
        }
    };
}
pub(in super::super) use run_kernel;

/// The length from which the platform's own memcpy is taken, in bytes.
pub(in super::super) const LONG: usize = 2048;

/// Elements of a block of channels, whose rows have a loop of their own where they are several registers.
pub(in super::super) const BLOCK: usize = 16;

/// Defines `block_rows`, with registers of `$side` numbers.
macro_rules! block_kernel {
    ($features:literal, $value:ty, $side:literal, zero: $zero:expr) => {
        /// Converts rows of a [`BLOCK`] with padding or without, where that is several registers.
        ///
        /// # Safety
        /// As `rows`, for rows of as many elements.
        #[inline(never)]
        #[target_feature(enable = $features)]
        unsafe fn block_rows<S: Load<$value>, D: Store<$value>, const STEPS: u8>(job: &Rows, map: &Affine) {
            /// Rows of four registers.
            const AT_ONCE: usize = 4 * $side / BLOCK;
            // SAFETY of each call: as above.
            let own = STEPS != NONE && map.row != [0; PARAMETERS];
            let mut shared = [[$zero; PARAMETERS]; BLOCK / $side];
            for (i, shared) in shared.iter_mut().enumerate() {
                if i * $side < job.valid {
                    // SAFETY: see above.
                    *shared = unsafe { parameters::<STEPS>(map, i * $side) };
                }
            }
            let mut done = 0;
            let follow = AT_ONCE == 1 || job.dst_y == (BLOCK * size_of::<D>()) as isize;
            let fast = const { STEPS != ALL } && !own;
            if fast && job.valid == BLOCK && follow {
                while done + AT_ONCE <= job.count {
                    let mut values = [$zero; 4];
                    for (i, value) in values.iter_mut().enumerate() {
                        let (y, x) = (done + i * $side / BLOCK, i * $side % BLOCK);
                        let from = step(job.src, y, job.src_y).wrapping_add(x * size_of::<S>());
                        // SAFETY: see above; these elements are in row y.
                        let loaded = unsafe { S::load(from) };
                        *value = apply::<STEPS>(loaded, &shared[x / $side]);
                    }
                    // SAFETY: see above; the rows follow one another.
                    unsafe { D::store_four(step_mut(job.dst, done, job.dst_y), values) };
                    done += AT_ONCE;
                }
            }
            if fast && job.valid == BLOCK {
                for y in done..job.count {
                    let (src, dst) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_y));
                    for (i, shared) in shared.iter().enumerate() {
                        let x = i * $side;
                        // SAFETY: see above; these elements are in row y.
                        let loaded = unsafe { S::load(src.wrapping_add(x * size_of::<S>())) };
                        // SAFETY: as above.
                        unsafe {
                            D::store(dst.wrapping_add(x * size_of::<D>()), apply::<STEPS>(loaded, shared))
                        };
                    }
                }
                return;
            }
            for y in done..job.count {
                let (src, dst) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_y));
                for (i, shared) in shared.iter_mut().enumerate() {
                    let x = i * $side;
                    if own && x < job.valid {
                        // SAFETY: see above.
                        *shared = unsafe { parameters::<STEPS>(&map.skip(0, y), x) };
                    }
                    let (src, dst) =
                        (src.wrapping_add(x * size_of::<S>()), dst.wrapping_add(x * size_of::<D>()));
                    if x + $side <= job.valid {
                        // SAFETY: see above; these elements are in the row.
                        let value = apply::<STEPS>(unsafe { S::load(src) }, shared);
                        // SAFETY: as above.
                        unsafe { D::store(dst, value) };
                    } else if const { STEPS != ALL } {
                        // SAFETY: as above.
                        unsafe {
                            register::<S, D, STEPS>(src, dst, shared, [job.valid.saturating_sub(x), $side])
                        };
                    } else if x < job.valid {
                        // SAFETY: as above.
                        unsafe { ends_of::<S, D, STEPS>(job, map, [x, y], [job.valid - x, $side]) };
                    } else {
                        // SAFETY: as above; zero stands for zero in all types.
                        unsafe { D::store(dst, $zero) };
                    }
                }
            }
        }
    };
}
pub(in super::super) use block_kernel;

/// What a register holds, in memory.
#[repr(align(64))]
pub(in super::super) struct Results<T, const N: usize>(pub(in super::super) [core::mem::MaybeUninit<T>; N]);

/// Defines `split_rows`, a part of `convert`.
macro_rules! split_kernel {
    ($features:literal, $value:ty, $side:literal) => {
        /// `short_rows` for rows of a half or a quarter of a register without gaps in the source, if these are such and have no
        /// parameters; returns how many were converted.
        ///
        /// # Safety
        /// As `rows`.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn split<S: Load<$value>, D: Store<$value>>(job: &Rows) -> usize {
            let follows = job.valid == job.len && job.src_y == (job.len * size_of::<S>()) as isize;
            match job.len {
                _ if !follows => 0,
                // SAFETY: the caller's promise.
                len if 2 * len == $side => unsafe { split_rows::<S, D, 2>(job) },
                // SAFETY: as above.
                len if 4 * len == $side => unsafe { split_rows::<S, D, 4>(job) },
                _ => 0,
            }
        }

        /// `split`, `PARTS` rows at a time.
        ///
        /// # Safety
        /// As there, for rows that follow one another and of which so many fill a register.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn split_rows<S: Load<$value>, D: Store<$value>, const PARTS: usize>(job: &Rows) -> usize {
            let mut results =
                $crate::kernels::parts::rows::Results([const { MaybeUninit::<D>::uninit() }; $side]);
            let results = results.0.as_mut_ptr().cast::<u8>();
            let bytes = $side / PARTS * size_of::<D>();
            let mut done = 0;
            while done + PARTS <= job.count {
                // SAFETY: the caller's promise: the rows fill a register.
                let loaded = unsafe { S::load(step(job.src, done, job.src_y)) };
                // SAFETY: there is room for a register.
                unsafe { D::store(results, loaded) };
                for part in 0..PARTS {
                    let dst = step_mut(job.dst, done + part, job.dst_y);
                    // SAFETY: what is read was just written; the caller's promise for the row.
                    unsafe { results.wrapping_add(part * bytes).copy_to_nonoverlapping(dst, bytes) };
                }
                done += PARTS;
            }
            done
        }
    };
}
pub(in super::super) use split_kernel;
