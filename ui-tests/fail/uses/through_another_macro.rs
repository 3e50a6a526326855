//! A literal that another macro hands on: the error is at the literal, not in that macro.

use tensor_layout::{Layout, layout};

macro_rules! kernels {
    ($($name:ident: $format:literal;)*) => {
        $(type $name = layout!($format);)*
    };
}

kernels! {
    Source: "nchw16c";
    Weights: "OIhw16i16o";
}

fn main() {
    println!("{}", Source::RANK + Weights::RANK);
}
