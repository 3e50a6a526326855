//! Windows against loops over all taps with a look at the borders.

use layout_core::layout::{Nchw, Nchw8c, Ncw, Nhwc};
use layout_core::shape::IndexError;
use layout_core::view::{KernelLoops, Tensor, ViewError, Window, WindowError};

/// Every window of small numbers, with each extent.
fn geometries() -> impl Iterator<Item = (Window, [usize; 5], usize)> {
    let numbers = |k: usize| [1 + k % 4, 1 + k / 4 % 3, 1 + k / 12 % 3, k / 36 % 4, k / 144 % 4];
    (0..576).flat_map(move |k| {
        let [size, stride, dilation, before, after] = numbers(k);
        let window = Window::new(size).stride(stride).dilation(dilation).padding(before, after);
        (0..9).map(move |extent| (window, numbers(k), extent))
    })
}

/// Where tap `tap` of output `output` lies; `None` outside the axis.
fn position(
    [_, stride, dilation, before, _]: [usize; 5],
    extent: usize,
    output: usize,
    tap: usize,
) -> Option<usize> {
    (output * stride + tap * dilation).checked_sub(before).filter(|&position| position < extent)
}

#[test]
fn taps_are_those_on_the_axis() {
    for (window, numbers, extent) in geometries() {
        let [size, stride, dilation, before, after] = numbers;
        // As frameworks state it: floor((extent + padding - dilation * (size - 1) - 1) / stride) + 1.
        let room = (extent + before + after) as i64 - (dilation * (size - 1) + 1) as i64;
        let Ok(outputs) = window.outputs(extent) else {
            let reach = dilation * (size - 1) + 1;
            assert_eq!(window.outputs(extent), Err(WindowError::Short { extent, before, after, reach }));
            assert!(room < 0 && window.inside(extent).is_empty(), "{window:?} {extent}");
            continue;
        };
        assert_eq!(outputs as i64, room / stride as i64 + 1, "{window:?} {extent}");
        let mut inside = Vec::new();
        for output in 0..outputs + 2 {
            let expected: Vec<(usize, usize)> =
                (0..size).filter_map(|tap| Some((tap, position(numbers, extent, output, tap)?))).collect();
            let taps = window.taps(extent, output);
            assert_eq!(taps.len(), expected.len());
            assert_eq!(taps.collect::<Vec<_>>(), expected, "{window:?} {extent} {output}");
            if output < outputs && expected.len() == size {
                inside.push(output);
            }
        }
        assert!(window.inside(extent).eq(inside), "{window:?} {extent}: {:?}", window.inside(extent));
    }
}

#[test]
fn what_is_no_window_is_refused() {
    let window = Window::new(3);
    for (window, what) in
        [(Window::new(0), "size"), (window.stride(0), "stride"), (window.dilation(0), "dilation")]
    {
        assert_eq!(window.outputs(8), Err(WindowError::Zero { what }));
        assert!(window.inside(8).is_empty());
        assert!(window.taps(8, 0).len() <= 3);
    }
    for window in [
        window.dilation(usize::MAX),
        window.padding(usize::MAX, 0),
        window.padding(3, usize::MAX),
        window.padding(0, isize::MAX as usize),
    ] {
        assert_eq!(window.outputs(8), Err(WindowError::Size));
    }
    assert_eq!(window.stride(usize::MAX).outputs(8), Ok(1));
    assert_eq!(window.stride(usize::MAX).taps(8, 2).count(), 0);
    assert_eq!(
        Window::new(5).dilation(2).padding(1, 2).outputs(4).unwrap_err().to_string(),
        "a window that reaches over 9 positions does not fit on an axis of extent 4 with padding 1 before and 2 behind it"
    );
    assert_eq!(
        Window::new(0).outputs(4).unwrap_err().to_string(),
        "a window cannot have size 0: write 1 or more"
    );
}

/// The element at `[n, c, h, w]`, as a number that no two elements share.
fn number([n, c, h, w]: [usize; 4]) -> i32 {
    (1 + ((n * 32 + c) * 32 + h) * 32 + w) as i32
}

#[test]
fn strips_hold_the_columns_and_the_halo() {
    const COLUMNS: usize = 7;
    for (window, numbers, extent) in geometries() {
        let dims = [2, 11, 2, extent];
        let t = Tensor::<i32, Nchw8c>::from_fn(dims, number).unwrap();
        let Ok(strips) = t.strips::<'w'>(window, -1) else {
            assert!(window.outputs(extent).is_err());
            continue;
        };
        assert_eq!(strips.outputs(), window.outputs(extent).unwrap());
        let mut halo = [[0; 8]; COLUMNS];
        for x in 0..strips.outputs() {
            // Any channel of the block will do.
            let columns = strips.at([1, 8 + x % 3, 1, x], &mut halo).unwrap();
            for (k, column) in columns.iter().enumerate() {
                let w = (x * numbers[1] + k).checked_sub(numbers[3]).filter(|&w| w < extent);
                for (c, &found) in column.iter().enumerate() {
                    let expected = match w {
                        Some(w) if c < 3 => number([1, 8 + c, 1, w]),
                        Some(_) => 0,
                        None => -1,
                    };
                    assert_eq!(found, expected, "{window:?} {extent}: output {x}, column {k}, channel {c}");
                }
            }
        }
        let out = |axis, position, index, extent| IndexError::OutOfRange { axis, position, index, extent };
        let outputs = strips.outputs();
        assert_eq!(strips.at([0, 0, 0, outputs], &mut halo).unwrap_err(), out('w', 3, outputs, outputs));
        assert_eq!(strips.at([0, 11, 0, 0], &mut halo).unwrap_err(), out('c', 1, 11, 11));
    }
}

#[test]
fn strips_of_parts_end_at_the_part() {
    let t = Tensor::<i32, Nchw>::from_fn([1, 2, 4, 12], number).unwrap();
    let part = t.slice::<'w'>(3..8).unwrap();
    let strips = part.strips::<'w'>(Window::new(3).padding(1, 1), 0).unwrap();
    let mut halo = [0; 7];
    let columns = strips.at([0, 1, 2, 0], &mut halo).unwrap();
    let inside = |w| number([0, 1, 2, w]);
    assert_eq!(*columns, [0, inside(3), inside(4), inside(5), inside(6), inside(7), 0]);
    // Where all columns lie in the view, they are the view's own memory.
    let mut halo = [0; 3];
    assert!(core::ptr::eq(
        strips.at([0, 1, 2, 1], &mut halo).unwrap(),
        (&raw const part[[0, 1, 2, 0]]).cast()
    ));

    let t = Tensor::<i32, Nhwc>::zeroed([1, 2, 3, 4]).unwrap();
    let row: layout_core::view::StridedView<'_, i32, layout_core::layout::Format<_, _>> =
        t.select::<'c'>(0).unwrap();
    let error = ViewError::Stride { axis: 'w', position: 2, expected: 1, found: 2 };
    assert_eq!(row.strips::<'w'>(Window::new(1), 0).unwrap_err(), WindowError::View(error));
}

#[test]
fn windows_hold_the_blocks_and_pixels_on_the_view() {
    for ((down, rows, height), (across, columns, width)) in
        geometries().step_by(7).zip(geometries().skip(11).step_by(5)).step_by(3)
    {
        let t = Tensor::<i32, Nchw8c>::from_fn([2, 11, height, width], number).unwrap();
        let image = t.to_layout::<Nhwc>();
        let (outputs, wide) = (down.outputs(height), across.outputs(width));
        let (Ok(windows), Ok(pixels)) =
            (t.windows::<'h', 'w'>(down, across), image.windows::<'h', 'w'>(down, across))
        else {
            assert!(outputs.is_err() || wide.is_err());
            continue;
        };
        assert_eq!(windows.outputs(), [outputs.unwrap(), wide.unwrap()]);
        for y in 0..windows.outputs()[0] {
            for x in 0..windows.outputs()[1] {
                let mut expected = Vec::new();
                for ky in 0..rows[0] {
                    for kx in 0..columns[0] {
                        let place = position(rows, height, y, ky).zip(position(columns, width, x, kx));
                        expected.extend(place.map(|(h, w)| ([ky, kx], number([1, 9, h, w]))));
                    }
                }
                let taps = windows.at([1, 9, y, x]).unwrap();
                assert_eq!(taps.len(), expected.len());
                let mut begun = taps.clone();
                let first = begun.next();
                let folded = first.into_iter().chain(begun).map(|(tap, block)| (tap, block[1]));
                assert_eq!(folded.collect::<Vec<_>>(), expected);
                assert!(taps.map(|(tap, block)| (tap, block[1])).eq(expected.iter().copied()));
                let found = pixels.pixels([1, 0, y, x]).unwrap().map(|(tap, pixel)| (tap, pixel[9]));
                assert!(found.eq(expected));
            }
        }
        let [high, _] = windows.outputs();
        let error = IndexError::OutOfRange { axis: 'h', position: 2, index: high, extent: high };
        assert_eq!(windows.at([0, 0, high, 0]).unwrap_err(), error);
        let error = IndexError::OutOfRange { axis: 'n', position: 0, index: 2, extent: 2 };
        assert_eq!(windows.at([2, 0, 0, 0]).unwrap_err(), error);
    }
}

/// A window over the channels sees some of them at other outputs than another; a pixel is all of them.
#[test]
fn windows_over_the_channels_see_no_whole_pixels() {
    let image = Tensor::<i32, Nhwc>::from_fn([1, 4, 3, 3], number).unwrap();
    let error = WindowError::Channels { axis: 'c' };
    let (down, across) = (Window::new(2), Window::new(3));
    let windows = image.windows::<'h', 'c'>(down, across).unwrap();
    assert_eq!(windows.pixels([0, 1, 1, 2]).map(|_| ()).unwrap_err(), error);
    // The elements themselves are there.
    let found: Vec<i32> = windows.at([0, 1, 1, 2]).unwrap().map(|(_, x)| *x).collect();
    let expected = [1, 2].map(|h| [1, 2, 3].map(|c| number([0, c, h, 2])));
    assert_eq!(found, expected.as_flattened());
    let windows = image.windows::<'c', 'w'>(across, down).unwrap();
    assert_eq!(windows.pixels([0, 1, 2, 1]).map(|_| ()).unwrap_err(), error);
    assert!(
        error.to_string().starts_with("the windows slide over axis `c`, which holds the channels"),
        "{error}"
    );
}

#[test]
fn rows_of_other_ranks_have_windows_too() {
    let t = Tensor::<i32, Ncw>::from_fn([1, 2, 6], |[_, c, w]| (10 * c + w) as i32).unwrap();
    let strips = t.strips::<'w'>(Window::new(2).stride(2), 0).unwrap();
    let mut halo = [0; 4];
    assert_eq!(strips.at([0, 1, 1], &mut halo), Ok(&[12, 13, 14, 15]));
    assert_eq!(strips.at([0, 1, 2], &mut halo), Ok(&[14, 15, 0, 0]));
}
