//! [`Grid`]: how a tensor is cut into boxes, by logical axis, and which box has which number. Pure arithmetic; made by
//! `methods`, asked by the iterators over tiles.

use crate::layout::Layout;
use crate::shape::IndexArray;
use crate::view::error::ViewError;
use crate::view::part;

/// A cut of the extents along every axis. The boxes are disjoint and cover the extents; every bound is a multiple of the
/// axis' padding or the extent itself, so that each piece of padding is behind exactly one box.
///
/// Box numbers run through the axes in the physical order of their top digits, the innermost fastest: neighbours in number
/// are neighbours in memory, as far as boxes can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Grid<Index> {
    dims: Index,
    /// Boxes along each axis.
    counts: Index,
    /// Extent of a box along each axis; the last one may be smaller.
    sizes: Index,
    /// The first so many boxes along an axis are one multiple of its padding longer.
    longer: Index,
}

impl<Index: IndexArray> Grid<Index> {
    /// One box.
    pub(super) fn whole(dims: Index) -> Self {
        let mut counts = dims;
        counts.as_mut().iter_mut().for_each(|count| *count = usize::from(*count > 0));
        Grid { dims, counts, sizes: dims, longer: Index::ZERO }
    }

    /// Boxes of `size` along `axis`.
    ///
    /// # Errors
    /// [`ViewError::ChunkSize`].
    pub(super) fn cut<L: Layout<Index = Index>>(
        &mut self,
        axis: usize,
        size: usize,
    ) -> Result<(), ViewError> {
        let extent = self.dims.as_ref()[axis];
        part::chunk_size::<L>(axis, extent, size)?;
        self.sizes.as_mut()[axis] = size;
        self.counts.as_mut()[axis] = extent.div_ceil(size);
        self.longer.as_mut()[axis] = 0;
        Ok(())
    }

    /// `parts` boxes along `axis` that differ by one multiple of its padding at most, or as many as there are multiples.
    ///
    /// # Errors
    /// [`ViewError::NoParts`] for 0.
    pub(super) fn divide<L: Layout<Index = Index>>(
        &mut self,
        axis: usize,
        parts: usize,
    ) -> Result<(), ViewError> {
        if parts == 0 {
            return Err(ViewError::NoParts { extent: self.dims.as_ref()[axis] });
        }
        let multiple = L::PADDING[axis];
        let blocks = self.blocks::<L>(axis);
        let parts = parts.min(blocks);
        self.counts.as_mut()[axis] = parts;
        // Without blocks there are no boxes, whatever their size. The product is at most the extent rounded up, which fits.
        self.sizes.as_mut()[axis] = blocks / parts.max(1) * multiple;
        self.longer.as_mut()[axis] = blocks % parts.max(1);
        Ok(())
    }

    /// At most `parts` boxes of nearly equal size, cut along the outermost axes in memory. Where the outermost axis has fewer
    /// blocks than there are to be parts, the next one is cut as well, or instead if that makes the largest box smaller.
    ///
    /// # Errors
    /// [`ViewError::NoParts`] for 0.
    pub(super) fn outer<L: Layout<Index = Index>>(dims: Index, parts: usize) -> Result<Self, ViewError> {
        if parts == 0 {
            return Err(ViewError::NoParts { extent: dims.as_ref().iter().product() });
        }
        let mut best = Self::whole(dims);
        let mut largest = usize::MAX;
        for skip in 0..L::RANK {
            let mut grid = Self::whole(dims);
            let (mut left, mut size) = (parts, 1usize);
            for (place, &axis) in L::OUTER_ORDER.iter().enumerate() {
                let blocks = grid.blocks::<L>(axis);
                let here = if place < skip { 1 } else { left.min(blocks).max(1) };
                if here > 1 {
                    grid.divide::<L>(axis, here)?;
                }
                left /= here;
                // The number of elements fits.
                size = size.saturating_mul(blocks.div_ceil(here));
            }
            if size < largest {
                (best, largest) = (grid, size);
            }
        }
        Ok(best)
    }

    /// How many multiples of its padding `axis` has, the last one perhaps in part.
    fn blocks<L: Layout<Index = Index>>(&self, axis: usize) -> usize {
        self.dims.as_ref()[axis].div_ceil(L::PADDING[axis])
    }

    /// Whether the grid is over extents `dims`.
    pub(super) fn is_over(&self, dims: &Index) -> bool {
        self.dims == *dims
    }

    /// Number of boxes. It is at most that of the elements, which fits.
    #[inline]
    pub(super) fn len(&self) -> usize {
        if self.dims.as_ref().contains(&0) { 0 } else { self.counts.as_ref().iter().product() }
    }

    /// The first index of box `number`, and the first index behind it along every axis.
    #[inline]
    pub(super) fn bounds<L: Layout<Index = Index>>(&self, number: usize) -> (Index, Index) {
        let (mut start, mut end) = (Index::ZERO, Index::ZERO);
        let mut rest = number;
        for &axis in L::OUTER_ORDER.iter().rev() {
            let count = self.counts.as_ref()[axis].max(1);
            let k = rest % count;
            rest /= count;
            start.as_mut()[axis] = self.border::<L>(axis, k);
            end.as_mut()[axis] = self.border::<L>(axis, k + 1);
        }
        (start, end)
    }

    /// Where box `k` along `axis` starts; the extent behind the last.
    #[inline]
    fn border<L: Layout<Index = Index>>(&self, axis: usize, k: usize) -> usize {
        let longer = self.longer.as_ref()[axis].min(k) * L::PADDING[axis];
        k.saturating_mul(self.sizes.as_ref()[axis]).saturating_add(longer).min(self.dims.as_ref()[axis])
    }
}
