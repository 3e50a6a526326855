use tensor_layout::{Nchw, TensorView, fixed};

fn main() {
    let v = TensorView::<f32, Nchw, _>::from_slice((1i32, fixed::<3>(), 4usize, 4usize), &[]).unwrap();
    drop(v);
}
