//! A library for Python that shares tensors with NumPy and PyTorch through DLPack, without a copy: `dlpack.py` loads it with
//! `ctypes` and calls both functions.
//!
//! `cargo build --example dlpack && python3 examples/dlpack.py target/debug/examples/libdlpack.so`

use dlpark::Managed;
use dlpark::ffi::DLManagedTensor;
use tensor_layout::connect::ConnectError;
use tensor_layout::{Nchw, Nhwc, Tensor, TensorBytes, layout};

type Act = layout!("nChw16c");

/// A picture of 1 x 3 x 2 x 4 in `nhwc`, whose memory goes to whoever takes the structure. Null where there is no memory.
#[unsafe(no_mangle)]
pub extern "C" fn picture() -> *mut DLManagedTensor {
    let made = Tensor::<u8, Nhwc>::from_fn([1, 3, 2, 4], |[_, c, h, w]| (100 * c + 10 * h + w) as u8);
    made.map_err(ConnectError::from)
        .and_then(|picture| picture.into_dlpack())
        .map_or(core::ptr::null_mut(), Managed::into_raw)
}

fn relu(input: &Managed<DLManagedTensor>) -> Result<Managed<DLManagedTensor>, ConnectError> {
    // SAFETY: the caller of `relu_blocked` promised a structure as DLPack demands, of memory that nobody writes meanwhile.
    let bytes = unsafe { TensorBytes::from_dlpack(input) }?;
    let mut act = bytes.to_tensor::<f32, Act>()?;
    for block in act.blocks_mut() {
        block.iter_mut().for_each(|x| *x = x.max(0.0));
    }
    act.to_layout::<Nchw>().into_dlpack()
}

/// What is not negative of a float tensor of 4 dimensions and any strides, computed in `nChw16c`, as a new tensor in `nchw`.
/// Takes the structure over. Null, with a line on the standard error output, where the tensor is no such.
///
/// # Safety
/// `input` is a structure as DLPack demands, owned by the caller.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn relu_blocked(input: *mut DLManagedTensor) -> *mut DLManagedTensor {
    // SAFETY: the caller's promise.
    let Ok(input) = (unsafe { Managed::from_raw(input) }) else { return core::ptr::null_mut() };
    relu(&input).map_or_else(
        |error| {
            eprintln!("{error}");
            core::ptr::null_mut()
        },
        Managed::into_raw,
    )
}
