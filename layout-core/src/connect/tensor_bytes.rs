//! [`TensorBytes`]: foreign memory with what describes it, and the ways from there to typed views and tensors. Every
//! integration makes one, or calls the functions below that it is made of.

use super::ConnectError;
use crate::descriptor::{DType, Descriptor, DescriptorError, Element, bytes_of};
use crate::grammar::{MAX_RANK, Spec};
use crate::layout::Layout;
use crate::reorder::Reorder;
use crate::shape::{IndexArray, Shape};
use crate::view::{StridedView, Tensor, TensorView, ViewError};
use alloc::boxed::Box;

/// A tensor in memory of somebody else: a descriptor and bytes. What a file or another library holds, before a layout is
/// asked for.
///
/// ```
/// use layout_core::connect::TensorBytes;
/// use layout_core::descriptor::DType;
/// use layout_core::layout::{Nchw8c, Nhwc};
/// use layout_core::view::Tensor;
///
/// // 1 x 3 x 2 x 2 with the strides of nhwc.
/// let bytes: Vec<u8> = (0..12).collect();
/// let foreign = TensorBytes::from_strides(DType::U8, &[1, 3, 2, 2], &[12, 1, 6, 3], &bytes)?;
/// let image = foreign.view::<u8, Nhwc>()?;
/// assert_eq!(image[[0, 2, 1, 1]], 11);
/// let blocked: Tensor<f32, Nchw8c> = foreign.to_tensor()?;
/// assert_eq!(blocked.blocks()[3], [9.0, 10.0, 11.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
/// # Ok::<(), layout_core::connect::ConnectError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TensorBytes<'a> {
    descriptor: Descriptor,
    bytes: &'a [u8],
}

impl<'a> TensorBytes<'a> {
    /// The tensor that `descriptor` describes in `bytes`, which begin with offset 0 and may go on behind it. No alignment is
    /// needed here; views need that of their elements.
    ///
    /// # Errors
    /// [`ViewError::ByteLength`] for less memory than that.
    pub fn new(descriptor: &Descriptor, bytes: &'a [u8]) -> Result<Self, ConnectError> {
        let expected = descriptor.size_bytes();
        if bytes.len() < expected {
            return Err(ViewError::ByteLength { expected, found: bytes.len() }.into());
        }
        Ok(TensorBytes { descriptor: *descriptor, bytes })
    }

    /// Elements in row-major logical order, as C has them, without gaps; the axes have no names.
    ///
    /// # Errors
    /// [`ConnectError::Descriptor`] for extents that no memory holds; [`ViewError::ByteLength`] for less memory.
    pub fn from_rows(dtype: DType, dims: &[usize], bytes: &'a [u8]) -> Result<Self, ConnectError> {
        Self::new(&rows(dtype, dims)?, bytes)
    }

    /// Elements with a stride an axis, in elements, the last one fastest or any other; the axes have no names. Strides may be
    /// negative: `bytes` begins with the element that is lowest in memory.
    ///
    /// # Errors
    /// [`ConnectError::Descriptor`] for strides that do not nest; [`ViewError::ByteLength`] for less memory.
    pub fn from_strides(
        dtype: DType,
        dims: &[usize],
        strides: &[isize],
        bytes: &'a [u8],
    ) -> Result<Self, ConnectError> {
        Self::new(&plain(dtype, dims, strides)?, bytes)
    }

    /// The memory of one of our own tensors, padding included.
    ///
    /// # Errors
    /// [`ViewError::Size`] where the layout has more digits than a descriptor stores strides for.
    pub fn of<T: Element, L: Layout, S: Shape<L::Index>>(
        view: &TensorView<'a, T, L, S>,
    ) -> Result<Self, ConnectError> {
        Self::new(&view.descriptor()?, bytes_of(view.as_slice()))
    }

    /// What describes the memory.
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

    /// The memory, from offset 0 of the descriptor on.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The memory as a dense view, without a copy.
    ///
    /// # Errors
    /// Those of [`TensorView::from_descriptor`]: another element type, rank or layout, or memory that is not aligned to an
    /// element. [`to_tensor`](Self::to_tensor) takes what this refuses.
    pub fn view<T: Element, L: Layout>(&self) -> Result<TensorView<'a, T, L>, ConnectError> {
        let end = self.descriptor.size_bytes();
        Ok(TensorView::from_descriptor(&self.named::<L>()?, &self.bytes[..end])?)
    }

    /// The memory as a view with stored strides, without a copy.
    ///
    /// # Errors
    /// Those of [`StridedView::from_descriptor`]; [`DescriptorError::Order`] where the strides are in another order than the
    /// letters of the layout.
    pub fn strided_view<T: Element, L: Layout>(&self) -> Result<StridedView<'a, T, L>, ConnectError> {
        Ok(StridedView::from_descriptor(&self.named::<L>()?, self.bytes)?)
    }

    /// A new tensor with the elements in any layout, converted to `T`. Axes without names take those of the layout.
    ///
    /// # Errors
    /// [`ViewError::Rank`] and [`ReorderError::AxisName`](crate::reorder::ReorderError::AxisName) where the axes are others; [`ViewError::Size`] and
    /// [`ViewError::Memory`].
    pub fn to_tensor<T: Element, L: Layout>(&self) -> Result<Tensor<T, L>, ConnectError> {
        // SAFETY: the bytes are at least as long as the descriptor says, borrowed, and without invalid values.
        unsafe { tensor_from::<T, L>(&self.descriptor, self.bytes.as_ptr()) }
    }

    /// The descriptor with the digits and names of `L` where it has neither: where it is plain, and its axes `abc…`.
    fn named<L: Layout>(&self) -> Result<Descriptor, ConnectError> {
        let d = &self.descriptor;
        let anonymous = (0..d.rank()).all(|a| d.spec().axis_name(a) == Some(char::from(b'a' + a as u8)));
        if d.rank() != L::RANK || !d.is_plain() || L::SPEC.len() != L::RANK || !anonymous {
            return Ok(*d);
        }
        named(d, L::SPEC)
    }
}

/// Plain `d` with the digits and names of plain `spec`.
pub(super) fn named(d: &Descriptor, spec: Spec) -> Result<Descriptor, ConnectError> {
    let mut single = [0; MAX_RANK];
    let single = &mut single[..d.rank()];
    single.copy_from_slice(d.dims());
    // An axis that was broadcast is stated with extent 1 first: strides are different from 0 elsewhere.
    for (axis, extent) in single.iter_mut().enumerate() {
        if d.is_broadcast(axis) {
            *extent = 1;
        }
    }
    let mut out = Descriptor::from_parts(d.dtype(), single, spec, &d.strides(), d.base())?;
    for (axis, &extent) in d.dims().iter().enumerate() {
        if single[axis] != extent {
            out = out.broadcast(axis, extent).map_err(crate::reorder::ReorderError::Algebra)?;
        }
    }
    Ok(out)
}

/// The descriptor of anonymous axes in row-major order.
pub(super) fn rows(dtype: DType, dims: &[usize]) -> Result<Descriptor, DescriptorError> {
    let mut spec = Spec::SCALAR;
    anonymous_axes(&mut spec, dims.len())?;
    for axis in 0..dims.len() {
        // Each axis of the rank is placed once.
        let _ = spec.push_top(axis, 1);
    }
    Descriptor::from_spec(dtype, dims, spec).map_err(DescriptorError::Size)
}

fn anonymous_axes(spec: &mut Spec, rank: usize) -> Result<(), DescriptorError> {
    if rank > MAX_RANK {
        return Err(DescriptorError::TooManyAxes { found: rank });
    }
    for axis in 0..rank {
        // New letters within the largest rank are never refused.
        let _ = spec.push_axis(b'a' + axis as u8);
    }
    Ok(())
}

/// The descriptor of anonymous axes with `strides` in elements, of any sign, whose base makes the lowest element that at
/// offset 0. Axes of stride 0 are broadcast.
pub(super) fn plain(dtype: DType, dims: &[usize], strides: &[isize]) -> Result<Descriptor, DescriptorError> {
    let rank = dims.len();
    let mut spec = Spec::SCALAR;
    anonymous_axes(&mut spec, rank)?;
    if strides.len() != rank {
        return Err(DescriptorError::StrideCount { expected: rank, found: strides.len() });
    }
    let mut order = [0; MAX_RANK];
    let order = &mut order[..rank];
    order.iter_mut().enumerate().for_each(|(at, axis)| *axis = at);
    order.sort_by_key(|&axis| core::cmp::Reverse(strides[axis].unsigned_abs()));
    for &axis in &*order {
        let _ = spec.push_top(axis, 1);
    }
    let mut single = [0; MAX_RANK];
    let single = &mut single[..rank];
    let mut base = 0usize;
    let empty = dims.contains(&0);
    for axis in 0..rank {
        single[axis] = if strides[axis] == 0 && !empty { 1 } else { dims[axis] };
        if strides[axis] < 0 && !empty {
            // Saturates for no memory that there is; the descriptor refuses it.
            base = base.saturating_add((dims[axis] - 1).saturating_mul(strides[axis].unsigned_abs()));
        }
    }
    let mut out = Descriptor::from_parts(dtype, single, spec, strides, base)?;
    for (axis, &extent) in dims.iter().enumerate() {
        if single[axis] != extent {
            out = match out.broadcast(axis, extent) {
                Ok(out) => out,
                Err(crate::descriptor::AlgebraError::Descriptor(error)) => return Err(error),
                Err(_) => {
                    return Err(DescriptorError::ZeroStride { axis: char::from(b'a' + axis as u8), extent });
                }
            };
        }
    }
    Ok(out)
}

/// A new tensor with the elements that `src` describes, `first` being at its offset 0.
///
/// # Safety
/// The elements of `src` can be read from `first` on while this runs, and nobody writes them.
pub(super) unsafe fn tensor_from<T: Element, L: Layout>(
    src: &Descriptor,
    first: *const u8,
) -> Result<Tensor<T, L>, ConnectError> {
    let mut dims = L::Index::ZERO;
    if src.rank() != L::RANK {
        return Err(ViewError::Rank { expected: L::RANK, found: src.rank() }.into());
    }
    dims.as_mut().copy_from_slice(src.dims());
    let plan = Reorder::new(src, &L::descriptor(T::DTYPE, dims)?)?;
    let mut out = Tensor::<T, L>::uninit(dims)?;
    // SAFETY: the source is the caller's promise; the destination is new memory of the size that its descriptor says.
    unsafe { plan.run_ptr(first, out.as_mut_ptr().cast()) };
    // SAFETY: the plan wrote all elements and all padding; every bit pattern is an `Element`.
    Ok(unsafe { out.assume_init() })
}

/// The error for memory that is not one stride an axis.
#[cfg_attr(
    not(feature = "ndarray"),
    allow(dead_code, reason = "called by the integrations that are compiled in")
)]
pub(super) fn not_plain(descriptor: &Descriptor) -> ConnectError {
    ConnectError::NotPlain { descriptor: Box::new(*descriptor) }
}
