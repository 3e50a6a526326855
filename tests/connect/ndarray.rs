//! ndarray: every element by ndarray's own indexing, and no copy where none is promised.

use crate::indices;
use ndarray::{Array, Array2, Array3, Array4, ArrayD, ArrayView, ArrayView4, Axis, Dimension, Ix4, IxDyn, s};
use proptest::prelude::*;
use tensor_layout::connect::ConnectError;
use tensor_layout::descriptor::{DType, Descriptor, DescriptorError};
use tensor_layout::{
    Chwn, ColumnMajor, DynView, Nchw, Nchw8c, Nchw16c, Nhwc, RowMajor, StridedView, StridedViewMut, Tensor,
    TensorView, TensorViewMut, ViewError, fixed, layout,
};

/// A number for each index, different from all others.
fn number([n, c, h, w]: [usize; 4]) -> i32 {
    (1000 * n + 100 * c + 10 * h + w) as i32
}

fn array(dims: [usize; 4]) -> Array4<i32> {
    Array::from_shape_fn(dims, |(n, c, h, w)| number([n, c, h, w]))
}

fn same<L: tensor_layout::Layout<Index = [usize; 4]>>(
    view: &StridedView<'_, i32, L>,
    array: &ArrayView4<'_, i32>,
) {
    assert_eq!(view.dims(), array.shape());
    for index in indices(view.dims()) {
        assert_eq!(view.get(index), Some(&array[index]), "{index:?}");
    }
}

#[test]
fn plain_arrays_are_views_of_the_same_memory() {
    let array = array([2, 3, 4, 5]);
    let view = TensorView::<i32, Nchw>::from_ndarray(array.view()).unwrap();
    assert_eq!(view.as_ptr(), array.as_ptr());
    same(&view.as_strided(), &array.view());
    // The axes of this array are n, h, w, c; permuted they are the logical order.
    let pixels = array.view().permuted_axes([0, 3, 1, 2]);
    let view = TensorView::<i32, Nhwc>::from_ndarray(pixels).unwrap();
    assert_eq!(view.as_ptr(), array.as_ptr());
    same(&view.as_strided(), &pixels);
    let last = array.view().permuted_axes([3, 0, 1, 2]);
    same(&TensorView::<i32, Chwn>::try_from(last).unwrap().as_strided(), &last);
    // One more axis of one index, with any stride, changes nothing.
    let one = array.slice(s![..1, .., .., ..]);
    same(&TensorView::<i32, Nchw>::from_ndarray(one).unwrap().as_strided(), &one);
}

#[test]
fn steps_and_gaps_are_strides() {
    let array = array([2, 6, 4, 9]);
    let part = array.slice(s![.., 1..;2, .., 2..;3]);
    let view = StridedView::<i32, Nchw>::from_ndarray(part).unwrap();
    same(&view, &part);
    assert_eq!(view.strides(), [216, 72, 9, 3]);
    assert_eq!(view.as_ptr(), &raw const array[[0, 1, 0, 2]]);
    let error = TensorView::<i32, Nchw>::from_ndarray(part).unwrap_err();
    assert!(
        matches!(error, ConnectError::View(ViewError::Stride { axis: 'w', expected: 1, found: 3, .. })),
        "{error:?}"
    );
    // Gone through with the library's own means, and moved from there.
    let moved: Tensor<f32, Nchw16c> = view.convert();
    assert!(indices(view.dims()).all(|index| moved[index] == part[index] as f32));
    // A row that is repeated can be read.
    let row = Array2::from_shape_vec((1, 3), vec![1, 2, 3]).unwrap();
    let repeated = StridedView::<i32, RowMajor>::from_ndarray(row.broadcast((4, 3)).unwrap()).unwrap();
    assert_eq!((repeated.dims(), repeated[[3, 1]]), ([4, 3], 2));
    assert_eq!(repeated.to_layout::<ColumnMajor>().as_slice(), [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]);
}

#[test]
fn what_is_no_view_is_refused() {
    let array = array([2, 3, 4, 5]);
    let error = StridedView::<i32, Nhwc>::from_ndarray(array.view()).unwrap_err();
    assert!(matches!(error, ConnectError::Descriptor(DescriptorError::Order { .. })), "{error:?}");
    let error = StridedView::<i32, RowMajor>::from_ndarray(array.view()).unwrap_err();
    assert!(matches!(error, ConnectError::View(ViewError::Rank { expected: 2, found: 4 })), "{error:?}");
    let error = StridedView::<i32, Nchw>::from_ndarray(array.slice(s![.., .., ..;-1, ..])).unwrap_err();
    assert!(
        matches!(error, ConnectError::View(ViewError::NegativeStride { axis: 'h', stride: -5 })),
        "{error:?}"
    );
    let long = Array::from_iter(0..10);
    let windows =
        ArrayView::from_shape(ndarray::ShapeBuilder::strides((4, 3), (1, 2)), long.as_slice().unwrap())
            .unwrap();
    let error = StridedView::<i32, RowMajor>::from_ndarray(windows).unwrap_err();
    assert!(matches!(error, ConnectError::Descriptor(_)), "{error:?}");
    // A tensor can be made of it all the same.
    let copy = Tensor::<i32, RowMajor>::from_ndarray(&windows).unwrap();
    assert!(indices([4, 3]).all(|index| copy[index] == windows[index]));
}

#[test]
fn any_element_type_can_be_viewed() {
    let names = Array2::from_shape_fn((2, 2), |(i, j)| format!("{i}{j}"));
    let view = TensorView::<String, RowMajor>::from_ndarray(names.view()).unwrap();
    assert_eq!(view[[1, 0]], "10");
    let memory: Vec<u16> = (0..6).collect();
    let view = TensorView::<u16, ColumnMajor>::from_slice([2, 3], &memory).unwrap();
    assert_eq!(view.as_ndarray(), ndarray::array![[0, 2, 4], [1, 3, 5]]);
}

#[test]
fn views_are_arrays_of_the_same_memory() {
    let mut image = Tensor::<i32, Nhwc>::from_fn([2, 3, 4, 5], number).unwrap();
    assert_eq!(image.as_ndarray(), array([2, 3, 4, 5]));
    assert_eq!(image.as_ndarray().as_ptr(), image.as_ptr());
    let view: ArrayView<'_, i32, Ix4> = image.view().into();
    assert_eq!(view.strides(), [60, 1, 15, 3]);
    let part = image.slice::<'h'>(1..3).unwrap();
    assert_eq!(part.as_ndarray(), array([2, 3, 4, 5]).slice(s![.., .., 1..3, ..]));
    let typed = image.clone().with_shape((fixed::<2>(), fixed::<3>(), 4, 5)).unwrap();
    assert_eq!(typed.as_ndarray(), array([2, 3, 4, 5]));
    image.as_ndarray_mut().slice_mut(s![1, .., .., 0]).fill(-1);
    assert_eq!((image[[1, 2, 3, 0]], image[[1, 2, 3, 1]], image[[0, 2, 3, 0]]), (-1, 1231, 230));
    // Padding of a plain layout lies between the rows.
    let padded = Tensor::<i32, layout!("ab^4")>::from_fn([2, 3], |[a, b]| (10 * a + b) as i32).unwrap();
    assert_eq!(padded.as_ndarray().strides(), [4, 1]);
    assert_eq!(padded.as_ndarray(), ndarray::array![[0, 1, 2], [10, 11, 12]]);
    let scalar = Tensor::<f32, tensor_layout::Scalar>::filled([], 2.5).unwrap();
    assert_eq!(scalar.as_ndarray()[[]], 2.5);
}

#[test]
fn arrays_are_written_through_views() {
    let mut array = array([2, 3, 4, 5]);
    let mut part = StridedViewMut::<i32, Nchw>::from_ndarray(array.slice_mut(s![.., 1.., .., ..;2])).unwrap();
    part.iter_mut().for_each(|x| *x = -*x);
    for (index, &x) in array.indexed_iter() {
        let (n, c, h, w) = index;
        let sign = if c >= 1 && w % 2 == 0 { -1 } else { 1 };
        assert_eq!(x, sign * number([n, c, h, w]), "{index:?}");
    }
    let blocked = Tensor::<f32, Nchw8c>::from_fn([2, 3, 4, 5], |index| number(index) as f32).unwrap();
    let mut target = Array4::<i32>::zeros((2, 3, 4, 5));
    tensor_layout::reorder(&blocked, TensorViewMut::<i32, Nchw>::from_ndarray(target.view_mut()).unwrap())
        .unwrap();
    assert_eq!(target, self::array([2, 3, 4, 5]));
}

#[test]
fn empty_arrays() {
    let array = Array4::<f32>::zeros((2, 0, 4, 5));
    let view = TensorView::<f32, Nhwc>::from_ndarray(array.view()).unwrap();
    assert_eq!((view.dims(), view.len()), ([2, 0, 4, 5], 0));
    assert_eq!(view.as_ndarray().shape(), array.shape());
    assert_eq!(view.to_ndarray().unwrap().shape(), array.shape());
    assert_eq!(Tensor::<u8, Nchw16c>::from_ndarray(&array).unwrap().dims(), [2, 0, 4, 5]);
    let dynamic = DynView::from_ndarray(array.view()).unwrap();
    assert_eq!(dynamic.as_ndarray().unwrap().shape(), array.shape());
}

#[test]
fn dynamic_views() {
    let mut array = ArrayD::from_shape_fn(IxDyn(&[2, 3, 4]), |i| (100 * i[0] + 10 * i[1] + i[2]) as f32);
    array.swap_axes(0, 2);
    array.invert_axis(Axis(1));
    let view = DynView::from_ndarray(array.view()).unwrap();
    assert_eq!(view.descriptor().dims(), [4, 3, 2]);
    for (index, x) in array.indexed_iter() {
        assert_eq!(view.get(index.slice()), Ok(x));
    }
    assert_eq!(view.as_ndarray().unwrap(), array);
    assert_eq!(view.as_ndarray().unwrap().as_ptr(), array.as_ptr());
    // A part of larger memory, off its start.
    let whole = Descriptor::new(DType::F32, &[4, 6], "ab").unwrap();
    let memory: Vec<f32> = (0..24).map(|i| i as f32).collect();
    let part = whole.submemory(&[1, 2], &[2, 3]).unwrap();
    let part = DynView::new(&part, &memory).unwrap();
    assert_eq!(part.as_ndarray().unwrap(), ndarray::array![[8., 9., 10.], [14., 15., 16.]].into_dyn());
    // Blocks, and gaps that the other side may write.
    let blocked = Descriptor::new(DType::F32, &[1, 3], "nC8c").unwrap();
    let error = DynView::new(&blocked, &memory).unwrap().as_ndarray().unwrap_err();
    assert_eq!(
        error.to_string(),
        "`f32:nC8c:1x3` is not plain memory with one stride an axis; reorder it to a layout without blocks first"
    );
    let gaps = Array3::<f32>::zeros((2, 3, 4));
    assert!(matches!(DynView::from_ndarray(gaps.slice(s![.., ..2, ..])), Err(ConnectError::NotPlain { .. })));
}

/// `array` in layouts of every kind, element by element.
fn check(array: ArrayView4<'_, i32>) {
    macro_rules! layouts {
        ($($layout:ty)*) => {$(
            let tensor = Tensor::<i32, $layout>::from_ndarray(&array).unwrap();
            assert_eq!(tensor.dims(), array.shape());
            for index in indices(tensor.dims()) {
                assert_eq!(tensor[index], array[index], "{index:?} of {:?}", <$layout>::default());
            }
            assert!(tensor.padding_is_zero());
            assert_eq!(tensor.to_ndarray().unwrap(), array);
            assert!(tensor.to_ndarray().unwrap().is_standard_layout());
            let wide = Tensor::<f64, $layout>::from_ndarray(&array).unwrap();
            assert!(indices(wide.dims()).all(|index| wide[index] == f64::from(array[index])));
        )*};
    }
    layouts!(Nchw Nhwc Chwn Nchw8c layout!("NhwC4n3c"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Slices with steps of either sign, permuted, of arrays of any size.
    #[test]
    fn any_array_becomes_a_tensor(
        dims in [0usize..4, 0usize..7, 0usize..6, 0usize..9],
        steps in [1isize..3, 1isize..4, 1isize..3, 1isize..4],
        inverted in any::<[bool; 4]>(),
        order in Just([0usize, 1, 2, 3]).prop_shuffle(),
    ) {
        let array = array(dims);
        let mut view = array.view();
        for axis in 0..4 {
            let step = if inverted[axis] { -steps[axis] } else { steps[axis] };
            view.slice_axis_inplace(Axis(axis), ndarray::Slice::new(0, None, step));
        }
        check(view.permuted_axes(order));
    }
}
