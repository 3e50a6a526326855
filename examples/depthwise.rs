//! A depthwise 3 x 3 convolution with stride 2 on `nChw16c`, as in MobileNet: each channel has a filter of its own. Beside it
//! the same on raw pointers and in plain NCHW loops.
//!
//! `cargo run --release --example depthwise`

#[allow(dead_code, reason = "each example uses a part")]
mod kernels;

use kernels::depthwise::{self, Extents};
use kernels::{input, race};
use std::error::Error;
use tensor_layout::kernels::Cpu;
use tensor_layout::*;

/// Activations: a pixel's channels in blocks of 16, which are vectors.
type Act = layout!("nChw16c");
/// Depthwise weights: a filter for each group of one channel, the groups in blocks like the channels.
type Weights = layout!("Goihw16g");

/// `P` neighbouring outputs at a time; they see `N = 2 * P + 1` columns.
#[inline(always)]
fn convolve<const P: usize, const N: usize>(
    cpu: impl Isa,
    src: TensorView<'_, f32, Act>,
    weights: TensorView<'_, f32, Weights>,
    mut dst: TensorViewMut<'_, f32, Act>,
) -> Result<(), Box<dyn Error>> {
    let window = Window::new(3).stride(2).padding(1, 1);
    let (strips, mut halo, height) =
        (src.strips::<'w'>(window, 0.0)?, Aligned([[0.0; 16]; N]), src.dims()[2]);
    for (block, mut dst) in dst.chunks_mut::<'c'>(16)?.enumerate() {
        let (c, mut filter) = (16 * block, Aligned([[[0.0; 16]; 3]; 3]));
        for (k, taps) in filter.as_flattened_mut().iter_mut().enumerate() {
            *taps = *weights.block_at([c, 0, 0, k / 3, k % 3]).ok_or("the weights have other extents")?;
        }
        for ([n, _, y, _], row) in dst.block_rows_mut::<'w'>()? {
            for (strip, outputs) in row.chunks_mut(P).enumerate() {
                let mut sums = [[0.0; 16]; P];
                for (ky, sy) in window.taps(height, y) {
                    let columns = strips.at([n, c, sy, strip * P], &mut halo)?;
                    for (kx, taps) in filter[ky].iter().enumerate() {
                        unroll!(P, |p| sums[p] = cpu.mul_add_each(&columns[2 * p + kx], taps, sums[p]));
                    }
                }
                unroll!(P, |p| outputs.get_mut(p).map_or((), |output| *output = sums[p]));
            }
        }
    }
    Ok(())
}

/// Four outputs keep twelve taps and sums in registers; AVX-512 has room for seven.
#[inline(always)]
fn convolve_for<I: Isa>(
    cpu: I,
    src: TensorView<'_, f32, Act>,
    weights: TensorView<'_, f32, Weights>,
    dst: TensorViewMut<'_, f32, Act>,
) -> Result<(), Box<dyn Error>> {
    match I::VECTOR_BYTES {
        64 => convolve::<7, 15>(cpu, src, weights, dst),
        _ => convolve::<4, 9>(cpu, src, weights, dst),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let extents = Extents { c: 144, h: 56, w: 56 };
    let Extents { c, h, w } = extents;
    let (image, filters) = (input::features(c, h, w), input::numbers(c * 9, 0.3));
    let src = Tensor::<f32, Nchw>::from_slice([1, c, h, w], &image)?.to_layout::<Act>();
    let weights = Tensor::<f32, Goihw>::from_slice([c, 1, 1, 3, 3], &filters)?.to_layout::<Weights>();
    let mut typed = Tensor::<f32, Act>::zeroed([1, c, h / 2, w / 2])?;
    let mut raw = typed.clone();
    let mut naive = vec![0.0; c * h / 2 * w / 2];

    println!("{}, one core", Cpu::current());
    let work = (18 * c * (h / 2) * (w / 2)) as f64;
    for pass in race::PASSES {
        race::Race::new("depthwise 3 x 3, stride 2, 144 x 56 x 56", work, "GFLOP/s")
            .add("typed views on nChw16c", || {
                dispatch!(|cpu| convolve_for(cpu, src.view(), weights.view(), typed.view_mut()))
                    .expect("extents agree")
            })
            .add("raw pointers on nChw16c", || {
                let (src, weights, dst) = (src.as_ptr(), weights.as_ptr(), raw.as_mut_ptr());
                // SAFETY: the tensors have these extents.
                dispatch!(|cpu| unsafe { depthwise::blocked_for(cpu, src, weights, dst, extents) })
            })
            .add("plain loops on NCHW", || depthwise::naive(&image, &filters, &mut naive, extents))
            .run(pass, None);
        race::assert_close("typed views", typed.to_layout::<Nchw>().as_slice(), &naive, 1e-5);
        race::assert_close("raw pointers", raw.to_layout::<Nchw>().as_slice(), &naive, 1e-5);
    }
    println!("all agree");
    Ok(())
}
