use tensor_layout::{HasAxis, layout};

fn kernel<L: HasAxis<'d'>>() {}

fn main() {
    kernel::<layout!("nchw")>();
}
