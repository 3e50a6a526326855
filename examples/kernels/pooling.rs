//! Max-pooling and softmax as they are written without the crate.

use tensor_layout::{Isa, dispatch};

/// Extents of the input: channels, even height, even width.
#[derive(Clone, Copy)]
pub(crate) struct Extents {
    pub(crate) c: usize,
    pub(crate) h: usize,
    pub(crate) w: usize,
}

/// The greater of two numbers, 16 times.
#[inline(always)]
pub(crate) fn greater(a: &[f32; 16], b: [f32; 16]) -> [f32; 16] {
    std::array::from_fn(|k| if a[k] > b[k] { a[k] } else { b[k] })
}

/// e to the power of `x`, which is not above 0, to a few units of the last place: without a call, so that 16 of them are
/// vectors. The polynomial is that of Cephes.
#[inline(always)]
pub(crate) fn exp(cpu: impl Isa, x: f32) -> f32 {
    const ROUND: f32 = 12_582_912.0; // 1.5 * 2^23: what is added to it is rounded to a whole number
    let x = if x > -87.0 { x } else { -87.0 };
    let shifted = cpu.mul_add(x, std::f32::consts::LOG2_E, ROUND);
    let whole = shifted - ROUND;
    let rest = cpu.mul_add(whole, 2.121_944_4e-4, cpu.mul_add(whole, -0.693_359_4, x));
    let polynomial = [1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 0.166_666_65, 0.5]
        .into_iter()
        .fold(1.987_569_1e-4, |sum, factor| cpu.mul_add(sum, rest, factor));
    let power = cpu.mul_add(polynomial * rest, rest, rest + 1.0);
    f32::from_bits(power.to_bits().wrapping_add(shifted.to_bits() << 23))
}

/// 3 x 3 with stride 2 over `nChw16c`.
pub(crate) fn pool_raw(src: &[f32], dst: &mut [f32], extents: Extents) {
    let Extents { c, h, w } = extents;
    let blocks = c.div_ceil(16) * 16;
    assert!(src.len() == blocks * h * w && dst.len() == blocks * h * w / 4);
    let (src, dst) = (src.as_ptr().cast(), dst.as_mut_ptr().cast());
    // SAFETY: the tensors have these extents.
    dispatch!(unsafe { pool(src, dst, extents) });
}

/// # Safety
/// The pointers are to tensors of these extents, the destination's half as high and wide.
#[inline(always)]
unsafe fn pool(src: *const [f32; 16], dst: *mut [f32; 16], Extents { c, h, w }: Extents) {
    for block in 0..c.div_ceil(16) {
        for y in 0..h / 2 {
            for x in 0..w / 2 {
                let mut greatest = [f32::NEG_INFINITY; 16];
                for sy in (2 * y).saturating_sub(1)..(2 * y + 2).min(h) {
                    for sx in (2 * x).saturating_sub(1)..(2 * x + 2).min(w) {
                        // SAFETY: the pixel lies in the picture.
                        let pixel = unsafe { &*src.add((block * h + sy) * w + sx) };
                        greatest =
                            std::array::from_fn(
                                |k| if pixel[k] > greatest[k] { pixel[k] } else { greatest[k] },
                            );
                    }
                }
                // SAFETY: the pixel lies in the destination.
                unsafe { *dst.add((block * (h / 2) + y) * (w / 2) + x) = greatest };
            }
        }
    }
}

/// Softmax over the channels of the pooled picture in `nChw16c`, one row of pixels after the other as the kernel on views
/// does.
pub(crate) fn softmax_raw(pooled: &[f32], x: &mut [f32], extents: Extents) {
    let Extents { c, h, w } = extents;
    x.copy_from_slice(pooled);
    assert!(x.len() == c.div_ceil(16) * 16 * (h / 2) * (w / 2));
    let x = x.as_mut_ptr().cast();
    // SAFETY: the tensor has these extents.
    dispatch!(|cpu| unsafe { softmax(cpu, x, extents) });
}

/// # Safety
/// The pointer is to a tensor of half these extents.
#[inline(always)]
unsafe fn softmax(cpu: impl Isa, x: *mut [f32; 16], Extents { c, h, w }: Extents) {
    let (height, width) = (h / 2, w / 2);
    for y in 0..height {
        let (mut greatest, mut sum) = (vec![f32::NEG_INFINITY; width], vec![0.0; width]);
        for first in (0..c).step_by(16) {
            for pixel in 0..width {
                // SAFETY: the block lies in the tensor.
                let block = unsafe { &*x.add((first / 16 * height + y) * width + pixel) };
                let valid = &block[..(c - first).min(16)];
                greatest[pixel] = valid.iter().fold(greatest[pixel], |greatest, &x| greatest.max(x));
            }
        }
        for first in (0..c).step_by(16) {
            for pixel in 0..width {
                // SAFETY: as above.
                let block = unsafe { &mut *x.add((first / 16 * height + y) * width + pixel) };
                for (k, x) in block.iter_mut().enumerate() {
                    let share = exp(cpu, *x - greatest[pixel]);
                    *x = if k < c - first { share } else { 0.0 };
                }
                sum[pixel] += block.iter().sum::<f32>();
            }
        }
        for block in 0..c.div_ceil(16) {
            for pixel in 0..width {
                // SAFETY: as above.
                let block = unsafe { &mut *x.add((block * height + y) * width + pixel) };
                block.iter_mut().for_each(|x| *x /= sum[pixel]);
            }
        }
    }
}

/// 3 x 3 with stride 2 over slices in c, h, w order.
pub(crate) fn pool_naive(src: &[f32], dst: &mut [f32], Extents { c, h, w }: Extents) {
    for channel in 0..c {
        for y in 0..h / 2 {
            for x in 0..w / 2 {
                let mut greatest = f32::NEG_INFINITY;
                for sy in (2 * y).saturating_sub(1)..(2 * y + 2).min(h) {
                    for sx in (2 * x).saturating_sub(1)..(2 * x + 2).min(w) {
                        greatest = greatest.max(src[(channel * h + sy) * w + sx]);
                    }
                }
                dst[(channel * (h / 2) + y) * (w / 2) + x] = greatest;
            }
        }
    }
}

/// Over the channels of the pooled picture, in c, h, w order.
pub(crate) fn softmax_naive(pooled: &[f32], x: &mut [f32], Extents { c, h, w }: Extents) {
    x.copy_from_slice(pooled);
    let pixels = h / 2 * (w / 2);
    for pixel in 0..pixels {
        let greatest = (0..c).map(|k| x[k * pixels + pixel]).fold(f32::NEG_INFINITY, f32::max);
        let mut sum = 0.0;
        for k in 0..c {
            x[k * pixels + pixel] = (x[k * pixels + pixel] - greatest).exp();
            sum += x[k * pixels + pixel];
        }
        for k in 0..c {
            x[k * pixels + pixel] /= sum;
        }
    }
}
