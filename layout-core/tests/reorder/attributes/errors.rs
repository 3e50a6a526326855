//! Attributes that are refused, and the words and numbers of the refusal; nothing is written then.

use crate::oracle::dense;
use layout_core::descriptor::DType;
use layout_core::reorder::{Attribute, Attributes, Padding, Reorder, ReorderError, Values};

fn refused(dtypes: (DType, DType), formats: (&str, &str), attributes: &Attributes<'_>) -> ReorderError {
    let dims = [2, 3, 4, 5];
    let (src, dst) = (dense(dtypes.0, &dims, formats.0), dense(dtypes.1, &dims, formats.1));
    Reorder::with_attributes(&src, &dst, attributes).unwrap_err()
}

const QUANTISES: (DType, DType) = (DType::F32, DType::S8);

#[test]
fn axes_that_are_not_there() {
    let attributes = Attributes::new().dst_scale(Values::per_axis('x', &[1.0; 3]));
    let error = refused(QUANTISES, ("nchw", "nhwc"), &attributes);
    let attribute = Attribute::DstScale;
    assert!(
        matches!(error, ReorderError::AttributeAxis { attribute: found, axis: 'x', .. } if found == attribute)
    );
    assert_eq!(
        error.to_string(),
        "the destination scale is per axis `x`, but the tensor has `n`, `c`, `h`, `w`"
    );
    // Anonymous names count only where no side has others.
    let attributes = Attributes::new().src_scale(Values::per_axis('b', &[1.0; 3]));
    let error = refused(QUANTISES, ("abcd", "nhwc"), &attributes);
    assert_eq!(error.to_string(), "the source scale is per axis `b`, but the tensor has `n`, `c`, `h`, `w`");
    let dims = [2, 3, 4, 5];
    let (src, dst) = (dense(DType::F32, &dims, "abcd"), dense(DType::S8, &dims, "acdb"));
    assert!(Reorder::with_attributes(&src, &dst, &attributes).is_ok());
}

#[test]
fn more_or_fewer_values_than_indices() {
    let attributes = Attributes::new().dst_zero_point(Values::per_axis('c', &[1; 4]));
    let error = refused(QUANTISES, ("nchw", "nhwc"), &attributes);
    let attribute = Attribute::DstZeroPoint;
    assert_eq!(error, ReorderError::AttributeCount { attribute, axis: 'c', extent: 3, found: 4 });
    assert_eq!(error.to_string(), "the destination zero point has 4 values, but axis `c` has extent 3");
    let attributes = Attributes::new().src_scale(Values::<f32>::per_axis('w', &[]));
    let error = refused(QUANTISES, ("nchw", "nChw16c"), &attributes);
    assert_eq!(error.to_string(), "the source scale has 0 values, but axis `w` has extent 5");
}

#[test]
fn zero_points_of_floats() {
    let zero_point = Values::common(3);
    let error = refused(QUANTISES, ("nchw", "nhwc"), &Attributes::new().src_zero_point(zero_point));
    let attribute = Attribute::SrcZeroPoint;
    assert_eq!(error, ReorderError::AttributeType { attribute, dtype: DType::F32 });
    assert_eq!(
        error.to_string(),
        "the source zero point is an integer, but the source holds f32; `src_shift` takes any number"
    );
    let error =
        refused((DType::U8, DType::Bf16), ("nchw", "nhwc"), &Attributes::new().dst_zero_point(zero_point));
    assert_eq!(
        error.to_string(),
        "the destination zero point is an integer, but the destination holds bf16; `dst_shift` takes any number"
    );
}

/// A run has the attributes of the plan, along the same axes, and as many values.
#[test]
fn other_attributes_than_planned() {
    let dims = [2, 3, 4, 5];
    let (src, dst) = (dense(DType::F32, &dims, "nchw"), dense(DType::S8, &dims, "nChw16c"));
    let planned = Attributes::new().dst_scale(Values::per_axis('c', &[1.0; 3]));
    let plan = Reorder::with_attributes(&src, &dst, &planned).unwrap();
    let from = vec![0; src.size_bytes()];
    let mut to = vec![7; dst.size_bytes()];
    let mut refused = |plan: &Reorder, attributes: Option<&Attributes<'_>>| {
        let result = match attributes {
            None => plan.run(&from, &mut to),
            Some(attributes) => plan.run_with(&from, &mut to, attributes),
        };
        assert!(to.iter().all(|&byte| byte == 7));
        result.unwrap_err().to_string()
    };
    let missing = "the plan has a destination scale, of which no values are given; `run_with` takes them";
    assert_eq!(refused(&plan, None), missing);
    assert_eq!(refused(&plan, Some(&Attributes::new())), missing);
    let other = Attributes::new().dst_scale(Values::per_axis('h', &[1.0; 4]));
    assert_eq!(
        refused(&plan, Some(&other)),
        "the destination scale is per axis `h`, but in the plan it is per axis `c`; make a plan for it"
    );
    let other = Attributes::new().dst_scale(Values::common(1.0));
    assert_eq!(
        refused(&plan, Some(&other)),
        "the destination scale is common, but in the plan it is per axis `c`; make a plan for it"
    );
    let other = Attributes::new().dst_scale(Values::per_axis('c', &[1.0; 16]));
    assert_eq!(
        refused(&plan, Some(&other)),
        "the destination scale has 16 values, but axis `c` has extent 3"
    );
    let other = planned.src_scale(Values::common(1.0));
    assert_eq!(
        refused(&plan, Some(&other)),
        "the source scale is common, but the plan has none; make a plan for it"
    );
    let plain = Reorder::new(&src, &dst).unwrap();
    assert_eq!(
        refused(&plain, Some(&planned)),
        "the destination scale is per axis `c`, but the plan has none; make a plan for it"
    );
    // An axis of extent 1 has no loop in a plan.
    let dims = [2, 1, 4, 5];
    let (src, dst) = (dense(DType::F32, &dims, "nchw"), dense(DType::S8, &dims, "nChw16c"));
    let one = Attributes::new().dst_scale(Values::per_axis('c', &[1.0]));
    let plan = Reorder::with_attributes(&src, &dst, &one).unwrap();
    let none = Attributes::new().dst_scale(Values::<f32>::per_axis('c', &[]));
    let error = plan.run_with(&[0; 160], &mut [0; 1280], &none).unwrap_err();
    assert_eq!(error.to_string(), "the destination scale has 0 values, but axis `c` has extent 1");
    let (src, dst) = (dense(DType::F32, &dims, "nchw"), dense(DType::S8, &dims, "nhwc"));
    let plan = Reorder::with_attributes(&src, &dst, &one).unwrap();
    let error = plan.run_with(&[0; 160], &mut [0; 40], &none).unwrap_err();
    assert_eq!(error.to_string(), "the destination scale has 0 values, but axis `c` has extent 1");
}

#[test]
fn short_buffers() {
    let (src, dst) = (dense(DType::U8, &[2, 3], "ab"), dense(DType::F32, &[2, 3], "ba"));
    let attributes = Attributes::new().src_scale(Values::common(2.0));
    let plan = Reorder::with_attributes(&src, &dst, &attributes).unwrap();
    let error = plan.run_with(&[0; 5], &mut [0; 24], &attributes);
    assert_eq!(error, Err(ReorderError::SourceTooSmall { expected: 6, found: 5 }));
    let error = plan.run_with(&[0; 6], &mut [0; 23], &attributes);
    assert_eq!(error, Err(ReorderError::DestinationTooSmall { expected: 24, found: 23 }));
}

/// Several axes and groups: how many values they take, and that plans keep to theirs.
#[test]
fn axes_and_groups() {
    let six = [1.0; 6];
    let per_axes = |axes| Attributes::new().dst_scale(Values::per_axes(axes, &six));
    let grouped = |axes| Attributes::new().dst_scale(Values::grouped(axes, &six));
    let text = |attributes: &Attributes<'_>| refused(QUANTISES, ("nchw", "nhwc"), attributes).to_string();
    assert_eq!(
        text(&per_axes(&['n', 'h'])),
        "the destination scale has 6 values, but its groups along `n`, `h` are 8"
    );
    assert_eq!(
        text(&grouped(&[('w', 2), ('c', 1)])),
        "the destination scale has 6 values, but its groups along `w`, `c` are 9"
    );
    assert_eq!(text(&per_axes(&['n', 'n'])), "the destination scale follows axis `n` twice; name it once");
    assert_eq!(
        text(&grouped(&[('n', 0)])),
        "the destination scale has groups of 0 indices along axis `n`; write 1 for a value for each index"
    );
    assert_eq!(
        text(&per_axes(&['c', 'x'])),
        "the destination scale is per axis `x`, but the tensor has `n`, `c`, `h`, `w`"
    );
    assert_eq!(
        text(&per_axes(&['n'; 13])),
        "the destination scale follows 13 axes, but the tensor has 4; name each once"
    );

    let dims = [2, 3, 4, 5];
    let (src, dst) = (dense(DType::F32, &dims, "nchw"), dense(DType::S8, &dims, "nChw16c"));
    let planned = grouped(&[('c', 1), ('h', 2)]);
    let plan = Reorder::with_attributes(&src, &dst, &planned).unwrap();
    let from = vec![0; src.size_bytes()];
    let mut to = vec![7; dst.size_bytes()];
    let mut text =
        |attributes: &Attributes<'_>| plan.run_with(&from, &mut to, attributes).unwrap_err().to_string();
    assert_eq!(
        text(&grouped(&[('c', 1), ('h', 3)])),
        "the destination scale has groups of 3 along axis `h`, but in the plan they are of 2; make a plan for them"
    );
    assert_eq!(
        text(&grouped(&[('c', 1), ('w', 2)])),
        "the destination scale is per axis `w`, but in the plan it is per axis `h`; make a plan for it"
    );
    assert_eq!(
        text(&per_axes(&['c'])),
        "the destination scale follows 1 axis, but in the plan it follows `c`, `h`; make a plan for it"
    );
    let five = [1.0; 5];
    assert_eq!(
        text(&Attributes::new().dst_scale(Values::grouped(&[('c', 1), ('h', 2)], &five))),
        "the destination scale has 5 values, but its groups along `c`, `h` are 6"
    );
    assert!(plan.run_with(&from, &mut vec![0; dst.size_bytes()], &planned).is_ok());
}

#[test]
fn sums_and_padding() {
    let (src, dst) = (dense(DType::F32, &[2, 3], "nc"), dense(DType::U8, &[2, 3], "nC4c"));
    let adds = Attributes::new().accumulate(1.0);
    let plan = Reorder::with_attributes(&src, &dst, &adds).unwrap();
    let plain = Reorder::new(&src, &dst).unwrap();
    let mut to = [7; 8];
    let missing = "the plan adds to the destination, but no factor is given; 0 leaves that out";
    assert_eq!(plan.run(&[0; 24], &mut to).unwrap_err().to_string(), missing);
    assert_eq!(plan.run_with(&[0; 24], &mut to, &Attributes::new()).unwrap_err().to_string(), missing);
    assert_eq!(
        plain.run_with(&[0; 24], &mut to, &adds).unwrap_err().to_string(),
        "the destination is to be added to, but the plan overwrites it; make a plan with an accumulation"
    );
    let padded = Attributes::new().padding(Padding::ZeroPoint);
    assert_eq!(
        plain.run_with(&[0; 24], &mut to, &padded).unwrap_err().to_string(),
        "padding is to hold the destination zero point, but there is none; give a number"
    );
    let padded = padded.dst_zero_point(Values::per_axis('c', &[1, 2, 3]));
    let plan = Reorder::with_attributes(&src, &dst, &padded).unwrap();
    assert_eq!(
        plan.run_with(&[0; 24], &mut to, &padded).unwrap_err().to_string(),
        "padding is to hold the destination zero point, but that differs along axis `c`; give a number"
    );
    assert_eq!(to, [7; 8]);
    // Along no axes there is one value.
    let padded = Attributes::new().padding(Padding::ZeroPoint).dst_zero_point(Values::per_axes(&[], &[5]));
    let plan = Reorder::with_attributes(&src, &dst, &padded).unwrap();
    plan.run_with(&[0; 24], &mut to, &padded).unwrap();
    assert_eq!(to, [5; 8]);
    // Without attributes that change numbers, padding alone.
    plain.run_with(&[0; 24], &mut to, &Attributes::new().padding(Padding::Number(300.0))).unwrap();
    assert_eq!(to, [0, 0, 0, 255, 0, 0, 0, 255]);
}

#[test]
fn more_axes_than_a_plan_notes() {
    let d = dense(DType::F32, &[1; 12], "abcdefghijkl");
    let axes: Vec<char> = ('a'..='l').collect();
    let turned: Vec<char> = axes.iter().rev().copied().collect();
    let attributes = Attributes::new()
        .src_scale(Values::per_axes(&axes, &[2.0]))
        .dst_scale(Values::per_axes(&turned, &[2.0]));
    assert_eq!(
        Reorder::with_attributes(&d, &d, &attributes).unwrap_err().to_string(),
        "scales, zero points and rounding by chance follow at least 24 axes altogether, but a plan notes 16: let them follow \
         the same axes in the same groups, or do the reorder in two"
    );
    let same = Attributes::new()
        .src_scale(Values::per_axes(&axes, &[2.0]))
        .dst_scale(Values::per_axes(&axes, &[4.0]));
    let plan = Reorder::with_attributes(&d, &d, &same).unwrap();
    let mut to = [0; 4];
    plan.run_with(&8f32.to_ne_bytes(), &mut to, &same).unwrap();
    assert_eq!(f32::from_ne_bytes(to), 4.0);
}
