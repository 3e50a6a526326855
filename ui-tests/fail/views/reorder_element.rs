use tensor_layout::{Nchw, Nhwc, Tensor, reorder};

fn main() {
    let depth: Tensor<u16, Nhwc> = Tensor::zeroed([1, 1, 4, 4]).unwrap();
    let mut planes: Tensor<f32, Nchw> = Tensor::zeroed([1, 1, 4, 4]).unwrap();
    reorder(&depth, &mut planes).unwrap();
}
