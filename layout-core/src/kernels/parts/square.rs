//! Squares and columns of them, for registers of any width: what every family's `transpose` is made of.
//!
//! Loads of 16 bytes fill a register: one row of the source in each 128-bit lane, R = 16 / B rows apart, so that the lanes
//! need not be crossed any more; the zip network does the rest.

/// Defines `$block`, which transposes the squares that fill a register of `$width` bytes, and `$edge`, the same with tails.
macro_rules! squares {
    (
        $features:literal, $width:tt, $block:ident $edge:ident, $zero:ident $join:ident $turn:ident,
        $load16:ident $load16_first:ident, $store:ident $stream:ident $store_first:ident, $ones:ident $and:ident
    ) => {
        /// `$width` bytes of the destination for R values of y.
        ///
        /// # Safety
        /// The elements can be read and written, and do not overlap; with `STREAM` the destination is aligned.
        #[inline]
        #[target_feature(enable = $features)]
        pub(super) unsafe fn $block<const B: usize, const R: usize, const STREAM: bool>(
            src: *const u8,
            src_x: isize,
            dst: *mut u8,
            dst_y: isize,
        ) {
            let src = opaque(src.cast_mut()).cast_const();
            let mut from = lanes!($width, l => step(src, l * R, src_x));
            let mut rows = [$zero(); R];
            unrolled!(R, i => {
                if i > 0 && i % 4 == 0 {
                    from = lanes!($width, l => opaque(step(from[l], 4, src_x).cast_mut()).cast_const());
                }
                rows[i] = $join(lanes!($width, l => {
                    // SAFETY: the caller's promise; x is within the width.
                    unsafe { $load16(step(from[l], i % 4, src_x)) }
                }));
            });
            let lines = $turn::<B, R>(rows, R);
            let mut to = opaque(dst);
            unrolled!(R, j => {
                if j > 0 && j % 4 == 0 {
                    to = opaque(step_mut(to, 4, dst_y));
                }
                if STREAM {
                    // SAFETY: the caller's promise.
                    unsafe { $stream(step_mut(to, j % 4, dst_y), lines[j]) };
                } else {
                    // SAFETY: the caller's promise.
                    unsafe { $store(step_mut(to, j % 4, dst_y), lines[j]) };
                }
            });
        }

        /// Up to `$width` bytes of the destination for each y, with padding, of any height. Not inlined, because
        /// it is the rarer way and would be there several times.
        ///
        /// # Safety
        /// As `Simd::edge`, with a width of as many bytes at most. With `HIGH`, the height is a square's at least.
        #[inline(never)]
        #[target_feature(enable = $features)]
        unsafe fn $edge<const B: usize, const R: usize, const HIGH: bool>(job: &Strips) {
            let width = job.width * B;
            if job.valid == 0 {
                for y in 0..job.height {
                    // SAFETY: this y lies in the job.
                    let to = unsafe { job.line(y) };
                    if width == $width {
                        // SAFETY: the line is as long as a register.
                        unsafe { $store(to, $zero()) };
                    } else {
                        // SAFETY: the line has so many bytes.
                        unsafe { $store_first(to, $zero(), width) };
                    }
                }
                return;
            }
            let data = $ones(job.valid * B);
            // Lines without gaps are written by whole registers, and what these have behind them is overwritten by the next.
            let follow = HIGH && job.even && job.dst_step == width as isize;
            let full = HIGH && width == $width;
            let mut own = [0; $width];
            let mut src_x = job.src_x;
            if job.even {
                for (i, at) in own[..$width / B].iter_mut().enumerate() {
                    let x = if i < job.valid { i } else { job.valid.saturating_sub(1) };
                    *at = (x as isize).wrapping_mul(job.src_step);
                }
                src_x = own.as_ptr();
            }
            let mut y = 0;
            loop {
                let from = step(job.src, y, job.src_y);
                let mut rows = [$zero(); R];
                unrolled!(R, i => {
                    rows[i] = $join(lanes!($width, l => {
                        // SAFETY: a line of entries follows those for the data.
                        let from = unsafe { at(from, src_x, l * R + i) };
                        if HIGH {
                            // SAFETY: y + R is within the height.
                            unsafe { $load16(from) }
                        } else {
                            // SAFETY: this stops at the last y of the job.
                            unsafe { $load16_first(from, job.height * B) }
                        }
                    }));
                });
                let lines = $turn::<B, R>(rows, R);
                let whole = follow && (y + R - 1) * width + $width <= job.height * width;
                if whole {
                    unrolled!(R, j => {
                        let to = step_mut(job.dst, y + j, job.dst_step);
                        // SAFETY: the line and as much of those behind it lie in the job; these are written later.
                        unsafe { $store(to, $and(data, lines[j])) };
                    });
                } else if full {
                    unrolled!(R, j => {
                        // SAFETY: y + R is within the height.
                        let to = unsafe { job.line(y + j) };
                        // SAFETY: the line is as long as a register.
                        unsafe { $store(to, $and(data, lines[j])) };
                    });
                } else {
                    unrolled!(R, j => {
                        if y + j < job.height {
                            // SAFETY: this y lies in the job.
                            let to = unsafe { job.line(y + j) };
                            // SAFETY: this y lies in the job.
                            unsafe { $store_first(to, $and(data, lines[j]), width) };
                        }
                    });
                }
                match next(y, R, job.height) {
                    Some(next) => y = next,
                    None => return,
                }
            }
        }
    };
}
pub(in super::super) use squares;

/// From this distance between two lines of the destination the processor does not see which is written next.
pub(in super::super) const FAR: usize = 512;

/// Defines `$column`, which transposes rows of the destination by `$block`s: `$lines` times `$width` bytes of all of them, and then
/// as many more; or with `ASIDE` so many times as many.
macro_rules! column {
    ($features:literal, $column:ident, $block:ident, $width:literal, $lines:literal) => {
        /// The last block overlaps the one before where the height is no multiple of it.
        ///
        /// # Safety
        /// As `Simd::column`, for rows of this width.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn $column<const B: usize, const R: usize, const STREAM: bool, const ASIDE: bool>(
            job: &Strips,
            ahead: isize,
            aside: usize,
        ) {
            // Lines near one another are foreseen, and so are a few, unless each lies in two of memory.
            let off = job.dst_step % 64 == 0 && job.dst.addr() % 64 != 0;
            let many = job.height > 16 || job.height > 4 && (off || job.dst_step % 64 != 0);
            let far = many && (off || job.dst_step.unsigned_abs() >= $crate::kernels::parts::square::FAR);
            // Where lines compete for places, the next ones of an element's 64 would drive out those that wait for the rest of theirs.
            let crowded = B == 1 && job.dst_step % $crate::kernels::parts::square::FAR as isize == 0;
            let claims = (far || B == 1 && many) && job.claims && !STREAM && !crowded;
            let width = $lines * $width;
            let (mut src, mut dst) = (job.src, job.dst);
            let (mut left, most) = (job.width * B, if ASIDE { aside * width } else { width });
            loop {
                let strip = if ASIDE && left < most { left } else { most };
                let mut y = 0;
                loop {
                    let (from, to) = (step(src, y, job.src_y), step_mut(dst, y, job.dst_step));
                    if ahead != 0 {
                        // A quarter of the lines there: four blocks make up a line.
                        let group = step(from, y / R % 4 * R, job.src_step).wrapping_offset(ahead);
                        let mut group = opaque(group.cast_mut()).cast_const();
                        unrolled!(R * $lines * $width / 64, i => {
                            if i > 0 && i % 4 == 0 {
                                group = opaque(step(group, 4, job.src_step).cast_mut()).cast_const();
                            }
                            $crate::kernels::parts::prefetch(step(group, i % 4, job.src_step));
                        });
                    }
                    if claims {
                        let y = next(y, R, job.height).unwrap_or(y);
                        let last = step_mut(dst, y, job.dst_step).wrapping_add(width - 1);
                        for line in 0..if ASIDE { strip / width } else { 1 } {
                            let mut last = last.wrapping_add(line * width);
                            unrolled!(R, i => {
                                if i > 0 && i % 4 == 0 {
                                    last = opaque(step_mut(last, 4, job.dst_step));
                                }
                                $crate::kernels::parts::prefetch_write(step_mut(last, i % 4, job.dst_step));
                            });
                        }
                    }
                    for line in 0..if ASIDE { strip / $width } else { $lines } {
                        let from = step(from, line * $width / B, job.src_step);
                        let to = to.wrapping_add(line * $width);
                        // SAFETY: y + R is within the height, and this part within the row.
                        unsafe { $block::<B, R, STREAM>(from, job.src_step, to, job.dst_step) };
                    }
                    match next(y, R, job.height) {
                        Some(next) => y = next,
                        None => break,
                    }
                }
                left -= strip;
                if left == 0 {
                    return;
                }
                (src, dst) = (step(src, strip / B, job.src_step), dst.wrapping_add(strip));
            }
        }
    };
}
pub(in super::super) use column;

/// Where entry `i` of `table` leads from `base`.
///
/// # Safety
/// The table has that entry.
#[inline(always)]
pub(in super::super) unsafe fn at(base: *const u8, table: *const isize, i: usize) -> *const u8 {
    // SAFETY: the caller's promise.
    base.wrapping_offset(unsafe { table.wrapping_add(i).read() })
}

/// Writes `$lines`, those of `$job` from value `$y` on, `$at` bytes behind where the destination's table leads.
macro_rules! put_lines {
    ($width:tt, $job:ident, $y:ident, $count:ident, $at:expr, $lines:ident, $store:ident $stream:ident) => {
        unrolled!($count, j => {
            // SAFETY: the table has an entry for each value of y.
            let place = unsafe { $job.dst_y.wrapping_add($y + j).read() };
            let to = $job.dst.wrapping_offset(place).wrapping_add($at);
            // Of registers that are written across lines.
            if $job.claims && to.addr() % 64 > 64 - $width {
                let next = $crate::kernels::parts::ACROSS * 64;
                $crate::kernels::parts::prefetch_write(to.wrapping_add(next + $width - 1));
            }
            if $job.stream {
                // SAFETY: this part of the line is in the job, and aligned.
                unsafe { $stream(to, $lines[j]) };
            } else {
                // SAFETY: this part of the line is in the job.
                unsafe { $store(to, $lines[j]) };
            }
        });
    };
}
pub(in super::super) use put_lines;

/// Defines `$tabled`, the same as the column of a whole line for jobs that are not even. `$stream` is `$store` where the family
/// writes no part of a line past the caches.
macro_rules! tabled {
    ($features:literal, $tabled:ident, $width:tt, $zero:ident $join:ident $turn:ident, $load16:ident $store:ident $stream:ident) => {
        /// The last block overlaps the one before where the height is no multiple of it. Not inlined, because it is rarer.
        ///
        /// # Safety
        /// As `Simd::tabled`, with `R * B == 16`.
        #[inline(never)]
        #[target_feature(enable = $features)]
        pub(super) unsafe fn $tabled<const B: usize, const R: usize>(job: &Strips) {
            let mut y = 0;
            loop {
                let from = step(job.src, y, job.src_y);
                for part in 0..64 / $width {
                    let src_x = job.src_x.wrapping_add(part * $width / B);
                    let mut rows = [$zero(); R];
                    unrolled!(R, i => {
                        rows[i] = $join(lanes!($width, l => {
                            // SAFETY: the table has an entry for each value of x.
                            let row = unsafe { at(from, src_x, l * R + i) };
                            // SAFETY: y + R is within the height.
                            unsafe { $load16(row) }
                        }));
                    });
                    let lines = $turn::<B, R>(rows, R);
                    $crate::kernels::parts::square::put_lines!($width, job, y, R, part * $width, lines, $store $stream);
                }
                match next(y, R, job.height) {
                    Some(next) => y = next,
                    None => return,
                }
            }
        }
    };
}
pub(in super::super) use tabled;

/// Defines `$scattered`, the same for jobs of which only the destination's distances stand in a table: those of the source need
/// not be read once for every square.
#[cfg(target_arch = "x86_64")]
macro_rules! scattered {
    ($features:literal, $scattered:ident, $width:tt, $zero:ident $join:ident $turn:ident, $load16:ident $store:ident $stream:ident) => {
        /// The last block overlaps the one before where the height is no multiple of it. Not inlined, because it is rarer.
        ///
        /// # Safety
        /// As `Simd::tabled`, for a job whose `even_x` is set, with `R * B == 16`.
        #[inline(never)]
        #[target_feature(enable = $features)]
        pub(super) unsafe fn $scattered<const B: usize, const R: usize>(job: &Strips) {
            // SAFETY: the job has such a row.
            let first = unsafe { job.row(0) };
            let mut y = 0;
            loop {
                for part in 0..64 / $width {
                    let src = step(step(first, y, job.src_y), part * $width / B, job.src_step);
                    let src = opaque(src.cast_mut()).cast_const();
                    let mut from = lanes!($width, l => step(src, l * R, job.src_step));
                    let mut rows = [$zero(); R];
                    unrolled!(R, i => {
                        if i > 0 && i % 4 == 0 {
                            from = lanes!($width, l => opaque(step(from[l], 4, job.src_step).cast_mut()).cast_const());
                        }
                        rows[i] = $join(lanes!($width, l => {
                            // SAFETY: the values of x are a line's, and y + R is within the height.
                            unsafe { $load16(step(from[l], i % 4, job.src_step)) }
                        }));
                    });
                    let lines = $turn::<B, R>(rows, R);
                    $crate::kernels::parts::square::put_lines!($width, job, y, R, part * $width, lines, $store $stream);
                }
                match next(y, R, job.height) {
                    Some(next) => y = next,
                    None => return,
                }
            }
        }
    };
}
#[cfg(target_arch = "x86_64")]
pub(in super::super) use scattered;

/// The y of the block of `side` values behind that at `y`; the last one may overlap it.
#[inline(always)]
pub(in super::super) fn next(y: usize, side: usize, height: usize) -> Option<usize> {
    let next = y + side;
    if next >= height {
        None
    } else if next + side > height {
        Some(height - side)
    } else {
        Some(next)
    }
}
