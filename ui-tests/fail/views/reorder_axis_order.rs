use tensor_layout::{Nchw, Tensor, layout, reorder};

fn main() {
    let image: Tensor<u8, layout!("nhwc => nhwc")> = Tensor::zeroed([1, 4, 4, 3]).unwrap();
    let mut act: Tensor<f32, Nchw> = Tensor::zeroed([1, 3, 4, 4]).unwrap();
    reorder(&image, &mut act).unwrap();
}
