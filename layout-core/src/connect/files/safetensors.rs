//! safetensors (feature `safetensors`): tensors of a file, which may be mapped, as views without a copy; and files written from
//! tensors of any layout, whose elements stand there in row-major logical order. The file itself is read and written by the
//! crate `safetensors`.

use super::{swapped, truths};
use crate::connect::{ConnectError, Rows, TensorBytes};
use crate::descriptor::{DType, Element};
use crate::layout::Layout;
use crate::view::Tensor;
use ::safetensors::tensor::TensorView as FileTensor;
use ::safetensors::{Dtype, SafeTensors, View};
use alloc::borrow::Cow;
use alloc::format;

/// Elements of more than one byte are little-endian in the file.
const SWAPS: bool = cfg!(target_endian = "big");

#[cfg_attr(docsrs, doc(cfg(feature = "safetensors")))]
impl TryFrom<Dtype> for DType {
    type Error = ConnectError;

    /// # Errors
    /// [`ConnectError::ElementType`] for a type without a [`DType`], such as I64.
    fn try_from(found: Dtype) -> Result<DType, ConnectError> {
        Ok(match found {
            Dtype::F64 => DType::F64,
            Dtype::F32 => DType::F32,
            Dtype::F16 => DType::F16,
            Dtype::BF16 => DType::Bf16,
            Dtype::I32 => DType::S32,
            Dtype::I8 => DType::S8,
            Dtype::U8 => DType::U8,
            Dtype::BOOL => DType::Boolean,
            Dtype::F8_E5M2 => DType::F8E5M2,
            Dtype::F8_E4M3 => DType::F8E4M3,
            Dtype::F8_E8M0 => DType::E8M0,
            Dtype::F4 => DType::F4E2M1,
            other => return Err(ConnectError::ElementType { found: format!("{other:?}") }),
        })
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "safetensors")))]
impl TryFrom<DType> for Dtype {
    type Error = ConnectError;

    /// # Errors
    /// [`ConnectError::Unsupported`] for a type that safetensors files do not have: u4, s4 and f4_e3m0.
    fn try_from(dtype: DType) -> Result<Dtype, ConnectError> {
        Ok(match dtype {
            DType::F64 => Dtype::F64,
            DType::F32 => Dtype::F32,
            DType::F16 => Dtype::F16,
            DType::Bf16 => Dtype::BF16,
            DType::S32 => Dtype::I32,
            DType::S8 => Dtype::I8,
            DType::U8 => Dtype::U8,
            DType::Boolean => Dtype::BOOL,
            DType::F8E5M2 => Dtype::F8_E5M2,
            DType::F8E4M3 => Dtype::F8_E4M3,
            DType::E8M0 => Dtype::F8_E8M0,
            DType::F4E2M1 => Dtype::F4,
            DType::S4 | DType::U4 | DType::F4E3M0 => {
                return Err(ConnectError::Unsupported { dtype, by: "safetensors" });
            }
        })
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "safetensors")))]
impl<'a> TensorBytes<'a> {
    /// The tensor called `name` of a file, without a copy. The axes have no names.
    ///
    /// Elements stand where the file has them: `view` needs them aligned, which files written with padded headers (as the crate
    /// `safetensors` writes them) give to types of up to 8 bytes, mapped or read to aligned memory. `to_tensor` does not.
    ///
    /// # Errors
    /// [`ConnectError::Library`] where there is no such tensor; [`ConnectError::ElementType`] for a type without a
    /// [`DType`], such as I64; [`ConnectError::ByteOrder`] on a big-endian machine, for elements of several bytes.
    ///
    /// ```
    /// use layout_core::connect::{Rows, TensorBytes};
    /// use layout_core::layout::{OIhw8i8o, Oihw};
    /// use layout_core::view::{Tensor, TensorView};
    /// use safetensors::SafeTensors;
    ///
    /// let weights = Tensor::<f32, OIhw8i8o>::from_fn([4, 3, 3, 3], |[o, i, h, w]| (81 * o + 27 * i + 3 * h + w) as f32)?;
    /// let file = safetensors::serialize([("conv1.weight", Rows::of(&weights)?)], None)?;
    ///
    /// let tensors = SafeTensors::deserialize(&file)?;
    /// let found = TensorBytes::from_safetensors(&tensors, "conv1.weight")?;
    /// assert_eq!(found.descriptor().to_string(), "f32:abcd:4x3x3x3");
    /// let blocked: Tensor<f32, OIhw8i8o> = found.to_tensor()?;
    /// assert_eq!(blocked.as_slice(), weights.as_slice());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_safetensors(file: &SafeTensors<'a>, name: &str) -> Result<Self, ConnectError> {
        file.tensor(name).map_err(|error| ConnectError::library("safetensors", error))?.try_into()
    }
}

/// Without a copy.
#[cfg_attr(docsrs, doc(cfg(feature = "safetensors")))]
impl<'a> TryFrom<FileTensor<'a>> for TensorBytes<'a> {
    type Error = ConnectError;

    fn try_from(tensor: FileTensor<'a>) -> Result<Self, ConnectError> {
        let dtype = DType::try_from(tensor.dtype())?;
        if SWAPS && dtype.size() > 1 {
            return Err(ConnectError::ByteOrder { big_endian: false });
        }
        TensorBytes::from_rows(dtype, tensor.shape(), tensor.data())
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "safetensors")))]
impl<T: Element, L: Layout> Tensor<T, L> {
    /// The tensor called `name` of a file in any layout, converted to `T`, on machines of either byte order.
    ///
    /// # Errors
    /// [`ConnectError::Library`] where there is no such tensor; [`ConnectError::ElementType`]; and those of
    /// [`TensorBytes::to_tensor`].
    pub fn from_safetensors(file: &SafeTensors<'_>, name: &str) -> Result<Self, ConnectError> {
        let tensor = file.tensor(name).map_err(|error| ConnectError::library("safetensors", error))?;
        let dtype = DType::try_from(tensor.dtype())?;
        let bytes =
            if SWAPS { swapped(tensor.data(), dtype.size()).into() } else { Cow::Borrowed(tensor.data()) };
        TensorBytes::from_rows(dtype, tensor.shape(), &bytes)?.to_tensor()
    }
}

/// For `safetensors::serialize` and `safetensors::serialize_to_file`.
#[cfg_attr(docsrs, doc(cfg(feature = "safetensors")))]
impl View for Rows<'_> {
    fn dtype(&self) -> Dtype {
        // Rows hold elements of a Rust type, and none is of those that the file does not have.
        self.dtype().try_into().unwrap_or(Dtype::U8)
    }
    fn shape(&self) -> &[usize] {
        self.dims()
    }
    fn data(&self) -> Cow<'_, [u8]> {
        match SWAPS && self.dtype().size() > 1 {
            true => swapped(self.bytes(), self.dtype().size()).into(),
            false => truths(self.dtype(), self.bytes()),
        }
    }
    fn data_len(&self) -> usize {
        self.bytes().len()
    }
}
