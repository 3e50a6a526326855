use tensor_layout::{Nchw, Tensor};

fn main() {
    let t: Tensor<f32, Nchw> = Tensor::zeroed([1, 2, 3, 4]).unwrap();
    println!("{:?}", t.get([0, 1, 2, 3, 0]));
}
