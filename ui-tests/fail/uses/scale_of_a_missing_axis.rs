use tensor_layout::{PerAxis, Tensor, layout, quantise};

fn main() {
    let act = Tensor::<f32, layout!("nhwc")>::zeroed([1, 2, 3, 4]).unwrap();
    let mut out = Tensor::<i8, layout!("nChw16c")>::zeroed([1, 2, 3, 4]).unwrap();
    quantise(&act, &mut out, PerAxis::<'o'>(&[1.0])).unwrap();
}
