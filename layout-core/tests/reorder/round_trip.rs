//! There and back again gives the same bytes, whatever lies between.

use crate::oracle::{dense, fill};
use layout_core::descriptor::{DType, Descriptor};
use layout_core::reorder::Reorder;

fn moved(from: &Descriptor, to: &Descriptor, bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![0xEE; to.size_bytes()];
    Reorder::new(from, to).unwrap().run(bytes, &mut out).unwrap();
    out
}

#[test]
fn there_and_back() {
    let dims = [2, 35, 6, 7];
    let formats = ["nhwc", "chwn", "nChw8c", "nChw16c", "nChw12c", "NChw16n16c", "nChw48c"];
    for dtype in DType::ALL {
        let plain = dense(dtype, &dims, "nchw");
        let mut bytes = vec![0; plain.size_bytes()];
        fill(dtype, &mut bytes, 7);
        for between in formats {
            let between = dense(dtype, &dims, between);
            assert_eq!(moved(&between, &plain, &moved(&plain, &between, &bytes)), bytes, "{between:?}");
        }
    }
}

#[test]
fn through_every_format_in_turn() {
    let dims = [1, 50, 4, 5];
    let plain = dense(DType::F32, &dims, "nchw");
    let mut bytes = vec![0; plain.size_bytes()];
    fill(DType::F32, &mut bytes, 11);
    let mut at = (plain, bytes.clone());
    for format in ["nChw16c", "nChw12c", "nhwc", "nChw48c", "nChw32c", "chwn", "nChw8c"] {
        let next = dense(DType::F32, &dims, format);
        at = (next, moved(&at.0, &next, &at.1));
    }
    assert_eq!(moved(&at.0, &plain, &at.1), bytes);
}

/// A type that holds all values of another gives them back.
#[test]
fn through_a_wider_type() {
    let dims = [3, 19, 5, 5];
    let pairs = [
        (DType::U8, DType::F16),
        (DType::U8, DType::Bf16),
        (DType::S8, DType::S32),
        (DType::S32, DType::F64),
        (DType::S8, DType::F32),
    ];
    for (narrow, wide) in pairs {
        let (plain, blocked) = (dense(narrow, &dims, "nhwc"), dense(wide, &dims, "nChw16c"));
        let mut bytes = vec![0; plain.size_bytes()];
        fill(narrow, &mut bytes, 3);
        assert_eq!(moved(&blocked, &plain, &moved(&plain, &blocked, &bytes)), bytes, "{narrow} {wide}");
    }
}
