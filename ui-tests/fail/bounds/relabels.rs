use tensor_layout::{Relabels, layout};

fn kernel<L: Relabels<layout!("abcd")>>() {}

fn main() {
    kernel::<layout!("nhwc")>();
}
