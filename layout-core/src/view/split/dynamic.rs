//! Parts of memory that is described at run time: cut along the digit that is outermost in memory, so that each part is a
//! slice of its own. Safe code throughout; called by users of [`DynView`] and [`DynViewMut`].

use crate::descriptor::{Descriptor, Element, PerAxis};
use crate::view::dynamic::{DynView, DynViewMut};
use crate::view::error::ViewError;
use core::iter::FusedIterator;
use core::ops::Range;

/// Where a tensor is cut: between the blocks of one axis.
#[derive(Clone, Debug)]
struct Cuts {
    descriptor: Descriptor,
    axis: usize,
    /// Blocks of the axis that the tensor reaches into, and the first of them.
    blocks: usize,
    first: usize,
    /// Parts altogether, at most as many as blocks.
    parts: usize,
    /// Whether later parts lie at lower addresses.
    descends: bool,
    left: Range<usize>,
}

impl Cuts {
    /// At most `parts` parts along the outermost digit in memory; one where that is a block, which no cut may go through.
    fn new(descriptor: &Descriptor, parts: usize) -> Result<Cuts, ViewError> {
        if parts == 0 {
            return Err(ViewError::NoParts { extent: descriptor.logical_len() });
        }
        let digits = descriptor.digits();
        let outermost = digits.iter().find(|digit| digit.extent > 1 && digit.stride != 0);
        let mut cuts = Cuts {
            descriptor: *descriptor,
            axis: 0,
            blocks: 1,
            first: 0,
            parts: 1,
            descends: false,
            left: 0..usize::from(!descriptor.is_empty()),
        };
        if let Some(digit) = outermost.filter(|digit| digit.top && !descriptor.is_empty()) {
            let (origin, dim) = (descriptor.origin()[digit.axis], descriptor.dims()[digit.axis]);
            cuts.axis = digit.axis;
            cuts.first = origin / digit.divisor;
            // Both are at most `isize::MAX`.
            cuts.blocks = (origin + dim - 1) / digit.divisor - cuts.first + 1;
            cuts.parts = parts.min(cuts.blocks);
            cuts.descends = digit.stride < 0;
            cuts.left = 0..cuts.parts;
        }
        Ok(cuts)
    }

    /// Index along the axis where part `k` starts; the extent behind the last.
    fn border(&self, k: usize) -> usize {
        let extent = self.descriptor.dims().get(self.axis).copied().unwrap_or(0);
        if k == 0 || k == self.parts {
            return if k == 0 { 0 } else { extent };
        }
        let block = self.first + k * (self.blocks / self.parts) + k.min(self.blocks % self.parts);
        // At most the end of the last block, which fits.
        let position = block * self.descriptor.spec().block_of(self.axis) as usize;
        position - self.descriptor.origin()[self.axis]
    }

    /// The descriptor of part `k`, counted from the memory of the whole.
    fn part(&self, k: usize) -> Descriptor {
        let mut start = PerAxis::filled(self.descriptor.rank(), 0);
        let mut dims = PerAxis::filled(self.descriptor.rank(), 0);
        for (axis, &dim) in self.descriptor.dims().iter().enumerate() {
            dims.set(axis, dim);
        }
        if self.parts > 1 {
            start.set(self.axis, self.border(k));
            dims.set(self.axis, self.border(k + 1) - self.border(k));
        }
        match self.descriptor.submemory(&start, &dims) {
            Ok(part) => part,
            Err(error) => unreachable!("a part of a tensor lies within it: {error}"),
        }
    }

    /// Where the memory of part `k` starts, in elements: with the lowest place of the blocks that it reaches into, whoever
    /// owns that. Outer strides pass all that lies inside them, so that no other part owns anything from there to its end.
    fn start(&self, k: usize) -> usize {
        let part = self.part(k);
        let digits = part.digits();
        let below = digits.iter().filter(|digit| digit.stride < 0 && digit.extent > 1);
        // The descriptor has checked that this does not reach below 0.
        part.base() - below.map(|digit| (digit.extent - 1) * digit.stride.unsigned_abs()).sum::<usize>()
    }

    /// The descriptor of the next part, or of the last.
    fn take(&mut self, back: bool) -> Option<Descriptor> {
        let k = if back { self.left.next_back() } else { self.left.next() };
        k.map(|k| self.part(k))
    }
}

/// Parts of memory that is described at run time; see [`DynView::outer_parts`].
#[derive(Clone, Debug)]
pub struct DynParts<'a, T> {
    cuts: Cuts,
    memory: &'a [T],
}

/// Parts of memory that is described at run time, to write; see [`DynViewMut::outer_parts_mut`].
#[derive(Debug)]
pub struct DynPartsMut<'a, T> {
    cuts: Cuts,
    /// The memory of the parts that are left, and where it starts in that of the whole.
    memory: &'a mut [T],
    offset: usize,
}

impl<'a, T: Element> DynView<'a, T> {
    /// At most `count` parts that differ by one block at most, cut along the axis that is outermost in memory. A tensor
    /// whose outermost digit is a block is one part; one without elements is none.
    ///
    /// # Errors
    /// [`ViewError::NoParts`] for a count of 0.
    pub fn outer_parts(&self, count: usize) -> Result<DynParts<'a, T>, ViewError> {
        Ok(DynParts { cuts: Cuts::new(self.descriptor(), count)?, memory: self.memory() })
    }
}

impl<T: Element> DynViewMut<'_, T> {
    /// [`outer_parts`](DynView::outer_parts) to write. Each has memory of its own, so that each can go to a thread.
    ///
    /// # Errors
    /// [`ViewError::NoParts`] for a count of 0.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// use layout_core::view::DynViewMut;
    /// let whole = Descriptor::new(DType::S32, &[1, 10, 1, 2], "nChw4c")?;
    /// let mut memory = [0; 24];
    /// let mut view = DynViewMut::new(&whole, &mut memory)?;
    /// std::thread::scope(|scope| -> Result<(), layout_core::view::ViewError> {
    ///     for (k, mut part) in view.outer_parts_mut(2)?.enumerate() {
    ///         scope.spawn(move || part.for_each(|_, x| *x = k as i32 + 1));
    ///     }
    ///     Ok(())
    /// })?;
    /// assert_eq!(memory[..16], [1; 16]); // two blocks of four channels
    /// assert_eq!(memory[16..], [2, 2, 0, 0, 2, 2, 0, 0]); // and half of one, whose padding is left alone
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn outer_parts_mut(&mut self, count: usize) -> Result<DynPartsMut<'_, T>, ViewError> {
        let (descriptor, memory) = self.memory_mut();
        Ok(DynPartsMut { cuts: Cuts::new(descriptor, count)?, memory, offset: 0 })
    }
}

impl<'a, T: Element> DynPartsMut<'a, T> {
    /// The first `count` of the parts that are left, or all of them, and the others.
    pub fn split_at(self, count: usize) -> (Self, Self) {
        let DynPartsMut { cuts, memory, offset } = self;
        let left = cuts.left.clone();
        let middle = left.start + count.min(left.len());
        // Where the upper of the two in memory starts; everything goes to one of them where the other has no parts.
        let upper = if cuts.descends { left.start..middle } else { middle..left.end };
        let border = match upper.is_empty() {
            true => memory.len(),
            // The parts at the upper end start with the lowest of them.
            false if upper.len() == left.len() => 0,
            false => cuts.start(if cuts.descends { middle - 1 } else { middle }) - offset,
        };
        let (low, high) = memory.split_at_mut(border);
        let (low_offset, high_offset) = (offset, offset + border);
        let first = Cuts { left: left.start..middle, ..cuts.clone() };
        let others = Cuts { left: middle..left.end, ..cuts };
        let ((first_memory, first_offset), (other_memory, other_offset)) = if first.descends {
            ((high, high_offset), (low, low_offset))
        } else {
            ((low, low_offset), (high, high_offset))
        };
        (
            DynPartsMut { cuts: first, memory: first_memory, offset: first_offset },
            DynPartsMut { cuts: others, memory: other_memory, offset: other_offset },
        )
    }

    /// The only part that is left.
    fn single(self) -> Option<DynViewMut<'a, T>> {
        let k = self.cuts.left.start;
        let (start, part) = (self.cuts.start(k), self.cuts.part(k));
        let memory = self.memory.get_mut(start - self.offset..)?;
        // The element type is that of the whole, and the memory reaches to the next part.
        DynViewMut::new(&part.with_base(part.base() - start).ok()?, memory).ok()
    }

    /// Bytes of a part, on average.
    #[cfg(feature = "rayon")]
    pub(super) fn average_bytes(&self) -> usize {
        self.cuts.descriptor.padded_len() / self.cuts.parts * size_of::<T>()
    }

    fn take(&mut self, count: usize) -> (Self, Self) {
        let memory = core::mem::take(&mut self.memory);
        DynPartsMut { cuts: self.cuts.clone(), memory, offset: self.offset }.split_at(count)
    }
}

impl<'a, T: Element> Iterator for DynPartsMut<'a, T> {
    type Item = DynViewMut<'a, T>;

    fn next(&mut self) -> Option<DynViewMut<'a, T>> {
        if self.cuts.left.is_empty() {
            return None;
        }
        let (first, others) = self.take(1);
        *self = others;
        first.single()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.cuts.left.len(), Some(self.cuts.left.len()))
    }
}
impl<'a, T: Element> DoubleEndedIterator for DynPartsMut<'a, T> {
    fn next_back(&mut self) -> Option<DynViewMut<'a, T>> {
        let before = self.cuts.left.len().checked_sub(1)?;
        let (others, last) = self.take(before);
        *self = others;
        last.single()
    }
}
impl<'a, T: Element> Iterator for DynParts<'a, T> {
    type Item = DynView<'a, T>;

    fn next(&mut self) -> Option<DynView<'a, T>> {
        DynView::new(&self.cuts.take(false)?, self.memory).ok()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.cuts.left.len(), Some(self.cuts.left.len()))
    }
}
impl<'a, T: Element> DoubleEndedIterator for DynParts<'a, T> {
    fn next_back(&mut self) -> Option<DynView<'a, T>> {
        DynView::new(&self.cuts.take(true)?, self.memory).ok()
    }
}
impl<T: Element> ExactSizeIterator for DynParts<'_, T> {}
impl<T: Element> ExactSizeIterator for DynPartsMut<'_, T> {}
impl<T: Element> FusedIterator for DynParts<'_, T> {}
impl<T: Element> FusedIterator for DynPartsMut<'_, T> {}
