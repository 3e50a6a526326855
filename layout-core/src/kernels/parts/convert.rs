//! Conversions of rows, for registers of any width: a loader for each source type, a storer for each destination type,
//! and every pair of them a loop. What every family's `convert` is made of.

/// Elements in memory that become a register `V` of as many values.
pub(in super::super) trait Load<V>: Sized {
    /// Reads as many elements as the register has.
    ///
    /// # Safety
    /// They can be read at `src`; the processor has the family's instructions.
    unsafe fn load(src: *const u8) -> V;

    /// Reads `len` elements; the other values are zero.
    ///
    /// # Safety
    /// They can be read at `src`; the processor has the family's instructions.
    unsafe fn load_first(src: *const u8, len: usize) -> V;
}

/// Elements in memory that a register `V` of as many values becomes.
pub(in super::super) trait Store<V>: Sized {
    /// Writes as many elements as the register has.
    ///
    /// # Safety
    /// They can be written at `dst`; the processor has the family's instructions.
    unsafe fn store(dst: *mut u8, value: V);

    /// Writes the first `len` elements.
    ///
    /// # Safety
    /// They can be written at `dst`; the processor has the family's instructions.
    unsafe fn store_first(dst: *mut u8, value: V, len: usize);
}

/// Defines `convert`, for registers of `$side` 32-bit values.
macro_rules! convert_kernel {
    ($features:literal, $side:literal) => {
        /// Converts the elements of `job`.
        ///
        /// # Safety
        /// That of [`ConvertRows`].
        #[target_feature(enable = $features)]
        unsafe fn convert<S: Load<V>, D: Store<V>, V>(job: &Rows) {
            let (from, to) = (size_of::<S>(), size_of::<D>());
            for y in 0..job.count {
                let (src, dst) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_y));
                let mut x = 0;
                while x + $side <= job.valid {
                    // SAFETY: these elements are in the row.
                    let value = unsafe { S::load(src.wrapping_add(x * from)) };
                    // SAFETY: as above.
                    unsafe { D::store(dst.wrapping_add(x * to), value) };
                    x += $side;
                }
                if x == job.len {
                    continue;
                }
                if x < job.valid && x > 0 && job.valid == job.len {
                    // The last register overlaps the one before.
                    x = job.len - $side;
                    // SAFETY: these elements are in the row.
                    let value = unsafe { S::load(src.wrapping_add(x * from)) };
                    // SAFETY: as above.
                    unsafe { D::store(dst.wrapping_add(x * to), value) };
                    continue;
                }
                if x < job.valid {
                    let at = src.wrapping_add(x * from);
                    // SAFETY: these elements are in the row.
                    let value = unsafe { S::load_first(at, job.valid - x) };
                    let at = dst.wrapping_add(x * to);
                    if job.len - x >= $side {
                        // SAFETY: these elements are in the row, and zero stands for zero in all types.
                        unsafe { D::store(at, value) };
                        x += $side;
                    } else {
                        // SAFETY: as above.
                        unsafe { D::store_first(at, value, job.len - x) };
                        x = job.len;
                    }
                }
                // SAFETY: the rest of the row can be written.
                unsafe { zero_run(dst.wrapping_add(x * to), (job.len - x) * to) };
            }
        }
    };
}
pub(in super::super) use convert_kernel;

/// `type: register, bits in memory => register by load of this width`.
macro_rules! loads {
    ($features:literal; $($ty:ty: $value:ty, $load:ident $load_first:ident, |$bits:ident| $widened:expr;)*) => {$(
        impl Load<$value> for $ty {
            #[inline]
            #[target_feature(enable = $features)]
            unsafe fn load(src: *const u8) -> $value {
                // SAFETY: the caller's promise.
                let $bits = unsafe { $load(src) };
                $widened
            }

            #[inline]
            #[target_feature(enable = $features)]
            unsafe fn load_first(src: *const u8, len: usize) -> $value {
                // SAFETY: the caller's promise.
                let $bits = unsafe { $load_first(src, len * size_of::<$ty>()) };
                $widened
            }
        }
    )*};
}
pub(in super::super) use loads;

/// `type: register, by store of this width => bits in memory`.
macro_rules! stores {
    ($features:literal; $($ty:ty: $value:ty, $store:ident $store_first:ident, |$from:ident| $bits:expr;)*) => {$(
        impl Store<$value> for $ty {
            #[inline]
            #[target_feature(enable = $features)]
            unsafe fn store(dst: *mut u8, $from: $value) {
                // SAFETY: the caller's promise.
                unsafe { $store(dst, $bits) }
            }

            #[inline]
            #[target_feature(enable = $features)]
            unsafe fn store_first(dst: *mut u8, $from: $value, len: usize) {
                // SAFETY: the caller's promise.
                unsafe { $store_first(dst, $bits, len * size_of::<$ty>()) }
            }
        }
    )*};
}
pub(in super::super) use stores;
