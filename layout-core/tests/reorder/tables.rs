//! Tables: pairs of formats by rank, extents with and without tails, all pairs of data types.

use crate::oracle::{KEPT, check, dense};
use layout_core::descriptor::DType;

/// Formats of a rank, and extents to try with every pair of them.
const GROUPS: &[(&[&str], &[&[usize]])] = &[
    (&["a", "A16a", "A12a", "A4a", "A3a4a"], &[&[1], &[16], &[17], &[100]]),
    (
        &["ab", "ba", "AB16b16a", "BA4a8b4a", "aB3b", "Ab5a"],
        &[&[1, 1], &[16, 32], &[17, 33], &[5, 130], &[70, 3]],
    ),
    (&["ncw", "nwc", "nCw16c", "nCw4c"], &[&[2, 16, 9], &[1, 3, 40], &[3, 35, 8]]),
    (
        &[
            "nchw",
            "nhwc",
            "chwn",
            "nChw8c",
            "nChw16c",
            "nChw48c",
            "nChw32c",
            "nChw12c",
            "nhwC8c",
            "NChw16n16c",
        ],
        &[&[2, 16, 5, 4], &[1, 3, 7, 9], &[3, 67, 3, 5], &[1, 96, 2, 2], &[18, 1, 1, 1], &[1, 19, 9, 17]],
    ),
    (
        &["oihw", "OIhw16i16o", "OIhw4i16o4i", "OIhw8i16o2i", "hwio", "Oihw12o", "OIhw40o48i"],
        &[&[32, 32, 3, 3], &[17, 19, 1, 1], &[5, 70, 2, 1]],
    ),
    (&["ncdhw", "ndhwc", "nCdhw16c", "cdhwn"], &[&[2, 17, 2, 3, 5]]),
    (&["goihw", "gOIhw8o8i", "Goihw8g", "GOIhw4g2o2i"], &[&[3, 9, 5, 2, 2], &[8, 2, 2, 3, 1]]),
];

#[test]
fn pairs_of_formats() {
    for (formats, all_dims) in GROUPS {
        for (i, from) in formats.iter().enumerate() {
            for (j, to) in formats.iter().enumerate() {
                for (k, dims) in all_dims.iter().enumerate() {
                    // Different types in turn; the next test takes every pair.
                    let dtype = [DType::F32, DType::U8, DType::F16, DType::F64][(i + j + k) % 4];
                    check(&dense(dtype, dims, from), &dense(dtype, dims, to), (i * 100 + j * 10 + k) as u64);
                }
            }
        }
    }
}

/// Few images, of planes longer than what a table of distances holds: their loop is gone through in parts, of which the last is shorter.
#[test]
fn few_images_of_long_planes() {
    let mut seed = 0;
    let dims =
        [[2, 17, 23, 37], [3, 32, 31, 10], [4, 5, 1, 259], [2, 67, 1, 128], [1, 35, 20, 21], [5, 20, 9, 16]];
    for dims in dims {
        for format in ["nhwc", "nChw4c", "nChw8c", "nChw16c", "nChw32c", "NChw16n16c"] {
            for dtype in [DType::U8, DType::Bf16, DType::F32, DType::F64] {
                seed += 1;
                if (seed as usize).is_multiple_of(KEPT) {
                    check(&dense(dtype, &dims, "chwn"), &dense(dtype, &dims, format), seed);
                    check(&dense(dtype, &dims, format), &dense(dtype, &dims, "chwn"), seed);
                }
            }
        }
    }
}

#[test]
fn pairs_of_data_types() {
    let cases: &[(&str, &str, &[usize])] = &[
        ("nchw", "nChw16c", &[1, 19, 5, 7]),
        ("nhwc", "nchw", &[2, 3, 4, 9]),
        ("nchw", "nhwc", &[1, 3, 5, 17]),
        ("nChw48c", "nChw32c", &[1, 100, 3, 2]),
        ("oihw", "OIhw4i16o4i", &[18, 21, 2, 1]),
        ("nhwc", "nhwc", &[1, 5, 6, 7]),
        ("nhwC8c", "nhwC4c", &[1, 21, 2, 3]),
        ("ABc4a3b", "cba", &[10, 11, 3]),
    ];
    for (from, to, dims) in cases {
        for src in DType::ALL {
            for dst in DType::ALL {
                check(&dense(src, dims, from), &dense(dst, dims, to), src as u64 * 7 + dst as u64);
            }
        }
    }
}

#[test]
fn extents_of_0_and_1_and_rank_0() {
    for (from, to, dims) in [
        ("nchw", "nChw16c", &[0, 3, 2, 2][..]),
        ("nchw", "nChw16c", &[2, 0, 2, 2]),
        ("nChw8c", "nChw16c", &[1, 1, 1, 1]),
        ("a", "A16a", &[0]),
        ("a", "a", &[1]),
    ] {
        check(&dense(DType::F32, dims, from), &dense(DType::S8, dims, to), 1);
    }
    check(&layout_core::descriptor::Descriptor::scalar(DType::S32), &dense_scalar(DType::Bf16), 5);
}

fn dense_scalar(dtype: DType) -> layout_core::descriptor::Descriptor {
    layout_core::descriptor::Descriptor::scalar(dtype)
}

#[test]
fn rank_12() {
    let dims = [2, 1, 3, 2, 2, 1, 2, 2, 3, 2, 1, 2];
    let plain = dense(DType::F32, &dims, "abcdefghijkl");
    check(&plain, &dense(DType::F32, &dims, "lkjihgfedcba"), 1);
    check(&plain, &dense(DType::F32, &dims, "gbcdefAhijkl2a"), 2);
    // Every axis has a loop, a block and a tail: as many loops as a rank can need.
    let small = [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1];
    let blocked = "LKJIHGFEDCBA2a2b2c2d2e2f2g2h2i2j2k2l";
    check(&dense(DType::U8, &small, "abcdefghijkl"), &dense(DType::U8, &small, blocked), 3);
    check(&dense(DType::U8, &small, blocked), &dense(DType::F32, &small, "abcdefghijkl"), 4);
}

/// Extents around the sizes of the kernels' squares, lines and bands.
#[test]
fn transposes_of_any_size() {
    for dtype in [DType::U8, DType::F16, DType::F32, DType::F64] {
        for (rows, columns) in
            [(1, 64), (7, 9), (8, 8), (15, 130), (64, 65), (67, 520), (130, 63), (131, 1024)]
        {
            let dims = [rows, columns];
            check(&dense(dtype, &dims, "ab"), &dense(dtype, &dims, "ba"), rows as u64);
            check(&dense(dtype, &dims, "ab"), &dense(DType::F32, &dims, "ba"), columns as u64);
        }
    }
}

/// Axes turned around, of extents that are no whole lines: the next loop has no room in a tile, and a part of it is taken where one
/// divides it. The last have rows that compete for the same places of a cache, several lines of each.
#[test]
fn loops_of_which_a_tile_has_a_part() {
    let cases: &[(&str, &str, &[usize])] = &[
        ("abc", "cba", &[24, 24, 24]),
        ("abc", "cba", &[20, 9, 40]),
        ("abc", "cba", &[18, 50, 7]),
        ("abc", "cba", &[36, 23, 36]),
        ("abcd", "dcba", &[20, 20, 6, 20]),
        ("abcd", "dcba", &[12, 30, 10, 30]),
        ("abcd", "dcba", &[60, 30, 2, 18]),
        ("abcd", "dcba", &[30, 4, 60, 9]),
        ("abcd", "cdba", &[24, 26, 10, 3]),
        ("abcde", "edcba", &[24, 12, 2, 5, 22]),
        ("abcdef", "fedcba", &[8, 2, 8, 8, 2, 8]),
        ("abcdef", "fedcba", &[4, 8, 4, 8, 2, 16]),
    ];
    for (i, (from, to, dims)) in cases.iter().enumerate() {
        for dtype in [DType::U8, DType::Bf16, DType::F32, DType::F64] {
            check(&dense(dtype, dims, from), &dense(dtype, dims, to), i as u64);
        }
    }
}

/// Small squares with more or fewer loops around them than are taken together, blocks as one tile with its repetitions, and few
/// channels of a block.
#[test]
fn tiles_with_loops_around_them() {
    let cases: &[(&str, &str, &[usize])] = &[
        ("abcdef", "badcfe", &[2, 3, 3, 2, 8, 8]),
        ("abcdef", "badcfe", &[3, 2, 2, 3, 8, 7]),
        ("nchw", "nChw16c", &[1, 32, 6, 8]),
        ("nChw16c", "nchw", &[1, 32, 6, 8]),
        ("nchw", "nChw16c", &[2, 3, 9, 11]),
        ("nChw16c", "nchw", &[2, 3, 9, 11]),
        ("nChw16c", "nchw", &[1, 18, 5, 7]),
        ("nChw16c", "nchw", &[2, 1, 5, 7]),
        ("nhwc", "nChw16c", &[2, 17, 5, 7]),
        ("oihw", "Ohwi16o", &[32, 3, 7, 7]),
        ("ab", "BA16a48b", &[32, 100]),
        ("ab", "BA16a72b", &[19, 144]),
    ];
    for (i, (from, to, dims)) in cases.iter().enumerate() {
        for dtype in [DType::U8, DType::Bf16, DType::F32, DType::F64] {
            check(&dense(dtype, dims, from), &dense(dtype, dims, to), i as u64);
        }
        check(&dense(DType::F32, dims, from), &dense(DType::Bf16, dims, to), i as u64);
    }
    let dims = [17, 17, 2, 2, 8, 8];
    check(&dense(DType::F32, &dims, "abcdef"), &dense(DType::F32, &dims, "badcfe"), 1);
}
