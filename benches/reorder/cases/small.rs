//! Elements of 4 bits, 8-bit floats, booleans, and conversions between types of which none is f32.

use super::{Case, Scaling};
use layout_core::descriptor::DType::{self, Bf16, Boolean, F8E4M3, F8E5M2, F16, F32, S4, S8, U4, U8};

const SMALL: [usize; 2] = [512, 512];
const LARGE: [usize; 2] = [4096, 1024];

pub(super) fn push(cases: &mut Vec<Case>) {
    four_bits(cases);
    conversions(cases);
    compressed(cases);
}

fn four_bits(cases: &mut Vec<Case>) {
    for (dtype, from, to, dims) in [
        (S4, "ab", "ba", SMALL),
        (S4, "ab", "ba", LARGE),
        (S4, "ab", "ba", [4096, 4096]),
        (U4, "ab", "ba", [1000, 1001]),
        (S4, "ab", "BA16a64b4a", LARGE),
        (S4, "BA16a64b4a", "ab", LARGE),
        (S4, "ab", "BA16a64b", LARGE),
        (U4, "ab", "aB16b", LARGE),
    ] {
        cases.push(Case::new("4 bits, other layout", dtype, from, to, &dims));
    }
    for (types, from, to) in [
        ((S4, S8), "ab", "ab"),
        ((S4, S8), "ab", "ba"),
        ((S8, S4), "ab", "ab"),
        ((S8, S4), "ab", "ba"),
        ((S4, F16), "ab", "ab"),
        ((S4, Bf16), "ab", "ba"),
        ((S4, F32), "ab", "ab"),
        ((F32, S4), "ab", "ab"),
        ((U4, Bf16), "ab", "ab"),
        ((S4, S8), "ab", "BA16a64b4a"),
        ((U4, F16), "ab", "BA16a64b"),
    ] {
        cases.push(Case::converting("4 bits, other type", types, from, to, &LARGE));
    }
}

/// Types of 8 and 16 bits, and f32 to and from the smallest.
fn conversions(cases: &mut Vec<Case>) {
    let mut both = |class: &'static str, types: (DType, DType)| {
        cases.push(Case::converting(class, types, "ab", "ab", &SMALL));
        cases.push(Case::converting(class, types, "ab", "ab", &LARGE));
    };
    for types in [(S8, U8), (U8, S8), (F8E4M3, F8E5M2), (U8, Boolean)] {
        both("8 to 8 bits", types);
    }
    for types in [(U8, Bf16), (S8, F16), (F8E4M3, Bf16), (F8E5M2, F16), (Bf16, S8), (F16, U8), (Bf16, F8E4M3)]
    {
        both("8 to 16 bits and back", types);
    }
    both("16 to 16 bits", (Bf16, F16));
    for types in [(F32, F8E4M3), (F8E4M3, F32), (F32, F8E5M2), (F8E5M2, F32), (Boolean, F32)] {
        both("f32 to 8-bit types and back", types);
    }
    for (types, from, to) in
        [((U8, Bf16), "nhwc", "nchw"), ((F8E4M3, Bf16), "nchw", "nChw16c"), ((Bf16, S8), "nchw", "nhwc")]
    {
        cases.push(Case::converting("8 to 16 bits, other layout", types, from, to, &[8, 64, 56, 56]));
    }
}

/// Weights with a scale for 32 rows of a column.
fn compressed(cases: &mut Vec<Case>) {
    for (types, to) in
        [((S8, F32), "ab"), ((S4, F32), "ab"), ((S4, F16), "ab"), ((S4, Bf16), "ba"), ((U4, F16), "BA16a64b")]
    {
        let case = Case::converting("compressed weights, groups", types, "ab", to, &LARGE);
        cases.push(case.scaled(Scaling::Grouped(32)));
    }
}
