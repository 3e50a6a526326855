//! Kernels on typed views beside the same on raw pointers, compiled for AVX-512 and never run. `tests/codegen.rs` compares
//! their inner loops.

use layout_core::kernels::{Avx512, Isa};
use layout_core::layout::{Block, Dim, Format, Nchw16c, OIhw16i16o};
use layout_core::shape::IndexError;
use layout_core::view::{KernelLoops, Strips, TensorView, TensorViewMut, Window};
use layout_core::{dispatch, unroll};

/// Packed weights of a matrix multiply: tiles of 16 rows and 64 columns.
type Packed = Format<(Dim<'b'>, Dim<'a'>, Block<'a', 16>, Block<'b', 64>), (Dim<'a'>, Dim<'b'>)>;

/// A 3 x 3 convolution: 14 outputs of a row, all input channels.
#[unsafe(no_mangle)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx2,fma,f16c")]
pub fn typed_convolution(
    cpu: Avx512,
    (strips, height): (&Strips<'_, f32, Nchw16c>, usize),
    weights: TensorView<'_, f32, OIhw16i16o>,
    [n, o, y, x]: [usize; 4],
    output: &mut [[f32; 16]; 14],
) -> Result<(), IndexError> {
    let (mut sums, mut halo) = ([[0.0; 16]; 14], [[0.0; 16]; 16]);
    for c in (0..weights.dims()[1]).step_by(16) {
        for (ky, sy) in Window::new(3).padding(1, 1).taps(height, y) {
            let columns = strips.at([n, c, sy, x], &mut halo)?;
            for kx in 0..3 {
                let Some(tile) = weights.block_at([o, c, ky, kx]) else { continue };
                for (i, taps) in tile.iter().enumerate() {
                    unroll!(14, |p| sums[p] = cpu.axpy(columns[p + kx][i], taps, sums[p]));
                }
            }
        }
    }
    unroll!(14, |p| output[p] = sums[p]);
    Ok(())
}

/// The same where `src` is the first column of the first row, and rows lie `row` and blocks of channels `plane` apart.
#[unsafe(no_mangle)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx2,fma,f16c")]
pub unsafe fn hand_convolution(
    (src, plane, row): (*const f32, usize, usize),
    (weights, inputs): (*const f32, usize),
    output: &mut [[f32; 16]; 14],
) {
    let mut sums = [[0.0; 16]; 14];
    for c in 0..inputs / 16 {
        for ky in 0..3 {
            // SAFETY: never run; the caller's promise.
            let columns = unsafe { src.add(c * plane + ky * row) };
            for kx in 0..3 {
                // SAFETY: never run; the caller's promise.
                let tile = unsafe { weights.add((c * 9 + ky * 3 + kx) * 256) };
                for i in 0..16 {
                    // SAFETY: never run; the caller's promise.
                    let taps = unsafe { *tile.add(16 * i).cast::<[f32; 16]>() };
                    unroll!(14, |p| {
                        // SAFETY: never run; the caller's promise.
                        let value = unsafe { *columns.add((p + kx) * 16 + i) };
                        sums[p] = core::array::from_fn(|k| value.mul_add(taps[k], sums[p][k]));
                    });
                }
            }
        }
    }
    unroll!(14, |p| output[p] = sums[p]);
}

/// Six rows of a matrix times 64 packed columns.
#[unsafe(no_mangle)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx2,fma,f16c")]
pub fn typed_multiply(
    cpu: Avx512,
    rows: &[&[f32]; 6],
    weights: TensorView<'_, f32, Packed>,
    column: usize,
    output: &mut [[[f32; 16]; 4]; 6],
) {
    let mut sums = [[[0.0; 16]; 4]; 6];
    for first in (0..weights.dims()[0]).step_by(16) {
        let Some(tile) = weights.block_at([first, column]) else { continue };
        let mut values = [[0.0; 16]; 6];
        for (values, row) in values.iter_mut().zip(rows) {
            values.copy_from_slice(&row[first..first + 16]);
        }
        for (k, weights) in tile.iter().enumerate() {
            let (weights, _) = weights.as_chunks::<16>();
            unroll!(6, |r| unroll!(4, |q| sums[r][q] = cpu.axpy(values[r][k], &weights[q], sums[r][q])));
        }
    }
    unroll!(6, |r| output[r] = sums[r]);
}

#[unsafe(no_mangle)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx2,fma,f16c")]
pub unsafe fn hand_multiply(
    rows: &[*const f32; 6],
    (tiles, depth): (*const f32, usize),
    output: &mut [[[f32; 16]; 4]; 6],
) {
    let mut sums = [[[0.0f32; 16]; 4]; 6];
    for first in (0..depth).step_by(16) {
        let mut values = [[0.0; 16]; 6];
        for (values, row) in values.iter_mut().zip(rows) {
            // SAFETY: never run; the caller's promise.
            *values = unsafe { *row.add(first).cast::<[f32; 16]>() };
        }
        for k in 0..16 {
            // SAFETY: never run; the caller's promise.
            let weights = unsafe { &*tiles.add((first + k) * 64).cast::<[[f32; 16]; 4]>() };
            unroll!(6, |r| unroll!(4, |q| {
                sums[r][q] = core::array::from_fn(|n| values[r][k].mul_add(weights[q][n], sums[r][q][n]));
            }));
        }
    }
    unroll!(6, |r| output[r] = sums[r]);
}

/// What `dispatch!` compiles for each family; the machine code is in the functions that it calls.
#[unsafe(no_mangle)]
pub fn dispatched(x: TensorViewMut<'_, f32, Nchw16c>, least: f32) {
    #[inline(always)]
    fn clamp(mut x: TensorViewMut<'_, f32, Nchw16c>, least: f32) {
        for block in x.blocks_mut() {
            for value in block {
                *value = value.max(least);
            }
        }
    }
    dispatch!(clamp(x, least));
}
