//! Elements of 4 bytes of which one side has few in each line: the first channels of a block, or a block that is mostly padding.
//! Every line is then read or written for a few bytes, so that nothing but its move may cost time.

use core::arch::x86_64::*;

use super::super::super::super::drive::{LINE, Strips};
use super::super::super::super::generic::{step, step_mut};
use super::super::super::parts::square::next;
use super::super::super::parts::zip::{lanes, unrolled};
use super::super::super::parts::{opaque, prefetch, prefetch_write};
use super::super::memory::{load64, masked_ahead, store64, stream};
use super::super::narrow::separate;
use super::super::transpose::{join4, turn64};

/// Bytes of an element, and elements of a register.
const B: usize = 4;
const SIDE: usize = LINE / B;

/// Transposes `job`, which is up to three values of y high, to as many rows; 16 values of x at a time.
///
/// # Safety
/// As [`super::super::super::super::drive::Simd::few`], for elements of 4 bytes and a line's at least along x.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(in super::super) unsafe fn few(job: &Strips) {
    match job.height {
        // SAFETY: the caller's promise, and the height was just compared.
        1 => unsafe { few_of::<1>(job) },
        // SAFETY: as above.
        2 => unsafe { few_of::<2>(job) },
        // SAFETY: as above; there are no others.
        _ => unsafe { few_of::<3>(job) },
    }
}

/// [`few`] for `H` values of y.
///
/// # Safety
/// As [`few`].
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn few_of<const H: usize>(job: &Strips) {
    let aligned = job.dst.addr().is_multiple_of(LINE) && (job.dst_step as usize).is_multiple_of(LINE);
    let streams = job.stream && aligned;
    let follow = job.src_step == (4 * B) as isize;
    let ahead = masked_ahead(4 * B * job.width, 512 * 1024);
    let mut x = 0;
    loop {
        let src = opaque(step(job.src, x, job.src_step).cast_mut()).cast_const();
        let to = job.dst.wrapping_add(x * B);
        // SAFETY of both: x + 16 is within the width, and `H` elements can be read at each.
        let lines = if follow {
            // SAFETY: see above.
            unsafe { together::<H>(src, ahead) }
        } else {
            // SAFETY: see above.
            unsafe { apart::<H>(src, job.src_step) }
        };
        for (y, &line) in lines[..H].iter().enumerate() {
            let to = step_mut(to, y, job.dst_step);
            if streams && x.is_multiple_of(SIDE) {
                // SAFETY: 16 values of x from here on are in the job, and aligned.
                unsafe { stream(to, line) };
            } else {
                // SAFETY: 16 values of x from here on are in the job.
                unsafe { store64(to, line) };
            }
        }
        match next(x, SIDE, job.width) {
            Some(next) => x = next,
            None => return,
        }
    }
}

/// The first `H` elements of 16 blocks, `by` bytes from one another: those of each place in a line.
///
/// # Safety
/// They can be read.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn apart<const H: usize>(src: *const u8, by: isize) -> [__m512i; 4] {
    let from = lanes!(64, lane => step(src, 4 * lane, by));
    let mut rows = [_mm512_setzero_si512(); 4];
    unrolled!(4, i => {
        rows[i] = join4(lanes!(64, lane => {
            // SAFETY: the caller's promise.
            unsafe { load_first::<H>(step(from[lane], i, by)) }
        }));
    });
    turn64::<B, 4>(rows, 4)
}

/// [`apart`], where blocks of four elements follow one another, and those `ahead` bytes on are fetched.
///
/// # Safety
/// As there.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn together<const H: usize>(src: *const u8, ahead: usize) -> [__m512i; 4] {
    let data = const { 0x1111 * ((1 << H) - 1) };
    let mut rows = [_mm512_setzero_si512(); 4];
    unrolled!(4, i => {
        prefetch(src.wrapping_add(i * LINE + ahead));
        // SAFETY: the caller's promise; what has no bit in the mask is not touched.
        rows[i] = unsafe { _mm512_maskz_loadu_epi32(data, src.wrapping_add(i * LINE).cast()) };
    });
    separate::<B, 4>(rows)
}

/// The first `H` elements of a register, up to three. By a mask, loads that miss the caches take up to twice as long.
///
/// # Safety
/// As many elements can be read at `src`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
unsafe fn load_first<const H: usize>(src: *const u8) -> __m128i {
    if H == 1 {
        // SAFETY: the caller's promise: an element.
        return unsafe { _mm_loadu_si32(src) };
    }
    // SAFETY: the caller's promise: two elements.
    let two = unsafe { _mm_loadu_si64(src) };
    if H == 2 {
        return two;
    }
    // SAFETY: the caller's promise: a third one.
    let third = unsafe { src.wrapping_add(2 * B).cast::<i32>().read_unaligned() };
    _mm_insert_epi32::<2>(two, third)
}

/// Transposes `job`, of which the first one to four values of x hold data, to lines with zeros behind these.
///
/// # Safety
/// As [`super::super::super::super::drive::Simd::sparse`], for elements of 4 bytes, 16 values of y and four with data at most.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
pub(in super::super) unsafe fn sparse(job: &Strips) {
    if job.stream {
        // SAFETY: the caller's promise.
        unsafe { sparse_of::<true>(job) };
    } else {
        // SAFETY: the caller's promise.
        unsafe { sparse_of::<false>(job) };
    }
}

/// [`sparse`], past the caches or through them.
///
/// # Safety
/// As [`sparse`].
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
unsafe fn sparse_of<const STREAM: bool>(job: &Strips) {
    // Of lines that are written across two.
    let claims = !STREAM && job.claims && !job.dst.addr().is_multiple_of(LINE);
    let mut y = 0;
    loop {
        let mut rows = [_mm512_setzero_si512(); 4];
        unrolled!(4, i => {
            if i < job.valid {
                // SAFETY: 16 values of y from here on are in the job, and this value of x holds data.
                rows[i] = unsafe { load64(step(step(job.src, i, job.src_step), y, job.src_y)) };
            }
        });
        let lanes = turn64::<B, 4>(rows, 4);
        unrolled!(4, i => {
            let line = |lane| step_mut(job.dst, y + 4 * lane + i, job.dst_step);
            let parts = [
                _mm512_castsi512_si128(lanes[i]),
                _mm512_extracti32x4_epi32::<1>(lanes[i]),
                _mm512_extracti32x4_epi32::<2>(lanes[i]),
                _mm512_extracti32x4_epi32::<3>(lanes[i]),
            ];
            unrolled!(4, lane => {
                let whole = _mm512_zextsi128_si512(parts[lane]);
                if claims {
                    prefetch_write(step_mut(line(lane), SIDE, job.dst_step).wrapping_add(LINE - 1));
                }
                if STREAM {
                    // SAFETY: this line is in the job, and aligned.
                    unsafe { stream(line(lane), whole) };
                } else {
                    // SAFETY: this line is in the job.
                    unsafe { store64(line(lane), whole) };
                }
            });
        });
        match next(y, SIDE, job.height) {
            Some(next) => y = next,
            None => return,
        }
    }
}
