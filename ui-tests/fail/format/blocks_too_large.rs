use tensor_layout::{Layout, layout};

type Act = layout!("nChw4000000000c4000000000c");

fn main() {
    let _ = Act::offset([1, 16, 4, 4], [0, 0, 0, 0]);
}
