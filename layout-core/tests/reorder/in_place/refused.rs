//! What is refused, and the words and numbers of the refusal. oneDNN runs such reorders in place, and what was not read yet
//! is overwritten without a word.

use crate::oracle::dense;
use layout_core::descriptor::{DType, Descriptor};
use layout_core::reorder::{InPlaceError, ReorderError, ReorderInPlace};

fn refused(src: &Descriptor, dst: &Descriptor) -> InPlaceError {
    ReorderInPlace::new(src, dst).map(|plan| plan.to_string()).unwrap_err()
}

/// The user's view of the case that oneDNN corrupts: 17 channels padded to 32.
#[test]
fn padding_that_would_overwrite_data() {
    let dims = [1, 17, 5, 5];
    let (plain, blocked) = (dense(DType::F32, &dims, "nchw"), dense(DType::F32, &dims, "nChw16c"));
    let error = refused(&plain, &blocked);
    assert_eq!(error, InPlaceError::Size { src: 1700, dst: 3200 });
    assert_eq!(
        error.to_string(),
        "the source takes 1700 bytes with its padding, but the destination 3200: this cannot be done in place; reorder into \
         other memory"
    );
    assert_eq!(refused(&blocked, &plain), InPlaceError::Size { src: 3200, dst: 1700 });
    // As many bytes, but other ones are padding.
    let error = refused(&dense(DType::F32, &[3, 5], "AB4a6b"), &dense(DType::F32, &[3, 5], "aB8b"));
    assert_eq!(error, InPlaceError::Padding { axis: 'a', position: 0, src: 4, dst: 3 });
    assert_eq!(
        error.to_string(),
        "axis `a` (position 0) is padded to 4 in the source, but to 3 in the destination: in place, padding would overwrite \
         data"
    );
}

#[test]
fn elements_of_other_sizes() {
    let error = refused(&dense(DType::U8, &[1, 3, 4, 4], "nhwc"), &dense(DType::F32, &[1, 3, 4, 4], "nchw"));
    assert_eq!(error, InPlaceError::ElementSize { src: DType::U8, dst: DType::F32 });
    assert_eq!(
        error.to_string(),
        "an element takes 1 bytes as u8, but 4 as f32: this cannot be done in place; reorder into other memory"
    );
}

#[test]
fn other_tensors() {
    let error = refused(&dense(DType::F32, &[2, 3], "ab"), &dense(DType::F32, &[2, 4], "ba"));
    let expected = ReorderError::Extent { axis: 'b', position: 1, src: 3, dst: 4 };
    assert_eq!(error, InPlaceError::Reorder(expected));
    assert_eq!(error.to_string(), expected.to_string());
    // It says what the inner error says, which is therefore not its source.
    assert!(std::error::Error::source(&error).is_none());
    let wide = dense(DType::F32, &[1, 16, 1, 1], "nchw").broadcast_to(&[1, 16, 4, 5]).unwrap();
    let error = refused(&wide, &dense(DType::F32, &[1, 16, 4, 5], "nchw"));
    assert_eq!(error, InPlaceError::Broadcast { axis: 'h', position: 2, extent: 4 });
    assert_eq!(
        error.to_string(),
        "axis `h` (position 2) of the source is broadcast: there is memory for one of 4 elements"
    );
}

#[test]
fn parts_of_blocks_and_extra_padding() {
    let whole = dense(DType::F32, &[1, 64, 3, 3], "nChw16c");
    let (part, other) = (
        whole.submemory(&[0, 4, 0, 0], &[1, 28, 3, 3]).unwrap(),
        whole.submemory(&[0, 0, 0, 0], &[1, 28, 3, 3]).unwrap(),
    );
    let error = refused(&part, &part);
    assert_eq!(error, InPlaceError::Window { axis: 'c', position: 1, start: 4, end: 32, block: 16 });
    assert_eq!(
        error.to_string(),
        "axis `c` (position 1) takes the places 4..32 of blocks of 16: in place, blocks have to be whole, and nothing may lie \
         in front"
    );
    assert_eq!(
        refused(&other, &other),
        InPlaceError::Window { axis: 'c', position: 1, start: 0, end: 28, block: 16 }
    );
    let halo = dense(DType::F32, &[1, 4, 3, 3], "nchw").with_halo(&[0, 0, 1, 1], &[0, 0, 1, 1]).unwrap();
    assert_eq!(
        refused(&halo, &halo),
        InPlaceError::Window { axis: 'h', position: 2, start: 1, end: 5, block: 1 }
    );
    // Padding behind the elements alone is like any other.
    let behind = |format| dense(DType::F32, &[3, 5, 4], format).with_halo(&[0; 3], &[1, 0, 2]).unwrap();
    super::check(&behind("abc"), &behind("cba"), 1);
}

#[test]
fn other_places() {
    let strided = |strides: &[isize], base| {
        Descriptor::from_strides(DType::F32, &[3, 4], strides).unwrap().with_base(base).unwrap()
    };
    let error = refused(&strided(&[4, 1], 0), &strided(&[4, 1], 2));
    assert_eq!(error, InPlaceError::Place { src: (0, 48), dst: (8, 56) });
    assert_eq!(
        error.to_string(),
        "the source takes the bytes 0..48, but the destination 8..56: in place, they have to be the same"
    );
    assert_eq!(
        refused(&strided(&[4, 1], 0), &strided(&[5, 1], 0)),
        InPlaceError::Place { src: (0, 48), dst: (0, 56) }
    );
    // 0 1 2 3 . . . 7 8 9 10 . . . and 0 1 . 3 4 . 6 7 . 9 10 . of the same span.
    let four = Descriptor::from_strides(DType::S8, &[2, 4], &[7, 1]).unwrap();
    let two = Descriptor::from_strides(DType::S8, &[2, 4], &[1, 3]).unwrap();
    let error = refused(&four, &two);
    assert_eq!(error, InPlaceError::Gaps { src: (4, 1), dst: (2, 1) });
    assert_eq!(
        error.to_string(),
        "the gaps are not the same: the source has 4 places 1 bytes apart where the destination has 2 places 1 bytes apart"
    );
}

#[test]
fn short_buffers() {
    let plan =
        ReorderInPlace::new(&dense(DType::F32, &[2, 3], "ab"), &dense(DType::F32, &[2, 3], "ba")).unwrap();
    let mut bytes = [7; 23];
    let error = plan.run(&mut bytes).unwrap_err();
    assert_eq!(error, InPlaceError::BufferTooSmall { expected: 24, found: 23 });
    assert_eq!(error.to_string(), "the tensor needs 24 bytes, but the buffer has 23");
    assert_eq!(bytes, [7; 23]);
}

/// Strides near the end of the address space: their products are not computed.
#[test]
fn strides_past_the_end_of_memory() {
    let far = Descriptor::from_strides(DType::U8, &[2, 2], &[isize::MAX - 2, 1]).unwrap();
    let plan = ReorderInPlace::new(&far, &far).unwrap();
    assert!(!plan.to_string().is_empty());
}
