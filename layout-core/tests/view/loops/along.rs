//! Blocks and rows along an axis against asking for each by its index.

use layout_core::layout::{HasAxis, Layout, Nchw, Nchw8c, Nchw16c, Nhwc, OIhw4i16o4i, OIhw16i16o};
use layout_core::shape::IndexError;
use layout_core::view::{KernelLoops, Tensor, View, Window};

/// The element at an index, as a number that no two elements share.
fn number([a, b, c, d]: [usize; 4]) -> i32 {
    (1 + ((a * 64 + b) * 16 + c) * 16 + d) as i32
}

/// From every start along `AXIS` the blocks are those that `block_at` gives, and no more.
fn blocks_match<const AXIS: char, L: Layout<Index = [usize; 4]> + HasAxis<AXIS>>(
    view: &impl View<Elem = i32, Layout = L>,
) {
    let axis = L::SPEC.axis_named(AXIS).unwrap();
    let (dims, block) = (view.dims(), L::SPEC.block_of(axis) as usize);
    for start in (0..dims.iter().product::<usize>()).map(|k| {
        let [_, b, c, d] = dims;
        [k / (b * c * d), k / (c * d) % b, k / d % c, k % d]
    }) {
        let mut found = view.blocks_along::<AXIS>(start).unwrap();
        let first = start[axis] / block * block;
        for index in (first..dims[axis]).step_by(block) {
            let mut at = start;
            at[axis] = index;
            let left = (dims[axis] - index).div_ceil(block);
            assert_eq!(found.len(), left);
            let block = found.next().expect("it is within the extents");
            assert!(core::ptr::eq(block, view.block_at(at).unwrap()), "{AXIS} from {start:?} at {at:?}");
        }
        assert!(found.next().is_none() && found.next().is_none());
    }
    for position in 0..4 {
        let mut start = [0; 4];
        start[position] = dims[position];
        let error = IndexError::OutOfRange {
            axis: L::AXES[position],
            position,
            index: dims[position],
            extent: dims[position],
        };
        assert_eq!(view.blocks_along::<AXIS>(start).unwrap_err(), error);
    }
}

#[test]
fn blocks_along_an_axis_are_those_at_its_indices() {
    macro_rules! every_axis {
        ($layout:ty, $dims:expr; $($axis:literal)*) => {{
            let t = Tensor::<i32, $layout>::from_fn($dims, number).unwrap();
            $(blocks_match::<$axis, $layout>(&t);)*
            // Of a part they end at its border.
            let part = t.slice::<'h'>(1..3).unwrap();
            $(blocks_match::<$axis, $layout>(&part);)*
        }};
    }
    every_axis!(Nchw16c, [2, 35, 3, 4]; 'n' 'c' 'h' 'w');
    every_axis!(Nchw, [2, 3, 3, 4]; 'n' 'c' 'h' 'w');
    every_axis!(Nhwc, [2, 3, 3, 4]; 'n' 'c' 'h' 'w');
    every_axis!(OIhw16i16o, [20, 33, 3, 2]; 'o' 'i' 'h' 'w');
    every_axis!(OIhw4i16o4i, [16, 40, 3, 1]; 'o' 'i' 'h' 'w');
}

#[test]
fn rows_along_an_axis_are_those_at_its_indices() {
    let t = Tensor::<i32, Nchw8c>::from_fn([2, 27, 3, 6], number).unwrap();
    let window = Window::new(3).padding(1, 1);
    let part = t.slice::<'h'>(1..3).unwrap();
    let strips = part.strips::<'w'>(window, -1).unwrap();
    let (mut found, mut expected) = ([[0; 8]; 5], [[0; 8]; 5]);
    for (n, c, h) in (0..2 * 27 * 2).map(|k| (k / 54, k / 2 % 27, k % 2)) {
        // The index along the rows is ignored, even behind the last output.
        let rows = strips.rows_along::<'c'>([n, c, h, 99]).unwrap();
        assert_eq!(rows.len(), 4 - c / 8);
        for (k, row) in rows.enumerate() {
            for x in 0..6 {
                let channel = c / 8 * 8 + 8 * k;
                let wanted = strips.at([n, channel, h, x], &mut expected).unwrap();
                assert_eq!(row.at(x, &mut found).unwrap(), wanted, "row {k} from {n} {c} {h}, output {x}");
            }
            assert!(row.at(6, &mut found).is_err());
        }
        assert_eq!(strips.rows_along::<'h'>([n, c, h, 0]).unwrap().count(), 2 - h);
    }
    let error = IndexError::OutOfRange { axis: 'c', position: 1, index: 27, extent: 27 };
    assert_eq!(strips.rows_along::<'c'>([0, 27, 0, 0]).unwrap_err(), error);
    let error = IndexError::OutOfRange { axis: 'h', position: 2, index: 2, extent: 2 };
    assert_eq!(strips.rows_along::<'c'>([0, 0, 2, 0]).unwrap_err(), error);
}
