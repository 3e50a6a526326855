//! Loads and stores at any address. Called by the other files of this folder.

/// Reads a `T` at `src`, whatever its alignment.
///
/// # Safety
/// `size_of::<T>()` bytes can be read at `src`, and any bytes are a `T`.
#[inline(always)]
pub(super) unsafe fn load<T: Copy>(src: *const u8) -> T {
    // SAFETY: the caller's promise; no alignment is needed.
    unsafe { src.cast::<T>().read_unaligned() }
}

/// Writes `value` at `dst`, whatever its alignment.
///
/// # Safety
/// `size_of::<T>()` bytes can be written at `dst`.
#[inline(always)]
pub(super) unsafe fn store<T: Copy>(dst: *mut u8, value: T) {
    // SAFETY: the caller's promise; no alignment is needed.
    unsafe { dst.cast::<T>().write_unaligned(value) }
}

/// Moves one `T` from `src` to `dst`.
///
/// # Safety
/// As [`load`] and [`store`].
#[inline(always)]
pub(super) unsafe fn transfer<T: Copy>(src: *const u8, dst: *mut u8) {
    // SAFETY: the caller's promise.
    let value = unsafe { load::<T>(src) };
    // SAFETY: the caller's promise.
    unsafe { store(dst, value) }
}
