use tensor_layout::{Nchw, Tensor};

fn main() {
    let t: Tensor<f32, Nchw> = Tensor::zeroed([1, 3, 4, 4]).unwrap();
    println!("{:?}", t.select::<'d'>(0));
}
