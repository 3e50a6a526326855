use tensor_layout::{Nchw, Tensor};

fn main() {
    let mut t: Tensor<f32, Nchw> = Tensor::zeroed([1, 3, 4, 4]).unwrap();
    let tile = t.tiles_mut([1, 1, 2, 2]).unwrap().next();
    t[[0, 0, 0, 0]] = 1.0;
    println!("{tile:?}");
}
