//! The five types that pair memory with a mapping, their numbered invariants, and the few unsafe functions that make
//! them and reach their elements. Everything else in the room goes through these; it never touches the fields.

use super::memory;
use crate::layout::{Layout, Mapping, StridedMapping};
use crate::shape::Shape;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr::NonNull;

/// A shared view of dense memory: a pointer and the extents that are not known while compiling, nothing else.
///
/// `L` is the layout, `S` the shape: `[usize; RANK]` unless stated, or a tuple with [`Fixed`](crate::shape::Fixed)
/// extents. With every extent fixed the view is one pointer.
///
/// ```
/// use layout_core::layout::Nchw16c;
/// use layout_core::shape::{Fixed, fixed};
/// use layout_core::view::TensorView;
///
/// let memory = [1.0f32; 2 * 16 * 4];
/// let v: TensorView<'_, f32, Nchw16c> = TensorView::from_slice([2, 3, 2, 2], &memory)?;
/// assert_eq!(v.padded_dims(), [2, 16, 2, 2]);
/// assert_eq!(v.offset([1, 2, 0, 1]), Ok(64 + 16 + 2));
/// for block in v.blocks() {
///     let _: &[f32; 16] = block;
/// }
///
/// type Static = (Fixed<2>, Fixed<3>, Fixed<2>, Fixed<2>);
/// let v: TensorView<'_, f32, Nchw16c, Static> = v.with_shape((fixed(), fixed(), fixed(), fixed()))?;
/// assert_eq!(size_of_val(&v), size_of::<*const f32>());
/// # Ok::<(), layout_core::view::ViewError>(())
/// ```
///
/// Invariants:
/// 1. `ptr` is aligned and, while `'a` lasts, valid for reads of `mapping.required_len()` initialised elements that
///    nobody writes.
/// 2. `mapping.required_len()` elements are at most `isize::MAX` bytes.
pub struct TensorView<'a, T, L: Layout, S = <L as Layout>::Index> {
    ptr: NonNull<T>,
    mapping: Mapping<L, S>,
    memory: PhantomData<&'a [T]>,
}

/// An exclusive view of dense memory: a pointer and the extents that are not known while compiling, nothing else.
///
/// ```
/// use layout_core::layout::Nchw8c;
/// use layout_core::view::TensorViewMut;
///
/// fn relu(mut x: TensorViewMut<'_, f32, Nchw8c>) {
///     for block in x.blocks_mut() {
///         block.iter_mut().for_each(|x| *x = x.max(0.0));
///     }
/// }
/// let mut memory = [-1.0f32; 8];
/// relu(TensorViewMut::from_slice([1, 3, 1, 1], &mut memory)?);
/// assert_eq!(memory, [0.0; 8]);
/// # Ok::<(), layout_core::view::ViewError>(())
/// ```
///
/// Invariants:
/// 1. `ptr` is aligned and, while `'a` lasts, valid for reads and writes of `mapping.required_len()` initialised
///    elements that nobody else reaches.
/// 2. `mapping.required_len()` elements are at most `isize::MAX` bytes.
pub struct TensorViewMut<'a, T, L: Layout, S = <L as Layout>::Index> {
    ptr: NonNull<T>,
    mapping: Mapping<L, S>,
    memory: PhantomData<&'a mut [T]>,
}

/// Dense memory of its own, aligned to 64 bytes. Padding holds `T::default()` unless it was written on purpose.
///
/// On Linux, with the feature `std`, tensors of 4 MiB and more ask the system for huge pages (`madvise`), in which large
/// transposes are faster, and memory that was never used is ready sooner. The environment variable
/// `TENSOR_LAYOUT_HUGE_PAGES=off`, read once, stops that, for programs that write a small part of their large tensors
/// and want memory for that part alone.
///
/// ```
/// use layout_core::layout::{Nchw16c, Nhwc};
/// use layout_core::view::Tensor;
///
/// let image: Tensor<u8, Nhwc> = Tensor::from_vec([1, 3, 2, 2], (0..12).collect())?;
/// assert_eq!(image[[0, 1, 1, 0]], 7);
/// let blocked: Tensor<u8, Nchw16c> = Tensor::from_fn([1, 3, 2, 2], |index| image[index])?;
/// assert_eq!(blocked.as_slice().len(), 64);
/// assert!(blocked.padding_is_zero());
/// # Ok::<(), layout_core::view::ViewError>(())
/// ```
///
/// Invariants:
/// 1. `ptr` is aligned to [`ALIGNMENT`] and valid for reads and writes of `mapping.required_len()` initialised elements
///    that the tensor owns. They come from `memory::allocate` with `memory::layout_of` their number.
/// 2. `mapping.required_len()` elements are at most `isize::MAX` bytes, also when rounded up to the alignment.
pub struct Tensor<T, L: Layout, S: Shape<L::Index> = <L as Layout>::Index> {
    ptr: NonNull<T>,
    mapping: Mapping<L, S>,
    memory: PhantomData<T>,
}

/// A shared view whose strides are stored: a part of a tensor, or a tensor seen through one index of an axis. The dense
/// inner block of the layout stays dense.
///
/// ```
/// use layout_core::layout::Nchw16c;
/// use layout_core::view::Tensor;
///
/// let t = Tensor::<i32, Nchw16c, _>::from_fn([1, 32, 4, 4], |[_, c, h, w]| (100 * c + 10 * h + w) as i32)?;
/// let rows = t.slice::<'h'>(1..3)?;
/// assert_eq!(rows.dims(), [1, 32, 2, 4]);
/// assert_eq!(rows[[0, 17, 0, 2]], 1712);
/// let second = rows.slice::<'c'>(16..)?;
/// assert_eq!(second[[0, 1, 0, 2]], 1712);
/// assert!(rows.slice::<'c'>(8..).is_err()); // in the middle of a block
/// # Ok::<(), layout_core::view::ViewError>(())
/// ```
///
/// Invariants, where there are elements at all:
/// 1. For every index in the padded extents, `ptr` plus its offset stays within one allocation, aligned, and, while `'a`
///    lasts, valid for reads of an initialised element that nobody writes.
/// 2. The offsets of such indices are at most `isize::MAX` bytes.
pub struct StridedView<'a, T, L: Layout, S = <L as Layout>::Index> {
    ptr: NonNull<T>,
    mapping: StridedMapping<L, S>,
    memory: PhantomData<&'a [T]>,
}

/// An exclusive view whose strides are stored. Several of them may interleave in memory: each reaches its own elements,
/// with the padding at the upper borders of the tensor that it contains.
///
/// ```
/// use layout_core::layout::Nchw;
/// use layout_core::view::Tensor;
///
/// let mut t = Tensor::<f32, Nchw, _>::zeroed([2, 3, 8, 8])?;
/// std::thread::scope(|scope| -> Result<(), layout_core::view::ViewError> {
///     for (i, mut rows) in t.chunks_mut::<'h'>(3)?.enumerate() {
///         scope.spawn(move || rows.iter_mut().for_each(|x| *x = i as f32));
///     }
///     Ok(())
/// })?;
/// assert_eq!((t[[1, 2, 2, 0]], t[[1, 2, 3, 0]], t[[1, 2, 7, 0]]), (0.0, 1.0, 2.0));
/// # Ok::<(), layout_core::view::ViewError>(())
/// ```
///
/// Invariants, where there are elements at all:
/// 1. For every index in the padded extents, `ptr` plus its offset stays within one allocation, aligned, and, while `'a`
///    lasts, valid for reads and writes of an initialised element that nobody else reaches.
/// 2. The offsets of such indices are at most `isize::MAX` bytes.
/// 3. Different indices in the padded extents have different offsets.
pub struct StridedViewMut<'a, T, L: Layout, S = <L as Layout>::Index> {
    ptr: NonNull<T>,
    mapping: StridedMapping<L, S>,
    memory: PhantomData<&'a mut [T]>,
}

/// What memory that a [`Tensor`] owns is aligned to at least, in bytes: a cache line, and a vector of AVX-512.
pub const ALIGNMENT: usize = 64;

macro_rules! parts {
    ($name:ident, $mapping:ident) => {
        impl<'a, T, L: Layout, S> $name<'a, T, L, S> {
            /// The view from its parts.
            ///
            /// # Safety
            /// All invariants hold.
            #[inline(always)]
            pub(crate) unsafe fn from_parts(ptr: NonNull<T>, mapping: $mapping<L, S>) -> Self {
                $name { ptr, mapping, memory: PhantomData }
            }

            #[inline(always)]
            pub(super) fn ptr(&self) -> NonNull<T> {
                self.ptr
            }

            /// Where the elements are: the layout with its extents.
            #[inline(always)]
            pub fn mapping(&self) -> &$mapping<L, S> {
                &self.mapping
            }
        }
    };
}
parts!(TensorView, Mapping);
parts!(TensorViewMut, Mapping);
parts!(StridedView, StridedMapping);
parts!(StridedViewMut, StridedMapping);

impl<T, L: Layout, S: Copy> Clone for TensorView<'_, T, L, S> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<T, L: Layout, S: Copy> Copy for TensorView<'_, T, L, S> {}
impl<T, L: Layout, S: Copy> Clone for StridedView<'_, T, L, S> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<T, L: Layout, S: Copy> Copy for StridedView<'_, T, L, S> {}

// SAFETY: a shared view is a `&[T]` (invariant 1), which is `Send` where `T: Sync`; mappings hold numbers.
unsafe impl<T: Sync, L: Layout, S: Send> Send for TensorView<'_, T, L, S> {}
// SAFETY: as above.
unsafe impl<T: Sync, L: Layout, S: Sync> Sync for TensorView<'_, T, L, S> {}
// SAFETY: as above, of the elements in the padded extents.
unsafe impl<T: Sync, L: Layout, S: Send> Send for StridedView<'_, T, L, S> {}
// SAFETY: as above.
unsafe impl<T: Sync, L: Layout, S: Sync> Sync for StridedView<'_, T, L, S> {}
// SAFETY: an exclusive view is a `&mut [T]` (invariant 1), which is `Send` where `T: Send`.
unsafe impl<T: Send, L: Layout, S: Send> Send for TensorViewMut<'_, T, L, S> {}
// SAFETY: through a shared reference to the view there are shared references to the elements alone.
unsafe impl<T: Sync, L: Layout, S: Sync> Sync for TensorViewMut<'_, T, L, S> {}
// SAFETY: as for `TensorViewMut`: nobody else reaches the elements in the padded extents (invariant 1).
unsafe impl<T: Send, L: Layout, S: Send> Send for StridedViewMut<'_, T, L, S> {}
// SAFETY: as for `TensorViewMut`.
unsafe impl<T: Sync, L: Layout, S: Sync> Sync for StridedViewMut<'_, T, L, S> {}
// SAFETY: a tensor owns its elements (invariant 1) like a `Box<[T]>`.
unsafe impl<T: Send, L: Layout, S: Shape<L::Index>> Send for Tensor<T, L, S> {}
// SAFETY: as above.
unsafe impl<T: Sync, L: Layout, S: Shape<L::Index>> Sync for Tensor<T, L, S> {}

impl<T, L: Layout, S: Shape<L::Index>> Tensor<T, L, S> {
    /// Memory that is not initialised yet; `None` where it cannot be had.
    pub(super) fn allocate(mapping: Mapping<L, S>) -> Option<Tensor<MaybeUninit<T>, L, S>> {
        let ptr = memory::allocate(memory::layout_of::<T>(mapping.required_len())?)?.cast();
        // Invariant 1: what is uninitialised is a value of `MaybeUninit`. Invariant 2: `layout_of` checked it.
        Some(Tensor { ptr, mapping, memory: PhantomData })
    }

    #[inline(always)]
    pub(super) fn ptr(&self) -> NonNull<T> {
        self.ptr
    }

    /// Where the elements are: the layout with its extents.
    #[inline(always)]
    pub fn mapping(&self) -> &Mapping<L, S> {
        &self.mapping
    }

    /// The same memory under another mapping.
    ///
    /// # Safety
    /// Both mappings require the same number of elements.
    pub(crate) unsafe fn with_mapping<L2: Layout, S2: Shape<L2::Index>>(
        self,
        mapping: Mapping<L2, S2>,
    ) -> Tensor<T, L2, S2> {
        let ptr = self.ptr;
        core::mem::forget(self);
        Tensor { ptr, mapping, memory: PhantomData }
    }
}

impl<T, L: Layout, S: Shape<L::Index>> Tensor<MaybeUninit<T>, L, S> {
    /// The tensor once every element in memory is written, padding included.
    ///
    /// # Safety
    /// All [`required_len`](Tensor::required_len) elements, padding included, have been written.
    pub unsafe fn assume_init(self) -> Tensor<T, L, S> {
        let (ptr, mapping) = (self.ptr.cast(), self.mapping);
        core::mem::forget(self);
        // `MaybeUninit<T>` has the size and alignment of `T`, so that the allocation's layout is the same.
        Tensor { ptr, mapping, memory: PhantomData }
    }
}

impl<T, L: Layout, S: Shape<L::Index>> Drop for Tensor<T, L, S> {
    fn drop(&mut self) {
        // The elements are `Copy` (or `MaybeUninit`): there is nothing to drop but the memory.
        if let Some(layout) = memory::layout_of::<T>(self.mapping.required_len()) {
            // SAFETY: the memory came from `memory::allocate` with this layout (invariant 1).
            unsafe { memory::release(self.ptr.cast(), layout) }
        }
    }
}

/// The element at `offset`.
///
/// # Safety
/// `ptr + offset` is within one allocation, aligned, and readable for `'a`, and nobody writes there.
#[inline(always)]
pub(super) unsafe fn shared<'a, T>(ptr: NonNull<T>, offset: usize) -> &'a T {
    // SAFETY: the caller's promise.
    let at = unsafe { ptr.add(offset) };
    // SAFETY: the caller's promise.
    unsafe { at.as_ref() }
}

/// The element at `offset`.
///
/// # Safety
/// `ptr + offset` is within one allocation, aligned, and readable and writable for `'a`, and nobody else reaches it.
#[inline(always)]
pub(super) unsafe fn exclusive<'a, T>(ptr: NonNull<T>, offset: usize) -> &'a mut T {
    // SAFETY: the caller's promise.
    let mut at = unsafe { ptr.add(offset) };
    // SAFETY: the caller's promise.
    unsafe { at.as_mut() }
}

/// The `len` elements from `offset` on.
///
/// # Safety
/// As for [`shared`], for each of them.
#[inline(always)]
pub(super) unsafe fn shared_slice<'a, T>(ptr: NonNull<T>, offset: usize, len: usize) -> &'a [T] {
    // SAFETY: the caller's promise.
    let at = unsafe { ptr.add(offset) };
    // SAFETY: the caller's promise.
    unsafe { core::slice::from_raw_parts(at.as_ptr(), len) }
}

/// The `len` elements from `offset` on.
///
/// # Safety
/// As for [`exclusive`], for each of them.
#[inline(always)]
pub(super) unsafe fn exclusive_slice<'a, T>(ptr: NonNull<T>, offset: usize, len: usize) -> &'a mut [T] {
    // SAFETY: the caller's promise.
    let at = unsafe { ptr.add(offset) };
    // SAFETY: the caller's promise.
    unsafe { core::slice::from_raw_parts_mut(at.as_ptr(), len) }
}
