//! The other operands of a zip: one view or a tuple of views, each of its own element type and layout.

use crate::layout::{Layout, SameAxes};
use crate::view::def::{StridedView, shared};
use crate::view::error::ViewError;
use crate::view::iter::blocks::assert_block;
use crate::view::operand::View;
use core::marker::PhantomData;
use core::ops::Index;
use core::ptr::NonNull;

mod private {
    pub trait Sealed {}
}

/// What a zip goes through beside the view that leads it: a reference to a view, or a tuple of up to three. Sealed.
pub trait Operands<'a, L: Layout>: Copy + private::Sealed {
    /// A block of each.
    type Blocks;
    /// The elements of each beside those of a run.
    type Lanes;
    /// The operands as views with strides.
    #[doc(hidden)]
    type Views: Prepared<L, Blocks = Self::Blocks, Lanes = Self::Lanes>;
    /// The views, checked against the extents of the one that leads.
    #[doc(hidden)]
    fn prepare(self, dims: L::Index) -> Result<Self::Views, ViewError>;
}

#[doc(hidden)]
pub trait Prepared<L: Layout>: Clone + Send + Sync {
    type Blocks;
    type Lanes;
    /// Whether the dense blocks are those of `L`, and lie at the same indices.
    const ALIKE: bool;

    /// # Safety
    /// `index` is in the padded extents of the view that leads, and `ALIKE` holds.
    unsafe fn blocks(&self, index: L::Index) -> Self::Blocks;
    /// For how many indices along `axis`, from `index` on, every operand has one stride; at most `len`.
    fn stretch(&self, axis: usize, index: L::Index, len: usize) -> usize;
    /// # Safety
    /// `index` and the `len - 1` indices behind it along `axis` are in the extents, and `len` is at most the stretch.
    unsafe fn lanes(&self, axis: usize, index: L::Index, len: usize) -> Self::Lanes;
}

/// Elements at a constant distance in memory: what lies in another layout beside a contiguous run of this one.
pub struct Lane<'a, T> {
    /// The first of `len` readable elements, `stride` apart.
    first: NonNull<T>,
    stride: isize,
    len: usize,
    memory: PhantomData<&'a T>,
}

impl<'a, T> Lane<'a, T> {
    /// Number of elements.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none, which a zip never gives.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Elements from one to the next in memory.
    #[inline(always)]
    pub fn stride(&self) -> isize {
        self.stride
    }

    /// The elements as a slice, where they are neighbours.
    #[inline(always)]
    pub fn as_slice(&self) -> Option<&'a [T]> {
        // SAFETY: the elements are neighbours, readable for `'a`.
        (self.stride == 1 || self.len < 2)
            .then(|| unsafe { core::slice::from_raw_parts(self.first.as_ptr(), self.len) })
    }

    /// Element `k`; `None` at or past the length.
    #[inline(always)]
    pub fn get(&self, k: usize) -> Option<&'a T> {
        if k >= self.len {
            return None;
        }
        // SAFETY: there are so many elements, a stride apart.
        let at = unsafe { self.first.offset(k as isize * self.stride) };
        // SAFETY: it is readable for `'a`.
        Some(unsafe { at.as_ref() })
    }

    /// The elements in order.
    #[inline(always)]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &'a T> + use<'a, T> {
        let Lane { first, stride, len, .. } = *self;
        (0..len).map(move |k| {
            // SAFETY: there are so many elements, a stride apart.
            let at = unsafe { first.offset(k as isize * stride) };
            // SAFETY: it is readable for `'a`.
            unsafe { at.as_ref() }
        })
    }
}

impl<T> Clone for Lane<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Lane<'_, T> {}
/// Panics at or past the length.
impl<T> Index<usize> for Lane<'_, T> {
    type Output = T;
    #[inline(always)]
    fn index(&self, k: usize) -> &T {
        match self.get(k) {
            Some(element) => element,
            None => panic!("element {k} of a lane of {}", self.len),
        }
    }
}
impl<T: core::fmt::Debug> core::fmt::Debug for Lane<'_, T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
// SAFETY: a lane is shared references to its elements.
unsafe impl<T: Sync> Send for Lane<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Lane<'_, T> {}

impl<V: View> private::Sealed for &V {}
impl<'a, V, L> Operands<'a, L> for &'a V
where
    V: View<Elem: Sync, Layout: SameAxes<L>> + 'a,
    L: Layout,
{
    type Blocks = &'a <V::Layout as Layout>::Block<V::Elem>;
    type Lanes = Lane<'a, V::Elem>;
    type Views = StridedView<'a, V::Elem, V::Layout>;

    fn prepare(self, dims: L::Index) -> Result<Self::Views, ViewError> {
        let view = self.as_strided_view();
        for (axis, (&expected, &found)) in dims.as_ref().iter().zip(view.dims().as_ref()).enumerate() {
            if expected != found {
                return Err(ViewError::Extent { axis: L::AXES[axis], expected, found });
            }
        }
        Ok(view)
    }
}

/// Whether two layouts have the same dense blocks, at the same indices.
const fn alike<L: Layout, M: Layout>() -> bool {
    let (mut a, mut b) = (L::SPEC.outer_len(), M::SPEC.outer_len());
    loop {
        match (L::SPEC.digit(a), M::SPEC.digit(b)) {
            (Some(one), Some(other)) => {
                let same_size = match (one.size, other.size) {
                    (Some(one), Some(other)) => one == other,
                    (None, None) => true,
                    _ => false,
                };
                if one.axis != other.axis || one.divisor != other.divisor || !same_size {
                    return false;
                }
            }
            (None, None) => break,
            _ => return false,
        }
        (a, b) = (a + 1, b + 1);
    }
    let mut axis = 0;
    while axis < L::RANK {
        if L::PADDING[axis] != M::PADDING[axis] {
            return false;
        }
        axis += 1;
    }
    true
}

impl<'a, T: Sync, M: Layout + SameAxes<L>, L: Layout> Prepared<L> for StridedView<'a, T, M> {
    type Blocks = &'a M::Block<T>;
    type Lanes = Lane<'a, T>;
    const ALIKE: bool = alike::<L, M>();

    #[inline(always)]
    unsafe fn blocks(&self, index: L::Index) -> &'a M::Block<T> {
        const { assert_block::<M, T>() }
        let offset = self.mapping().block_offset_unchecked(index);
        // SAFETY: the extents are those of the view that leads (`prepare`), and so are the padded ones (`ALIKE`).
        let at = unsafe { self.ptr().add(offset) };
        // SAFETY: the block is dense behind it, by invariant 2 of `StridedMapping`.
        unsafe { shared(at.cast(), 0) }
    }

    #[inline(always)]
    fn stretch(&self, axis: usize, index: L::Index, len: usize) -> usize {
        match finest::<M>(axis) {
            Some((_, Some(size))) => len.min(size - index.as_ref()[axis] % size),
            _ => len,
        }
    }

    #[inline(always)]
    unsafe fn lanes(&self, axis: usize, index: L::Index, len: usize) -> Lane<'a, T> {
        let stride = finest::<M>(axis).map_or(0, |(at, _)| self.mapping().digit_strides().as_ref()[at]);
        // SAFETY: the index is in the extents, which are this view's too.
        let first = unsafe { self.ptr().add(self.mapping().offset_unchecked(index)) };
        Lane { first, stride, len, memory: PhantomData }
    }
}

/// Position and size of the least significant digit of `axis`: along it neighbouring indices have one stride.
#[inline(always)]
fn finest<L: Layout>(axis: usize) -> Option<(usize, Option<usize>)> {
    let mut at = L::SPEC.len();
    while at > 0 {
        at -= 1;
        match L::SPEC.digit(at) {
            Some(digit) if digit.axis == axis && digit.divisor == 1 => {
                return Some((at, digit.size.map(|size| size as usize)));
            }
            _ => {}
        }
    }
    None
}

macro_rules! tuples {
    ($($($name:ident)*;)*) => {$(
        impl<$($name: private::Sealed),*> private::Sealed for ($($name,)*) {}
        impl<'a, L: Layout, $($name: Operands<'a, L>),*> Operands<'a, L> for ($($name,)*) {
            type Blocks = ($($name::Blocks,)*);
            type Lanes = ($($name::Lanes,)*);
            type Views = ($($name::Views,)*);

            #[allow(non_snake_case, reason = "the operands are named like their types")]
            fn prepare(self, dims: L::Index) -> Result<Self::Views, ViewError> {
                let ($($name,)*) = self;
                Ok(($($name.prepare(dims)?,)*))
            }
        }
        #[allow(non_snake_case, reason = "the operands are named like their types")]
        impl<L: Layout, $($name: Prepared<L>),*> Prepared<L> for ($($name,)*) {
            type Blocks = ($($name::Blocks,)*);
            type Lanes = ($($name::Lanes,)*);
            const ALIKE: bool = $($name::ALIKE &&)* true;

            #[inline(always)]
            unsafe fn blocks(&self, index: L::Index) -> Self::Blocks {
                let ($($name,)*) = self;
                // SAFETY: the caller's promise.
                ($(unsafe { $name.blocks(index) },)*)
            }
            #[inline(always)]
            fn stretch(&self, axis: usize, index: L::Index, len: usize) -> usize {
                let ($($name,)*) = self;
                $(let len = $name.stretch(axis, index, len);)*
                len
            }
            #[inline(always)]
            unsafe fn lanes(&self, axis: usize, index: L::Index, len: usize) -> Self::Lanes {
                let ($($name,)*) = self;
                // SAFETY: the caller's promise.
                ($(unsafe { $name.lanes(axis, index, len) },)*)
            }
        }
    )*};
}
tuples! {
    A;
    A B;
    A B C;
}
