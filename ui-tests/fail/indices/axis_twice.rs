use tensor_layout::axis::{c, h, n};
use tensor_layout::{Nchw16c, TensorView};

fn pixel(x: TensorView<'_, f32, Nchw16c>) -> f32 {
    *x.at((n(0), c(0), h(1), h(2)))
}

fn main() {}
