use tensor_layout::{Tensor, TensorViewMut, layout};

fn relu(mut x: TensorViewMut<'_, f32, layout!("nChw16c")>) {
    x.map_in_place(|x| x.max(0.0));
}

fn main() {
    let mut t: Tensor<f32, layout!("nChw8c")> = Tensor::zeroed([1, 32, 4, 4]).unwrap();
    relu(t.view_mut());
}
