//! What no kernel is written for: permutations of many axes, blocks that do not nest, strided operands; and what costs
//! least, identical layouts and tensors of 6 KB.

use super::Case;
use layout_core::descriptor::DType::{Bf16, F32, S8, U8};

pub(super) fn push(cases: &mut Vec<Case>) {
    permutations(cases);
    blocks(cases);
    strided(cases);
    identical(cases);
    tiny(cases);
}

fn permutations(cases: &mut Vec<Case>) {
    let class = "permutes of 5 and 6 axes";
    let six = ["fedcba", "badcfe", "fabcde", "bcdefa", "aecdbf"];
    for to in six {
        cases.push(Case::new(class, F32, "abcdef", to, &[8; 6]));
        cases.push(Case::new(class, F32, "abcdef", to, &[16; 6]));
    }
    for to in ["edcba", "badce", "cdeab"] {
        cases.push(Case::new(class, F32, "abcde", to, &[12; 5]));
    }
    for to in ["fedcba", "aecdbf"] {
        cases.push(Case::new(class, Bf16, "abcdef", to, &[16; 6]));
        cases.push(Case::new(class, S8, "abcdef", to, &[16; 6]));
    }
}

fn blocks(cases: &mut Vec<Case>) {
    let class = "blocks that do not nest";
    for (dtype, n) in [(F32, 2), (Bf16, 4), (U8, 8)] {
        for (from, to) in [("nChw48c", "nChw32c"), ("nChw32c", "nChw48c"), ("nChw12c", "nChw16c")] {
            cases.push(Case::new(class, dtype, from, to, &[n, 96, 28, 28]));
        }
    }
    cases.push(Case::new(class, F32, "nChw48c", "nChw32c", &[8, 96, 56, 56]));
    cases.push(Case::new(class, F32, "nChw12c", "nChw16c", &[8, 96, 56, 56]));
    cases.push(Case::new(class, F32, "nChw12c", "nChw16c", &[8, 67, 28, 28]));
    cases.push(Case::new(class, F32, "BA16a48b", "BA16a32b", &[1024, 960]));
}

fn strided(cases: &mut Vec<Case>) {
    let class = "strided operands";
    let dims = [8, 64, 56, 56];
    for dtype in [F32, U8] {
        let case = |from, to| Case::new(class, dtype, from, to, &dims);
        // Rows with a gap behind each.
        cases.push(case("nchw", "nChw16c").reading_part_of(&[8, 64, 56, 64]));
        cases.push(case("nhwc", "nchw").writing_part_of(&[8, 64, 58, 58]));
        // Half of the channels: a slice, and one part of a concatenation.
        cases.push(case("nhwc", "nhwc").reading_part_of(&[8, 128, 56, 56]));
        cases.push(case("nhwc", "nhwc").writing_part_of(&[8, 128, 56, 56]));
        cases.push(case("nChw16c", "nhwc").reading_part_of(&[8, 128, 56, 56]));
        // Every second element.
        cases.push(Case::new(class, dtype, "abc", "abc", &[1000, 1001, 1]).reading_part_of(&[1000, 1001, 2]));
        // Leading dimensions.
        cases.push(
            Case::new(class, dtype, "ab", "ba", &[1000, 1001])
                .reading_part_of(&[1000, 1024])
                .writing_part_of(&[1024, 1001]),
        );
    }
}

fn identical(cases: &mut Vec<Case>) {
    let class = "identical layouts";
    for dims in [[2, 64, 28, 28], [8, 64, 56, 56], [64, 64, 56, 56]] {
        cases.push(Case::new(class, F32, "nchw", "nchw", &dims));
    }
    cases.push(Case::new(class, U8, "nhwc", "nhwc", &[8, 64, 56, 56]));
    cases.push(Case::new(class, Bf16, "nChw16c", "nChw16c", &[8, 64, 56, 56]));
    cases.push(Case::new(class, F32, "nChw16c", "nChw16c", &[8, 67, 56, 56]));
}

fn tiny(cases: &mut Vec<Case>) {
    let class = "6 KB tensors";
    for (from, to) in [
        ("nchw", "nchw"),
        ("nchw", "nhwc"),
        ("nhwc", "nchw"),
        ("nchw", "nChw16c"),
        ("nChw16c", "nchw"),
        ("nhwc", "nChw16c"),
    ] {
        cases.push(Case::new(class, F32, from, to, &[1, 32, 6, 8]));
    }
    cases.push(Case::new(class, Bf16, "nchw", "nChw16c", &[1, 64, 6, 8]));
    cases.push(Case::new(class, U8, "nhwc", "nchw", &[1, 3, 45, 45]));
    cases.push(Case::converting(class, (U8, F32), "nhwc", "nchw", &[1, 3, 20, 25]));
    cases.push(Case::converting(class, (F32, Bf16), "nchw", "nChw16c", &[1, 32, 6, 8]));
    cases.push(Case::new(class, F32, "ab", "ba", &[39, 39]));
    cases.push(Case::new(class, S8, "oihw", "OIhw4i16o4i", &[32, 16, 3, 3]));
}
