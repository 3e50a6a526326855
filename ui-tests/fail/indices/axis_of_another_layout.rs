use tensor_layout::axis::{h, i, o, w};
use tensor_layout::{Nchw16c, TensorView};

fn pixel(x: TensorView<'_, f32, Nchw16c>) -> f32 {
    *x.at((o(0), i(0), h(1), w(2)))
}

fn main() {}
