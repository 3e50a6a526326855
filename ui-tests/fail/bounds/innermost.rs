use tensor_layout::{Innermost, layout};

fn kernel<L: Innermost<'w'>>() {}

fn main() {
    kernel::<layout!("nhwc")>();
}
