//! Windows over two axes: for each output the blocks, or the pixels, that lie under its taps, those outside left out.

use super::window::{Taps, Window, WindowError};
use crate::layout::{ChannelsLast, Layout};
use crate::shape::IndexError;
use crate::view::def::{StridedView, shared, shared_slice};
use crate::view::error::ViewError;
use crate::view::iter::blocks::assert_block;
use crate::view::part;
use core::iter::FusedIterator;

/// Windows that slide over two axes of a view: see [`windows`](super::KernelLoops::windows).
///
/// ```
/// use layout_core::layout::{Nchw16c, Nhwc};
/// use layout_core::view::{KernelLoops, Tensor, Window};
///
/// let t = Tensor::<f32, Nchw16c>::from_fn([1, 16, 4, 4], |[_, c, h, w]| (c + 4 * h + w) as f32)?;
/// let window = Window::new(3).stride(2).padding(1, 1);
/// let windows = t.windows::<'h', 'w'>(window, window)?;
/// assert_eq!(windows.outputs(), [2, 2]);
/// // Max-pooling: the first output lacks a row and a column of its taps.
/// let greatest = windows.at([0, 0, 0, 0])?.fold([f32::MIN; 16], |greatest, (_, block)| {
///     std::array::from_fn(|c| greatest[c].max(block[c]))
/// });
/// assert_eq!(greatest[3], 8.0);
/// assert!(windows.at([0, 0, 0, 0])?.map(|(tap, _)| tap).eq([[1, 1], [1, 2], [2, 1], [2, 2]]));
///
/// // Channels-last: a pixel's channels are a slice.
/// let image = t.map(|x| x as u8).to_layout::<Nhwc>();
/// let windows = image.windows::<'h', 'w'>(window, window)?;
/// assert!(windows.pixels([0, 0, 1, 1])?.all(|(_, pixel)| pixel.len() == 16));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Windows<'a, T, L: Layout> {
    view: StridedView<'a, T, L>,
    axes: [usize; 2],
    windows: [Window; 2],
    outputs: [usize; 2],
    /// Elements from one index along the axes to the next: they have no blocks, so that the top digits are all.
    strides: [usize; 2],
}

impl<'a, T, L: Layout> Windows<'a, T, L> {
    pub(super) fn new<const H: char, const W: char>(
        view: StridedView<'a, T, L>,
        windows: [Window; 2],
    ) -> Result<Self, WindowError> {
        let axes = const {
            assert!(H != W, "windows slide over two different axes");
            [part::unblocked::<L, H>(), part::unblocked::<L, W>()]
        };
        let digits = const { [part::top::<L, H>(), part::top::<L, W>()] };
        let (dims, strides) = (view.dims(), view.digit_strides());
        let outputs =
            [windows[0].outputs(dims.as_ref()[axes[0]])?, windows[1].outputs(dims.as_ref()[axes[1]])?];
        let strides = digits.map(|digit| strides.as_ref()[digit] as usize);
        Ok(Windows { view, axes, windows, outputs, strides })
    }

    /// Number of outputs along the two axes.
    pub fn outputs(&self) -> [usize; 2] {
        self.outputs
    }

    /// The taps of one output that lie in the view, in row-major order, as `([tap along the first axis, tap along the
    /// second], block)`. `output` is an index of the view with the number of the output in place of the indices along the
    /// windows' axes; of an axis with blocks it may be any index of the block.
    ///
    /// # Errors
    /// [`IndexError::OutOfRange`] for an index outside the extents, or for an output that there is not.
    #[inline(always)]
    pub fn at(&self, output: L::Index) -> Result<WindowTaps<'a, T, L>, IndexError> {
        Ok(WindowTaps { places: self.places(output)?, view: self.view })
    }

    /// The taps of one output that lie in the view, in row-major order, as `([tap along the first axis, tap along the
    /// second], the pixel's channels)`. The index along the channels is ignored.
    ///
    /// # Errors
    /// [`WindowError::View`] with [`ViewError::Index`] for an index outside the extents or an output that there is not,
    /// and with [`ViewError::Stride`] where the channels are not neighbours. [`WindowError::Channels`] for windows that
    /// slide over the channels, of which an output sees some and not a slice of all.
    #[inline(always)]
    pub fn pixels(
        &self,
        output: L::Index,
    ) -> Result<impl Iterator<Item = ([usize; 2], &'a [T])> + use<'a, T, L>, WindowError>
    where
        L: ChannelsLast,
    {
        let (view, mut first) = (self.view, output);
        // The innermost digit is the channels: `ChannelsLast`.
        let (position, axis) = const { (L::SPEC.len() - 1, L::OUTER_ORDER[L::RANK - 1]) };
        if self.axes.contains(&axis) {
            return Err(WindowError::Channels { axis: L::AXES[axis] });
        }
        let (channels, stride) = (view.dims().as_ref()[axis], view.digit_strides().as_ref()[position]);
        if stride != 1 && channels > 1 {
            let error = ViewError::Stride { axis: L::AXES[axis], position, expected: 1, found: stride };
            return Err(error.into());
        }
        first.as_mut()[axis] = 0;
        let places = self.places(first).map_err(ViewError::from)?;
        Ok(places.map(
            #[inline(always)]
            move |(tap, offset)| {
                // SAFETY: the place of an element with channel 0, which the others follow; invariant 1 of `StridedView`.
                (tap, unsafe { shared_slice(view.ptr(), offset, channels) })
            },
        ))
    }

    /// The taps and the offsets of the blocks under them.
    #[inline(always)]
    fn places(&self, output: L::Index) -> Result<Places, IndexError> {
        let (mut first, dims) = (output, self.view.dims());
        for (&axis, &extent) in self.axes.iter().zip(&self.outputs) {
            let index = output.as_ref()[axis];
            if index >= extent {
                return Err(IndexError::OutOfRange { axis: L::AXES[axis], position: axis, index, extent });
            }
            first.as_mut()[axis] = 0;
        }
        for (position, (&index, &extent)) in first.as_ref().iter().zip(dims.as_ref()).enumerate() {
            // An extent of 0 along the windows' axes has outputs that see padding alone.
            if index >= extent && !self.axes.contains(&position) {
                return Err(IndexError::OutOfRange { axis: L::AXES[position], position, index, extent });
            }
        }
        let [h, w] = self.axes;
        Ok(Places {
            rows: self.windows[0].taps(dims.as_ref()[h], output.as_ref()[h]),
            columns: self.windows[1].taps(dims.as_ref()[w], output.as_ref()[w]),
            row: None,
            start: self.view.mapping().block_offset_unchecked(first),
            strides: self.strides,
        })
    }
}

impl<T, L: Layout> core::fmt::Debug for Windows<'_, T, L> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Windows")
            .field("layout", &L::default())
            .field("axes", &self.axes.map(|axis| L::AXES[axis]))
            .field("windows", &self.windows)
            .field("outputs", &self.outputs)
            .finish()
    }
}

/// The taps of one output and the offsets of what lies under them.
#[derive(Clone, Debug)]
struct Places {
    rows: Taps,
    columns: Taps,
    /// Of the present row: its tap, its offset, and the columns that are left.
    row: Option<(usize, usize, Taps)>,
    start: usize,
    strides: [usize; 2],
}

impl Iterator for Places {
    type Item = ([usize; 2], usize);

    #[inline(always)]
    fn next(&mut self) -> Option<([usize; 2], usize)> {
        loop {
            if let Some((tap, offset, columns)) = &mut self.row
                && let Some((column, position)) = columns.next()
            {
                return Some(([*tap, column], offset.wrapping_add(position.wrapping_mul(self.strides[1]))));
            }
            let (tap, position) = self.rows.next()?;
            let offset = self.start.wrapping_add(position.wrapping_mul(self.strides[0]));
            self.row = Some((tap, offset, self.columns.clone()));
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.row.as_ref().map_or(0, |(_, _, columns)| columns.len());
        let left = left + self.rows.len() * self.columns.len();
        (left, Some(left))
    }

    /// With one call of `f`, so that it is inlined.
    #[inline(always)]
    fn fold<A, F: FnMut(A, ([usize; 2], usize)) -> A>(mut self, mut acc: A, mut f: F) -> A {
        let mut row = self.row.take();
        loop {
            if let Some((tap, offset, columns)) = row {
                for (column, position) in columns {
                    let offset = offset.wrapping_add(position.wrapping_mul(self.strides[1]));
                    acc = f(acc, ([tap, column], offset));
                }
            }
            let Some((tap, position)) = self.rows.next() else { return acc };
            let offset = self.start.wrapping_add(position.wrapping_mul(self.strides[0]));
            row = Some((tap, offset, self.columns.clone()));
        }
    }
}

/// The blocks under the taps of one output: see [`Windows::at`].
pub struct WindowTaps<'a, T, L: Layout> {
    places: Places,
    view: StridedView<'a, T, L>,
}

impl<'a, T, L: Layout> WindowTaps<'a, T, L> {
    /// # Safety
    /// `offset` is one that the places of this view give.
    #[inline(always)]
    unsafe fn block(view: &StridedView<'a, T, L>, offset: usize) -> &'a L::Block<T> {
        const { assert_block::<L, T>() }
        // SAFETY: the first element of a block in the extents; invariant 1 of `StridedView`.
        let at = unsafe { view.ptr().add(offset) };
        // SAFETY: the block is dense behind it, by invariant 2 of `StridedMapping`.
        unsafe { shared(at.cast(), 0) }
    }
}

impl<'a, T, L: Layout> Iterator for WindowTaps<'a, T, L> {
    type Item = ([usize; 2], &'a L::Block<T>);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let (tap, offset) = self.places.next()?;
        // SAFETY: the places are those of this view.
        Some((tap, unsafe { Self::block(&self.view, offset) }))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.places.size_hint()
    }

    #[inline(always)]
    fn fold<A, F: FnMut(A, Self::Item) -> A>(self, acc: A, mut f: F) -> A {
        let view = self.view;
        self.places.fold(acc, |acc, (tap, offset)| {
            // SAFETY: the places are those of this view.
            f(acc, (tap, unsafe { Self::block(&view, offset) }))
        })
    }
}
impl<T, L: Layout> ExactSizeIterator for WindowTaps<'_, T, L> {}
impl<T, L: Layout> FusedIterator for WindowTaps<'_, T, L> {}
impl<T, L: Layout> Clone for WindowTaps<'_, T, L> {
    fn clone(&self) -> Self {
        WindowTaps { places: self.places.clone(), view: self.view }
    }
}
impl<T, L: Layout> core::fmt::Debug for WindowTaps<'_, T, L> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("WindowTaps")
            .field("layout", &L::default())
            .field("left", &self.places.size_hint().0)
            .finish()
    }
}
