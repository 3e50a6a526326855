use tensor_layout::{Nchw, Nhwc, Tensor};

fn main() {
    let b_nhwc: Tensor<f32, Nhwc> = Tensor::zeroed([1, 3, 4, 4]).unwrap();
    let a: Tensor<f32, Nchw> = b_nhwc;
    println!("{a:?}");
}
