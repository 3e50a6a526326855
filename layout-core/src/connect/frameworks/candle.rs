//! candle (feature `candle`): its tensors, whatever their strides, in any layout, and back. Both ways copy: a candle tensor may
//! be shared and owns its memory. Members of the view types; users call them.

use crate::connect::{ConnectError, Rows, TensorBytes};
use crate::descriptor::{DType, Element, bytes_of};
use crate::layout::Layout;
use crate::shape::Shape;
use crate::view::{StridedView, Tensor, TensorView};
use alloc::format;
use alloc::vec::Vec;
use candle_core::{CpuStorage, Device, Storage};

fn library(error: candle_core::Error) -> ConnectError {
    ConnectError::library("candle", error)
}

#[cfg_attr(docsrs, doc(cfg(feature = "candle")))]
impl<T: Element, L: Layout> Tensor<T, L> {
    /// The elements of a candle tensor in any layout, converted to `T`: dimension `i` is logical axis `i`. Tensors of other
    /// devices are copied to the host first; views with strides, such as those of `permute` and `narrow`, need not be
    /// contiguous.
    ///
    /// # Errors
    /// [`ConnectError::ElementType`] for a type that is not taken, such as U32;
    /// [`ViewError::Rank`](crate::view::ViewError::Rank) for another number of dimensions;
    /// [`ConnectError::Library`] where the copy from a device fails.
    ///
    /// ```
    /// use candle_core::Device;
    /// use layout_core::layout::{Nchw16c, Nhwc};
    /// use layout_core::view::Tensor;
    ///
    /// let pixels = candle_core::Tensor::arange(0f32, 12., &Device::Cpu)?.reshape((1, 2, 2, 3))?;
    /// // Its dimensions are n, h, w, c; permuted, they are the logical order n, c, h, w.
    /// let act = Tensor::<f32, Nchw16c>::from_candle(&pixels.permute((0, 3, 1, 2))?)?;
    /// assert_eq!((act.dims(), act[[0, 2, 1, 1]]), ([1, 3, 2, 2], 11.0));
    ///
    /// let back = act.to_candle(&Device::Cpu)?;
    /// assert_eq!(back.dims(), [1, 3, 2, 2]);
    /// assert_eq!(back.permute((0, 2, 3, 1))?.flatten_all()?.to_vec1::<f32>()?, pixels.flatten_all()?.to_vec1::<f32>()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_candle(tensor: &candle_core::Tensor) -> Result<Self, ConnectError> {
        let host = tensor.to_device(&Device::Cpu).map_err(library)?;
        let (storage, layout) = host.storage_and_layout();
        let Storage::Cpu(storage) = &*storage else {
            return Err(ConnectError::Device { found: format!("{:?}", tensor.device()) });
        };
        let (dtype, bytes) = match storage {
            CpuStorage::F64(data) => (DType::F64, bytes_of(data)),
            CpuStorage::F32(data) => (DType::F32, bytes_of(data)),
            CpuStorage::F16(data) => (DType::F16, bytes_of(data)),
            CpuStorage::BF16(data) => (DType::Bf16, bytes_of(data)),
            CpuStorage::I32(data) => (DType::S32, bytes_of(data)),
            CpuStorage::U8(data) => (DType::U8, bytes_of(data)),
            _ => return Err(ConnectError::ElementType { found: format!("{:?}", host.dtype()) }),
        };
        // Below `isize::MAX`, as offsets into memory are.
        let strides: Vec<isize> = layout.stride().iter().map(|&stride| stride as isize).collect();
        let start = layout.start_offset().saturating_mul(dtype.size());
        TensorBytes::from_strides(dtype, layout.dims(), &strides, bytes.get(start..).unwrap_or(&[]))?
            .to_tensor()
    }
}

macro_rules! to_candle {
    ($($name:ident<$($life:lifetime,)? T, L, S>;)*) => {$(
        #[cfg_attr(docsrs, doc(cfg(feature = "candle")))]
        impl<$($life,)? T: Element, L: Layout, S: Shape<L::Index>> $name<$($life,)? T, L, S> {
            /// The elements as a contiguous candle tensor on `device`: logical axis `i` is dimension `i`.
            ///
            /// # Errors
            /// [`ConnectError::Unsupported`] for i8, booleans and 8-bit floats; [`ConnectError::Library`] where it cannot
            /// be brought to the device.
            pub fn to_candle(&self, device: &Device) -> Result<candle_core::Tensor, ConnectError> {
                let dtype = match T::DTYPE {
                    DType::F64 => candle_core::DType::F64,
                    DType::F32 => candle_core::DType::F32,
                    DType::F16 => candle_core::DType::F16,
                    DType::Bf16 => candle_core::DType::BF16,
                    DType::S32 => candle_core::DType::I32,
                    DType::U8 => candle_core::DType::U8,
                    other => return Err(ConnectError::Unsupported { dtype: other, by: "candle" }),
                };
                let rows = Rows::of(self)?;
                candle_core::Tensor::from_raw_buffer(rows.bytes(), dtype, rows.dims(), device).map_err(library)
            }
        }
    )*};
}
to_candle! {
    StridedView<'a, T, L, S>;
    TensorView<'a, T, L, S>;
    Tensor<T, L, S>;
}
