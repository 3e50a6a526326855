//! Leaf: works on tiles of elements, never on tensors, and imports nothing of ours. `reorder` picks a kernel with
//! `copy_kernel` or `convert_kernel` and calls it once a tile.
//!
//! * `cpu` finds out which vector instructions there are, once, and makes the tokens that prove it.
//! * `generic` is the portable family and the reference for the others.
//! * `drive` holds what the vector families share: it cuts a tile into the jobs that each of them does.
//! * `x86_64` has a folder for each vector family, with the same file and function names in each.

pub mod convert;
mod cpu;
mod drive;
mod generic;
#[cfg(test)]
mod tests;
mod tile;
#[cfg(target_arch = "x86_64")]
mod x86_64;

pub(crate) use convert::Format;
pub use cpu::Cpu;
use cpu::Token;
pub(crate) use tile::{Kernel, Step, Tile};

/// The kernel that moves elements of `bytes` bytes unchanged; `None` where no kernel has that width.
pub(crate) const fn copy_kernel(bytes: usize) -> Option<Kernel> {
    match bytes {
        1 => Some(copy::<1>),
        2 => Some(copy::<2>),
        4 => Some(copy::<4>),
        8 => Some(copy::<8>),
        16 => Some(copy::<16>),
        _ => None,
    }
}

/// Moves elements of `B` bytes with the best instructions that the processor has.
///
/// # Safety
/// That of [`Kernel`].
unsafe fn copy<const B: usize>(src: *const u8, dst: *mut u8, tile: &Tile) {
    // SAFETY: the caller's promise.
    unsafe { copy_on::<B>(Token::current(), src, dst, tile) }
}

/// Moves elements of `B` bytes with the instructions that `token` proves.
///
/// # Safety
/// That of [`Kernel`].
#[inline(always)]
unsafe fn copy_on<const B: usize>(token: Token, src: *const u8, dst: *mut u8, tile: &Tile) {
    match token {
        // SAFETY: the caller's promise.
        Token::Generic => unsafe { generic::copy::<B>(src, dst, tile) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the caller's promise.
        Token::Avx2(_) => unsafe { generic::copy::<B>(src, dst, tile) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the caller's promise, and the token proves the features.
        Token::Avx512(avx512) => unsafe { x86_64::avx512::copy::<B>(avx512, src, dst, tile) },
    }
}

/// Makes the lines that went past the caches visible to other threads before what is written next. Called once after the
/// last tile of a plan whose tiles ask for them.
#[inline]
pub(crate) fn fence() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 processor has SSE, and the fence touches no memory.
    unsafe {
        core::arch::x86_64::_mm_sfence();
    }
}

/// The kernel that converts elements from `src` to `dst`, as the table of [`convert`] says.
pub(crate) const fn convert_kernel(src: Format, dst: Format) -> Kernel {
    use convert::{Bf16, F16};
    macro_rules! to {
        ($src:ty) => {
            match dst {
                Format::F64 => generic::convert::<$src, f64>,
                Format::F32 => generic::convert::<$src, f32>,
                Format::F16 => generic::convert::<$src, F16>,
                Format::Bf16 => generic::convert::<$src, Bf16>,
                Format::S32 => generic::convert::<$src, i32>,
                Format::S8 => generic::convert::<$src, i8>,
                Format::U8 => generic::convert::<$src, u8>,
            }
        };
    }
    match src {
        Format::F64 => to!(f64),
        Format::F32 => to!(f32),
        Format::F16 => to!(F16),
        Format::Bf16 => to!(Bf16),
        Format::S32 => to!(i32),
        Format::S8 => to!(i8),
        Format::U8 => to!(u8),
    }
}
