//! https://github.com/huggingface/candle/issues/3404: with as many channels as rows and columns, NCHW and NHWC have the same
//! strides, and a convolution that told them apart by strides was silently wrong.
use tensor_layout::{Nchw, Nhwc, Tensor, TensorView};

fn conv2d_of_pixels(_: TensorView<'_, f32, Nhwc>) {}

fn main() {
    let x = Tensor::<f32, Nchw>::zeroed([1, 64, 64, 64]).unwrap();
    conv2d_of_pixels(x.view());
}
