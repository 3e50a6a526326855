//! What tensors cost in memory, and when their strides are a warning.

use crate::oracle::dense;
use layout_core::descriptor::{DType, Descriptor};

#[test]
fn bytes() {
    let d = dense(&[2, 17, 5, 4], "nChw8c").with_base(100).unwrap();
    let f = d.footprint();
    assert_eq!((f.logical_bytes, f.padded_bytes, f.span_bytes), (680 * 4, 960 * 4, 960 * 4));
    assert_eq!((f.padding_share(), f.conflict), (280.0 / 960.0, None));
    assert_eq!(f.padding_share(), d.padding_share());
    let rows = Descriptor::from_strides(DType::U8, &[3, 5], &[8, 1]).unwrap().footprint();
    assert_eq!((rows.logical_bytes, rows.padded_bytes, rows.span_bytes), (15, 15, 21));
    let wide = dense(&[1, 5], "ab").broadcast(0, 1000).unwrap().footprint();
    assert_eq!((wide.logical_bytes, wide.padded_bytes, wide.span_bytes), (20, 20, 20));
    let empty = dense(&[0, 3], "ab").footprint();
    assert_eq!((empty.logical_bytes, empty.padded_bytes, empty.span_bytes), (0, 0, 0));
    assert_eq!(empty.padding_share(), 0.0);
    // A view that ends inside a block owns what it covers.
    let part = dense(&[4, 16], "aB8b").submemory(&[0, 3], &[4, 7]).unwrap().footprint();
    assert_eq!((part.logical_bytes, part.padded_bytes), (28 * 4, 28 * 4));
}

#[test]
fn strides_that_share_a_cache_set() {
    let conflict = |d: &Descriptor| d.footprint().conflict.map(|c| (c.axis, c.stride_bytes, c.steps));
    assert_eq!(conflict(&dense(&[256, 1024], "ab")), Some(('a', 4096, 256)));
    assert_eq!(conflict(&dense(&[256, 1000], "ab")), None);
    // Few steps fit into the ways of the set.
    assert_eq!(conflict(&dense(&[8, 1024], "ab")), None);
    assert_eq!(conflict(&dense(&[9, 1024], "ab")), Some(('a', 4096, 9)));
    // What oneDNN#1412 asks for: a pitch that is not a power of two.
    let pitched = Descriptor::with_strides(DType::F32, &[256, 1024], "ab", &[1040, 1]).unwrap();
    assert_eq!(conflict(&pitched), None);
    assert_eq!(
        dense(&[1, 512, 32, 32], "nchw").footprint().to_string(),
        "2097152 bytes of elements, 2097152 with padding (0% padding), over 2097152; \
         512 steps of 4096 bytes along `c` share one cache set"
    );
    // Strides of single values mean nothing, however large.
    let one = Descriptor::from_strides(DType::F64, &[1, 3], &[isize::MAX, 1]).unwrap();
    assert_eq!(conflict(&one), None);
}
