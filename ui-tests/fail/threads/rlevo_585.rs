//! https://github.com/anthonytorlucci/rlevo/issues/585: frames of 96 x 96 x 3 from an environment, for a convolution that
//! takes channels first and would have treated them as columns. Nothing but a comment says so there.
use tensor_layout::{ChannelsFirst, Fixed, Layout, Nhwc, Tensor, TensorView};

type Observation = Tensor<f32, Nhwc, (Fixed<1>, Fixed<3>, Fixed<96>, Fixed<96>)>;

fn conv2d<L: Layout + ChannelsFirst, S>(_: TensorView<'_, f32, L, S>) {}

fn step(observation: &Observation) {
    conv2d(observation.view());
}

fn main() {}
