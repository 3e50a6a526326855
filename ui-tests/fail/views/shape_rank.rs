use tensor_layout::{Nchw, Tensor};

fn main() {
    let t: Tensor<f32, Nchw> = Tensor::zeroed([3, 224, 224]).unwrap();
    println!("{t:?}");
}
