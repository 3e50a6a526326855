use tensor_layout::{Nchw, Tensor, TensorView};

fn kernel(_: TensorView<'_, f32, Nchw>) {}

fn main() {
    let t: Tensor<f32, Nchw> = Tensor::zeroed([1, 3, 4, 4]).unwrap();
    kernel(t.slice::<'h'>(1..3).unwrap());
}
