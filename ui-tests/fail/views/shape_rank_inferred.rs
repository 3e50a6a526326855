use tensor_layout::{Nchw, TensorView};

fn main() {
    let v = TensorView::<f32, Nchw, _>::from_slice([3, 224, 224], &[]).unwrap();
    drop(v);
}
