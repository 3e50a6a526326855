//! DLPack (feature `dlpack`): the C structure through which PyTorch, NumPy, JAX and others hand over tensors without a copy.
//! Tensors of plain layouts become one, and one becomes a view. The structures are those of the crate `dlpark`.

use crate::connect::tensor_bytes::plain;
use crate::connect::{ConnectError, TensorBytes};
use crate::descriptor::{DType, Element};
use crate::layout::Layout;
use crate::shape::Shape;
use crate::view::Tensor;
use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use dlpark::ffi::{DLDataType, DLDataTypeCode, DLDevice, DLDeviceType};
use dlpark::metadata::Dynamic;
use dlpark::{Managed, ManagedTensorBase};

fn library(error: impl core::error::Error + Send + Sync + 'static) -> ConnectError {
    ConnectError::library("dlpack", error)
}

/// `None` where elements share bytes, or no code stands for the type.
const fn code(dtype: DType) -> Option<DLDataType> {
    Some(match dtype {
        DType::F64 => DLDataType::F64,
        DType::F32 => DLDataType::F32,
        DType::F16 => DLDataType::scalar(DLDataTypeCode::FLOAT, 16),
        DType::Bf16 => DLDataType::scalar(DLDataTypeCode::BFLOAT, 16),
        DType::S32 => DLDataType::I32,
        DType::S8 => DLDataType::I8,
        DType::U8 => DLDataType::U8,
        DType::Boolean => DLDataType::scalar(DLDataTypeCode::BOOL, 8),
        DType::F8E5M2 => DLDataType::scalar(DLDataTypeCode::FLOAT8_E5M2, 8),
        DType::F8E4M3 => DLDataType::scalar(DLDataTypeCode::FLOAT8_E4M3FN, 8),
        DType::E8M0 => DLDataType::scalar(DLDataTypeCode::FLOAT8_E8M0FNU, 8),
        DType::S4 | DType::U4 | DType::F4E2M1 | DType::F4E3M0 => return None,
    })
}

#[cfg_attr(docsrs, doc(cfg(feature = "dlpack")))]
impl<T: Element, L: Layout, S: Shape<L::Index>> Tensor<T, L, S> {
    /// The tensor as a DLPack structure that owns it, without a copy: dimension `i` is logical axis `i`, with the strides of the
    /// layout. `M` is the structure, `DLManagedTensorVersioned` or the older `DLManagedTensor`; whoever ends up with it calls its
    /// deleter. Layouts with blocks are refused while compiling: reorder to a plain one first.
    ///
    /// # Errors
    /// [`ConnectError::Library`] where an extent or a stride does not fit the structure; [`ConnectError::Unsupported`] for
    /// [`Boolean`](crate::descriptor::Boolean), whose bytes need not be 0 or 1 as those of other libraries are: cast it to u8.
    ///
    /// ```
    /// use dlpark::ffi::DLManagedTensorVersioned;
    /// use layout_core::connect::TensorBytes;
    /// use layout_core::layout::{Nchw16c, Nhwc};
    /// use layout_core::view::Tensor;
    ///
    /// let image = Tensor::<u8, Nhwc>::from_vec([1, 3, 2, 2], (0..12).collect())?;
    /// let memory = image.as_slice().as_ptr();
    /// let shared = image.into_dlpack::<DLManagedTensorVersioned>()?;
    /// assert_eq!(shared.validate()?.shape(), [1, 3, 2, 2]);
    /// assert_eq!(shared.validate()?.strides(), Some(&[12, 1, 6, 3][..]));
    ///
    /// // SAFETY: the structure was made two lines above, and nobody writes its memory.
    /// let bytes = unsafe { TensorBytes::from_dlpack(&shared) }?;
    /// let view = bytes.view::<u8, Nhwc>()?;
    /// assert_eq!((view.as_ptr(), view[[0, 2, 1, 1]]), (memory, 11));
    /// let act: Tensor<f32, Nchw16c> = bytes.to_tensor()?;
    /// assert_eq!(act[[0, 2, 1, 1]], 11.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_dlpack<M: ManagedTensorBase>(mut self) -> Result<Managed<M>, ConnectError> {
        const {
            assert!(
                L::SPEC.len() == L::RANK,
                "DLPack has one stride an axis: this layout has blocks; reorder to a plain one first"
            );
        };
        let Some(code) = code(T::DTYPE).filter(|_| T::DTYPE != DType::Boolean) else {
            return Err(ConnectError::Unsupported { dtype: T::DTYPE, by: "DLPack" });
        };
        let data = if self.is_empty() { core::ptr::null_mut() } else { self.as_mut_ptr() };
        let (dims, strides) = (self.dims(), self.strides());
        let mut made = Dynamic::new(dims.as_ref(), strides.as_ref())
            .prepare_as::<M>()
            .map_err(library)?
            .initialize(Box::new(self));
        made.set_data(data.cast()).set_dtype(code).set_device(DLDevice::CPU);
        // SAFETY: the data is that of the tensor, which the structure owns: initialised, not reached by anybody else, writable,
        // and as long as extents and strides say.
        Ok(unsafe { made.finish() })
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "dlpack")))]
impl<'a> TensorBytes<'a> {
    /// The tensor of a DLPack structure, without a copy. The axes have no names; strides may be of any size and sign.
    ///
    /// # Errors
    /// [`ConnectError::Library`] where the structure contradicts itself; [`ConnectError::Device`] for memory that is not the
    /// host's; [`ConnectError::ElementType`] for a type without a [`DType`], such as int64; [`ConnectError::Descriptor`] for
    /// strides that do not nest.
    ///
    /// # Safety
    /// The structure's pointers are as DLPack demands, and while `'a` lasts the memory from the lowest to the highest element
    /// can be read, is initialised, and is written by nobody.
    pub unsafe fn from_dlpack<M: ManagedTensorBase>(managed: &'a Managed<M>) -> Result<Self, ConnectError> {
        let tensor = managed.validate().map_err(library)?;
        let device = tensor.device();
        if device.device_type != DLDeviceType::CPU {
            let found = format!("device {} of DLPack type {}", device.device_id, device.device_type.0);
            return Err(ConnectError::Device { found });
        }
        let found = tensor.dtype();
        let Some(dtype) =
            DType::ALL.into_iter().find(|&dtype| code(dtype).is_some_and(|code| code.matches(found)))
        else {
            let found = format!("DLPack code {} of {} bits x {}", found.code.0, found.bits, found.lanes);
            return Err(ConnectError::ElementType { found });
        };
        let mut dims = Vec::new();
        for (axis, &extent) in tensor.shape().iter().enumerate() {
            dims.push(usize::try_from(extent).map_err(|_| ConnectError::Extent {
                axis,
                extent: extent.unsigned_abs(),
                limit: usize::MAX as u64,
            })?);
        }
        let mut strides = Vec::new();
        for (axis, &stride) in tensor.strides_or_compact().map_err(library)?.iter().enumerate() {
            strides.push(isize::try_from(stride).map_err(|_| ConnectError::Extent {
                axis,
                extent: stride.unsigned_abs(),
                limit: isize::MAX as u64,
            })?);
        }
        let descriptor = plain(dtype, &dims, &strides)?;
        if descriptor.is_empty() {
            return TensorBytes::new(&descriptor, &[]);
        }
        // SAFETY: the caller's promise.
        let first = unsafe { tensor.offset_bytes_ptr() }.map_err(library)?;
        // SAFETY: the lowest element is so many elements before the first; both are the structure's.
        let lowest = unsafe { first.sub(descriptor.base() * dtype.size()) };
        // SAFETY: the caller's promise: the memory from the lowest element to the highest.
        let bytes = unsafe { core::slice::from_raw_parts(lowest, descriptor.size_bytes()) };
        TensorBytes::new(&descriptor, bytes)
    }
}
