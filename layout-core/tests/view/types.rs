//! What holds of the types while compiling: sizes, Send and Sync, Copy, variance, traits of iterators.

use layout_core::layout::{Layout, Nchw, Nchw16c, RowMajor, Scalar};
use layout_core::shape::Fixed;
use layout_core::view::{
    Chunks, ChunksMut, IndexedBlocksMut, Iter, IterMut, Runs, RunsMut, StridedView, StridedViewMut, Tensor,
    TensorView, TensorViewMut, View, ViewError, ViewMut,
};
use static_assertions::{
    assert_eq_align, assert_eq_size, assert_impl_all, assert_not_impl_any, const_assert,
};
use std::iter::FusedIterator;
use std::panic::{RefUnwindSafe, UnwindSafe};

type Static = (Fixed<1>, Fixed<3>, Fixed<2>, Fixed<2>);
type Mixed = (usize, Fixed<3>, Fixed<2>, usize);

// A dense view is a pointer and its dynamic extents, nothing else.
assert_eq_size!(TensorView<'static, f32, Nchw16c, Static>, *const f32);
assert_eq_size!(TensorViewMut<'static, f32, Nchw16c, Static>, *const f32);
assert_eq_size!(Tensor<f32, Nchw16c, Static>, *const f32);
assert_eq_size!(TensorView<'static, f32, Scalar>, *const f32);
assert_eq_size!(TensorView<'static, f32, Nchw16c, Mixed>, [usize; 3]);
assert_eq_size!(TensorView<'static, u8, Nchw16c>, [usize; 5]);
assert_eq_size!(Tensor<u8, Nchw16c>, [usize; 5]);
assert_eq_align!(TensorView<'static, u8, Nchw16c>, usize);
// A strided view stores a stride for each digit as well.
assert_eq_size!(StridedView<'static, u8, Nchw16c>, [usize; 1 + 4 + 5]);
assert_eq_size!(StridedViewMut<'static, u8, Nchw, Static>, [usize; 1 + 4]);
// None of the pointers is null.
assert_eq_size!(Option<TensorView<'static, f32, Nchw16c, Static>>, *const f32);
assert_eq_size!(Option<Tensor<f32, Nchw16c, Static>>, *const f32);
const_assert!(size_of::<ViewError>() <= 104);

assert_impl_all!(TensorView<'static, f32, Nchw16c>: Copy, Send, Sync, Unpin, UnwindSafe, RefUnwindSafe, View);
assert_impl_all!(StridedView<'static, f32, Nchw16c>: Copy, Send, Sync, Unpin, UnwindSafe, RefUnwindSafe, View);
assert_impl_all!(TensorViewMut<'static, f32, Nchw16c>: Send, Sync, Unpin, ViewMut);
assert_impl_all!(StridedViewMut<'static, f32, Nchw16c>: Send, Sync, Unpin, ViewMut);
assert_impl_all!(Tensor<f32, Nchw16c>: Clone, Send, Sync, Unpin, UnwindSafe, RefUnwindSafe, ViewMut);
assert_impl_all!(&'static Tensor<f32, Nchw16c>: View);
assert_impl_all!(&'static mut Tensor<f32, Nchw16c>: ViewMut);
assert_not_impl_any!(TensorViewMut<'static, f32, Nchw16c>: Clone);
assert_not_impl_any!(StridedViewMut<'static, f32, Nchw16c>: Clone);
assert_not_impl_any!(TensorView<'static, f32, Nchw16c>: ViewMut);
assert_not_impl_any!(&'static Tensor<f32, Nchw16c>: ViewMut);

// Like `&[T]`, `&mut [T]`, `Box<[T]>`.
type Cell = std::cell::Cell<u8>;
type Raw = *const u8;
assert_not_impl_any!(TensorView<'static, Cell, RowMajor>: Send, Sync);
assert_not_impl_any!(StridedView<'static, Cell, RowMajor>: Send, Sync);
assert_impl_all!(TensorViewMut<'static, Cell, RowMajor>: Send);
assert_impl_all!(StridedViewMut<'static, Cell, RowMajor>: Send);
assert_impl_all!(Tensor<Cell, RowMajor>: Send);
assert_not_impl_any!(TensorViewMut<'static, Cell, RowMajor>: Sync);
assert_not_impl_any!(Tensor<Cell, RowMajor>: Sync);
assert_not_impl_any!(Tensor<Raw, RowMajor>: Send, Sync);
assert_not_impl_any!(TensorView<'static, Raw, RowMajor>: Send, Sync);
assert_not_impl_any!(StridedViewMut<'static, Raw, RowMajor>: Send, Sync);
assert_not_impl_any!(IterMut<'static, Raw, RowMajor>: Send, Sync);

assert_impl_all!(Iter<'static, f32, Nchw16c>: Clone, Send, Sync, ExactSizeIterator, FusedIterator);
assert_impl_all!(Runs<'static, f32, Nchw16c>: Clone, Send, Sync, ExactSizeIterator, FusedIterator);
assert_impl_all!(Chunks<'static, f32, Nchw16c>: Clone, Send, Sync, ExactSizeIterator, FusedIterator);
assert_impl_all!(IterMut<'static, f32, Nchw16c>: Send, ExactSizeIterator, FusedIterator);
assert_impl_all!(RunsMut<'static, f32, Nchw16c>: Send, ExactSizeIterator, FusedIterator);
assert_impl_all!(ChunksMut<'static, f32, Nchw16c>: Send, ExactSizeIterator, FusedIterator);
assert_impl_all!(IndexedBlocksMut<'static, f32, Nchw16c>: Send, ExactSizeIterator, FusedIterator);
assert_not_impl_any!(ChunksMut<'static, f32, Nchw16c>: Clone);

// Covariant in the lifetime and in the element where data is read alone; that these compile is the test.
fn shorter<'a, 'b: 'a>(v: TensorView<'b, &'b str, Nchw>) -> TensorView<'a, &'a str, Nchw> {
    v
}
fn shorter_strided<'a, 'b: 'a>(v: StridedView<'b, &'b str, Nchw>) -> StridedView<'a, &'a str, Nchw> {
    v
}
fn shorter_owned<'a, 'b: 'a>(t: Tensor<&'b str, Nchw>) -> Tensor<&'a str, Nchw> {
    t
}
fn shorter_exclusive<'a, 'b: 'a>(v: TensorViewMut<'b, f32, Nchw>) -> TensorViewMut<'a, f32, Nchw> {
    v
}

#[test]
fn views_shrink_where_references_do() {
    let t: Tensor<&str, Nchw> = Tensor::filled([1, 1, 1, 1], "x").unwrap();
    assert_eq!(shorter(t.view())[[0; 4]], "x");
    assert_eq!(shorter_strided(t.as_strided())[[0; 4]], "x");
    assert_eq!(shorter_owned(t)[[0; 4]], "x");
    let mut t: Tensor<f32, Nchw> = Tensor::filled([1, 1, 1, 1], 1.0).unwrap();
    assert_eq!(shorter_exclusive(t.view_mut())[[0; 4]], 1.0);
}

/// What the reorder room does with its operands.
fn operand<V: View>(v: V) -> (Vec<usize>, Vec<isize>, usize, bool, *const V::Elem) {
    let strided = v.as_strided_view();
    assert_eq!(strided.dims().as_ref(), v.dims().as_ref());
    (
        v.dims().as_ref().to_vec(),
        v.digit_strides().as_ref().to_vec(),
        v.required_len(),
        v.is_dense(),
        v.as_ptr(),
    )
}

fn write<V: ViewMut<Elem = f32>>(mut v: V) {
    let ptr = v.as_mut_ptr();
    let mut strided = v.as_strided_view_mut();
    assert_eq!(strided.as_mut_ptr(), ptr);
    strided.map_in_place(|x| x + 1.0);
}

#[test]
fn operands_of_every_kind() {
    let mut t: Tensor<f32, Nchw16c> = Tensor::zeroed([2, 17, 3, 3]).unwrap();
    let ptr = t.as_ptr();
    let dense = (vec![2, 17, 3, 3], vec![288, 144, 48, 16, 1], 576, true, ptr);
    assert_eq!(operand(&t), dense);
    assert_eq!(operand(t.view()), dense);
    assert_eq!(operand(&t.view_mut()), dense);
    let (dims, strides, len, is_dense, first) = operand(t.slice::<'h'>(1..2).unwrap());
    assert_eq!((dims, strides, is_dense), (vec![2, 17, 1, 3], vec![288, 144, 48, 16, 1], false));
    assert_eq!((len, first), (288 + 144 + 2 * 16 + 16, ptr.wrapping_add(48)));
    write(&mut t);
    write(t.view_mut());
    write(t.slice_mut::<'c'>(16..).unwrap());
    assert_eq!((t[[0; 4]], t[[1, 16, 2, 2]]), (2.0, 3.0));
    assert!(t.padding_is_zero());
    let descriptor = View::descriptor_of(&t, layout_core::descriptor::DType::S8).unwrap();
    assert_eq!((descriptor.dims(), descriptor.spec() == &Nchw16c::SPEC), (&[2, 17, 3, 3][..], true));
}

#[test]
fn debug_names_layout_and_shape() {
    let t: Tensor<f32, Nchw> = Tensor::zeroed([1, 2, 3, 4]).unwrap();
    for text in [format!("{t:?}"), format!("{:?}", t.as_strided()), format!("{:?}", t.iter())] {
        assert!(text.contains("[1, 2, 3, 4]") && text.contains("layout"), "{text}");
    }
}
