//! Which positions of the digits are elements of the tensor, which are its padding, and which belong to others: views
//! that start or end inside a block, and extra padding around a tensor. Read by every query and by reorders.

use super::{Descriptor, DescriptorError};
use crate::descriptor::query::PerAxis;
use crate::grammar::MAX_RANK;
use crate::shape::{SizeError, checked_len, round_up};
use core::ops::Range;

/// What a [`Descriptor`] adds to its format and extents: padded extents, origins and halo bits, by axis.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) padded: [usize; MAX_RANK],
    pub(super) origin: [usize; MAX_RANK],
    pub(super) halo: u16,
}

impl Descriptor {
    /// The dense descriptor of the same tensor in the same format with extra padding around it: at least `before[a]`
    /// positions before index 0 of axis `a` and `after[a]` behind its last index, the whole rounded up to its blocks.
    ///
    /// The extra padding belongs to the tensor like that of a block: [`Descriptor::padded_dims`] and sizes count it,
    /// and a reorder that writes the tensor fills it with zeros. That is what a convolution wants that reads beyond
    /// the border. To leave the border alone, describe a tensor of the whole size and take a
    /// [submemory](Descriptor::submemory). An axis of extent 0 gets none.
    ///
    /// `pre:`  `self` is dense and has no extra padding yet\
    /// `post:` `padded_dims[a] >= before[a] + dims[a] + after[a]`, and
    /// `offset(i) == Descriptor::new(padded_dims, format).offset(before + i) + base`
    ///
    /// # Errors
    /// [`DescriptorError::PaddingCount`] where there are not as many numbers as axes, [`DescriptorError::NotDense`]
    /// where `self` is strided or has extra padding already, otherwise as [`Descriptor::from_spec`].
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// // A border of one pixel for a 3x3 convolution.
    /// let d = Descriptor::new(DType::F32, &[1, 16, 6, 5], "nChw16c")?;
    /// let d = d.with_halo(&[0, 0, 1, 1], &[0, 0, 1, 1])?;
    /// assert_eq!(d.padded_dims(), [1, 16, 8, 7]);
    /// assert_eq!(d.offset(&[0, 0, 0, 0])?, (7 + 1) * 16);
    /// assert_eq!(d.to_string(), "f32:nChw16c:1x16x6x5:padded=1x16x8x7:halo=0x0x1x1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn with_halo(&self, before: &[usize], after: &[usize]) -> Result<Descriptor, DescriptorError> {
        let rank = self.rank();
        if before.len() != rank || after.len() != rank {
            let found = if before.len() != rank { before.len() } else { after.len() };
            return Err(DescriptorError::PaddingCount { expected: rank, found });
        }
        if !self.is_dense() || !self.is_whole() {
            return Err(DescriptorError::NotDense);
        }
        let mut window = Window { padded: [0; MAX_RANK], origin: [0; MAX_RANK], halo: 0 };
        let mut a = 0;
        while a < rank {
            if self.dims[a] > 0 {
                let multiple = self.spec.padding_multiple(a);
                let total = before[a].saturating_add(self.dims[a]).saturating_add(after[a]);
                window.padded[a] = match round_up(total, multiple) {
                    Some(n) if n <= isize::MAX as usize => n,
                    _ => {
                        let axis = self.axis_char(a);
                        let error = SizeError::Padding { axis, extent: total, multiple };
                        return Err(DescriptorError::Size(error));
                    }
                };
                window.origin[a] = before[a];
                window.halo |= if before[a] > 0 { 1 << a } else { 0 };
            }
            a += 1;
        }
        let mut out = *self;
        if let Err(error) = out.set_window(&window) {
            return Err(error);
        }
        match out.lay_densely() {
            Ok(()) => out.with_base(self.base),
            Err(error) => Err(DescriptorError::Size(error)),
        }
    }

    /// By axis the position of index 0: digits pick from `index + origin` (oneDNN: `padded_offsets`).
    ///
    /// It is not 0 in two cases. In a view that starts inside a block it is the number of positions of that block
    /// that belong to other elements. Behind extra padding ([`Descriptor::with_halo`]) it is the size of that.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// let d = Descriptor::new(DType::F32, &[1, 48, 2, 2], "nChw16c")?;
    /// let view = d.submemory(&[0, 20, 0, 0], &[1, 12, 2, 2])?;
    /// assert_eq!(*view.origin(), [0, 4, 0, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn origin(&self) -> PerAxis<usize> {
        PerAxis::new(self.rank(), self.origin)
    }

    /// The positions along `axis` that the tensor owns: its elements and its padding. An empty range for an axis that
    /// does not exist.
    ///
    /// The elements stand at `origin .. origin + dim`; what else is owned is padding, which a writer fills with zeros.
    /// The range is as long as the padded extent. Its start is 0 but for views that start inside a block, whose first
    /// positions are elements of somebody else.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// let d = Descriptor::new(DType::F32, &[1, 17, 2, 2], "nChw8c")?;
    /// assert_eq!(d.owned(1), 0..24);
    /// // To the end of the tensor: with its padding. Otherwise without.
    /// assert_eq!(d.submemory(&[0, 10, 0, 0], &[1, 7, 2, 2])?.owned(1), 2..16);
    /// assert_eq!(d.submemory(&[0, 10, 0, 0], &[1, 2, 2, 2])?.owned(1), 2..4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn owned(&self, axis: usize) -> Range<usize> {
        if axis >= self.rank() {
            return 0..0;
        }
        self.owned_start(axis)..self.owned_end(axis)
    }

    /// Whether some axis starts or ends inside a block whose rest belongs to somebody else. Then blocks cannot be read
    /// or written as a whole.
    pub const fn is_ragged(&self) -> bool {
        let mut a = 0;
        while a < self.rank() {
            if self.owned_start(a) != 0 || !(self.owned_end(a) as u64).is_multiple_of(self.spec.block_of(a)) {
                return true;
            }
            a += 1;
        }
        false
    }

    /// Whether format, extents, one stride an axis and the base say everything: the padding is what the format asks
    /// for, no axis starts inside a block or behind extra padding, and blocks inside the axes are dense. This is what
    /// a layout as a type can describe.
    pub const fn is_whole(&self) -> bool {
        let mut a = 0;
        while a < self.rank() {
            let padded = round_up(self.dims[a], self.spec.padding_multiple(a));
            if self.origin[a] != 0 || !matches!(padded, Some(n) if n == self.padded[a]) {
                return false;
            }
            a += 1;
        }
        self.stored as usize == self.spec.outer_len()
    }

    /// Whether the positions before the origin of `axis` are padding of this tensor.
    pub(super) const fn has_halo(&self, axis: usize) -> bool {
        self.halo & (1 << axis) != 0
    }

    /// The first owned position of `axis`, below [`MAX_RANK`].
    pub(super) const fn owned_start(&self, axis: usize) -> usize {
        if self.has_halo(axis) { 0 } else { self.origin[axis] }
    }

    /// The position of `axis` behind the last owned one.
    pub(super) const fn owned_end(&self, axis: usize) -> usize {
        self.owned_start(axis) + self.padded[axis]
    }

    /// Offset of the element with index 0, whether there is one or not.
    pub(super) const fn offset_of_first(&self) -> usize {
        self.offset_unchecked(&[0; MAX_RANK])
    }

    pub(super) const fn window(&self) -> Window {
        Window { padded: self.padded, origin: self.origin, halo: self.halo }
    }

    /// Takes padded extents, origins and halo bits after checking invariants 2 and 4. Strides have to be set again.
    pub(super) const fn set_window(&mut self, window: &Window) -> Result<(), DescriptorError> {
        let limit = isize::MAX as usize;
        let mut a = 0;
        while a < self.rank() {
            let (dim, padded, origin) = (self.dims[a], window.padded[a], window.origin[a]);
            let halo = window.halo & (1 << a) != 0;
            let least = if halo { origin.saturating_add(dim) } else { dim };
            let fits = if dim == 0 {
                padded == 0 && origin == 0 && !halo
            } else if halo {
                padded >= least && padded <= limit && origin > 0
            } else {
                padded >= least && (origin as u64) < self.spec.block_of(a) && padded <= limit - origin
            };
            if !fits {
                let axis = self.axis_char(a);
                return Err(DescriptorError::Padding { axis, extent: dim, padded, origin });
            }
            (self.padded[a], self.origin[a]) = (padded, origin);
            a += 1;
        }
        self.halo = window.halo & ((1 << self.rank()) - 1);
        match checked_len(self.padded_dims(), self.dtype.size()) {
            Ok(_) => Ok(()),
            Err(axis) => Err(DescriptorError::Size(self.too_large(axis))),
        }
    }
}
