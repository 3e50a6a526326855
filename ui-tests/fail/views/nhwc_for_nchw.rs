use tensor_layout::{Nchw, Nhwc, Tensor, TensorView};

fn planes(_: TensorView<'_, f32, Nchw>) {}

fn main() {
    let image: Tensor<f32, Nhwc> = Tensor::zeroed([1, 3, 4, 4]).unwrap();
    planes(image.view());
}
