//! A photograph as an inference engine needs it: the middle of it, scaled to 224 x 224 (bilinear), normalised, and in
//! `nChw16c` for the first convolution; from u8 `nhwc` in one pass. Beside it raw pointers, and plain loops to NCHW.
//!
//! `cargo run --release --example preprocess`

#[allow(dead_code, reason = "each example uses a part")]
mod kernels;

use kernels::preprocess::{self, MEAN, SCALE, SIDE};
use kernels::{picture, race};
use std::error::Error;
use std::path::Path;
use tensor_layout::kernels::Cpu;
use tensor_layout::*;

/// Three colours side by side in each pixel: the bytes of `nhwc`, with a pixel as a block.
type Picture = layout!("nChw3c");
type Act = layout!("nChw16c");

/// A square part of a picture, scaled. Each output pixel is made of four.
#[inline(always)]
fn scale(
    cpu: impl Isa,
    square: StridedView<'_, u8, Picture>,
    mut dst: TensorViewMut<'_, f32, Act>,
) -> Result<(), Box<dyn Error>> {
    let samples = preprocess::samples(square.dims()[2]);
    let (pairs, mut halo) = (square.strips::<'w'>(Window::new(2), 0)?, [[0; 3]; 2]);
    for ([n, _, y, _], row) in dst.block_rows_mut::<'w'>()? {
        let (top, down) = samples[y];
        let rows = [(pairs.row([n, 0, top, 0])?, 1.0 - down), (pairs.row([n, 0, top + 1, 0])?, down)];
        for (block, &(left, right)) in row.iter_mut().zip(&samples) {
            let mut sums = [0.0; 16]; // channels that there are not stay 0
            for (row, share) in &rows {
                let [before, behind] = row.at(left, &mut halo)?;
                for (pixel, share) in [(before, share * (1.0 - right)), (behind, share * right)] {
                    for (sum, &value) in sums.iter_mut().zip(pixel) {
                        *sum = cpu.mul_add(share, f32::from(value), *sum);
                    }
                }
            }
            for (sum, (mean, scale)) in sums.iter_mut().zip(MEAN.iter().zip(&SCALE)) {
                *sum = (*sum - mean) * scale;
            }
            *block = sums;
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let photo = picture::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/data/cat.png"))?;
    let (h, w) = (photo.height, photo.width);
    let image = TensorView::<u8, Picture>::from_slice([1, 3, h, w], &photo.pixels)?;
    let side = h.min(w);
    let (top, left) = ((h - side) / 2, (w - side) / 2);
    let square = image.slice::<'h'>(top..top + side)?.slice::<'w'>(left..left + side)?; // nothing is copied
    let mut typed = Tensor::<f32, Act>::zeroed([1, 3, SIDE, SIDE])?;
    let (mut raw, mut naive) = (typed.clone(), vec![0.0; 3 * SIDE * SIDE]);

    println!("{}, one core; {w} x {h} pixels", Cpu::current());
    for pass in race::PASSES {
        race::Race::new("the middle, scaled to 224 x 224, normalised", (SIDE * SIDE) as f64, "G pixels/s")
            .add("typed views, to nChw16c", || {
                dispatch!(|cpu| scale(cpu, square, typed.view_mut())).expect("extents agree")
            })
            .add("raw pointers, to nChw16c", || {
                preprocess::scale_raw(&photo.pixels, [h, w], [top, left, side], raw.as_mut_slice())
            })
            .add("plain loops, to NCHW", || {
                preprocess::naive(&photo.pixels, w, [top, left, side], &mut naive)
            })
            .run(pass, None);
        race::assert_close("typed views", typed.to_layout::<Nchw>().as_slice(), &naive, 1e-5);
        race::assert_close("raw pointers", raw.to_layout::<Nchw>().as_slice(), &naive, 1e-5);
        assert!(typed.padding_is_zero());
    }
    println!("all agree; the 13 channels that there are not are zero");
    Ok(())
}
