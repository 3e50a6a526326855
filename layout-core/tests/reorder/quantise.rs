//! One-line calls that round as the caller says, against the same work done a number at a time; sums that are left out; and
//! scales that fit.

use crate::oracle::dense;
use layout_core::descriptor::{DType, E8M0, Element, F8E4M3, F8E5M2};
use layout_core::layout::{Nchw16c, Nhwc, RowMajor};
use layout_core::reorder::{
    Attributes, Padding, PerAxis, Reorder, Rounding, TypedAttributes, Values, asymmetric_scale,
    convert_slice_with, quantise, quantise_asymmetric, quantise_asymmetric_with, quantise_with,
};
use layout_core::view::{StridedView, Tensor};

const ALL: [Rounding; 6] = [
    Rounding::NearestEven,
    Rounding::NearestAway,
    Rounding::TowardZero,
    Rounding::Down,
    Rounding::Up,
    Rounding::Stochastic { seed: 0xACE },
];

const DIMS: [usize; 4] = [2, 19, 3, 5];

/// Ties, what lies around them, both signs, and beyond the ends of 8 bits.
fn numbers() -> Tensor<f32, Nhwc> {
    Tensor::from_fn(DIMS, |[n, c, h, w]| ((n * 19 + c) * 15 + h * 5 + w) as f32 * 0.3125 - 90.0).unwrap()
}

/// In logical order, with the last axis fastest, which is the order of chance.
fn logical<T: Copy>(view: StridedView<'_, T, Nchw16c>) -> Vec<T> {
    let mut out = Vec::new();
    for n in 0..DIMS[0] {
        for c in 0..DIMS[1] {
            for h in 0..DIMS[2] {
                out.extend((0..DIMS[3]).map(|w| view[[n, c, h, w]]));
            }
        }
    }
    out
}

/// What comes of the numbers one by one: the arithmetic in f32, and then the rounding of a slice.
fn one_by_one<T: Element + Copy + Default>(rounding: Rounding, number: impl Fn(f32, usize) -> f32) -> Vec<T> {
    let (tensor, mut scaled) = (numbers(), Vec::new());
    for n in 0..DIMS[0] {
        for c in 0..DIMS[1] {
            for h in 0..DIMS[2] {
                scaled.extend((0..DIMS[3]).map(|w| number(tensor[[n, c, h, w]], c)));
            }
        }
    }
    let mut out = vec![T::default(); scaled.len()];
    convert_slice_with(&scaled, &mut out, rounding).unwrap();
    out
}

#[test]
fn quantised_every_way() {
    let scales: Vec<f32> = (0..19).map(|c| 0.3 + c as f32 * 0.05).collect();
    let zero_points: Vec<i32> = (0..19).map(|c| c * 9 - 20).collect();
    let mut seen = Vec::new();
    for rounding in ALL {
        let mut out = Tensor::<i8, Nchw16c>::zeroed(DIMS).unwrap();
        quantise_with(numbers(), &mut out, PerAxis::<'c'>(&scales), rounding).unwrap();
        let found = logical(out.as_strided());
        assert_eq!(found, one_by_one::<i8>(rounding, |x, c| x * (1.0 / scales[c])), "{rounding}");
        seen.push(found);

        let mut out = Tensor::<u8, Nchw16c>::zeroed(DIMS).unwrap();
        let zero_point = PerAxis::<'c', i32>(&zero_points);
        quantise_asymmetric_with(numbers(), &mut out, 0.7, zero_point, rounding).unwrap();
        let expected = one_by_one::<u8>(rounding, |x, c| x * (1.0 / 0.7) + zero_points[c] as f32);
        assert_eq!(logical(out.as_strided()), expected, "{rounding}");
    }
    // Each way is another.
    for (i, one) in seen.iter().enumerate() {
        assert!(!seen[..i].contains(one), "{}", ALL[i]);
    }
    // Without a word, to nearest even.
    let mut out = Tensor::<i8, Nchw16c>::zeroed(DIMS).unwrap();
    quantise(numbers(), &mut out, PerAxis::<'c'>(&scales)).unwrap();
    assert_eq!(logical(out.as_strided()), seen[0]);
    let mut out = Tensor::<u8, Nchw16c>::zeroed(DIMS).unwrap();
    quantise_asymmetric(numbers(), &mut out, 0.7, 100).unwrap();
    let expected = one_by_one::<u8>(Rounding::NearestEven, |x, _| x * (1.0 / 0.7) + 100.0);
    assert_eq!(logical(out.as_strided()), expected);
}

#[test]
fn cast_every_way() {
    let blocked: Tensor<f32, Nchw16c> = numbers().to_layout();
    macro_rules! cast {
        ($($to:ty)*) => {$(
            for rounding in ALL {
                let expected = one_by_one::<$to>(rounding, |x, _| x);
                let of = |found: Vec<$to>| {
                    let bits = |x: &$to| f64::from(*x).to_bits();
                    assert!(found.iter().map(bits).eq(expected.iter().map(bits)), "{rounding} to {}", <$to>::DTYPE);
                };
                // All of a tensor, a part of one that is all of it, and twice, of which once from the cache.
                for _ in 0..2 {
                    of(logical(blocked.cast_with::<$to>(rounding).as_strided()));
                }
                of(logical(blocked.as_strided().cast_with::<$to>(rounding).as_strided()));
            }
            let expected = one_by_one::<$to>(Rounding::NearestEven, |x, _| x);
            let found = logical(blocked.cast::<$to>().as_strided());
            assert!(found.iter().zip(&expected).all(|(a, b)| f64::from(*a) == f64::from(*b)));
        )*};
    }
    cast! { i8 u8 i32 F8E4M3 F8E5M2 E8M0 f64 }
    // Padding is zero.
    let small = blocked.cast_with::<i8>(Rounding::Up);
    assert!(
        small
            .as_slice()
            .chunks(16)
            .skip(15)
            .step_by(30)
            .take(15)
            .all(|block| block[3..].iter().all(|&x| x == 0))
    );
}

/// A factor of 0 leaves the sum out: the bits are those of the conversion, as if there were no accumulation.
#[test]
fn sums_of_factor_0() {
    let f64s = [
        1.0 + f64::EPSILON,
        1e300,
        -0.0,
        f64::from_bits(0x7FF0_0000_0000_0001),
        1.0 + 2f64.powi(-11) + 2f64.powi(-40),
    ];
    let s32s = [i32::MAX, 16_777_217, -16_777_217, 65_793, 3];
    let f16s = [0x7C01u16, 0xFE55, 0x8000, 1, 0x3C00];
    let bytes = |dtype| -> Vec<u8> {
        match dtype {
            DType::F64 => f64s.iter().flat_map(|x| x.to_ne_bytes()).collect(),
            DType::S32 => s32s.iter().flat_map(|x| x.to_ne_bytes()).collect(),
            DType::F16 => f16s.iter().flat_map(|x| x.to_ne_bytes()).collect(),
            _ => vec![0x5F, 0x08, 0x0A],
        }
    };
    let none = Attributes::new().accumulate(0.0);
    for (src, dsts) in [
        (DType::F64, &[DType::F64, DType::F16, DType::Bf16, DType::S32, DType::F8E4M3][..]),
        (DType::S32, &[DType::S32, DType::F64, DType::Bf16, DType::E8M0]),
        (DType::F16, &[DType::F16, DType::F32]),
        (DType::S4, &[DType::S4, DType::F32]),
        (DType::F4E2M1, &[DType::F4E2M1, DType::S8]),
    ] {
        for &dst in dsts {
            for format in ["ab", "ba", "aB2b"] {
                let (from, to) = (dense(src, &[5, 1], "ab"), dense(dst, &[5, 1], format));
                let bytes = bytes(src);
                let [mut plain, mut sum] = [(); 2].map(|()| vec![0xFF; to.size_bytes()]);
                Reorder::new(&from, &to).unwrap().run(&bytes, &mut plain).unwrap();
                let plan = Reorder::with_attributes(&from, &to, &none).unwrap();
                plan.run_with(&bytes, &mut sum, &none).unwrap();
                assert_eq!(sum, plain, "{src} -> {dst} {format}");
                // The same plan adds where there is another factor.
                plan.run_with(&bytes, &mut sum, &Attributes::new().accumulate(f32::NAN)).unwrap();
                assert_ne!(sum, plain, "{src} -> {dst} {format}");
            }
        }
    }
}

/// A scale of 0 divides to infinity, and 0 to NaN, which is 0; what the largest and the NaN make stands in the formula.
#[test]
fn scales_of_0_and_nan() {
    let numbers = Tensor::<f32, RowMajor>::from_vec([1, 4], vec![-1.0, 0.0, 1e-30, f32::NAN]).unwrap();
    let mut out = Tensor::<i8, RowMajor>::zeroed([1, 4]).unwrap();
    quantise(&numbers, &mut out, 0.0).unwrap();
    assert_eq!(out.as_slice(), [-128, 0, 127, 0]);
    quantise(&numbers, &mut out, f32::NAN).unwrap();
    assert_eq!(out.as_slice(), [0; 4]);
    quantise(&numbers, &mut out, f32::INFINITY).unwrap();
    assert_eq!(out.as_slice(), [0; 4]);
    let attributes = TypedAttributes::new().dst_scale(0.0).dst_zero_point(7);
    attributes.reorder(&numbers, &mut out).unwrap();
    assert_eq!(out.as_slice(), [-128, 0, 127, 0]);
}

/// The nearest zero point: a half is not added where a number is just below it, and none is lost where numbers are large.
#[test]
fn zero_points_are_the_nearest() {
    let below = 0.5f32.next_down();
    let tensor = Tensor::<f32, RowMajor>::from_vec([1, 2], vec![-below, 254.5]).unwrap();
    assert_eq!(asymmetric_scale(&tensor, 0.0, 255.0), (1.0, 0));
    let tensor = Tensor::<f32, RowMajor>::from_vec([1, 2], vec![-8_388_609.0, 8_388_609.0]).unwrap();
    assert_eq!(asymmetric_scale(&tensor, 0.0, 16_777_218.0), (1.0, 8_388_609));
}

/// One value along an axis is the same for all elements, whatever it follows.
#[test]
fn padding_of_a_single_zero_point_along_an_axis() {
    let (src, dst) = (dense(DType::F32, &[3, 1], "nc"), dense(DType::U8, &[3, 1], "nC4c"));
    for values in [Values::per_axis('c', &[9]), Values::grouped(&[('n', 3)], &[9])] {
        let attributes = Attributes::new().dst_zero_point(values).padding(Padding::ZeroPoint);
        let plan = Reorder::with_attributes(&src, &dst, &attributes).unwrap();
        let mut out = [0; 12];
        plan.run_with(&[0; 12], &mut out, &attributes).unwrap();
        assert_eq!(out, [9; 12]);
    }
}

/// Nothing to move, with attributes of every kind; and no axes at all.
#[test]
fn empty_and_scalar_tensors() {
    for dims in [[0, 3], [3, 0], [0, 0]] {
        let (src, dst) = (dense(DType::F32, &dims, "nc"), dense(DType::S8, &dims, "nC4c"));
        let (scales, zero_points) = (vec![2.0; dims[1].div_ceil(2)], vec![5; dims[0] * dims[1]]);
        for rounding in ALL {
            let attributes = Attributes::new()
                .dst_scale(Values::grouped(&[('c', 2)], &scales))
                .dst_zero_point(Values::per_axes(&['n', 'c'], &zero_points))
                .accumulate(f32::NAN)
                .padding(Padding::Number(f64::NAN))
                .rounding(rounding);
            let plan = Reorder::with_attributes(&src, &dst, &attributes).unwrap();
            let mut out = vec![77; dst.size_bytes()];
            plan.run_with(&[], &mut out, &attributes).unwrap();
            assert!(out.iter().all(|&byte| byte == 77 || byte == 0));
        }
    }
    let scalar = |dtype| layout_core::descriptor::Descriptor::scalar(dtype);
    for (rounding, expected) in ALL.into_iter().zip([2, 3, 2, 2, 3]) {
        let attributes = Attributes::new()
            .dst_scale(Values::per_axes(&[], &[2.0]))
            .accumulate(1.0)
            .dst_shift(Values::common(0.0))
            .rounding(rounding);
        let plan = Reorder::with_attributes(&scalar(DType::F32), &scalar(DType::S8), &attributes).unwrap();
        let mut out = [2];
        plan.run_with(&3f32.to_ne_bytes(), &mut out, &attributes).unwrap();
        assert_eq!(out, [expected], "{rounding}");
    }
}

/// Elements that move as they are, and padding that holds a number: in blocks of groups of 4 bytes, whose kernels write data and
/// padding at once where that is zero, and in others.
#[test]
fn padding_of_blocks_holds_a_number() {
    for (o, i) in [(17, 5), (16, 3), (5, 17), (33, 64), (64, 33)] {
        for dtype in [DType::S8, DType::U8, DType::Bf16, DType::F32] {
            for to in ["OIhw4i16o4i", "OIhw2i8o4i", "OIhw8i16o2i", "OIhw16i16o", "OIhw8o8i", "Oihw16o"] {
                for from in ["oihw", "hwio", "OIhw4i16o4i", "OIhw8i16o2i"] {
                    let (src, dst) = (dense(dtype, &[o, i, 3, 2], from), dense(dtype, &[o, i, 3, 2], to));
                    // No element of the tensor is zero.
                    let memory = vec![0x11; src.size_bytes()];
                    let run = |padding| {
                        let attributes = Attributes::new().padding(padding);
                        let plan = Reorder::with_attributes(&src, &dst, &attributes).unwrap();
                        let mut out = vec![0x55; dst.size_bytes()];
                        plan.run_with(&memory, &mut out, &attributes).unwrap();
                        out
                    };
                    let (plain, filled) = (run(Padding::Zero), run(Padding::Number(9.0)));
                    let nine: &[u8] = match dtype {
                        DType::F32 => &9f32.to_ne_bytes(),
                        DType::Bf16 => &0x4110u16.to_ne_bytes(),
                        _ => &[9],
                    };
                    for (at, (plain, filled)) in
                        plain.chunks(nine.len()).zip(filled.chunks(nine.len())).enumerate()
                    {
                        let expected = if plain.iter().all(|&byte| byte == 0) { nine } else { plain };
                        assert_eq!(filled, expected, "{dtype} {o}x{i} {from} -> {to}, element {at}");
                    }
                }
            }
        }
    }
}

/// Plans that differ in how they round, what they add, pad and scale by: each run is its own, whatever ran before in this thread.
#[test]
fn one_after_the_other_from_the_cache() {
    use layout_core::reorder::{Bf16Bits, reorder_bytes_with};
    let (src, dst) = (dense(DType::F32, &[1, 6], "nc"), dense(DType::S8, &[1, 6], "nC4c"));
    let from: Vec<u8> = [1.25f32, -1.25, 2.5, -2.5, 0.5, 7.0].iter().flat_map(|x| x.to_ne_bytes()).collect();
    let scales = [0.5, 1.0, 2.0, 0.5, 1.0, 2.0];
    let halves = [Bf16Bits(0x3F00); 3];
    let mut all = Vec::new();
    for rounding in
        ALL.into_iter().chain([Rounding::Stochastic { seed: 3 }, Rounding::Stochastic { seed: 4 }])
    {
        let plain = Attributes::new().rounding(rounding);
        let axis = Values::per_axis('c', &scales);
        let group = Values::grouped(&[('c', 2)], &halves);
        for one in [
            plain,
            plain.dst_scale(axis),
            plain.src_scale(axis),
            plain.dst_scale(group),
            plain.dst_scale(Values::common(Bf16Bits(0x3E80))),
        ] {
            for padding in [Padding::Zero, Padding::Number(9.0), Padding::Number(-3.0)] {
                all.extend(
                    [one, one.accumulate(0.0), one.accumulate(1.0), one.accumulate(-2.5)]
                        .map(|one| one.padding(padding)),
                );
            }
        }
    }
    let alone = |attributes: &Attributes<'_>| {
        let mut out = [3; 8];
        Reorder::with_attributes(&src, &dst, attributes)
            .unwrap()
            .run_with(&from, &mut out, attributes)
            .unwrap();
        out
    };
    for order in [all.iter().collect::<Vec<_>>(), all.iter().rev().collect()] {
        for attributes in order {
            let mut out = [3; 8];
            reorder_bytes_with(&src, &from, &dst, &mut out, attributes).unwrap();
            assert_eq!(out, alone(attributes), "{attributes:?}");
        }
    }
}
