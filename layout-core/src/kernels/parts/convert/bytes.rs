//! Loops from bytes to bytes for those pairs of types of which an instruction or two make the result, without f32 between them. Made
//! for every family by `convert_kernel`, called by its loops.

/// Defines `saturate` and `booleans`, for rows of elements of 8 bits.
macro_rules! bytes_kernel {
    ($features:literal) => {
        /// Converts u8 to s8, or s8 to u8, and saturates.
        ///
        /// # Safety
        /// That of [`ConvertRows`]; there is no affine map.
        #[target_feature(enable = $features)]
        unsafe fn saturate<const SIGNED: bool>(job: &Rows, _: Option<&Affine>) {
            let saturated =
                |from: u8| if SIGNED { from.min(i8::MAX as u8) } else { from.cast_signed().max(0) as u8 };
            // SAFETY: the caller's promise.
            unsafe { each_byte(job, saturated) };
        }

        /// Converts bytes to bytes by `convert`, which the compiler does for whole registers.
        ///
        /// # Safety
        /// That of [`ConvertRows`].
        #[inline]
        #[target_feature(enable = $features)]
        unsafe fn each_byte(job: &Rows, convert: impl Fn(u8) -> u8) {
            for y in 0..job.count {
                let (src, dst) = (step(job.src, y, job.src_y), step_mut(job.dst, y, job.dst_y));
                // SAFETY: the caller's promise.
                let from = unsafe { core::slice::from_raw_parts(src, job.valid) };
                // SAFETY: as above; `MaybeUninit` needs no value.
                let to = unsafe { core::slice::from_raw_parts_mut(dst.cast::<MaybeUninit<u8>>(), job.valid) };
                for (to, &from) in to.iter_mut().zip(from) {
                    to.write(convert(from));
                }
                if job.valid < job.len {
                    // SAFETY: the rest of the row can be written.
                    unsafe { zero(dst.wrapping_add(job.valid), job.len - job.valid) };
                }
            }
        }

        /// Converts elements of 8 bits, which are zero where none of the bits of `MASK` is set, to booleans.
        ///
        /// # Safety
        /// That of [`ConvertRows`]; there is no affine map.
        #[target_feature(enable = $features)]
        unsafe fn booleans<const MASK: u8>(job: &Rows, _: Option<&Affine>) {
            // SAFETY: the caller's promise.
            unsafe { each_byte(job, |from| u8::from(from & MASK != 0)) };
        }
    };
}
pub(in super::super::super) use bytes_kernel;
