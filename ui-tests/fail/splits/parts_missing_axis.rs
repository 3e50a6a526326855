use tensor_layout::{Nchw, Tensor};

fn main() {
    let mut t: Tensor<f32, Nchw> = Tensor::zeroed([1, 3, 4, 4]).unwrap();
    println!("{:?}", t.parts_mut::<'z'>(2));
}
