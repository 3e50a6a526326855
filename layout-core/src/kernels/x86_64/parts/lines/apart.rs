//! Elements of 1 and 2 bytes out of gaps, put together in registers of 16 bytes: none but the elements may be read, and no such
//! family reads bytes by masks. Called by the `pack` of SSE4.1 and of AVX2.

use core::arch::x86_64::*;

use super::super::super::super::drive::{Rows, pack_by_eight};
use super::super::super::super::generic::step;

/// Moves the first rows of `job`, of 1 or 2 bytes, as many at a time as a register has room for, and those of 4 one by one; returns how
/// many, none of other rows. Against loads and stores of single elements 1.4 times as fast (Zen 3).
///
/// # Safety
/// As [`super::super::super::super::drive::Simd::pack`]; the processor has SSE4.1.
#[inline(never)]
#[target_feature(enable = "sse4.1")]
pub(in super::super::super) unsafe fn pack_apart(job: &Rows) -> usize {
    match job.len {
        // SAFETY of all: the caller's promise, and the length was just compared.
        // SAFETY: see above.
        1 => unsafe { bytes(job) },
        // SAFETY: see above.
        2 => unsafe { words(job) },
        // SAFETY: see above.
        _ => unsafe { pack_by_eight(job) },
    }
}

/// Defines `$name` for rows of a `$ty`, of which half a register has `$half`; `$insert` at each `$i` but the first.
macro_rules! pack {
    ($name:ident, $ty:ty, $half:literal, $insert:ident: $($i:literal)*) => {
        /// Both halves of a register are put together beside one another, since each element waits for the one before.
        ///
        /// # Safety
        /// As [`pack_apart`], for such rows.
        #[inline]
        #[target_feature(enable = "sse4.1")]
        unsafe fn $name(job: &Rows) -> usize {
            const MANY: usize = 2 * $half;
            let (mut src, mut dst) = (job.src, job.dst);
            // SAFETY: the caller's promise, for the address of an element.
            let at = |from: *const u8| i32::from(unsafe { from.cast::<$ty>().read_unaligned() });
            for _ in 0..job.count / MANY {
                let more = step(src, $half, job.src_y);
                let (mut low, mut high) = (_mm_cvtsi32_si128(at(src)), _mm_cvtsi32_si128(at(more)));
                $(
                    low = $insert::<$i>(low, at(step(src, $i, job.src_y)));
                    high = $insert::<$i>(high, at(step(more, $i, job.src_y)));
                )*
                // SAFETY: rows of the destination have no gaps; no alignment is needed.
                unsafe { _mm_storeu_si128(dst.cast(), _mm_unpacklo_epi64(low, high)) };
                (src, dst) = (step(more, $half, job.src_y), dst.wrapping_add(MANY * size_of::<$ty>()));
            }
            job.count / MANY * MANY
        }
    };
}
pack! { bytes, u8, 8, _mm_insert_epi8: 1 2 3 4 5 6 7 }
pack! { words, u16, 4, _mm_insert_epi16: 1 2 3 }
