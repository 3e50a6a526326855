//! https://github.com/bytecodealliance/wasmtime/issues/10867: a file of pixels, 224 x 224 x 3, fed to a model that expects
//! 3 x 224 x 224: as many bytes, and the wrong class.
use tensor_layout::{TensorView, layout};

type Pixels = layout!("chw => hwc");
type Planes = layout!("chw => chw");

fn classify(_: TensorView<'_, f32, Planes>) {}

fn run(file: &[f32]) {
    let image = TensorView::<f32, Pixels>::from_slice([3, 224, 224], file).unwrap();
    classify(image);
}

fn main() {}
