//! https://github.com/tracel-ai/cubek/issues/682: extents in the order N, C, H, W given to a kernel that reads them as N, H,
//! W, C, which then read and wrote past its tensors. Here extents are in logical order whatever the order in memory, and an
//! extent that has a name cannot be taken for another.
use tensor_layout::{Nchw, Nhwc, TensorView, TensorViewMut};

fn conv2d(_: TensorView<'_, f32, Nhwc>, _: TensorViewMut<'_, f32, Nhwc>) {}

fn benchmark(input: TensorView<'_, f32, Nhwc>, output: TensorViewMut<'_, f32, Nchw>) {
    conv2d(input, output);
}

fn main() {}
