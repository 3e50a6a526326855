//! The same elements under other extents, over every way to write their number as a product.

use super::model::{Model, check_places};
use crate::oracle::{dense, indices};
use layout_core::descriptor::{AlgebraError, DType, Descriptor};

/// Every list of up to `most` extents that multiply to `len`, those of 1 included.
fn factorings(len: usize, most: usize) -> Vec<Vec<usize>> {
    if most == 0 {
        return if len == 1 { vec![vec![]] } else { vec![] };
    }
    let mut out = if len == 1 { vec![vec![]] } else { vec![] };
    for first in (1..=len).filter(|n| len % n == 0) {
        out.extend(factorings(len / first, most - 1).into_iter().map(|rest| [&[first], &rest[..]].concat()));
    }
    out
}

/// `post:` `reshape(dims).offset(i) == offset(j)` where `j` has the same row-by-row number as `i`
#[test]
fn reshape() {
    let formats = ["abc", "cab", "bca", "aBc4b", "ABc2a4b", "aBc2b2b", "cBa2b", "BAc4b2a2b", "abC3c"];
    for format in formats {
        let dims = [2, 4, 3];
        let (model, d) = (Model::dense(format, &dims), dense(&dims, format));
        let (mut done, mut refused) = (0, 0);
        for new in factorings(24, 4) {
            match d.reshape(&new) {
                Ok(reshaped) => {
                    check_places(&reshaped, &new, &model.elements(), &model.padding());
                    // There and back it is the same memory.
                    let back = reshaped.reshape(&dims).unwrap();
                    assert!(back.same_bytes(&d), "{d} {reshaped} {back}");
                    if format == "abc" {
                        assert_eq!(reshaped, dense(&new, &"abcdefgh"[..new.len().max(1)]), "{new:?}");
                    }
                    done += 1;
                }
                Err(AlgebraError::Cut { .. } | AlgebraError::Padding { .. }) => refused += 1,
                Err(error) => panic!("{d} {new:?}: {error}"),
            }
        }
        assert!(
            done >= 5 && ["abc", "abC3c"].contains(&format) == (refused == 0),
            "{format}: {done} {refused}"
        );
    }
}

/// Axes that stay keep their names, blocks and padding; the others take free letters.
#[test]
fn names_and_padding_that_stay() {
    let d = dense(&[2, 17, 5, 4], "nChw16c");
    let flat = d.reshape(&[2, 17, 20]).unwrap();
    assert_eq!(flat.to_string(), "f32:nca => nCa16c:2x17x20");
    assert_eq!(flat.padded_dims(), [2, 32, 20]);
    check_places(
        &flat,
        &[2, 17, 20],
        &Model::with_halo("nchw", "nChw16c", &[2, 17, 5, 4], &[0; 4], &[0; 4]).elements(),
        &Model::with_halo("nchw", "nChw16c", &[2, 17, 5, 4], &[0; 4], &[0; 4]).padding(),
    );
    let d = dense(&[2, 32, 5, 4], "nChw16c");
    assert_eq!(d.reshape(&[2, 2, 16, 5, 4]).unwrap().to_string(), "f32:nabhw => nahwb:2x2x16x5x4");
    assert_eq!(d.reshape(&[2, 32, 5, 4, 1]).unwrap().to_string(), "f32:nchwa => nChwa16c:2x32x5x4x1");
    assert_eq!(d.reshape(d.dims()), Ok(d));
}

#[test]
fn what_is_in_the_way() {
    let error = |d: &Descriptor, dims: &[usize]| d.reshape(dims).unwrap_err().to_string();
    let d = dense(&[2, 17, 5, 4], "nChw8c");
    assert_eq!(
        error(&d, &[34, 5, 4]),
        "axis `c` with extent 17 is padded to 24: its padding blocks a new shape"
    );
    let d = dense(&[2, 48, 5, 4], "nChw16c");
    assert_eq!(
        error(&d, &[2, 2, 24, 5, 4]),
        "the new shape cuts axis `c`: 24 neither divides its digit of 16 values nor is a multiple of it"
    );
    assert_eq!(error(&d, &[2, 48, 21]), "the tensor has 1920 elements, but the new extents make 2016");
    assert_eq!(
        error(&d, &[usize::MAX, 3]),
        "the tensor has 1920 elements, but the new extents make too many to count"
    );
    assert_eq!(error(&d, &[1; 13]), "the result would have 13 axes, but a tensor has at most 12");
    let ragged = d.submemory(&[0, 8, 0, 0], &[2, 16, 5, 4]).unwrap();
    assert_eq!(
        error(&ragged, &[2, 4, 4, 5, 4]),
        "axis `c` holds positions 8 to 24 of its blocks of 16: a part of a block cannot take a new shape"
    );
    // But the other axes can.
    assert_eq!(ragged.reshape(&[2, 16, 20]).unwrap().offset(&[1, 15, 19]), ragged.offset(&[1, 15, 4, 3]));
    let row = dense(&[1, 6], "ab").broadcast(0, 4).unwrap();
    assert_eq!(
        error(&row, &[24]),
        "axis `a` is broadcast (stride 0) and cannot be joined to one that is not"
    );
    assert_eq!(row.reshape(&[2, 2, 6]).unwrap().strides()[..], [0, 0, 1]);
    let unit = dense(&[2, 1, 5], "aBc8b");
    assert_eq!(
        error(&unit, &[2, 5]),
        "axis `b` with extent 1 is padded to 8: its padding blocks a new shape"
    );
}

#[test]
fn no_elements_and_no_axes() {
    let d = dense(&[2, 0, 3], "cab");
    assert_eq!(d.reshape(&[0, 7]).unwrap(), dense(&[0, 7], "ab"));
    assert!(matches!(d.reshape(&[6]), Err(AlgebraError::ElementCount { expected: 0, found: Some(6) })));
    assert!(d.reshape(&[0, usize::MAX, 2]).is_err());
    let scalar = Descriptor::scalar(DType::F32);
    assert_eq!(scalar.reshape(&[1, 1]).unwrap(), dense(&[1, 1], "ab"));
    assert_eq!(dense(&[1, 1, 1], "abc").reshape(&[]), Ok(scalar));
}

/// A strided tensor: rows with a gap merge with nothing inside them.
#[test]
fn strided() {
    let d = Descriptor::from_strides(DType::F32, &[2, 3, 4], &[40, 10, 2]).unwrap();
    for new in factorings(24, 3) {
        if let Ok(reshaped) = d.reshape(&new) {
            let elements: Vec<usize> =
                indices(d.dims()).iter().map(|index| d.offset(index).unwrap()).collect();
            check_places(&reshaped, &new, &elements, &Default::default());
        }
    }
    assert!(d.reshape(&[24]).unwrap().digit_len() > 1);
}
