//! Weights of convolutions and of matrix products into the blocked layouts that their kernels take.

use super::Case;
use layout_core::descriptor::DType::{self, Bf16, F32, S8};

pub(super) fn push(cases: &mut Vec<Case>) {
    convolutions(cases);
    products(cases);
    converted(cases);
}

fn convolutions(cases: &mut Vec<Case>) {
    let (small, large, tail, first) = ([128, 128, 3, 3], [512, 512, 3, 3], [100, 67, 3, 3], [64, 3, 7, 7]);
    for (class, dtype, blocked, other) in [
        ("convolution weights, 32-bit", DType::F32, "OIhw16i16o", "OIhw8i8o"),
        ("convolution weights, 16-bit", DType::Bf16, "OIhw8i16o2i", "OIhw16i16o2i"),
        ("convolution weights, 8-bit", DType::S8, "OIhw4i16o4i", "OIhw16i16o4i"),
    ] {
        for dims in [small, large, tail] {
            cases.push(Case::new(class, dtype, "oihw", blocked, &dims));
        }
        cases.push(Case::new(class, dtype, "oihw", other, &large));
        cases.push(Case::new(class, dtype, blocked, "oihw", &large));
        cases.push(Case::new(class, dtype, "hwio", blocked, &large));
        cases.push(Case::new(class, dtype, "oihw", "Ohwi16o", &first));
    }
}

fn products(cases: &mut Vec<Case>) {
    for (class, dtype, blocked, narrow) in [
        ("matmul weights, 32-bit", DType::F32, "BA16a64b", "BA16a48b"),
        ("matmul weights, 16-bit", DType::Bf16, "BA16a64b2a", "BA16a32b2a"),
        ("matmul weights, 8-bit", DType::S8, "BA16a64b4a", "BA16a48b4a"),
    ] {
        for dims in [[512, 512], [4096, 1024], [1000, 1001]] {
            cases.push(Case::new(class, dtype, "ab", blocked, &dims));
        }
        cases.push(Case::new(class, dtype, "ba", blocked, &[4096, 1024]));
        cases.push(Case::new(class, dtype, blocked, "ab", &[4096, 1024]));
        cases.push(Case::new(class, dtype, "ab", narrow, &[1024, 960]));
    }
}

/// Weights as they are trained, into the type and layout that kernels take.
fn converted(cases: &mut Vec<Case>) {
    for (dtype, convolution, product) in
        [(Bf16, "OIhw8i16o2i", "BA16a64b2a"), (S8, "OIhw4i16o4i", "BA16a64b4a")]
    {
        let class = "weights, other type";
        for from in ["oihw", "hwio"] {
            cases.push(Case::converting(class, (F32, dtype), from, convolution, &[256, 256, 3, 3]));
        }
        cases.push(Case::converting(class, (dtype, F32), convolution, "oihw", &[256, 256, 3, 3]));
        for from in ["ab", "ba"] {
            cases.push(Case::converting(class, (F32, dtype), from, product, &[4096, 1024]));
        }
    }
}
