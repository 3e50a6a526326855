use tensor_layout::{TensorView, layout};

type Act<'a> = TensorView<'a, f32, layout!("bad")>;

fn kernel(v: Act<'_>) -> f32 {
    v.iter().sum()
}

fn main() {
    println!("{}", kernel(TensorView::from_slice([1, 1, 1], &[0.0]).unwrap()));
}
