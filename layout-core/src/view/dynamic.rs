//! Memory with a layout that is known at run time alone: [`DynView`] and [`DynViewMut`], over anything that a descriptor
//! says, windows into blocks and broadcasts included. Safe code throughout: every access is a checked one into a slice.

use super::error::ViewError;
use crate::descriptor::{Descriptor, DigitAt, Element, Index, bytes_of};
use crate::shape::IndexError;

/// Shared memory described at run time.
///
/// A typed [`TensorView`](super::TensorView) costs no offset arithmetic and is to be preferred where the layout is one of
/// a few; this one is for parts that no type describes, such as a window that starts inside a block.
///
/// ```
/// use layout_core::descriptor::{DType, Descriptor};
/// use layout_core::view::DynView;
/// let whole = Descriptor::new(DType::F32, &[1, 32, 1, 2], "nChw16c")?;
/// let memory: Vec<f32> = (0..64).map(|i| i as f32).collect();
/// // Channels 5 to 24: the end of one block, and the start of the next.
/// let part = whole.submemory(&[0, 5, 0, 0], &[1, 20, 1, 2])?;
/// let view = DynView::new(&part, &memory)?;
/// assert_eq!(view.get(&[0, 0, 0, 1])?, &21.0);
/// let lengths: Vec<usize> = view.runs().map(|run| run.elements.len()).collect();
/// assert_eq!(lengths, [11, 9, 11, 9]); // what is left of a block, and what is wanted of the next
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct DynView<'a, T> {
    descriptor: Descriptor,
    memory: &'a [T],
}

/// Exclusive memory described at run time. See [`DynView`].
#[derive(Debug)]
pub struct DynViewMut<'a, T> {
    descriptor: Descriptor,
    memory: &'a mut [T],
}

/// A contiguous run of elements along one axis.
#[derive(Clone, Copy, Debug)]
pub struct DynRun<'a, T> {
    /// Logical index of the first element.
    pub start: Index,
    /// Logical position of the axis along which the index grows; the last axis where the run is a single element.
    pub axis: usize,
    /// The elements.
    pub elements: &'a [T],
}

/// Checks that `memory` holds what `descriptor` describes.
fn check<T: Element>(descriptor: &Descriptor, memory: &[T]) -> Result<(), ViewError> {
    if descriptor.dtype() != T::DTYPE {
        return Err(ViewError::DType { expected: T::DTYPE, found: descriptor.dtype() });
    }
    let expected = descriptor.required_len();
    if memory.len() < expected {
        return Err(ViewError::Length { expected, found: memory.len() });
    }
    Ok(())
}

impl<'a, T: Element> DynView<'a, T> {
    /// The view of `memory`, whose first element is the one at offset 0 of `descriptor`.
    ///
    /// # Errors
    /// [`ViewError::DType`] where the descriptor says another data type; [`ViewError::Length`] where the memory is shorter
    /// than [`Descriptor::required_len`].
    pub fn new(descriptor: &Descriptor, memory: &'a [T]) -> Result<Self, ViewError> {
        check(descriptor, memory)?;
        Ok(DynView { descriptor: *descriptor, memory })
    }

    /// What describes the memory.
    pub fn descriptor(&self) -> &Descriptor {
        &self.descriptor
    }

    /// All of the memory, in which offset 0 is the first.
    pub(crate) fn memory(&self) -> &'a [T] {
        self.memory
    }

    /// All of the memory as bytes.
    pub fn as_bytes(&self) -> &'a [u8] {
        bytes_of(self.memory)
    }

    /// The element at `index`.
    ///
    /// # Errors
    /// [`IndexError`] for an index of another rank or outside the extents.
    pub fn get(&self, index: &[usize]) -> Result<&'a T, IndexError> {
        Ok(&self.memory[self.descriptor.offset(index)?])
    }

    /// The elements in logical order, the last axis fastest.
    pub fn iter(&self) -> impl Iterator<Item = &'a T> + use<'a, T> {
        self.indexed_iter().map(|(_, element)| element)
    }

    /// The elements with their indices, in logical order, the last axis fastest.
    pub fn indexed_iter(&self) -> impl Iterator<Item = (Index, &'a T)> + use<'a, T> {
        let (descriptor, memory) = (self.descriptor, self.memory);
        indices(descriptor, None).map(move |index| (index, &memory[descriptor.offset_unchecked(&index)]))
    }

    /// The contiguous runs of elements: along the innermost axis in memory, cut where a block ends. The other axes are
    /// gone through in logical order. Padding and what belongs to others is in none of them.
    pub fn runs(&self) -> impl Iterator<Item = DynRun<'a, T>> + use<'a, T> {
        let (descriptor, memory) = (self.descriptor, self.memory);
        let inner = unit_digit(&descriptor);
        let last = descriptor.rank().saturating_sub(1);
        indices(descriptor, inner).map(move |start| {
            let offset = descriptor.offset_unchecked(&start);
            let len = inner.map_or(1, |digit| run_len(&descriptor, digit, start[digit.axis]));
            let axis = inner.map_or(last, |digit| digit.axis);
            DynRun { start, axis, elements: &memory[offset..offset + len] }
        })
    }
}

impl<'a, T: Element> DynViewMut<'a, T> {
    /// The view of `memory`, whose first element is the one at offset 0 of `descriptor`. Padding is left as it is.
    ///
    /// # Errors
    /// As [`DynView::new`].
    pub fn new(descriptor: &Descriptor, memory: &'a mut [T]) -> Result<Self, ViewError> {
        check(descriptor, memory)?;
        Ok(DynViewMut { descriptor: *descriptor, memory })
    }

    /// The same memory, shared.
    pub fn view(&self) -> DynView<'_, T> {
        DynView { descriptor: self.descriptor, memory: self.memory }
    }

    /// What describes the memory, and all of it, in which offset 0 is the first.
    pub(super) fn memory_mut(&mut self) -> (&Descriptor, &mut [T]) {
        (&self.descriptor, self.memory)
    }

    /// All of the memory as bytes, to write.
    pub fn as_bytes_mut(&mut self) -> &mut [u8] {
        let len = size_of_val(self.memory);
        // SAFETY: an `Element` is bytes without gaps, all of them initialised; every bit pattern is one, so that any bytes
        // may be written; the length is that of the slice.
        unsafe { core::slice::from_raw_parts_mut(self.memory.as_mut_ptr().cast(), len) }
    }

    /// What describes the memory.
    pub fn descriptor(&self) -> &Descriptor {
        &self.descriptor
    }

    /// The element at `index`, to write.
    ///
    /// # Errors
    /// As [`DynView::get`].
    pub fn get_mut(&mut self, index: &[usize]) -> Result<&mut T, IndexError> {
        Ok(&mut self.memory[self.descriptor.offset(index)?])
    }

    /// Calls `write` with the index and the element of every place, in logical order, the last axis fastest. Elements
    /// alone are reached: neither padding nor what belongs to others.
    ///
    /// ```
    /// use layout_core::descriptor::{DType, Descriptor};
    /// use layout_core::view::DynViewMut;
    /// let whole = Descriptor::new(DType::S32, &[1, 6], "nC4c")?;
    /// let mut memory = [9; 8];
    /// let part = whole.submemory(&[0, 3], &[1, 2])?;
    /// DynViewMut::new(&part, &mut memory)?.for_each(|index, element| *element = index[1] as i32);
    /// assert_eq!(memory, [9, 9, 9, 0, 1, 9, 9, 9]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn for_each(&mut self, mut write: impl FnMut(&[usize], &mut T)) {
        for index in indices(self.descriptor, None) {
            write(&index, &mut self.memory[self.descriptor.offset_unchecked(&index)]);
        }
    }
}

/// The innermost digit, where neighbours along its axis are neighbours in memory.
fn unit_digit(descriptor: &Descriptor) -> Option<DigitAt> {
    descriptor
        .inner_first()
        .find(|digit| digit.extent > 1)
        .filter(|digit| digit.stride == 1 && digit.divisor == 1)
}

/// Elements from index `at` along the axis of `digit` to the end of the digit's block, or of the tensor.
fn run_len(descriptor: &Descriptor, digit: DigitAt, at: usize) -> usize {
    let left = descriptor.dims()[digit.axis] - at;
    if digit.top {
        return left;
    }
    let position = at + descriptor.origin()[digit.axis];
    left.min(digit.extent - position % digit.extent)
}

/// Every index in logical order; with a digit, those alone at which a run along its axis begins, that axis fastest.
fn indices(descriptor: Descriptor, inner: Option<DigitAt>) -> impl Iterator<Item = Index> {
    let rank = descriptor.rank();
    let mut next = (!descriptor.is_empty()).then(|| Index::filled(rank, 0));
    core::iter::from_fn(move || {
        let current = next?;
        let mut index = current;
        // The axis of the runs first, then the others from the last on.
        let fastest = inner.map(|digit| digit.axis);
        let axes = fastest.into_iter().chain((0..rank).rev().filter(|&axis| Some(axis) != fastest));
        next = None;
        for axis in axes {
            let step = match inner {
                Some(digit) if digit.axis == axis => run_len(&descriptor, digit, index[axis]),
                _ => 1,
            };
            let value = index[axis] + step;
            if value < descriptor.dims()[axis] {
                index.set(axis, value);
                next = Some(index);
                break;
            }
            index.set(axis, 0);
        }
        Some(current)
    })
}
