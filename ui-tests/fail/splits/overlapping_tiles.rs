use tensor_layout::{Nchw, Tensor};

fn main() {
    let mut t: Tensor<f32, Nchw> = Tensor::zeroed([1, 3, 4, 4]).unwrap();
    let mut tiles = t.tiles_mut([1, 1, 2, 2]).unwrap();
    let mut shifted = t.tiles_mut([1, 1, 3, 3]).unwrap();
    println!("{:?} {:?}", tiles.next(), shifted.next());
}
