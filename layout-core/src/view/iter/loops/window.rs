//! The geometry of a window that slides along one axis: [`Window`], for convolutions and pooling. Pure arithmetic.

use crate::view::error::ViewError;
use core::fmt;
use core::iter::FusedIterator;
use core::ops::Range;

/// A window that slides along one axis: how many taps it has, how far apart they lie, by how much it moves from one output
/// to the next, and how far it may reach over the borders (the halo).
///
/// ```
/// use layout_core::view::Window;
/// // A 3 x 3 convolution's rows: output 0 sees taps 1 and 2, on rows 0 and 1; tap 0 lies above the picture.
/// let window = Window::new(3).padding(1, 1);
/// assert_eq!(window.outputs(56), Ok(56));
/// assert!(window.taps(56, 0).eq([(1, 0), (2, 1)]));
/// assert_eq!(window.inside(56), 1..55);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Window {
    size: usize,
    stride: usize,
    dilation: usize,
    before: usize,
    after: usize,
}

impl Window {
    /// A window of `size` taps side by side that moves by 1 and stays within the borders.
    #[inline]
    pub const fn new(size: usize) -> Window {
        Window { size, stride: 1, dilation: 1, before: 0, after: 0 }
    }

    /// Moves by `stride` from one output to the next.
    #[inline]
    pub const fn stride(self, stride: usize) -> Window {
        Window { stride, ..self }
    }

    /// The taps lie `dilation` apart: 1 for neighbours, as PyTorch counts (oneDNN counts from 0).
    pub const fn dilation(self, dilation: usize) -> Window {
        Window { dilation, ..self }
    }

    /// Reaches `before` positions over the lower border and `after` over the upper one.
    #[inline]
    pub const fn padding(self, before: usize, after: usize) -> Window {
        Window { before, after, ..self }
    }

    /// Number of taps.
    pub const fn size(&self) -> usize {
        self.size
    }

    /// Number of outputs along an axis of `extent`.
    ///
    /// # Errors
    /// [`WindowError::Zero`] for a size, stride or dilation of 0; [`WindowError::Short`] where the window is longer than
    /// the axis with its padding; [`WindowError::Size`] for numbers that do not fit in `isize`.
    pub const fn outputs(&self, extent: usize) -> Result<usize, WindowError> {
        let Window { size, stride, dilation, before, after } = *self;
        if size == 0 {
            return Err(WindowError::Zero { what: "size" });
        } else if stride == 0 {
            return Err(WindowError::Zero { what: "stride" });
        } else if dilation == 0 {
            return Err(WindowError::Zero { what: "dilation" });
        }
        let Some(reach) = (size - 1).checked_mul(dilation) else { return Err(WindowError::Size) };
        let Some(padded) = extent.checked_add(before) else { return Err(WindowError::Size) };
        let Some(padded) = padded.checked_add(after) else { return Err(WindowError::Size) };
        if padded > isize::MAX as usize {
            return Err(WindowError::Size);
        } else if reach >= padded {
            return Err(WindowError::Short { extent, before, after, reach: reach.saturating_add(1) });
        }
        Ok((padded - 1 - reach) / stride + 1)
    }

    /// The taps of output `output` that lie on an axis of `extent`, each with the position on which it lies. For an output
    /// past the last of [`outputs`](Window::outputs) these are the taps that still lie on the axis, if any.
    #[inline(always)]
    pub fn taps(&self, extent: usize, output: usize) -> Taps {
        let Window { size, stride, dilation, before, .. } = *self;
        let none = Taps { tap: 0, end: 0, position: 0, dilation: 1 };
        let (Some(start), Some(limit), true) =
            (output.checked_mul(stride), extent.checked_add(before), dilation != 0)
        else {
            return none;
        };
        // Tap k lies at start + k * dilation - before, which has to be in 0..extent.
        // A division takes as long as the work on an output; few windows have a dilation.
        let steps = |distance: usize| if dilation == 1 { distance } else { distance.div_ceil(dilation) };
        let tap = steps(before.saturating_sub(start));
        let end = steps(limit.saturating_sub(start)).min(size);
        if tap >= end {
            return none;
        }
        // Below `limit`, because `tap` is below `end`.
        Taps { tap, end, position: start + tap * dilation - before, dilation }
    }

    /// The outputs of an axis of `extent` whose taps all lie on it, so that a loop over them needs no look at the borders.
    /// Empty for a window that [`outputs`](Window::outputs) refuses.
    pub fn inside(&self, extent: usize) -> Range<usize> {
        let Ok(outputs) = self.outputs(extent) else { return 0..0 };
        let first = self.before.div_ceil(self.stride);
        let reach = (self.size - 1) * self.dilation;
        let end = match (extent + self.before).checked_sub(reach + 1) {
            Some(last) => (last / self.stride + 1).min(outputs),
            None => 0,
        };
        first.min(end)..end
    }

    /// The position of the first tap of output `output`, which [`outputs`](Self::outputs) counts; it wraps around below the
    /// border.
    #[inline(always)]
    pub(super) fn start(&self, output: usize) -> usize {
        output.wrapping_mul(self.stride).wrapping_sub(self.before)
    }
}

/// The taps of one output that lie on the axis, as (tap, position): see [`Window::taps`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Taps {
    tap: usize,
    end: usize,
    position: usize,
    dilation: usize,
}

impl Iterator for Taps {
    type Item = (usize, usize);

    #[inline(always)]
    fn next(&mut self) -> Option<(usize, usize)> {
        if self.tap >= self.end {
            return None;
        }
        let tap = (self.tap, self.position);
        self.tap += 1;
        self.position = self.position.wrapping_add(self.dilation);
        Some(tap)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.end.saturating_sub(self.tap);
        (left, Some(left))
    }
}
impl ExactSizeIterator for Taps {}
impl FusedIterator for Taps {}

/// Why windows cannot slide over a view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum WindowError {
    /// The size, stride or dilation is 0.
    Zero {
        /// Which of them.
        what: &'static str,
    },
    /// The window is longer than the axis with its padding: there is no output.
    Short {
        /// Extent of the axis.
        extent: usize,
        /// Padding before it.
        before: usize,
        /// Padding behind it.
        after: usize,
        /// From the first tap to the last.
        reach: usize,
    },
    /// Extent, padding and window do not fit in `isize`.
    Size,
    /// Windows over the axis of the channels do not see whole pixels.
    Channels {
        /// The axis.
        axis: char,
    },
    /// The view: an index outside the extents, or blocks or channels that are no neighbours.
    View(ViewError),
}

impl fmt::Display for WindowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            WindowError::Zero { what } => write!(f, "a window cannot have {what} 0: write 1 or more"),
            WindowError::Short { extent, before, after, reach } => write!(
                f,
                "a window that reaches over {reach} positions does not fit on an axis of extent {extent} with \
                 padding {before} before and {after} behind it"
            ),
            WindowError::Size => {
                f.write_str("the extent, padding, size and dilation of a window do not fit in isize")
            }
            WindowError::Channels { axis } => write!(
                f,
                "the windows slide over axis `{axis}`, which holds the channels, so that no output sees a whole pixel: \
                 ask for windows over two other axes, or for `at`, which gives the elements"
            ),
            WindowError::View(ref error) => error.fmt(f),
        }
    }
}
impl core::error::Error for WindowError {}
impl From<ViewError> for WindowError {
    fn from(error: ViewError) -> Self {
        WindowError::View(error)
    }
}
