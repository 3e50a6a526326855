use tensor_layout::{Nchw, TensorView};

fn clear(v: TensorView<'_, f32, Nchw>) {
    v[[0, 0, 0, 0]] = 0.0;
}

fn main() {
    clear(TensorView::from_slice([1, 1, 1, 1], &[1.0]).unwrap());
}
