//! What the tests compare with. Nothing here uses the crate's digits: a tensor is laid out by counting through memory.

use layout_core::descriptor::{DType, Descriptor, Location};
use std::collections::HashSet;

/// Every index below `extents`, in logical order.
pub(crate) fn indices(extents: &[usize]) -> Vec<Vec<usize>> {
    let mut out = vec![vec![]];
    for &extent in extents {
        out = out.iter().flat_map(|index| (0..extent).map(move |i| [&index[..], &[i]].concat())).collect();
    }
    out
}

/// The padded index at every offset of a dense tensor: counts through memory as the format is read, outer letters
/// first, blocks behind them. `letters` is the logical order. Of an axis, what stands further left counts more.
pub(crate) fn laid_out(letters: &str, format: &str, dims: &[usize]) -> Vec<Vec<usize>> {
    let axis_of = |c: char| letters.find(c.to_ascii_lowercase()).expect("the letter is in the logical order");
    let (mut digits, mut number) = (Vec::new(), String::new());
    for c in format.chars() {
        if c.is_ascii_digit() {
            number.push(c);
        } else {
            digits.push((axis_of(c), std::mem::take(&mut number).parse::<usize>().ok()));
        }
    }
    let block = |a: usize| digits.iter().filter(|d| d.0 == a).filter_map(|d| d.1).product::<usize>();
    let counts: Vec<usize> =
        digits.iter().map(|d| d.1.unwrap_or_else(|| dims[d.0].div_ceil(block(d.0)))).collect();
    let compose = |counter: Vec<usize>| {
        let mut index = vec![0; dims.len()];
        for (&(axis, size), value) in digits.iter().zip(counter) {
            index[axis] = index[axis] * size.unwrap_or(1) + value;
        }
        index
    };
    indices(&counts).into_iter().map(compose).collect()
}

/// Asserts by going through every offset and every index that offsets are distinct and below the required length,
/// that `locate` is the inverse, and that padding and unused memory are exactly the rest.
pub(crate) fn check(d: &Descriptor) {
    let (mut elements, mut padding, mut unused) = (0, 0, 0);
    for offset in 0..d.required_len() {
        match d.locate(offset).unwrap() {
            Location::Element(index) => {
                assert_eq!(d.offset(&index), Ok(offset), "{d} {index:?}");
                elements += 1;
            }
            Location::Padding => padding += 1,
            Location::Unused => unused += 1,
        }
    }
    assert!(d.locate(d.required_len()).is_err());
    assert_eq!(elements, d.logical_len(), "{d}");
    assert_eq!(padding, d.padded_len() - d.logical_len(), "{d}");
    assert_eq!(unused, d.required_len() - d.padded_len(), "{d}");
    let turned = d.digits().iter().any(|digit| digit.extent > 1 && digit.stride < 0);
    assert_eq!(d.is_dense(), d.is_empty() || (unused == d.base() && !turned), "{d}");

    let mut seen = HashSet::new();
    for index in indices(d.padded_dims()) {
        let offset = d.offset_unchecked(&index);
        assert!(offset < d.required_len() && offset >= d.first_offset(), "{d} {index:?}");
        assert!(seen.insert(offset), "{d} {index:?}: offset {offset} twice");
        let inside = index.iter().zip(d.dims()).all(|(i, n)| i < n);
        match d.locate(offset).unwrap() {
            Location::Element(found) => assert!(inside && found[..] == index[..], "{d} {index:?} {found:?}"),
            Location::Padding => assert!(!inside, "{d} {index:?}"),
            Location::Unused => panic!("{d} {index:?}"),
        }
    }
    let last = seen.iter().max().map_or(0, |last| last + 1);
    assert_eq!(last, d.required_len(), "{d}");
    assert_eq!(d.size_bytes(), last * d.dtype().size(), "{d}");

    // The digits one by one, together, and from the inside are the same ones.
    let digits = d.digits();
    assert_eq!(digits.len(), d.digit_len());
    assert!(digits.iter().enumerate().all(|(i, digit)| d.digit(i) == Some(*digit)), "{d}");
    assert!(d.inner_first().eq(digits.iter().rev().copied()), "{d}");
    assert_eq!(d.digit(d.digit_len()), None);
    for digit in digits.iter() {
        let strides = d.strides();
        assert!(!digit.top || strides[digit.axis] == digit.stride);
    }
}

/// A dense `f32` descriptor.
pub(crate) fn dense(dims: &[usize], format: &str) -> Descriptor {
    Descriptor::new(DType::F32, dims, format).unwrap_or_else(|error| panic!("{format} {dims:?}: {error}"))
}
