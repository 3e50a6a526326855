use tensor_layout::{Layout, layout};

const FORMAT: &str = "nchw";

type Act = layout!(FORMAT);

fn main() {
    let _ = FORMAT.len();
    let _ = Act::offset([1, 16, 4, 4], [0, 0, 0, 0]);
}
