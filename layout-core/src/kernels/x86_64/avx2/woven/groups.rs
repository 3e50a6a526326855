//! Groups of 4 bytes in lines of 16, the operands of dot products, from planes of their elements and back: a line at a time. Called by this
//! folder's `Simd`.

use core::arch::x86_64::*;

use super::super::super::super::drive::Groups;
use super::super::super::super::generic::{step, step_mut};
use super::super::super::parts::zip::{lanes, unrolled};
use super::super::memory::*;
use super::lane;

/// Groups of a line.
const LINE: usize = 16;

/// Whether all lines of `job` are whole, and hold data.
#[inline]
fn is_whole(job: &Groups) -> bool {
    job.planes > 0 && job.valid == job.len && job.len.is_multiple_of(LINE)
}

/// Where the line begins that holds group `i` of the groups at `first`.
///
/// # Safety
/// There is such a group.
#[inline]
unsafe fn line(job: &Groups, first: *mut u8, i: usize) -> *mut u8 {
    if job.lines.is_null() {
        return first.wrapping_add(4 * i);
    }
    // SAFETY: the table has an entry for each group.
    first.wrapping_offset(unsafe { job.lines.wrapping_add(i).read() })
}

/// Planes to groups; `false` where lines are not whole, and then nothing was done.
///
/// # Safety
/// As [`super::super::super::super::drive::Simd::group`], for elements of 1 or 2 bytes.
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
pub(in super::super) unsafe fn group<const B: usize>(job: &Groups) -> bool {
    if !is_whole(job) {
        return false;
    }
    for z in 0..job.count {
        let (src, dst) = (step(job.src, z, job.src_z), step_mut(job.dst, z, job.dst_z));
        let mut i = 0;
        while i < job.len {
            let from = src.wrapping_add(i * B);
            // SAFETY: the groups from here on are in the job.
            let to = unsafe { line(job, dst, i) };
            if B == 2 {
                // SAFETY: the caller's promise: a line's elements of these planes.
                unsafe { line_of_pairs(job, from, to) };
            } else if i + LINE < job.len {
                i += LINE;
                // SAFETY: as above.
                let next = unsafe { line(job, dst, i) };
                // SAFETY: as above, and those of the next line.
                unsafe { lines_of_fours(job, from, [to, next]) };
            } else {
                // SAFETY: as above.
                unsafe { line_of_fours(job, from, [to]) };
            }
            i += LINE;
        }
    }
    true
}

/// A line of 16 groups of two elements.
///
/// # Safety
/// As many elements can be read at `from` and in the other plane, if that holds data, and the line can be written at `to`.
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn line_of_pairs(job: &Groups, from: *const u8, to: *mut u8) {
    // SAFETY: the caller's promise.
    let first = unsafe { load32(from) };
    let second = if job.planes > 1 {
        // SAFETY: as above.
        unsafe { load32(step(from, 1, job.plane)) }
    } else {
        _mm256_setzero_si256()
    };
    let (low, high) = (_mm256_unpacklo_epi16(first, second), _mm256_unpackhi_epi16(first, second));
    let halves = [_mm256_permute2x128_si256::<0x20>(low, high), _mm256_permute2x128_si256::<0x31>(low, high)];
    // SAFETY: as above: half of the line …
    unsafe { store32(to, halves[0]) };
    // SAFETY: … and the other one.
    unsafe { store32(to.wrapping_add(32), halves[1]) };
}

/// Defines `$name`: `$count` lines of 16 groups of four elements, of which a register has the elements of one plane.
macro_rules! fours {
    (
        $name:ident, $count:literal, $width:tt, $lane:ident, $load:ident $zero:ident,
        $low1:ident $high1:ident $low2:ident $high2:ident
    ) => {
        /// # Safety
        /// As many elements can be read at `from` and in the other planes that hold data, and the lines written at `to`.
        #[inline]
        #[target_feature(enable = "avx2,f16c")]
        unsafe fn $name(job: &Groups, from: *const u8, to: [*mut u8; $count]) {
            let mut planes = [$zero(); 4];
            unrolled!(4, n => {
                if n < job.planes {
                    // SAFETY: the caller's promise.
                    planes[n] = unsafe { $load(step(from, n, job.plane)) };
                }
            });
            let [a, b, c, d] = planes;
            let (ab, cd) = ($low1(a, b), $low1(c, d));
            let (more_ab, more_cd) = ($high1(a, b), $high1(c, d));
            let parts = [$low2(ab, cd), $high2(ab, cd), $low2(more_ab, more_cd), $high2(more_ab, more_cd)];
            unrolled!(4, n => {
                let _: [(); $count] = lanes!($width, l => {
                    // SAFETY: as above: this part of the line.
                    unsafe { store16(to[l].wrapping_add(16 * n), $lane(parts[n], l)) };
                });
            });
        }
    };
}
fours! {
    lines_of_fours, 2, 32, lane, load32 _mm256_setzero_si256,
    _mm256_unpacklo_epi8 _mm256_unpackhi_epi8 _mm256_unpacklo_epi16 _mm256_unpackhi_epi16
}
fours! {
    line_of_fours, 1, 16, same, load16 _mm_setzero_si128,
    _mm_unpacklo_epi8 _mm_unpackhi_epi8 _mm_unpacklo_epi16 _mm_unpackhi_epi16
}

/// The only lane of a register of 16 bytes.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn same(value: __m128i, _: usize) -> __m128i {
    value
}

/// Groups to planes; `false` where lines are not whole, and then nothing was done.
///
/// # Safety
/// As [`super::super::super::super::drive::Simd::ungroup`], for elements of 1 or 2 bytes.
#[inline(never)]
#[target_feature(enable = "avx2,f16c")]
pub(in super::super) unsafe fn ungroup<const B: usize>(job: &Groups) -> bool {
    if !is_whole(job) {
        return false;
    }
    // The elements of a plane beside one another, in each 16 bytes.
    let apart = if B == 2 {
        _mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15)
    } else {
        _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15)
    };
    let both = _mm256_broadcastsi128_si256(apart);
    for z in 0..job.count {
        let (src, dst) = (step(job.src, z, job.src_z), step_mut(job.dst, z, job.dst_z));
        for i in (0..job.len).step_by(LINE) {
            // SAFETY: the groups from here on are in the job.
            let from = unsafe { line(job, src.cast_mut(), i) }.cast_const();
            let to = dst.wrapping_add(i * B);
            // SAFETY: the caller's promise: this line …
            let low = _mm256_shuffle_epi8(unsafe { load32(from) }, both);
            // SAFETY: … and its other half.
            let high = _mm256_shuffle_epi8(unsafe { load32(from.wrapping_add(32)) }, both);
            if B == 2 {
                let low = _mm256_permute4x64_epi64::<0b11_01_10_00>(low);
                let high = _mm256_permute4x64_epi64::<0b11_01_10_00>(high);
                let planes = [
                    _mm256_permute2x128_si256::<0x20>(low, high),
                    _mm256_permute2x128_si256::<0x31>(low, high),
                ];
                // SAFETY: the caller's promise: a line's elements of the first plane.
                unsafe { store32(to, planes[0]) };
                if job.planes > 1 {
                    // SAFETY: the same of the second one.
                    unsafe { store32(step_mut(to, 1, job.plane), planes[1]) };
                }
                continue;
            }
            // Lanes of four elements of each plane: groups 0 to 3 and 4 to 7, 8 to 11 and 12 to 15.
            let (a, b) = (_mm256_castsi256_si128(low), _mm256_extracti128_si256::<1>(low));
            let (c, d) = (_mm256_castsi256_si128(high), _mm256_extracti128_si256::<1>(high));
            let (ab, cd) = (_mm_unpacklo_epi32(a, b), _mm_unpacklo_epi32(c, d));
            let (more_ab, more_cd) = (_mm_unpackhi_epi32(a, b), _mm_unpackhi_epi32(c, d));
            let planes = [
                _mm_unpacklo_epi64(ab, cd),
                _mm_unpackhi_epi64(ab, cd),
                _mm_unpacklo_epi64(more_ab, more_cd),
                _mm_unpackhi_epi64(more_ab, more_cd),
            ];
            unrolled!(4, n => {
                if n < job.planes {
                    // SAFETY: as above: a line's elements of this plane.
                    unsafe { store16(step_mut(to, n, job.plane), planes[n]) };
                }
            });
        }
    }
    true
}

/// The methods `group` and `ungroup` of the family's `Simd`.
macro_rules! group_methods {
    () => {
        #[inline(always)]
        unsafe fn group<const B: usize>(self, job: &Groups) -> bool {
            // SAFETY: the token proves the features; what the callee asks of memory is what the trait's method does.
            B <= 2 && unsafe { woven::group::<B>(job) }
        }

        #[inline(always)]
        unsafe fn ungroup<const B: usize>(self, job: &Groups) -> bool {
            // SAFETY: as above.
            B <= 2 && unsafe { woven::ungroup::<B>(job) }
        }
    };
}
pub(in super::super) use group_methods;
