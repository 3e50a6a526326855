//! Plans with attributes as values: rounding at ties, special numbers, padding, empty tensors, constants, printed plans.

use super::Owned;
use crate::attributes::Given;
use crate::oracle::dense;
use crate::plan::portable;
use layout_core::descriptor::{DType, Descriptor};
use layout_core::reorder::{Attributes, Normalization, Reorder, Values};

/// The elements of `src` reordered to a row of `dst`.
fn row<const N: usize>(
    src: &[f32],
    dst: DType,
    attributes: &Attributes<'_>,
    element: impl Fn([u8; N]) -> f64,
) -> Vec<f64> {
    let from = Descriptor::new(DType::F32, &[src.len()], "a").unwrap();
    let to = Descriptor::new(dst, &[src.len()], "a").unwrap();
    let bytes: Vec<u8> = src.iter().flat_map(|x| x.to_ne_bytes()).collect();
    let mut out = vec![0; to.size_bytes()];
    Reorder::with_attributes(&from, &to, attributes).unwrap().run_with(&bytes, &mut out, attributes).unwrap();
    out.chunks(N).map(|bytes| element(bytes.try_into().unwrap())).collect()
}

/// Worked by hand: ties go to the even neighbour, after the zero point is added; what is too large saturates; NaN is 0.
#[test]
fn ties_and_bounds() {
    let numbers =
        [0.25, 0.75, -0.25, 1.25, 63.0, 64.0, -64.0, -65.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
    let halves = Attributes::new().dst_scale(Values::common(0.5));
    let s8 = |[byte]: [u8; 1]| byte as i8 as f64;
    assert_eq!(
        row(&numbers, DType::S8, &halves, s8),
        [0., 2., 0., 2., 126., 127., -128., -128., 0., 127., -128.]
    );
    let shifted = halves.dst_zero_point(Values::common(1));
    assert_eq!(
        row(&numbers, DType::S8, &shifted, s8),
        [2., 2., 0., 4., 127., 127., -127., -128., 0., 127., -128.]
    );
    let u8 = |[byte]: [u8; 1]| byte as f64;
    let middle = halves.dst_zero_point(Values::common(128));
    assert_eq!(
        row(&numbers, DType::U8, &middle, u8),
        [128., 130., 128., 130., 254., 255., 0., 0., 0., 255., 0.]
    );
}

/// 0.385 / 0.11 is 3.5, a tie that goes to 4; 0.385 times the reciprocal of 0.11 lies below it.
#[test]
fn destination_scales_multiply_by_the_reciprocal() {
    let s8 = |[byte]: [u8; 1]| byte as i8 as f64;
    let (x, scale) = (0.385f32, 0.11f32);
    assert_eq!((x / scale).round_ties_even(), 4.0);
    assert_eq!(row(&[x], DType::S8, &Attributes::new().dst_scale(Values::common(scale)), s8), [3.0]);
}

/// An attribute that is absent changes no bit, and one that is there does what IEEE 754 says.
#[test]
fn zeros_keep_their_sign() {
    let bits = |bytes: [u8; 4]| f32::from_ne_bytes(bytes).to_bits() as f64;
    let negative = (-0.0f32).to_bits() as f64;
    assert_eq!(row(&[-0.0], DType::F32, &Attributes::new().src_scale(Values::common(2.0)), bits), [negative]);
    assert_eq!(row(&[-0.0], DType::F32, &Attributes::new().src_shift(Values::common(0.0)), bits), [negative]);
    assert_eq!(row(&[-0.0], DType::F32, &Attributes::new().dst_shift(Values::common(0.0)), bits), [0.0]);
}

/// Fused multiplication and addition would give 2^-46 here.
#[test]
fn steps_are_not_fused() {
    let x = 1.0 + 1.0 / 8_388_608.0;
    let attributes = Attributes::new().src_scale(Values::common(x)).dst_shift(Values::common(-(x * x)));
    assert_eq!(row(&[x], DType::F32, &attributes, |bytes| f32::from_ne_bytes(bytes) as f64), [0.0]);
}

#[test]
fn padding_stays_zero() {
    let (src, dst) = (dense(DType::U8, &[1, 3, 2, 2], "nhwc"), dense(DType::F32, &[1, 3, 2, 2], "nChw16c"));
    let attributes = Attributes::new().dst_shift(Values::common(7.0)).src_zero_point(Values::common(-5));
    let mut out = vec![9; dst.size_bytes()];
    let plan = Reorder::with_attributes(&src, &dst, &attributes).unwrap();
    plan.run_with(&[1; 12], &mut out, &attributes).unwrap();
    for (lane, bytes) in out.chunks(4).enumerate() {
        let expected = if lane % 16 < 3 { 13.0 } else { 0.0 };
        assert_eq!(f32::from_ne_bytes(bytes.try_into().unwrap()), expected);
    }
}

#[test]
fn extents_of_0_and_1() {
    for dims in [[0, 3, 2, 2], [2, 0, 2, 2], [1, 1, 1, 1], [4, 1, 2, 3]] {
        for (from, to) in [("nchw", "nChw16c"), ("nhwc", "nchw"), ("nChw8c", "nChw8c")] {
            for axis in 0..4 {
                let values = (0..dims[axis]).map(|i| 2.0 + i as f32).collect();
                let given = Given { dst_scale: Some(Owned { axis: Some(axis), values }), ..Given::default() };
                super::check_with(&dense(DType::F32, &dims, from), &dense(DType::S8, &dims, to), &given, 3);
            }
        }
    }
}

/// The planner runs while compiling, with attributes too.
#[test]
fn constant_plan() {
    const IMAGENET: Normalization<3> =
        Normalization::new([0.5, 0.25, 0.125], [0.5, 0.25, 0.25]).of_range(256.0);
    const ATTRIBUTES: Attributes<'static> = IMAGENET.attributes('c');
    const fn descriptor(dtype: DType, format: &str) -> Descriptor {
        match Descriptor::new(dtype, &[1, 3, 1, 2], format) {
            Ok(descriptor) => descriptor,
            Err(_) => panic!("the format is valid"),
        }
    }
    static PLAN: Reorder = match Reorder::with_attributes(
        &descriptor(DType::U8, "nhwc"),
        &descriptor(DType::F32, "nchw"),
        &ATTRIBUTES,
    ) {
        Ok(plan) => plan,
        Err(_) => panic!("the attributes are valid"),
    };
    let mut out = [0; 24];
    PLAN.run_with(&[0, 64, 32, 128, 128, 160], &mut out, &ATTRIBUTES).unwrap();
    let out: Vec<f32> = out.chunks(4).map(|bytes| f32::from_ne_bytes(bytes.try_into().unwrap())).collect();
    assert_eq!(out, [-1.0, 0.0, 0.0, 1.0, 0.0, 2.0]);
}

#[test]
fn printed_plans() {
    let (src, dst) =
        (dense(DType::F32, &[8, 64, 56, 56], "nchw"), dense(DType::S8, &[8, 64, 56, 56], "nchw"));
    let scales = [1.0; 64];
    let attributes =
        Attributes::new().dst_scale(Values::per_axis('c', &scales)).dst_zero_point(Values::common(3));
    let plan = Reorder::with_attributes(&src, &dst, &attributes).unwrap();
    assert_eq!(
        portable(&plan),
        "f32 -> s8: row copy (generic convert, 4 to 1 bytes), reads 6422528 bytes, writes 1605632 bytes\n  \
         destination scale per axis `c`, destination zero point common\n  \
         loops (8,64,3136):(200704,3136,1):(200704,3136,1)\n  \
         not a plain copy: common runs of 3136 bytes"
    );
}
