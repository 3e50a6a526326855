//! Single elements as a user reads and writes them: indexing, panics, wrong indices, generic kernels.

use layout_core::layout::{Layout, Nchw, Nchw16c, Nhwc, OIhw16i16o, Rank, RowMajor, Scalar};
use layout_core::shape::{IndexError, Shape, fixed};
use layout_core::view::{Tensor, TensorView, TensorViewMut, ViewError};

#[test]
fn indexing_reads_and_writes() {
    let mut t: Tensor<f32, Nchw16c> = Tensor::zeroed([1, 3, 4, 4]).unwrap();
    t[[0, 2, 1, 3]] = 5.0;
    assert_eq!(t[[0, 2, 1, 3]], 5.0);
    assert_eq!(t.as_slice()[(4 + 3) * 16 + 2], 5.0);
    let mut v = t.view_mut();
    v[[0, 0, 0, 0]] += 1.0;
    *v.get_mut([0, 1, 0, 0]).unwrap() = 2.0;
    // SAFETY: in the extents.
    unsafe { *v.get_unchecked_mut([0, 2, 0, 0]) = 3.0 };
    assert_eq!(t.as_slice()[..4], [1.0, 2.0, 3.0, 0.0]);
    let mut part = t.slice_mut::<'h'>(1..2).unwrap();
    part[[0, 2, 0, 3]] *= 2.0;
    assert_eq!(t[[0, 2, 1, 3]], 10.0);
}

#[test]
fn get_says_none_outside() {
    let t: Tensor<u8, Nhwc> = Tensor::zeroed([1, 3, 2, 2]).unwrap();
    assert_eq!(t.get([0, 2, 1, 1]), Some(&0));
    assert_eq!(t.get([0, 3, 0, 0]), None);
    assert_eq!(t.get([usize::MAX; 4]), None);
    assert_eq!(
        t.offset([0, 3, 0, 0]),
        Err(IndexError::OutOfRange { axis: 'c', position: 1, index: 3, extent: 3 })
    );
}

#[test]
#[should_panic(expected = "index 3 of axis `c` (position 1) is out of range: its extent is 3")]
fn an_index_in_the_padding_panics() {
    let t: Tensor<u8, Nchw16c> = Tensor::zeroed([1, 3, 2, 2]).unwrap();
    let _ = t[[0, 3, 0, 0]];
}

#[test]
#[should_panic(expected = "index 2 of axis `h` (position 2) is out of range: its extent is 2")]
fn writing_outside_a_part_panics() {
    let mut t: Tensor<u8, Nchw16c> = Tensor::zeroed([1, 3, 4, 2]).unwrap();
    t.slice_mut::<'h'>(..2).unwrap()[[0, 0, 2, 0]] = 1;
}

#[test]
fn references_outlive_the_copy_of_a_shared_view() {
    let memory = [1, 2, 3, 4];
    let first = {
        let v: TensorView<'_, i32, RowMajor> = TensorView::from_slice([2, 2], &memory).unwrap();
        let row = v.select::<'a'>(1).unwrap();
        (v.get([0, 1]).unwrap(), row.get([1]).unwrap(), v.as_slice(), v.iter().last().unwrap())
    };
    assert_eq!(first, (&2, &4, &[1, 2, 3, 4][..], &4));
}

#[test]
fn rank_zero_is_one_element() {
    let mut t: Tensor<f64, Scalar> = Tensor::filled([], 2.5).unwrap();
    assert_eq!((t[[]], t.len(), t.required_len(), t.is_empty()), (2.5, 1, 1, false));
    t[[]] = 3.5;
    assert_eq!(t.iter().copied().collect::<Vec<_>>(), [3.5]);
    assert_eq!(t.runs().map(|run| (run.axis, run.elements.len())).collect::<Vec<_>>(), [(0, 1)]);
    assert_eq!(t.blocks(), [3.5]);
    assert_eq!(t.map(|x| x as i32)[[]], 3);
    let one: Tensor<f64, Scalar, ()> = Tensor::filled((), 1.0).unwrap();
    assert_eq!(one[[]], 1.0);
}

#[test]
fn extent_zero_holds_nothing() {
    let mut t: Tensor<f32, OIhw16i16o> = Tensor::zeroed([0, 5, 3, 3]).unwrap();
    assert!(t.is_empty() && t.as_slice().is_empty() && t.blocks().is_empty());
    assert_eq!((t.iter().count(), t.runs().count(), t.physical_iter().count()), (0, 0, 0));
    assert_eq!(t.slice_mut::<'h'>(1..).unwrap().iter_mut().count(), 0);
    assert_eq!(t.select::<'w'>(2).unwrap().iter().count(), 0);
    assert_eq!(t.chunks::<'o'>(16).unwrap().count(), 0);
    assert_eq!(t.chunks::<'h'>(2).unwrap().count(), 2);
    assert_eq!(t.padding_share(), 0.0);
    let empty = Tensor::<f32, OIhw16i16o>::from_vec([0, 5, 3, 3], vec![]).unwrap();
    assert!(empty.map(|x| x + 1.0).as_slice().is_empty());
}

/// A kernel that is generic over layout and shape sees everything it needs.
fn sum<L: Layout<Index = [usize; 4]> + Rank<4>, S: Shape<[usize; 4]>>(v: TensorView<'_, f32, L, S>) -> f32 {
    let [n, c, h, w] = v.dims();
    let mut sum = 0.0;
    for index in (0..n * c * h * w).map(|i| [i / (c * h * w), i / (h * w) % c, i / w % h, i % w]) {
        sum += v[index];
    }
    sum
}

#[test]
fn generic_kernels_index_with_arrays() {
    let a: Tensor<f32, Nchw> = Tensor::filled([1, 3, 2, 2], 1.0).unwrap();
    let b = Tensor::<f32, Nchw16c, _>::filled((1, fixed::<3>(), 2, fixed::<2>()), 1.0).unwrap();
    assert_eq!((sum(a.view()), sum(b.view())), (12.0, 12.0));
}

#[test]
fn loops_over_references() {
    let mut t: Tensor<i32, Nchw> = Tensor::from_logical([1, 1, 2, 2], &[1, 2, 3, 4]).unwrap();
    for x in &mut t {
        *x += 1;
    }
    let mut seen = vec![];
    for x in &t {
        seen.push(*x);
    }
    for x in &t.view() {
        seen.push(*x);
    }
    for x in &mut t.view_mut() {
        *x = 0;
    }
    assert_eq!(seen, [2, 3, 4, 5, 2, 3, 4, 5]);
    assert_eq!(t.as_slice(), [0; 4]);
}

#[test]
fn wrong_lengths_are_errors_with_numbers() {
    let memory = [0u8; 12];
    let error = TensorView::<u8, Nchw16c>::from_slice([1, 3, 2, 2], &memory).unwrap_err();
    assert_eq!(error, ViewError::Length { expected: 64, found: 12 });
    assert_eq!(
        error.to_string(),
        "the layout requires 64 elements with its padding, but the memory holds 12"
    );
    let error = Tensor::<u8, Nchw16c>::from_logical([1, 3, 2, 2], &memory[1..]).unwrap_err();
    assert_eq!(error.to_string(), "the tensor has 12 logical elements, but 11 values were given");
    let mut memory = [0u8; 12];
    assert!(TensorViewMut::<u8, Nhwc>::from_slice([1, 3, 2, 3], &mut memory).is_err());
    assert!(matches!(Tensor::<u8, Nhwc>::zeroed([usize::MAX, 3, 2, 2]), Err(ViewError::Size(_))));
    // The size of the elements counts: 2^61 bytes would do, eight times that would not.
    assert!(matches!(Tensor::<f64, RowMajor>::zeroed([1 << 31, 1 << 30]), Err(ViewError::Size(_))));
    assert!(matches!(Tensor::<u8, RowMajor>::zeroed([1 << 31, 1 << 30]), Err(ViewError::Memory { .. })));
    // At most `isize::MAX` bytes, but not when rounded up to the alignment.
    assert!(matches!(
        Tensor::<u8, RowMajor>::zeroed([isize::MAX as usize, 1]),
        Err(ViewError::Memory { bytes: 0x7fff_ffff_ffff_ffff })
    ));
}
