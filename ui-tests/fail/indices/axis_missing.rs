use tensor_layout::axis::{c, h, w};
use tensor_layout::{Nchw16c, TensorView};

fn pixel(x: TensorView<'_, f32, Nchw16c>) -> f32 {
    *x.at((c(0), h(1), w(2)))
}

fn main() {}
