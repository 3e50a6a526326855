//! Moves and converts tiles of which one side or both hold two elements of 4 bits in a byte, that of even offset in the lower
//! half. Called by the runner of plans in place of a kernel.
//!
//! Elements go through buffers that stay in the first-level cache, a byte each, and the kernels for bytes do the rest: `line`
//! takes runs of elements out of memory and puts them back, `staged` puts a kernel between. Where no byte is parted, `paired`
//! transposes in pairs of elements and `four` moves groups of four, rows of which `weave` takes together and apart.

/// One function for each family around a loop that is inlined into it.
macro_rules! for_families {
    ($($(#[$doc:meta])* $name:ident = $loop_:ident($($argument:ident: $type:ty),*);)*) => {$(
        $(#[$doc])*
        #[inline]
        pub(super) fn $name(token: Token, $($argument: $type),*) {
            match token {
                #[cfg(target_arch = "x86_64")]
                Token::Avx512(_) => {
                    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
                    fn wide($($argument: $type),*) {
                        $loop_($($argument),*);
                    }
                    // SAFETY: the token proves the features.
                    unsafe { wide($($argument),*) }
                }
                #[cfg(target_arch = "x86_64")]
                Token::Avx2(_) => {
                    #[target_feature(enable = "avx2")]
                    fn wide($($argument: $type),*) {
                        $loop_($($argument),*);
                    }
                    // SAFETY: the token proves the features.
                    unsafe { wide($($argument),*) }
                }
                _ => $loop_($($argument),*),
            }
        }
    )*};
}

mod four;
mod line;
mod paired;
mod staged;
mod weave;

use core::mem::MaybeUninit;

#[cfg(test)]
pub(super) use line::check_lines;

use super::copy_kernel;
use super::cpu::Token;
use super::tile::{Kernel, Tile};

/// How an element of 4 bits stands in a byte of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Nibble {
    /// As a signed integer of 8 bits; put back it is saturated.
    Signed,
    /// As an unsigned integer of 8 bits; put back it is saturated.
    Unsigned,
    /// As the lower half; the upper half is zero, or lost.
    Bits,
}

/// The sides of a reorder that hold two elements in a byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Packing {
    pub(crate) src: Option<Nibble>,
    pub(crate) dst: Option<Nibble>,
}

impl Packing {
    /// A byte or more for each element on both sides.
    pub(crate) const NONE: Packing = Packing { src: None, dst: None };

    /// Whether neither side is packed.
    #[inline(always)]
    pub(crate) const fn is_none(&self) -> bool {
        self.src.is_none() && self.dst.is_none()
    }
}

/// A tile of which at least one side is packed, and how to move it.
pub(crate) struct Job<'a> {
    pub(crate) packing: Packing,
    /// Whether both sides have the same type.
    pub(crate) copies: bool,
    /// Moves or converts elements where those of 4 bits have a byte each.
    pub(crate) kernel: Kernel,
    /// Bytes of an element of the kernel's source and destination.
    pub(crate) src_bytes: usize,
    pub(crate) dst_bytes: usize,
    /// Strides are in bytes, of a packed side in elements.
    pub(crate) tile: &'a Tile<'a>,
}

impl Job<'_> {
    /// Whether all that there is to do is to unpack or to pack: the kernel leaves bytes as they are.
    fn moves_bytes(&self) -> bool {
        copy_kernel(1).is_some_and(|copy| core::ptr::fn_addr_eq(self.kernel, copy))
    }
}

/// The first element of a tile on one side.
#[derive(Clone, Copy)]
pub(crate) struct Place<P> {
    pub(crate) memory: P,
    /// Bytes from `memory`; elements where the side is packed.
    pub(crate) at: isize,
}

impl<P> Place<P> {
    /// The place `count` strides on.
    #[inline(always)]
    fn step(self, count: usize, stride: isize) -> Place<P> {
        Place { memory: self.memory, at: self.at.wrapping_add((count as isize).wrapping_mul(stride)) }
    }
}

impl Place<*const u8> {
    /// The byte that holds the element.
    #[inline(always)]
    fn byte(self, is_packed: bool) -> *const u8 {
        self.memory.wrapping_offset(if is_packed { self.at >> 1 } else { self.at })
    }
}

impl Place<*mut u8> {
    /// The byte that holds the element.
    #[inline(always)]
    fn byte_mut(self, is_packed: bool) -> *mut u8 {
        self.memory.wrapping_offset(if is_packed { self.at >> 1 } else { self.at })
    }
}

/// Moves the elements of the tile and writes zero to its padding. Halves of bytes that are not the tile's keep their bits.
///
/// # Safety
/// The contract of [`Kernel`], where an element of 4 bits is read by reading its byte, and written by reading and writing its
/// byte.
pub(crate) unsafe fn run(job: &Job<'_>, src: Place<*const u8>, dst: Place<*mut u8>) {
    // SAFETY: the caller's promise.
    unsafe { run_on(Token::current(), job, src, dst) }
}

/// [`run`] with the instructions that `token` proves for all but the kernel.
///
/// # Safety
/// That of [`run`].
pub(super) unsafe fn run_on(token: Token, job: &Job<'_>, src: Place<*const u8>, dst: Place<*mut u8>) {
    // SAFETY: the caller's promise.
    unsafe { staged::all(token, job, src, dst) }
}

/// Makes the padding of `tile` from `dst` on what `pair` holds in both halves.
///
/// # Safety
/// 2. and 4. of the contract of [`Kernel`], where an element is written by reading and writing its byte.
pub(crate) unsafe fn fill_padding(pair: u8, dst: Place<*mut u8>, tile: &Tile<'_>) {
    for z in 0..tile.z.len {
        for y in 0..tile.y.len {
            let first = if y < tile.valid_y { tile.valid_x } else { 0 };
            let row = dst.step(z, tile.z.dst).step(y, tile.y.dst);
            for x in first..tile.x.len {
                // SAFETY: the caller's promise, for an element.
                unsafe { line::set(row.step(x, tile.x.dst), pair & 0x0F) };
            }
        }
    }
}

/// Bytes of a buffer.
const STAGE: usize = 16 * 1024;

/// A buffer, aligned to lines.
#[repr(align(64))]
struct Stage([MaybeUninit<u8>; STAGE]);

impl Stage {
    #[inline(always)]
    fn new() -> Stage {
        Stage([MaybeUninit::uninit(); STAGE])
    }

    #[inline(always)]
    fn start(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }
}
