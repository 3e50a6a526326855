//! Formats that no oneDNN name states, built digit by digit: blocks outside an outer letter, swizzled blocks, padding
//! multiples; and formats that are not complete.

use crate::oracle::{check, indices};
use layout_core::descriptor::{DType, Descriptor, DescriptorError, MAX_OUTER};
use layout_core::grammar::Spec;
use layout_core::shape::SizeError;

fn axes(letters: &str) -> Spec {
    let mut spec = Spec::SCALAR;
    letters.bytes().for_each(|letter| spec.push_axis(letter).unwrap());
    spec
}

fn described(dims: &[usize], spec: Spec) -> Descriptor {
    spec.validate().unwrap();
    Descriptor::from_spec(DType::F32, dims, spec).unwrap()
}

/// TVM's NC16cHW: the block lies outside the spatial axes.
fn nc16chw() -> Spec {
    let mut spec = axes("nchw");
    spec.push_top(0, 1).unwrap();
    spec.push_top(1, 1).unwrap();
    spec.push_block(1, 16).unwrap();
    spec.push_top(2, 1).unwrap();
    spec.push_top(3, 1).unwrap();
    spec
}

#[test]
fn block_outside_outer_letters() {
    let d = described(&[2, 17, 3, 5], nc16chw());
    assert_eq!(d.padded_dims(), [2, 32, 3, 5]);
    assert_eq!(*d.strides(), [480, 240, 5, 1]);
    for index in indices(d.dims()) {
        let [n, c, h, w] = index[..] else { unreachable!() };
        assert_eq!(d.offset(&index), Ok((((n * 2 + c / 16) * 16 + c % 16) * 3 + h) * 5 + w));
    }
    check(&d);

    // Its stride is given behind those of the axes.
    let strided =
        Descriptor::from_parts(DType::F32, &[2, 17, 3, 5], nc16chw(), &[600, 300, 6, 1, 18], 0).unwrap();
    assert_eq!(strided.offset(&[1, 16, 2, 4]), Ok(600 + 300 + 12 + 4));
    assert_eq!(strided.offset(&[0, 15, 0, 1]), Ok(15 * 18 + 1));
    check(&strided);
    let error =
        Descriptor::from_parts(DType::F32, &[2, 17, 3, 5], nc16chw(), &[600, 300, 6, 1], 0).unwrap_err();
    assert_eq!(error, DescriptorError::StrideCount { expected: 5, found: 4 });
    let old = d.blocking_095().unwrap();
    assert_eq!((old.strides[0][1], old.strides[1][1]), (240, 15));
}

/// Swizzled blocks: of `o` the physically outer block is the less significant one, and three blocks out of order.
#[test]
fn swizzled_blocks() {
    let mut spec = axes("oi");
    spec.push_top(0, 1).unwrap();
    spec.push_top(1, 1).unwrap();
    for (axis, size) in [(0, 4), (1, 8), (0, 8), (1, 4)] {
        spec.push_block(axis, size).unwrap();
    }
    spec.set_significance(2, 0);
    spec.set_significance(4, 1);
    let d = described(&[33, 40], spec);
    for index in indices(d.dims()) {
        let [o, i] = index[..] else { unreachable!() };
        let place = (((o / 32 * 2 + i / 32) * 4 + o % 4) * 8 + i / 4 % 8) * 8 + o / 4 % 8;
        assert_eq!(d.offset(&index), Ok(place * 4 + i % 4));
    }
    check(&d);

    let mut spec = axes("a");
    spec.push_top(0, 1).unwrap();
    [2, 3, 5].into_iter().for_each(|size| spec.push_block(0, size).unwrap());
    // Sizes 2, 3, 5 from the outside are the digits 1, 0, 2 from the lowest.
    [(1, 1), (2, 0), (3, 2)].into_iter().for_each(|(position, value)| spec.set_significance(position, value));
    let d = described(&[61], spec);
    for a in 0..61 {
        assert_eq!(d.offset(&[a]), Ok(((a / 30 * 2 + a / 3 % 2) * 3 + a % 3) * 5 + a / 6 % 5));
    }
    check(&d);
}

/// Blocks that lie outside their own axis' top digit.
#[test]
fn block_outside_its_own_top() {
    let mut spec = axes("ab");
    spec.push_block(0, 4).unwrap();
    spec.push_top(1, 1).unwrap();
    spec.push_top(0, 1).unwrap();
    let d = described(&[10, 3], spec);
    for index in indices(d.dims()) {
        assert_eq!(d.offset(&index), Ok((index[0] % 4 * 3 + index[1]) * 3 + index[0] / 4));
    }
    check(&d);
}

#[test]
fn padding_multiples() {
    let mut spec = axes("hw");
    spec.push_top(0, 1).unwrap();
    spec.push_top(1, 32).unwrap();
    let d = described(&[3, 33], spec);
    assert_eq!((d.padded_dims(), &*d.strides()), (&[3, 64][..], &[64, 1][..]));
    assert!(d.is_plain() && d.is_dense());
    assert_eq!(d.offset(&[2, 32]), Ok(160));
    check(&d);

    // A multiple that the block does not divide: the least common one.
    let mut spec = axes("hw");
    spec.push_top(0, 6).unwrap();
    spec.push_top(1, 1).unwrap();
    spec.push_block(0, 4).unwrap();
    let d = described(&[13, 2], spec);
    assert_eq!(d.padded_dims(), [24, 2]);
    check(&d);
}

#[test]
fn incomplete_formats_are_refused() {
    let mut spec = axes("nc");
    spec.push_top(1, 1).unwrap();
    let made = Descriptor::from_spec(DType::F32, &[2, 3], spec);
    assert_eq!(made, Err(SizeError::Unplaced { axis: 'n' }));
    assert_eq!(
        made.unwrap_err().to_string(),
        "the layout does not say where axis `n` lies: its digits are incomplete or ambiguous"
    );

    let mut spec = axes("n");
    spec.push_top(0, 1).unwrap();
    spec.push_block(0, 2).unwrap();
    spec.push_block(0, 2).unwrap();
    spec.set_significance(1, 0);
    assert_eq!(Descriptor::from_spec(DType::F32, &[2], spec), Err(SizeError::Unplaced { axis: 'n' }));
}

#[test]
fn more_outer_digits_than_are_stored() {
    let mut spec = axes("nc");
    spec.push_top(0, 1).unwrap();
    (0..MAX_OUTER).for_each(|_| spec.push_block(0, 2).unwrap());
    spec.push_top(1, 1).unwrap();
    let made = Descriptor::from_spec(DType::F32, &[2, 3], spec);
    assert_eq!(made, Err(SizeError::OuterDigits { found: MAX_OUTER + 2, limit: MAX_OUTER }));
}
