//! [`Normalization`]: the attributes by which pictures become what networks are trained on, and back.

use super::{Attributes, Values};

/// A mean and a standard deviation for each of `C` channels: numbers become `(x - mean) / std`.
///
/// ```
/// use layout_core::layout::{Nchw, Nhwc};
/// use layout_core::reorder::{Normalization, reorder_with};
/// use layout_core::view::Tensor;
///
/// const IMAGENET: Normalization<3> =
///     Normalization::new([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]).of_range(255.0);
///
/// let image = Tensor::<u8, Nhwc>::from_fn([1, 3, 4, 5], |[_, c, h, w]| (c * 80 + h * 9 + w) as u8)?;
/// let mut planes = Tensor::<f32, Nchw>::zeroed([1, 3, 4, 5])?;
/// reorder_with(&image, &mut planes, &IMAGENET.attributes('c'))?;
/// assert!((planes[[0, 2, 3, 4]] - (191.0 / 255.0 - 0.406) / 0.225).abs() < 1e-6);
///
/// let mut back = Tensor::<u8, Nhwc>::zeroed([1, 3, 4, 5])?;
/// reorder_with(&planes, &mut back, &IMAGENET.inverse('c'))?;
/// assert_eq!(back.as_slice(), image.as_slice());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Normalization<const C: usize> {
    mean: [f32; C],
    std: [f32; C],
}

impl<const C: usize> Normalization<C> {
    /// Of numbers with these means and standard deviations.
    pub const fn new(mean: [f32; C], std: [f32; C]) -> Normalization<C> {
        Normalization { mean, std }
    }

    /// The same for numbers that are `range` times as large: 255 where mean and deviation are those of colours from 0 to 1 and
    /// the picture has bytes.
    #[must_use]
    pub const fn of_range(mut self, range: f32) -> Normalization<C> {
        let mut c = 0;
        while c < C {
            self.mean[c] *= range;
            self.std[c] *= range;
            c += 1;
        }
        self
    }

    /// Means as they are subtracted.
    pub const fn mean(&self) -> &[f32; C] {
        &self.mean
    }

    /// Standard deviations as they divide.
    pub const fn std(&self) -> &[f32; C] {
        &self.std
    }

    /// `(x - mean) * (1 / std)`, for the channels that the axis named `axis` counts.
    pub const fn attributes(&self, axis: char) -> Attributes<'_> {
        Attributes::new()
            .src_shift(Values::per_axis(axis, &self.mean))
            .dst_scale(Values::per_axis(axis, &self.std))
    }

    /// The way back: `x * std + mean`.
    pub const fn inverse(&self, axis: char) -> Attributes<'_> {
        Attributes::new()
            .src_scale(Values::per_axis(axis, &self.std))
            .dst_shift(Values::per_axis(axis, &self.mean))
    }
}
