use tensor_layout::{Layout, layout};

fn main() {
    let _ = <layout!("nChw16c")>::offset([1, 16, 4, 4], [0, 0, 0]);
}
