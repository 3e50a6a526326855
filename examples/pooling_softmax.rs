//! Two kernels that must not take padding for data, on 20 channels in blocks of 16: 3 x 3 max-pooling with stride 2, whose
//! halo counts as minus infinity, and softmax over the channels, where the second block has four of them.
//!
//! `cargo run --release --example pooling_softmax`

#[allow(dead_code, reason = "each example uses a part")]
mod kernels;

use kernels::pooling::{self, Extents};
use kernels::{input, race};
use std::error::Error;
use tensor_layout::kernels::Cpu;
use tensor_layout::*;

type Act = layout!("nChw16c");

/// Four neighbouring outputs at a time, which see nine columns. The padded channels are zeros before and after.
#[inline(always)]
fn max_pool(
    src: TensorView<'_, f32, Act>,
    mut dst: TensorViewMut<'_, f32, Act>,
) -> Result<(), Box<dyn Error>> {
    let window = Window::new(3).stride(2).padding(1, 1);
    let (strips, mut halo) = (src.strips::<'w'>(window, f32::NEG_INFINITY)?, Aligned([[0.0; 16]; 9]));
    for ([n, c, y, _], row) in dst.block_rows_mut::<'w'>()? {
        for (strip, outputs) in row.chunks_mut(4).enumerate() {
            let mut greatest = [[f32::NEG_INFINITY; 16]; 4];
            for (_, sy) in window.taps(src.dims()[2], y) {
                let columns = strips.at([n, c, sy, 4 * strip], &mut halo)?;
                for kx in 0..3 {
                    unroll!(4, |p| greatest[p] = pooling::greater(&columns[2 * p + kx], greatest[p]));
                }
            }
            unroll!(4, |p| outputs.get_mut(p).map_or((), |output| *output = greatest[p]));
        }
    }
    Ok(())
}

/// Each pixel's channels become shares of 1. Zeros in the padding would count as channels: exp(0) is 1.
#[inline(always)]
fn softmax(cpu: impl Isa, mut x: TensorViewMut<'_, f32, Act>) -> Result<(), Box<dyn Error>> {
    let [.., width] = x.dims();
    for mut image in x.chunks_mut::<'n'>(1)? {
        for y in 0..image.dims()[2] {
            let (mut most, mut sum) = (vec![f32::NEG_INFINITY; width], vec![0.0; width]);
            let mut row = image.slice_mut::<'h'>(y..y + 1)?;
            row.valid_blocks().for_each(|(valid, block)| {
                let most = &mut most[valid.start()[3]];
                *most = pooling::greatest(block, valid.len()).max(*most);
            });
            row.valid_blocks_mut().for_each(|(valid, block)| {
                let pixel = valid.start()[3];
                sum[pixel] += pooling::shares(cpu, block, valid.len(), most[pixel]);
            });
            row.valid_blocks_mut().for_each(|(valid, block)| {
                *block = std::array::from_fn(|k| block[k] / sum[valid.start()[3]]);
            });
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let extents @ Extents { c, h, w } = Extents { c: 20, h: 112, w: 112 };
    let [ph, pw] = [h, w].map(|extent| extent / 2);
    let image: Vec<f32> = input::features(c, h, w).iter().map(|x| 4.0 * x - 5.0).collect(); // < 0
    let src = Tensor::<f32, Nchw>::from_slice([1, c, h, w], &image)?.to_layout::<Act>();
    let mut typed = Tensor::<f32, Act>::zeroed([1, c, ph, pw])?;
    let (mut raw, mut naive) = (typed.clone(), vec![0.0; c * ph * pw]);
    println!("{}, one core", Cpu::current());
    for pass in race::PASSES {
        race::Race::new("max-pooling 3 x 3, stride 2, 20 x 112 x 112", (c * ph * pw) as f64, "G outputs/s")
            .add("typed views", || dispatch!(max_pool(src.view(), typed.view_mut())).expect("fits"))
            .add("raw pointers", || pooling::pool_raw(src.as_slice(), raw.as_mut_slice(), extents))
            .add("plain loops on NCHW", || pooling::pool_naive(&image, &mut naive, extents))
            .run(pass, None);
        for found in [&typed, &raw] {
            assert_eq!(found.to_layout::<Nchw>().as_slice(), naive, "it differs from plain loops");
        }
    }
    let (pooled, plain) = (typed.clone(), naive.clone());
    for pass in race::PASSES {
        race::Race::new("softmax over 20 channels, 56 x 56", (c * ph * pw) as f64, "G outputs/s")
            .add("typed views", || {
                typed.as_mut_slice().copy_from_slice(pooled.as_slice());
                dispatch!(|cpu| softmax(cpu, typed.view_mut())).expect("extents agree")
            })
            .add("raw pointers", || pooling::softmax_raw(pooled.as_slice(), raw.as_mut_slice(), extents))
            .add("plain loops on NCHW", || pooling::softmax_naive(&plain, &mut naive, extents))
            .run(pass, None);
        race::assert_close("softmax", typed.to_layout::<Nchw>().as_slice(), &naive, 1e-6);
        race::assert_close("raw pointers", raw.as_slice(), typed.as_slice(), 1e-6);
        assert!(typed.padding_is_zero(), "softmax wrote to the padding");
    }
    println!("all agree; the padding is zero");
    Ok(())
}
