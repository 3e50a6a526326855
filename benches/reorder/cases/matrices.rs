//! Two-dimensional transpositions: round sizes, primes, powers of two that share cache sets, and flat matrices.

use super::Case;
use layout_core::descriptor::DType;

pub(super) fn push(cases: &mut Vec<Case>) {
    for (class, dtype) in [
        ("2-D transpose, 32-bit", DType::F32),
        ("2-D transpose, 16-bit", DType::Bf16),
        ("2-D transpose, 8-bit", DType::S8),
    ] {
        for dims in [
            [64, 64],
            [1000, 1001],
            [1024, 1024],
            [3000, 3000],
            [4096, 4096],
            [4093, 4099],
            [16, 65536],
            [100_000, 48],
        ] {
            cases.push(Case::new(class, dtype, "ab", "ba", &dims));
        }
    }
}
