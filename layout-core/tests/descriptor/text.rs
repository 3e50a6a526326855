//! The text form: printed, parsed back, refused with a position; and the form that a person reads.

use crate::oracle::dense;
use layout_core::descriptor::{DType, Descriptor, DescriptorError, ParseDescriptorError};
use std::error::Error;

#[test]
fn printed_and_parsed() {
    for text in [
        "f32:nChw16c:2x17x5x4",
        "u8:nhwc:1x3x300x451",
        "bf16:OIhw4i16o4i:64x32x3x3",
        "s8:a:0",
        "f64:abcdefghijkl:1x2x3x1x2x3x1x2x3x1x2x3",
        "s32:ab:2x3:strides=8x1",
        "f32:ab:2x3:base=5",
        "f32:nChw16c:2x17x5x4:strides=1000x500x100x20:base=12",
        "f16:ba:2x3:strides=-1x-2:base=9",
        "f32:scalar",
        "f32:scalar:base=3",
    ] {
        let d: Descriptor = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(d.to_string(), text);
    }
    assert_eq!("f32:nChw16c:2x17x5x4".parse(), Ok(dense(&[2, 17, 5, 4], "nChw16c")));
    // Strides that are the dense ones, and base 0, are left out.
    let same: Descriptor = "f32:ab:2x3:strides=3x1:base=0".parse().unwrap();
    assert_eq!((same, same.to_string().as_str()), (dense(&[2, 3], "ab"), "f32:ab:2x3"));
    // An explicit logical order has spaces of its own.
    let cache = Descriptor::new(DType::F16, &[1, 128, 8, 64], "bshd => bhSd16s").unwrap();
    assert_eq!(cache.to_string().parse(), Ok(cache));
}

#[test]
fn refused_texts() {
    for (text, position, message) in [
        ("", 0, "expected a data type and a colon, one of `f64:` `f32:` `f16:` `bf16:` `s32:` `s8:` `u8:`"),
        ("f32", 0, "expected a data type and a colon"),
        ("float:nchw:1x2x3x4", 0, "expected a data type and a colon"),
        ("f32:", 4, "expected the extents"),
        ("f32:nchw", 8, "expected the extents"),
        ("f32:strides=4", 13, "expected the extents"),
        ("f32:base=1", 10, "expected the extents"),
        ("f32:nchw:", 9, "expected a decimal number"),
        ("f32:nchw:1x2x3x", 15, "expected a decimal number"),
        ("f32:nchw:1x2x3y4", 14, "expected a decimal number"),
        ("f32:nchw:1x02x3x4", 11, "expected a decimal number"),
        ("f32:nchw:1x-2x3x4", 11, "expected a decimal number"),
        ("f32:nchw:1x2x3x99999999999999999999", 15, "the number is too large"),
        ("f32:a:1x1x1x1x1x1x1x1x1x1x1x1x1", 30, "more numbers"),
        ("f32:nchw:1x2x3", 9, "the layout has rank 4, but 3 extents were given"),
        (
            "f32:a:18446744073709551615",
            6,
            "the tensor is larger than 9223372036854775807 bytes: axis `a` with extent 18446744073709551615",
        ),
        ("f32:nchw:1x2x3x4:strides=", 25, "expected a decimal number"),
        ("f32:ab:2x3:strides=3x-0", 22, "expected a decimal number"),
        ("f32:ab:2x3:strides=9223372036854775808x1", 19, "the number is too large"),
        ("f32:ab:2x3:strides=2x1", 19, "stride 2 of axis `a`"),
        ("f32:ab:2x3:strides=1", 19, "the layout needs 2 strides, but 1 were given"),
        ("f32:ab:2x3:strides=-3x1", 19, "base offset 0 is too small"),
        ("f32:ab:2x3:strides=-3x1:base=2", 29, "base offset 2 is too small"),
        ("f32:ab:2x3:base=", 16, "expected a decimal number"),
        ("f32:ab:2x3:base=-1", 16, "expected a decimal number"),
        ("f32:ab:2x3:base=9223372036854775807", 16, "base offset 9223372036854775807 is too large"),
        (
            "f32:ab:2x3:base=1:strides=3x1",
            17,
            "expected `:padded=`, `:origin=`, `:halo=`, `:strides=`, `:base=` in this order",
        ),
        (
            "f32:ab:2x3:base=1 ",
            17,
            "expected `:padded=`, `:origin=`, `:halo=`, `:strides=`, `:base=` in this order",
        ),
        ("f32:ab:2x3:more=1", 11, "expected a decimal number"),
        ("f32:ab:2x3\u{e9}", 10, "expected a decimal number"),
        ("f32:scalar:strides=1", 19, "the layout needs 0 strides, but 1 were given"),
        ("f32:scalar:1", 11, "the layout has rank 0, but 1 extents were given"),
        // In a format the position is the one that the grammar reports.
        ("f32:nchw16c:1x2x3x4", 5, "axis `c` has a block but its outer letter is lower case, at"),
        ("f32:ac:1x2", 4, "axis `b`"),
        ("f32::1x2", 4, "the format is empty, at"),
    ] {
        let error = text.parse::<Descriptor>().unwrap_err();
        let line = error.to_string();
        assert_eq!(error.position(), position, "{text}: {line}");
        assert!(
            line.starts_with(message) && line.ends_with(&format!(", at byte {position}")),
            "{text}: {line}"
        );
        assert!(!line.contains('\n'), "{line}");
    }
}

#[test]
fn causes() {
    let error = "f32:nchw16c:1x2x3x4".parse::<Descriptor>().unwrap_err();
    assert!(matches!(error, ParseDescriptorError::Descriptor { error: DescriptorError::Format(_), .. }));
    let descriptor = error.source().expect("the descriptor's error");
    let format = descriptor.source().expect("the format's error");
    assert_eq!(descriptor.to_string(), format.to_string());
    assert!(format.source().is_none());
    assert!("f32:".parse::<Descriptor>().unwrap_err().source().is_none());
}

#[test]
fn any_cut_of_a_text_is_refused_or_parsed_without_panic() {
    let whole = "f32:nChw16c:2x17x5x4:strides=1000x500x100x20:base=12";
    for start in 0..whole.len() {
        for end in start..=whole.len() {
            if let Ok(d) = whole[start..end].parse::<Descriptor>() {
                assert_eq!(d.to_string().parse(), Ok(d));
            } else {
                assert!(whole[start..end].parse::<Descriptor>().unwrap_err().position() <= end - start);
            }
        }
    }
}

#[test]
fn debug_is_for_people() {
    assert_eq!(
        format!("{:?}", dense(&[64, 30, 3, 3], "OIhw4i16o4i").with_base(8).unwrap()),
        "Descriptor { dtype: f32, format: OIhw4i16o4i, dims: [64, 30, 3, 3], padded_dims: [64, 32, 3, 3], \
         strides: [4608, 2304, 768, 256], inner_blocks: [4i, 16o, 4i], base: 8, size_bytes: 73760 }"
    );
    assert_eq!(
        format!("{:?}", Descriptor::scalar(DType::U8)),
        "Descriptor { dtype: u8, format: scalar, dims: [], padded_dims: [], strides: [], inner_blocks: [], base: 0, \
         size_bytes: 1 }"
    );
}
