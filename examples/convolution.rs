//! A direct 3 x 3 convolution on blocked layouts, of the size of a layer of ResNet-50: 64 x 56 x 56 features of a
//! photograph to as many. Beside it raw pointers, plain loops, a matrix multiply, and oneDNN's where `scripts/peers` was run.
//! `cargo run --release --example convolution`

#[allow(dead_code, reason = "each example uses a part")]
mod kernels;

use kernels::convolution::{self, Extents};
use kernels::{input, onednn, race};
use std::error::Error;
use tensor_layout::*;

type Act = layout!("nChw16c"); // a pixel's channels in blocks of 16, which are vectors
type Weights = layout!("OIhw16i16o"); // for each of 16 input channels, 16 output channels side by side
/// `P` neighbouring outputs at a time, whose sums stay in registers; they see `N = P + 2` columns.
#[inline(always)]
fn convolve<const P: usize, const N: usize>(
    cpu: impl Isa,
    src: TensorView<'_, f32, Act>,
    weights: TensorView<'_, f32, Weights>,
    mut dst: TensorViewMut<'_, f32, Act>,
) -> Result<(), Box<dyn Error>> {
    let window = Window::new(3).padding(1, 1);
    let (strips, mut halo) = (src.strips::<'w'>(window, 0.0)?, Aligned([[0.0; 16]; N]));
    let [_, channels, height, _] = src.dims();
    for ([n, o, y, _], row) in dst.block_rows_mut::<'w'>()? {
        for (strip, outputs) in row.chunks_mut(P).enumerate() {
            let mut sums = [[0.0; 16]; P];
            for c in (0..channels).step_by(16) {
                for (ky, sy) in window.taps(height, y) {
                    let columns = strips.at([n, c, sy, strip * P], &mut halo)?;
                    for kx in 0..3 {
                        let tile = weights.block_at([o, c, ky, kx]).ok_or("weights of other extents")?;
                        for (i, taps) in tile.iter().enumerate() {
                            unroll!(P, |p| sums[p] = cpu.axpy(columns[p + kx][i], taps, sums[p]));
                        }
                    }
                }
            }
            unroll!(P, |p| outputs.get_mut(p).map_or((), |output| *output = sums[p]));
        }
    }
    Ok(())
}

/// As many sums as the registers hold, with some left for the taps: 14 divides 56.
#[inline(always)]
fn convolve_for<I: Isa>(
    cpu: I,
    src: TensorView<'_, f32, Act>,
    weights: TensorView<'_, f32, Weights>,
    dst: TensorViewMut<'_, f32, Act>,
) -> Result<(), Box<dyn Error>> {
    match I::VECTOR_BYTES * I::REGISTERS {
        2048.. => convolve::<14, 16>(cpu, src, weights, dst),
        512.. => convolve::<6, 8>(cpu, src, weights, dst),
        _ => convolve::<3, 5>(cpu, src, weights, dst),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let extents @ Extents { i, o, h, w } = Extents { i: 64, o: 64, h: 56, w: 56 };
    let (image, filters) = (input::features(i, h, w), input::numbers(o * i * 9, 0.1));
    let src = Tensor::<f32, Nchw>::from_slice([1, i, h, w], &image)?.to_layout();
    let weights = Tensor::<f32, Oihw>::from_slice([o, i, 3, 3], &filters)?.to_layout();
    let zeros = Tensor::<f32, Act>::zeroed([1, o, h, w])?;
    let [mut typed, mut raw, mut theirs] = [zeros.clone(), zeros.clone(), zeros];
    let [mut naive, mut gathered, mut windows] = [o, o, 9 * i].map(|planes| vec![0.0; planes * h * w]);
    let peak = race::peak_flops();
    let mut times = Vec::new();
    for pass in race::PASSES {
        let onednn = onednn::convolution(src.as_slice(), weights.as_slice(), theirs.as_mut_slice(), extents);
        times =
            race::Race::new("convolution 3 x 3, 64 x 56 x 56 -> 64", (18 * i * o * h * w) as f64, "GFLOP/s")
                .add("typed views on nChw16c", || {
                    dispatch!(|cpu| convolve_for(cpu, src.view(), weights.view(), typed.view_mut()))
                        .expect("extents agree")
                })
                .add("raw pointers on nChw16c", || {
                    let (src, weights, dst) = (src.as_ptr(), weights.as_ptr(), raw.as_mut_ptr());
                    // SAFETY: the tensors have these extents.
                    dispatch!(|cpu| unsafe { convolution::blocked_for(cpu, src, weights, dst, extents) })
                })
                .add("matrixmultiply on gathered windows", || {
                    convolution::gathered(&image, &filters, &mut windows, &mut gathered, extents)
                })
                .add("plain loops on NCHW", || convolution::naive(&image, &filters, &mut naive, extents))
                .add_some("oneDNN on nChw16c", onednn)
                .run(pass, Some(peak));
        let tensors = [("typed views", &typed), ("raw pointers", &raw), ("oneDNN", &theirs)];
        for (who, found) in &tensors[..times.len() - 2] {
            // the last is there where oneDNN took the fifth time
            race::assert_close(who, found.to_layout::<Nchw>().as_slice(), &naive, 1e-5);
        }
        race::assert_close("matrixmultiply", &gathered, &naive, 1e-5);
    }
    println!("all agree; {:.1} times as fast as plain loops", times[3] / times[0]);
    Ok(())
}
