use tensor_layout::{Nchw, Oihw, Tensor, reorder};

fn main() {
    let weights: Tensor<f32, Oihw> = Tensor::zeroed([1, 3, 4, 4]).unwrap();
    let mut act: Tensor<f32, Nchw> = Tensor::zeroed([1, 3, 4, 4]).unwrap();
    reorder(&weights, &mut act).unwrap();
}
