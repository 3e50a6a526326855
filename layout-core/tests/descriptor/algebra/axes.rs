//! Order and names of axes, axes of extent 1, broadcasts.

use super::model::Model;
use crate::oracle::{dense, indices};
use layout_core::descriptor::{AlgebraError, DType, Descriptor, DescriptorError};

const FORMATS: [&str; 8] = ["abc", "cab", "aBc4b", "ABc2a4b", "aBc2b3b", "ABC2c3a2b", "cBa5b", "BAc4b2a2b"];

/// `post:` `permute_axes(axes).offset(i) == offset(j)` where `j[axes[a]] = i[a]`
#[test]
fn permute_axes() {
    for format in FORMATS {
        let d = dense(&[3, 7, 2], format);
        for axes in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let permuted = d.permute_axes(&axes).unwrap();
            Model::dense(format, &[3, 7, 2]).permute_axes(&axes).check(&permuted);
            // Anonymous axes: what the format is called from the new order.
            let renamed: String = format
                .chars()
                .map(|c| {
                    let Some(old) = "abc".find(c.to_ascii_lowercase()) else { return c };
                    let new = axes.iter().position(|&axis| axis == old).unwrap();
                    let letter = (b'a' + new as u8) as char;
                    if c.is_ascii_uppercase() { letter.to_ascii_uppercase() } else { letter }
                })
                .collect();
            assert_eq!(permuted, dense(permuted.dims(), &renamed));
            // Back again.
            let mut inverse = [0; 3];
            axes.iter().enumerate().for_each(|(a, &axis)| inverse[axis] = a);
            assert_eq!(permuted.permute_axes(&inverse), Ok(d));
        }
    }
}

/// oneDNN: `dims[permutation[a]] = source.dims[a]`, the inverse of ours.
#[test]
fn permutation_of_onednn() {
    let d = dense(&[2, 3, 4], "abc");
    let permutation = [1, 2, 0];
    let mut theirs = [0; 3];
    permutation.iter().zip(d.dims()).for_each(|(&to, &extent)| theirs[to] = extent);
    let mut inverse = [0; 3];
    permutation.iter().enumerate().for_each(|(a, &to)| inverse[to] = a);
    assert_eq!(d.permute_axes(&inverse).unwrap().dims(), theirs);
}

/// `post:` `transpose(a, b).offset(i) == offset(i with i[a] and i[b] exchanged)`
#[test]
fn transpose() {
    for format in FORMATS {
        let d = dense(&[3, 7, 2], format);
        for (a, b) in [(0, 1), (1, 2), (2, 0), (1, 1)] {
            let transposed = d.transpose(a, b).unwrap();
            for mut index in indices(transposed.dims()) {
                let found = transposed.offset(&index);
                index.swap(a, b);
                assert_eq!(found, d.offset(&index));
            }
            assert_eq!(transposed.transpose(b, a), Ok(d));
        }
    }
}

#[test]
fn names_go_with_their_axes() {
    let d = dense(&[2, 3, 5, 4], "nhwc");
    let permuted = d.permute_axes(&[0, 2, 3, 1]).unwrap();
    assert_eq!(permuted.to_string(), "f32:nhwc => nhwc:2x5x4x3");
    assert_eq!(permuted.spec().axis_named('c'), Some(3));
    assert_eq!(permuted.renamed("abcd"), Ok(dense(&[2, 5, 4, 3], "abcd")));
    assert_eq!(d.unsqueeze(2).unwrap().to_string(), "f32:ncahw => nahwc:2x3x1x5x4");
    assert_eq!(d.renamed("nchw"), Ok(d));
}

/// `post:` `squeeze(axis).offset(i) == offset(i with 0 inserted at axis)`
#[test]
fn squeeze() {
    for format in ["abc", "cab", "Abc4a", "aBC2b4c", "abC2c3c", "bcA2a"] {
        for axis in 0..3 {
            let mut dims = [3, 7, 2];
            dims[axis] = 1;
            let d = dense(&dims, format);
            let blocked = format.contains(["A", "B", "C"][axis]);
            match d.squeeze(axis) {
                Ok(squeezed) => Model::dense(format, &dims).select(axis, 0).check(&squeezed),
                Err(error) => assert!(blocked && matches!(error, AlgebraError::Padding { extent: 1, .. })),
            }
        }
    }
    // The block of another axis stays, and its strides are not dense any more.
    let left = dense(&[32, 8], "AB16a8b").select(1, 3).unwrap();
    assert_eq!(left.to_string(), "f32:A16a:32:strides=128x8:base=3");
    assert_eq!(left.to_string().parse(), Ok(left));
}

/// `post:` `unsqueeze(at).offset(i) == offset(i without i[at])`
#[test]
fn unsqueeze() {
    for format in FORMATS {
        let d = dense(&[3, 7, 2], format);
        for at in 0..4 {
            let more = d.unsqueeze(at).unwrap();
            Model::dense(format, &[3, 7, 2]).unsqueeze(at).check(&more);
            assert_eq!(more.squeeze(at), Ok(d), "{d} {more}");
            assert!(more.same_bytes_apart_from_units(&d) && d.same_bytes_apart_from_units(&more));
        }
    }
    // As PyTorch: the stride of the axis behind times its extent.
    let last = dense(&[2, 3, 5, 4], "acdb");
    assert_eq!(*last.unsqueeze(2).unwrap().strides(), [60, 1, 60, 12, 3]);
    assert_eq!(last.unsqueeze(2).unwrap(), dense(&[2, 3, 1, 5, 4], "acdeb"));
    assert_eq!(dense(&[2, 3], "ab").unsqueeze(2).unwrap(), dense(&[2, 3, 1], "abc"));
    assert_eq!(dense(&[2, 3], "ab").unsqueeze(0).unwrap(), dense(&[1, 2, 3], "abc"));
    assert_eq!(Descriptor::scalar(DType::F32).unsqueeze(0).unwrap(), dense(&[1], "a"));
}

/// `post:` `broadcast(axis, n).offset(i) == offset(i with i[axis] = 0)`
#[test]
fn broadcast() {
    for format in FORMATS {
        for axis in 0..3 {
            let mut dims = [3, 7, 2];
            dims[axis] = 1;
            let (model, d) = (Model::dense(format, &dims), dense(&dims, format));
            for extent in [0, 2, 5] {
                let more = d.broadcast(axis, extent).unwrap();
                model.broadcast(axis, extent).check(&more);
                assert!(extent == 0 || more.strides()[axis] == 0);
            }
            assert_eq!(d.broadcast(axis, 1), Ok(d));
        }
    }
    let huge = dense(&[1, 3], "ab").broadcast(0, usize::MAX / 2);
    assert!(matches!(huge, Err(AlgebraError::Descriptor(DescriptorError::Size(_)))));
}

/// `post:` `broadcast_to(dims).offset(i) == offset(j)`, `j[a]` being 0 where `self.dims[a]` is 1, else `i[a + added]`
#[test]
fn broadcast_to() {
    let d = dense(&[3, 1, 5], "aBc4b");
    let more = d.broadcast_to(&[2, 3, 4, 5]).unwrap();
    for index in indices(&[2, 3, 4, 5]) {
        assert_eq!(more.offset(&index), d.offset(&[index[1], 0, index[3]]));
    }
    assert!(d.broadcast_to(&[2, 2, 4, 5]).is_err() && d.broadcast_to(&[1, 5]).is_err());
    assert_eq!(d.broadcast_to(&[3, 1, 5]), Ok(d));
}

/// Broadcasts in text: a stride of 0.
#[test]
fn text_of_a_broadcast() {
    let d = dense(&[1, 3, 1], "abc").broadcast(0, 4).unwrap().broadcast(2, 2).unwrap();
    assert_eq!(d.to_string(), "f32:abc:4x3x2:strides=0x1x0");
    assert_eq!(d.to_string().parse(), Ok(d));
    // Strides alone are refused, as they may be a mistake.
    assert!(Descriptor::from_strides(DType::F32, &[4, 3, 2], &[0, 1, 0]).is_err());
}
