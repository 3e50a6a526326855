//! Tensors that take another layout in their own allocation.

use layout_core::layout::{Nchw, Nchw8c, Nchw16c, Nhwc, OIhw16i16o, OIhw16o16i, Oihw};
use layout_core::reorder::InPlaceError;
use layout_core::shape::{Fixed, fixed};
use layout_core::view::Tensor;

#[test]
fn the_allocation_is_kept() {
    let mut next = 0.0;
    let t = Tensor::<f32, Nchw>::from_fn([2, 32, 20, 21], |_| (next += 1.0, next).1).unwrap();
    let (copy, memory) = (t.clone(), t.as_ptr());
    let t = t.try_into_layout::<Nhwc>().unwrap();
    assert!(t.iter().eq(copy.iter()));
    let t = t.into_layout::<Nchw16c>().into_layout::<Nchw8c>();
    assert!(t.iter().eq(copy.iter()));
    let t: Tensor<f32, Nchw> = t.into_layout();
    assert_eq!((t.as_ptr(), t.as_slice()), (memory, copy.as_slice()));

    let w = Tensor::<i8, Oihw>::from_fn([32, 48, 3, 3], |[o, i, h, w]| (o * 7 + i * 3 + h * 2 + w) as i8)
        .unwrap();
    let (copy, memory) = (w.clone(), w.as_ptr());
    let w = w.try_into_layout::<OIhw16i16o>().unwrap().try_into_layout::<OIhw16o16i>().unwrap();
    assert!(w.as_ptr() == memory && w.iter().eq(copy.iter()));
}

/// Padding that both layouts have stays where it is said to be, and zero.
#[test]
fn padded_tensors() {
    let t = Tensor::<u16, Nchw16c>::from_fn([1, 20, 3, 3], |[_, c, h, w]| (c * 9 + h * 3 + w + 1) as u16);
    // 16-bit integers are no element type of reorders; their bytes are those of a half.
    assert!(t.is_ok());
    let mut t = Tensor::<f64, OIhw16i16o>::from_fn([20, 18, 3, 3], |[o, i, h, w]| {
        (o * 162 + i * 9 + h * 3 + w + 1) as f64
    })
    .unwrap();
    t.fill_padding(9.0);
    let copy = t.clone();
    let t = t.try_into_layout::<OIhw16o16i>().unwrap();
    assert!(t.iter().eq(copy.iter()) && t.padding_is_zero());
}

#[test]
fn otherwise_new_memory_or_a_refusal() {
    let t =
        Tensor::<f32, Nchw, _>::from_fn([1, 3, 4, 5], |[_, c, h, w]| (c * 20 + h * 5 + w) as f32).unwrap();
    let copy = t.clone();
    let refused = t.try_into_layout::<Nchw16c>().unwrap_err();
    assert_eq!(refused.reason(), InPlaceError::Size { src: 240, dst: 1280 });
    assert_eq!(
        refused.to_string(),
        "the source takes 240 bytes with its padding, but the destination 1280: this cannot be done in place; reorder into \
         other memory"
    );
    assert!(std::error::Error::source(&refused).is_none() && !format!("{refused:?}").is_empty());
    let t = refused.into_tensor();
    assert_eq!(t.as_slice(), copy.as_slice());
    let blocked: Tensor<f32, Nchw16c> = t.into_layout();
    assert!(blocked.iter().eq(copy.iter()) && blocked.padding_is_zero());
    // And back, out of memory that is larger than the result.
    let plain: Tensor<f32, Nchw> = blocked.into_layout();
    assert_eq!(plain.as_slice(), copy.as_slice());
}

#[test]
fn extents_in_the_type() {
    type S = (usize, Fixed<16>, usize, usize);
    let shape: S = (2, fixed(), 3, 3);
    let t =
        Tensor::<i32, Nchw, S>::from_fn(shape, |[n, c, h, w]| (n * 1000 + c * 9 + h * 3 + w) as i32).unwrap();
    let copy = t.clone();
    let t: Tensor<i32, Nchw16c, S> = t.try_into_layout().unwrap();
    assert!(t.iter().eq(copy.iter()));
    let empty = Tensor::<f32, Nchw>::zeroed([2, 0, 3, 3]).unwrap().try_into_layout::<Nchw16c>().unwrap();
    assert_eq!((empty.len(), empty.dims()), (0, [2, 0, 3, 3]));
}
