//! bytemuck: bytes as views and back, for types of our own too.

use bytemuck::{Pod, Zeroable};
use tensor_layout::{Nchw8c, RowMajor, Tensor, TensorView, TensorViewMut, ViewError};

#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable)]
#[repr(C)]
struct Complex {
    re: f32,
    im: f32,
}

#[test]
fn bytes_are_views_of_any_plain_type() {
    let numbers: Vec<f32> = (0..12).map(|i| i as f32).collect();
    let bytes: &[u8] = bytemuck::cast_slice(&numbers);
    let view = TensorView::<Complex, RowMajor>::from_bytes([2, 3], bytes).unwrap();
    assert_eq!(view[[1, 2]], Complex { re: 10.0, im: 11.0 });
    assert_eq!(view.as_bytes(), bytes);
    assert_eq!(view.as_bytes().as_ptr(), bytes.as_ptr());
    let halves = TensorView::<half::bf16, RowMajor>::from_bytes([4, 6], bytes).unwrap();
    assert_eq!(halves[[0, 3]], half::bf16::ONE); // the upper half of the second float, on little-endian machines
}

#[test]
fn tensors_are_bytes() {
    let mut tensor =
        Tensor::<u16, Nchw8c>::from_fn([1, 2, 1, 2], |[_, c, _, w]| (10 * c + w) as u16).unwrap();
    let expected: Vec<u16> = vec![0, 10, 0, 0, 0, 0, 0, 0, 1, 11, 0, 0, 0, 0, 0, 0];
    assert_eq!(tensor.as_bytes(), bytemuck::cast_slice::<u16, u8>(&expected));
    tensor.as_bytes_mut()[..2].copy_from_slice(&700u16.to_ne_bytes());
    assert_eq!(tensor[[0, 0, 0, 0]], 700);
}

#[test]
fn exclusive_views_have_their_padding_cleared() {
    let mut memory = [0xFFFF_FFFFu32; 8];
    let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut memory);
    let mut view = TensorViewMut::<u32, Nchw8c>::from_bytes([1, 3, 1, 1], bytes).unwrap();
    view.as_bytes_mut()[..4].copy_from_slice(&5u32.to_ne_bytes());
    assert_eq!(view.as_slice(), [5, u32::MAX, u32::MAX, 0, 0, 0, 0, 0]);
    let mut memory = [7u32; 8];
    let view =
        TensorViewMut::<u32, Nchw8c>::from_bytes_dirty([1, 3, 1, 1], bytemuck::cast_slice_mut(&mut memory));
    assert_eq!(view.unwrap().as_slice(), [7; 8]);
}

#[test]
fn wrong_bytes_are_refused() {
    let memory = [0u64; 8];
    let bytes: &[u8] = bytemuck::cast_slice(&memory);
    let view = |bytes| TensorView::<f32, RowMajor>::from_bytes([2, 3], bytes).err();
    assert_eq!(view(&bytes[..24]), None);
    assert_eq!(view(&bytes[..25]), Some(ViewError::ByteLength { expected: 24, found: 25 }));
    assert_eq!(view(&bytes[..20]), Some(ViewError::ByteLength { expected: 24, found: 20 }));
    assert_eq!(view(&bytes[2..26]), Some(ViewError::Alignment { required: 4, past: 2 }));
    let size = TensorView::<f32, RowMajor>::from_bytes([usize::MAX, 2], bytes).err();
    assert!(matches!(size, Some(ViewError::Size(_))));
    // No bytes need no alignment, and elements of no size no bytes.
    assert!(TensorView::<f64, RowMajor>::from_bytes([0, 3], &bytes[1..1]).unwrap().is_empty());
    assert_eq!(
        TensorView::<(), RowMajor>::from_bytes([2, 3], &[]).err(),
        Some(ViewError::Length { expected: 6, found: 0 })
    );
}
