use tensor_layout::layout;

fn kernel(_: layout!("nChw16c")) {}

fn main() {
    kernel(layout!("nhwc"));
}
