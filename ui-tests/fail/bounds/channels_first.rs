use tensor_layout::{ChannelsFirst, layout};

fn kernel<L: ChannelsFirst>() {}

fn main() {
    kernel::<layout!("nhwc")>();
}
