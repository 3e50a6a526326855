//! Parts as a user takes them: slices, selections, splits, threads, permutations, relabelling, back to dense.

use layout_core::layout::{
    Block, Dim, Format, Nchw, Nchw8c, Nchw16c, Nhwc, OIhw16i16o, Ohwi16o, Oihw, PermuteShape, RowMajor,
};
use layout_core::shape::{Fixed, fixed};
use layout_core::view::{StridedView, StridedViewMut, Tensor, TensorView, ViewError};

type NchwAsNhwc = Format<(Dim<'n'>, Dim<'c'>, Dim<'h'>, Dim<'w'>), (Dim<'n'>, Dim<'h'>, Dim<'w'>, Dim<'c'>)>;
type Abcd16b = Format<
    (Dim<'a'>, Dim<'b'>, Dim<'c'>, Dim<'d'>, Block<'b', 16>),
    (Dim<'a'>, Dim<'b'>, Dim<'c'>, Dim<'d'>),
>;

fn numbered() -> Tensor<u32, Nchw16c> {
    Tensor::from_fn([2, 40, 6, 5], |[n, c, h, w]| (((n * 40 + c) * 6 + h) * 5 + w) as u32).unwrap()
}

#[test]
fn ranges_of_every_kind() {
    let t = numbered();
    assert_eq!(t.slice::<'h'>(1..3).unwrap().dims(), [2, 40, 2, 5]);
    assert_eq!(t.slice::<'h'>(1..=3).unwrap().dims(), [2, 40, 3, 5]);
    assert_eq!(t.slice::<'h'>(..2).unwrap()[[1, 39, 1, 4]], t[[1, 39, 1, 4]]);
    assert_eq!(t.slice::<'h'>(..).unwrap().dims(), [2, 40, 6, 5]);
    assert_eq!(
        t.slice::<'h'>((core::ops::Bound::Excluded(2), core::ops::Bound::Unbounded)).unwrap().dims()[2],
        3
    );
    assert_eq!(t.slice::<'h'>(6..).unwrap().dims(), [2, 40, 0, 5]);
    assert!(t.slice::<'h'>(..7).is_err());
    #[allow(clippy::reversed_empty_ranges, reason = "that is the mistake")]
    let reversed = t.slice::<'h'>(3..2);
    assert_eq!(reversed.unwrap_err(), ViewError::Range { axis: 'h', start: 3, end: 2, extent: 6 });
    assert!(t.slice::<'h'>(..=usize::MAX).is_err());
    assert!(t.slice::<'h'>((core::ops::Bound::Excluded(usize::MAX), core::ops::Bound::Unbounded)).is_err());
}

#[test]
fn a_bound_inside_a_block_says_where_to_cut() {
    let t = numbered();
    let error = t.slice::<'c'>(20..).unwrap_err();
    assert_eq!(
        error.to_string(),
        "bound 20 of axis `c` lies inside a block of 16: the nearest bounds are 16 and 32"
    );
    let error = t.slice::<'c'>(..39).unwrap_err();
    assert_eq!(
        error.to_string(),
        "bound 39 of axis `c` lies inside a block of 16: the nearest bounds are 32 and 40"
    );
    assert_eq!(t.slice::<'c'>(16..40).unwrap().padded_dims(), [2, 32, 6, 5]);
    let error = t.chunks::<'c'>(24).unwrap_err();
    assert_eq!(
        error.to_string(),
        "chunks of 24 along axis `c` are not possible: the size must be a multiple of 16 above 0"
    );
}

#[test]
fn slices_of_slices() {
    let t = numbered();
    let part = t.slice::<'h'>(1..5).unwrap().slice::<'w'>(2..4).unwrap().slice::<'c'>(16..).unwrap();
    let part = part.slice::<'n'>(1..).unwrap();
    assert_eq!(part.dims(), [1, 24, 4, 2]);
    assert_eq!(part[[0, 23, 3, 1]], t[[1, 39, 4, 3]]);
    assert_eq!(part.strides(), t.strides());
    let one = part.select::<'n'>(0).unwrap().select::<'h'>(2).unwrap();
    assert_eq!(one[[3, 1]], t[[1, 19, 3, 3]]);
    let one = one.select::<'w'>(0).unwrap().select::<'c'>(20).unwrap();
    assert_eq!(one[[]], t[[1, 36, 3, 2]]);
}

#[test]
fn a_selected_channel_is_a_strided_plane() {
    let t = numbered();
    let plane = t.select::<'c'>(17).unwrap();
    assert_eq!((plane.dims(), plane.strides()), ([2, 6, 5], [3 * 6 * 5 * 16, 5 * 16, 16]));
    assert_eq!(plane[[1, 2, 3]], t[[1, 17, 2, 3]]);
    let error = plane.try_dense().unwrap_err();
    assert_eq!(
        error.to_string(),
        "the memory is not dense: physical digit 2 (axis `w`) has stride 16, not 1"
    );
}

#[test]
fn selecting_the_outer_block_axis_keeps_the_inner_block() {
    let t = Tensor::<u32, OIhw16i16o, _>::from_fn([32, 20, 1, 1], |[o, i, ..]| (100 * o + i) as u32).unwrap();
    let one = t.select::<'i'>(18).unwrap();
    // O h w 16o: what was a tile is one row of it.
    let blocks: Vec<&[u32; 16]> = one.blocks().collect();
    assert_eq!(blocks.len(), 2);
    assert_eq!((blocks[1][3], one[[19, 0, 0]]), (1918, 1918));
    assert_eq!(one.runs().map(|run| run.elements.len()).collect::<Vec<_>>(), [16, 16]);
}

#[test]
fn dense_parts_are_dense_again() {
    let mut t = numbered();
    let image = t.slice::<'n'>(1..).unwrap().try_dense().unwrap();
    assert_eq!(image.as_slice().len(), 48 * 30);
    assert_eq!(image[[0, 3, 4, 1]], t[[1, 3, 4, 1]]);
    // One image less a batch axis.
    assert_eq!(t.select::<'n'>(1).unwrap().try_dense().unwrap().blocks().len(), 3 * 30);
    // One image only: its block rows are dense as well.
    let rows = t.select::<'n'>(0).unwrap();
    assert!(rows.slice::<'c'>(16..32).unwrap().try_dense().is_ok());
    let error = rows.slice::<'h'>(1..3).unwrap().try_dense().unwrap_err();
    assert_eq!(error, ViewError::Stride { axis: 'c', position: 0, expected: 160, found: 480 });
    let mut part = t.slice_mut::<'n'>(..1).unwrap();
    part.try_dense_mut().unwrap().as_mut_slice().fill(9);
    assert_eq!(part.try_dense().unwrap().as_slice()[7], 9);
    assert_eq!(part.into_dense().unwrap().blocks()[0], [9; 16]);
    assert_ne!(t[[1, 0, 0, 0]], 9);
}

#[test]
fn threads_write_disjoint_parts() {
    let mut t: Tensor<f32, Nchw16c> = Tensor::zeroed([2, 40, 6, 5]).unwrap();
    std::thread::scope(|scope| {
        for (i, mut rows) in t.chunks_mut::<'h'>(2).unwrap().enumerate() {
            scope.spawn(move || {
                for block in rows.blocks_mut() {
                    block.fill(i as f32 + 1.0);
                }
                rows.zero_padding();
            });
        }
    });
    assert!(t.indexed_iter().all(|([_, _, h, _], &x)| x == (h / 2) as f32 + 1.0));
    assert!(t.padding_is_zero());
}

/// Recursion over consuming splits: the parts live as long as the whole.
fn halve(v: StridedViewMut<'_, f32, Nhwc>, depth: usize) -> Vec<StridedViewMut<'_, f32, Nhwc>> {
    let middle = v.dims()[2] / 2;
    if depth == 0 || middle == 0 {
        return vec![v];
    }
    let (first, second) = v.into_split_at::<'h'>(middle).unwrap();
    let mut parts = halve(first, depth - 1);
    parts.extend(halve(second, depth - 1));
    parts
}

#[test]
fn exclusive_parts_live_as_long_as_the_whole() {
    let mut t: Tensor<f32, Nhwc> = Tensor::zeroed([1, 3, 9, 4]).unwrap();
    let mut parts = halve(t.view_mut().into_strided(), 2);
    assert_eq!(parts.iter().map(|p| p.dims()[2]).collect::<Vec<_>>(), [2, 2, 2, 3]);
    for (i, part) in parts.iter_mut().enumerate() {
        part.map_in_place(|_| i as f32);
    }
    assert_eq!((t[[0, 0, 1, 0]], t[[0, 2, 8, 3]]), (0.0, 3.0));
    let row = t.view_mut().into_strided().into_select::<'h'>(4).unwrap().into_shared();
    assert_eq!(row.iter().copied().collect::<Vec<_>>(), [2.0; 12]);
    let tail = t.view_mut().into_strided().into_slice::<'h'>(6..).unwrap().into_chunks::<'w'>(3).unwrap();
    assert_eq!(tail.map(|part| part.len()).collect::<Vec<_>>(), [27, 9]);
}

#[test]
fn permuting_renames_positions_and_moves_nothing() {
    let t: Tensor<u32, Nchw> =
        Tensor::from_fn([2, 3, 4, 5], |[n, c, h, w]| (((n * 3 + c) * 4 + h) * 5 + w) as u32).unwrap();
    let image: TensorView<'_, u32, NchwAsNhwc> = t.view().permute_axes();
    assert_eq!((image.dims(), image.strides()), ([2, 4, 5, 3], [60, 5, 1, 20]));
    assert!(core::ptr::eq(image.as_ptr(), t.as_ptr()));
    for ([n, h, w, c], x) in image.indexed_iter() {
        assert_eq!(*x, t[[n, c, h, w]]);
    }
    let part: StridedView<'_, u32, NchwAsNhwc> = t.slice::<'c'>(1..).unwrap().permute_axes();
    assert_eq!(part[[1, 3, 4, 0]], t[[1, 1, 3, 4]]);
    let memory = t.as_ptr();
    let mut owned: Tensor<u32, NchwAsNhwc> = t.permute_axes();
    assert_eq!(owned.as_ptr(), memory);
    owned.view_mut().permute_axes::<Nchw>()[[0, 1, 0, 0]] = 99;
    owned.view_mut().into_strided().permute_axes::<Nchw>()[[0, 2, 0, 0]] = 98;
    assert_eq!((owned[[0, 0, 0, 1]], owned[[0, 0, 0, 2]]), (99, 98));
}

#[test]
fn permuting_keeps_static_extents() {
    type Shape = (usize, Fixed<3>, Fixed<4>, usize);
    let t: Tensor<u8, Nchw, Shape> = Tensor::zeroed((2, fixed(), fixed(), 5)).unwrap();
    let v: TensorView<'_, u8, NchwAsNhwc, (usize, Fixed<4>, usize, Fixed<3>)> = t.view().permute_axes();
    assert_eq!((v.dims(), size_of_val(&v)), ([2, 4, 5, 3], 3 * size_of::<usize>()));
    fn is<A, B>()
    where
        A: PermuteShape<Nchw, NchwAsNhwc, Output = B>,
    {
    }
    is::<[usize; 4], [usize; 4]>();
    is::<(Fixed<1>, Fixed<2>, Fixed<3>, Fixed<4>), (Fixed<1>, Fixed<3>, Fixed<4>, Fixed<2>)>();
}

#[test]
fn relabelling_renames_axes_and_moves_nothing() {
    let mut t = numbered();
    let memory = t.as_ptr();
    let anonymous: TensorView<'_, u32, Abcd16b> = t.view().relabel();
    assert_eq!((anonymous[[1, 20, 3, 4]], anonymous.as_ptr()), (t[[1, 20, 3, 4]], memory));
    assert_eq!(
        t.slice::<'h'>(2..).unwrap().relabel::<Abcd16b>().slice::<'c'>(1..).unwrap()[[0, 0, 0, 0]],
        t[[0, 0, 3, 0]]
    );
    t.view_mut().relabel::<Abcd16b>()[[0, 0, 0, 0]] = 77;
    t.slice_mut::<'h'>(1..).unwrap().relabel::<Abcd16b>()[[0, 0, 0, 0]] = 78;
    assert_eq!((t[[0, 0, 0, 0]], t[[0, 0, 1, 0]]), (77, 78));
    let owned: Tensor<u32, Abcd16b> = t.relabel();
    assert_eq!(owned.as_ptr(), memory);
    let plain: Tensor<u8, Oihw> = Tensor::<u8, Nchw>::zeroed([1, 2, 3, 4]).unwrap().relabel();
    assert_eq!(plain.dims(), [1, 2, 3, 4]);
}

#[test]
fn extents_become_types_where_they_agree() {
    let t: Tensor<f32, Nchw16c> = Tensor::zeroed([1, 3, 2, 2]).unwrap();
    let v = t.view().with_shape((1, fixed::<3>(), fixed::<2>(), fixed::<2>())).unwrap();
    assert_eq!(size_of_val(&v), 2 * size_of::<usize>());
    let error = t.view().with_shape((1, fixed::<4>(), 2, 2)).unwrap_err();
    assert_eq!(error.to_string(), "the shape says that axis `c` has extent 4, but it has 3");
    assert_eq!(v.with_shape([1, 3, 2, 2]).unwrap().dims(), [1, 3, 2, 2]);
    let part =
        t.slice::<'h'>(1..).unwrap().with_shape((fixed::<1>(), fixed::<3>(), fixed::<1>(), 2)).unwrap();
    assert_eq!(part.runs().len(), 2);
    let mut t = t.with_shape((fixed::<1>(), fixed::<3>(), fixed::<2>(), fixed::<2>())).unwrap();
    assert_eq!(size_of_val(&t), size_of::<usize>());
    assert!(t.view_mut().with_shape([1, 3, 2, 3]).is_err());
    assert!(t.slice_mut::<'w'>(..1).unwrap().with_shape([1, 3, 2, 1]).is_ok());
}

#[test]
fn operations_on_weights_with_a_block_behind_another_axis() {
    let t = Tensor::<u32, Ohwi16o, _>::from_fn([20, 3, 2, 2], |[o, i, h, w]| {
        (o * 1000 + i * 100 + h * 10 + w) as u32
    })
    .unwrap();
    let first = t.select::<'i'>(2).unwrap();
    assert_eq!(first[[19, 1, 0]], 19_210);
    let out = t.select::<'o'>(19).unwrap();
    assert_eq!(out[[2, 1, 1]], 19_211);
    assert_eq!(out.strides(), [16, 96, 48]);
}

#[test]
fn a_matrix_by_rows_and_columns() {
    let m: Tensor<i32, RowMajor> = Tensor::from_vec([2, 3], vec![1, 2, 3, 4, 5, 6]).unwrap();
    assert_eq!(m.select::<'a'>(1).unwrap().try_dense().unwrap().as_slice(), [4, 5, 6]);
    assert_eq!(m.select::<'b'>(1).unwrap().iter().copied().collect::<Vec<_>>(), [2, 5]);
    let (left, right) = m.split_at::<'b'>(1).unwrap();
    assert_eq!((left.len(), right[[1, 1]]), (2, 6));
}

#[test]
fn axes_of_extent_one_come_and_go() {
    let bias = Tensor::<i32, Nchw8c>::from_fn([1, 11, 1, 1], |[_, c, _, _]| c as i32 + 1).unwrap();
    let all = bias
        .as_strided()
        .broadcast::<'h'>(3)
        .unwrap()
        .broadcast::<'w'>(4)
        .unwrap()
        .broadcast::<'n'>(2)
        .unwrap();
    assert_eq!((all.dims(), all.len()), ([2, 11, 3, 4], 2 * 11 * 3 * 4));
    assert!(all.indexed_iter().all(|([_, c, _, _], &value)| value == c as i32 + 1));
    assert_eq!(all.runs().map(|run| run.elements.len()).sum::<usize>(), all.len());
    assert!(all.try_dense().is_err());
    assert!(matches!(all.broadcast::<'h'>(5), Err(ViewError::Extent { axis: 'h', expected: 1, found: 3 })));
    assert!(matches!(bias.as_strided().broadcast::<'h'>(usize::MAX), Err(ViewError::Size(_))));
    assert!(bias.as_strided().broadcast::<'h'>(0).unwrap().is_empty());

    let row = bias.squeeze::<'n'>().unwrap();
    let row = row.squeeze::<'h'>().unwrap();
    assert_eq!(row.dims(), [11, 1]);
    assert_eq!(row[[10, 0]], 11);
    assert!(matches!(all.squeeze::<'h'>(), Err(ViewError::Extent { axis: 'h', expected: 1, found: 3 })));
}
