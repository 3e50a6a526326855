use tensor_layout::{Nchw, Nhwc, Tensor};

fn main() {
    let depth: Tensor<u16, Nhwc> = Tensor::zeroed([1, 1, 4, 4]).unwrap();
    let planes: Tensor<u16, Nchw> = depth.to_layout();
    println!("{planes:?}");
}
