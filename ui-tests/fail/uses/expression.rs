use tensor_layout::{Layout, layout};

fn rank<L: Layout>(_: L) -> usize {
    L::RANK
}

fn main() {
    let layout = layout!("nchw16c");
    println!("{} {layout}", rank(layout));
}
