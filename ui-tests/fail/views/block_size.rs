use tensor_layout::{Tensor, layout};

fn sum(block: &[f32; 16]) -> f32 {
    block.iter().sum()
}

fn main() {
    let t: Tensor<f32, layout!("nChw8c")> = Tensor::zeroed([1, 32, 4, 4]).unwrap();
    println!("{}", t.blocks().iter().map(|block| sum(block)).sum::<f32>());
}
