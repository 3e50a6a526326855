//! What `reorder` and `try_convert` refuse, in which words, and that nothing is written then.

use layout_core::layout::{Dim, Format, Nchw, Nchw16c, Nhwc, PaddedDim, RowMajor};
use layout_core::reorder::{ReorderError, reorder};
use layout_core::shape::{Fixed, fixed};
use layout_core::view::{Tensor, TensorView};

#[test]
fn other_extents() {
    let src: Tensor<u8, Nhwc> = Tensor::filled([1, 17, 5, 5], 1).unwrap();
    let mut dst: Tensor<f32, Nchw16c> = Tensor::filled([1, 16, 5, 5], -2.0).unwrap();
    let before = dst.clone();
    let error = reorder(&src, &mut dst).unwrap_err();
    assert_eq!(error, ReorderError::Extent { axis: 'c', position: 1, src: 17, dst: 16 });
    assert_eq!(
        error.to_string(),
        "axis `c` (position 1) has extent 17 in the source, but 16 in the destination; take a part of the larger one"
    );
    let error =
        reorder(src.slice::<'h'>(1..).unwrap(), src.convert::<i8, Nchw>().slice_mut::<'h'>(..2).unwrap());
    assert_eq!(
        error.unwrap_err().to_string(),
        "axis `h` (position 2) has extent 4 in the source, but 2 in the destination; take a part of the larger one"
    );
    // The first axis that differs, also where there is nothing to move.
    let empty: Tensor<u8, Nhwc> = Tensor::zeroed([0, 3, 5, 4]).unwrap();
    assert!(matches!(reorder(&empty, &mut dst), Err(ReorderError::Extent { axis: 'n', src: 0, dst: 1, .. })));
    assert_eq!(dst.as_slice(), before.as_slice());
}

#[test]
fn other_extents_in_the_type() {
    let shape: (usize, Fixed<3>) = (2, fixed());
    let src = TensorView::<u8, RowMajor, _>::from_slice(shape, &[1; 6]).unwrap();
    let mut dst = Tensor::<u8, RowMajor, (usize, Fixed<4>)>::zeroed((2, fixed())).unwrap();
    assert_eq!(reorder(src, &mut dst), Err(ReorderError::Extent { axis: 'b', position: 1, src: 3, dst: 4 }));
    assert_eq!(dst.as_slice(), [0; 8]);
}

/// Padded to more than there is memory for: one element takes `2^62` elements.
type Large = Format<(PaddedDim<'a', 0x8000_0000>, PaddedDim<'b', 0x8000_0000>), (Dim<'a'>, Dim<'b'>)>;

#[test]
#[cfg(target_pointer_width = "64")]
fn results_without_memory() {
    let one: Tensor<u8, RowMajor> = Tensor::filled([1, 1], 1).unwrap();
    let error = one.try_convert::<u8, Large>().unwrap_err();
    assert_eq!(error, ReorderError::Allocation { bytes: 1 << 62 });
    assert_eq!(error.to_string(), "there is no memory for a tensor of 4611686018427387904 bytes");
    assert!(matches!(one.as_strided().try_convert::<f32, Large>(), Err(ReorderError::Size(_))));
    // Without elements no memory is needed, whatever the padding.
    let empty: Tensor<u8, RowMajor> = Tensor::zeroed([0, 1]).unwrap();
    assert!(empty.try_convert::<u8, Large>().is_ok());
}

#[test]
#[cfg(target_pointer_width = "64")]
#[should_panic(expected = "there is no memory for a tensor of 4611686018427387904 bytes")]
fn to_layout_panics_without_memory() {
    let one: Tensor<u8, RowMajor> = Tensor::filled([1, 1], 1).unwrap();
    let _ = one.to_layout::<Large>();
}
