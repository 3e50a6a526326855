//! Convolutions as they are written without the crate: on raw pointers over the same blocks, in plain loops over NCHW, and
//! as a matrix multiply over gathered windows. All are 3 x 3 with zeros around the picture.

use super::columns::columns;
use tensor_layout::{Aligned, Isa, unroll};

/// Extents: input channels, output channels, height, width.
#[derive(Clone, Copy)]
pub(crate) struct Extents {
    pub(crate) i: usize,
    pub(crate) o: usize,
    pub(crate) h: usize,
    pub(crate) w: usize,
}

/// Over `nChw16c` and `OIhw16i16o` in blocks that divide the channels, `P` outputs at a time, `N = P + 2`.
///
/// # Safety
/// The pointers are to tensors of these extents.
#[inline(always)]
pub(crate) unsafe fn blocked_raw<I: Isa, const P: usize, const N: usize>(
    cpu: I,
    src: *const f32,
    weights: *const f32,
    dst: *mut f32,
    Extents { i, o, h, w }: Extents,
) {
    let mut halo = Aligned([[0.0f32; 16]; N]);
    for ob in 0..o / 16 {
        for y in 0..h {
            for x in (0..w).step_by(P) {
                let mut sums = [[0.0f32; 16]; P];
                for ib in 0..i / 16 {
                    for ky in 0..3 {
                        let sy = (y + ky).wrapping_sub(1);
                        if sy >= h {
                            continue;
                        }
                        // SAFETY: the row lies in the picture.
                        let row = unsafe { src.cast::<[f32; 16]>().add((ib * h + sy) * w) };
                        // SAFETY: it has `w` columns.
                        let columns = unsafe { columns((row, w), x.wrapping_sub(1), 0.0, &mut halo) };
                        let columns = columns.cast::<f32>();
                        for kx in 0..3 {
                            // SAFETY: the tile of these blocks and this tap.
                            let taps =
                                unsafe { weights.add((((ob * (i / 16) + ib) * 3 + ky) * 3 + kx) * 256) };
                            for c in 0..16 {
                                // SAFETY: a tile has 16 times 16 weights.
                                let tap = unsafe { &*taps.add(16 * c).cast::<[f32; 16]>() };
                                unroll!(P, |p| {
                                    // SAFETY: there are `P + 2` columns.
                                    let value = unsafe { *columns.add((p + kx) * 16 + c) };
                                    sums[p] = cpu.axpy(value, tap, sums[p]);
                                });
                            }
                        }
                    }
                }
                unroll!(P, |p| {
                    if x + p < w {
                        // SAFETY: the column lies in the picture.
                        let to = unsafe { dst.add(((ob * h + y) * w + x + p) * 16) };
                        // SAFETY: it has 16 channels.
                        unsafe { *to.cast::<[f32; 16]>() = sums[p] };
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
    match I::VECTOR_BYTES * I::REGISTERS {
        // SAFETY: the caller's promise.
        2048.. => unsafe { blocked_raw::<I, 14, 16>(cpu, src, weights, dst, extents) },
        // SAFETY: the caller's promise.
        512.. => unsafe { blocked_raw::<I, 6, 8>(cpu, src, weights, dst, extents) },
        // SAFETY: the caller's promise.
        _ => unsafe { blocked_raw::<I, 3, 5>(cpu, src, weights, dst, extents) },
    }
}

/// Over NCHW and OIHW slices: seven loops, as in a textbook.
pub(crate) fn naive(src: &[f32], weights: &[f32], dst: &mut [f32], Extents { i, o, h, w }: Extents) {
    for to in 0..o {
        for y in 0..h {
            for x in 0..w {
                let mut sum = 0.0;
                for from in 0..i {
                    for ky in 0..3 {
                        for kx in 0..3 {
                            if y + ky < 1 || y + ky > h || x + kx < 1 || x + kx > w {
                                continue;
                            }
                            sum += src[(from * h + y + ky - 1) * w + x + kx - 1]
                                * weights[((to * i + from) * 3 + ky) * 3 + kx];
                        }
                    }
                }
                dst[(to * h + y) * w + x] = sum;
            }
        }
    }
}

/// Gathers the windows into a matrix and multiplies with the crate `matrixmultiply`, as frameworks do that have no
/// convolution of their own.
pub(crate) fn gathered(
    src: &[f32],
    weights: &[f32],
    windows: &mut [f32],
    dst: &mut [f32],
    Extents { i, o, h, w }: Extents,
) {
    for (k, row) in windows.chunks_exact_mut(h * w).enumerate() {
        let (from, ky, kx) = (k / 9, k / 3 % 3, k % 3);
        for (y, line) in row.chunks_exact_mut(w).enumerate() {
            line.fill(0.0);
            if y + ky >= 1 && y + ky <= h {
                let source = &src[(from * h + y + ky - 1) * w..][..w];
                match kx {
                    0 => line[1..].copy_from_slice(&source[..w - 1]),
                    1 => line.copy_from_slice(source),
                    _ => line[..w - 1].copy_from_slice(&source[1..]),
                }
            }
        }
    }
    assert!(weights.len() == o * 9 * i && windows.len() == 9 * i * h * w && dst.len() == o * h * w);
    let (m, k, n) = (o, 9 * i, h * w);
    let (row, column) = ((k as isize, 1), (n as isize, 1));
    // SAFETY: the slices hold matrices of m x k, k x n and m x n.
    unsafe {
        matrixmultiply::sgemm(
            m,
            k,
            n,
            1.0,
            weights.as_ptr(),
            row.0,
            row.1,
            windows.as_ptr(),
            column.0,
            column.1,
            0.0,
            dst.as_mut_ptr(),
            column.0,
            column.1,
        );
    }
}
