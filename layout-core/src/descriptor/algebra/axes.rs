//! Other axes for the same elements, one axis at a time: order, names, axes of extent 1, broadcasts.

use super::super::{Descriptor, DigitAt};
use super::AlgebraError;
use super::draft::{Axis, Draft};
use crate::grammar::MAX_RANK;

impl Descriptor {
    /// The tensor with its logical axes in another order: axis `a` of the result is axis `axes[a]` of `self`. Names,
    /// blocks and padding go with their axes.
    ///
    /// This is the convention of NumPy's `transpose`, PyTorch's `permute` and ndarray's `permuted_axes`.
    /// `dnnl_memory_desc_permute_axes` takes the inverse: there axis `a` of the source becomes axis `permutation[a]`.
    ///
    /// `pre:`  `axes` holds every number below the rank once\
    /// `post:` `permute_axes(axes).offset(i) == offset(j)` where `j[axes[a]] = i[a]`
    ///
    /// # Errors
    /// [`AlgebraError::Count`], [`AlgebraError::NoSuchAxis`] or [`AlgebraError::RepeatedAxis`].
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// let nchw = Descriptor::new(DType::F32, &[1, 3, 300, 451], "nchw")?;
    /// let image = nchw.permute_axes(&[0, 2, 3, 1])?;
    /// assert_eq!(image.dims(), [1, 300, 451, 3]);
    /// assert_eq!(image.to_string(), "f32:nhwc => nchw:1x300x451x3");
    /// // Anonymous axes are positions.
    /// let abcd = Descriptor::new(DType::F32, &[1, 3, 300, 451], "abcd")?;
    /// assert_eq!(abcd.permute_axes(&[0, 2, 3, 1])?.to_string(), "f32:adbc:1x300x451x3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn permute_axes(&self, axes: &[usize]) -> Result<Descriptor, AlgebraError> {
        let rank = self.rank();
        if axes.len() != rank {
            return Err(AlgebraError::Count { expected: rank, found: axes.len() });
        }
        for (a, &axis) in axes.iter().enumerate() {
            self.check_axis(axis)?;
            if axes[..a].contains(&axis) {
                return Err(AlgebraError::RepeatedAxis { axis: self.axis_char(axis), position: axis });
            }
        }
        let mut draft = Draft::of(self);
        draft.reorder_axes(axes);
        draft.finish()
    }

    /// The tensor with logical axes `one` and `other` exchanged.
    ///
    /// `pre:`  both are below the rank\
    /// `post:` `transpose(a, b).offset(i) == offset(i with i[a] and i[b] exchanged)`
    ///
    /// # Errors
    /// [`AlgebraError::NoSuchAxis`].
    pub fn transpose(&self, one: usize, other: usize) -> Result<Descriptor, AlgebraError> {
        self.check_axis(one)?;
        self.check_axis(other)?;
        let mut axes = identity();
        axes.swap(one, other);
        self.permute_axes(&axes[..self.rank()])
    }

    /// The tensor with its axes called `names`, one letter each in logical order.
    ///
    /// `post:` everything but the names is the same
    ///
    /// # Errors
    /// [`AlgebraError::Count`], or [`AlgebraError::Name`] for what is not a lower-case letter or used before.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// let d = Descriptor::new(DType::F32, &[2, 17, 5, 4], "aBcd8b")?;
    /// assert_eq!(d.renamed("nchw")?, Descriptor::new(DType::F32, &[2, 17, 5, 4], "nChw8c")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn renamed(&self, names: &str) -> Result<Descriptor, AlgebraError> {
        let found = names.chars().count();
        if found != self.rank() {
            return Err(AlgebraError::Count { expected: self.rank(), found });
        }
        let mut draft = Draft::of(self);
        for (position, letter) in names.chars().enumerate() {
            if !letter.is_ascii_lowercase() || names.chars().take(position).any(|earlier| earlier == letter) {
                return Err(AlgebraError::Name { letter, position });
            }
            draft.name(position, letter as u8);
        }
        draft.finish()
    }

    /// The tensor without axis `axis`, which has extent 1.
    ///
    /// An axis with padding (1 channel in blocks of 16) is refused, because the result could not say that the padding
    /// is its own; [`Descriptor::select`] drops the axis and the claim.
    ///
    /// `pre:`  `dims[axis] == 1 == padded_dims[axis]`\
    /// `post:` `squeeze(axis).offset(i) == offset(i with 0 inserted at axis)`
    ///
    /// # Errors
    /// [`AlgebraError::NoSuchAxis`], [`AlgebraError::NotOne`] or [`AlgebraError::Padding`].
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// let d = Descriptor::new(DType::F32, &[2, 1, 5, 4], "nchw")?;
    /// assert_eq!(d.squeeze(1)?.dims(), [2, 5, 4]);
    /// let blocked = Descriptor::new(DType::F32, &[2, 1, 5, 4], "nChw16c")?;
    /// assert_eq!(
    ///     blocked.squeeze(1).unwrap_err().to_string(),
    ///     "axis `c` with extent 1 is padded to 16: its padding blocks a new shape"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn squeeze(&self, axis: usize) -> Result<Descriptor, AlgebraError> {
        self.check_axis(axis)?;
        self.check_unit(axis)?;
        self.check_unpadded(axis)?;
        self.select(axis, 0)
    }

    /// The tensor with a new axis of extent 1 at logical position `at`, 0 to the rank.
    ///
    /// Its letter is the first free one. It stands just outside the digit of the axis that it comes before, and with
    /// that axis' stride times its extent, as in PyTorch; behind the last axis just inside the innermost outer letter.
    ///
    /// `pre:`  `at <= rank`\
    /// `post:` `unsqueeze(at).offset(i) == offset(i without i[at])`
    ///
    /// # Errors
    /// [`AlgebraError::NoSuchAxis`] or [`AlgebraError::TooManyAxes`].
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// let d = Descriptor::new(DType::F32, &[2, 3, 4], "abc")?;
    /// assert_eq!(d.unsqueeze(1)?, Descriptor::new(DType::F32, &[2, 1, 3, 4], "abcd")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn unsqueeze(&self, at: usize) -> Result<Descriptor, AlgebraError> {
        if at > self.rank() {
            return Err(AlgebraError::NoSuchAxis { position: at, rank: self.rank() });
        }
        let mut draft = Draft::of(self);
        draft.insert_unit(at)?;
        draft.finish()
    }

    /// The tensor with axis `axis` of extent 1 repeated to extent `extent`, with stride 0: all its indices are the same
    /// elements. Blocks and the claim to the padding of that axis go.
    ///
    /// The result can be read; it is not [unique](Descriptor::is_unique), so that nothing writes it.
    ///
    /// `pre:`  `dims[axis] == 1`\
    /// `post:` `broadcast(axis, n).offset(i) == offset(i with i[axis] = 0)`
    ///
    /// # Errors
    /// [`AlgebraError::NoSuchAxis`], [`AlgebraError::NotOne`], or [`AlgebraError::Descriptor`] where the number of
    /// elements passes the address space.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// let bias = Descriptor::new(DType::F32, &[1, 16, 1, 1], "nChw16c")?;
    /// let bias = bias.broadcast(2, 5)?.broadcast(3, 4)?;
    /// assert_eq!((bias.dims(), bias.required_len()), (&[1, 16, 5, 4][..], 16));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn broadcast(&self, axis: usize, extent: usize) -> Result<Descriptor, AlgebraError> {
        self.check_axis(axis)?;
        self.check_unit(axis)?;
        if extent == 1 {
            return Ok(*self);
        }
        let mut draft = Draft::of(self);
        draft.base += self.distance_along(axis, 0);
        let outside = draft.digits().iter().take_while(|digit| !(digit.top && digit.axis == axis));
        let position = outside.filter(|digit| digit.axis != axis).count();
        draft.remove_digits(axis);
        draft.insert_digit(position, DigitAt { axis, divisor: 1, extent, stride: 0, top: true })?;
        let letter = draft.axes()[axis].letter;
        *draft.axis_mut(axis) = Axis { letter, ..Axis::new(extent) };
        draft.finish()
    }

    /// The tensor with extents `dims` by NumPy's rule: the axes are matched from the last one, those of extent 1 are
    /// repeated, and missing ones are added in front.
    ///
    /// `pre:`  `self.dims[a] == 1` or `self.dims[a] == dims[a + added]`, where `added = dims.len() - rank`\
    /// `post:` `broadcast_to(dims).offset(i) == offset(j)` where `j[a]` is 0 where `self.dims[a]` is 1, else
    /// `i[a + added]`
    ///
    /// # Errors
    /// As [`Descriptor::broadcast`]; [`AlgebraError::Count`] where `dims` is shorter than the rank.
    pub fn broadcast_to(&self, dims: &[usize]) -> Result<Descriptor, AlgebraError> {
        let added = dims
            .len()
            .checked_sub(self.rank())
            .ok_or(AlgebraError::Count { expected: self.rank(), found: dims.len() })?;
        if dims.len() > MAX_RANK {
            return Err(AlgebraError::TooManyAxes { found: dims.len() });
        }
        let mut out = *self;
        for _ in 0..added {
            out = out.unsqueeze(0)?;
        }
        for (a, &extent) in dims.iter().enumerate() {
            if out.dims[a] != extent {
                out = out.broadcast(a, extent)?;
            }
        }
        Ok(out)
    }

    /// That `axis` has extent 1.
    pub(super) fn check_unit(&self, axis: usize) -> Result<(), AlgebraError> {
        match self.dims[axis] {
            1 => Ok(()),
            extent => Err(AlgebraError::NotOne { axis: self.axis_char(axis), extent }),
        }
    }

    /// That `axis` owns no padding.
    pub(super) fn check_unpadded(&self, axis: usize) -> Result<(), AlgebraError> {
        let (extent, padded) = (self.dims[axis], self.padded[axis]);
        if extent == padded {
            Ok(())
        } else {
            Err(AlgebraError::Padding { axis: self.axis_char(axis), extent, padded })
        }
    }

    /// That `axis` holds whole blocks.
    pub(super) fn check_whole_blocks(&self, axis: usize) -> Result<(), AlgebraError> {
        let (block, origin) = (self.spec.block_of(axis) as usize, self.origin[axis]);
        let extent = self.dims[axis];
        if origin == 0 && extent.is_multiple_of(block) {
            Ok(())
        } else {
            Err(AlgebraError::Ragged { axis: self.axis_char(axis), block, origin, extent })
        }
    }
}

/// `0, 1, 2, …`
pub(super) fn identity() -> [usize; MAX_RANK] {
    core::array::from_fn(|a| a)
}
