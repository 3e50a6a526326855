//! Layouts as functions: composition and right inverse, checked over all coordinates.

use super::model::row_by_row;
use crate::oracle::{dense, indices};
use crate::properties::format_and_dims;
use layout_core::descriptor::{AlgebraError, DType, Descriptor};
use proptest::prelude::*;

/// The offset of the element of `d` with the row-by-row number `number`.
fn at_number(d: &Descriptor, number: usize) -> usize {
    let mut index = vec![0; d.rank()];
    let mut rest = number;
    for a in (0..d.rank()).rev() {
        index[a] = rest % d.dims()[a];
        rest /= d.dims()[a];
    }
    d.offset(&index).unwrap()
}

fn check_composition(outer: &Descriptor, inner: &Descriptor, composed: &Descriptor) {
    assert_eq!((composed.dims(), composed.dtype()), (inner.dims(), outer.dtype()));
    for index in indices(inner.dims()) {
        let expected = at_number(outer, inner.offset(&index).unwrap());
        assert_eq!(composed.offset(&index), Ok(expected), "{outer} through {inner}: {composed} {index:?}");
    }
}

/// Whether offsets, as a function of the digits of `inner`, are a sum over them: what a composition has to be.
fn is_a_sum(outer: &Descriptor, inner: &Descriptor) -> bool {
    let of = |index: &[usize]| at_number(outer, inner.offset(index).unwrap()) as isize;
    let zero = vec![0; inner.rank()];
    indices(inner.dims()).iter().all(|index| {
        let parts = (0..inner.rank()).map(|a| {
            let mut one = zero.clone();
            one[a] = index[a];
            of(&one) - of(&zero)
        });
        parts.sum::<isize>() + of(&zero) == of(index)
    })
}

/// `post:` `compose(inner).offset(i) == self.offset(j)` where `j` has the row-by-row number `inner.offset(i)`
#[test]
fn compose() {
    let outers = ["abc", "cab", "bca", "aBc2b", "aBc4b", "ABc2a2b", "cBa2b2b", "BAc4b2a2b"];
    let inner_formats: [(&[usize], &str); 12] = [
        (&[32], "a"),
        (&[4, 8], "ab"),
        (&[4, 8], "ba"),
        (&[8, 4], "ba"),
        (&[2, 4, 4], "acb"),
        (&[16], "A4a"),
        (&[4, 8], "AB2a2b"),
        (&[3, 5], "ab"),
        (&[2, 2, 2, 2], "badc"),
        (&[], "scalar"),
        (&[1, 7, 1], "abc"),
        (&[4, 8], "aB4b"),
    ];
    let (mut done, mut refused) = (0, 0);
    for format in outers {
        let outer = dense(&[2, 8, 2], format);
        let mut inners: Vec<Descriptor> = inner_formats
            .iter()
            .map(
                |(dims, format)| {
                    if dims.is_empty() { Descriptor::scalar(DType::U8) } else { dense(dims, format) }
                },
            )
            .collect();
        for (dims, strides, base) in [
            (&[4, 2][..], &[8, 2][..], 1),
            (&[16], &[2], 0),
            (&[16], &[2], 1),
            (&[10], &[3], 2),
            (&[4], &[-8], 24),
            (&[2, 4], &[-16, -2], 22),
            (&[5], &[6], 0),
            (&[3, 2], &[1, 4], 5),
        ] {
            let order = Descriptor::from_strides(DType::U8, dims, strides)
                .map(|d| *d.spec())
                .unwrap_or_else(|_| layout_core::grammar::Spec::parse(&"abc"[..dims.len()]).unwrap());
            inners.push(Descriptor::from_parts(DType::U8, dims, order, strides, base).unwrap());
        }
        inners.push(dense(&[1, 2], "ab").broadcast(0, 3).unwrap());
        for inner in inners {
            match outer.compose(&inner) {
                Ok(composed) => {
                    check_composition(&outer, &inner, &composed);
                    done += 1;
                }
                Err(AlgebraError::Crossing { .. }) => {
                    // Plain layouts that the digits refuse are no layouts.
                    if format == "abc" {
                        assert!(!is_a_sum(&outer, &inner), "{outer} {inner}");
                    }
                    refused += 1;
                }
                Err(error) => panic!("{outer} {inner}: {error}"),
            }
        }
    }
    assert!(done > 100 && refused > 10, "{done} {refused}");
}

#[test]
fn what_does_not_compose() {
    let outer = dense(&[4, 6], "ba");
    let error = |inner: &Descriptor| outer.compose(inner).unwrap_err().to_string();
    assert_eq!(error(&dense(&[25], "a")), "the inner layout needs 25 elements, but the outer one has 24");
    assert_eq!(
        error(&Descriptor::from_strides(DType::F32, &[5], &[4]).unwrap()),
        "steps of 4 along axis `a` of the inner layout cross a border of the outer one every 6 elements"
    );
    assert!(matches!(outer.compose(&dense(&[3], "A2a")), Err(AlgebraError::Padding { axis: 'a', .. })));
    let part = dense(&[8], "A4a").submemory(&[1], &[4]).unwrap();
    assert!(matches!(outer.compose(&part), Err(AlgebraError::Ragged { axis: 'a', origin: 1, .. })));
    assert!(matches!(dense(&[5], "A4a").compose(&dense(&[2], "a")), Err(AlgebraError::Padding { .. })));
    // Nothing is read through anything.
    assert!(outer.compose(&dense(&[0, 3], "ab")).unwrap().is_empty());
}

/// `post:` `self.offset(j) == self.offset(0) + o` where `j` has the number `right_inverse().offset([o])`
fn check_right_inverse(d: &Descriptor) {
    let inverse = d.right_inverse().unwrap();
    let first = d.offset(&vec![0; d.rank()]).unwrap();
    for o in 0..inverse.dims()[0] {
        assert_eq!(at_number(d, inverse.offset(&[o]).unwrap()), first + o, "{d} {inverse}");
    }
    if d.is_dense() {
        assert_eq!(inverse.dims(), [d.logical_len()], "{d}");
        // And it is a left inverse.
        for index in indices(d.dims()) {
            let offset = d.offset(&index).unwrap() - first;
            assert_eq!(inverse.offset(&[offset]), Ok(row_by_row(d.dims(), &index)), "{d} {index:?}");
        }
    }
}

#[test]
fn right_inverse() {
    for format in ["abc", "cab", "bca", "aBc2b", "aBc4b", "ABc2a2b", "cBa2b2b", "BAc4b2a2b"] {
        let d = dense(&[2, 8, 3], format);
        check_right_inverse(&d);
        check_right_inverse(&d.with_base(5).unwrap());
    }
    let strided = Descriptor::from_strides(DType::F32, &[3, 4, 2], &[20, 2, 1]).unwrap();
    check_right_inverse(&strided);
    assert_eq!(strided.right_inverse().unwrap().dims(), [8]);
    check_right_inverse(&Descriptor::scalar(DType::F32));
    assert!(dense(&[0, 3], "ab").right_inverse().unwrap().is_empty());
    assert!(matches!(dense(&[5], "A4a").right_inverse(), Err(AlgebraError::Padding { .. })));
}

proptest! {
    #[test]
    fn random_compositions(
        (format, dims) in format_and_dims(),
        (inner_format, inner_dims) in format_and_dims(),
    ) {
        let (outer, inner) = (dense(&dims, &format), dense(&inner_dims, &inner_format));
        if let Ok(composed) = outer.compose(&inner) {
            if !composed.is_empty() {
                check_composition(&outer, &inner, &composed);
            }
        }
        if outer.right_inverse().is_ok() && !outer.is_empty() {
            check_right_inverse(&outer);
            // The identity on offsets.
            let inverse = outer.right_inverse().unwrap();
            let identity = outer.compose(&inverse).unwrap();
            prop_assert!((0..inverse.dims()[0]).all(|o| identity.offset(&[o]) == Ok(o)));
        }
    }
}
