//! An image through ONNX Runtime: u8 `nhwc` -> f32 `nchw` without a detour, in as an array view and out as one, without a
//! copy on either side; then on in the blocked layout of a kernel of our own. The model, a convolution, is made here, so that
//! nothing is fetched but ONNX Runtime's library: it is loaded from the path in `ORT_DYLIB_PATH` (the Python package
//! `onnxruntime` holds one under `capi/`), and its result is compared with plain loops.
//!
//! `ORT_DYLIB_PATH=…/libonnxruntime.so cargo run --features ort --example ort`

use image::{Rgb, RgbImage};
use ort::editor::{Graph, Model, Node, ONNX_DOMAIN, Opset};
use ort::memory::Allocator;
use ort::operator::Attribute;
use ort::session::Session;
use ort::session::builder::SessionBuilder;
use ort::value::{Outlet, Shape, SymbolicDimensions, TensorElementType, TensorRef, ValueType};
use std::error::Error;
use std::process::ExitCode;
use tensor_layout::{Nchw, Nchw16c, Oihw, Tensor, TensorView};

const OUTPUTS: usize = 20;

fn outlet(name: &str, dims: [i64; 4]) -> Outlet {
    let shape = ValueType::Tensor {
        ty: TensorElementType::Float32,
        shape: Shape::new(dims),
        dimension_symbols: SymbolicDimensions::empty(4),
    };
    Outlet::new(name, shape)
}

/// A convolution of 3 x 3 with `weights`, zeros around the image.
fn model(image: [usize; 4], weights: TensorView<'_, f32, Oihw>) -> ort::Result<Session> {
    let [n, c, h, w] = image.map(|extent| extent as i64);
    let mut graph = Graph::new()?;
    graph.set_inputs([outlet("image", [n, c, h, w])])?;
    graph.set_outputs([outlet("features", [n, OUTPUTS as i64, h, w])])?;
    let mut theirs = ort::value::Tensor::<f32>::new(&Allocator::default(), weights.dims())?;
    theirs.extract_tensor_mut().1.copy_from_slice(weights.as_slice());
    graph.add_initializer("weights", theirs, false)?;
    let pads = [Attribute::new("pads", vec![1i64; 4])?];
    graph.add_node(Node::new("Conv", ONNX_DOMAIN, "conv", ["image", "weights"], ["features"], pads)?)?;
    let mut model = Model::new([Opset::new(ONNX_DOMAIN, 20)?])?;
    model.add_graph(graph)?;
    model.into_session(&SessionBuilder::new()?)
}

/// The same by plain loops, at one place.
fn convolved(image: &RgbImage, weights: TensorView<'_, f32, Oihw>, o: usize, y: usize, x: usize) -> f32 {
    let mut sum = 0.0;
    for (dy, dx) in (0..9).map(|at| (at / 3, at % 3)) {
        let (sy, sx) = ((y + dy).wrapping_sub(1) as u32, (x + dx).wrapping_sub(1) as u32);
        if let Some(pixel) = image.get_pixel_checked(sx, sy) {
            sum += (0..3).map(|c| f32::from(pixel[c]) * weights[[o, c, dy, dx]]).sum::<f32>();
        }
    }
    sum
}

fn run() -> Result<(), Box<dyn Error>> {
    let picture = RgbImage::from_fn(40, 30, |x, y| Rgb([(6 * x) as u8, (8 * y) as u8, (3 * (x + y)) as u8]));
    let weights = Tensor::<f32, Oihw>::from_fn([OUTPUTS, 3, 3, 3], |[o, i, h, w]| {
        ((7 * o + 5 * i + 3 * h + w) % 11) as f32 / 10.0 - 0.5
    })?;
    let image = Tensor::<f32, Nchw>::from_image(&picture)?;
    let mut session = model(image.dims(), weights.view())?;
    // In: the array view is ours, and ONNX Runtime reads its memory.
    let outputs = session.run(ort::inputs![TensorRef::from_array_view(image.as_ndarray())?])?;
    // Out: the array view is theirs, and ours reads its memory.
    let array = outputs["features"].try_extract_array::<f32>()?;
    let features: TensorView<'_, f32, Nchw> = TensorView::from_ndarray(array.view())?;
    for [_, o, y, x] in features.indices() {
        let (found, expected) = (features[[0, o, y, x]], convolved(&picture, weights.view(), o, y, x));
        if (found - expected).abs() > 1e-3 * expected.abs().max(1.0) {
            return Err(format!("output {o} at {x}, {y} is {found}, by plain loops {expected}").into());
        }
    }
    let blocked: Tensor<f32, Nchw16c> = features.to_layout();
    println!(
        "{:?} -> {:?} by ONNX Runtime, as by plain loops; {} blocks of 16 channels for kernels of our own",
        image.dims(),
        features.dims(),
        blocked.blocks().len()
    );
    Ok(())
}

fn main() -> ExitCode {
    let Some(library) = std::env::var_os("ORT_DYLIB_PATH") else {
        eprintln!(
            "ORT_DYLIB_PATH names no library of ONNX Runtime; the Python package `onnxruntime` holds one"
        );
        return ExitCode::from(2);
    };
    let loaded = ort::init_from(library).map(|environment| environment.commit()).map_err(Into::into);
    match loaded.and_then(|_| run()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
