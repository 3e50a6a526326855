//! Max-pooling and softmax as they are written without the crate.

use super::columns::columns;
use std::hint::black_box;
use tensor_layout::{Aligned, Isa, dispatch, unroll};

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

/// The two halves of 16 numbers made one by `f`, and so on until one is left.
#[inline(always)]
fn halve(block: &[f32; 16], f: impl Fn(f32, f32) -> f32) -> f32 {
    let eight: [f32; 8] = std::array::from_fn(|k| f(block[k], block[k + 8]));
    let four: [f32; 4] = std::array::from_fn(|k| f(eight[k], eight[k + 4]));
    f(f(four[0], four[2]), f(four[1], four[3]))
}

/// The greatest of the first `len` of 16 numbers.
#[inline(always)]
pub(crate) fn greatest(block: &[f32; 16], len: usize) -> f32 {
    let valid = std::array::from_fn(|k| if k < len { block[k] } else { f32::NEG_INFINITY });
    halve(&valid, |a, b| if a > b { a } else { b })
}

/// Puts shares in the place of the first `len` of 16 numbers, and zeros behind them; returns the sum.
#[inline(always)]
pub(crate) fn shares(cpu: impl Isa, block: &mut [f32; 16], len: usize, greatest: f32) -> f32 {
    for (k, x) in block.iter_mut().enumerate() {
        let share = exp(cpu, *x - greatest);
        *x = if k < len { share } else { 0.0 };
    }
    halve(block, |a, b| a + b)
}

/// e to the power of `x`, which is not above 0, to a few units of the last place: without a call, so that 16 of them are
/// vectors. The polynomial is that of Cephes.
#[inline(always)]
fn exp(cpu: impl Isa, x: f32) -> f32 {
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

/// Four outputs at a time, which see nine columns; those outside the picture count as minus infinity.
///
/// # Safety
/// The pointers are to tensors of these extents, the destination's half as high and wide.
#[inline(always)]
unsafe fn pool(src: *const [f32; 16], dst: *mut [f32; 16], Extents { c, h, w }: Extents) {
    let mut halo = Aligned([[0.0f32; 16]; 9]);
    for block in 0..c.div_ceil(16) {
        for y in 0..h / 2 {
            for x in (0..w / 2).step_by(4) {
                let mut most = [[f32::NEG_INFINITY; 16]; 4];
                for sy in (2 * y).saturating_sub(1)..(2 * y + 2).min(h) {
                    // SAFETY: the row lies in the picture.
                    let row = unsafe { src.add((block * h + sy) * w) };
                    let (first, least) = ((2 * x).wrapping_sub(1), f32::NEG_INFINITY);
                    // SAFETY: it has `w` columns.
                    let columns = unsafe { columns((row, w), first, least, &mut halo) };
                    for kx in 0..3 {
                        // SAFETY: there are nine columns.
                        unroll!(4, |p| most[p] = greater(unsafe { &*columns.add(2 * p + kx) }, most[p]));
                    }
                }
                unroll!(4, |p| {
                    if x + p < w / 2 {
                        // SAFETY: the column lies in the destination.
                        unsafe { *dst.add((block * (h / 2) + y) * (w / 2) + x + p) = most[p] };
                    }
                });
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

/// The boxes are there because the compiler would take several pixels at a time, element by element with gathers and
/// scatters, which takes 1.6 times as long.
///
/// # Safety
/// The pointer is to a tensor of half these extents.
#[inline(always)]
unsafe fn softmax(cpu: impl Isa, x: *mut [f32; 16], Extents { c, h, w }: Extents) {
    let (height, width) = (h / 2, w / 2);
    for y in 0..height {
        let (mut most, mut sum) = (vec![f32::NEG_INFINITY; width], vec![0.0; width]);
        for block in 0..c.div_ceil(16) {
            let len = (c - 16 * block).min(16);
            for pixel in 0..width {
                // SAFETY: the block lies in the tensor.
                let block = unsafe { &*x.add((block * height + y) * width + pixel) };
                let greatest = greatest(block, len).max(most[pixel]);
                most[pixel] = black_box(greatest);
            }
        }
        for block in 0..c.div_ceil(16) {
            let len = (c - 16 * block).min(16);
            for pixel in 0..width {
                // SAFETY: as above.
                let block = unsafe { &mut *x.add((block * height + y) * width + pixel) };
                sum[pixel] += shares(cpu, block, len, most[pixel]);
            }
        }
        for block in 0..c.div_ceil(16) {
            for pixel in 0..width {
                // SAFETY: as above.
                let block = unsafe { &mut *x.add((block * height + y) * width + pixel) };
                let sum = black_box(sum[pixel]);
                *block = std::array::from_fn(|k| block[k] / sum);
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
