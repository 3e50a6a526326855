use tensor_layout::{Nchw, Nhwc, Tensor, reorder};

fn main() {
    let image: Tensor<u8, Nhwc> = Tensor::zeroed([1, 3, 4, 4]).unwrap();
    let planes: Tensor<f32, Nchw> = Tensor::zeroed([1, 3, 4, 4]).unwrap();
    reorder(&image, planes.view()).unwrap();
}
