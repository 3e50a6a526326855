//! More kernels on typed views beside the same on raw pointers, compiled for AVX-512 and never run: dot products of bytes,
//! depthwise convolution, pooling, softmax, scores of attention. `tests/codegen.rs` compares what they repeat.

use core::arch::x86_64::{__m512i, _mm512_dpbusd_epi32, _mm512_set1_epi32};
use core::mem::transmute;
use layout_core::kernels::{Avx512, Isa};
use layout_core::layout::{Block, Dim, Format, Nchw16c, OIhw4i16o4i};
use layout_core::shape::IndexError;
use layout_core::unroll;
use layout_core::view::{KernelLoops, KernelLoopsMut, Strips, TensorView, TensorViewMut, Window};

/// A cache of keys: 16 positions side by side.
type Keys = Format<
    (Dim<'b'>, Dim<'h'>, Dim<'s'>, Dim<'d'>, Block<'s', 16>),
    (Dim<'b'>, Dim<'s'>, Dim<'h'>, Dim<'d'>),
>;
type Sixteen = [f32; 16];

/// Adds to each of 16 sums the dot product of four values with four weights of its own.
#[inline(always)]
fn dot(values: [u8; 4], weights: &[[i8; 4]; 16], sums: [i32; 16]) -> [i32; 16] {
    // SAFETY: both are 64 bytes of integers.
    let [weights, sums] =
        unsafe { [transmute::<[[i8; 4]; 16], __m512i>(*weights), transmute::<[i32; 16], __m512i>(sums)] };
    // SAFETY: never run; the callers are compiled with the feature.
    let values = unsafe { _mm512_set1_epi32(i32::from_ne_bytes(values)) };
    // SAFETY: as above.
    let sums = unsafe { _mm512_dpbusd_epi32(sums, values, weights) };
    // SAFETY: 64 bytes of integers.
    unsafe { transmute::<__m512i, [i32; 16]>(sums) }
}

/// 28 pixels of a row, all input channels.
#[unsafe(no_mangle)]
#[target_feature(enable = "avx512f,avx512vnni")]
pub fn typed_dot(
    strips: &Strips<'_, u8, Nchw16c>,
    weights: TensorView<'_, i8, OIhw4i16o4i>,
    [n, o, y, x]: [usize; 4],
    output: &mut [[i32; 16]; 28],
) -> Result<(), IndexError> {
    let (mut sums, mut halo) = ([[0; 16]; 28], [[0; 16]; 28]);
    let rows = strips.rows_along::<'c'>([n, 0, y, 0])?;
    for (row, tile) in rows.zip(weights.blocks_along::<'i'>([o, 0, 0, 0])?) {
        let pixels = row.at(x, &mut halo)?;
        for (four, taps) in tile.iter().enumerate() {
            unroll!(28, |p| sums[p] = dot(pixels[p].as_chunks().0[four], taps, sums[p]));
        }
    }
    unroll!(28, |p| output[p] = sums[p]);
    Ok(())
}

/// The same from `src` on, where blocks of channels lie `plane` apart.
#[unsafe(no_mangle)]
#[target_feature(enable = "avx512f,avx512vnni")]
pub unsafe fn hand_dot(
    (src, plane): (*const [[u8; 16]; 28], usize),
    (weights, inputs): (*const [[[i8; 4]; 16]; 4], usize),
    output: &mut [[i32; 16]; 28],
) {
    let mut sums = [[0; 16]; 28];
    for c in 0..inputs / 16 {
        // SAFETY: never run; the caller's promise.
        let pixels = unsafe { &*src.byte_add(c * plane) };
        // SAFETY: never run; the caller's promise.
        let tile = unsafe { &*weights.add(c) };
        for (four, taps) in tile.iter().enumerate() {
            unroll!(28, |p| sums[p] = dot(pixels[p].as_chunks().0[four], taps, sums[p]));
        }
    }
    unroll!(28, |p| output[p] = sums[p]);
}

/// Seven outputs of a depthwise 3 x 3 convolution with stride 2.
#[unsafe(no_mangle)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx2,fma,f16c")]
pub fn typed_depthwise(
    cpu: Avx512,
    (strips, height): (&Strips<'_, f32, Nchw16c>, usize),
    filter: &[[Sixteen; 3]; 3],
    [n, c, y, x]: [usize; 4],
    output: &mut [Sixteen; 7],
) -> Result<(), IndexError> {
    let (mut sums, mut halo) = ([[0.0; 16]; 7], [[0.0; 16]; 15]);
    for (ky, sy) in Window::new(3).stride(2).padding(1, 1).taps(height, y) {
        let columns = strips.at([n, c, sy, x], &mut halo)?;
        for (kx, taps) in filter[ky].iter().enumerate() {
            unroll!(7, |p| sums[p] = cpu.mul_add_each(&columns[2 * p + kx], taps, sums[p]));
        }
    }
    unroll!(7, |p| output[p] = sums[p]);
    Ok(())
}

/// The same on the rows from `src` on, `row` columns apart.
#[unsafe(no_mangle)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx2,fma,f16c")]
pub unsafe fn hand_depthwise(
    (src, row): (*const Sixteen, usize),
    filter: &[[Sixteen; 3]; 3],
    rows: core::ops::Range<usize>,
    output: &mut [Sixteen; 7],
) {
    let mut sums = [[0.0f32; 16]; 7];
    for ky in rows {
        // SAFETY: never run; the caller's promise.
        let columns = unsafe { src.add(ky * row) };
        for (kx, taps) in filter[ky].iter().enumerate() {
            unroll!(7, |p| {
                // SAFETY: never run; the caller's promise.
                let column = unsafe { &*columns.add(2 * p + kx) };
                sums[p] = core::array::from_fn(|k| column[k].mul_add(taps[k], sums[p][k]));
            });
        }
    }
    unroll!(7, |p| output[p] = sums[p]);
}

#[inline(always)]
fn greater(a: &Sixteen, b: Sixteen) -> Sixteen {
    core::array::from_fn(|k| if a[k] > b[k] { a[k] } else { b[k] })
}

/// Four outputs of a max-pooling 3 x 3 with stride 2.
#[unsafe(no_mangle)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx2,fma,f16c")]
pub fn typed_pooling(
    (strips, height): (&Strips<'_, f32, Nchw16c>, usize),
    [n, c, y, x]: [usize; 4],
    output: &mut [Sixteen; 4],
) -> Result<(), IndexError> {
    let (mut greatest, mut halo) = ([[f32::NEG_INFINITY; 16]; 4], [[0.0; 16]; 9]);
    for (_, sy) in Window::new(3).stride(2).padding(1, 1).taps(height, y) {
        let columns = strips.at([n, c, sy, x], &mut halo)?;
        for kx in 0..3 {
            unroll!(4, |p| greatest[p] = greater(&columns[2 * p + kx], greatest[p]));
        }
    }
    unroll!(4, |p| output[p] = greatest[p]);
    Ok(())
}

/// The same on `rows` rows from `src` on, `row` columns apart.
#[unsafe(no_mangle)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx2,fma,f16c")]
pub unsafe fn hand_pooling(
    (src, row): (*const Sixteen, usize),
    rows: usize,
    output: &mut [Sixteen; 4],
) {
    let mut greatest = [[f32::NEG_INFINITY; 16]; 4];
    for y in 0..rows {
        // SAFETY: never run; the caller's promise.
        let columns = unsafe { src.add(y * row) };
        for kx in 0..3 {
            // SAFETY: never run; the caller's promise.
            unroll!(4, |p| greatest[p] = greater(unsafe { &*columns.add(2 * p + kx) }, greatest[p]));
        }
    }
    unroll!(4, |p| output[p] = greatest[p]);
}

/// e to the power of 16 numbers that are not above 0, less `greatest`, and their sum: as in softmax, without a call.
#[inline(always)]
fn shares(cpu: Avx512, block: &mut Sixteen, len: usize, greatest: f32) -> f32 {
    for (k, x) in block.iter_mut().enumerate() {
        let share = exp(cpu, *x - greatest);
        *x = if k < len { share } else { 0.0 };
    }
    let eight: [f32; 8] = core::array::from_fn(|k| block[k] + block[k + 8]);
    let four: [f32; 4] = core::array::from_fn(|k| eight[k] + eight[k + 4]);
    (four[0] + four[2]) + (four[1] + four[3])
}

#[inline(always)]
fn exp(cpu: Avx512, x: f32) -> f32 {
    const ROUND: f32 = 12_582_912.0;
    let x = if x > -87.0 { x } else { -87.0 };
    let shifted = cpu.mul_add(x, core::f32::consts::LOG2_E, ROUND);
    let whole = shifted - ROUND;
    let rest = cpu.mul_add(whole, 2.121_944_4e-4, cpu.mul_add(whole, -0.693_359_4, x));
    let polynomial = [1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 0.166_666_65, 0.5]
        .into_iter()
        .fold(1.987_569_1e-4, |sum, factor| cpu.mul_add(sum, rest, factor));
    let power = cpu.mul_add(polynomial * rest, rest, rest + 1.0);
    f32::from_bits(power.to_bits().wrapping_add(shifted.to_bits() << 23))
}

/// Softmax's second step over a row of pixels: shares, and their sums.
#[unsafe(no_mangle)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx2,fma,f16c")]
pub fn typed_softmax(
    cpu: Avx512,
    mut row: TensorViewMut<'_, f32, Nchw16c>,
    most: &[f32],
    sums: &mut [f32],
) {
    row.valid_blocks_mut().for_each(|(valid, block)| {
        let pixel = valid.start()[3];
        sums[pixel] += shares(cpu, block, valid.len(), most[pixel]);
    });
}

#[unsafe(no_mangle)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx2,fma,f16c")]
pub unsafe fn hand_softmax(
    cpu: Avx512,
    (row, channels, pixels): (*mut Sixteen, usize, usize),
    most: &[f32],
    sums: &mut [f32],
) {
    for block in 0..channels.div_ceil(16) {
        let len = (channels - 16 * block).min(16);
        for pixel in 0..pixels {
            // SAFETY: never run; the caller's promise.
            let block = unsafe { &mut *row.add(block * pixels + pixel) };
            sums[pixel] += shares(cpu, block, len, most[pixel]);
        }
    }
}

/// The scores of all positions of a cache, for one head.
#[unsafe(no_mangle)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx2,fma,f16c")]
pub fn typed_attention(
    cpu: Avx512,
    query: &[f32],
    keys: TensorView<'_, f32, Keys>,
    scores: &mut [Sixteen],
) {
    let Ok(rows) = keys.block_rows::<'d'>() else { return };
    for (scores, (_, row)) in scores.iter_mut().zip(rows) {
        *scores = query.iter().zip(row).fold([0.0; 16], |sums, (q, keys)| cpu.axpy(*q, keys, sums));
    }
}

#[unsafe(no_mangle)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx2,fma,f16c")]
pub unsafe fn hand_attention(
    cpu: Avx512,
    (query, depth): (*const f32, usize),
    keys: *const Sixteen,
    scores: &mut [Sixteen],
) {
    for (block, scores) in scores.iter_mut().enumerate() {
        let mut sums = [0.0; 16];
        for k in 0..depth {
            // SAFETY: never run; the caller's promise.
            let q = unsafe { *query.add(k) };
            // SAFETY: never run; the caller's promise.
            sums = cpu.axpy(q, unsafe { &*keys.add(block * depth + k) }, sums);
        }
        *scores = sums;
    }
}
