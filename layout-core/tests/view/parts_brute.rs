//! Slices, selections, splits and chunks along every axis, at every bound, against the oracle.

use crate::layouts::for_layouts;
use crate::oracle::{Oracle, at, indices};
use layout_core::layout::{HasAxis, Layout, RemoveAxis};
use layout_core::view::{StridedView, Tensor, ViewError};

fn numbered<L: Layout>(dims: &[usize]) -> Tensor<u32, L> {
    let mut next = 0;
    Tensor::from_fn(at::<L>(dims), |_| {
        next += 1;
        next
    })
    .unwrap()
}

/// That `part` is the elements `from + index` of `whole`, however it is read.
fn check_part<L: Layout>(whole: &Tensor<u32, L>, part: StridedView<'_, u32, L>, axis: usize, from: usize) {
    let in_whole = |index: &[usize]| {
        let mut index = at::<L>(index);
        index.as_mut()[axis] += from;
        index
    };
    let all = indices(part.dims().as_ref());
    let expected: Vec<u32> = all.iter().map(|index| whole[in_whole(index)]).collect();
    assert_eq!(part.iter().copied().collect::<Vec<_>>(), expected);
    let mut by_index = vec![];
    part.indexed_iter().for_each(|(index, &x)| {
        assert_eq!(part[index], x);
        by_index.push(x);
    });
    assert_eq!(by_index, expected);
    let mut from_runs: Vec<u32> = vec![];
    let runs = part.runs();
    let mut left = runs.len();
    for run in runs {
        left -= 1;
        for (k, x) in run.elements.iter().enumerate() {
            assert!(core::ptr::eq(x, &whole[in_whole(run.index(k).as_ref())]));
            from_runs.push(*x);
        }
    }
    from_runs.sort_unstable();
    let mut sorted = expected.clone();
    sorted.sort_unstable();
    assert_eq!((left, from_runs), (0, sorted));
    // Blocks are whole, and hold padding where the part ends with the tensor.
    for (index, block) in part.indexed_blocks() {
        let whole_block = whole.mapping().offset_unchecked(in_whole(index.as_ref()));
        assert!(core::ptr::eq(core::ptr::from_ref(block).cast(), &whole.as_slice()[whole_block]));
    }
    let padded: usize = part.padded_dims().as_ref().iter().product();
    assert_eq!((part.blocks().len() * L::BLOCK_LEN, part.physical_iter().len()), (padded, padded));
    assert!(part.padding_is_zero());
    assert_eq!(part.map(|x| x).iter().copied().collect::<Vec<_>>(), expected);
}

fn check_slices<L: Layout + HasAxis<AXIS>, const AXIS: char>(oracle: &Oracle) {
    let axis = oracle.axis(AXIS);
    let multiple = oracle.multiple(axis);
    for dims in oracle.shapes().into_iter().filter(|dims| oracle.required_len(dims) < 1 << 12) {
        let whole = numbered::<L>(&dims);
        let extent = dims[axis];
        let valid = |bound: usize| bound.is_multiple_of(multiple) || bound == extent;
        for start in 0..=extent + 1 {
            for end in start..=extent + 1 {
                let part = whole.slice::<AXIS>(start..end);
                if end > extent {
                    assert_eq!(part.unwrap_err(), ViewError::Range { axis: AXIS, start, end, extent });
                } else if valid(start) && valid(end) {
                    let part = part.unwrap();
                    check_part(&whole, part, axis, start);
                    // A part of a part is the part of the whole.
                    let rest = (start + multiple).min(end);
                    if let Ok(inner) = part.slice::<AXIS>(rest - start..) {
                        check_part(&whole, inner, axis, rest);
                    }
                } else {
                    let bound = if valid(start) { end } else { start };
                    let below = bound / multiple * multiple;
                    let above = (below + multiple).min(extent);
                    let expected = ViewError::InsideBlock { axis: AXIS, bound, multiple, below, above };
                    assert_eq!(part.unwrap_err(), expected);
                    assert!(valid(below) && valid(above) && below < bound && bound < above);
                }
            }
        }
    }
}

/// Each element is written by exactly the part that has it, and padding by the part behind which it lies.
fn check_disjoint<L: Layout + HasAxis<AXIS>, const AXIS: char>(oracle: &Oracle) {
    let axis = oracle.axis(AXIS);
    let multiple = oracle.multiple(axis);
    for dims in oracle.shapes() {
        let extent = dims[axis];
        let mut t = numbered::<L>(&dims);
        for middle in 0..=extent {
            let split = t.split_at_mut::<AXIS>(middle);
            if !middle.is_multiple_of(multiple) && middle != extent {
                assert!(matches!(split, Err(ViewError::InsideBlock { .. })));
                continue;
            }
            let (mut first, mut second) = split.unwrap();
            assert_eq!(
                (first.dims().as_ref()[axis], second.dims().as_ref()[axis]),
                (middle, extent - middle)
            );
            // Interleaved on purpose: each write has to leave the other part alone.
            first.iter_mut().zip(second.iter_mut()).for_each(|(a, b)| (*a, *b) = (1, 2));
            first.iter_mut().for_each(|x| *x = 1);
            second.iter_mut().for_each(|x| *x = 2);
            first.fill_padding(3);
            second.fill_padding(4);
            for (position, &x) in t.physical_iter() {
                match position {
                    layout_core::layout::Position::Element(index) => {
                        assert_eq!(x, if index.as_ref()[axis] < middle { 1 } else { 2 });
                    }
                    layout_core::layout::Position::Padding(index) => {
                        let in_first = middle == extent || index.as_ref()[axis] < middle;
                        assert_eq!(x, if in_first { 3 } else { 4 });
                    }
                }
            }
        }
        for size in [multiple, 2 * multiple, extent.max(1), 1 << 40] {
            let chunks = t.chunks_mut::<AXIS>(size).unwrap();
            let count = extent.div_ceil(size);
            assert_eq!(chunks.len(), count);
            for (i, mut chunk) in chunks.enumerate() {
                assert_eq!(chunk.dims().as_ref()[axis], size.min(extent - i * size));
                chunk.runs_mut().for_each(|run| run.elements.fill(i as u32));
            }
            assert!(t.indexed_iter().all(|(index, &x)| x as usize == index.as_ref()[axis] / size));
            let firsts: Vec<u32> =
                t.chunks::<AXIS>(size).unwrap().filter_map(|c| c.iter().next().copied()).collect();
            assert!(t.is_empty() || firsts.iter().copied().eq(0..count as u32));
        }
        assert!(t.chunks::<AXIS>(0).is_err());
        if multiple > 1 && extent > multiple {
            let expected = ViewError::ChunkSize { axis: AXIS, size: multiple - 1, multiple };
            assert_eq!(t.chunks_mut::<AXIS>(multiple - 1).unwrap_err(), expected);
        }
    }
}

fn check_select<L: Layout + RemoveAxis<AXIS>, const AXIS: char>(oracle: &Oracle) {
    let axis = oracle.axis(AXIS);
    for dims in oracle.shapes() {
        let mut t = numbered::<L>(&dims);
        for index in 0..dims[axis] {
            let part = t.select::<AXIS>(index).unwrap();
            let mut rest = dims.clone();
            rest.remove(axis);
            assert_eq!(part.dims().as_ref(), rest);
            for (short, x) in part.indexed_iter() {
                let mut long = short.as_ref().to_vec();
                long.insert(axis, index);
                assert!(core::ptr::eq(x, &t[at::<L>(&long)]));
            }
            let mut count = 0;
            for run in part.runs() {
                for (k, x) in run.elements.iter().enumerate() {
                    assert!(core::ptr::eq(x, &part[run.index(k)]));
                    count += 1;
                }
            }
            assert_eq!((count, part.iter().count()), (part.len(), part.len()));
            for (first, block) in part.indexed_blocks() {
                if let Some(x) = part.get(first) {
                    assert!(core::ptr::eq(core::ptr::from_ref(block).cast(), x));
                }
            }
            assert!(part.padding_is_zero());
            assert_eq!(part.map(|x| x).iter().collect::<Vec<_>>(), part.iter().collect::<Vec<_>>());
        }
        assert!(matches!(t.select::<AXIS>(dims[axis]), Err(ViewError::Index(_))));
        for index in 0..dims[axis] {
            let mut part = t.select_mut::<AXIS>(index).unwrap();
            part.iter_mut().for_each(|x| *x = 1000 + index as u32);
            part.zero_padding();
        }
        assert!(t.indexed_iter().all(|(index, &x)| x as usize == 1000 + index.as_ref()[axis]));
        assert!(t.padding_is_zero());
    }
}

#[test]
fn slices_agree_with_the_oracle() {
    macro_rules! one {
        ($layout:ty, $axes:literal, $digits:literal, [$($axis:literal),*], $select:tt) => {
            $(check_slices::<$layout, $axis>(&Oracle::new($axes, $digits));)*
        };
    }
    for_layouts!(one);
}

#[test]
fn splits_and_chunks_are_disjoint() {
    macro_rules! one {
        ($layout:ty, $axes:literal, $digits:literal, [$($axis:literal),*], $select:tt) => {
            $(check_disjoint::<$layout, $axis>(&Oracle::new($axes, $digits));)*
        };
    }
    for_layouts!(one);
}

#[test]
fn selections_agree_with_the_oracle() {
    macro_rules! one {
        ($layout:ty, $axes:literal, $digits:literal, $slice:tt, [$($axis:literal),*]) => {
            $(check_select::<$layout, $axis>(&Oracle::new($axes, $digits));)*
        };
    }
    for_layouts!(one);
}
