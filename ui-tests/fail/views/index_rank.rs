use tensor_layout::{TensorView, layout};

fn at(v: TensorView<'_, f32, layout!("nChw16c")>) -> f32 {
    v[[1, 2, 3]]
}

fn main() {
    at(TensorView::from_slice([0; 4], &[]).unwrap());
}
