use tensor_layout::{Nchw, Tensor, layout};

fn main() {
    let t: Tensor<f32, Nchw> = Tensor::zeroed([1, 3, 4, 4]).unwrap();
    println!("{:?}", t.relabel::<layout!("acdb")>());
}
