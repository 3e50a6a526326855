use tensor_layout::{Nchw, Oihw, Tensor};

fn main() {
    let weights: Tensor<f32, Oihw> = Tensor::zeroed([1, 3, 4, 4]).unwrap();
    let act: Tensor<f32, Nchw> = weights.to_layout();
    println!("{act:?}");
}
