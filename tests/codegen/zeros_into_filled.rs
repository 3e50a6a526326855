use tensor_layout::padding::Lowest;
use tensor_layout::{Filled, Nchw8c, Tensor};

fn main() {
    let mut x: Tensor<f32, Filled<Nchw8c, Lowest>> =
        Tensor::<f32, Nchw8c>::zeroed([1, 3, 1, 2]).unwrap().into_filled();
    x.zero_padding();
}
