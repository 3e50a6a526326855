use tensor_layout::{ChannelsLast, layout};

fn kernel<L: ChannelsLast>() {}

fn main() {
    kernel::<layout!("nchw")>();
}
