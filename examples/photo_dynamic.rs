//! The job of the `photo` example with the layout of the activations chosen at run time: descriptors, reorders, and one
//! kernel that works on any layout, because an offset is a sum of one term an axis.
//!
//! `cargo run --release --example photo_dynamic -- [--layout nChw8c] [--output FILE.png]`

mod common;

use common::filters::{FEATURES, MEAN, SCALE};
use common::{Step, assert_same, filters, naive, picture, print_steps, try_timed};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tensor_layout::{
    Attributes, DType, Descriptor, DescriptorError, IndexError, Reorder, Tensor, TensorView, TensorViewMut,
    Values, Vector, ViewError,
};

/// Memory that nothing is known of but its size; aligned for every element type.
type Bytes = Tensor<u8, Vector>;

fn memory(descriptor: &Descriptor) -> Result<Bytes, ViewError> {
    Tensor::zeroed([descriptor.size_bytes()])
}

/// The elements of a dense f32 tensor in physical order, whatever its layout.
fn floats(bytes: &Bytes) -> Result<&[f32], Box<dyn Error>> {
    let all = Descriptor::new(DType::F32, &[bytes.len() / size_of::<f32>()], "a")?;
    Ok(TensorView::<f32, Vector>::from_descriptor(&all, bytes.as_slice())?.as_slice())
}

fn floats_mut(bytes: &mut Bytes) -> Result<TensorViewMut<'_, f32, Vector>, Box<dyn Error>> {
    let all = Descriptor::new(DType::F32, &[bytes.len() / size_of::<f32>()], "a")?;
    Ok(TensorViewMut::from_descriptor(&all, bytes.as_mut_slice())?)
}

/// Where the elements of a picture are: that of `[0, c, y, x]` at `c[c] + y[y] + x[x]`. Each digit of a layout belongs to
/// one axis, so this holds for every layout.
struct Places {
    c: Vec<usize>,
    y: Vec<usize>,
    x: Vec<usize>,
}

impl Places {
    fn of(descriptor: &Descriptor) -> Result<Places, IndexError> {
        let along = |axis: usize| -> Result<Vec<usize>, IndexError> {
            let mut index = [0; 4];
            (0..descriptor.dims()[axis])
                .map(|at| {
                    index[axis] = at;
                    descriptor.offset(&index)
                })
                .collect()
        };
        Ok(Places { c: along(1)?, y: along(2)?, x: along(3)? })
    }
}

/// A direct convolution with an odd `window` x `window` and zeros around the picture. The weights are `hwio`: the inner
/// loop runs over the output channels, which they hold side by side.
fn convolve(
    src: (&Places, &[f32]),
    weights: &[f32],
    window: usize,
    dst: (&Places, TensorViewMut<'_, f32, Vector>),
) {
    let ((from, src), (to, mut dst)) = (src, dst);
    let dst = dst.as_mut_slice();
    let outputs = to.c.len();
    let mut sums = vec![0.0; outputs];
    for (y, to_y) in to.y.iter().enumerate() {
        for (x, to_x) in to.x.iter().enumerate() {
            sums.fill(0.0);
            let mut taps = weights.chunks_exact(outputs);
            for (ky, kx) in (0..window).flat_map(|ky| (0..window).map(move |kx| (ky, kx))) {
                // Above and left of the picture the index wraps around, and is outside like one below or to the right.
                let row = from.y.get((y + ky).wrapping_sub(window / 2));
                let column = from.x.get((x + kx).wrapping_sub(window / 2));
                for (c, taps) in from.c.iter().zip(&mut taps) {
                    let (Some(row), Some(column)) = (row, column) else { continue };
                    let value = src[c + row + column];
                    for (sum, tap) in sums.iter_mut().zip(taps) {
                        *sum += value * tap;
                    }
                }
            }
            for (c, sum) in to.c.iter().zip(&sums) {
                dst[c + to_y + to_x] = *sum;
            }
        }
    }
}

/// The whole job with activations in `layout`.
fn run(layout: &str, output: &Path) -> Result<(), Box<dyn Error>> {
    let photo = picture::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/data/cat.png"))?;
    let (h, w) = (photo.height, photo.width);

    let image = Descriptor::new(DType::U8, &[1, 3, h, w], "nhwc")?;
    let colors = Descriptor::new(DType::F32, &[1, 3, h, w], layout)?;
    let features = Descriptor::new(DType::F32, &[1, FEATURES, h, w], layout)?;
    let plain = Descriptor::new(DType::F32, &[1, 3, h, w], "nchw")?;
    let normalised =
        Attributes::new().src_shift(Values::per_axis('c', &MEAN)).src_scale(Values::per_axis('c', &SCALE));
    let load = Reorder::with_attributes(&image, &colors, &normalised)?;
    let store = Reorder::new(&colors, &image)?;
    println!("activations: {colors}\nloaded by: {load}\nstored by: {store}\n");

    let (at_colors, at_features) = (Places::of(&colors)?, Places::of(&features)?);
    let to_features = weights(&filters::features(), [FEATURES, 3, 3, 3])?;
    let to_colors = weights(&filters::picture(), [3, FEATURES, 1, 1])?;
    let (mut input, mut between, mut last) = (memory(&colors)?, memory(&features)?, memory(&colors)?);
    let mut result = memory(&image)?;

    // Converts the type, normalises, and fills the padding with zeros, in one pass.
    let load_time = try_timed(|| load.run_with(&photo.pixels, input.as_mut_slice(), &normalised))?;
    let features_time = try_timed(|| {
        let to = (&at_features, floats_mut(&mut between)?);
        convolve((&at_colors, floats(&input)?), floats(&to_features)?, 3, to);
        Ok::<_, Box<dyn Error>>(())
    })?;
    let relu_time = try_timed(|| {
        floats_mut(&mut between)?.as_mut_slice().iter_mut().for_each(|value| *value = value.max(0.0));
        Ok::<_, Box<dyn Error>>(())
    })?;
    let colors_time = try_timed(|| {
        let to = (&at_colors, floats_mut(&mut last)?);
        convolve((&at_features, floats(&between)?), floats(&to_colors)?, 1, to);
        Ok::<_, Box<dyn Error>>(())
    })?;
    let store_time = try_timed(|| store.run(last.as_slice(), result.as_mut_slice()))?; // rounds and saturates

    let naive = naive::run(&photo);
    let mut in_order = memory(&plain)?;
    Reorder::new(&colors, &plain)?.run(last.as_slice(), in_order.as_mut_slice())?;
    let found = floats(&in_order)?.iter().copied();
    assert_same(found, &naive.colors, result.as_slice(), &naive.bytes)?;
    picture::write(output, w, h, result.as_slice())?;
    print_steps(&[
        Step { name: "u8 nhwc -> f32, normalised", here: load_time, naive: naive.times[0] },
        Step { name: "convolution 3 -> 16, 3 x 3", here: features_time, naive: naive.times[1] },
        Step { name: "relu", here: relu_time, naive: naive.times[2] },
        Step { name: "convolution 16 -> 3, 1 x 1", here: colors_time, naive: naive.times[3] },
        Step { name: "f32 -> u8 nhwc", here: store_time, naive: naive.times[4] },
    ]);
    println!("both pictures agree; wrote {}", output.display());
    Ok(())
}

/// Weights in the order of [`convolve`], from the order of frameworks.
fn weights(values: &[f32], dims: [usize; 4]) -> Result<Bytes, Box<dyn Error>> {
    let from = Descriptor::new(DType::F32, &dims, "oihw")?;
    let to = Descriptor::new(DType::F32, &dims, "hwio")?;
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_ne_bytes()).collect();
    let mut out = memory(&to)?;
    Reorder::new(&from, &to)?.run(&bytes, out.as_mut_slice())?;
    Ok(out)
}

/// What the command line asks for, or what is wrong with it.
fn arguments() -> Result<(String, PathBuf), String> {
    let mut layout = "nChw8c".to_owned();
    let mut output = PathBuf::from("target/photo_dynamic.png");
    let mut given = std::env::args().skip(1);
    while let Some(option) = given.next() {
        let value = given.next().ok_or_else(|| format!("{option} needs a value"))?;
        match option.as_str() {
            "--layout" => layout = value,
            "--output" => output = value.into(),
            _ => return Err(format!("unknown option {option}; there are --layout FORMAT and --output FILE")),
        }
    }
    // A wrong layout is a wrong command line: find out before anything is read.
    match Descriptor::new(DType::F32, &[1, 3, 1, 1], &layout) {
        Err(DescriptorError::Format(error)) => Err(error.report(&layout).to_string()),
        Err(error) => Err(error.to_string()),
        Ok(activations) => match Descriptor::new(DType::F32, &[1, 3, 1, 1], "nchw") {
            Ok(picture) => match Reorder::new(&picture, &activations) {
                Ok(_) => Ok((layout, output)),
                Err(error) => Err(format!("{layout} is no layout of n, c, h, w: {error}")),
            },
            Err(error) => Err(error.to_string()),
        },
    }
}

fn main() -> ExitCode {
    let (layout, output) = match arguments() {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::from(2);
        }
    };
    match run(&layout, &output) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
