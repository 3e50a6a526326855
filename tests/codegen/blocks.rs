//! Loops over blocks and their tails, compiled for AVX-512 and never run. `tests/codegen.rs` reads their inner loops.

use layout_core::kernels::{Avx512, Isa};
use layout_core::layout::Nchw16c;
use layout_core::view::{KernelLoops, KernelLoopsMut, TensorView, TensorViewMut};

/// 1 / (1 + x^2) of every element, and zeros for padding.
#[unsafe(no_mangle)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx2,fma,f16c")]
pub fn blocks_with_tail(cpu: Avx512, mut x: TensorViewMut<'_, f32, Nchw16c>) {
    x.valid_blocks_mut().for_each(|(valid, block)| {
        for (k, x) in block.iter_mut().enumerate() {
            let value = 1.0 / cpu.mul_add(*x, *x, 1.0);
            *x = if k < valid.len() { value } else { 0.0 };
        }
    });
}

/// The greatest of each pixel's channels so far, side by side for the next block.
#[unsafe(no_mangle)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx2,fma,f16c")]
pub fn blocks_greatest(x: TensorView<'_, f32, Nchw16c>, most: &mut [f32; 16]) {
    x.valid_blocks().for_each(|(valid, block)| {
        for (k, most) in most.iter_mut().enumerate() {
            let x = if k < valid.len() { block[k] } else { f32::NEG_INFINITY };
            *most = if x > *most { x } else { *most };
        }
    });
}

/// Loops that LLVM makes gathers of where it sees through the iterator.
#[unsafe(no_mangle)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx2,fma,f16c")]
pub fn blocks_for(mut x: TensorViewMut<'_, f32, Nchw16c>, by: f32) {
    for block in x.strided_blocks() {
        *block = core::array::from_fn(|k| block[k] / by);
    }
}

#[unsafe(no_mangle)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx2,fma,f16c")]
pub fn blocks_for_each(mut x: TensorViewMut<'_, f32, Nchw16c>, by: f32) {
    x.strided_blocks().for_each(|block| *block = core::array::from_fn(|k| block[k] / by));
}

/// The blocks by the iterator over strided views: those of a dense view are a slice.
trait StridedBlocks {
    fn strided_blocks(&mut self) -> impl Iterator<Item = &mut [f32; 16]>;
}
impl StridedBlocks for TensorViewMut<'_, f32, Nchw16c> {
    #[inline(always)]
    fn strided_blocks(&mut self) -> impl Iterator<Item = &mut [f32; 16]> {
        self.valid_blocks_mut().map(|(_, block)| block)
    }
}
