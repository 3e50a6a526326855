use tensor_layout::{BlockDivisibleBy, layout};

fn kernel<L: BlockDivisibleBy<'c', 8>>() {}

fn main() {
    kernel::<layout!("nChw12c")>();
}
