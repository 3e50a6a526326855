//! `match_layout!`: which kernel is called, with which values, whether anything was moved, and every error.

use layout_core::choose::{MatchError, nearest_layout};
use layout_core::descriptor::{DType, Descriptor};
use layout_core::layout::{ColumnMajor, Dirty, Layout, Nchw, Nchw8c, Nchw16c, Nhwc, Oihw, RowMajor};
use layout_core::match_layout;
use layout_core::reorder::{ReorderError, reorder_bytes};
use layout_core::view::{DynView, DynViewMut, Tensor, TensorView, ViewError};

/// The kernel that was called, what it read in logical order, and where.
type Seen = (&'static str, Vec<f32>, *const f32);

fn seen<L: Layout>(name: &'static str, x: TensorView<'_, f32, L>) -> Seen {
    (name, x.iter().copied().collect(), x.as_ptr())
}

fn call(descriptor: &Descriptor, bytes: &[u8]) -> Result<Seen, MatchError> {
    match_layout!((descriptor, bytes); f32;
        Nchw16c => |x| seen("blocks", x),
        Nhwc => |x| seen("pixels", x),
        else reorder
    )
}

/// Memory of numbers that count in logical order, aligned and with zero padding.
fn counted(descriptor: &Descriptor) -> Tensor<u8, layout_core::layout::Vector> {
    let plain = Descriptor::new(DType::F32, descriptor.dims(), "nchw").unwrap();
    let values: Vec<u8> = (0..plain.required_len()).flat_map(|i| (i as f32).to_ne_bytes()).collect();
    let mut out = Tensor::zeroed([descriptor.size_bytes()]).unwrap();
    reorder_bytes(&plain, &values, descriptor, out.as_mut_slice()).unwrap();
    out
}

fn counting(len: usize) -> Vec<f32> {
    (0..len).map(|i| i as f32).collect()
}

#[test]
fn memory_in_a_layout_of_the_list_is_viewed_where_it_is() {
    for (format, name) in [("nChw16c", "blocks"), ("nhwc", "pixels")] {
        let descriptor = Descriptor::new(DType::F32, &[2, 18, 3, 4], format).unwrap();
        let memory = counted(&descriptor);
        let (called, values, at) = call(&descriptor, memory.as_slice()).unwrap();
        assert_eq!((called, at), (name, memory.as_ptr().cast()));
        assert_eq!(values, counting(2 * 18 * 12));
    }
}

#[test]
fn other_memory_is_reordered_to_the_nearest() {
    for (format, dims, name) in [
        ("nchw", [2, 18, 3, 4], "pixels"),   // fewer bytes
        ("nchw", [2, 32, 3, 4], "blocks"),   // as many; the first of the list
        ("nChw8c", [2, 32, 3, 4], "blocks"), // as many, in runs of 8
        ("chwn", [2, 3, 3, 4], "pixels"),
    ] {
        let descriptor = Descriptor::new(DType::F32, &dims, format).unwrap();
        let memory = counted(&descriptor);
        let (called, values, at) = call(&descriptor, memory.as_slice()).unwrap();
        assert_eq!((called, values), (name, counting(dims.iter().product())), "{format}");
        assert_ne!(at, memory.as_ptr().cast());
    }
}

#[test]
fn the_same_bytes_under_another_name_are_viewed_where_they_are() {
    let of = |dims, format| Descriptor::new(DType::F32, dims, format).unwrap();
    // One channel: `nchw` is `nhwc`.
    let descriptor = of(&[2, 1, 3, 4], "nchw");
    let memory = counted(&descriptor);
    let (called, values, at) = call(&descriptor, memory.as_slice()).unwrap();
    assert_eq!((called, values, at), ("pixels", counting(24), memory.as_ptr().cast()));
    // 16 channels: `nhwc` is `nChw16c`.
    let descriptor = of(&[2, 16, 3, 4], "nhwc");
    let memory = counted(&descriptor);
    let (values, at) = match_layout!((&descriptor, memory.as_slice()); f32;
        Nchw => |x| (x.iter().copied().collect(), x.as_ptr()),
        Nchw16c => |x| (x.iter().copied().collect(), x.as_ptr()),
    )
    .unwrap();
    assert_eq!((values, at), (counting(2 * 16 * 12), memory.as_ptr().cast()));
    // Where one has the very name, it is taken, wherever it stands in the list.
    assert_eq!(call(&descriptor, memory.as_slice()).unwrap().0, "pixels");
}

#[test]
fn padding_that_is_not_zero_is_copied_for_kernels_that_rely_on_it() {
    fn total(x: TensorView<'_, f32, Nchw16c>) -> f32 {
        x.as_slice().iter().sum()
    }
    let descriptor = Descriptor::new(DType::F32, &[1, 3, 1, 2], "nChw16c").unwrap();
    let mut memory = counted(&descriptor);
    memory.as_mut_slice()[4 * 20..4 * 21].copy_from_slice(&100f32.to_ne_bytes());
    let source = (&descriptor, memory.as_slice());
    let sum = match_layout!(source; f32; Nchw16c => |x| total(x), else reorder).unwrap();
    assert_eq!(sum, 15.0);
    let error = match_layout!(source; f32; Nchw16c => |x| total(x)).unwrap_err();
    assert!(matches!(error, MatchError::Layout { .. }));
    // A kernel that does not care reads it where it is.
    let at = match_layout!(source; f32; Dirty<Nchw16c> => |x| x.as_ptr()).unwrap();
    assert_eq!(at, memory.as_ptr().cast());
}

#[test]
fn memory_that_is_not_aligned_or_not_dense_is_copied() {
    let descriptor = Descriptor::new(DType::F32, &[1, 3, 2, 2], "nhwc").unwrap();
    let memory = counted(&descriptor);
    let mut shifted = vec![0; memory.len() + 8];
    let first = 1 + shifted.as_ptr().align_offset(4);
    shifted[first..first + memory.len()].copy_from_slice(memory.as_slice());
    assert_eq!(call(&descriptor, &shifted[first..]).unwrap().1, counting(12));
    let strided = Descriptor::with_strides(DType::F32, &[1, 3, 2, 2], "nhwc", &[24, 1, 12, 4]).unwrap();
    let (name, values, _) = call(&strided, counted(&strided).as_slice()).unwrap();
    assert_eq!((name, values), ("pixels", counting(12)));
}

#[test]
fn a_view_whose_layout_is_known_at_run_time_is_a_source() {
    let descriptor = Descriptor::new(DType::S32, &[2, 3], "ba").unwrap();
    let memory = [1, 4, 2, 5, 3, 6];
    let view = DynView::new(&descriptor, &memory).unwrap();
    let found = match_layout!(view; i32;
        RowMajor => |x| ("rows", x[[1, 0]]),
        ColumnMajor => |x| ("columns", x[[1, 0]]),
    );
    assert_eq!(found.unwrap(), ("columns", 4));
    let found = match_layout!(view; i32; RowMajor => |x| ("rows", x[[1, 0]]), else reorder);
    assert_eq!(found.unwrap(), ("rows", 4));
    let found = match_layout!(view; f32; RowMajor => |x| x.as_slice().to_vec(), else convert);
    assert_eq!(found.unwrap(), [1., 2., 3., 4., 5., 6.]);
}

#[test]
fn the_code_of_a_kernel_stands_in_the_function_around() {
    fn first(descriptor: &Descriptor, bytes: &[u8]) -> Result<f32, MatchError> {
        let mut calls = 0;
        let value = match_layout!((descriptor, bytes); f32;
            Nhwc => |x| {
                calls += 1;
                if x.is_empty() {
                    return Ok(-1.0);
                }
                x[[0, 0, 0, 0]]
            },
        )?;
        assert_eq!(calls, 1);
        Ok(value)
    }
    let descriptor = Descriptor::new(DType::F32, &[1, 3, 2, 2], "nhwc").unwrap();
    assert_eq!(first(&descriptor, counted(&descriptor).as_slice()), Ok(0.0));
    let empty = Descriptor::new(DType::F32, &[0, 3, 2, 2], "nhwc").unwrap();
    assert_eq!(first(&empty, &[]), Ok(-1.0));
}

#[test]
fn what_does_not_fit_says_why() {
    // Aligned: what could be viewed is refused for its axes.
    #[repr(align(64))]
    struct Aligned([u8; 4096]);
    let Aligned(bytes) = &Aligned([0; 4096]);
    let of = |dtype, dims: &[usize], format| Descriptor::new(dtype, dims, format).unwrap();

    let weights = of(DType::F32, &[1, 3, 2, 2], "ohwi");
    let error = call(&weights, bytes).unwrap_err();
    assert_eq!(error, MatchError::Axes { found: Box::new(*weights.spec()), listed: Box::new(Nchw16c::SPEC) });
    assert_eq!(
        error.to_string(),
        "the descriptor `ohwi` has axes o, i, h, w, but the layouts of the list have others, such as n, c, h, w of \
         `nChw16c`: rename axes with `relabel`, change their order with `permute`, or list a layout over these axes"
    );
    let rank = of(DType::F32, &[3, 2, 2], "abc");
    assert!(matches!(call(&rank, bytes), Err(MatchError::Axes { .. })));

    let bytes_of_pixels = of(DType::U8, &[1, 3, 2, 2], "nhwc");
    let error = call(&bytes_of_pixels, bytes).unwrap_err();
    assert_eq!(error, MatchError::DType { expected: DType::F32, found: DType::U8 });
    assert_eq!(
        error.to_string(),
        "the elements are u8, but the kernels take f32: write `else convert` to convert them"
    );

    let planes = of(DType::F32, &[1, 3, 2, 2], "nchw");
    let error = match_layout!((&planes, bytes); f32; Nhwc => |_| ()).unwrap_err();
    assert_eq!(error, MatchError::Layout { found: Box::new(planes) });
    assert!(error.to_string().starts_with("no layout of the list is that of `f32:nchw:1x3x2x2`"), "{error}");

    let error = call(&planes, &bytes[..47]).unwrap_err();
    assert_eq!(error, MatchError::View(ViewError::ByteLength { expected: 48, found: 47 }));
}

#[test]
fn the_nearest_layout_is_the_cheapest() {
    let of = |dims: &[usize], format| Descriptor::new(DType::F32, dims, format).unwrap();
    let list = [Nchw::SPEC, Nchw8c::SPEC, Nchw16c::SPEC];
    assert_eq!(nearest_layout(&of(&[1, 64, 4, 4], "nhwc"), &list), Some(2)); // the longest runs
    assert_eq!(nearest_layout(&of(&[1, 24, 4, 4], "nhwc"), &list), Some(1)); // no padding, and runs of 8
    assert_eq!(nearest_layout(&of(&[1, 5, 4, 4], "nhwc"), &list), Some(0)); // no padding
    assert_eq!(nearest_layout(&of(&[1, 8, 1, 1], "nhwc"), &list), Some(0)); // the same memory, first of several
    assert_eq!(nearest_layout(&of(&[1, 8, 2, 2], "nhwc"), &list), Some(1)); // the same memory
    assert_eq!(nearest_layout(&of(&[1, 8, 2, 2], "nhwc"), &[Oihw::SPEC]), None);
    assert_eq!(nearest_layout(&of(&[1, 8, 2, 2], "nhwc"), &[]), None);
}

#[test]
fn memory_to_write_is_written_where_it_is_or_back() {
    let dims = [2, 18, 3, 4];
    for (format, name) in
        [("nChw16c", "blocks"), ("nhwc", "pixels"), ("nchw", "pixels"), ("nChw8c", "pixels")]
    {
        let descriptor = Descriptor::new(DType::F32, &dims, format).unwrap();
        let mut memory = counted(&descriptor);
        let called = match_layout!(mut (&descriptor, memory.as_mut_slice()); f32;
            Nchw16c => |mut x| {
                assert!(x.padding_is_zero());
                x.with_dirty(|mut x| x.as_mut_slice().iter_mut().for_each(|x| *x += 1.0));
                "blocks"
            },
            Nhwc => |mut x| {
                x.map_in_place(|x| x + 1.0);
                "pixels"
            },
            else reorder
        );
        assert_eq!(called.unwrap(), name, "{format}");
        // The same as if it had been made so; the padding is zero.
        let plain = Descriptor::new(DType::F32, &dims, "nchw").unwrap();
        let values: Vec<u8> =
            (0..plain.required_len()).flat_map(|i| (i as f32 + 1.0).to_ne_bytes()).collect();
        let mut expected = vec![1; descriptor.size_bytes()];
        reorder_bytes(&plain, &values, &descriptor, &mut expected).unwrap();
        assert_eq!(memory.as_slice(), expected, "{format}");
    }
    // Of another type, and strided: what lies between is not touched.
    let descriptor = Descriptor::with_strides(DType::U8, &[2, 3], "ab", &[5, 1]).unwrap();
    let mut memory = [1u8, 2, 3, 77, 77, 100, 200, 250, 77];
    let mut view = DynViewMut::new(&descriptor, &mut memory).unwrap();
    match_layout!(mut view; f32; ColumnMajor => |mut x| x.map_in_place(|x| 1.6 * x), else convert).unwrap();
    assert_eq!(memory, [2, 3, 5, 77, 77, 160, 255, 255, 77]);
}

#[test]
fn nothing_is_written_where_nothing_fits() {
    let descriptor = Descriptor::new(DType::F32, &[1, 3, 2, 2], "nchw").unwrap();
    let mut memory = counted(&descriptor);
    let before = memory.as_slice().to_vec();
    let result = match_layout!(mut (&descriptor, memory.as_mut_slice()); f32; Nhwc => |mut x| x.as_mut_slice().fill(0.0));
    assert_eq!(result, Err(MatchError::Layout { found: Box::new(descriptor) }));
    let broadcast = descriptor.broadcast(0, 5).unwrap();
    let result = match_layout!(mut (&broadcast, memory.as_mut_slice()); f32;
        Nhwc => |mut x| x.as_mut_slice().fill(0.0), else reorder);
    assert!(
        matches!(result, Err(MatchError::Reorder(ReorderError::Broadcast { axis: 'n', .. }))),
        "{result:?}"
    );
    let result = match_layout!(mut (&descriptor, &mut memory.as_mut_slice()[..47]); f32;
        Nhwc => |_| (), else reorder);
    assert_eq!(result, Err(MatchError::View(ViewError::ByteLength { expected: 48, found: 47 })));
    assert_eq!(memory.as_slice(), before);
}
