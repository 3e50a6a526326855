use tensor_layout::padding::Lowest;
use tensor_layout::{Filled, Nchw16c, Tensor, View, ZeroPadding};

fn total(_: impl View<Elem = f32, Layout: ZeroPadding>) {}

fn kernel(x: Tensor<f32, Filled<Nchw16c, Lowest>>) {
    total(&x);
}

fn main() {}
