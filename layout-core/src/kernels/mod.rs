//! Leaf: works on tiles of elements, never on tensors, and imports nothing of ours. `reorder` picks a kernel with
//! `copy_kernel` or `convert_kernel` and calls it once a tile.
//!
//! * `cpu` finds out which vector instructions there are, once, and makes the tokens that prove it.
//! * `isa` compiles a user's own kernel once for each of them: [`Isa`] and [`dispatch!`](crate::dispatch).
//! * `generic` is the portable family and the reference for the others.
//! * `single` moves and converts elements one by one, for plans that ask for it.
//! * `epilogue` says what is done to a number while it is converted, `sum` adds numbers up by it.
//! * `drive` holds what the vector families share: it cuts a tile into the jobs that each of them does.
//! * `packed` unpacks and packs elements of 4 bits around the kernels for bytes.
//! * `parts` is what their kernels are made of, for registers of any type.
//! * `aarch64` and `x86_64` have a folder for each vector family, with the same file and function names in each.

/// The kernel of an instance of a generic function, as a function that is not generic: compiled here, once. The instance
/// would be compiled again in every crate that has a plan in a constant.
macro_rules! here {
    ($instance:expr) => {{
        #[inline(never)]
        unsafe fn kernel(src: *const u8, dst: *mut u8, tile: &$crate::kernels::Tile) {
            // SAFETY: the caller's promise.
            unsafe { $instance(src, dst, tile) }
        }
        kernel
    }};
}

#[cfg(target_arch = "aarch64")]
mod aarch64;
pub mod convert;
mod cpu;
#[cfg_attr(
    not(any(target_arch = "aarch64", target_arch = "x86_64")),
    allow(dead_code, unused_imports, reason = "most of it is for the vector families")
)]
mod drive;
mod epilogue;
mod gather;
mod generic;
mod isa;
mod packed;
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64"))]
mod parts;
mod probe;
mod single;
mod sum;
#[cfg(test)]
mod tests;
mod tile;
#[cfg(target_arch = "x86_64")]
mod x86_64;

pub(crate) use convert::Format;
#[cfg(target_arch = "aarch64")]
pub use cpu::Neon;
#[cfg(target_arch = "x86_64")]
pub use cpu::{Avx2, Avx512, Sse41};
pub use cpu::{Cpu, Token};
pub(crate) use drive::LINE;
pub(crate) use drive::{convert_kernel, converts_blocks};
pub(crate) use epilogue::{Epilogue, PARAMETERS, Parameter, Rounded, ValueFormat, Values};
pub(crate) use gather::{Gather, GatherLines, GatherStep, MOST_PLACES, gather_lines, takes_pieces};
pub(crate) use generic::fill_padding;
#[doc(hidden)]
pub use isa::__unroll;
pub use isa::{Generic, Isa, Real};
pub(crate) use packed::{
    Held, Job, Nibble, Packing, Place, fill_padding as fill_packed_padding, pack_box, run as run_packed,
    unpack_box,
};
pub use probe::Probe;
pub(crate) use single::{converts_singly, copies_singly};
pub(crate) use sum::sum_kernel;
pub(crate) use tile::{Blocks, Joined, Kernel, Step, Tables, Tile};

/// The kernel that moves elements of `bytes` bytes unchanged; `None` where no kernel has that width.
pub(crate) const fn copy_kernel(bytes: usize) -> Option<Kernel> {
    match bytes {
        1 => Some(here!(copy::<1>)),
        2 => Some(here!(copy::<2>)),
        4 => Some(here!(copy::<4>)),
        8 => Some(here!(copy::<8>)),
        16 => Some(here!(copy::<16>)),
        _ => None,
    }
}

/// Moves elements of `B` bytes with the instructions that the tile asks for.
///
/// # Safety
/// That of [`Kernel`].
unsafe fn copy<const B: usize>(src: *const u8, dst: *mut u8, tile: &Tile) {
    // SAFETY: the caller's promise.
    unsafe { copy_on::<B>(tile.token, src, dst, tile) }
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
        #[cfg(target_arch = "aarch64")]
        // SAFETY: the caller's promise, and the token proves the features.
        Token::Neon(neon) => unsafe { aarch64::neon::copy::<B>(neon, src, dst, tile) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the caller's promise, and the token proves the features.
        Token::Sse41(sse41) => unsafe { x86_64::sse41::copy::<B>(sse41, src, dst, tile) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the caller's promise, and the token proves the features.
        Token::Avx2(avx2) => unsafe { x86_64::avx2::copy::<B>(avx2, src, dst, tile) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the caller's promise, and the token proves the features.
        Token::Avx512(avx512) => unsafe { x86_64::avx512::copy::<B>(avx512, src, dst, tile) },
    }
}

/// Moves [`Joined`] rows.
///
/// # Safety
/// For all rows, `block` bytes (16, 32 or 64) of each block and `valid` ones of the part can be read, moved by the strides of
/// `src`, and as many written at `dst`, of the part `block` bytes where it is `padded`; the two do not overlap; `valid` is not 0
/// and below `block`.
pub(crate) type JoinRows = unsafe fn(job: &Joined);

/// What moves such rows with the instructions that `token` proves, if there is a kernel for them.
#[inline]
pub(crate) fn join_rows(token: Token) -> Option<JoinRows> {
    match token {
        #[cfg(target_arch = "x86_64")]
        Token::Avx512(_) => Some(x86_64::avx512::join_rows),
        #[cfg(target_arch = "x86_64")]
        Token::Avx2(_) => Some(x86_64::avx2::join_rows),
        _ => None,
    }
}

/// Whether tiles of 2 or 4 by 2 or 4 elements are taken by many at a time on this processor.
#[inline]
pub(crate) fn takes_quads(token: Token) -> bool {
    match token {
        #[cfg(target_arch = "x86_64")]
        Token::Avx2(_) | Token::Avx512(_) => true,
        _ => false,
    }
}

/// Whether tiles of so few pixels that a call for each would take longer than their move are taken by many at a time on this
/// processor: its registers hold more than a plane of them.
#[inline]
pub(crate) fn takes_short_pixels(token: Token) -> bool {
    match token {
        #[cfg(target_arch = "x86_64")]
        Token::Avx2(_) => true,
        _ => false,
    }
}

/// Whether this processor has kernels that repeat small crossed tiles with their padding: what such tiles are brought into before they are
/// converted was measured with these alone.
#[inline]
pub(crate) fn repeats_tiles(token: Token) -> bool {
    match token {
        #[cfg(target_arch = "x86_64")]
        Token::Avx2(_) => true,
        _ => false,
    }
}

/// Whether the crossed `tile`, of elements of `bytes` bytes, is so small that it is better repeated as it is, by `z`, than made longer.
/// `grows`: whether there are loops that make it longer on both sides.
#[inline]
pub(crate) fn takes_tiles(bytes: usize, tile: &Tile<'_>, z: Step, grows: impl FnOnce() -> bool) -> bool {
    match tile.token {
        #[cfg(target_arch = "x86_64")]
        Token::Avx2(_) => x86_64::avx2::takes_tiles(bytes, tile, z, grows),
        _ => {
            let _ = (bytes, tile, z, grows);
            false
        }
    }
}

/// Whether rows or lines of `len` elements of `bytes` bytes, which fill no register, are turned together with those of many tiles that
/// follow on the other side, of which each has `other`. There are kernels for those that have four of both.
#[inline]
pub(crate) fn turns_short_lines(token: Token, len: usize, other: usize, bytes: usize) -> bool {
    match token {
        #[cfg(target_arch = "x86_64")]
        Token::Avx2(_) | Token::Avx512(_) => {
            bytes <= 4 && len >= 4 && len * bytes < 16 && (len, other) != (4, 4)
        }
        _ => {
            let _ = (len, other, bytes);
            false
        }
    }
}

/// Whether a crossed tile of elements of `bytes` bytes, with `loops` around it, is better made longer by a part of one of them than left
/// as it is, where its lines are no whole ones: 1.1 to 3 times as fast with AVX-512 (Intel), 1.1 to 2.6 with AVX2 where it is asked for.
#[inline]
pub(crate) fn takes_parts(token: Token, bytes: usize, loops: usize) -> bool {
    match token {
        #[cfg(target_arch = "x86_64")]
        Token::Avx512(_) => true,
        #[cfg(target_arch = "x86_64")]
        Token::Avx2(_) => bytes >= 4 && loops > 1,
        _ => {
            let _ = (bytes, loops);
            false
        }
    }
}

/// Whether groups of 4 bytes of which some are padding are taken by many tiles at a time on this processor: lines of them are written by
/// masks.
#[inline]
pub(crate) fn takes_padded_groups(token: Token) -> bool {
    match token {
        #[cfg(target_arch = "x86_64")]
        Token::Avx512(_) => true,
        _ => false,
    }
}

/// Makes the lines that went past the caches visible to other threads before what is written next. Called once after the
/// last tile of a plan whose tiles ask for them.
#[inline]
pub(crate) fn fence() {
    // Miri runs the portable kernels, which need no fence, and knows none.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: every x86-64 processor has SSE, and the fence touches no memory.
    unsafe {
        core::arch::x86_64::_mm_sfence();
    }
}

/// Whether asking for lines of the destination before they are written pays on this processor, once the first-level cache does not
/// hold them: on Intel's (Emerald Rapids, 1.05 to 1.15 times as fast in turn, 1.3 to 2.8 times where each line has a page of its
/// own). On AMD's it costs (Zen 4, 0.6 to 1.05 times as fast, 0.95 in the mean); others were not measured.
#[inline]
pub(crate) fn claims() -> bool {
    writes_in_turn()
}

/// The same once the first-level cache does not hold them, where the second does: it pays for registers of a whole line, which are
/// written across two (Emerald Rapids, 1.1 to 1.3 times as fast; of half a line 0.97 to 1.03).
#[inline]
pub(crate) fn claims_near(token: Token) -> bool {
    token.cpu() == Cpu::Avx512 && claims()
}

/// Whether lines that come from rows in pages of their own are better written through the caches than past them, however many they are:
/// on Intel's (Emerald Rapids, 1.2 to 1.7 times as fast in tensors of 16 to 150 MB, 0.9 to 1.4 in the least), with registers of half a
/// line only where those lines are `near` one another (1.7 to 2.5 times; elsewhere 0.6 to 0.9). Others were not measured.
#[inline]
pub(crate) fn keeps_lines(token: Token, near: bool) -> bool {
    writes_in_turn() && (near || token.cpu() == Cpu::Avx512)
}

/// Whether plans are moved as they are moved fastest by Intel's processors.
#[inline]
pub(crate) fn is_intels() -> bool {
    writes_in_turn()
}

/// Whether lines that lie near one another are better written in turn than read on.
#[inline]
fn writes_in_turn() -> bool {
    #[cfg(target_arch = "x86_64")]
    return x86_64::writes_in_turn();
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Moves elements of `bytes` bytes with the instructions that `token` proves; one copy of the code for all conversions.
///
/// # Safety
/// That of [`Kernel`].
#[inline(never)]
unsafe fn copy_bytes(token: Token, bytes: usize, src: *const u8, dst: *mut u8, tile: &Tile) {
    match bytes {
        // SAFETY: the caller's promise.
        1 => unsafe { copy_on::<1>(token, src, dst, tile) },
        // SAFETY: the caller's promise.
        2 => unsafe { copy_on::<2>(token, src, dst, tile) },
        // SAFETY: the caller's promise.
        4 => unsafe { copy_on::<4>(token, src, dst, tile) },
        // SAFETY: the caller's promise.
        16 => unsafe { copy_on::<16>(token, src, dst, tile) },
        // SAFETY: the caller's promise.
        _ => unsafe { copy_on::<8>(token, src, dst, tile) },
    }
}
