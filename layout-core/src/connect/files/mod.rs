//! Tensors in files, whose elements are in a stated byte order.

#[cfg(feature = "npy")]
mod npy;
#[cfg(feature = "safetensors")]
mod safetensors;

#[cfg(any(feature = "npy", feature = "safetensors"))]
use alloc::vec::Vec;

/// `bytes` with the bytes of each element of `size` in the opposite order.
#[cfg(any(feature = "npy", feature = "safetensors"))]
fn swapped(bytes: &[u8], size: usize) -> Vec<u8> {
    let mut out = bytes.to_vec();
    out.chunks_exact_mut(size).for_each(<[u8]>::reverse);
    out
}
