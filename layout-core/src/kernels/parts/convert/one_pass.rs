//! Loops that convert rows in one pass, where they would else go through f32 in a buffer: with parameters between two types of
//! which neither is f32, and with results that are added to what the destination holds. Made of the parts of `convert`; there
//! are many pairs, so that rows of every length and all parameters share little code.

use super::super::super::drive::Rows;
use super::super::super::generic::{step_mut, zero_run};

/// Sets the padding of all rows to zero, but for what the last register of `side` elements with data has of it; elements have
/// `bytes` bytes.
///
/// # Safety
/// It can be written.
#[cold]
pub(in super::super::super) unsafe fn pad(job: &Rows, side: usize, bytes: usize) {
    // Where rows begin with what lies in front of whole lines, registers are anywhere.
    let first = if job.stream { job.valid } else { job.valid.next_multiple_of(side) };
    for y in 0..if first < job.len { job.count } else { 0 } {
        let dst = step_mut(job.dst, y, job.dst_y).wrapping_add(first * bytes);
        // SAFETY: the caller's promise.
        unsafe { zero_run(dst, (job.len - first) * bytes) };
    }
}

/// Defines `scale` and `add`, for registers of `$side` f32.
macro_rules! one_pass_kernel {
    ($features:literal, $value:ty, $side:literal) => {
        /// Converts the elements of `job` with parameters.
        ///
        /// # Safety
        /// That of [`ConvertRows`].
        #[target_feature(enable = $features)]
        unsafe fn scale<S: Load<$value>, D: Store<$value>>(job: &Rows, map: Option<&Affine>) {
            if job.valid < job.len {
                // SAFETY: the caller's promise.
                unsafe { pad(job, $side, size_of::<D>()) };
            }
            let (steps, map) = Affine::steps_of(map);
            if steps == FACTOR {
                // SAFETY: the caller's promise.
                unsafe { one_pass::<S, D, f32, FACTOR, NONE, false>(job, &map, 0.0) };
            } else {
                // SAFETY: as above.
                unsafe { one_pass::<S, D, f32, ALL, NONE, false>(job, &map, 0.0) };
            }
        }

        /// Converts the elements of `job` and adds what the destination holds, as numbers `O`, times `beta`; the last two
        /// parameters belong behind the sum.
        ///
        /// # Safety
        /// That of [`AddRows`].
        #[target_feature(enable = $features)]
        unsafe fn add<S: Load<$value>, D: Store<$value>, O: Load<$value>>(
            job: &Rows,
            map: Option<&Affine>,
            beta: f32,
        ) {
            if job.valid < job.len {
                // SAFETY: the caller's promise.
                unsafe { pad(job, $side, size_of::<D>()) };
            }
            let neutral = Affine::neutral();
            match map.filter(|map| map.changes()) {
                // Between integers of 8 bits and numbers of 16, few sums have no parameters.
                // SAFETY: the caller's promise.
                None if const { size_of::<S>() + size_of::<D>() != 3 } => unsafe {
                    one_pass::<S, D, O, NONE, NONE, true>(job, &neutral, beta)
                },
                // SAFETY: as above.
                map => unsafe {
                    one_pass::<S, D, O, SHIFT_FACTOR, SECOND, true>(job, map.unwrap_or(&neutral), beta)
                },
            }
        }

        /// Converts the rows of `job`, with the steps `BEFORE` of the affine map before the sum, if it `ADDS`, and `BEHIND` behind
        /// it. Of padding it writes what registers with data have.
        ///
        /// # Safety
        /// That of [`ConvertRows`], and of [`AddRows`] if it `ADDS`.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn one_pass<
            S: Load<$value>,
            D: Store<$value>,
            O: Load<$value>,
            const BEFORE: u8,
            const BEHIND: u8,
            const ADDS: bool,
        >(
            job: &Rows,
            map: &Affine,
            beta: f32,
        ) {
            let to = size_of::<D>();
            let beta = [beta; $side];
            // SAFETY of each call: the caller's promise: these elements are in the job, and their parameters there.
            // SAFETY: so many were just written.
            let beta = unsafe { <f32 as Load<$value>>::load(beta.as_ptr().cast()) };
            for y in 0..job.count {
                let row = match BEFORE | BEHIND {
                    NONE => Row::new::<NONE>(job, map, y),
                    _ => Row::new::<ALL>(job, map, y),
                };
                // Parts of registers in front of whole lines, and then behind the last one.
                let (mut stop, end) =
                    if ADDS || !job.stream { (0, 0) } else { lines(row.dst, job.valid, to) };
                let mut x = 0;
                loop {
                    while x < stop {
                        let valid = if stop - x < $side { stop - x } else { $side };
                        let rest = if stop < job.valid { valid } else { job.len - x };
                        let len = if rest < $side { rest } else { $side };
                        // SAFETY: see above.
                        let value = unsafe { first::<S, O, BEFORE, BEHIND, ADDS>(&row, x, to, valid, beta) };
                        // SAFETY: see above; zero stands for zero in all types.
                        unsafe {
                            D::store_first(row.dst.wrapping_add(x * to), keep_first(value, valid), len)
                        };
                        x += valid;
                    }
                    if stop == job.valid {
                        break;
                    }
                    while x < end {
                        // SAFETY: see above.
                        let value = unsafe { whole::<S, O, BEFORE, BEHIND, ADDS>(&row, x, to, beta) };
                        // SAFETY: see above; lines begin here, and so many elements divide one.
                        unsafe { D::stream(row.dst.wrapping_add(x * to), value) };
                        x += $side;
                    }
                    while x + 4 * $side <= job.valid {
                        row.claim(x * to, 4 * $side * to);
                        let mut values = [beta; 4];
                        for (i, value) in values.iter_mut().enumerate() {
                            let at = x + i * $side;
                            // SAFETY: see above.
                            let one = unsafe { whole::<S, O, BEFORE, BEHIND, ADDS>(&row, at, to, beta) };
                            *value = one;
                        }
                        // SAFETY: see above.
                        unsafe { D::store_four(row.dst.wrapping_add(x * to), values) };
                        x += 4 * $side;
                    }
                    stop = job.valid;
                }
            }
        }

        /// The results for a register from element `x` on; elements of the destination have `to` bytes.
        ///
        /// # Safety
        /// These elements are in the row.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn whole<
            S: Load<$value>,
            O: Load<$value>,
            const BEFORE: u8,
            const BEHIND: u8,
            const ADDS: bool,
        >(
            row: &Row,
            x: usize,
            to: usize,
            beta: $value,
        ) -> $value {
            // SAFETY: the caller's promise.
            let value = unsafe { S::load(row.src.wrapping_add(x * size_of::<S>())) };
            // SAFETY: as above.
            let old = if ADDS { unsafe { O::load(row.dst.wrapping_add(x * to)) } } else { beta };
            // SAFETY: as above.
            unsafe { result::<BEFORE, BEHIND, ADDS>(row, x, [value, old, beta]) }
        }

        /// The same for `len` elements, of a register of which the rest is of no meaning.
        ///
        /// # Safety
        /// These elements are in the row.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn first<
            S: Load<$value>,
            O: Load<$value>,
            const BEFORE: u8,
            const BEHIND: u8,
            const ADDS: bool,
        >(
            row: &Row,
            x: usize,
            to: usize,
            len: usize,
            beta: $value,
        ) -> $value {
            // SAFETY: the caller's promise.
            let value = unsafe { S::load_first(row.src.wrapping_add(x * size_of::<S>()), len) };
            // SAFETY: as above.
            let old = if ADDS { unsafe { O::load_first(row.dst.wrapping_add(x * to), len) } } else { beta };
            // SAFETY: as above.
            unsafe { result::<BEFORE, BEHIND, ADDS>(row, x, [value, old, beta]) }
        }

        /// The results for a register of elements from `x` on, for what the destination held there, and for the factor of that.
        ///
        /// # Safety
        /// Element `x` is in the row.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn result<const BEFORE: u8, const BEHIND: u8, const ADDS: bool>(
            row: &Row,
            x: usize,
            [value, old, beta]: [$value; 3],
        ) -> $value {
            // SAFETY: the caller's promise.
            let value = apply::<BEFORE>(value, &unsafe { parameters::<BEFORE>(&row.map, x) });
            if !ADDS {
                return value;
            }
            let old = apply::<FACTOR>(old, &[beta; PARAMETERS]);
            let sum = apply::<SHIFT>(value, &[old; PARAMETERS]);
            // SAFETY: as above.
            apply::<BEHIND>(sum, &unsafe { parameters::<BEHIND>(&row.map, x) })
        }

        /// The loop from `src` to `dst` with parameters, of those pairs that have no other.
        pub(super) const fn scale_between(src: Format, dst: Format) -> Option<ConvertRows> {
            Some(match (src, dst) {
                (Format::F16, Format::F16) => scale::<F16, F16>,
                (Format::F16, Format::Bf16) => scale::<F16, Bf16>,
                (Format::F16, Format::S32) => scale::<F16, i32>,
                (Format::Bf16, Format::F16) => scale::<AnyBf16, F16>,
                (Format::Bf16, Format::Bf16) => scale::<AnyBf16, Bf16>,
                (Format::Bf16, Format::S32) => scale::<AnyBf16, i32>,
                (Format::S32, Format::F16) => scale::<i32, F16>,
                (Format::S32, Format::Bf16) => scale::<i32, Bf16>,
                (Format::S32, Format::S32) => scale::<i32, i32>,
                (Format::S32, Format::S8) => scale::<i32, i8>,
                (Format::S32, Format::U8) => scale::<i32, u8>,
                (Format::S8, Format::S32) => scale::<i8, i32>,
                (Format::S8, Format::S8) => scale::<i8, i8>,
                (Format::S8, Format::U8) => scale::<i8, u8>,
                (Format::U8, Format::S32) => scale::<u8, i32>,
                (Format::U8, Format::S8) => scale::<u8, i8>,
                (Format::U8, Format::U8) => scale::<u8, u8>,
                _ => return None,
            })
        }

        /// The loop that adds elements of `src` to those of `dst`, where there is one.
        pub(super) const fn add_between(src: Format, dst: Format) -> Option<AddRows> {
            match src {
                Format::F32 => add_from::<f32>(dst),
                Format::F16 => add_from::<F16>(dst),
                Format::Bf16 => add_from::<AnyBf16>(dst),
                Format::S32 => add_from::<i32>(dst),
                Format::S8 => add_from::<i8>(dst),
                Format::U8 => add_from::<u8>(dst),
                _ => None,
            }
        }

        /// The same for one type of the source.
        const fn add_from<S: Load<$value>>(dst: Format) -> Option<AddRows> {
            Some(match dst {
                Format::F32 => add::<S, f32, f32>,
                Format::F16 => add::<S, F16, F16>,
                Format::Bf16 => add::<S, Bf16, AnyBf16>,
                Format::S32 => add::<S, i32, i32>,
                Format::S8 => add::<S, i8, i8>,
                Format::U8 => add::<S, u8, u8>,
                _ => return None,
            })
        }
    };
}
pub(in super::super::super) use one_pass_kernel;
