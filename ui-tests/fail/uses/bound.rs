use tensor_layout::layout;

trait ConvertsTo<L> {
    fn convert(&self) -> L;
}

fn convert<T: ConvertsTo<layout!("nchw16c")>>(tensor: T) -> usize {
    let converted = tensor.convert();
    println!("{converted:?}");
    0
}

fn main() {}
