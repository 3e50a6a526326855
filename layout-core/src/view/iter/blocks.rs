//! Blocks: the dense inner blocks of a layout as fixed-size arrays, with or without the index of their first element.

use super::cursor::{Cursor, DigitCursor, iterator, iterator_clone};
use crate::layout::Layout;
use crate::shape::Shape;
use crate::view::def::{StridedView, StridedViewMut, exclusive, shared};

iterator! {
    /// The dense inner blocks in physical order, padding included: `&[f32; 16]` for `nChw16c`.
    Blocks over StridedView by DigitCursor<L::Index> => &'a L::Block<T>: block
}
iterator! {
    /// The dense inner blocks with the logical index of their first element, in physical order, padding included. Where
    /// an axis is padded beside its inner block, that index can lie past the extents.
    IndexedBlocks over StridedView by DigitCursor<L::Index> => (L::Index, &'a L::Block<T>): indexed
}
iterator! {
    /// The dense inner blocks in physical order, padding included, to write. What is written to padding stays there
    /// until [`zero_padding`](crate::view::StridedViewMut::zero_padding).
    BlocksMut over StridedViewMut by DigitCursor<L::Index> => &'a mut L::Block<T>: block_mut
}
iterator! {
    /// The dense inner blocks with the logical index of their first element, in physical order, to write.
    IndexedBlocksMut over StridedViewMut by DigitCursor<L::Index> => (L::Index, &'a mut L::Block<T>): indexed_mut
}
iterator_clone!(Blocks IndexedBlocks);

macro_rules! over_blocks {
    ($($name:ident over $view:ident;)*) => {$(
        impl<'a, T, L: Layout, S: Shape<L::Index>> $name<'a, T, L, S> {
            #[inline]
            pub(in crate::view) fn new(view: $view<'a, T, L, S>) -> Self {
                let padded = view.mapping().padded_dims();
                let count = padded.as_ref().iter().product::<usize>() / L::BLOCK_LEN;
                $name { cursor: DigitCursor::new::<L>(L::SPEC.outer_len(), padded, count), view }
            }
        }
    )*};
}
over_blocks! {
    Blocks over StridedView;
    IndexedBlocks over StridedView;
    BlocksMut over StridedViewMut;
    IndexedBlocksMut over StridedViewMut;
}

/// That `L::Block<T>` is `L::BLOCK_LEN` elements and nothing else: it is nested arrays.
pub(super) const fn assert_block<L: Layout, T>() {
    assert!(
        size_of::<L::Block<T>>() == L::BLOCK_LEN * size_of::<T>()
            && align_of::<L::Block<T>>() == align_of::<T>(),
        "the block type of this layout is not an array of its elements"
    );
}

/// Dense memory as blocks. Elements behind the last whole block, of which dense tensors have none, are left out.
#[inline]
pub(in crate::view) fn as_blocks<L: Layout, T>(memory: &[T]) -> &[L::Block<T>] {
    const { assert_block::<L, T>() }
    // SAFETY: a block is an array of `BLOCK_LEN` elements with their alignment, and the length is rounded down.
    unsafe { core::slice::from_raw_parts(memory.as_ptr().cast(), memory.len() / L::BLOCK_LEN) }
}

/// Dense memory as blocks, to write.
#[inline]
pub(in crate::view) fn as_blocks_mut<L: Layout, T>(memory: &mut [T]) -> &mut [L::Block<T>] {
    const { assert_block::<L, T>() }
    // SAFETY: as in `as_blocks`.
    unsafe { core::slice::from_raw_parts_mut(memory.as_mut_ptr().cast(), memory.len() / L::BLOCK_LEN) }
}

/// `offset`, where the compiler no longer sees how it came about, for blocks that are vectors: longer than the 8 elements that
/// it can load side by side and share out. Of a short loop over such a block, unrolled, in a loop over blocks, LLVM makes a
/// loop over several blocks at once, element by element with gathers and scatters, in up to twice the time. Costs nothing.
#[inline(always)]
fn one_by_one<L: Layout>(offset: usize) -> usize {
    let is_long = L::BLOCK_LEN > 8;
    #[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
    if is_long {
        let mut offset = offset;
        // SAFETY: there is no instruction in it.
        unsafe {
            core::arch::asm!("/* {0} */", inout(reg) offset, options(pure, nomem, nostack, preserves_flags));
        }
        return offset;
    }
    let _ = is_long;
    offset
}

/// # Safety
/// `offset` is that of an index in the padded extents whose dense digits are 0.
#[inline(always)]
unsafe fn block<'a, T, L: Layout, S>(
    view: &StridedView<'a, T, L, S>,
    _: L::Index,
    offset: usize,
) -> &'a L::Block<T> {
    const { assert_block::<L, T>() }
    // SAFETY: the elements of the block are in the padded extents, which are multiples of the blocks, and lie densely
    // behind `offset` (invariant 2 of `StridedMapping`); invariant 1 of `StridedView`.
    let at = unsafe { view.ptr().add(one_by_one::<L>(offset)) };
    // SAFETY: as above.
    unsafe { shared(at.cast(), 0) }
}

/// # Safety
/// As for [`block`], with `offset` that of `index`.
#[inline(always)]
unsafe fn indexed<'a, T, L: Layout, S>(
    view: &StridedView<'a, T, L, S>,
    index: L::Index,
    offset: usize,
) -> (L::Index, &'a L::Block<T>) {
    // SAFETY: the caller's promise.
    (index, unsafe { block(view, index, offset) })
}

/// # Safety
/// As for [`block`]; the view is borrowed by the iterator, which asks for each block once.
#[inline(always)]
unsafe fn block_mut<'a, T, L: Layout, S>(
    view: &StridedViewMut<'a, T, L, S>,
    _: L::Index,
    offset: usize,
) -> &'a mut L::Block<T> {
    const { assert_block::<L, T>() }
    // SAFETY: as in `block`, by invariants 1 and 3 of `StridedViewMut`.
    let at = unsafe { view.ptr().add(one_by_one::<L>(offset)) };
    // SAFETY: as above.
    unsafe { exclusive(at.cast(), 0) }
}

/// # Safety
/// As for [`block_mut`], with `offset` that of `index`.
#[inline(always)]
unsafe fn indexed_mut<'a, T, L: Layout, S>(
    view: &StridedViewMut<'a, T, L, S>,
    index: L::Index,
    offset: usize,
) -> (L::Index, &'a mut L::Block<T>) {
    // SAFETY: the caller's promise.
    (index, unsafe { block_mut(view, index, offset) })
}
