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
        ("f32:ab:2x3:more=1", 10, "expected `:padded=`, `:origin=`"),
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
    // What is wrong with the format is in the error and said by it; a source of the same text would be printed twice.
    let error = "f32:nchw16c:1x2x3x4".parse::<Descriptor>().unwrap_err();
    assert!(matches!(error, ParseDescriptorError::Descriptor { error: DescriptorError::Format(_), .. }));
    assert!(error.source().is_none());
    let error = Descriptor::new(DType::F32, &[1, 2, 3, 4], "nchw16c").unwrap_err();
    assert!(matches!(error, DescriptorError::Format(_)) && error.source().is_none());
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

/// The parts behind the extents: each refused at the byte where it stands.
#[test]
fn refused_parts() {
    for (text, position, message) in [
        ("f32:ab:2x3:padded=2", 18, "the tensor has 2 axes, but 1 paddings were given"),
        ("f32:ab:2x3:padded=2x2", 18, "axis `b` with extent 3 cannot have padded extent 2 and origin 0"),
        (
            "f32:ab:2x3:origin=1x0",
            18,
            "axis `a` with extent 2 cannot have padded extent 2 and origin 1: the padded extent is at least",
        ),
        ("f32:Ab4a:2x3:origin=4x0", 20, "axis `a` with extent 2 cannot have padded extent 4 and origin 4"),
        ("f32:ab:2x3:halo=1x0", 16, "axis `a` with extent 2 cannot have padded extent 2 and origin 1"),
        ("f32:Ab4a:2x3:padded=8x3:origin=1x0:halo=1x0", 40, "axis `a`"),
        ("f32:ab:0x3:padded=1x3", 18, "axis `a` with extent 0 cannot have padded extent 1 and origin 0"),
        ("u8:a:1:padded=9223372036854775808", 14, "axis `a`"),
        ("f32:a:1:padded=9223372036854775807", 15, "the tensor is larger than"),
        ("u8:Ab4a:2x3:padded=9223372036854775807x3:origin=1x0", 19, "axis `a`"),
        ("f32:ab:2x3:halo=1x0:padded=3x3", 19, "expected `:padded=`, `:origin=`"),
        // The colon of a part that there is not.
        ("f32:ov:bfyx:1x2x3x4:stride=1", 19, "expected `:padded=`, `:origin=`"),
        ("f32:ab:2x3:padded=2x3x", 22, "expected a decimal number"),
        ("f32:nChw4c:1x4x1x1:strides=4x4x4x4x0", 27, "stride 0 of axis `c`"),
    ] {
        let error = text.parse::<Descriptor>().expect_err(text);
        assert_eq!(error.position(), position, "{text}: {error}");
        assert!(error.to_string().starts_with(message), "{text}: {error}");
    }
    // What is stated although it is implied parses to the same.
    let d = dense(&[2, 3], "aB4b");
    assert_eq!("f32:aB4b:2x3:padded=2x4:origin=0x0:halo=0x0:strides=4x4:base=0".parse(), Ok(d));
}

/// Texts that a stranger might send: pieces of valid ones, put together and changed at random.
#[test]
fn mutated_texts() {
    let pieces = [
        "f32:",
        "u8:",
        "nChw16c",
        "ab",
        "aB4b",
        "scalar",
        ":2x17x5x4",
        ":1x1",
        "x",
        ":",
        "=",
        "-",
        "0",
        "9223372036854775807",
        "18446744073709551616",
        ":padded=",
        ":origin=",
        ":halo=",
        ":strides=",
        ":base=",
        "2x4",
        "1x0",
        " => ",
        "\u{e9}",
        "4x1",
    ];
    let mut state = 1u64;
    let mut below = |n: usize| {
        // SplitMix64.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    };
    let mut parsed = 0;
    for round in 0..200_000 {
        let mut text = if round % 2 == 0 {
            "f32:aB4b:2x6:padded=2x8:origin=0x1:strides=16x4".to_string()
        } else {
            String::from("u8:ab:2x4")
        };
        for _ in 0..1 + below(3) {
            let at = below(text.len() + 1);
            let at = (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
            match below(3) {
                0 => text.insert_str(at, pieces[below(pieces.len())]),
                1 => text.truncate(at),
                _ => text.push_str(pieces[below(pieces.len())]),
            }
        }
        match text.parse::<Descriptor>() {
            Ok(d) => {
                assert_eq!(d.to_string().parse(), Ok(d), "{text}");
                let _ = (d.footprint(), d.is_dense(), d.required_len(), d.fingerprint(), d.same_bytes(&d));
                let _ = (d.is_exhaustive(), d.suggest_memory_format(), d.common_run(&d), d.preserve_format());
                parsed += 1;
            }
            Err(error) => assert!(error.position() <= text.len(), "{text}: {error}"),
        }
    }
    assert!(parsed > 1000, "{parsed}");
}

/// Values that another program computed from the same texts.
#[test]
fn fingerprints_are_fnv_1a_of_the_text() {
    for (text, expected) in [
        ("u8:scalar", 0x9424_2932_596b_265e),
        ("f32:nchw:1x3x224x224", 0x7aa4_8238_3085_814c),
        (
            "f32:nChw16c:2x30x5x4:padded=2x30x5x4:origin=0x5x0x0:strides=1000x320x64x16:base=3",
            0x7c1d_4134_aef4_3572,
        ),
    ] {
        let d: Descriptor = text.parse().unwrap();
        assert_eq!((d.fingerprint(), &d.to_string()[..]), (expected, text));
    }
    let all: std::collections::HashSet<u64> = ["ab", "ba", "aB2b", "Ab2a"]
        .into_iter()
        .flat_map(|format| (1..40).map(move |n| dense(&[n, 6], format).fingerprint()))
        .collect();
    assert_eq!(all.len(), 4 * 39);
}

/// `Hash` agrees with equality, so that a descriptor is a key.
#[test]
fn keys() {
    let one = dense(&[2, 17], "aB8b");
    let parts = [
        one,
        one.submemory(&[0, 0], &[2, 17]).unwrap(),
        one.permute_axes(&[1, 0]).unwrap().permute_axes(&[1, 0]).unwrap(),
        one.unsqueeze(1).unwrap().squeeze(1).unwrap(),
        one.to_string().parse().unwrap(),
    ];
    assert_eq!(std::collections::HashSet::from(parts).len(), 1);
}

#[cfg(feature = "serde")]
#[test]
fn serde() {
    use serde::de::value::{Error, StrDeserializer, U64Deserializer};
    use serde::de::{Deserialize, IntoDeserializer};
    struct Written(Descriptor);
    impl std::fmt::Display for Written {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            // A formatter is a serializer that takes texts as they are.
            serde::Serialize::serialize(&self.0, f)
        }
    }
    let d = dense(&[2, 40, 5, 4], "nChw16c").submemory(&[1, 5, 0, 0], &[1, 30, 5, 4]).unwrap();
    let text = Written(d).to_string();
    assert_eq!(text, d.to_string());
    let borrowed: StrDeserializer<'_, Error> = text.as_str().into_deserializer();
    assert_eq!(Descriptor::deserialize(borrowed), Ok(d));
    let wrong: StrDeserializer<'_, Error> = "f32:nchw:1x2".into_deserializer();
    assert_eq!(
        Descriptor::deserialize(wrong).unwrap_err().to_string(),
        "the layout has rank 4, but 2 extents were given, at byte 9"
    );
    let number: U64Deserializer<Error> = 7u64.into_deserializer();
    assert_eq!(
        Descriptor::deserialize(number).unwrap_err().to_string(),
        "invalid type: integer `7`, expected a descriptor such as `f32:nChw16c:2x17x5x4`"
    );
}
