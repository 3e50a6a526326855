//! Elements of 4 bits in the layouts that have ways of their own, and around them; types of a byte in tensors and slices.

use crate::oracle::{KEPT, Places, check, convert, dense, fill, for_each_index, get, put};
use layout_core::descriptor::{Boolean, DType, Descriptor, E8M0, F8E4M3, F8E5M2};
use layout_core::layout::{Nchw, Nchw16c, Nhwc};
use layout_core::reorder::{
    Attributes, InPlaceError, Padding, Reorder, ReorderError, ReorderInPlace, Values, convert_slice,
};
use layout_core::view::Tensor;

/// Whole bytes, parted ones, and tails, along both axes.
#[test]
fn matrices_of_all_small_sizes() {
    let sizes = [1, 2, 3, 16, 17, 128, 130, 257];
    for (i, rows) in sizes.into_iter().enumerate() {
        for (j, columns) in sizes.into_iter().enumerate() {
            if !(i + 2 * j).is_multiple_of(KEPT) {
                continue;
            }
            let of = |dtype, format| dense(dtype, &[rows, columns], format);
            for format in ["ab", "ba", "BA16a64b", "BA16a64b4a", "BA64b2a", "AB8a4b", "ab^2", "ba^64B"] {
                check(&of(DType::U4, "ab"), &of(DType::U4, format), 1);
                check(&of(DType::S4, format), &of(DType::S4, "ba"), 2);
            }
            check(&of(DType::S4, "ab"), &of(DType::S8, "ba"), 3);
            check(&of(DType::S4, "ab"), &of(DType::S8, "ab"), 6);
            check(&of(DType::S8, "ab"), &of(DType::U4, "BA16a64b4a"), 7);
            check(&of(DType::S4, "ab"), &of(DType::S8, "BA16a64b4a"), 14);
            check(&of(DType::U4, "ab"), &of(DType::U8, "BA16a64b4a"), 15);
            check(&of(DType::S4, "BA16a64b4a"), &of(DType::S4, "ab"), 16);
            check(&of(DType::U4, "ab"), &of(DType::U8, "ba"), 17);
            check(&of(DType::S8, "ab"), &of(DType::S4, "ab^2"), 8);
            check(&of(DType::S8, "ab"), &of(DType::S4, "ba"), 10);
            check(&of(DType::U8, "ba"), &of(DType::U4, "ab"), 11);
            check(&of(DType::U8, "ab"), &of(DType::S4, "ba"), 18);
            check(&of(DType::S8, "ba"), &of(DType::U4, "ab"), 19);
            check(&of(DType::F16, "ab"), &of(DType::S4, "ba"), 12);
            check(&of(DType::U4, "ba"), &of(DType::S4, "ab"), 13);
            check(&of(DType::U4, "BA16a64b4a"), &of(DType::F16, "ab"), 9);
            check(&of(DType::F32, "ab"), &of(DType::F4E2M1, "BA16a64b"), 4);
            check(&of(DType::F4E3M0, "ab"), &of(DType::Bf16, "ba"), 5);
        }
    }
}

/// Parts of matrices that begin in either half of a byte, with rows of odd and of even length, onto such parts.
#[test]
fn parts_at_every_half_byte() {
    let types = [
        (DType::U4, DType::U4),
        (DType::S4, DType::S8),
        (DType::S8, DType::S4),
        (DType::U8, DType::U4),
        (DType::S4, DType::U4),
        (DType::F4E2M1, DType::F16),
        (DType::F32, DType::U4),
    ];
    let mut seed = 0;
    for [rows, columns] in [[19, 150], [150, 19], [20, 23], [131, 132]] {
        for first in 0..8 {
            for format in [["ab", "ba"], ["ba", "ab"], ["ab", "ab"], ["ab", "AB8a4b"], ["AB8a4b", "ba"]] {
                seed += 1;
                let part = |dtype, format, by: usize| {
                    let start = [first & by, first >> 2 & by];
                    let whole =
                        [rows + start[0] + seed as usize % 2, columns + start[1] + seed as usize / 2 % 2];
                    dense(dtype, &whole, format).submemory(&start, &[rows, columns])
                };
                let (src, dst) = types[seed as usize % types.len()];
                for by in [1, 0] {
                    if let (Ok(src), Ok(dst)) = (part(src, format[0], 1), part(dst, format[1], by)) {
                        check(&src, &dst, seed);
                    }
                }
            }
        }
    }
}

/// Blocks in blocks, inside of which all axes end, of so many elements that no buffer holds them: parts are cut in every loop. All of
/// a tensor, and a part that begins inside of blocks and of bytes, onto another.
#[test]
fn blocks_in_parts() {
    let formats =
        ["abc", "cba", "cAB8b8a", "aCB4b3c2b", "cBA16a64b2a", "bcA6a", "CBA8a4b4c", "bcA2a3a5a", "abC64c"];
    let types = [
        (DType::S4, DType::S4),
        (DType::S4, DType::U4),
        (DType::U4, DType::S4),
        (DType::S4, DType::U8),
        (DType::S8, DType::U4),
        (DType::U8, DType::S4),
        (DType::S4, DType::Bf16),
        (DType::F32, DType::S4),
        (DType::F4E2M1, DType::F64),
        (DType::F4E2M1, DType::F4E3M0),
        (DType::U4, DType::E8M0),
    ];
    let mut seed = 0;
    for dims in [[17, 67, 33], [130, 3, 91], [1, 257, 129], [43, 44, 45]] {
        for from in formats {
            for to in formats {
                seed += 1;
                if !(seed as usize).is_multiple_of(KEPT) {
                    continue;
                }
                let (src, dst) = types[seed as usize % types.len()];
                let (src_all, dst_all) = (dense(src, &dims, from), dense(dst, &dims, to));
                check(&src_all, &dst_all, seed);
                let (start, part) = ([dims[0] / 5, 1, 3], [dims[0] - dims[0] / 5, dims[1] - 1, dims[2] - 9]);
                if let (Ok(src), Ok(dst)) =
                    (src_all.submemory(&start, &part), dst_all.submemory(&start, &part))
                {
                    check(&src, &dst, seed);
                }
                let whole = dense(dst, &part, to);
                if let Ok(src) = src_all.submemory(&start, &part) {
                    check(&src, &whole, seed);
                }
            }
        }
    }
}

/// Squares of which rows and lines begin in either half of a byte, every other one or all; near one another and far apart, several
/// matrices, and sizes at which squares overlap.
#[test]
fn squares_at_every_half_byte() {
    let mut seed = 0;
    for [rows, columns] in [[255, 256], [129, 256], [385, 254], [192, 128], [250, 383]] {
        for start in [[0, 0], [0, 1], [1, 0], [1, 1]] {
            for by in [[0, 0], [1, 1], [seed as usize % 2, 1 - seed as usize % 2]] {
                seed += 1;
                if !(seed as usize).is_multiple_of(KEPT) {
                    continue;
                }
                let far = if seed % 3 == 0 { 3200 } else { 0 };
                let part = |format, start: [usize; 2], by: [usize; 2]| {
                    let whole = [0, 1].map(|i| [rows, columns][i] + start[i] + by[i] + [0, far][i]);
                    dense(DType::U4, &whole, format).submemory(&start, &[rows, columns]).unwrap()
                };
                let [other_start, other_by] = [start, by].map(|[a, b]| [b, a]);
                check(&part("ab", start, by), &part("ba", other_start, other_by), seed);
                check(&part("ab", start, by), &dense(DType::U4, &[rows, columns], "ba"), seed);
            }
        }
        let batch = |format| dense(DType::S4, &[3, rows, columns], format);
        check(&batch("abc"), &batch("acb"), seed);
    }
    let large = |format| dense(DType::S4, &[180, 3073], format);
    check(&large("ab"), &large("ba"), seed);
    check(&large("ba"), &large("ab"), seed);
}

/// Lines that lie pages apart, of more bytes than the nearer caches hold: a few squares of each line are written together.
#[test]
fn lines_that_compete() {
    for (seed, (from, to)) in [
        (DType::S4, DType::S4),
        (DType::U4, DType::U8),
        (DType::S4, DType::F16),
        (DType::S4, DType::F32),
        (DType::S8, DType::S4),
    ]
    .into_iter()
    .enumerate()
    {
        let dims = [2020 + seed, 131];
        let (src, dst) = (dense(from, &dims, "ab^2"), dense(to, &dims, "ba^8192"));
        check_onto((&src, &dst), &Attributes::new(), seed as u64, 0, |_, read, out| {
            convert(from, to, read, out);
        });
    }
    // With a scale for each row, and for each line.
    let dims = [2030, 131];
    let scales: Vec<f32> = (0..dims[0]).map(|i| 0.25 + (i % 37) as f32 / 64.0).collect();
    for (axis, along) in [('a', 0), ('b', 1)] {
        for to in [DType::Bf16, DType::F32] {
            let (src, dst) = (dense(DType::S4, &dims, "ab^2"), dense(to, &dims, "ba^8192"));
            let attributes = Attributes::new().src_scale(Values::per_axis(axis, &scales[..dims[along]]));
            check_onto((&src, &dst), &attributes, 7, 0, |index, read, out| {
                let scaled = number(DType::S4, read) * scales[index[along]];
                convert(DType::F32, to, &scaled.to_ne_bytes(), out);
            });
        }
    }
}

/// Blocks whose rows go on in one another, any number of them: a line of the source holds rows of several.
#[test]
fn blocks_beside_one_another() {
    for (i, (rows, blocks)) in
        [(64, 17), (128, 16), (12, 5), (20, 6), (4, 300), (8, 1), (12, 1), (68, 33)].into_iter().enumerate()
    {
        if cfg!(debug_assertions) && rows * blocks > 1088 {
            continue;
        }
        for (format, block) in [("BA16a64b4a", 64), ("BA64b4a", 64), ("BA128b4a", 128), ("BA32b4a", 32)] {
            let of = |dtype, format| dense(dtype, &[rows, blocks * block], format);
            let dtype = [DType::U4, DType::S4, DType::F4E2M1][i % 3];
            check(&of(dtype, "ab"), &of(dtype, format), 1);
            check(&of(DType::S4, "ab"), &of(DType::S8, format), 2);
            check(&of(DType::U4, "ab"), &of(DType::U8, format), 3);
            check(&of(DType::U4, "ab"), &of(DType::S8, format), 4);
            check(&of(dtype, format), &of(dtype, "ab"), 5);
            // Behind an odd number of elements, on either side.
            let part = |dtype, format| {
                let whole = [rows, (blocks + 2) * block];
                dense(dtype, &whole, format).submemory(&[0, block], &[rows, blocks * block]).unwrap()
            };
            let odd = dense(DType::S4, &[rows + 1, blocks * block + 1], "ab");
            check(&part(DType::S4, "ab"), &part(DType::S4, format), 6);
            check(&odd.submemory(&[1, 1], &[rows, blocks * block]).unwrap(), &part(DType::S8, format), 7);
        }
    }
    // More rows than are taken at a time.
    let dims = [300, 64 * 17];
    let scales: Vec<f32> = (0..dims[0]).map(|i| 0.25 + (i % 37) as f32 / 64.0).collect();
    let attributes = Attributes::new().src_scale(Values::per_axis('a', &scales));
    for (src, dst) in [(DType::U4, DType::F16), (DType::S4, DType::Bf16), (DType::F4E2M1, DType::F32)] {
        let (src, dst) = (dense(src, &dims, "ab"), dense(dst, &dims, "BA4a64b"));
        check(&src, &dst, 8);
        check_onto((&src, &dst), &attributes, 9, 0, |index, from, to| {
            let value = number(src.dtype(), from) * scales[index[0]];
            convert(DType::F32, dst.dtype(), &value.to_ne_bytes(), to);
        });
    }
}

#[test]
fn pairs_are_moved_as_bytes() {
    let plan = |from, to, dims: &[usize]| {
        Reorder::new(&dense(DType::U4, dims, from), &dense(DType::U4, dims, to)).unwrap().to_string()
    };
    assert!(
        plan("abcd", "acbd", &[8, 9, 10, 12]).contains("copy"),
        "{}",
        plan("abcd", "acbd", &[8, 9, 10, 12])
    );
    assert!(plan("nhwc", "nChw16c", &[2, 64, 5, 5]).contains("copy"));
    let identical = plan("ab", "ab", &[64, 64]);
    assert!(identical.contains("stream copy"), "{identical}");
}

/// Parts that run at the same time do not share bytes.
#[cfg(feature = "rayon")]
#[test]
fn parallel_runs_are_the_same() {
    for (dims, from, to) in [
        ([1031, 1029], "ab", "ba"),
        ([1024, 2048], "ab", "ba"),
        ([2048, 1023], "ab", "BA16a64b"),
        ([3001, 999], "ba", "ab"),
    ] {
        let (src, dst) = (dense(DType::S4, &dims, from), dense(DType::S4, &dims, to));
        let mut memory = vec![0; src.size_bytes()];
        fill(DType::S4, &mut memory, 9);
        let plan = Reorder::new(&src, &dst).unwrap();
        let (mut found, mut expected) = (vec![0xA5; dst.size_bytes()], vec![0xA5; dst.size_bytes()]);
        plan.par_run(&memory, &mut found).unwrap();
        plan.run(&memory, &mut expected).unwrap();
        assert!(found == expected, "{dims:?} {from} {to}");
    }
}

/// What shares a byte stays together; padding is zero in every half.
#[test]
fn pairs_move_in_place() {
    let mut moved = 0;
    for (dims, formats) in [
        (&[2, 64, 6, 5][..], &["nhwc", "nChw16c", "nChw8c", "nChw4c", "nChw2c", "nChw32c"][..]),
        (&[3, 13, 4, 7], &["nChw16c", "nhwC16c", "Chwn16c"]),
        (&[16, 24], &["ab", "aB4b", "aB8b", "aB2b", "Ab16a", "Ba12b"]),
        (&[7], &["a"]),
        (&[5, 6], &["ab"]),
    ] {
        for from in formats {
            for to in formats {
                let (src, dst) = (dense(DType::U4, dims, from), dense(DType::U4, dims, to));
                let Ok(plan) = ReorderInPlace::new(&src, &dst) else { continue };
                let mut memory = vec![0; src.size_bytes() + 1];
                fill(DType::U4, &mut memory, 5);
                let mut expected = memory.clone();
                Reorder::new(&src, &dst).unwrap().run(&memory, &mut expected).unwrap();
                plan.run(&mut memory).unwrap();
                assert!(memory == expected, "{dims:?} {from} {to}: {plan}");
                moved += 1;
            }
        }
    }
    assert!(moved > 60, "{moved}");
}

#[test]
fn two_elements_of_a_byte_do_not_part_in_place() {
    let of = |dtype, format| dense(dtype, &[4, 4], format);
    assert_eq!(
        ReorderInPlace::new(&of(DType::U4, "ab"), &of(DType::U4, "ba")).err(),
        Some(InPlaceError::SharedBytes { src: DType::U4, dst: DType::U4 })
    );
    let error = ReorderInPlace::new(&of(DType::U4, "ab"), &of(DType::U8, "ab")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "an element takes 4 bits as u4, but 8 as u8: this cannot be done in place; reorder into other memory"
    );
}

#[test]
fn buffers_of_odd_counts() {
    let row = dense(DType::U4, &[7], "a");
    let plan = Reorder::new(&row, &row).unwrap();
    assert_eq!((plan.src_len(), plan.bytes_read(), plan.bytes_written()), (4, 4, 4));
    let error = plan.run(&[0; 3], &mut [0; 4]).unwrap_err();
    assert_eq!(error.to_string(), "the source needs 4 bytes, but its buffer has 3");
    // The half of a byte that is nobody's stays.
    let mut out = [0xFF; 4];
    plan.run(&[0x21, 0x43, 0x65, 0x07], &mut out).unwrap();
    assert_eq!(out, [0x21, 0x43, 0x65, 0xF7]);
}

#[test]
fn tensors_of_small_types() {
    let image =
        Tensor::<f32, Nhwc>::from_fn([1, 3, 4, 5], |[_, c, h, w]| (c * 100 + h * 10 + w) as f32).unwrap();
    let small: Tensor<F8E4M3, Nchw16c> = image.convert();
    let back: Tensor<f32, Nchw> = small.convert();
    let scales: Tensor<E8M0, Nhwc> = image.cast();
    let wide: Tensor<f32, Nchw16c> = scales.convert();
    let flags: Tensor<Boolean, Nhwc> = image.cast();
    for_each_index(&[1, 3, 4, 5], |index| {
        let index: [usize; 4] = index.try_into().unwrap();
        let value = image[index];
        assert_eq!(back[index], F8E4M3::from_f32(value).to_f32());
        assert_eq!(small[index], F8E4M3::from_f32(value));
        let power = if value == 0.0 { 2f32.powi(-127) } else { 2f32.powi(value.log2().floor() as i32) };
        assert_eq!(wide[index], power, "{value}");
        assert_eq!(flags[index].get(), value != 0.0);
    });
    // Padding is zero, though a zero byte of e8m0 is not.
    assert!(wide.as_slice().chunks(16).all(|block| block[3..] == [0.0; 13]));
}

#[test]
fn slices_of_every_length() {
    for len in (0..70).chain([1000, 4097]) {
        let floats: Vec<f32> = (0..len).map(|i| i as f32 * 0.37 - 200.0).collect();
        let mut small = vec![F8E5M2::default(); len];
        convert_slice(&floats, &mut small).unwrap();
        assert!(small.iter().zip(&floats).all(|(small, &float)| *small == F8E5M2::from_f32(float)));
        let mut same = vec![F8E5M2::default(); len];
        convert_slice(&small, &mut same).unwrap();
        assert!(same.iter().zip(&small).all(|(a, b)| a.to_bits() == b.to_bits()));
    }
    assert_eq!(convert_slice(&[1u8, 2], &mut [0f32]), Err(ReorderError::SliceLength { src: 2, dst: 1 }));
}

#[cfg(feature = "half")]
#[test]
fn slices_of_halves() {
    for len in (0..70).chain([1000, 4097]) {
        let floats: Vec<f32> = (0..len).map(|i| i as f32 * 0.37 - 200.0).collect();
        let mut halves = vec![half::f16::ZERO; len];
        convert_slice(&floats, &mut halves).unwrap();
        assert!(halves.iter().zip(&floats).all(|(half, &float)| *half == half::f16::from_f32(float)));
        let mut small = vec![F8E4M3::default(); len];
        convert_slice(&halves, &mut small).unwrap();
        assert!(
            small
                .iter()
                .zip(&halves)
                .all(|(small, half)| small.to_bits() == F8E4M3::from_f32(half.to_f32()).to_bits())
        );
    }
}

/// Runs a reorder with `attributes` on memory that holds numbers before; compares each element with `element`, which gets the
/// number that was there, and padding with `padding`.
pub(crate) fn check_onto(
    (src, dst): (&Descriptor, &Descriptor),
    attributes: &Attributes<'_>,
    seed: u64,
    padding: u8,
    element: impl Fn(&[usize], &[u8], &mut [u8]),
) {
    let plan = Reorder::with_attributes(src, dst, attributes).unwrap();
    let (mut from, mut before) = (vec![0; src.size_bytes()], vec![0; dst.size_bytes() + 2]);
    fill(src.dtype(), &mut from, seed);
    fill(dst.dtype(), &mut before, seed + 1);
    let (mut found, mut expected) = (before.clone(), before.clone());
    plan.run_with(&from, &mut found, attributes).unwrap();
    let (from_places, to_places) = (Places::of(src), Places::of(dst));
    for_each_index(dst.padded_dims(), |index| {
        let at = to_places.offset(index);
        let mut out = vec![padding; dst.dtype().size()];
        if index.iter().zip(dst.dims()).all(|(index, dim)| index < dim) {
            out.copy_from_slice(&get(dst.dtype(), &before, at));
            element(index, &get(src.dtype(), &from, from_places.offset(index)), &mut out);
        }
        put(dst.dtype(), &mut expected, at, &out);
    });
    assert!(found == expected, "{src:?}\n-> {dst:?}\n{attributes:?}\n{plan}");
    #[cfg(feature = "rayon")]
    {
        plan.par_run_with(&from, &mut before, attributes).unwrap();
        assert!(before == expected, "in parts: {plan}");
    }
}

pub(crate) fn number(dtype: DType, bytes: &[u8]) -> f32 {
    let mut number = [0; 4];
    convert(dtype, DType::F32, bytes, &mut number);
    f32::from_ne_bytes(number)
}

/// Sums into elements that share bytes, with every neighbour and tail; and out of such elements.
#[test]
fn sums_of_all_small_sizes() {
    let pairs = [
        (DType::F32, DType::S4),
        (DType::S4, DType::S4),
        (DType::U4, DType::S4),
        (DType::U4, DType::F32),
        (DType::S8, DType::U4),
        (DType::F16, DType::F4E2M1),
        (DType::F4E3M0, DType::F4E3M0),
        (DType::S4, DType::S32),
    ];
    let formats = ["ab", "ba", "BA16a64b", "BA64b2a", "aB3b", "ab^2", "ba^64B", "AB8a4b"];
    let mut seed = 0;
    for (rows, columns) in [(1, 1), (1, 7), (3, 3), (5, 1), (17, 130), (257, 3), (16, 64), (33, 31)] {
        for from in formats {
            for to in formats {
                seed += 1;
                let (src, dst) = pairs[seed as usize % pairs.len()];
                let beta = [1.0, -0.5, 2.0, 0.25][seed as usize / 8 % 4];
                let (scale, zero) = (0.75f32, 2);
                let of = |dtype, format| dense(dtype, &[rows, columns], format);
                let mut attributes = Attributes::new().accumulate(beta);
                if seed % 3 == 0 {
                    attributes = attributes.dst_scale(Values::common(scale)).dst_shift(Values::common(2.0));
                }
                check_onto((&of(src, from), &of(dst, to)), &attributes, seed, 0, |_, from, to| {
                    let mut sum = number(src, from) + beta * number(dst, to);
                    if seed % 3 == 0 {
                        sum = sum * (1.0 / scale) + zero as f32;
                    }
                    convert(DType::F32, dst, &sum.to_ne_bytes(), to);
                });
            }
        }
    }
}

/// Padding that holds a number, in every half of a byte.
#[test]
fn padding_of_all_small_sizes() {
    let mut seed = 0;
    for (rows, columns) in [(1, 1), (3, 7), (17, 130), (257, 3), (15, 65), (16, 64)] {
        for from in ["ab", "ba", "BA16a64b"] {
            for to in ["BA16a64b", "BA64b2a", "aB3b", "ab^2", "ba^64B", "AB8a4b", "aB5b", "Ba7b"] {
                for (src, dst, padding, expected) in [
                    (DType::F32, DType::S4, Padding::Number(-3.0), 13),
                    (DType::U4, DType::U4, Padding::Number(9.0), 9),
                    (DType::U4, DType::U4, Padding::Number(99.0), 15),
                    (DType::S8, DType::F4E2M1, Padding::Number(-1.5), 0xB),
                    (DType::F32, DType::U4, Padding::ZeroPoint, 8),
                ] {
                    seed += 1;
                    let of = |dtype, format| dense(dtype, &[rows, columns], format);
                    let mut attributes = Attributes::new().padding(padding);
                    let has_zero_point = padding == Padding::ZeroPoint;
                    if has_zero_point {
                        attributes = attributes.dst_zero_point(Values::common(8));
                    }
                    check_onto((&of(src, from), &of(dst, to)), &attributes, seed, expected, |_, from, to| {
                        let shift = if has_zero_point { 8.0 } else { 0.0 };
                        if src == dst {
                            to.copy_from_slice(from);
                        } else {
                            convert(DType::F32, dst, &(number(src, from) + shift).to_ne_bytes(), to);
                        }
                    });
                }
            }
        }
    }
}

/// Scales and zero points along each axis, of weights that are unpacked and of numbers that are packed.
#[test]
fn quantised_weights() {
    let dims = [37, 131];
    let scales: Vec<f32> = (0..131).map(|i| 0.25 + i as f32 / 64.0).collect();
    let zero_points: Vec<i32> = (0..37).map(|i| i % 16).collect();
    for (from, to) in [("ab", "ab"), ("ab", "ba"), ("ba", "ab"), ("BA16a64b", "ab"), ("ab", "BA16a64b")] {
        let (src, dst) = (dense(DType::U4, &dims, from), dense(DType::F32, &dims, to));
        let attributes = Attributes::new()
            .src_scale(Values::per_axis('b', &scales))
            .src_zero_point(Values::per_axis('a', &zero_points));
        let mut memory = vec![0; src.size_bytes()];
        fill(DType::U4, &mut memory, 3);
        let mut out = vec![0; dst.size_bytes()];
        let plan = Reorder::with_attributes(&src, &dst, &attributes).unwrap();
        plan.run_with(&memory, &mut out, &attributes).unwrap();
        for_each_index(&dims, |index| {
            let number = get(DType::U4, &memory, src.offset(index).unwrap())[0] as f32;
            let expected = (number - zero_points[index[0]] as f32) * scales[index[1]];
            let found = get(DType::F32, &out, dst.offset(index).unwrap());
            assert_eq!(f32::from_ne_bytes(found.try_into().unwrap()), expected, "{from} {to} {index:?}");
        });
        // And back: the numbers that they stood for.
        let back = Attributes::new()
            .dst_scale(Values::per_axis('b', &scales))
            .dst_zero_point(Values::per_axis('a', &zero_points));
        let mut again = vec![0; src.size_bytes()];
        Reorder::with_attributes(&dst, &src, &back).unwrap().run_with(&out, &mut again, &back).unwrap();
        for_each_index(&dims, |index| {
            let at = src.offset(index).unwrap();
            assert_eq!(get(DType::U4, &again, at), get(DType::U4, &memory, at), "{from} {to} {index:?}");
        });
    }
}
