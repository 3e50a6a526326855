use tensor_layout::{Fixed, Nchw, Tensor, TensorView};

fn rgb(_: TensorView<'_, f32, Nchw, (usize, Fixed<3>, usize, usize)>) {}

fn main() {
    let t: Tensor<f32, Nchw> = Tensor::zeroed([1, 3, 4, 4]).unwrap();
    rgb(t.view());
}
