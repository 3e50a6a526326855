//! Tensors that are moved in several steps, by way of buffers in the order of one side: weights for dot products and pixels of few
//! channels, of 4 bits and more, with parameters that differ within rows, sums, and padding.

use layout_core::descriptor::DType;
use layout_core::reorder::{Attributes, Values};

use crate::oracle::{KEPT, convert, dense};
use crate::packed::{check_onto, number};

/// Parameters, and whether the destination is added.
const WAYS: [(bool, bool, bool); 6] = [
    (false, false, false),
    (true, false, false),
    (false, true, false),
    (true, true, false),
    (false, false, true),
    (true, true, true),
];

/// Moves numbers of `types` from one format to the other: the first two axes have scales and zero points. `case` counts the
/// calls, so that each takes other ways where the test takes a part of them.
fn check(case: usize, types: (DType, DType), dims: &[usize; 4], from: &str, to: &str) {
    let names = if from.to_lowercase().contains('o') { ['o', 'i'] } else { ['n', 'c'] };
    let scales: Vec<f32> = (0..dims[0]).map(|i| 0.25 + (i % 7) as f32 / 8.0).collect();
    let shifts: Vec<f32> = (0..dims[1]).map(|i| (i % 5) as f32 - 2.0).collect();
    for (way, (scaled, shifted, sums)) in WAYS.into_iter().enumerate() {
        if !(case + way).is_multiple_of(KEPT) {
            continue;
        }
        let mut attributes = Attributes::new();
        if scaled {
            attributes = attributes.src_scale(Values::per_axis(names[0], &scales));
        }
        if shifted {
            attributes = attributes.src_shift(Values::per_axis(names[1], &shifts));
        }
        if sums {
            attributes = attributes.accumulate(0.5);
        }
        let (src, dst) = (dense(types.0, dims, from), dense(types.1, dims, to));
        check_onto((&src, &dst), &attributes, 11, 0, |index, from, to| {
            if !(scaled || shifted || sums) {
                convert(types.0, types.1, from, to);
                return;
            }
            let mut value = number(types.0, from);
            if shifted {
                value -= shifts[index[1]];
            }
            if scaled {
                value *= scales[index[0]];
            }
            if sums {
                value += 0.5 * number(types.1, to);
            }
            convert(DType::F32, types.1, &value.to_ne_bytes(), to);
        });
    }
}

/// Types of which the source, the destination or both are packed, or neither.
const TYPES: [(DType, DType); 13] = [
    (DType::S4, DType::S4),
    (DType::F4E2M1, DType::F4E2M1),
    (DType::U4, DType::S4),
    (DType::S4, DType::S8),
    (DType::U8, DType::U4),
    (DType::S4, DType::U8),
    (DType::U4, DType::F32),
    (DType::F32, DType::S4),
    (DType::F4E3M0, DType::Bf16),
    (DType::F16, DType::F4E2M1),
    (DType::S8, DType::F32),
    (DType::F32, DType::Bf16),
    (DType::S32, DType::S8),
];

#[test]
fn weights() {
    let mut cases = 0..;
    let mut check = |types, dims, from, to| check(cases.next().unwrap(), types, dims, from, to);
    for types in TYPES {
        for dims in &[[20, 35, 3, 3], [32, 16, 3, 3], [7, 130, 1, 5], [33, 130, 1, 1]] {
            check(types, dims, "oihw", "OIhw4i16o4i");
            check(types, dims, "OIhw4i16o4i", "oihw");
        }
        for dims in &[[35, 20, 3, 3], [64, 16, 2, 3]] {
            check(types, dims, "hwio", "OIhw8i16o2i");
            check(types, dims, "OIhw8i16o2i", "oihw");
            check(types, dims, "oihw", "hwio");
            check(types, dims, "hwio", "OIhw16i16o");
        }
    }
}

#[test]
fn pixels() {
    let mut cases = 0..;
    for types in TYPES {
        for dims in [[2, 3, 40, 41], [1, 3, 17, 9], [1, 16, 20, 21], [1, 64, 17, 9], [3, 5, 30, 31]] {
            for (from, to) in [
                ("nhwc", "nchw"),
                ("nchw", "nhwc"),
                ("nhwc", "nChw16c"),
                ("nChw16c", "nhwc"),
                ("nChw16c", "nchw"),
                ("nChw8c", "nChw16c"),
                ("chwn", "NChw16n16c"),
                ("chwn", "nChw16c"),
                ("chwn", "nhwc"),
            ] {
                check(cases.next().unwrap(), types, &dims, from, to);
            }
        }
    }
}

/// Weights of a matrix multiplication in groups, rows and columns that share a scale, and zero points the other way: rows of either side
/// are parted by these or not, and tiles end inside.
#[test]
fn matrices_in_groups() {
    const FORMATS: [(&str, &str); 7] = [
        ("ab", "BA16a64b2a"),
        ("BA16a64b2a", "ab"),
        ("ab", "BA16a64b4a"),
        ("ba", "BA16a64b2a"),
        ("ab", "AB16b64a2b"),
        ("ab", "BA16a64b"),
        ("AB16b64a2b", "ba"),
    ];
    const TYPES: [(DType, DType); 9] = [
        (DType::S4, DType::Bf16),
        (DType::U4, DType::F32),
        (DType::S4, DType::S8),
        (DType::F16, DType::S4),
        (DType::S8, DType::Bf16),
        (DType::U8, DType::F32),
        (DType::F32, DType::S8),
        (DType::Bf16, DType::S8),
        (DType::F32, DType::Bf16),
    ];
    const GROUPS: [[(char, usize); 2]; 6] = [
        [('a', 1), ('b', 256)],
        [('a', 256), ('b', 1)],
        [('a', 32), ('b', 1)],
        [('a', 1), ('b', 32)],
        [('a', 1), ('b', 64)],
        [('a', 24), ('b', 1)],
    ];
    let mut case = 0;
    for dims in [[64usize, 128], [70, 200]] {
        for (from, to) in FORMATS {
            for types in TYPES {
                for (way, groups) in GROUPS.iter().enumerate() {
                    case += 1;
                    if !(case as usize).is_multiple_of(KEPT) {
                        continue;
                    }
                    let place = |[a, b]: [(char, usize); 2], index: &[usize]| {
                        index[0] / a.1 * dims[1].div_ceil(b.1) + index[1] / b.1
                    };
                    let other = GROUPS[(way + 1) % GROUPS.len()];
                    let count = |[a, b]: [(char, usize); 2]| dims[0].div_ceil(a.1) * dims[1].div_ceil(b.1);
                    let scales: Vec<f32> =
                        (0..count(*groups)).map(|i| 0.25 + (i % 37) as f32 / 64.0).collect();
                    let shifts: Vec<f32> = (0..count(other)).map(|i| (i % 11) as f32 - 5.0).collect();
                    let mut attributes = Attributes::new().src_scale(Values::grouped(groups, &scales));
                    let shifted = case % 2 == 0;
                    if shifted {
                        attributes = attributes.src_shift(Values::grouped(&other, &shifts));
                    }
                    let (src, dst) = (dense(types.0, &dims, from), dense(types.1, &dims, to));
                    check_onto((&src, &dst), &attributes, case, 0, |index, from, to| {
                        let shift = if shifted { shifts[place(other, index)] } else { 0.0 };
                        let value = (number(types.0, from) - shift) * scales[place(*groups, index)];
                        convert(DType::F32, types.1, &value.to_ne_bytes(), to);
                    });
                }
            }
        }
    }
}
