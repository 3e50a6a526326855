//! `==` and `Hash` of descriptors against their text, which says everything: both look at a part of the value alone.

use crate::properties::format_and_dims;
use layout_core::descriptor::{DType, Descriptor};
use layout_core::grammar::Spec;
use proptest::prelude::*;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

fn of(dims: &[usize], format: &str) -> Descriptor {
    Descriptor::new(DType::F32, dims, format).unwrap()
}

fn hash(d: &Descriptor) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(d)
}

fn check(a: &Descriptor, b: &Descriptor) {
    assert_eq!(a == b, a.to_string() == b.to_string(), "{a} == {b}");
    assert!(a != b || hash(a) == hash(b), "{a}");
}

/// Descriptors of which each two differ in one thing.
fn different() -> Vec<Descriptor> {
    let dims = [2, 16, 8, 8];
    let dense = of(&dims, "nChw8c");
    let parts = Descriptor::with_strides(DType::F32, &dims, "nChw8c", &[4096, 1024, 128, 8]).unwrap();
    // A block outside an outer letter, with a stride of its own.
    let outside = Spec::parse("nC4c_hw").unwrap();
    let gaps =
        |stride| Descriptor::from_parts(DType::F32, &dims, outside, &[4096, 1024, 8, 1, stride], 0).unwrap();
    vec![
        dense,
        Descriptor::new(DType::S32, &dims, "nChw8c").unwrap(),
        of(&dims, "aBcd8b"),
        of(&dims, "oIhw8i"),
        of(&dims, "nChw16c"),
        of(&dims, "nChw2c8c"),
        of(&dims, "nChw8c2c"),
        of(&dims, "nchw"),
        of(&dims, "nchw^2"),
        of(&dims, "nchw^4"),
        of(&dims, "nCHw8c4h"),
        of(&dims, "nCHw4h8c"),
        of(&dims, "nChw2c.0_8c.1"),
        of(&dims, "nChw8c.0_2c.1"),
        of(&[2, 15, 8, 8], "nChw8c"),
        of(&[2, 16, 8, 7], "nChw8c"),
        of(&[1, 16, 8, 8], "nChw8c"),
        parts,
        parts.submemory(&[0, 0, 0, 0], &[2, 16, 4, 8]).unwrap(),
        parts.submemory(&[0, 0, 4, 0], &[2, 16, 4, 8]).unwrap(),
        parts.submemory(&[0, 3, 0, 0], &[2, 13, 8, 8]).unwrap(),
        parts.submemory(&[0, 2, 0, 0], &[2, 13, 8, 8]).unwrap(),
        parts.submemory(&[0, 3, 0, 0], &[2, 12, 8, 8]).unwrap(),
        dense.with_halo(&[0, 0, 0, 0], &[1, 0, 0, 0]).unwrap(),
        dense.with_halo(&[1, 0, 0, 0], &[0, 0, 0, 0]).unwrap(),
        dense.with_halo(&[0, 0, 1, 0], &[0, 0, 0, 0]).unwrap(),
        dense.with_halo(&[0, 0, 0, 0], &[0, 0, 1, 0]).unwrap(),
        gaps(64),
        gaps(65),
        Descriptor::scalar(DType::F32),
        Descriptor::scalar(DType::U8),
    ]
}

#[test]
fn everything_counts() {
    let all = different();
    for (i, a) in all.iter().enumerate() {
        for (j, b) in all.iter().enumerate() {
            check(a, b);
            assert_eq!(a == b, i == j, "{a} and {b}");
        }
    }
    // Names and the rest of a block do not go into the hash, the others do: a table of them works.
    let mut hashes: Vec<_> = all.iter().map(hash).collect();
    hashes.sort_unstable();
    hashes.dedup();
    assert!(hashes.len() * 10 >= all.len() * 7, "{} of {}", hashes.len(), all.len());
}

proptest! {
    #[test]
    fn equal_where_the_text_is(
        (from, dims) in format_and_dims(),
        (other, _) in format_and_dims(),
        axis in 0usize..4,
        extent in 0usize..8,
    ) {
        let a = of(&dims, &from);
        check(&a, &a.clone());
        if let Ok(b) = Descriptor::new(DType::F32, &dims, &other) {
            check(&a, &b);
        }
        let mut changed = dims.clone();
        changed[axis % dims.len()] = extent;
        check(&a, &of(&changed, &from));
        check(&a, &Descriptor::with_strides(DType::F32, &dims, &from, &a.strides()).unwrap());
    }
}
