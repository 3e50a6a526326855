//! What is refused, and the words and numbers of the refusal.

use crate::oracle::dense;
use layout_core::descriptor::DType;
use layout_core::reorder::{Reorder, ReorderError};

#[test]
fn descriptors_of_different_tensors() {
    let error = |src: (&[usize], &str), dst: (&[usize], &str)| {
        let (src, dst) = (dense(DType::F32, src.0, src.1), dense(DType::F32, dst.0, dst.1));
        Reorder::new(&src, &dst).unwrap_err().to_string()
    };
    assert_eq!(
        error((&[1, 2, 3], "abc"), (&[1, 2], "ab")),
        "the source has rank 3, but the destination has rank 2; `squeeze` or `unsqueeze` one"
    );
    assert_eq!(
        error((&[1, 17, 5, 5], "nchw"), (&[1, 16, 5, 5], "nChw16c")),
        "axis `c` (position 1) has extent 17 in the source, but 16 in the destination; take a part of the larger one"
    );
    assert_eq!(
        error((&[2, 2, 3, 3], "nchw"), (&[2, 2, 3, 3], "OIhw2o2i")),
        "axis 0 is `n` in the source, but `o` in the destination; `permute_axes` or `renamed` makes them agree"
    );
}

#[test]
fn anonymous_axes_match_any_name() {
    let named = dense(DType::F32, &[2, 2, 3, 3], "nChw16c");
    let anonymous = dense(DType::F32, &[2, 2, 3, 3], "acdb");
    assert!(Reorder::new(&named, &anonymous).is_ok());
    assert!(Reorder::new(&anonymous, &named).is_ok());
}

#[test]
fn short_buffers() {
    let src = dense(DType::U8, &[2, 3], "ab");
    let dst = dense(DType::F32, &[2, 3], "aB4b");
    let plan = Reorder::new(&src, &dst).unwrap();
    assert_eq!((plan.src_len(), plan.dst_len()), (6, 32));
    let mut out = [7; 32];
    let error = plan.run(&[0; 5], &mut out);
    assert_eq!(error, Err(ReorderError::SourceTooSmall { expected: 6, found: 5 }));
    assert_eq!(error.unwrap_err().to_string(), "the source needs 6 bytes, but its buffer has 5");
    let error = plan.run(&[0; 6], &mut out[..31]);
    assert_eq!(error, Err(ReorderError::DestinationTooSmall { expected: 32, found: 31 }));
    assert_eq!(error.unwrap_err().to_string(), "the destination needs 32 bytes, but its buffer has 31");
    assert_eq!(out, [7; 32]);
    // Longer ones are taken, and what lies behind is left alone.
    let mut long = [7; 40];
    plan.run(&[1; 9], &mut long).unwrap();
    assert_eq!(long[32..], [7; 8]);
}

/// Twelve axes whose blocks do not nest: each needs a loop below, one over the segments with two pieces, and one above.
#[test]
fn more_loops_than_a_plan_holds() {
    let dims = [13; 12];
    let threes = "ABCDEFGHIJKL3a3b3c3d3e3f3g3h3i3j3k3l";
    let twos = "ABCDEFGHIJKL2a2b2c2d2e2f2g2h2i2j2k2l";
    let (src, dst) = (dense(DType::U8, &dims, threes), dense(DType::U8, &dims, twos));
    let error = Reorder::new(&src, &dst).unwrap_err();
    assert!(matches!(error, ReorderError::TooManyLoops { needed: 48, limit: 26 }), "{error}");
    assert_eq!(
        error.to_string(),
        "the two layouts need at least 48 nested loops and segments, but a plan holds 26; reorder by way of a layout without blocks"
    );
}
