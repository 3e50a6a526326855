//! Parts of tensors: on blocks, off blocks, with and without the border.

use super::model::Model;
use crate::oracle::{dense, indices};
use layout_core::descriptor::{AlgebraError, Location};
use std::collections::BTreeSet;

const FORMATS: [&str; 8] = ["abc", "cab", "aBc4b", "ABc2a4b", "aBc2b3b", "ABC2c3a2b", "cBa5b", "BAc4b2a2b"];

/// `post:` `submemory(start, dims).offset(i) == self.offset(start + i)`, and the padding goes with the border.
#[test]
fn submemory() {
    for format in FORMATS {
        let (whole, d) = (Model::dense(format, &[3, 7, 2]), dense(&[3, 7, 2], format));
        for start in indices(&[4, 8, 2]) {
            for dims in indices(&[4 - start[0], 8 - start[1], 3 - start[2]]) {
                let part = d.submemory(&start, &dims).unwrap();
                whole.submemory(&start, &dims).check(&part);
                assert_eq!(part.is_ragged(), is_ragged(format, &start, &dims), "{part}");
            }
        }
    }
}

/// By hand: blocked are `b` by 4, 6, 5 or 8 and `a` by 2, 3 or 4.
fn is_ragged(format: &str, start: &[usize], dims: &[usize]) -> bool {
    let blocks = match format {
        "aBc4b" => [1, 4, 1],
        "ABc2a4b" => [2, 4, 1],
        "aBc2b3b" => [1, 6, 1],
        "ABC2c3a2b" => [3, 2, 2],
        "cBa5b" => [1, 5, 1],
        "BAc4b2a2b" => [2, 8, 1],
        _ => [1, 1, 1],
    };
    let whole = [3, 7, 2];
    (0..3).any(|a| {
        let end = start[a] + dims[a];
        dims[a] > 0 && (start[a] % blocks[a] != 0 || (end != whole[a] && end % blocks[a] != 0))
    })
}

/// Parts that together are the tensor own its elements and its padding, each place once.
#[test]
fn parts_share_the_padding() {
    for format in FORMATS {
        let d = dense(&[3, 7, 2], format);
        for cut in 0..=7 {
            let parts = [
                d.submemory(&[0, 0, 0], &[3, cut, 2]).unwrap(),
                d.submemory(&[0, cut, 0], &[3, 7 - cut, 2]).unwrap(),
            ];
            let mut seen = BTreeSet::new();
            for part in parts {
                for offset in 0..part.required_len() {
                    if part.locate(offset).unwrap() != Location::Unused {
                        assert!(seen.insert(offset), "{part}: offset {offset} twice");
                    }
                }
            }
            assert_eq!(seen.len(), d.padded_len(), "{d} cut at {cut}");
        }
    }
}

/// A part of a part is a part.
#[test]
fn submemory_of_submemory() {
    for format in FORMATS {
        let d = dense(&[3, 11, 2], format);
        for (first, second, size) in [(1, 2, 5), (3, 4, 4), (5, 0, 6), (4, 1, 6), (2, 3, 1), (6, 5, 0)] {
            let twice = d.submemory(&[0, first, 0], &[3, 11 - first, 2]).unwrap();
            let twice = twice.submemory(&[1, second, 0], &[2, size, 2]).unwrap();
            let once = d.submemory(&[1, first + second, 0], &[2, size, 2]).unwrap();
            assert!(twice.same_bytes(&once), "{twice} {once}");
            assert!(twice == once || size == 0, "{twice} {once}");
        }
    }
}

/// On block boundaries it is what oneDNN's `dnnl_memory_desc_create_submemory` gives: another base and extents, the
/// same strides and blocks, padding at the right border alone.
#[test]
fn on_blocks_it_is_a_plain_descriptor() {
    let d = dense(&[2, 40, 5, 4], "nChw16c");
    let inner = d.submemory(&[1, 16, 1, 0], &[1, 16, 3, 4]).unwrap();
    assert_eq!((inner.padded_dims(), inner.base()), (&[1, 16, 3, 4][..], 48 * 20 + 16 * 20 + 4 * 16));
    assert_eq!(inner.strides(), d.strides());
    assert_eq!(*inner.origin(), [0; 4]);
    let border = d.submemory(&[1, 16, 1, 0], &[1, 24, 3, 4]).unwrap();
    assert_eq!(border.padded_dims(), [1, 32, 3, 4]);
    assert!(inner.is_whole() && border.is_whole() && !inner.is_ragged());
    // Half of a block is not.
    let half = d.submemory(&[0, 0, 0, 0], &[2, 8, 5, 4]).unwrap();
    assert!(half.is_ragged() && !half.is_whole());
    assert_eq!((half.padded_dims(), half.required_len()), (&[2, 8, 5, 4][..], 960 + 19 * 16 + 8));
}

/// `post:` `select(axis, index).offset(i) == offset(i with index inserted at axis)`
#[test]
fn select() {
    for format in FORMATS {
        let (whole, d) = (Model::dense(format, &[3, 7, 2]), dense(&[3, 7, 2], format));
        for axis in 0..3 {
            for index in 0..d.dims()[axis] {
                whole.select(axis, index).check(&d.select(axis, index).unwrap());
            }
            let extent = d.dims()[axis];
            let refused = d.select(axis, extent);
            assert!(matches!(refused, Err(AlgebraError::OutOfRange { size: 1, .. })), "{refused:?}");
        }
    }
}

#[test]
fn text_of_a_ragged_view() {
    let d = dense(&[2, 40, 5, 4], "nChw16c").submemory(&[0, 5, 0, 0], &[2, 30, 5, 4]).unwrap();
    assert_eq!(d.to_string(), "f32:nChw16c:2x30x5x4:padded=2x30x5x4:origin=0x5x0x0");
    assert_eq!(d.to_string().parse(), Ok(d));
    assert_eq!(
        format!("{d:?}"),
        "Descriptor { dtype: f32, format: nChw16c, dims: [2, 30, 5, 4], padded_dims: [2, 30, 5, 4], \
         strides: [960, 320, 64, 16], inner_blocks: [16c], base: 0, origin: [0, 5, 0, 0], size_bytes: 7628 }"
    );
}
