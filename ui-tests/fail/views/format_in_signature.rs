use tensor_layout::{TensorView, layout};

fn kernel(v: TensorView<'_, f32, layout!("nChw16")>) -> f32 {
    v[[0, 0, 0, 0]] + v.blocks().len() as f32
}

fn main() {
    println!("{}", kernel(TensorView::from_slice([1, 16, 1, 1], &[0.0; 16]).unwrap()));
}
