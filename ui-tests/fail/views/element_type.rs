use tensor_layout::{Nhwc, Tensor, TensorView};

fn kernel(_: TensorView<'_, f32, Nhwc>) {}

fn main() {
    let pixels: Tensor<u8, Nhwc> = Tensor::zeroed([1, 3, 4, 4]).unwrap();
    kernel(pixels.view());
}
