//! The longest stretch that two layouts share, against the elements sorted by their offsets.

use crate::oracle::{dense, indices};
use crate::properties::format_and_dims;
use layout_core::descriptor::{DType, Descriptor};
use proptest::prelude::*;

/// The lengths of the stretches in which both offsets rise by one, the elements being sorted by the first.
fn stretches(one: &Descriptor, other: &Descriptor) -> Vec<usize> {
    let mut pairs: Vec<(usize, usize)> = indices(one.dims())
        .iter()
        .map(|index| (one.offset(index).unwrap(), other.offset(index).unwrap()))
        .collect();
    pairs.sort_unstable();
    let mut lengths: Vec<usize> = Vec::new();
    for (i, pair) in pairs.iter().enumerate() {
        let continues = i > 0 && pair.0 == pairs[i - 1].0 + 1 && pair.1 == pairs[i - 1].1 + 1;
        match lengths.last_mut() {
            Some(length) if continues => *length += 1,
            _ => lengths.push(1),
        }
    }
    lengths
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// `post:` the elements, sorted by their offset in `self`, fall into groups of `n` in which both offsets rise by 1
fn check(one: &Descriptor, other: &Descriptor) {
    let run = one.common_run(other);
    let expected = stretches(one, other).into_iter().fold(0, gcd);
    assert!(expected.is_multiple_of(run), "{one} {other}");
    // Behind blocks with a tail all stretches can be longer by chance.
    if one.padded_len() == one.logical_len() && other.padded_len() == other.logical_len() {
        assert_eq!(run, expected, "{one} {other}");
    }
    assert_eq!(other.common_run(one), run, "{one} {other}");
}

#[test]
fn common_run() {
    let formats =
        ["abc", "acb", "bca", "aBc2b", "aBc4b", "aBc3b", "abC2c", "ABc2a2b", "ABc2b2a", "aBc2b2b", "acB8b"];
    for dims in [[2, 8, 3], [2, 12, 1], [3, 5, 4], [1, 16, 2], [4, 6, 6], [1, 1, 1], [2, 3, 1]] {
        for one in formats {
            for other in formats {
                check(&dense(&dims, one), &dense(&dims, other));
            }
        }
    }
    let d = dense(&[2, 0, 3], "abc");
    assert_eq!((d.common_run(&d), d.common_run(&dense(&[2, 1, 3], "abc"))), (0, 0));
    assert_eq!(Descriptor::scalar(DType::F32).common_run(&Descriptor::scalar(DType::U8)), 1);
}

#[test]
fn strided_and_parts() {
    let rows = Descriptor::from_strides(DType::F32, &[4, 6], &[10, 1]).unwrap();
    check(&rows, &dense(&[4, 6], "ab"));
    check(&rows, &rows);
    let column = Descriptor::from_strides(DType::F32, &[4, 6], &[12, 2]).unwrap();
    check(&rows, &column);
    let d = dense(&[2, 24], "aB8b");
    for (start, size) in [(0, 24), (4, 12), (8, 8), (2, 6), (4, 4), (6, 12)] {
        let part = d.submemory(&[0, start], &[2, size]).unwrap();
        let plain = dense(&[2, size], "ab");
        let run = part.common_run(&plain);
        // Runs at multiples of their length in a block; a start in between can only make longer ones by chance.
        let longest = stretches(&part, &plain).into_iter().fold(0, gcd);
        assert!(longest.is_multiple_of(run), "{part} {run} {longest}");
        assert!(run >= gcd(gcd(start, size), 8).min(longest), "{part} {run}");
    }
}

proptest! {
    #[test]
    fn random_pairs((format, dims) in format_and_dims(), (other, _) in format_and_dims()) {
        let d = dense(&dims, &format);
        if let Ok(e) = Descriptor::new(DType::F32, &dims, &other) {
            if !d.is_empty() {
                check(&d, &e);
            }
        }
    }
}
