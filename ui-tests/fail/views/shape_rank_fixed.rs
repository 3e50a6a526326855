use tensor_layout::{Nchw, TensorView, fixed};

fn main() {
    let v = TensorView::<f32, Nchw, _>::from_slice((fixed::<3>(), 224usize, 224usize), &[]).unwrap();
    drop(v);
}
