use tensor_layout::{Nchw16c, TensorView};

fn depth(x: TensorView<'_, f32, Nchw16c>) -> usize {
    x.extent::<'d'>()
}

fn main() {}
