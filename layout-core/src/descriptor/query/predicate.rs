//! Yes-or-no questions about where the elements are: [`Descriptor::is_unique`], [`Descriptor::is_exhaustive`],
//! [`Descriptor::is_in_format`]. Asked by reorders and users; changes nothing.

use super::super::{Descriptor, DescriptorError};

impl Descriptor {
    /// Whether no two elements share a place, as in mdspan's `is_unique`. Only a broadcast axis of more than one value
    /// makes them share. What is not unique can be read, never written: a reorder refuses it as its destination.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// let bias = Descriptor::new(DType::F32, &[1, 16, 1, 1], "nchw")?;
    /// assert!(bias.is_unique());
    /// assert!(!bias.broadcast(2, 7)?.is_unique());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn is_unique(&self) -> bool {
        if self.is_empty() {
            return true;
        }
        let mut walk = self.inner_first();
        while let Some(d) = walk.step() {
            if d.extent > 1 && d.stride == 0 {
                return false;
            }
        }
        true
    }

    /// Whether every offset below [`Descriptor::required_len`] is an element or padding of this tensor, in whatever
    /// order, as in mdspan's `is_exhaustive` for the padded extents.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// assert!(Descriptor::new(DType::F32, &[2, 17, 5, 4], "nChw8c")?.is_exhaustive());
    /// assert!(!Descriptor::from_strides(DType::F32, &[2, 3], &[4, 1])?.is_exhaustive());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn is_exhaustive(&self) -> bool {
        self.required_len() == self.distinct_len()
    }

    /// The number of places that elements and padding take: [`Descriptor::padded_len`] without the broadcast axes.
    pub(crate) const fn distinct_len(&self) -> usize {
        if self.is_empty() {
            return 0;
        }
        let mut padded = self.padded;
        let mut a = 0;
        while a < self.rank() {
            if self.is_broadcast(a) {
                padded[a] = 1;
            }
            a += 1;
        }
        super::product(padded.split_at(self.rank()).0)
    }

    /// Whether all indices of `axis`, more than one, are the same elements (stride 0).
    pub const fn is_broadcast(&self, axis: usize) -> bool {
        let mut walk = self.inner_first();
        while let Some(d) = walk.step() {
            if d.axis == axis && d.stride == 0 && d.extent > 1 {
                return true;
            }
        }
        false
    }

    /// Whether memory is laid out as the dense format `format` lays out tensors of these extents: every element at the
    /// same distance from the first one, and the same padding. Names of axes do not matter beyond the logical order
    /// that they imply. Several formats may fit, see [`Descriptor::formats`].
    ///
    /// # Errors
    /// [`DescriptorError::Format`] where the text is not a format, [`DescriptorError::Size`] where the extents do not
    /// fit it, as when the rank differs.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// let d = Descriptor::from_strides(DType::F32, &[2, 3, 5, 4], &[60, 1, 12, 3])?;
    /// assert!(d.is_in_format("nhwc")? && !d.is_in_format("nchw")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn is_in_format(&self, format: &str) -> Result<bool, DescriptorError> {
        let other = match Descriptor::new(self.dtype, self.dims(), format) {
            Ok(other) => other,
            Err(error) => return Err(error),
        };
        Ok(self.is_laid_out_like(&other))
    }

    /// Whether the elements and the padding lie alike, apart from the offset of the first element.
    pub(crate) const fn is_laid_out_like(&self, other: &Descriptor) -> bool {
        if self.is_empty() {
            return true;
        }
        let mut a = 0;
        while a < self.rank() {
            let before = (self.origin[a] - self.owned_start(a), other.origin[a] - other.owned_start(a));
            if self.padded[a] != other.padded[a] || before.0 != before.1 {
                return false;
            }
            a += 1;
        }
        self.same_places(other)
    }
}
