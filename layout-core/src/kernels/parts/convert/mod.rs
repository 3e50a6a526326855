//! Conversions of rows, for registers of any width: a loader for each source type, a storer for each destination type,
//! f32 between them, and an affine map there. What every family's `convert` is made of, with the types of `loops`.

mod bytes;
mod few;
#[cfg(target_arch = "x86_64")]
mod one_pass;
mod steps;

pub(in super::super) use super::loops::{AnyBf16, Load, Row, Store, claim, claim_row, lines, zero};
#[cfg(target_arch = "x86_64")]
pub(in super::super) use super::loops::{OddF64, OddS32};
pub(in super::super) use bytes::{IsSet, Saturated, bytes_kernel, each_byte};
pub(in super::super) use few::few_kernel;
#[cfg(target_arch = "x86_64")]
pub(in super::super) use one_pass::{one_pass_kernel, pad};
pub(in super::super) use steps::steps_kernel;

/// Defines `convert` and `plain`, for registers of `$side` f32. `apply` applies the steps of the map, `keep_first` sets all but the first values
/// to `$zero`. `$overlap`: whether whole registers are better than parts of them.
macro_rules! convert_kernel {
    ($features:literal, $value:ty, $side:literal, zero: $zero:expr, overlap: $overlap:literal) => {
        /// Converts the elements of `job`, without an affine map.
        ///
        /// # Safety
        /// That of [`ConvertRows`]; there is no affine map.
        #[target_feature(enable = $features)]
        unsafe fn plain<S: Load<$value>, D: Store<$value>>(job: &Rows, _: Option<&Affine>) {
            let map = Affine::neutral();
            if const { !is_frequent::<S, D>() } || !is_short(job) && !is_block(job) {
                // SAFETY: the caller's promise.
                unsafe { rows::<S, D, NONE>(job, &map) };
            } else if is_short(job) {
                // SAFETY: as above.
                unsafe { short_rows::<S, D, NONE>(job, &map) };
            } else {
                // SAFETY: as above.
                unsafe { blocks::<S, D, NONE>(job, &map) };
            }
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

        /// Converts the rows of `job`, with these steps of the affine map. Not inlined: what is compiled once for each of them is
        /// optimised faster, and a job is long enough for a call.
        ///
        /// # Safety
        /// That of [`ConvertRows`].
        #[inline(never)]
        #[target_feature(enable = $features)]
        unsafe fn rows<S: Load<$value>, D: Store<$value>, const STEPS: u8>(job: &Rows, map: &Affine) {
            // SAFETY of each call: the caller's promise: these elements are in the job, and their parameters there.
            let to = size_of::<D>();
            let whole = job.valid == job.len && job.len.is_multiple_of(2 * $side) && job.len <= 8 * $side;
            if const { STEPS != NONE && size_of::<S>() == 1 && size_of::<D>() > 1 }
                && whole
                && map.mask == [0; PARAMETERS]
            {
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
                        unsafe { ends::<S, D, STEPS>(job, map, [0, y], [first; 2]) };
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
                if many > 0 && (const { STEPS == NONE } || row.map.mask == [0; PARAMETERS]) {
                    // SAFETY: see above.
                    unsafe { span::<S, D, STEPS, true>(&row, x, many) };
                } else if const { STEPS != NONE } && many > 0 {
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
                if x < job.valid && $overlap && job.valid == job.len && job.len > $side {
                    // Some are written a second time.
                    x = job.len - $side;
                    // SAFETY: see above; the row is longer than a register.
                    let value = unsafe { load::<S, STEPS>(&row, x) };
                    // SAFETY: see above.
                    unsafe { D::store(row.dst.wrapping_add(x * to), value) };
                    continue;
                }
                if x < job.valid {
                    let len = if job.len - x < $side { job.len - x } else { $side };
                    let sides = [job.valid - x, len];
                    if $overlap {
                        // SAFETY: see above.
                        unsafe { ends::<S, D, STEPS>(job, map, [x, y], sides) };
                    } else {
                        // SAFETY: see above.
                        unsafe { part::<S, D, STEPS>(&row, x, sides) };
                    }
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
                    let to = dst.wrapping_add(x * size_of::<D>());
                    let to = [to, to.wrapping_add($side * size_of::<D>())];
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

        $crate::kernels::parts::convert::steps_kernel! { $features, $value }
        $crate::kernels::parts::convert::few_kernel! { $features, $value, $side }
        $crate::kernels::parts::rows::split_kernel! { $features, $value, $side }
        $crate::kernels::parts::rows::block_kernel! { $features, $value, $side, zero: $zero }

        /// Converts `valid` elements of row `y` from `x` on, which lie in front of whole lines or behind the last register, and writes
        /// `len`, the others zero.
        ///
        /// # Safety
        /// As `rows`; what is padded is no more than a register.
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn ends<S: Load<$value>, D: Store<$value>, const STEPS: u8>(
            job: &Rows,
            map: &Affine,
            at: [usize; 2],
            sides: [usize; 2],
        ) {
            match STEPS {
                // SAFETY: the caller's promise.
                NONE => unsafe { ends_of::<S, D, NONE>(job, map, at, sides) },
                // SAFETY: as above.
                FACTOR => unsafe { ends_of::<S, D, FACTOR>(job, map, at, sides) },
                // SAFETY: as above.
                _ => unsafe { ends_of::<S, D, ALL>(job, map, at, sides) },
            }
        }

        /// [`ends`], with these steps or fewer.
        ///
        /// # Safety
        /// As there.
        #[inline(never)]
        #[target_feature(enable = $features)]
        unsafe fn ends_of<S: Load<$value>, D: Store<$value>, const STEPS: u8>(
            job: &Rows,
            map: &Affine,
            [mut x, y]: [usize; 2],
            [valid, len]: [usize; 2],
        ) {
            let row = Row::new::<STEPS>(job, map, y);
            let (stop, end) = (x + valid, x + len);
            while x < stop {
                let valid = if stop - x < $side { stop - x } else { $side };
                let len = if end - x < $side { end - x } else { $side };
                // SAFETY: the caller's promise.
                unsafe { part::<S, D, STEPS>(&row, x, [valid, len]) };
                x += $side;
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
