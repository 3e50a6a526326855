use tensor_layout::axis::{c, n};
use tensor_layout::{At, Nchw16c, TensorView};

fn pixel(x: TensorView<'_, f32, Nchw16c>, y: At<'h'>, z: At<'w'>) -> f32 {
    *x.at((n(0), c(0), y, z))
}

fn corner(x: TensorView<'_, f32, Nchw16c>) -> f32 {
    let (h, w) = (At::<'h'>(0), At::<'w'>(x.extent::<'w'>() - 1));
    pixel(x, w, h)
}

fn main() {}
