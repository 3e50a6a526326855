//! Several attributes along axes and in groups, of types of 4 bits: the numbers, and how much stack a run needs, whatever its types.

use crate::cache::stack;
use crate::oracle::{KEPT, convert, dense, fill};
use crate::packed::{check_onto, number};
use layout_core::descriptor::{DType, Descriptor};
use layout_core::kernels::convert::Rounding;
use layout_core::reorder::{Attributes, Reorder, Values};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The source's values along one axis and the destination's along the other.
fn run(types: (DType, DType), from: &str, to: &str, beta: Option<f32>, rounding: Rounding) {
    let dims = [130, 150];
    let (src, dst) = (dense(types.0, &dims, from), dense(types.1, &dims, to));
    let run = move || {
        let (rows, columns) = ([0.5f32; 130], [2.0f32; 150]);
        let mut attributes = Attributes::new()
            .src_shift(Values::per_axis('b', &columns))
            .src_scale(Values::per_axis('a', &rows))
            .dst_scale(Values::per_axis('b', &columns))
            .dst_shift(Values::per_axis('a', &rows));
        if let Some(beta) = beta {
            attributes = attributes.accumulate(beta);
        }
        attributes = attributes.rounding(rounding);
        run_plan(&src, &dst, &attributes);
    };
    on_small_stack(run);
}

/// Calls `run` on a thread of its own; where nothing is optimised, in which a stack says little, one call of several.
fn on_small_stack(run: impl FnOnce() + Send + 'static) {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    if !CALLS.fetch_add(1, Ordering::Relaxed).is_multiple_of(KEPT) {
        return;
    }
    std::thread::Builder::new().stack_size(stack()).spawn(run).unwrap().join().unwrap();
}

/// Makes a plan and runs it, with memory of the heap.
fn run_plan(src: &Descriptor, dst: &Descriptor, attributes: &Attributes<'_>) {
    let plan = Box::new(Reorder::with_attributes(src, dst, attributes).unwrap());
    let mut memory = vec![0; plan.src_len()];
    fill(src.dtype(), &mut memory, 3);
    let mut out = vec![0; plan.dst_len()];
    plan.run_with(&memory, &mut out, attributes).unwrap();
}

/// Operands of dot products, which are converted in one step and moved in another.
#[test]
fn runs_in_two_steps_need_little_stack() {
    for (from, to) in [
        (("oihw", DType::F32), ("OIhw4i16o4i", DType::S8)),
        (("OIhw4i16o4i", DType::S8), ("oihw", DType::F32)),
        (("hwio", DType::U8), ("OIhw8i16o2i", DType::Bf16)),
        (("OIhw8i16o2i", DType::S32), ("hwio", DType::F16)),
        (("oihw", DType::F32), ("OIhw4i16o4i", DType::S4)),
        (("OIhw4i16o4i", DType::U4), ("oihw", DType::F4E2M1)),
        (("nhwc", DType::F4E2M1), ("nchw", DType::F64)),
        (("hwio", DType::E8M0), ("OIhw4i16o4i", DType::U4)),
    ] {
        let [src, dst] = [from, to].map(|(format, dtype)| dense(dtype, &[64, 64, 3, 3], format));
        on_small_stack(move || {
            let (scales, shifts) = ([0.5f32; 64], [2.0f32; 64]);
            let [o, i] = if from.0.contains('n') { ['n', 'c'] } else { ['o', 'i'] };
            let attributes = Attributes::new()
                .src_scale(Values::per_axis(o, &scales))
                .dst_scale(Values::per_axis(i, &scales));
            let shifted = attributes.dst_shift(Values::per_axis(i, &shifts));
            for attributes in [Attributes::new(), attributes, shifted] {
                run_plan(&src, &dst, &attributes);
                run_plan(&src, &dst, &attributes.accumulate(0.5));
            }
        });
    }
}

#[test]
fn runs_of_four_bits_need_little_stack() {
    for from in ["ab", "ba", "BA16a64b4a", "ab^2"] {
        for to in ["ab", "ba", "BA16a64b", "BA16a64b2a", "AB16b64a2b", "ab^2"] {
            for types in [
                (DType::U4, DType::F32),
                (DType::S4, DType::Bf16),
                (DType::F32, DType::S4),
                (DType::Bf16, DType::U4),
                (DType::S4, DType::U4),
            ] {
                for beta in [None, Some(1.0), Some(0.5)] {
                    run(types, from, to, beta, Rounding::NearestEven);
                    run(types, from, to, beta, Rounding::Stochastic { seed: 5 });
                }
            }
        }
    }
}

/// Converting ways that go one inside the other: short rows and blocks with padding, numbers that are rounded by chance,
/// repetitions of a few elements, scales of rows and of columns.
#[test]
fn runs_within_runs_need_little_stack() {
    let (images, channels) = ([0.5f32; 3], [2.0f32; 67]);
    for dims in [[2, 67, 9, 11], [3, 3, 20, 20]] {
        for from in ["nchw", "nhwc", "chwn", "nChw8c"] {
            for to in ["nchw", "nhwc", "chwn", "nChw16c"] {
                for types in [
                    (DType::E8M0, DType::U4),
                    (DType::U4, DType::S32),
                    (DType::U8, DType::S4),
                    (DType::F64, DType::F8E4M3),
                ] {
                    for how in 0..4 {
                        let run = move || {
                            let (src, dst) = (dense(types.0, &dims, from), dense(types.1, &dims, to));
                            let mut attributes = Attributes::new();
                            if how > 0 {
                                attributes = attributes
                                    .src_scale(Values::per_axis('n', &images[..dims[0]]))
                                    .dst_scale(Values::per_axis('c', &channels[..dims[1]]));
                            }
                            if how > 1 {
                                attributes = attributes.accumulate(0.5);
                            }
                            if how > 2 {
                                attributes = attributes.rounding(Rounding::Stochastic { seed: 5 });
                            }
                            run_plan(&src, &dst, &attributes);
                        };
                        on_small_stack(run);
                    }
                }
            }
        }
    }
}

/// Lines that are put together, moved and converted, before or behind; with and without a scale for all, and rounded by chance.
#[test]
fn lines_need_little_stack() {
    for (from, to) in [
        ("OIhw8i8o", "OIhw8o8i"),
        ("OIhw8i16o2i", "OIhw8o8i"),
        ("oihw", "OIhw8o8i"),
        ("ohwi", "oihw"),
        ("OIhw16i16o", "OIhw8i16o2i"),
    ] {
        for types in [
            (DType::U8, DType::U8),
            (DType::S32, DType::S8),
            (DType::S8, DType::F32),
            (DType::F32, DType::S8),
            (DType::F32, DType::Bf16),
            (DType::F64, DType::F16),
            (DType::F32, DType::F8E4M3),
        ] {
            for dims in [[925, 3, 3, 3], [130, 67, 3, 3]] {
                let (src, dst) = (dense(types.0, &dims, from), dense(types.1, &dims, to));
                on_small_stack(move || {
                    let scaled = Attributes::new().src_scale(Values::common(0.5));
                    run_plan(&src, &dst, &Attributes::new());
                    run_plan(&src, &dst, &scaled);
                    run_plan(&src, &dst, &scaled.rounding(Rounding::Stochastic { seed: 5 }));
                });
            }
        }
    }
}

#[test]
fn other_runs_need_little_stack() {
    for (from, to) in [("ab", "ab"), ("ab", "ba"), ("ab", "BA16a64b"), ("ab", "ab^2")] {
        for types in [(DType::S8, DType::F32), (DType::F32, DType::Bf16), (DType::F32, DType::S8)] {
            for beta in [None, Some(0.5)] {
                run(types, from, to, beta, Rounding::NearestEven);
                run(types, from, to, beta, Rounding::TowardZero);
            }
        }
    }
}

/// Scales along one axis and zero points in groups along the other, from every type of 4 bits and to such, both axes first.
#[test]
fn scaled_in_groups() {
    let dims = [70usize, 200];
    let scales: Vec<f32> =
        (0..dims[0].div_ceil(32) * dims[1]).map(|i| 0.25 + (i % 37) as f32 / 64.0).collect();
    let shifts: Vec<f32> = (0..dims[0] * dims[1].div_ceil(32)).map(|i| (i % 11) as f32 - 5.0).collect();
    let types = [
        (DType::S4, DType::F32),
        (DType::U4, DType::Bf16),
        (DType::F4E3M0, DType::F16),
        (DType::F32, DType::S4),
        (DType::Bf16, DType::U4),
        (DType::S4, DType::U4),
        (DType::F4E2M1, DType::S4),
    ];
    for (src, dst) in types {
        for (from, to) in [
            ("ab", "ab"),
            ("ab", "ba"),
            ("ba", "ab"),
            ("ab", "BA16a64b"),
            ("BA16a64b4a", "ab"),
            ("ab", "ab^2"),
            ("aB3b", "ba"),
        ] {
            for beta in [None, Some(0.5)] {
                let mut attributes = Attributes::new()
                    .src_shift(Values::grouped(&[('a', 1), ('b', 32)], &shifts))
                    .src_scale(Values::grouped(&[('a', 32), ('b', 1)], &scales));
                if let Some(beta) = beta {
                    attributes = attributes.accumulate(beta);
                }
                let (src, dst) = (dense(src, &dims, from), dense(dst, &dims, to));
                check_onto((&src, &dst), &attributes, 5, 0, |index, from, to| {
                    let shift = shifts[index[0] * dims[1].div_ceil(32) + index[1] / 32];
                    let scale = scales[index[0] / 32 * dims[1] + index[1]];
                    let mut sum = (number(src.dtype(), from) - shift) * scale;
                    if let Some(beta) = beta {
                        sum += beta * number(dst.dtype(), to);
                    }
                    convert(DType::F32, dst.dtype(), &sum.to_ne_bytes(), to);
                });
            }
        }
    }
}

/// Scales and zero points of rows that become floats: for neighbours in groups, for columns, for rows, for all; with tails, rows
/// that begin with half a byte, and more rows and columns than values are kept at hand.
#[test]
fn scaled_rows() {
    let types = [
        (DType::S4, DType::F32),
        (DType::U4, DType::F16),
        (DType::S4, DType::Bf16),
        (DType::F4E2M1, DType::Bf16),
        (DType::F4E3M0, DType::F32),
        (DType::F4E3M0, DType::F16),
        (DType::S8, DType::F32),
        (DType::S8, DType::Bf16),
        (DType::U8, DType::F16),
        (DType::S4, DType::S8),
    ];
    for dims in [[5usize, 192], [37, 33], [2, 1050], [530, 32], [9, 48]] {
        let all = dims;
        for (scale, shift) in [
            ([1, 32], None),
            ([1, 32], Some([1, 16])),
            ([1, 16], Some(all)),
            ([1, 7], None),
            ([32, 1], None),
            ([1, dims[1]], Some([dims[0], 1])),
            ([4, 32], Some([1, dims[1]])),
            ([1, 1], Some([1, 32])),
            (all, Some(all)),
        ] {
            let groups = |by: [usize; 2]| [0, 1].map(|i| dims[i].div_ceil(by[i]));
            let values = |by: [usize; 2]| -> Vec<f32> {
                let [a, b] = groups(by);
                (0..a * b).map(|i| 0.25 + (i % 37) as f32 / 16.0).collect()
            };
            let at = |by: [usize; 2], index: &[usize]| index[0] / by[0] * groups(by)[1] + index[1] / by[1];
            let scales = values(scale);
            let shifts = shift.map(values);
            let axes = |by: [usize; 2]| [('a', by[0]), ('b', by[1])];
            let (scale_axes, shift_axes) = (axes(scale), shift.map(axes));
            let mut attributes = Attributes::new().src_scale(Values::grouped(&scale_axes, &scales));
            if let (Some(axes), Some(shifts)) = (&shift_axes, &shifts) {
                attributes = attributes.src_shift(Values::grouped(axes, shifts));
            }
            for (k, (src, dst)) in types.into_iter().enumerate() {
                let to = if k % 3 == 0 && dims[0] < 40 { "BA16a64b" } else { "ab" };
                let (src, dst) = (dense(src, &dims, "ab"), dense(dst, &dims, to));
                check_onto((&src, &dst), &attributes, 7, 0, |index, from, to| {
                    let mut value = number(src.dtype(), from);
                    if let (Some(by), Some(shifts)) = (shift, &shifts) {
                        value -= shifts[at(by, index)];
                    }
                    value *= scales[at(scale, index)];
                    convert(DType::F32, dst.dtype(), &value.to_ne_bytes(), to);
                });
            }
        }
    }
}

/// Several matrices that are crossed while they become floats: a scale and a zero point for all, for each line, for each matrix, and
/// for groups of a line's or of a row's elements; of whole squares, and with tails.
#[test]
fn scaled_squares() {
    let types = [
        (DType::S4, DType::Bf16),
        (DType::U4, DType::F16),
        (DType::F4E2M1, DType::F32),
        (DType::S4, DType::F32),
        (DType::F4E3M0, DType::Bf16),
        (DType::S4, DType::S8),
    ];
    let dims = [[1usize, 128, 130], [3, 96, 257], [2, 33, 128], [5, 32, 128], [1, 70, 256], [2, 130, 160]];
    let mut turn = 0_usize;
    for (k, dims) in dims.into_iter().enumerate() {
        let all = dims;
        for (scale, shift) in [
            (all, None),
            ([1, 32, 1], None),
            ([1, 32, 1], Some([1, 32, 1])),
            ([dims[0], dims[1], 1], None),
            ([1, dims[1], 1], Some(all)),
            ([1, dims[1], dims[2]], None),
            ([1, 1, dims[2]], None),
            ([1, 16, 1], None),
            ([1, 1, 32], None),
            ([1, 1, 64], None),
            ([1, 1, 48], None),
            ([1, 1, 128], None),
            ([1, 32, 32], None),
            ([1, 1, 32], Some([1, 1, 32])),
        ] {
            let groups = |by: [usize; 3]| [0, 1, 2].map(|i| dims[i].div_ceil(by[i]));
            let at = |by: [usize; 3], index: &[usize]| {
                let [_, b, c] = groups(by);
                (index[0] / by[0] * b + index[1] / by[1]) * c + index[2] / by[2]
            };
            let values = |by: [usize; 3]| -> Vec<f32> {
                (0..groups(by).into_iter().product()).map(|i: usize| 0.25 + (i % 37) as f32 / 16.0).collect()
            };
            let axes = |by: [usize; 3]| [('a', by[0]), ('b', by[1]), ('c', by[2])];
            let (scales, scale_axes) = (values(scale), axes(scale));
            let shifts = shift.map(|by| (values(by), axes(by)));
            let mut attributes = Attributes::new().src_scale(Values::grouped(&scale_axes, &scales));
            if let Some((shifts, axes)) = &shifts {
                attributes = attributes.src_shift(Values::grouped(axes, shifts));
            }
            for (src, dst) in types {
                turn += 1;
                if !turn.is_multiple_of(KEPT) {
                    continue;
                }
                let to = if k % 2 == 0 { "acb" } else { "cab" };
                let (src, dst) = (dense(src, &dims, "abc"), dense(dst, &dims, to));
                check_onto((&src, &dst), &attributes, 9, 0, |index, from, to| {
                    let mut value = number(src.dtype(), from);
                    if let Some((by, (shifts, _))) = shift.zip(shifts.as_ref()) {
                        value -= shifts[at(by, index)];
                    }
                    value *= scales[at(scale, index)];
                    convert(DType::F32, dst.dtype(), &value.to_ne_bytes(), to);
                });
            }
        }
    }
}

/// Factors of lines and of rows, of which some make results subnormal, zero or infinite, and of squares in which none does.
#[test]
fn factors_of_any_size() {
    let dims = [192usize, 256];
    let odd = [f32::MIN_POSITIVE, 1e-45, -1.5e-38, 3e38, f32::INFINITY, 0.0, -0.0, 4.7e-38, 1.0 / 3.0];
    for (k, by) in [[1usize, 32], [32, 1], [1, 128], [1, 256]].into_iter().enumerate() {
        let groups = [0, 1].map(|i| dims[i].div_ceil(by[i]));
        for every in [5, 1000] {
            let scale = |i: usize| {
                if i.is_multiple_of(every) { odd[i / every % odd.len()] } else { 1.0 + i as f32 / 97.0 }
            };
            // The first squares have ordinary ones.
            let scales: Vec<f32> = (0..groups[0] * groups[1]).map(|i| scale(i + 1)).collect();
            let axes = [('a', by[0]), ('b', by[1])];
            let attributes = Attributes::new().src_scale(Values::grouped(&axes, &scales));
            for src in [DType::S4, DType::F4E3M0] {
                for dst in [DType::Bf16, DType::F16] {
                    let (src, dst) = (dense(src, &dims, "ab"), dense(dst, &dims, "ba"));
                    check_onto((&src, &dst), &attributes, k as u64, 0, |index, from, to| {
                        let scale = scales[index[0] / by[0] * groups[1] + index[1] / by[1]];
                        let value = number(src.dtype(), from) * scale;
                        convert(DType::F32, dst.dtype(), &value.to_ne_bytes(), to);
                    });
                }
            }
        }
    }
}
