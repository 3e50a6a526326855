use tensor_layout::{Nchw, Tensor, reorder};

fn main() {
    let pixels = vec![0u8; 48];
    let mut planes: Tensor<f32, Nchw> = Tensor::zeroed([1, 3, 4, 4]).unwrap();
    reorder(&pixels, &mut planes).unwrap();
}
