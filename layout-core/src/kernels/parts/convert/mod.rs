//! Conversions of rows, for registers of any width: a loader for each source type, a storer for each destination type,
//! f32 between them, and an affine map there. What every family's `convert` is made of, with the types of `loops`.

mod bytes;
#[cfg(target_arch = "x86_64")]
mod one_pass;

pub(in super::super) use super::loops::{AnyBf16, Load, Row, Store, claim, claim_row, lines, zero};
#[cfg(target_arch = "x86_64")]
pub(in super::super) use super::loops::{OddF64, OddS32};
pub(in super::super) use bytes::bytes_kernel;
#[cfg(target_arch = "x86_64")]
pub(in super::super) use one_pass::{one_pass_kernel, pad};

/// Defines `convert`, for registers of `$side` f32. `apply` applies the steps of the map, `keep_first` sets all but the first values
/// to `$zero`. `$overlap`: whether whole registers are better than parts of them.
macro_rules! convert_kernel {
    ($features:literal, $value:ty, $side:literal, zero: $zero:expr, overlap: $overlap:literal) => {
        /// Converts the elements of `job`, with an affine map between load and store if there is one.
        ///
        /// # Safety
        /// That of [`ConvertRows`].
        #[target_feature(enable = $features)]
        unsafe fn convert<S: Load<$value>, D: Store<$value>>(job: &Rows, map: Option<&Affine>) {
            let (steps, map) = map.map_or((NONE, Affine::neutral()), Affine::steps);
            match steps {
                // SAFETY: the caller's promise.
                NONE => unsafe { rows::<S, D, NONE>(job, &map) },
                // SAFETY: as above.
                FACTOR => unsafe { rows::<S, D, FACTOR>(job, &map) },
                // SAFETY: as above.
                SHIFT_FACTOR if S::SHIFTED => unsafe { rows::<S, D, SHIFT_FACTOR>(job, &map) },
                // SAFETY: as above.
                FACTOR_SHIFT if D::SHIFTED => unsafe { rows::<S, D, FACTOR_SHIFT>(job, &map) },
                // SAFETY: as above.
                _ => unsafe { rows::<S, D, ALL>(job, &map) },
            }
        }

        /// Converts the elements of `job`, for pairs of types that have no loop with parameters.
        ///
        /// # Safety
        /// That of [`ConvertRows`]; there is no affine map.
        #[target_feature(enable = $features)]
        unsafe fn plain<S: Load<$value>, D: Store<$value>>(job: &Rows, _: Option<&Affine>) {
            // SAFETY: the caller's promise.
            unsafe { rows::<S, D, NONE>(job, &Affine::neutral()) }
        }

        /// The same for pairs that have no f32 between them.
        ///
        /// # Safety
        /// As `plain`.
        #[target_feature(enable = $features)]
        unsafe fn numbers<S: Number + Convert<D>, D: Number>(job: &Rows, _: Option<&Affine>) {
            // SAFETY: the caller's promise.
            unsafe { $crate::kernels::generic::plain::<S, D>(job, None) }
        }

        /// The parameters of the elements from `x` on that `STEPS` asks for.
        ///
        /// # Safety
        /// Element `x` is one of those that `map` is for.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn parameters<const STEPS: u8>(map: &Affine, x: usize) -> [$value; PARAMETERS] {
            let mut parameters = [$zero; PARAMETERS];
            for (k, parameter) in parameters.iter_mut().enumerate() {
                if STEPS >> k & 1 == 1 {
                    let at = map.at[k].wrapping_add(x & map.mask[k]);
                    // SAFETY: the caller's promise: as many values as a register has.
                    *parameter = unsafe { <f32 as Load<$value>>::load(at.cast()) };
                }
            }
            parameters
        }

        $crate::kernels::parts::convert::bytes_kernel! { $features }

        /// Converts the rows of `job`, with these steps of the affine map.
        ///
        /// # Safety
        /// That of [`ConvertRows`].
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn rows<S: Load<$value>, D: Store<$value>, const STEPS: u8>(job: &Rows, map: &Affine) {
            // SAFETY of each call: the caller's promise: these elements are in the job, and their parameters there.
            if job.len <= $side {
                // SAFETY: see above.
                unsafe { short_rows::<S, D, STEPS>(job, map) };
                return;
            }
            if $side < BLOCK && job.valid > 0 && job.len == BLOCK {
                // SAFETY: see above.
                unsafe { block_rows::<S, D, STEPS>(job, map) };
                return;
            }
            let to = size_of::<D>();
            let whole = job.valid == job.len && job.len.is_multiple_of(2 * $side) && job.len <= 8 * $side;
            if STEPS != NONE && size_of::<S>() == 1 && to > 1 && whole && map.mask == [0; PARAMETERS] {
                // SAFETY: see above.
                unsafe { whole_rows::<S, D, STEPS>(job, map) };
                return;
            }
            for y in 0..job.count {
                let row = Row::new::<STEPS>(job, map, y);
                let mut x = 0;
                if job.stream {
                    let (first, end) = lines(row.dst, job.valid, to);
                    if first > 0 {
                        // SAFETY: see above.
                        unsafe { head::<S, D, STEPS>(job, map, y, first) };
                        x = first;
                    }
                    // So many of 8 bytes may be two lines, and one be left.
                    while x + $side <= end {
                        // SAFETY: see above.
                        let value = unsafe { load::<S, STEPS>(&row, x) };
                        // SAFETY: see above; lines begin at `first`, and so many elements are a part of one or whole ones.
                        unsafe { D::stream(row.dst.wrapping_add(x * to), value) };
                        x += $side;
                    }
                }
                let many = job.valid.saturating_sub(x) / (4 * $side) * (4 * $side);
                if many > 0 && (STEPS == NONE || row.map.mask == [0; PARAMETERS]) {
                    // SAFETY: see above.
                    unsafe { span::<S, D, STEPS, true>(&row, x, many) };
                } else if many > 0 {
                    // SAFETY: see above.
                    unsafe { span::<S, D, STEPS, false>(&row, x, many) };
                }
                x += many;
                while x + $side <= job.valid {
                    // SAFETY: see above.
                    let value = unsafe { load::<S, STEPS>(&row, x) };
                    // SAFETY: see above.
                    unsafe { D::store(row.dst.wrapping_add(x * to), value) };
                    x += $side;
                }
                if x == job.len {
                    continue;
                }
                if x < job.valid {
                    let mut len = if job.len - x < $side { job.len - x } else { $side };
                    if $overlap && job.valid == job.len {
                        (x, len) = (job.len - $side, $side); // Some are written a second time.
                    }
                    // SAFETY: see above; the row is longer than a register.
                    unsafe { part::<S, D, STEPS>(&row, x, [job.valid - x, len]) };
                    x += len;
                }
                if x < job.len {
                    // SAFETY: the rest of the row can be written.
                    unsafe { zero(row.dst.wrapping_add(x * to), (job.len - x) * to) };
                }
            }
        }

        /// The same for rows of few registers, of which each has parameters that all of its elements share: groups of a
        /// quantised matrix.
        ///
        /// # Safety
        /// As `rows`, for rows of a whole number of pairs of registers.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn whole_rows<S: Load<$value>, D: Store<$value>, const STEPS: u8>(job: &Rows, map: &Affine) {
            let bytes = job.len * size_of::<D>();
            let past = job.stream
                && job.dst.addr().is_multiple_of($crate::kernels::LINE)
                && bytes.is_multiple_of($crate::kernels::LINE)
                && job.dst_y.unsigned_abs().is_multiple_of($crate::kernels::LINE);
            for y in 0..job.count {
                let (src, dst) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_y));
                // SAFETY: the caller's promise: these elements are in the job, and their parameters there.
                let own = unsafe { parameters::<STEPS>(&map.skip(0, y), 0) };
                let mut x = 0;
                while x < job.len {
                    // SAFETY: see above.
                    let first = apply::<STEPS>(unsafe { S::load(src.wrapping_add(x)) }, &own);
                    // SAFETY: see above.
                    let second = apply::<STEPS>(unsafe { S::load(src.wrapping_add(x + $side)) }, &own);
                    let to = [x, x + $side].map(|x| dst.wrapping_add(x * size_of::<D>()));
                    if past {
                        // SAFETY: see above; lines begin with the row.
                        unsafe { D::stream(to[0], first) };
                        // SAFETY: see above.
                        unsafe { D::stream(to[1], second) };
                    } else {
                        // SAFETY: see above.
                        unsafe { D::store(to[0], first) };
                        // SAFETY: see above.
                        unsafe { D::store(to[1], second) };
                    }
                    x += 2 * $side;
                }
            }
        }

        /// Converts `len` elements from `x` on, a multiple of four registers; `FIXED`: all have the same parameters.
        ///
        /// # Safety
        /// These elements are in the row.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn span<S: Load<$value>, D: Store<$value>, const STEPS: u8, const FIXED: bool>(
            row: &Row,
            x: usize,
            len: usize,
        ) {
            // SAFETY: the caller's promise: there is an element.
            let fixed = unsafe { parameters::<STEPS>(&row.map, x) };
            let mut at = x;
            while at < x + len {
                row.claim(at * size_of::<D>(), 4 * $side * size_of::<D>());
                let mut values = [fixed[0]; 4];
                for (i, value) in values.iter_mut().enumerate() {
                    let at = at + i * $side;
                    // SAFETY: as above.
                    let loaded = unsafe { S::load(row.src.wrapping_add(at * size_of::<S>())) };
                    // SAFETY: as above.
                    let own = if FIXED { fixed } else { unsafe { parameters::<STEPS>(&row.map, at) } };
                    *value = apply::<STEPS>(loaded, &own);
                }
                // SAFETY: as above.
                unsafe { D::store_four(row.dst.wrapping_add(at * size_of::<D>()), values) };
                at += 4 * $side;
            }
        }

        /// The same for rows of a register at most.
        ///
        /// # Safety
        /// As `rows`.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn short_rows<S: Load<$value>, D: Store<$value>, const STEPS: u8>(job: &Rows, map: &Affine) {
            // SAFETY of each call: as above.
            let own = STEPS != NONE && map.row != [0; PARAMETERS];
            // Rows that are lines.
            let claims = job.claims && $side * size_of::<D>() == $crate::kernels::LINE;
            // SAFETY: see above.
            let mut shared = unsafe { parameters::<STEPS>(map, 0) };
            // SAFETY: see above.
            let mut done = if own { 0 } else { unsafe { split::<S, D, STEPS>(job, map, &shared) } };
            if !own && job.valid == $side && job.dst_y == ($side * size_of::<D>()) as isize {
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
            } else if !own && job.valid == $side {
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

        $crate::kernels::parts::rows::split_kernel! { $features, $value, $side }
        $crate::kernels::parts::rows::block_kernel! { $features, $value, $side, zero: $zero }

        /// Converts the first `len` elements of row `y`, which lie in front of whole lines.
        ///
        /// # Safety
        /// As `rows`.
        #[inline(never)]
        #[target_feature(enable = $features)]
        unsafe fn head<S: Load<$value>, D: Store<$value>, const STEPS: u8>(
            job: &Rows,
            map: &Affine,
            y: usize,
            len: usize,
        ) {
            let row = Row::new::<STEPS>(job, map, y);
            let mut x = 0;
            while x < len {
                let count = if len - x < $side { len - x } else { $side };
                // SAFETY: the caller's promise.
                unsafe { part::<S, D, STEPS>(&row, x, [count; 2]) };
                x += count;
            }
        }

        /// A register from element `x` on, with its parameters.
        ///
        /// # Safety
        /// These elements are in the row.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn load<S: Load<$value>, const STEPS: u8>(row: &Row, x: usize) -> $value {
            // SAFETY: the caller's promise.
            let value = unsafe { S::load(row.src.wrapping_add(x * size_of::<S>())) };
            // SAFETY: as above: the element at `x` is valid.
            let parameters = unsafe { parameters::<STEPS>(&row.map, x) };
            apply::<STEPS>(value, &parameters)
        }

        /// Converts the elements from `x` on, no more than a register has: `valid` of them, and writes `len`, the others
        /// zero.
        ///
        /// # Safety
        /// These elements are in the row.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn part<S: Load<$value>, D: Store<$value>, const STEPS: u8>(
            row: &Row,
            x: usize,
            sides: [usize; 2],
        ) {
            let src = row.src.wrapping_add(x * size_of::<S>());
            let dst = row.dst.wrapping_add(x * size_of::<D>());
            // SAFETY: the caller's promise: the element at `x` is valid.
            let parameters = unsafe { parameters::<STEPS>(&row.map, x) };
            // SAFETY: as above.
            unsafe { register::<S, D, STEPS>(src, dst, &parameters, sides) };
        }

        /// Converts `valid` elements and writes `len`, the others zero; both are no more than a register has.
        ///
        /// # Safety
        /// They can be read, and written.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn register<S: Load<$value>, D: Store<$value>, const STEPS: u8>(
            src: *const u8,
            dst: *mut u8,
            parameters: &[$value; PARAMETERS],
            [valid, len]: [usize; 2],
        ) {
            // SAFETY: the caller's promise.
            let value = apply::<STEPS>(unsafe { S::load_first(src, valid) }, parameters);
            let value = if STEPS == NONE { value } else { keep_first(value, valid) };
            // SAFETY: the caller's promise; zero stands for zero in all types.
            unsafe { D::store_first(dst, value, len) };
        }
    };
}
pub(in super::super) use convert_kernel;
