//! Matrix multiplies as they are written without the crate: on raw pointers over the same packed weights, with
//! `matrixmultiply`, and in plain loops. Activations are `m` x `k`, weights `k` x `n`, row by row.

use tensor_layout::{Isa, dispatch, unroll};

#[derive(Clone, Copy)]
pub(crate) struct Extents {
    pub(crate) m: usize,
    pub(crate) k: usize,
    pub(crate) n: usize,
}

/// Activations in tiles of 6 x 16, weights in tiles of 16 x 64, both filled up with zeros.
pub(crate) fn packed_raw(x: &[f32], weights: &[f32], y: &mut [f32], extents: Extents) {
    let Extents { m, k, n } = extents;
    let [rows, depth, columns] = [m.next_multiple_of(6), k.next_multiple_of(16), n.next_multiple_of(64)];
    assert!(x.len() == rows * depth && weights.len() == depth * columns && y.len() == m * n);
    let (x, weights, y) = (x.as_ptr(), weights.as_ptr(), y.as_mut_ptr());
    // SAFETY: the matrices have these extents.
    dispatch!(|cpu| unsafe { multiply_for(cpu, x, weights, y, extents) });
}

/// # Safety
/// The pointers are to matrices of these extents, the operands in tiles.
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
/// The pointers are to matrices of these extents, the operands in tiles.
#[inline(always)]
unsafe fn multiply<const Q: usize>(
    cpu: impl Isa,
    x: *const f32,
    weights: *const f32,
    y: *mut f32,
    Extents { m, k: depth, n }: Extents,
) {
    let tiles = depth.div_ceil(16);
    for panel in 0..n.div_ceil(64) {
        for strip in 0..m.div_ceil(6) {
            let mut outputs = [[[0.0; 16]; 4]; 6];
            for first in (0..4).step_by(Q) {
                let mut sums = [[[0.0f32; 16]; Q]; 6];
                for k in 0..tiles {
                    // SAFETY: the tile of these rows and columns.
                    let values = unsafe { &*x.add((strip * tiles + k) * 96).cast::<[[f32; 16]; 6]>() };
                    // SAFETY: the tile of these rows and columns.
                    let block = unsafe { weights.add((panel * tiles + k) * 1024 + 16 * first) };
                    for i in 0..16 {
                        // SAFETY: a tile has 16 rows of 64 columns.
                        let taps = unsafe { &*block.add(64 * i).cast::<[[f32; 16]; Q]>() };
                        unroll!(6, |r| unroll!(Q, |q| {
                            sums[r][q] = cpu.axpy(values[r][i], &taps[q], sums[r][q]);
                        }));
                    }
                }
                unroll!(6, |r| unroll!(Q, |q| outputs[r][first + q] = sums[r][q]));
            }
            for (r, output) in outputs.iter().enumerate().take(m - 6 * strip) {
                // SAFETY: the row and the column lie in the result.
                let to = unsafe { y.add((6 * strip + r) * n + 64 * panel) };
                let len = (n - 64 * panel).min(64);
                // SAFETY: so many columns are left.
                let to = unsafe { std::slice::from_raw_parts_mut(to, len) };
                to.copy_from_slice(&output.as_flattened()[..len]);
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
