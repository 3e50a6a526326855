//! Tensors in files, whose elements are in a stated byte order.

#[cfg(feature = "npy")]
mod npy;
#[cfg(feature = "npy")]
mod npy_header;
#[cfg(feature = "safetensors")]
mod safetensors;

#[cfg(feature = "npy")]
pub use npy_header::NpyHeader;

#[cfg(any(feature = "npy", feature = "safetensors"))]
use crate::descriptor::DType;
#[cfg(any(feature = "npy", feature = "safetensors"))]
use alloc::borrow::Cow;
#[cfg(any(feature = "npy", feature = "safetensors"))]
use alloc::vec::Vec;

/// `bytes` with the bytes of each element of `size` in the opposite order.
#[cfg(any(feature = "npy", feature = "safetensors"))]
fn swapped(bytes: &[u8], size: usize) -> Vec<u8> {
    let mut out = bytes.to_vec();
    out.chunks_exact_mut(size).for_each(<[u8]>::reverse);
    out
}

/// `bytes` of elements of `dtype` as files hold them: of booleans, 1 for whatever is not 0.
#[cfg(any(feature = "npy", feature = "safetensors"))]
fn truths(dtype: DType, bytes: &[u8]) -> Cow<'_, [u8]> {
    if dtype == DType::Boolean && bytes.iter().any(|&byte| byte > 1) {
        return bytes.iter().map(|&byte| u8::from(byte != 0)).collect::<Vec<u8>>().into();
    }
    Cow::Borrowed(bytes)
}
