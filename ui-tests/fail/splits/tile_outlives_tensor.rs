use tensor_layout::{Nchw, StridedViewMut, Tensor};

fn first() -> StridedViewMut<'static, f32, Nchw> {
    let mut t: Tensor<f32, Nchw> = Tensor::zeroed([1, 3, 4, 4]).unwrap();
    t.as_strided_mut().into_tiles([1, 1, 2, 2]).unwrap().next().unwrap()
}

fn main() {
    println!("{:?}", first());
}
