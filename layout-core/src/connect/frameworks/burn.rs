//! burn (feature `burn`): the `TensorData` that every backend's tensors are made from and turned into, in any layout. Members of
//! the view types; users call them.

use crate::connect::rows::to_vec;
use crate::connect::{ConnectError, TensorBytes};
use crate::descriptor::{DType, Element};
use crate::layout::Layout;
use crate::shape::Shape;
use crate::view::{StridedView, Tensor, TensorView};
use alloc::format;
use burn_std::TensorData;

/// Without a copy: the axes have no names.
#[cfg_attr(docsrs, doc(cfg(feature = "burn")))]
impl<'a> TryFrom<&'a TensorData> for TensorBytes<'a> {
    type Error = ConnectError;

    /// # Errors
    /// [`ConnectError::ElementType`] for a type that is not taken, such as I64, Bool and quantised ones.
    fn try_from(data: &'a TensorData) -> Result<Self, ConnectError> {
        let dtype = match data.dtype() {
            burn_std::DType::F64 => DType::F64,
            burn_std::DType::F32 => DType::F32,
            burn_std::DType::F16 => DType::F16,
            burn_std::DType::BF16 => DType::Bf16,
            burn_std::DType::I32 => DType::S32,
            burn_std::DType::I8 => DType::S8,
            burn_std::DType::U8 => DType::U8,
            other => return Err(ConnectError::ElementType { found: format!("{other:?}") }),
        };
        TensorBytes::from_rows(dtype, data.shape().as_slice(), data.as_bytes())
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "burn")))]
impl<T: Element, L: Layout> Tensor<T, L> {
    /// The elements of a burn tensor's data (`tensor.into_data()`) in any layout, converted to `T`: dimension `i` is logical
    /// axis `i`. `TensorBytes::try_from` gives a view without a copy.
    ///
    /// # Errors
    /// [`ConnectError::ElementType`] for a type that is not taken, such as I64, Bool and quantised ones;
    /// [`ViewError::Rank`](crate::view::ViewError::Rank) for another number of dimensions.
    ///
    /// ```
    /// use burn_std::TensorData; // `burn::tensor::TensorData` is the same type
    /// use layout_core::layout::{Nchw, Nchw8c};
    /// use layout_core::view::Tensor;
    ///
    /// let data = TensorData::new((0..12).map(|i| i as f32).collect(), [1, 3, 2, 2]);
    /// let act = Tensor::<f32, Nchw8c>::from_burn(&data)?;
    /// assert_eq!(act.blocks()[3][..4], [3.0, 7.0, 11.0, 0.0]);
    /// assert_eq!(act.to_burn()?, data);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_burn(data: &TensorData) -> Result<Self, ConnectError> {
        TensorBytes::try_from(data)?.to_tensor()
    }
}

macro_rules! to_burn {
    ($($name:ident<$($life:lifetime,)? T, L, S>;)*) => {$(
        #[cfg_attr(docsrs, doc(cfg(feature = "burn")))]
        impl<$($life,)? T: Element + burn_std::Element, L: Layout, S: Shape<L::Index>> $name<$($life,)? T, L, S> {
            /// The elements as the data of a burn tensor (`Tensor::from_data`): logical axis `i` is dimension `i`.
            ///
            /// # Errors
            /// [`ViewError::Memory`](crate::view::ViewError::Memory) where there is no memory for it.
            pub fn to_burn(&self) -> Result<TensorData, ConnectError> {
                Ok(TensorData::new(to_vec(self)?, self.dims().as_ref()))
            }
        }
    )*};
}
to_burn! {
    StridedView<'a, T, L, S>;
    TensorView<'a, T, L, S>;
    Tensor<T, L, S>;
}
