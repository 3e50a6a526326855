//! Descriptor to type and back: what agrees is taken, and each disagreement has its own error.

use layout_core::descriptor::{DType, Descriptor};
use layout_core::layout::{
    Block, Dim, Format, Layout, Nchw, Nchw8c, Nchw16c, Nhwc, Oihw, PaddedDim, RowMajor,
};
use layout_core::shape::{Fixed, fixed};
use layout_core::view::{Tensor, TensorView, TensorViewMut, ViewError};

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
    let dirty: TensorViewMut<'_, f32, Nchw16c> =
        TensorViewMut::from_descriptor_dirty(&descriptor(), &mut memory.0[..256]).unwrap();
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
