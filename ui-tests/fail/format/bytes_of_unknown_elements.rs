use tensor_layout::{Layout, layout};

type Act = layout!("nchw^64B");

fn main() {
    let _ = Act::offset([1, 16, 4, 4], [0, 0, 0, 0]);
}
