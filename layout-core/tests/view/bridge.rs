//! Descriptor to type and back: what agrees is taken, and each disagreement has its own error.

use layout_core::descriptor::{DType, Descriptor};
use layout_core::layout::{
    Block, Dim, Dirty, Format, Layout, Nchw, Nchw8c, Nchw16c, Nhwc, Oihw, PaddedDim, RowMajor, Vector,
};
use layout_core::shape::{Fixed, fixed};
use layout_core::view::{StridedView, StridedViewMut, Tensor, TensorView, TensorViewMut, ViewError};

#[repr(align(64))]
struct Aligned([u8; 4096]);

fn descriptor() -> Descriptor {
    Nchw16c::descriptor(DType::F32, [1, 3, 2, 2]).unwrap()
}

#[test]
fn what_agrees_is_taken() {
    let mut memory = Aligned([0xFF; 4096]);
    let mut v: TensorViewMut<'_, f32, Nchw16c> =
        TensorViewMut::from_descriptor(&descriptor(), &mut memory.0[..256]).unwrap();
    assert!(v.padding_is_zero());
    assert!(v.iter().all(|x| x.is_nan()));
    v.map_in_place(|_| 1.0);
    assert!(v.descriptor().unwrap() == descriptor());
    let v: TensorView<'_, f32, Nchw16c> =
        TensorView::from_descriptor(&descriptor(), &memory.0[..256]).unwrap();
    assert_eq!(v.as_slice().iter().sum::<f32>(), 12.0);
    assert!(v.descriptor().unwrap() == descriptor());
    type Static = (Fixed<1>, Fixed<3>, usize, usize);
    let v: TensorView<'_, f32, Nchw16c, Static> =
        TensorView::from_descriptor(&descriptor(), &memory.0[..256]).unwrap();
    assert_eq!(v.shape(), (fixed(), fixed(), 2, 2));
    let dirty: TensorViewMut<'_, f32, Dirty<Nchw16c>> =
        TensorViewMut::<f32, Nchw16c>::from_descriptor_dirty(&descriptor(), &mut memory.0[..256]).unwrap();
    assert_eq!(dirty.iter().sum::<f32>(), 12.0);
    let t: Tensor<f32, Nchw16c> = Tensor::zeroed([1, 3, 2, 2]).unwrap();
    assert!(t.descriptor().unwrap() == descriptor());
}

#[test]
fn empty_tensors_need_no_alignment() {
    let empty = Nchw16c::descriptor(DType::F32, [0, 3, 2, 2]).unwrap();
    let v: TensorView<'_, f32, Nchw16c> = TensorView::from_descriptor(&empty, &[]).unwrap();
    assert_eq!(v.iter().count(), 0);
}

#[test]
fn each_disagreement_has_its_error() {
    let memory = Aligned([0; 4096]);
    let bytes = &memory.0[..256];
    let say = |result: Result<(), ViewError>| result.unwrap_err().to_string();
    assert_eq!(
        say(TensorView::<u8, Nchw16c>::from_descriptor(&descriptor(), bytes).map(|_| ())),
        "the elements are u8, but the descriptor says f32"
    );
    assert_eq!(
        say(TensorView::<f32, RowMajor>::from_descriptor(&descriptor(), bytes).map(|_| ())),
        "the layout has rank 2, but the descriptor has 4"
    );
    let plain = Nchw::descriptor(DType::F32, [1, 16, 2, 2]).unwrap();
    assert_eq!(
        say(TensorView::<f32, Oihw>::from_descriptor(&plain, bytes).map(|_| ())),
        "logical axis 0 is `o` in the layout, but `n` in the descriptor"
    );
    assert_eq!(
        say(TensorView::<f32, Nhwc>::from_descriptor(&plain, bytes).map(|_| ())),
        "the descriptor's format is another: physical digit 1 is c where the layout has h"
    );
    assert_eq!(
        say(TensorView::<f32, Nchw16c>::from_descriptor(&plain, bytes).map(|_| ())),
        "the descriptor's format is another: physical digit 1 is c where the layout has c/16"
    );
    assert_eq!(
        say(TensorView::<f32, Nchw8c>::from_descriptor(&descriptor(), bytes).map(|_| ())),
        "the descriptor's format is another: physical digit 1 is c/16 where the layout has c/8"
    );
    type Deeper = Format<
        (Dim<'n'>, Dim<'c'>, Dim<'h'>, Dim<'w'>, Block<'c', 16>, Block<'w', 2>),
        (Dim<'n'>, Dim<'c'>, Dim<'h'>, Dim<'w'>),
    >;
    assert_eq!(
        say(TensorView::<f32, Deeper>::from_descriptor(&descriptor(), bytes).map(|_| ())),
        "the descriptor's format is another: physical digit 3 is w where the layout has w/2"
    );
    type Padded =
        Format<(Dim<'n'>, Dim<'c'>, Dim<'h'>, PaddedDim<'w', 4>), (Dim<'n'>, Dim<'c'>, Dim<'h'>, Dim<'w'>)>;
    assert_eq!(
        say(TensorView::<f32, Padded>::from_descriptor(&plain, bytes).map(|_| ())),
        "the layout pads axis `w` to a multiple of 4, but the descriptor to one of 1"
    );
    type Static = (usize, Fixed<4>, usize, usize);
    assert_eq!(
        say(TensorView::<f32, Nchw16c, Static>::from_descriptor(&descriptor(), bytes).map(|_| ())),
        "the shape says that axis `c` has extent 4, but it has 3"
    );
    assert_eq!(
        say(TensorView::<f32, Nchw16c>::from_descriptor(&descriptor(), &bytes[4..]).map(|_| ())),
        "the descriptor requires 256 bytes, but the memory holds 252"
    );
    assert_eq!(
        say(TensorView::<f32, Nchw16c>::from_descriptor(&descriptor(), &memory.0[2..258]).map(|_| ())),
        "the memory is not aligned to 4 bytes: the first element lies 2 bytes past a multiple"
    );
}

/// Parts of blocks and extra padding are no layouts as types, however well digits and strides agree.
#[test]
fn parts_and_extra_padding_are_refused() {
    let memory = Aligned([0; 4096]);
    let whole = Nchw16c::descriptor(DType::F32, [1, 32, 2, 2]).unwrap();
    let half = whole.submemory(&[0, 0, 0, 0], &[1, 8, 2, 2]).unwrap();
    let inside = whole.submemory(&[0, 5, 0, 0], &[1, 16, 2, 2]).unwrap();
    let bordered = Nchw16c::descriptor(DType::F32, [1, 16, 2, 1]).unwrap();
    let bordered = bordered.with_halo(&[0, 0, 0, 0], &[0, 0, 0, 1]).unwrap();
    for d in [half, inside, bordered] {
        let taken = TensorView::<'_, f32, Nchw16c>::from_descriptor(&d, &memory.0[..d.size_bytes()]);
        assert!(matches!(taken, Err(ViewError::NotWhole)), "{d}");
    }
    // A whole block is one.
    let block = whole.submemory(&[0, 16, 0, 0], &[1, 16, 2, 2]).unwrap();
    assert!(TensorView::<'_, f32, Nchw16c>::from_descriptor(&block, &memory.0[..block.size_bytes()]).is_ok());
}

#[test]
fn strided_memory_goes_both_ways() {
    // Channels 16 to 31 of a blocked tensor, found again through their descriptor.
    let whole =
        Tensor::<f32, Nchw8c>::from_fn([2, 32, 3, 4], |[n, c, h, w]| (n * 1000 + c * 20 + h * 4 + w) as f32)
            .unwrap();
    let part = whole.slice::<'c'>(16..).unwrap();
    let descriptor = part.descriptor().unwrap();
    assert_eq!(descriptor.dims(), [2, 16, 3, 4]);
    let memory: Vec<f32> = whole.as_slice()[16 * 12..].to_vec();
    let bytes = Tensor::<f32, Vector>::from_slice([memory.len()], &memory).unwrap();
    // SAFETY: any initialised memory is bytes.
    let bytes = unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast::<u8>(), bytes.size_bytes()) };
    let again = StridedView::<f32, Nchw8c>::from_descriptor(&descriptor, bytes).unwrap();
    assert!(again.iter().eq(part.iter()));
    assert_eq!(again.descriptor().unwrap(), descriptor);
    assert!(matches!(
        StridedView::<f32, Nchw8c>::from_descriptor(&descriptor, &bytes[..bytes.len() - 4 * 16 * 12]),
        Err(ViewError::ByteLength { .. })
    ));
    assert!(matches!(
        TensorView::<f32, Nchw8c>::from_descriptor(&descriptor, bytes),
        Err(ViewError::Stride { .. })
    ));
}

#[test]
fn strided_memory_that_no_type_has_is_refused() {
    let mut bytes = [0u8; 12];
    let backwards = Descriptor::with_strides(DType::U8, &[3, 4], "ab", &[4, 1]).unwrap();
    assert!(StridedView::<u8, RowMajor>::from_descriptor(&backwards, &bytes).is_ok());
    let spec = *backwards.spec();
    let backwards = Descriptor::from_parts(DType::U8, &[3, 4], spec, &[-4, 1], 8).unwrap();
    assert!(matches!(
        StridedView::<u8, RowMajor>::from_descriptor(&backwards, &bytes),
        Err(ViewError::NegativeStride { axis: 'a', stride: -4 })
    ));
    let repeated = Descriptor::new(DType::U8, &[1, 4], "ab").unwrap().broadcast(0, 3).unwrap();
    assert_eq!(StridedView::<u8, RowMajor>::from_descriptor(&repeated, &bytes).unwrap().len(), 12);
    assert!(matches!(
        StridedViewMut::<u8, RowMajor>::from_descriptor(&repeated, &mut bytes),
        Err(ViewError::Shared)
    ));
    let window = Descriptor::new(DType::U8, &[1, 8], "aB4b").unwrap().submemory(&[0, 1], &[1, 3]).unwrap();
    assert!(matches!(StridedView::<u8, Ab4b>::from_descriptor(&window, &bytes), Err(ViewError::NotWhole)));
}

#[test]
fn exclusive_strided_memory_is_padded_with_zeros() {
    let descriptor = Descriptor::with_strides(DType::U8, &[2, 3], "aB4b", &[8, 4]).unwrap();
    let mut bytes = [9u8; 12];
    let mut view = StridedViewMut::<u8, Ab4b>::from_descriptor(&descriptor, &mut bytes).unwrap();
    view[[1, 2]] = 7;
    assert_eq!(bytes, [9, 9, 9, 0, 9, 9, 9, 9, 9, 9, 7, 0]);
}

type Ab4b = Format<(Dim<'a'>, Dim<'b'>, Block<'b', 4>), (Dim<'a'>, Dim<'b'>)>;
