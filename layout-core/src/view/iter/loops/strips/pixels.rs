//! Strips of channels-last layouts, which have no blocks: a few channels of each column, taken where they lie.

use crate::layout::{ChannelsLast, Layout};
use crate::shape::IndexError;
use crate::view::def::{StridedView, exclusive_slice, shared};
use crate::view::error::ViewError;
use crate::view::iter::loops::window::{Window, WindowError};
use crate::view::part;
use core::array::from_fn;
use core::hint::black_box;
use core::ptr::NonNull;

/// What a window sees along an axis of a channels-last layout, a constant number of channels at a time: see
/// [`pixel_strips`](crate::view::KernelLoops::pixel_strips).
///
/// As in [`Strips`](crate::view::Strips), output `p` of a strip finds tap `k` in column `p * stride + k * dilation`. A column
/// is a reference to the channels where they lie in the view, because from one pixel to the next the distance is known at
/// run time only.
///
/// ```
/// use layout_core::layout::Nhwc;
/// use layout_core::view::{KernelLoops, Tensor, Window};
///
/// let t = Tensor::<f32, Nhwc>::from_fn([1, 20, 1, 6], |[_, c, _, w]| (100 * w + c) as f32)?;
/// let strips = t.pixel_strips::<'w'>(Window::new(3).padding(1, 1), 0.0)?;
/// assert_eq!(strips.outputs(), 6);
/// // Four outputs and a window of three: six columns of 16 channels. Output 0 reaches over the border by one.
/// let mut halo = [[0.0; 16]; 6];
/// let columns = strips.at([0, 0, 0, 0], &mut halo)?;
/// assert_eq!(columns.map(|channels| channels[2]), [0.0, 2.0, 102.0, 202.0, 302.0, 402.0]);
/// // The second 16 channels: there are four, and the fill value behind them.
/// let columns = strips.at([0, 16, 0, 1], &mut halo)?;
/// assert_eq!(columns[0][..6], [16.0, 17.0, 18.0, 19.0, 0.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PixelStrips<'a, T, L: Layout> {
    /// Its channels are neighbours.
    view: StridedView<'a, T, L>,
    axis: usize,
    /// Elements from one column to the next.
    stride: usize,
    window: Window,
    outputs: usize,
    fill: T,
}

impl<'a, T: Copy, L: Layout + ChannelsLast> PixelStrips<'a, T, L> {
    #[inline]
    pub(in crate::view::iter::loops) fn new<const AXIS: char>(
        view: StridedView<'a, T, L>,
        window: Window,
        fill: T,
    ) -> Result<Self, WindowError> {
        let (axis, digit) = const {
            let axis = part::unblocked::<L, AXIS>();
            assert!(
                axis != channels::<L>(),
                "pixels lie along another axis than their channels: 'w' of `nhwc`"
            );
            (axis, part::top::<L, AXIS>())
        };
        let (position, strides, dims) = (L::SPEC.len() - 1, view.digit_strides(), view.dims());
        let found = strides.as_ref()[position];
        if found != 1 && dims.as_ref()[channels::<L>()] > 1 {
            let error = ViewError::Stride { axis: L::AXES[channels::<L>()], position, expected: 1, found };
            return Err(error.into());
        }
        let (stride, outputs) = (strides.as_ref()[digit] as usize, window.outputs(dims.as_ref()[axis])?);
        Ok(PixelStrips { view, axis, stride, window, outputs, fill })
    }

    /// Number of outputs along the axis.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// `B` channels of the `N` columns from the first tap of an output on. `start` is the index of the first of the channels,
    /// with the number of the output in place of the index along the strips' axis.
    ///
    /// Where all columns lie in the view, and all of the channels, these are references into the view; otherwise the columns
    /// are copied to `halo`, filled up with the fill value.
    ///
    /// # Errors
    /// [`IndexError::OutOfRange`] for an index outside the extents, or for an output that there is not.
    #[inline(always)]
    pub fn at<'b, const N: usize, const B: usize>(
        &'b self,
        start: L::Index,
        halo: &'b mut [[T; B]; N],
    ) -> Result<[&'b [T; B]; N], IndexError> {
        let PixelStrips { view, axis: along, stride, window, outputs, .. } = self;
        let (mut first, dims, mut axis) = (start, view.dims(), 0);
        while axis < L::RANK {
            let index = start.as_ref()[axis];
            let extent = if axis == *along { *outputs } else { dims.as_ref()[axis] };
            if index >= extent {
                return Err(IndexError::OutOfRange { axis: L::AXES[axis], position: axis, index, extent });
            }
            axis += 1;
        }
        first.as_mut()[*along] = 0;
        let offset = view.mapping().block_offset_unchecked(first);
        // As in `StripRow::at`: it wraps around before the first column.
        let column = window.start(start.as_ref()[*along]);
        let (extent, channel) = (dims.as_ref()[*along], start.as_ref()[channels::<L>()]);
        let left = dims.as_ref()[channels::<L>()] - channel;
        if extent >= N && column <= extent - N && left >= B {
            return Ok(from_fn(
                #[inline(always)]
                |p| {
                    // SAFETY: the first of the channels in column `column + p`, which is below the extent; invariant 1 of
                    // `StridedView`.
                    let at = unsafe { view.ptr().add(offset + (column + p) * stride) };
                    // SAFETY: `B` channels that are in the extents, and neighbours (`new`).
                    unsafe { shared(at.cast(), 0) }
                },
            ));
        }
        self.fill_halo(offset, column, left.min(B), halo);
        let halo = &*halo;
        Ok(from_fn(
            #[inline(always)]
            |p| &halo[p],
        ))
    }

    /// `len` channels of the columns from `column` on, which wraps around before the first, and the fill value elsewhere;
    /// `offset` is that of the first channel in column 0. Inlined, so that the kernel's sums stay in registers.
    #[inline(always)]
    fn fill_halo<const N: usize, const B: usize>(
        &self,
        offset: usize,
        column: usize,
        len: usize,
        halo: &mut [[T; B]; N],
    ) {
        let PixelStrips { view, axis, stride, fill, .. } = self;
        let extent = view.dims().as_ref()[*axis];
        // As in `StripRow::fill_halo`: not ahead of time, in every strip.
        let column = black_box(column);
        for (p, to) in halo.iter_mut().enumerate() {
            let column = column.wrapping_add(p);
            let len = if column < extent { len } else { 0 };
            let to = NonNull::from(to).cast::<T>();
            if len > 0 {
                // SAFETY: the first of the channels in a column of the view; invariant 1 of `StridedView`.
                let from = unsafe { view.ptr().add(offset + column * stride) };
                // SAFETY: `len` channels from there on are in the extents and neighbours (`new`), and `len` is at most `B`;
                // nobody else reaches the halo.
                unsafe { from.copy_to_nonoverlapping(to, len) }
            }
            // SAFETY: the rest of an array of `B` elements that nobody else reaches.
            unsafe { exclusive_slice(to, len, B - len) }.fill(*fill);
        }
    }
}

/// Logical position of the channels, which are the last of the outer letters: [`ChannelsLast`].
const fn channels<L: Layout>() -> usize {
    L::OUTER_ORDER[L::RANK - 1]
}

impl<T, L: Layout> core::fmt::Debug for PixelStrips<'_, T, L> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("PixelStrips")
            .field("layout", &L::default())
            .field("axis", &L::AXES[self.axis])
            .field("window", &self.window)
            .field("outputs", &self.outputs)
            .finish()
    }
}
