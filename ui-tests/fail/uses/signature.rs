use tensor_layout::{Layout, Mapping, layout};

fn blocks(mapping: &Mapping<layout!("nchw16c")>) -> usize {
    mapping.required_len() + mapping.dims()[1]
}

fn main() {
    println!("{}", blocks(&Mapping::new([1, 16, 4, 4]).unwrap()));
}
