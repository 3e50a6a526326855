//! Offsets and their inverse by brute force, over formats of every kind and over random ones.

use crate::oracle::{check, dense, laid_out};
use layout_core::descriptor::{DType, Descriptor};
use proptest::prelude::*;

/// A format of `rank` axes named `a`, `b`, …, with blocks that need not be powers of two, and extents for it.
pub(crate) fn format_and_dims() -> impl Strategy<Value = (String, Vec<usize>)> {
    (1usize..5)
        .prop_flat_map(|rank| {
            let order = Just((0..rank).collect::<Vec<_>>()).prop_shuffle();
            let blocks = prop::collection::vec((0..rank, 2usize..6), 0..4);
            (order, blocks, prop::collection::vec(0usize..8, rank))
        })
        .prop_map(|(order, blocks, dims)| {
            let letter = |a: usize| (b'a' + a as u8) as char;
            let case = |a: usize| {
                let blocked = blocks.iter().any(|block| block.0 == a);
                if blocked { letter(a).to_ascii_uppercase() } else { letter(a) }
            };
            let outer: String = order.iter().map(|&a| case(a)).collect();
            let inner: String = blocks.iter().map(|&(a, size)| format!("{size}{}", letter(a))).collect();
            (outer + &inner, dims)
        })
}

/// Every offset of a dense tensor against counting through memory.
fn check_dense(format: &str, dims: &[usize]) {
    let d = dense(dims, format);
    let letters = &"abcdefghijkl"[..dims.len()];
    let memory = laid_out(letters, format, dims);
    assert_eq!(memory.len(), d.required_len(), "{d}");
    for (offset, index) in memory.iter().enumerate() {
        assert_eq!(d.offset_unchecked(index), offset, "{d} {index:?}");
    }
    check(&d);
    assert!(d.is_dense());
    assert_eq!(d.to_string().parse(), Ok(d));
    // Stating the same strides by hand changes nothing.
    assert_eq!(Descriptor::with_strides(DType::F32, dims, format, &d.strides()), Ok(d));
}

#[test]
fn formats_of_every_kind() {
    let formats = [
        "abc",
        "cab",
        "bca",
        "Abc4a",
        "aBc4b",
        "abC4c",
        "aBc3b",
        "cBa5b",
        "ABc2a4b",
        "ABc4b2a",
        "ABC2c3a2b",
        "aBc2b3b",
        "ABc2a3b2a",
        "BAc4b2a2b",
        "cbA2a2a2a",
        "acB8b",
    ];
    for format in formats {
        for dims in [[1, 1, 1], [2, 4, 6], [3, 5, 7], [4, 8, 2], [1, 9, 3], [5, 1, 4], [2, 0, 3], [7, 16, 1]]
        {
            check_dense(format, &dims);
        }
    }
}

proptest! {
    #[test]
    fn random_formats((format, dims) in format_and_dims()) {
        check_dense(&format, &dims);
    }

    /// Strides widened by random gaps, turned around at random, on a random base.
    #[test]
    fn random_strides(
        (format, dims) in format_and_dims(),
        gaps in prop::collection::vec((0usize..3, any::<bool>()), 4),
        extra in 0usize..4,
    ) {
        let d = dense(&dims, &format);
        let mut strides = vec![0; dims.len()];
        let (mut reach, mut below, mut gap) = (0, 0, gaps.into_iter());
        for digit in d.inner_first() {
            let mut stride = digit.stride.unsigned_abs();
            if digit.top {
                let (gap, turned) = gap.next().unwrap();
                stride = reach + 1 + gap;
                strides[digit.axis] = if turned { -(stride as isize) } else { stride as isize };
                below += if turned { digit.extent.saturating_sub(1) * stride } else { 0 };
            }
            reach += digit.extent.saturating_sub(1) * stride;
        }
        let d = Descriptor::from_parts(DType::U8, &dims, *d.spec(), &strides, below + extra).unwrap();
        prop_assert_eq!(&d.strides()[..], &strides[..]);
        if !d.is_empty() {
            prop_assert_eq!(d.first_offset(), extra);
        }
        check(&d);
        prop_assert_eq!(d.to_string().parse(), Ok(d));
    }
}
