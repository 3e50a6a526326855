use tensor_layout::{Fixed, Nchw, TensorView, fixed};

fn rgb(_: TensorView<'_, f32, Nchw, (usize, Fixed<3>, usize, usize)>) {}

fn main() {
    let memory = [0.0; 64];
    rgb(TensorView::from_slice((1, fixed::<4>(), 4, 4), &memory).unwrap());
}
