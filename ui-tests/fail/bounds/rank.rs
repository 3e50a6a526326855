use tensor_layout::{Rank, layout};

fn kernel<L: Rank<4>>() {}

fn main() {
    kernel::<layout!("ncdhw")>();
}
