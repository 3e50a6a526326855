//! Scaling and normalising a picture as it is written without the crate.

use tensor_layout::{Isa, dispatch};

/// Rows and columns of the result.
pub(crate) const SIDE: usize = 224;

/// Mean and reciprocal deviation of each colour, in units of a byte, as image networks normalise with.
pub(crate) const MEAN: [f32; 3] = [123.7, 116.3, 103.5];
pub(crate) const SCALE: [f32; 3] = [1.0 / 58.4, 1.0 / 57.1, 1.0 / 57.4];

/// For each output along an axis of `side` the position before it, and how far it lies behind that, up to 1.
pub(crate) fn samples(side: usize) -> Vec<(usize, f32)> {
    let step = (side - 1) as f32 / (SIDE - 1) as f32;
    let sample = |k: usize| {
        let at = k as f32 * step;
        let before = (at as usize).min(side - 2);
        (before, at - before as f32)
    };
    (0..SIDE).map(sample).collect()
}

/// From bytes in h, w, c order to blocks of 16 channels.
pub(crate) fn scale_raw(pixels: &[u8], [h, w]: [usize; 2], [top, left, side]: [usize; 3], dst: &mut [f32]) {
    assert!(pixels.len() == 3 * h * w && top + side <= h && left + side <= w && side >= 2);
    assert!(dst.len() == 16 * SIDE * SIDE);
    // SAFETY: the square lies in the picture.
    let first = unsafe { pixels.as_ptr().add(3 * (top * w + left)) };
    let (dst, samples) = (dst.as_mut_ptr().cast(), samples(side));
    // SAFETY: the samples lie in the square, the pixels in the destination.
    dispatch!(|cpu| unsafe { scale(cpu, first, 3 * w, &samples, dst) });
}

/// # Safety
/// `first` is the first pixel of a square in which the samples lie, with rows `row` bytes apart; `dst` has a block for each
/// pair of samples.
#[inline(always)]
unsafe fn scale(cpu: impl Isa, first: *const u8, row: usize, samples: &[(usize, f32)], dst: *mut [f32; 16]) {
    for (y, &(above, down)) in samples.iter().enumerate() {
        for (x, &(before, right)) in samples.iter().enumerate() {
            let mut sums = [0.0; 16];
            for below in 0..2 {
                for behind in 0..2 {
                    let share = [1.0 - down, down][below] * [1.0 - right, right][behind];
                    // SAFETY: the pixel lies in the square.
                    let pixel = unsafe {
                        &*first.add((above + below) * row + 3 * (before + behind)).cast::<[u8; 3]>()
                    };
                    for (sum, &value) in sums.iter_mut().zip(pixel) {
                        *sum = cpu.mul_add(share, f32::from(value), *sum);
                    }
                }
            }
            for (sum, (mean, scale)) in sums.iter_mut().zip(MEAN.iter().zip(&SCALE)) {
                *sum = (*sum - mean) * scale;
            }
            // SAFETY: the pixel lies in the destination.
            unsafe { *dst.add(y * samples.len() + x) = sums };
        }
    }
}

/// From bytes in h, w, c order to c, h, w order.
pub(crate) fn naive(pixels: &[u8], w: usize, [top, left, side]: [usize; 3], dst: &mut [f32]) {
    let samples = samples(side);
    for c in 0..3 {
        for (y, &(above, down)) in samples.iter().enumerate() {
            for (x, &(before, right)) in samples.iter().enumerate() {
                let mut sum = 0.0;
                for below in 0..2 {
                    for behind in 0..2 {
                        let share = [1.0 - down, down][below] * [1.0 - right, right][behind];
                        let at = 3 * ((top + above + below) * w + left + before + behind) + c;
                        sum += share * f32::from(pixels[at]);
                    }
                }
                dst[(c * SIDE + y) * SIDE + x] = (sum - MEAN[c]) * SCALE[c];
            }
        }
    }
}
