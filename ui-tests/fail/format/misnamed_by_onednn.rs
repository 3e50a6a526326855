use tensor_layout::{Layout, layout};

type Act = layout!("gIOhw2i8o16i2o");

fn main() {
    let _ = Act::offset([1, 16, 4, 4], [0, 0, 0, 0]);
}
