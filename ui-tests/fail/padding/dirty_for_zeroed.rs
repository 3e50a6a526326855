use tensor_layout::{BlockedBy, Dirty, Nchw16c, Rank, TensorView, ZeroPadding};

fn reduce_channels<L: Rank<4> + BlockedBy<'c', 16> + ZeroPadding>(_: TensorView<'_, f32, L>) {}

fn kernel(x: TensorView<'_, f32, Dirty<Nchw16c>>) {
    reduce_channels(x);
}

fn main() {}
