use tensor_layout::{BlockedBy, layout};

fn kernel<L: BlockedBy<'c', 16>>() {}

fn main() {
    kernel::<layout!("nhwc")>();
}
