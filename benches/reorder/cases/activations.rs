//! Activations between plain, channels-last and blocked layouts: 64 channels, and 67 and 17, which no block divides.

use super::Case;
use layout_core::descriptor::DType;

/// Batches of 28 x 28 (in L2) or 56 x 56 pictures for 4-byte elements; narrower ones get more of them.
const IN_L2: (usize, usize) = (2, 28);
const IN_L3: (usize, usize) = (8, 56);
const PAST: (usize, usize) = (64, 56);

const PAIRS: [(&str, &str); 6] = [
    ("nchw", "nhwc"),
    ("nhwc", "nchw"),
    ("nchw", "nChw16c"),
    ("nChw16c", "nchw"),
    ("nhwc", "nChw16c"),
    ("nChw16c", "nhwc"),
];

fn dims(dtype: DType, (n, side): (usize, usize), channels: usize) -> [usize; 4] {
    [n * 4 / dtype.size(), channels, side, side]
}

pub(super) fn push(cases: &mut Vec<Case>) {
    let types = [
        (DType::F32, "activations, 32-bit", "channel tail, 32-bit", "C = 17, padded, 32-bit"),
        (DType::Bf16, "activations, 16-bit", "channel tail, 16-bit", "C = 17, padded, 16-bit"),
        (DType::U8, "activations, 8-bit", "channel tail, 8-bit", "C = 17, padded, 8-bit"),
    ];
    for (dtype, whole, tail, padded) in types {
        let mut push = |class, from: &str, to: &str, size, channels| {
            cases.push(Case::new(class, dtype, from, to, &dims(dtype, size, channels)));
        };
        for (from, to) in PAIRS {
            for size in [IN_L2, IN_L3, PAST] {
                push(whole, from, to, size, 64);
            }
            push(tail, from, to, IN_L3, 67);
            if dtype == DType::F32 {
                push(tail, from, to, IN_L2, 67);
            } else if from != "nchw" {
                push(tail, from, to, PAST, 67);
            }
        }
        for (from, to) in [("nchw", "nChw8c"), ("nChw8c", "nchw"), ("nhwc", "nChw8c"), ("nChw8c", "nhwc")] {
            push(whole, from, to, IN_L3, 64);
            if dtype == DType::F32 {
                push(whole, from, to, IN_L2, 64);
            }
        }
        for (from, to) in [("nChw8c", "nChw16c"), ("nChw16c", "nChw8c")] {
            push(whole, from, to, IN_L3, 64);
        }
        for (from, to) in [("nchw", "nChw16c"), ("nhwc", "nChw16c"), ("nChw16c", "nchw"), ("nChw16c", "nhwc")]
        {
            push(padded, from, to, (16, 56), 17);
            push(padded, from, to, (4, 28), 17);
        }
        if dtype == DType::U8 {
            for (from, to) in
                [("nchw", "nChw32c"), ("nChw32c", "nchw"), ("nchw", "nChw4c"), ("nChw4c", "nchw")]
            {
                push(whole, from, to, IN_L3, 64);
            }
            push(padded, "nchw", "nChw32c", (16, 56), 17);
            push(padded, "nhwc", "nChw32c", (16, 56), 17);
        }
    }
    for (from, to) in [("nchw", "nhwc"), ("nhwc", "nchw"), ("nchw", "nChw16c"), ("nChw16c", "nchw")] {
        cases.push(Case::new("activations, 206 MB", DType::F32, from, to, &[16, 64, 224, 224]));
    }
}
