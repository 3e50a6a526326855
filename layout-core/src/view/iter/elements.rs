//! Iterators over single elements: in row-major logical order with or without the index, and in physical order.

use super::cursor::{Cursor, DigitCursor, Indices, iterator, iterator_clone};
use crate::layout::{Layout, Position};
use crate::shape::Shape;
use crate::view::def::{StridedView, StridedViewMut, exclusive, shared};

iterator! {
    /// The logical elements in row-major logical order: the last logical axis runs fastest, wherever it is in memory.
    Iter over StridedView by Indices<L::Index> => &'a T: element
}
iterator! {
    /// The logical elements with their indices, in row-major logical order.
    IndexedIter over StridedView by Indices<L::Index> => (L::Index, &'a T): indexed
}
iterator! {
    /// The logical elements in row-major logical order, to write.
    IterMut over StridedViewMut by Indices<L::Index> => &'a mut T: element_mut
}
iterator! {
    /// The logical elements with their indices, in row-major logical order, to write.
    IndexedIterMut over StridedViewMut by Indices<L::Index> => (L::Index, &'a mut T): indexed_mut
}
iterator! {
    /// Everything in memory, padding included, in physical order, and what it is.
    PhysicalIter over StridedView by DigitCursor<L::Index> => (Position<L::Index>, &'a T): physical
}
iterator_clone!(Iter IndexedIter PhysicalIter);

macro_rules! logical {
    ($name:ident over $view:ident) => {
        impl<'a, T, L: Layout, S: Shape<L::Index>> $name<'a, T, L, S> {
            #[inline]
            pub(in crate::view) fn new(view: $view<'a, T, L, S>) -> Self {
                $name { cursor: Indices::new(view.mapping().dims()), view }
            }
        }
    };
}
logical!(Iter over StridedView);
logical!(IndexedIter over StridedView);
logical!(IterMut over StridedViewMut);
logical!(IndexedIterMut over StridedViewMut);

impl<'a, T, L: Layout, S: Shape<L::Index>> PhysicalIter<'a, T, L, S> {
    pub(in crate::view) fn new(view: StridedView<'a, T, L, S>) -> Self {
        let padded = view.mapping().padded_dims();
        let count = padded.as_ref().iter().product();
        PhysicalIter { cursor: DigitCursor::new::<L>(L::SPEC.len(), padded, count), view }
    }
}

/// # Safety
/// `offset` is that of an index in the padded extents.
#[inline(always)]
unsafe fn element<'a, T, L: Layout, S>(view: &StridedView<'a, T, L, S>, _: L::Index, offset: usize) -> &'a T {
    // SAFETY: invariant 1 of `StridedView`.
    unsafe { shared(view.ptr(), offset) }
}

/// # Safety
/// `offset` is that of `index`, which lies in the padded extents.
#[inline(always)]
unsafe fn indexed<'a, T, L: Layout, S>(
    view: &StridedView<'a, T, L, S>,
    index: L::Index,
    offset: usize,
) -> (L::Index, &'a T) {
    // SAFETY: invariant 1 of `StridedView`.
    (index, unsafe { shared(view.ptr(), offset) })
}

/// # Safety
/// `offset` is that of `index`, which lies in the padded extents.
#[inline(always)]
unsafe fn physical<'a, T, L: Layout, S: Shape<L::Index>>(
    view: &StridedView<'a, T, L, S>,
    index: L::Index,
    offset: usize,
) -> (Position<L::Index>, &'a T) {
    let dims = view.mapping().dims();
    let inside = index.as_ref().iter().zip(dims.as_ref()).all(|(index, extent)| index < extent);
    let position = if inside { Position::Element(index) } else { Position::Padding(index) };
    // SAFETY: invariant 1 of `StridedView`.
    (position, unsafe { shared(view.ptr(), offset) })
}

/// # Safety
/// `offset` is that of an index in the padded extents; the view is borrowed by the iterator, which asks for each once.
#[inline(always)]
unsafe fn element_mut<'a, T, L: Layout, S>(
    view: &StridedViewMut<'a, T, L, S>,
    _: L::Index,
    offset: usize,
) -> &'a mut T {
    // SAFETY: invariants 1 and 3 of `StridedViewMut`.
    unsafe { exclusive(view.ptr(), offset) }
}

/// # Safety
/// As for [`element_mut`].
#[inline(always)]
unsafe fn indexed_mut<'a, T, L: Layout, S>(
    view: &StridedViewMut<'a, T, L, S>,
    index: L::Index,
    offset: usize,
) -> (L::Index, &'a mut T) {
    // SAFETY: invariants 1 and 3 of `StridedViewMut`.
    (index, unsafe { exclusive(view.ptr(), offset) })
}
