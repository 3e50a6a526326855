//! [`Rows`]: the elements of a tensor in row-major logical order, as files and frameworks take them. Borrowed where they lie
//! so, made by a reorder elsewhere.

use super::ConnectError;
use super::tensor_bytes::rows;
use crate::descriptor::{DType, Descriptor, Element};
use crate::reorder::{Reorder, ReorderError};
use crate::view::{View, ViewError, describe};
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// The logical elements of a tensor, row-major (the last axis runs fastest), as bytes in the order of this machine.
///
/// ```
/// use layout_core::connect::Rows;
/// use layout_core::layout::{Nchw16c, Nhwc};
/// use layout_core::view::Tensor;
///
/// let blocked = Tensor::<u8, Nchw16c>::from_logical([1, 2, 1, 3], &[1, 2, 3, 4, 5, 6])?;
/// let rows = Rows::of(&blocked)?;
/// assert_eq!((rows.dims(), rows.bytes()), (&[1, 2, 1, 3][..], &[1, 2, 3, 4, 5, 6][..]));
/// // What lies in rows already is not copied.
/// let one_channel = Tensor::<u8, Nhwc>::from_vec([1, 1, 2, 2], vec![1, 2, 3, 4])?;
/// assert!(Rows::of(&one_channel)?.is_borrowed());
/// # Ok::<(), layout_core::connect::ConnectError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rows<'a> {
    descriptor: Descriptor,
    bytes: Cow<'a, [u8]>,
}

impl<'a> Rows<'a> {
    /// The elements of `view`.
    ///
    /// # Errors
    /// [`ViewError::Memory`] where a copy is needed and there is no memory for it; [`ConnectError::Reorder`] where the
    /// strides of the view make no descriptor.
    pub fn of<V: View<Elem: Element>>(view: &'a V) -> Result<Self, ConnectError> {
        let (src, descriptor) = descriptors(view)?;
        if src.same_bytes(&descriptor) {
            // SAFETY: the elements follow one another from the first on, none of them missing, and `view` is borrowed.
            let bytes =
                unsafe { core::slice::from_raw_parts(view.as_ptr().cast::<u8>(), descriptor.size_bytes()) };
            return Ok(Rows { descriptor, bytes: Cow::Borrowed(bytes) });
        }
        // SAFETY: the view can be read as its descriptor says; bytes are a whole number of elements.
        let bytes = unsafe { gather::<u8>(&src, &descriptor, view.as_ptr().cast()) }?;
        Ok(Rows { descriptor, bytes: Cow::Owned(bytes) })
    }

    /// What describes the elements: rows of axes without names.
    pub fn descriptor(&self) -> &Descriptor {
        &self.descriptor
    }

    /// The extents in logical order.
    pub fn dims(&self) -> &[usize] {
        self.descriptor.dims()
    }

    /// The data type of the elements.
    pub fn dtype(&self) -> DType {
        self.descriptor.dtype()
    }

    /// The elements.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The elements, copied where they are borrowed.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes.into_owned()
    }

    /// Whether nothing was copied.
    pub fn is_borrowed(&self) -> bool {
        matches!(self.bytes, Cow::Borrowed(_))
    }
}

/// The elements of `view` in row-major logical order.
#[cfg_attr(
    not(feature = "ndarray"),
    allow(dead_code, reason = "called by the integrations that are compiled in")
)]
pub(super) fn to_vec<V: View<Elem: Element>>(view: &V) -> Result<Vec<V::Elem>, ConnectError> {
    let (src, dst) = descriptors(view)?;
    // SAFETY: the view can be read as its descriptor says.
    unsafe { gather(&src, &dst, view.as_ptr().cast()) }
}

/// What describes `view`, and its elements in rows.
fn descriptors<V: View<Elem: Element>>(view: &V) -> Result<(Descriptor, Descriptor), ConnectError> {
    let dtype = V::Elem::DTYPE;
    let src = describe(view, dtype).map_err(ReorderError::Algebra)?;
    Ok((src, rows(dtype, view.dims().as_ref()).map_err(ConnectError::Descriptor)?))
}

/// A vector of the elements of `src`, whose offset 0 is at `first`, in the order of `dst`.
///
/// # Safety
/// The elements of `src` can be read from `first` on. `T` is `u8` or the element type of both.
pub(super) unsafe fn gather<T: Element>(
    src: &Descriptor,
    dst: &Descriptor,
    first: *const u8,
) -> Result<Vec<T>, ConnectError> {
    let plan = Reorder::new(src, dst)?;
    let bytes = dst.size_bytes();
    let len = bytes / size_of::<T>();
    let mut out: Vec<T> = Vec::new();
    out.try_reserve_exact(len).map_err(|_| ViewError::Memory { bytes })?;
    // SAFETY: the source is the caller's promise; the vector has room for what the destination's descriptor says.
    unsafe { plan.run_ptr(first, out.as_mut_ptr().cast()) };
    // SAFETY: the plan wrote every element of a descriptor without gaps.
    unsafe { out.set_len(len) };
    Ok(out)
}
