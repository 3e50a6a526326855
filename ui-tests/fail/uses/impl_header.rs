use tensor_layout::{Layout, layout};

struct Kernel<L: Layout>(L);

impl Kernel<layout!("nchw16c")> {
    fn run(&self) -> usize {
        0
    }
}

impl Kernel<layout!("nhwc")> {
    fn run(&self) -> usize {
        1
    }
}

fn main() {
    println!("{}", Kernel(layout!("nhwc")).run());
}
