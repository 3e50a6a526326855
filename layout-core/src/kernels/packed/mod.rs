//! Moves and converts tiles of which one side or both hold two elements of 4 bits in a byte, that of even offset in the lower
//! half. Called by the runner of plans in place of a kernel.
//!
//! Elements go through a buffer that stays in the first-level cache, a byte each, and the kernels for bytes do the rest: `line`
//! takes runs of elements out of memory and puts them back, `staged` puts a kernel between. Crossed tiles are transposed two
//! elements to a byte, by `paired` where both sides are packed, by `halved` where one is; `four` moves groups of four. `weave`
//! takes rows together and apart for them. `floats` has a shorter way for rows that become floats.

/// One function for each family around a loop that is inlined into it; `[unsafe]` before those that ask something of their
/// caller.
macro_rules! for_families {
    ($(
        $(#[$doc:meta])* [$($asks:tt)?] $name:ident = $loop_:ident($($argument:ident: $type:ty),*);
    )*) => {$(
        $(#[$doc])*
        #[inline]
        #[allow(unused_unsafe, reason = "some loops ask nothing")]
        pub(super) $($asks)? fn $name(token: Token, $($argument: $type),*) {
            match token {
                #[cfg(target_arch = "x86_64")]
                Token::Avx512(_) => {
                    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")]
                    $($asks)? fn wide($($argument: $type),*) {
                        // SAFETY: what the loop asks, the caller promises.
                        unsafe { $loop_($($argument),*) }
                    }
                    // SAFETY: the token proves the features; the caller's promise.
                    unsafe { wide($($argument),*) }
                }
                #[cfg(target_arch = "x86_64")]
                Token::Avx2(_) => {
                    #[target_feature(enable = "avx2")]
                    $($asks)? fn wide($($argument: $type),*) {
                        // SAFETY: what the loop asks, the caller promises.
                        unsafe { $loop_($($argument),*) }
                    }
                    // SAFETY: the token proves the features; the caller's promise.
                    unsafe { wide($($argument),*) }
                }
                // SAFETY: what the loop asks, the caller promises.
                _ => unsafe { $loop_($($argument),*) },
            }
        }
    )*};
}

mod floats;
mod four;
mod halved;
mod line;
mod paired;
mod staged;
mod weave;

use core::mem::MaybeUninit;

#[cfg(test)]
pub(super) use line::check_lines;

use super::convert::Format;
use super::copy_kernel;
use super::cpu::Token;
use super::tile::{Kernel, Step, Tile};
use line::Runs;
#[cfg(target_arch = "x86_64")]
pub(super) use line::{Runs as NibbleRuns, get, saturated, set};

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

/// What runs of elements of 4 bits become in bytes of their own, and these when they are put back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Held {
    As(Nibble),
    /// Signed elements as unsigned bytes, signed bytes as unsigned elements: those below zero are zero.
    Positive,
    /// Unsigned bytes as signed elements. Unsigned elements are what they are.
    Low,
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
    /// The types of the kernel's source and destination.
    pub(crate) formats: (Format, Format),
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

/// Calls `f`, which takes the part of `tile` from these x, y and z on for a whole one, with the epilogue's places there.
#[inline(always)]
fn with_places_at(tile: &Tile<'_>, [x, y, z]: [usize; 3], f: impl FnOnce()) {
    let shift = |by: fn(usize, usize) -> usize| {
        for one in tile.epilogue.iter().flat_map(|epilogue| epilogue.places()) {
            one.at.set(by(one.at.get(), x * one.x + y * one.y + z * one.z));
        }
    };
    shift(usize::wrapping_add);
    f();
    shift(usize::wrapping_sub);
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
    unsafe { run_on(job.tile.token, job, src, dst) }
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

/// Writes the elements of `steps`, whose places in the source are counted in elements, to bytes of their own from `dst` on.
///
/// # Safety
/// The bytes that hold the elements can be read, and those of the destination written.
pub(crate) unsafe fn unpack_box(
    token: Token,
    held: Held,
    src: Place<*const u8>,
    steps: [Step; 3],
    dst: *mut u8,
) {
    let [memory, bytes] = [steps.map(|step| step.src), steps.map(|step| step.dst)];
    let runs = Runs::between(steps.map(|step| step.len), memory, bytes);
    // SAFETY: the caller's promise.
    unsafe { runs.load(token, held, src, dst) };
}

/// Puts the bytes of `steps`, saturated as `held` says, in places that are counted in elements from `dst` on.
///
/// # Safety
/// The bytes can be read, and the elements written by reading and writing the bytes that hold them.
pub(crate) unsafe fn pack_box(
    token: Token,
    held: Held,
    src: *const u8,
    steps: [Step; 3],
    dst: Place<*mut u8>,
) {
    let [memory, bytes] = [steps.map(|step| step.dst), steps.map(|step| step.src)];
    let runs = Runs::between(steps.map(|step| step.len), memory, bytes);
    // SAFETY: the caller's promise.
    unsafe { runs.store(token, held, src, dst) };
}

/// Bytes of the buffer; what a kernel needs of the stack comes on top.
const STAGE: usize = 16 * 1024;

/// Bytes of a line of memory.
const LINE: usize = 64;

/// A buffer, aligned to lines.
#[repr(align(64))]
struct Stage([MaybeUninit<u8>; STAGE]);

impl Stage {
    #[inline(always)]
    const fn new() -> Stage {
        Stage([MaybeUninit::uninit(); STAGE])
    }

    #[inline(always)]
    fn start(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }
}
