//! Tensors that other libraries and files hold, each behind the feature of its name. What they all come down to is plain
//! memory described by extents and strides ([`TensorBytes`]) and rows of elements ([`Rows`]); nothing above this room
//! knows it.
//!
//! | feature | what goes to and fro |
//! |---|---|
//! | `ndarray` | `ArrayView` and `ArrayViewMut` without a copy; `Array` by a reorder |
//! | `image` | `ImageBuffer` of any pixel as a view without a copy; batches, other layouts and types by a reorder |
//! | `bytemuck` | bytes as views of any plain-old-data type, and back |
//! | `half` | the element types `half::f16` and `half::bf16` |
//! | `serde` | a descriptor as its text, a tensor as its text and its elements |
//! | `safetensors` | tensors of a file as views without a copy; files written |
//! | `npy` | NumPy's `.npy` files: views without a copy, and files written |
//! | `dlpack` | DLPack structures of PyTorch, NumPy and others, without a copy in both directions |
//! | `candle` | `candle_core::Tensor`, whatever its strides |
//! | `burn` | `burn_tensor::TensorData` |
//!
//! The axes of a foreign tensor have no names. They are the logical axes of the layout that is asked for, in logical order:
//! an array of extents 1 x 3 x 224 x 224 is an `nchw`, and also an `nhwc` where its strides are those of one. For an array
//! whose *axes* are n, h, w, c write them before the arrow of the format, and permute the view for free:
//!
//! ```
//! use layout_core::connect::TensorBytes;
//! use layout_core::descriptor::DType;
//! use layout_core::layout::{Dim, Format, Nchw, Nhwc};
//! use layout_core::view::{Tensor, TensorView};
//!
//! // What `layout!("nhwc => nhwc")` writes: the axes are given in the order in which they lie.
//! type Rows = Format<(Dim<'n'>, Dim<'h'>, Dim<'w'>, Dim<'c'>), (Dim<'n'>, Dim<'h'>, Dim<'w'>, Dim<'c'>)>;
//!
//! let bytes: Vec<u8> = (0..24).collect();
//! let foreign = TensorBytes::from_rows(DType::U8, &[1, 2, 4, 3], &bytes)?;
//! let image: TensorView<'_, u8, Nhwc> = foreign.view::<u8, Rows>()?.permute_axes::<Nhwc>();
//! assert_eq!(image.dims(), [1, 3, 2, 4]);
//! assert_eq!(image[[0, 2, 1, 3]], 23);
//! let planes: Tensor<f32, Nchw> = image.convert();
//! assert_eq!(planes.as_slice()[..4], [0.0, 3.0, 6.0, 9.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod files;
mod frameworks;
mod rows;
mod tensor_bytes;

#[cfg(feature = "bytemuck")]
mod bytemuck;
#[cfg(feature = "image")]
mod image;
#[cfg(feature = "ndarray")]
mod ndarray;
#[cfg(feature = "serde")]
mod serde;

pub use error::ConnectError;
#[cfg(feature = "npy")]
pub use files::NpyHeader;
#[cfg(feature = "image")]
pub use image::{ImageAxes, PixelOrder};
pub use rows::Rows;
pub use tensor_bytes::TensorBytes;
