//! Matrix multiplies as they are written without the crate: on raw pointers over the same packed weights, with
//! `matrixmultiply`, and in plain loops. Activations are `m` x `k`, weights `k` x `n`, row by row.

use tensor_layout::{Isa, dispatch, unroll};

#[derive(Clone, Copy)]
pub(crate) struct Extents {
    pub(crate) m: usize,
    pub(crate) k: usize,
    pub(crate) n: usize,
}

/// Activations in tiles of 6 x 16, weights in tiles of 16 x 64, which divide the extents.
pub(crate) fn packed_raw(x: &[f32], weights: &[f32], y: &mut [f32], extents: Extents) {
    let Extents { m, k, n } = extents;
    assert!(x.len() == m * k && weights.len() == k * n && y.len() == m * n);
    assert!(m % 6 == 0 && k % 16 == 0 && n % 64 == 0);
    let (x, weights, y) = (x.as_ptr(), weights.as_ptr(), y.as_mut_ptr());
    // SAFETY: the matrices have these extents, which the tiles divide.
    dispatch!(|cpu| unsafe { multiply_for(cpu, x, weights, y, extents) });
}

/// # Safety
/// The pointers are to matrices of these extents, which the tiles divide.
#[inline(always)]
unsafe fn multiply_for<I: Isa>(cpu: I, x: *const f32, weights: *const f32, y: *mut f32, extents: Extents) {
    match I::VECTOR_BYTES {
        // SAFETY: the caller's promise.
        64 => unsafe { multiply::<4>(cpu, x, weights, y, extents) },
        // SAFETY: the caller's promise.
        _ => unsafe { multiply::<1>(cpu, x, weights, y, extents) },
    }
}

/// # Safety
/// The pointers are to matrices of these extents, which the tiles divide.
#[inline(always)]
unsafe fn multiply<const Q: usize>(
    cpu: impl Isa,
    x: *const f32,
    weights: *const f32,
    y: *mut f32,
    Extents { m, k: depth, n }: Extents,
) {
    for panel in 0..n / 64 {
        for row in (0..m).step_by(6) {
            for first in (0..4).step_by(Q) {
                let mut sums = [[[0.0f32; 16]; Q]; 6];
                for k in (0..depth).step_by(16) {
                    // SAFETY: six rows lie in tiles of 16 columns.
                    let values = unsafe { &*x.add(row * depth + 6 * k).cast::<[[f32; 16]; 6]>() };
                    // SAFETY: a panel has `depth` rows of 64 weights.
                    let block = unsafe { weights.add((panel * depth + k) * 64 + 16 * first) };
                    for i in 0..16 {
                        // SAFETY: as above.
                        let taps = unsafe { &*block.add(64 * i).cast::<[[f32; 16]; Q]>() };
                        unroll!(6, |r| unroll!(Q, |q| {
                            sums[r][q] = cpu.axpy(values[r][i], &taps[q], sums[r][q]);
                        }));
                    }
                }
                unroll!(6, |r| unroll!(Q, |q| {
                    let at = (row + r) * n + 64 * panel + 16 * (first + q);
                    // SAFETY: a row has `n` elements.
                    unsafe { *y.add(at).cast::<[f32; 16]>() = sums[r][q] };
                }));
            }
        }
    }
}

pub(crate) fn by_crate(x: &[f32], w: &[f32], y: &mut [f32], Extents { m, k, n }: Extents) {
    assert!(x.len() == m * k && w.len() == k * n && y.len() == m * n);
    let (rows, columns) = (k as isize, n as isize);
    // SAFETY: the slices hold matrices of these extents.
    unsafe {
        matrixmultiply::sgemm(
            m,
            k,
            n,
            1.0,
            x.as_ptr(),
            rows,
            1,
            w.as_ptr(),
            columns,
            1,
            0.0,
            y.as_mut_ptr(),
            columns,
            1,
        );
    }
}

/// Three loops.
pub(crate) fn naive(x: &[f32], w: &[f32], y: &mut [f32], Extents { m, k, n }: Extents) {
    for row in 0..m {
        for column in 0..n {
            let mut sum = 0.0;
            for i in 0..k {
                sum += x[row * k + i] * w[i * n + column];
            }
            y[row * n + column] = sum;
        }
    }
}
