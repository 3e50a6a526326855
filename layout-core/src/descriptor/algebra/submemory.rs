//! Parts of a tensor: [`Descriptor::submemory`] and [`Descriptor::select`]. Called by users and by views when they are
//! sliced; a part never claims padding of the whole that lies outside it.

use super::super::Descriptor;
use super::AlgebraError;
use super::draft::{Axis, Draft};

impl Descriptor {
    /// The part of the tensor that starts at index `start` and has extents `dims`: any start and any size.
    ///
    /// Where `start` is a multiple of the blocks, this is what `dnnl_memory_desc_create_submemory` gives. Elsewhere it
    /// is a ragged view: a head (the rest of the block that it starts in), whole blocks, and a tail, and
    /// [`Descriptor::origin`] says where in the block index 0 is.
    ///
    /// Padding goes with the border: along each axis the part owns the padding behind the tensor where it reaches its
    /// end, and extra padding before the tensor where it starts with it. It never owns anything between: writing a part
    /// leaves the other elements alone. Parts that do not share elements do not share padding either, and parts that
    /// together are the tensor own all of its padding together. A part without elements owns none.
    ///
    /// `pre:`  `start.len() == dims.len() == rank`, `start[a] + dims[a] <= self.dims[a]`\
    /// `post:` `submemory(start, dims).offset(i) == self.offset(start + i)` for all `i` below `dims`
    ///
    /// # Errors
    /// [`AlgebraError::Count`], or [`AlgebraError::OutOfRange`] with the axis, the start and the extent.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// let d = Descriptor::new(DType::F32, &[2, 17, 5, 4], "nChw8c")?;
    /// let part = d.submemory(&[1, 5, 0, 0], &[1, 7, 5, 4])?;
    /// assert_eq!(part.offset(&[0, 6, 2, 3])?, d.offset(&[1, 11, 2, 3])?);
    /// assert_eq!(
    ///     d.submemory(&[0, 12, 0, 0], &[2, 6, 5, 4]).unwrap_err().to_string(),
    ///     "6 indices of axis `c` from 12 on are out of range: its extent is 17"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn submemory(&self, start: &[usize], dims: &[usize]) -> Result<Descriptor, AlgebraError> {
        let rank = self.rank();
        for given in [start, dims] {
            if given.len() != rank {
                return Err(AlgebraError::Count { expected: rank, found: given.len() });
            }
        }
        let mut draft = Draft::of(self);
        for (a, (&start, &size)) in start.iter().zip(dims).enumerate() {
            let extent = self.dims[a];
            if start > extent || size > extent - start {
                return Err(AlgebraError::OutOfRange { axis: self.axis_char(a), start, size, extent });
            }
            if start == 0 && size == extent {
                continue;
            }
            if size == 0 {
                let old = draft.axes()[a];
                *draft.axis_mut(a) = Axis { letter: old.letter, multiple: old.multiple, ..Axis::new(0) };
                continue;
            }
            let end = if start + size == extent { self.owned_end(a) } else { self.origin[a] + start + size };
            let keeps_halo = start == 0 && self.has_halo(a);
            // Whole blocks before the part go into the base.
            let first = self.origin[a] + start;
            let skipped = if keeps_halo { 0 } else { first / self.spec.block_of(a) as usize };
            draft.base += skipped as isize * self.strides[self.spec.top_of(a).unwrap_or(0)];
            let skipped = skipped * self.spec.block_of(a) as usize;
            let axis = draft.axis_mut(a);
            axis.dim = size;
            axis.origin = first - skipped;
            axis.halo = keeps_halo;
            axis.padded = end - skipped - if keeps_halo { 0 } else { axis.origin };
        }
        draft.finish()
    }

    /// The tensor without axis `axis`, at index `index` of it: like [`Descriptor::submemory`] of one index, but the axis
    /// is gone, and so is the claim to its padding.
    ///
    /// `pre:`  `index < dims[axis]`\
    /// `post:` `select(axis, index).offset(i) == offset(i with index inserted at axis)`
    ///
    /// # Errors
    /// [`AlgebraError::NoSuchAxis`] or [`AlgebraError::OutOfRange`].
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// let d = Descriptor::new(DType::F32, &[2, 17, 5, 4], "nChw8c")?;
    /// let channel = d.select(1, 9)?;
    /// assert_eq!(channel.dims(), [2, 5, 4]);
    /// assert_eq!(channel.offset(&[1, 2, 3])?, d.offset(&[1, 9, 2, 3])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn select(&self, axis: usize, index: usize) -> Result<Descriptor, AlgebraError> {
        let position = self.check_axis(axis)?;
        let extent = self.dims[position];
        if index >= extent {
            let axis = self.axis_char(position);
            return Err(AlgebraError::OutOfRange { axis, start: index, size: 1, extent });
        }
        let mut draft = Draft::of(self);
        draft.base += self.distance_along(axis, index);
        draft.remove_digits(axis);
        draft.remove_axis(axis);
        draft.finish()
    }

    /// The distance from position 0 to `index` of `axis`.
    pub(in super::super) fn distance_along(&self, axis: usize, index: usize) -> isize {
        let position = index + self.origin[axis];
        let distance = |digit: super::super::DigitAt| {
            let quotient = position / digit.divisor;
            (if digit.top { quotient } else { quotient % digit.extent }) as isize * digit.stride
        };
        self.inner_first().filter(|digit| digit.axis == axis).map(distance).sum()
    }

    /// `axis`, which has to be below the rank.
    pub(super) fn check_axis(&self, axis: usize) -> Result<usize, AlgebraError> {
        if axis < self.rank() {
            Ok(axis)
        } else {
            Err(AlgebraError::NoSuchAxis { position: axis, rank: self.rank() })
        }
    }
}
