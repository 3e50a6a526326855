use tensor_layout::{Nchw, Nhwc, Tensor, reorder};

fn main() {
    let image: Tensor<u8, Nhwc> = Tensor::zeroed([1, 3, 4, 4]).unwrap();
    let mut planes: Tensor<u16, Nchw> = Tensor::zeroed([1, 3, 4, 4]).unwrap();
    reorder(&image, &mut planes).unwrap();
}
