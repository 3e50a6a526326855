//! Blocks of four and eight channels, of which several fill a register: to and from pixels, any number of these, and values that
//! follow each axis.

use super::{Given, Owned, Zero, check_with};
use crate::oracle::{KEPT, dense};
use layout_core::descriptor::DType;

/// What has values of its own: nothing, everything the same, or an axis.
fn given(axis: Option<Option<usize>>, dims: &[usize], shifted: bool) -> Given {
    let Some(axis) = axis else { return Given::default() };
    let count = axis.map_or(1, |axis| dims[axis]);
    let owned = |first: f32| Owned { axis, values: (0..count).map(|i| first + i as f32 * 0.37).collect() };
    Given {
        src_zero: shifted.then(|| Zero::Shift(owned(-3.0))),
        src_scale: Some(owned(0.4)),
        dst_scale: shifted.then(|| owned(1.7)),
        dst_zero: None,
    }
}

#[test]
fn blocks_of_channels_and_pixels() {
    const TYPES: [DType; 4] = [DType::Bf16, DType::F16, DType::S8, DType::U8];
    // Numbers of pixels that a register's parts divide and do not, few and many channels, lines that compete.
    const DIMS: [[usize; 4]; 7] = [
        [1, 64, 5, 7],
        [2, 16, 9, 11],
        [1, 48, 8, 8],
        [3, 272, 3, 5],
        [1, 32, 33, 31],
        [1, 256, 8, 16],
        [2, 67, 6, 7],
    ];
    let axes = [None, Some(None), Some(Some(0)), Some(Some(1)), Some(Some(2)), Some(Some(3))];
    let mut seed = 0;
    for dims in DIMS {
        for block in ["nChw4c", "nChw8c"] {
            for other in TYPES {
                for axis in axes {
                    for (from, to) in [("nhwc", block), (block, "nhwc")] {
                        for (src, dst) in [(DType::F32, other), (other, DType::F32)] {
                            seed += 1;
                            if !(seed as usize).is_multiple_of(KEPT) {
                                continue;
                            }
                            let given = given(axis, &dims, seed % 3 == 0);
                            check_with(&dense(src, &dims, from), &dense(dst, &dims, to), &given, seed);
                        }
                    }
                }
            }
        }
    }
}
