//! Changes of the data type, with the layout as it is and with another one.

use super::{Case, Scaling};
use layout_core::descriptor::DType::{self, Bf16, F16, F32, S8, U8};

const TYPES: [(DType, DType); 7] =
    [(F32, Bf16), (Bf16, F32), (F32, F16), (F16, F32), (S8, F32), (U8, F32), (F32, S8)];

pub(super) fn push(cases: &mut Vec<Case>) {
    for types in TYPES {
        for dims in [[1, 64, 32, 32], [8, 64, 56, 56], [64, 64, 56, 56]] {
            cases.push(Case::converting("conversion, same layout", types, "nchw", "nchw", &dims));
        }
    }
    for types in [(F32, Bf16), (Bf16, F32), (S8, F32), (U8, F32), (F32, S8)] {
        let class = "conversion, other layout";
        for (from, to) in [
            ("nchw", "nhwc"),
            ("nhwc", "nchw"),
            ("nchw", "nChw16c"),
            ("nhwc", "nChw16c"),
            ("nChw16c", "nchw"),
        ] {
            cases.push(Case::converting(class, types, from, to, &[8, 64, 56, 56]));
        }
        cases.push(Case::converting(class, types, "nchw", "nChw16c", &[1, 64, 32, 32]));
        cases.push(Case::converting(class, types, "nchw", "nChw16c", &[64, 64, 56, 56]));
        cases.push(Case::converting(class, types, "nChw16c", "nchw", &[8, 67, 56, 56]));
    }
    for types in [(F32, F16), (F16, F32)] {
        for (from, to) in [("nchw", "nhwc"), ("nhwc", "nchw")] {
            let class = "conversion, other layout";
            cases.push(Case::converting(class, types, from, to, &[8, 64, 56, 56]));
        }
    }
    for types in [(F32, Bf16), (Bf16, F32)] {
        for dims in [[1000, 1001], [4096, 1024]] {
            cases.push(Case::converting("2-D transpose, other type", types, "ab", "ba", &dims));
        }
    }
    for (types, to, dims) in [
        ((F32, S8), "ba", [1500, 1500]),
        ((F32, Bf16), "ba", [1500, 1500]),
        ((Bf16, S8), "ba", [2000, 2000]),
        ((U8, Bf16), "ba", [2000, 2000]),
        ((F32, S8), "BA16a64b", [2048, 1024]),
        ((F32, S8), "ba", [4096, 4096]),
        ((F32, S8), "ba", [3000, 3000]),
        ((F32, Bf16), "ba", [3000, 3000]),
        ((Bf16, F32), "ba", [3000, 3000]),
        ((U8, Bf16), "ba", [3000, 3000]),
    ] {
        cases.push(Case::converting("large matrices, other type", types, "ab", to, &dims));
    }
    for types in [(F32, Bf16), (Bf16, F32)] {
        let class = "heads of an attention, other type";
        cases.push(Case::converting(class, types, "abcd", "acbd", &[1, 512, 32, 128]));
    }
    for types in [(F32, S8), (S8, F32)] {
        let case = Case::converting("scaled, same layout", types, "nchw", "nchw", &[2048, 1024, 1, 1]);
        cases.push(case.scaled(Scaling::PerChannel));
    }
    for types in [(F32, Bf16), (S8, F32), (S8, U8), (Bf16, S8)] {
        for (from, to) in [("nChw8c", "nhwc"), ("nhwc", "nChw8c"), ("nChw4c", "nhwc")] {
            let class = "blocks of 4 and 8, other type";
            cases.push(Case::converting(class, types, from, to, &[8, 64, 56, 56]));
        }
    }
    for scaling in [Scaling::Common, Scaling::PerChannel] {
        for types in [(F32, S8), (S8, F32), (U8, F32)] {
            for dims in [[1, 64, 32, 32], [8, 64, 56, 56], [64, 64, 56, 56]] {
                let case = Case::converting("scaled, same layout", types, "nchw", "nchw", &dims);
                cases.push(case.scaled(scaling));
            }
        }
        for types in [(F32, S8), (S8, F32)] {
            for (from, to, dims) in [
                ("nhwc", "nhwc", [8, 64, 56, 56]),
                ("nchw", "nhwc", [8, 64, 56, 56]),
                ("nhwc", "nchw", [8, 64, 56, 56]),
                ("nchw", "nChw16c", [1, 64, 32, 32]),
                ("nchw", "nChw16c", [8, 64, 56, 56]),
                ("nchw", "nChw16c", [64, 64, 56, 56]),
                ("nChw16c", "nhwc", [8, 64, 56, 56]),
                ("nChw16c", "nchw", [8, 67, 56, 56]),
            ] {
                cases.push(Case::converting("scaled, other layout", types, from, to, &dims).scaled(scaling));
            }
        }
    }
}
