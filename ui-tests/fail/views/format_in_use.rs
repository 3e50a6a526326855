use tensor_layout::{Nchw, Tensor, TensorView, layout};

fn main() {
    let v = TensorView::<f32, layout!("nchw8c")>::from_slice([1, 8, 1, 1], &[0.0; 8]).unwrap();
    let sum: f32 = v.blocks().iter().flatten().sum();
    let plain: Tensor<f32, Nchw> = v.to_layout();
    println!("{} {}", sum + v[[0, 1, 0, 0]], plain[[0, 1, 0, 0]]);
}
