use tensor_layout::{Nchw, Nhwc, Tensor};

#[derive(Clone, Copy, Default)]
struct Gray(u8);

fn main() {
    let image: Tensor<u8, Nhwc> = Tensor::zeroed([1, 1, 4, 4]).unwrap();
    let gray: Tensor<Gray, Nchw> = image.convert();
    println!("{}", gray[[0; 4]].0);
}
