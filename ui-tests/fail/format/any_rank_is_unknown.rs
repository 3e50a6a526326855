use tensor_layout::{Layout, layout};

type Act = layout!("aB..16b");

fn main() {
    let _ = Act::offset([1, 16, 4, 4], [0, 0, 0, 0]);
}
