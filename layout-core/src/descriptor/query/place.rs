//! From an index to an offset and back, checked. For users and tests; views have their own unrolled offset and
//! reorders work on digits.

use super::super::Descriptor;
use super::Index;
use crate::grammar::MAX_RANK;
use crate::shape::IndexError;

/// What lies at an offset of memory that a descriptor describes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Location {
    /// The element with this index.
    Element(Index),
    /// Padding of this tensor: an owned position ([`Descriptor::owned`]) of no element.
    Padding,
    /// Memory that is not this tensor's: between strided elements, before the first one, or in the part of a block
    /// that belongs to somebody else.
    Unused,
}

impl Descriptor {
    /// Offset of the element at `index` (in logical order), in elements.
    ///
    /// # Errors
    /// [`IndexError::Rank`] where `index` has another length than the rank, [`IndexError::OutOfRange`] where a
    /// position is not below its extent.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// let d = Descriptor::new(DType::F32, &[2, 16, 5, 4], "nChw8c")?;
    /// assert_eq!(d.offset(&[1, 9, 2, 3])?, 16 * 20 + 5 * 4 * 8 + 2 * 4 * 8 + 3 * 8 + 1);
    /// assert_eq!(
    ///     d.offset(&[1, 16, 2, 3]).unwrap_err().to_string(),
    ///     "index 16 of axis `c` (position 1) is out of range: its extent is 16"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn offset(&self, index: &[usize]) -> Result<usize, IndexError> {
        if index.len() != self.rank() {
            return Err(IndexError::Rank { expected: self.rank(), found: index.len() });
        }
        let mut a = 0;
        while a < index.len() {
            if index[a] >= self.dims[a] {
                return Err(IndexError::OutOfRange {
                    axis: self.axis_char(a),
                    position: a,
                    index: index[a],
                    extent: self.dims[a],
                });
            }
            a += 1;
        }
        Ok(self.offset_unchecked(index))
    }

    /// The inverse of [`Descriptor::offset`]: what lies at `offset`, in elements. Of the elements that a broadcast puts
    /// on one place it is the first.
    ///
    /// # Errors
    /// [`IndexError::Offset`] where `offset` is not below [`Descriptor::required_len`].
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor, Location};
    /// let d = Descriptor::new(DType::F32, &[2, 17, 5, 4], "nChw8c")?;
    /// let Location::Element(index) = d.locate(480 + 320 + 8)? else { unreachable!() };
    /// assert_eq!(*index, [1, 16, 0, 1]);
    /// assert_eq!(d.locate(480 + 320 + 9)?, Location::Padding);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn locate(&self, offset: usize) -> Result<Location, IndexError> {
        let required_len = self.required_len();
        if offset >= required_len {
            return Err(IndexError::Offset { offset, required_len });
        }
        let Some(mut rest) = offset.checked_sub(self.first_of_blocks()) else { return Ok(Location::Unused) };
        let mut position = [0; MAX_RANK];
        let digits = self.digits();
        let mut i = 0;
        while i < digits.as_slice().len() {
            let d = digits.as_slice()[i];
            // Strides nest (invariant 5), so the outer digit takes as many steps as fit.
            let step = d.stride.unsigned_abs();
            if d.extent > 1 && step > 0 {
                let steps = rest / step;
                if steps >= d.extent {
                    return Ok(Location::Unused);
                }
                rest -= steps * step;
                let value = if d.stride < 0 { d.extent - 1 - steps } else { steps };
                position[d.axis] += value * d.divisor;
            }
            i += 1;
        }
        if rest != 0 {
            return Ok(Location::Unused);
        }
        self.found_at(&position)
    }

    /// What stands at a position of the digits.
    const fn found_at(&self, position: &[usize; MAX_RANK]) -> Result<Location, IndexError> {
        let mut index = Index::filled(self.rank(), 0);
        let mut padding = false;
        let mut a = 0;
        while a < self.rank() {
            let at = position[a];
            if at < self.owned_start(a) || at >= self.owned_end(a) {
                return Ok(Location::Unused);
            }
            if at < self.origin[a] || at - self.origin[a] >= self.dims[a] {
                padding = true;
            } else {
                index.set(a, at - self.origin[a]);
            }
            a += 1;
        }
        Ok(if padding { Location::Padding } else { Location::Element(index) })
    }
}
