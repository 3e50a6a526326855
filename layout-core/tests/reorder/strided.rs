//! Memory with gaps, an offset, or strides that run backwards: what lies between is left alone.

use crate::oracle::{KEPT, check, dense};
use layout_core::descriptor::{DType, Descriptor};

fn strided(dtype: DType, dims: &[usize], strides: &[isize], base: usize) -> Descriptor {
    Descriptor::from_strides(dtype, dims, strides).and_then(|d| d.with_base(base)).unwrap()
}

#[test]
fn leading_dimensions() {
    for dtype in [DType::U8, DType::F16, DType::F32, DType::F64] {
        let padded = strided(dtype, &[9, 21], &[32, 1], 5);
        let wide = strided(dtype, &[9, 21], &[1, 11], 3);
        let gaps = strided(dtype, &[9, 21], &[200, 3], 0);
        let all = [padded, wide, gaps, dense(dtype, &[9, 21], "ab"), dense(dtype, &[9, 21], "BA4a4b")];
        for from in all {
            for to in all {
                check(&from, &to, 9);
            }
        }
    }
}

#[test]
fn backwards() {
    let dims = [7, 13];
    let spec = *dense(DType::F32, &dims, "ab").spec();
    for strides in [[-20, 1], [20, -1], [-13, -1], [-26, 2]] {
        let flipped = Descriptor::from_parts(DType::F32, &dims, spec, &strides, 200).unwrap();
        check(&flipped, &dense(DType::F32, &dims, "ba"), 1);
        check(&flipped, &dense(DType::S8, &dims, "AB4a4b"), 2);
        check(&dense(DType::F32, &dims, "ba"), &flipped, 3);
        check(&dense(DType::U8, &dims, "ab"), &flipped, 4);
        check(&flipped, &flipped, 5);
    }
}

#[test]
fn blocked_with_gaps() {
    for dtype in [DType::S8, DType::F32] {
        let dims = [2, 19, 3, 5];
        let spec = *dense(dtype, &dims, "nChw16c").spec();
        // One pixel of gap behind every row, a row behind every plane.
        let gaps = Descriptor::from_parts(dtype, &dims, spec, &[1000, 400, 96, 16], 7).unwrap();
        for other in ["nchw", "nhwc", "nChw16c", "nChw8c", "nChw12c"] {
            check(&gaps, &dense(dtype, &dims, other), 1);
            check(&dense(dtype, &dims, other), &gaps, 2);
            check(&dense(DType::F16, &dims, other), &gaps, 3);
        }
    }
}

/// Planes a multiple of 4 KiB apart, which compete for the same places of a cache: any number of them, with gaps between pixels
/// and without, beginning anywhere.
#[test]
fn planes_that_compete() {
    for dtype in [DType::U8, DType::F16, DType::F32, DType::F64] {
        let (width, plane) = (4096 / dtype.size() - 5, 4096 / dtype.size());
        let channels = [9, 11, 12, 16, 17, 19, 24, 31, 33, 40];
        for (turn, channels) in channels.into_iter().enumerate() {
            if !(turn + dtype.size()).is_multiple_of(KEPT.div_ceil(2)) {
                continue;
            }
            let dims = [channels, width];
            let planes = strided(dtype, &dims, &[plane as isize, 1], 3);
            for gap in [0, 3] {
                let pixels = strided(dtype, &dims, &[1, (channels + gap) as isize], 1);
                check(&pixels, &planes, channels as u64);
                check(&planes, &pixels, channels as u64);
            }
        }
    }
}
