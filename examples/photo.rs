//! A photograph through two convolutions on blocked layouts, with the layouts as types: u8 `nhwc` -> f32 `nChw16c`,
//! normalised -> 16 features -> 3 colours -> u8 `nhwc`, written as PNG. Each step is timed beside the same work in plain
//! loops over NCHW slices, and both must give the same picture.
//!
//! `cargo run --release --example photo [OUTPUT.png]`

mod common;

use common::filters::{FEATURES, MEAN, SCALE};
use common::{Step, assert_same, filters, naive, picture, print_steps, timed, try_timed};
use std::error::Error;
use std::path::{Path, PathBuf};
use tensor_layout::{
    Attributes, Nhwc, Oihw, Tensor, TensorView, TensorViewMut, Values, ViewError, layout, reorder,
    reorder_with,
};

/// Activations: a pixel's channels in blocks of 16, which are vectors.
type Act = layout!("nChw16c");
/// Weights to go with them: for each of 16 input channels, 16 output channels side by side.
type Weights = layout!("OIhw16i16o");

/// A direct convolution with an odd window and zeros around the picture.
fn convolve(
    src: TensorView<'_, f32, Act>,
    weights: TensorView<'_, f32, Weights>,
    mut dst: TensorViewMut<'_, f32, Act>,
) -> Result<(), ViewError> {
    let [_, channels, ..] = src.dims();
    let [outputs, _, window_h, window_w] = weights.dims();
    for ([n, o, y, x], block) in dst.indexed_blocks_mut() {
        let mut sums = [0.0; 16];
        for ([_, c, ky, kx], taps) in weights.slice::<'o'>(o..outputs.min(o + 16))?.indexed_blocks() {
            // Above and left of the picture the index wraps around, and is outside like one below or to the right.
            let (sy, sx) = ((y + ky).wrapping_sub(window_h / 2), (x + kx).wrapping_sub(window_w / 2));
            let Ok(from) = src.offset([n, c, sy, sx]) else { continue };
            for (value, taps) in src.blocks()[from / 16].iter().zip(taps).take(channels - c) {
                for (sum, tap) in sums.iter_mut().zip(taps) {
                    *sum += value * tap;
                }
            }
        }
        *block = sums;
    }
    Ok(())
}

/// Cuts off what is negative.
fn relu(mut x: TensorViewMut<'_, f32, Act>) {
    for block in x.blocks_mut() {
        for value in block {
            *value = value.max(0.0);
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let output = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("target/photo.png"), PathBuf::from);
    let photo = picture::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/data/cat.png"))?;
    let (h, w) = (photo.height, photo.width);

    let image: Tensor<u8, Nhwc> = Tensor::from_slice([1, 3, h, w], &photo.pixels)?;
    let normalised =
        Attributes::new().src_shift(Values::per_axis('c', &MEAN)).src_scale(Values::per_axis('c', &SCALE));
    let to_features: Tensor<f32, Oihw> = Tensor::from_slice([FEATURES, 3, 3, 3], &filters::features())?;
    let to_colors: Tensor<f32, Oihw> = Tensor::from_slice([3, FEATURES, 1, 1], &filters::picture())?;
    let (to_features, to_colors) = (to_features.to_layout::<Weights>(), to_colors.to_layout::<Weights>());

    let mut act: Tensor<f32, Act> = Tensor::zeroed([1, 3, h, w])?;
    let mut features: Tensor<f32, Act> = Tensor::zeroed([1, FEATURES, h, w])?;
    let mut colors: Tensor<f32, Act> = Tensor::zeroed([1, 3, h, w])?;
    let mut result: Tensor<u8, Nhwc> = Tensor::zeroed([1, 3, h, w])?;

    // Converts the type, normalises, and fills the padding with zeros, in one pass.
    let load_time = try_timed(|| reorder_with(image.view(), act.view_mut(), &normalised))?;
    let features_time = try_timed(|| convolve(act.view(), to_features.view(), features.view_mut()))?;
    let relu_time = timed(|| relu(features.view_mut()));
    let colors_time = try_timed(|| convolve(features.view(), to_colors.view(), colors.view_mut()))?;
    let store_time = try_timed(|| reorder(colors.view(), result.view_mut()))?; // rounds and saturates

    let plain = naive::run(&photo);
    assert_same(colors.iter().copied(), &plain.colors, result.as_slice(), &plain.bytes)?;
    picture::write(&output, w, h, result.as_slice())?;
    print_steps(&[
        Step { name: "u8 nhwc -> f32 nChw16c, normalised", here: load_time, naive: plain.times[0] },
        Step { name: "convolution 3 -> 16, 3 x 3", here: features_time, naive: plain.times[1] },
        Step { name: "relu", here: relu_time, naive: plain.times[2] },
        Step { name: "convolution 16 -> 3, 1 x 1", here: colors_time, naive: plain.times[3] },
        Step { name: "f32 nChw16c -> u8 nhwc", here: store_time, naive: plain.times[4] },
    ]);
    println!("both pictures agree; wrote {}", output.display());
    Ok(())
}
