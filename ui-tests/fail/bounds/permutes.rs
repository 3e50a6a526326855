use tensor_layout::{Permutes, layout};

fn kernel<L: Permutes<layout!("nchw")>>() {}

fn main() {
    kernel::<layout!("nhwc")>();
}
