//! Depthwise convolutions as they are written without the crate: on raw pointers over the same blocks, and in plain loops.
//! Both are 3 x 3 with stride 2 and zeros around the picture.

use super::columns::columns;
use tensor_layout::{Aligned, Isa, unroll};

/// Extents of the input: channels, even height, even width.
#[derive(Clone, Copy)]
pub(crate) struct Extents {
    pub(crate) c: usize,
    pub(crate) h: usize,
    pub(crate) w: usize,
}

/// Over `nChw16c` and `Goihw16g` in blocks that divide the channels, `P` outputs at a time, `N = 2 * P + 1`.
///
/// # Safety
/// The pointers are to tensors of these extents, the destination's half as high and wide.
#[inline(always)]
pub(crate) unsafe fn blocked_raw<const P: usize, const N: usize>(
    cpu: impl Isa,
    src: *const f32,
    weights: *const f32,
    dst: *mut f32,
    Extents { c, h, w }: Extents,
) {
    let (src, weights) = (src.cast::<[f32; 16]>(), weights.cast::<[[[f32; 16]; 3]; 3]>());
    let (dst, mut halo) = (dst.cast::<[f32; 16]>(), Aligned([[0.0f32; 16]; N]));
    for block in 0..c / 16 {
        // SAFETY: the filters of these channels have 3 x 3 taps.
        let filter = Aligned(unsafe { *weights.add(block) });
        for y in 0..h / 2 {
            for x in (0..w / 2).step_by(P) {
                let mut sums = [[0.0f32; 16]; P];
                for ky in 0..3 {
                    let sy = (2 * y + ky).wrapping_sub(1);
                    if sy >= h {
                        continue;
                    }
                    // SAFETY: the row lies in the picture.
                    let row = unsafe { src.add((block * h + sy) * w) };
                    // SAFETY: it has `w` columns.
                    let columns = unsafe { columns((row, w), (2 * x).wrapping_sub(1), 0.0, &mut halo) };
                    for (kx, taps) in filter[ky].iter().enumerate() {
                        unroll!(P, |p| {
                            // SAFETY: there are `2 * P + 1` columns.
                            let column = unsafe { &*columns.add(2 * p + kx) };
                            sums[p] = cpu.mul_add_each(column, taps, sums[p]);
                        });
                    }
                }
                unroll!(P, |p| {
                    if x + p < w / 2 {
                        // SAFETY: the column lies in the destination.
                        unsafe { *dst.add((block * (h / 2) + y) * (w / 2) + x + p) = sums[p] };
                    }
                });
            }
        }
    }
}

/// [`blocked_raw`] with as many sums as the registers hold.
///
/// # Safety
/// As for [`blocked_raw`].
#[inline(always)]
pub(crate) unsafe fn blocked_for<I: Isa>(
    cpu: I,
    src: *const f32,
    weights: *const f32,
    dst: *mut f32,
    extents: Extents,
) {
    match I::VECTOR_BYTES {
        // SAFETY: the caller's promise.
        64 => unsafe { blocked_raw::<7, 15>(cpu, src, weights, dst, extents) },
        // SAFETY: the caller's promise.
        _ => unsafe { blocked_raw::<4, 9>(cpu, src, weights, dst, extents) },
    }
}

/// Over slices in c, h, w order.
pub(crate) fn naive(src: &[f32], weights: &[f32], dst: &mut [f32], Extents { c, h, w }: Extents) {
    for channel in 0..c {
        for y in 0..h / 2 {
            for x in 0..w / 2 {
                let mut sum = 0.0;
                for ky in 0..3 {
                    for kx in 0..3 {
                        let (sy, sx) = (2 * y + ky, 2 * x + kx);
                        if sy >= 1 && sx >= 1 && sy <= h && sx <= w {
                            sum += src[(channel * h + sy - 1) * w + sx - 1]
                                * weights[(channel * 3 + ky) * 3 + kx];
                        }
                    }
                }
                dst[(channel * (h / 2) + y) * (w / 2) + x] = sum;
            }
        }
    }
}
