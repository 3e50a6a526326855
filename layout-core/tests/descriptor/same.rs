//! `same_bytes` against a comparison of every element's offset.

use crate::oracle::{dense, indices};
use crate::properties::format_and_dims;
use layout_core::descriptor::{DType, Descriptor};
use proptest::prelude::*;

/// The definition: same type, same extents, every element at the same offset.
fn by_brute_force(one: &Descriptor, other: &Descriptor) -> bool {
    one.dtype() == other.dtype()
        && one.dims() == other.dims()
        && indices(one.dims()).iter().all(|index| one.offset(index) == other.offset(index))
}

const FORMATS: [&str; 24] = [
    "abc",
    "acb",
    "bac",
    "bca",
    "cab",
    "cba",
    "Abc2a",
    "Abc4a",
    "aBc2b",
    "aBc4b",
    "abC2c",
    "abC4c",
    "acB2b",
    "acB4b",
    "cBa2b",
    "ABc2a2b",
    "ABc2b2a",
    "aBc2b2b",
    "acB2b2b",
    "ABc2b2a2b",
    "abC8c",
    "bcA2a",
    "caB4b",
    "ABC2a2b2c",
];

#[test]
fn all_pairs_of_formats() {
    let (mut same, mut different) = (0, 0);
    for sizes in indices(&[5, 5, 5]) {
        let dims: Vec<_> = sizes.iter().map(|n| [0, 1, 2, 3, 4][*n]).collect();
        let all: Vec<_> = FORMATS.iter().map(|format| dense(&dims, format)).collect();
        for one in &all {
            for other in &all {
                let expected = by_brute_force(one, other);
                assert_eq!(one.same_bytes(other), expected, "{one} {other}");
                *(if expected { &mut same } else { &mut different }) += 1;
            }
        }
    }
    assert!(same > 10_000 && different > 10_000, "{same} {different}");
}

#[test]
fn single_values_and_names_do_not_matter() {
    for (dims, one, other, expected) in [
        ([1, 64, 1, 1], "nchw", "nhwc", true),
        ([8, 1, 5, 4], "nchw", "nhwc", true),
        ([8, 3, 1, 1], "nchw", "nhwc", true),
        ([8, 3, 5, 1], "nchw", "nhwc", false),
        ([2, 16, 5, 4], "nChw16c", "nhwc", true),
        ([2, 17, 5, 4], "nChw16c", "nhwc", false),
        ([2, 16, 5, 4], "nChw16c", "aBcd16b", true),
        ([2, 17, 5, 4], "nhwC16c", "nhwc", false),
        ([2, 32, 5, 4], "nhwC16c", "nhwc", true),
        ([2, 32, 5, 4], "nChw4c4c", "nChw16c", true),
        ([1, 2, 3, 4], "oihw", "nchw", true),
    ] {
        let (one, other) = (dense(&dims, one), dense(&dims, other));
        assert_eq!(one.same_bytes(&other), expected, "{one} {other}");
        assert_eq!(by_brute_force(&one, &other), expected, "{one} {other}");
    }
    // Padding is not compared.
    assert!(dense(&[17], "a").same_bytes(&dense(&[17], "A8a")));
    assert_ne!(dense(&[17], "a").required_len(), dense(&[17], "A8a").required_len());
}

#[test]
fn type_extents_rank_and_base_matter() {
    let d = dense(&[2, 3], "ab");
    let of = |dtype, dims: &[usize], format| Descriptor::new(dtype, dims, format).unwrap();
    assert!(d.same_bytes(&d));
    assert!(!d.same_bytes(&of(DType::S32, &[2, 3], "ab")));
    assert!(!d.same_bytes(&of(DType::F32, &[2, 3, 1], "abc")));
    assert!(!d.same_bytes(&of(DType::F32, &[2, 4], "ab")));
    assert!(!d.same_bytes(&d.with_base(1).unwrap()));
    assert!(dense(&[2, 0], "ab").same_bytes(&dense(&[2, 0], "ba").with_base(1).unwrap()));
}

proptest! {
    #[test]
    fn random_pairs(
        (format, dims) in format_and_dims(),
        strides in prop::collection::vec(1isize..40, 4),
        seed in any::<prop::sample::Index>(),
    ) {
        let one = dense(&dims, &format);
        let plain = ["abcd", "dcba", "bacd", "abdc"].map(|order| {
            order.chars().filter(|c| (*c as usize - 'a' as usize) < dims.len()).collect::<String>()
        });
        let other = dense(&dims, &plain[seed.index(4)]);
        prop_assert_eq!(one.same_bytes(&other), by_brute_force(&one, &other), "{} {}", one, other);
        if let Ok(strided) = Descriptor::from_strides(DType::F32, &dims, &strides[..dims.len()]) {
            prop_assert_eq!(one.same_bytes(&strided), by_brute_force(&one, &strided), "{} {}", one, strided);
        }
    }
}
