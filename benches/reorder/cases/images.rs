//! Pictures with 3 and 4 channels, narrower than any tile: 224 x 224 and 1080p; and with 5 to 24.

use super::{Case, Scaling};
use layout_core::descriptor::DType;

const SMALL: [usize; 4] = [1, 3, 224, 224];
const FULL_HD: [usize; 4] = [1, 3, 1080, 1920];

pub(super) fn push(cases: &mut Vec<Case>) {
    for (class, dtype) in [("images, 32-bit", DType::F32), ("images, 8-bit", DType::U8)] {
        for dims in [SMALL, FULL_HD] {
            for (from, to) in [
                ("nhwc", "nchw"),
                ("nchw", "nhwc"),
                ("nhwc", "nChw16c"),
                ("nchw", "nChw16c"),
                ("nChw16c", "nhwc"),
                ("nChw16c", "nchw"),
            ] {
                cases.push(Case::new(class, dtype, from, to, &dims));
            }
        }
        for (from, to) in [("nhwc", "nchw"), ("nchw", "nhwc")] {
            cases.push(Case::new(class, dtype, from, to, &[1, 4, 1080, 1920]));
        }
        cases.push(Case::new(class, dtype, "nhwc", "nchw", &[32, 3, 224, 224]));
    }
    // Bands of a satellite, frames one upon another: pixels that fill no register.
    for (dtype, channels) in
        [(DType::U8, 6), (DType::U8, 13), (DType::Bf16, 24), (DType::F32, 5), (DType::F32, 12)]
    {
        for (from, to) in [("nchw", "nhwc"), ("nhwc", "nchw")] {
            cases.push(Case::new("images, 5 to 24 channels", dtype, from, to, &[1, channels, 224, 224]));
        }
    }
    for dims in [SMALL, FULL_HD, [32, 3, 224, 224]] {
        for (types, from, to) in [
            ((DType::U8, DType::F32), "nhwc", "nchw"),
            ((DType::U8, DType::F32), "nhwc", "nChw16c"),
            ((DType::F32, DType::U8), "nchw", "nhwc"),
        ] {
            cases.push(Case::converting("images, u8 <-> f32", types, from, to, &dims));
        }
        for (to_type, to) in
            [(DType::F32, "nchw"), (DType::F32, "nhwc"), (DType::F32, "nChw16c"), (DType::Bf16, "nchw")]
        {
            let case = Case::converting("images, normalised", (DType::U8, to_type), "nhwc", to, &dims);
            cases.push(case.scaled(Scaling::Normalised));
        }
        // What a network returns, to bytes; and channels in blocks that are a part full.
        let case = Case::converting("images, other type", (DType::F32, DType::U8), "nchw", "nhwc", &dims);
        cases.push(case.scaled(Scaling::PerChannel));
        for (types, from, to) in [
            ((DType::F32, DType::Bf16), "nChw4c", "nchw"),
            ((DType::F16, DType::U8), "nChw4c", "nchw"),
            ((DType::U8, DType::F32), "nchw", "nChw4c"),
            ((DType::S8, DType::Bf16), "nchw", "nChw8c"),
            ((DType::U8, DType::F16), "nchw", "nhwc"),
        ] {
            cases.push(Case::converting("images, other type", types, from, to, &dims));
        }
    }
}
