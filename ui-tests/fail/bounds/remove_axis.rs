use tensor_layout::{RemoveAxis, layout};

fn kernel<L: RemoveAxis<'d'>>() {}

fn main() {
    kernel::<layout!("nchw")>();
}
