//! Extra padding around a tensor, which belongs to it.

use super::model::Model;
use crate::oracle::{dense, indices};
use layout_core::descriptor::{DType, Descriptor, DescriptorError};

/// `post:` `offset(i) == Descriptor::new(padded_dims, format).offset(before + i) + base`
#[test]
fn with_halo() {
    for format in ["abc", "cab", "aBc4b", "ABc2a4b", "aBc2b3b"] {
        for before in indices(&[2, 6, 2]) {
            for after in [[0, 0, 0], [1, 0, 2], [0, 3, 0]] {
                let dims = [2, 5, 3];
                let d = dense(&dims, format).with_halo(&before, &after).unwrap();
                let model = Model::with_halo("abc", format, &dims, &before, &after);
                model.check(&d);
                assert!(d.is_dense() && d.is_exhaustive());
                assert_eq!(d.to_string().parse(), Ok(d), "{d}");
                let around = dense(d.padded_dims(), format);
                let part = around.submemory(&before, &dims).unwrap();
                // The same elements, but here with the padding.
                assert!(part.same_bytes(&d), "{part} {d}");
                for start in indices(&[2, 4, 1]) {
                    let size = [2 - start[0], 2, 3];
                    model.submemory(&start, &size).check(&d.submemory(&start, &size).unwrap());
                }
            }
        }
    }
}

#[test]
fn after_another_halo_or_strided() {
    let d = dense(&[2, 3], "ab");
    let padded = d.with_halo(&[1, 0], &[0, 0]).unwrap();
    assert_eq!(padded.with_halo(&[1, 0], &[0, 0]), Err(DescriptorError::NotDense));
    assert_eq!(
        d.with_halo(&[1, 0], &[0]).unwrap_err().to_string(),
        "the tensor has 2 axes, but 1 paddings were given"
    );
    let strided = Descriptor::from_strides(DType::F32, &[2, 3], &[4, 1]).unwrap();
    assert!(strided.with_halo(&[0, 0], &[0, 1]).is_err());
    for size in [usize::MAX, isize::MAX as usize, isize::MAX as usize / 4] {
        assert!(matches!(d.with_halo(&[size, 0], &[0, 0]), Err(DescriptorError::Size(_))));
        assert!(matches!(d.with_halo(&[0, 0], &[0, size]), Err(DescriptorError::Size(_))));
    }
    // Nothing to pad.
    let empty = dense(&[0, 3], "ab").with_halo(&[2, 1], &[0, 0]).unwrap();
    assert_eq!((empty.padded_dims(), empty.required_len()), (&[0, 4][..], 0));
    assert_eq!(empty.to_string().parse(), Ok(empty));
}
