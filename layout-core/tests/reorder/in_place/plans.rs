//! The cases that people have, and which way each takes.

use super::check;
use crate::oracle::dense;
use layout_core::descriptor::{DType, Descriptor};
use layout_core::reorder::ReorderInPlace;

#[track_caller]
fn of(dtype: DType, dims: &[usize], from: &str, to: &str) -> String {
    let plan = check(&dense(dtype, dims, from), &dense(dtype, dims, to), dims.iter().sum::<usize>() as u64);
    // And back.
    check(&dense(dtype, dims, to), &dense(dtype, dims, from), 7);
    plan.to_string()
}

#[test]
fn nothing_moves() {
    let plan =
        check(&dense(DType::F32, &[2, 32, 5, 4], "nchw"), &dense(DType::F32, &[2, 32, 5, 4], "nchw"), 1);
    assert!(plan.moves_nothing());
    assert_eq!(plan.to_string(), "f32 -> f32 in place: nothing moves");
    // Other names, the same places.
    assert!(
        check(&dense(DType::U8, &[8, 1, 5, 4], "nchw"), &dense(DType::U8, &[8, 1, 5, 4], "nhwc"), 2)
            .moves_nothing()
    );
    assert!(
        check(&dense(DType::U8, &[2, 32, 1, 1], "nChw16c"), &dense(DType::U8, &[2, 32, 1, 1], "nhwc"), 3)
            .moves_nothing()
    );
    // The padding, which may hold anything, becomes zero as in any reorder.
    let padded = dense(DType::F32, &[2, 17, 5, 4], "nChw16c");
    assert!(check(&padded, &padded, 4).moves_nothing());
    let empty = dense(DType::F32, &[2, 0, 5, 4], "nchw");
    assert!(check(&empty, &dense(DType::F32, &[2, 0, 5, 4], "nChw16c"), 5).moves_nothing());
    assert!(check(&Descriptor::scalar(DType::F64), &Descriptor::scalar(DType::F64), 6).moves_nothing());
}

#[test]
fn squares() {
    for dtype in [DType::U8, DType::F16, DType::F32, DType::F64] {
        for n in [2, 7, 64, 90, 91, 128, 131, 200, 257] {
            let plan = of(dtype, &[n, n], "ab", "ba");
            assert_eq!(plan.contains("square"), n * n * dtype.size() > 28 << 10, "{plan}");
        }
    }
    assert_eq!(
        of(DType::F32, &[200, 200], "ab", "ba"),
        "f32 -> f32 in place: 1 square transposes of 200 x 200 in tiles of 64 x 64"
    );
    // Several of them, with something that moves together, and with something between the two axes.
    assert_eq!(
        of(DType::F32, &[3, 100, 100, 4], "abcd", "acbd"),
        "f32 -> f32 in place: 3 square transposes of 100 x 100 in tiles of 32 x 32"
    );
    assert!(of(DType::F16, &[150, 3, 150], "abc", "cba").contains("3 square"));
    assert!(of(DType::F16, &[150, 150, 5], "abc", "bac").contains("1 square"));
}

#[test]
fn rectangles() {
    for (rows, columns) in
        [(2, 3), (3, 2), (64, 3136), (3136, 64), (1000, 1001), (97, 101), (256, 1024), (1, 50), (3, 4096)]
    {
        for dtype in [DType::U8, DType::F32] {
            of(dtype, &[rows, columns], "ab", "ba");
        }
    }
    assert_eq!(
        of(DType::F32, &[64, 3136], "ab", "ba"),
        "f32 -> f32 in place: 1 times 1792 stretches of 448 bytes along cycles; 28 slabs of 28672 bytes through the scratch"
    );
    // Neither has a divisor.
    assert_eq!(
        of(DType::F32, &[131, 137], "ab", "ba"),
        "f32 -> f32 in place: 1 transposes of 131 x 137 by rows and columns"
    );
    // Any common divisor, few rows and few columns, and elements that move together.
    let mut ways = 0;
    for (rows, columns) in [
        (127, 523),
        (523, 127),
        (2 * 131, 2 * 137),
        (6 * 67, 9 * 67),
        (13, 3001),
        (3001, 13),
        (1, 40_009),
        (2, 40_009),
    ] {
        for (inner, dtype) in
            [(1, DType::U8), (1, DType::F16), (1, DType::F32), (2, DType::F32), (2, DType::F64)]
        {
            ways +=
                of(dtype, &[2, rows, columns, inner], "abcd", "acbd").matches("by rows and columns").count();
        }
    }
    assert!(ways > 20, "{ways}");
    // Elements that are no power of two together, more of them than there are bits to note what has moved.
    assert_eq!(
        of(DType::F32, &[331, 337, 3], "abc", "bac"),
        "f32 -> f32 in place: 1 times 111547 stretches of 12 bytes along cycles"
    );
    // Rows that no scratch holds.
    let large = |format| dense(DType::F32, &[8209, 8219], format);
    assert_eq!(
        ReorderInPlace::new(&large("ab"), &large("ba")).unwrap().to_string(),
        "f32 -> f32 in place: 1 times 67469771 stretches of 4 bytes along cycles"
    );
}

#[test]
fn activations() {
    assert_eq!(
        of(DType::F32, &[3, 64, 56, 56], "nchw", "nhwc"),
        "f32 -> f32 in place: 3 times 1792 stretches of 448 bytes along cycles; 84 slabs of 28672 bytes through the scratch"
    );
    for dtype in [DType::U8, DType::Bf16, DType::F32, DType::F64] {
        for dims in [[2, 32, 14, 14], [1, 64, 7, 9], [3, 16, 1, 5], [2, 48, 30, 30]] {
            of(dtype, &dims, "nchw", "nhwc");
            of(dtype, &dims, "nchw", "nChw16c");
            of(dtype, &dims, "nhwc", "nChw16c");
            of(dtype, &dims, "nChw16c", "nChw8c");
            of(dtype, &dims, "nchw", "chwn");
        }
        // Blocks of 48 and 32 do not nest.
        of(dtype, &[2, 96, 5, 6], "nChw48c", "nChw32c");
        of(dtype, &[2, 96, 25, 26], "nChw48c", "nChw32c");
    }
    // Images, whose three channels lie side by side or one behind the other.
    assert_eq!(
        of(DType::U8, &[1, 3, 240, 320], "nhwc", "nchw"),
        "u8 -> u8 in place: 10 slabs of 23040 bytes through the scratch; 1 times 30 stretches of 7680 bytes along cycles"
    );
}

#[test]
fn weights() {
    for dtype in [DType::S8, DType::F16, DType::F32] {
        for dims in [[32, 16, 3, 3], [64, 64, 3, 3], [48, 32, 1, 1], [128, 32, 5, 5]] {
            of(dtype, &dims, "oihw", "OIhw16i16o");
            of(dtype, &dims, "oihw", "OIhw8i16o2i");
            of(dtype, &dims, "OIhw16i16o", "OIhw16o16i");
            of(dtype, &dims, "oihw", "hwio");
        }
    }
    // Within blocks: many at a time.
    assert_eq!(
        of(DType::F32, &[64, 64, 3, 3], "OIhw16i16o", "OIhw16o16i"),
        "f32 -> f32 in place: 9 slabs of 16384 bytes through the scratch"
    );
}

/// Padded tensors whose padding is the same on both sides keep their data, and their padding becomes zero.
#[test]
fn padded() {
    for dims in [[2, 17, 5, 6], [1, 30, 40, 41], [3, 1, 2, 2]] {
        for dtype in [DType::U8, DType::F32] {
            of(dtype, &dims, "nChw16c", "nhwC16c");
            of(dtype, &dims, "nChw32c", "nChw8c4c");
            of(dtype, &dims, "nChw16c2c", "nChw32c");
            of(dtype, &dims, "nChw4c8c", "nhwC8c4c");
        }
    }
    of(DType::F32, &[30, 20], "AB16a4b", "BA4b16a");
    of(DType::F32, &[300, 200], "AB16a16b", "BA16a16b");
}

/// Parts of larger tensors: memory between their rows is left alone.
#[test]
fn gaps() {
    let strided =
        |dims: &[usize], strides: &[isize]| Descriptor::from_strides(DType::F32, dims, strides).unwrap();
    check(&strided(&[5, 5], &[8, 1]), &strided(&[5, 5], &[1, 8]), 1);
    assert!(
        check(&strided(&[130, 130], &[200, 1]), &strided(&[130, 130], &[1, 200]), 2)
            .to_string()
            .contains("square")
    );
    check(&strided(&[3, 4, 5], &[100, 10, 2]), &strided(&[3, 4, 5], &[100, 10, 2]), 3);
    check(&strided(&[3, 40, 40, 2], &[10_000, 80, 2, 1]), &strided(&[3, 40, 40, 2], &[10_000, 2, 80, 1]), 4);
    // Gaps inside what moves.
    check(&strided(&[64, 30], &[31, 1]), &strided(&[64, 30], &[31, 1]), 5);
    check(&strided(&[6, 100, 50], &[5000, 50, 1]), &strided(&[6, 100, 50], &[50, 300, 1]), 6);
    check(&strided(&[60, 100, 5], &[1000, 10, 1]), &strided(&[60, 100, 5], &[10, 600, 1]), 7);
    let whole = dense(DType::F32, &[4, 64, 20, 20], "nChw16c");
    let other = dense(DType::F32, &[4, 64, 20, 20], "nCwh16c");
    let part = |whole: &Descriptor| whole.submemory(&[1, 16, 0, 0], &[2, 32, 20, 20]).unwrap();
    check(&part(&whole), &part(&other), 8);
}

#[test]
fn backwards() {
    let spec = *dense(DType::U8, &[3, 4], "ab").spec();
    let of = |dims: &[usize], strides: &[isize], base| {
        Descriptor::from_parts(DType::U8, dims, spec, strides, base).unwrap()
    };
    check(&of(&[3, 4], &[4, 1], 0), &of(&[3, 4], &[-4, 1], 8), 1);
    check(&of(&[3, 4], &[-4, 1], 8), &of(&[3, 4], &[4, -1], 3), 2);
    check(&of(&[3, 4], &[-4, -1], 11), &of(&[3, 4], &[4, 1], 0), 3);
    check(&of(&[300, 400], &[-400, -1], 119_999), &of(&[300, 400], &[400, -1], 399), 4);
    let blocks = |format, strides: &[isize], base| {
        let spec = *dense(DType::U8, &[192, 5], format).spec();
        Descriptor::from_parts(DType::U8, &[192, 5], spec, strides, base).unwrap()
    };
    check(&blocks("Ab48a", &[-240, 48], 720), &blocks("Ab32a", &[160, 32], 0), 5);
    check(&blocks("Ab48a", &[240, 48], 0), &blocks("Ab32a", &[-160, -32], 928), 6);
}

/// Types of the same size are converted where they lie.
#[test]
fn conversions() {
    let types = [
        (DType::F32, DType::S32),
        (DType::S32, DType::F32),
        (DType::F16, DType::Bf16),
        (DType::S8, DType::U8),
    ];
    for (from, to) in types {
        for (dims, src, dst) in [
            ([2, 32, 3, 3], "nchw", "nchw"),
            ([2, 32, 3, 3], "nchw", "nhwc"),
            ([2, 20, 3, 3], "nChw16c", "nhwC16c"),
            ([2, 32, 30, 31], "nchw", "nhwc"),
            ([1, 1, 300, 300], "nchw", "nchw"),
            ([1, 1, 300, 300], "nchw", "ncwh"),
        ] {
            check(&dense(from, &dims, src), &dense(to, &dims, dst), 3);
        }
        check(&Descriptor::scalar(from), &Descriptor::scalar(to), 4);
    }
    let rows = |dtype| Descriptor::from_strides(dtype, &[100, 100], &[150, 1]).unwrap();
    let columns = |dtype| Descriptor::from_strides(dtype, &[100, 100], &[1, 150]).unwrap();
    let plan = check(&rows(DType::F32), &columns(DType::S32), 5);
    assert!(plan.to_string().ends_with("; then converted where they lie"));
}
