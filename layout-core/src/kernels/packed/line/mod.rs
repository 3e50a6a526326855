//! Runs of elements of 4 bits, out of memory into bytes and back. Called by the other files of this folder with a token.

mod loops;
mod runs;

use core::mem::MaybeUninit;

use super::super::cpu::Token;
use super::{Held, Nibble, Place};
use loops::{
    join_bits, join_low, join_positive, join_signed, join_unsigned, spread_bits, spread_positive,
    spread_signed,
};
pub(super) use runs::Box3;
pub(in super::super) use runs::Runs;
#[cfg(test)]
pub(in super::super) use runs::check_lines;

/// What 4 bits hold of a byte.
#[inline(always)]
pub(in super::super) fn saturated(held: Held, byte: u8) -> u8 {
    match held {
        Held::As(Nibble::Signed) => (byte as i8).clamp(-8, 7) as u8,
        Held::As(Nibble::Unsigned) => byte.min(15),
        Held::As(Nibble::Bits) => byte,
        Held::Positive => (byte as i8).clamp(0, 15) as u8,
        Held::Low => byte.min(7),
    }
}

/// The byte of one element.
#[inline(always)]
fn extended(held: Held, bits: u8) -> u8 {
    match held {
        Held::As(Nibble::Signed) => ((bits << 4) as i8 >> 4) as u8,
        Held::As(Nibble::Unsigned | Nibble::Bits) | Held::Low => bits,
        Held::Positive if bits > 7 => 0,
        Held::Positive => bits,
    }
}

/// Writes the `len` elements from `src` on to `dst`, a byte each.
///
/// # Safety
/// The bytes that hold the elements can be read, and `len` bytes written at `dst`; the two do not overlap.
#[inline]
pub(super) unsafe fn unpack(token: Token, held: Held, src: Place<*const u8>, len: usize, dst: *mut u8) {
    let (mut src, mut dst, mut len) = (src, dst, len);
    if src.at & 1 == 1 && len > 0 {
        // SAFETY: the byte holds the first element.
        let first = unsafe { get(held, src) };
        // SAFETY: there is room for it.
        unsafe { dst.write(first) };
        (src, dst, len) = (src.step(1, 1), dst.wrapping_add(1), len - 1);
    }
    let pairs = len / 2;
    // SAFETY: the caller's promise.
    let from = unsafe { core::slice::from_raw_parts(src.byte(true), pairs) };
    // SAFETY: the caller's promise; `MaybeUninit` needs no value.
    let to = unsafe { core::slice::from_raw_parts_mut(dst.cast::<MaybeUninit<[u8; 2]>>(), pairs) };
    match held {
        Held::As(Nibble::Signed) => spread_signed(token, from, to),
        Held::As(Nibble::Unsigned | Nibble::Bits) | Held::Low => spread_bits(token, from, to),
        Held::Positive => spread_positive(token, from, to),
    }
    if len % 2 == 1 {
        // SAFETY: the byte holds the last element.
        let last = unsafe { get(held, src.step(len - 1, 1)) };
        // SAFETY: it is one of `len` bytes.
        unsafe { dst.wrapping_add(len - 1).write(last) };
    }
}

/// The byte of one element at `src`.
///
/// # Safety
/// The byte that holds the element can be read.
#[inline(always)]
pub(in super::super) unsafe fn get(held: Held, src: Place<*const u8>) -> u8 {
    // SAFETY: the caller's promise.
    let byte = unsafe { src.byte(true).read() };
    extended(held, if src.at & 1 == 1 { byte >> 4 } else { byte & 0x0F })
}

/// Makes the four lower bits of `byte` the element at `dst`, unsaturated.
///
/// # Safety
/// The byte that holds the element can be read and written.
#[inline(always)]
pub(in super::super) unsafe fn set(dst: Place<*mut u8>, byte: u8) {
    let at = dst.byte_mut(true);
    // SAFETY: the caller's promise.
    let other = unsafe { at.read() };
    let both = if dst.at & 1 == 1 { other & 0x0F | byte << 4 } else { other & 0xF0 | byte & 0x0F };
    // SAFETY: as above.
    unsafe { at.write(both) };
}

/// Writes the bytes of `src`, saturated as `held` says, as elements from `dst` on. Whole bytes are written without being read.
///
/// # Safety
/// The bytes that hold the elements can be written, and the first and the last of them read where another's element shares
/// them.
#[inline]
pub(super) unsafe fn pack(token: Token, held: Held, src: &[u8], dst: Place<*mut u8>) {
    let (mut src, mut dst) = (src, dst);
    if dst.at & 1 == 1
        && let [first, rest @ ..] = src
    {
        // SAFETY: the byte holds the first element.
        unsafe { set(dst, saturated(held, *first)) };
        (src, dst) = (rest, dst.step(1, 1));
    }
    let (pairs, last) = src.as_chunks::<2>();
    // SAFETY: the caller's promise: these bytes hold two of the elements each.
    let to =
        unsafe { core::slice::from_raw_parts_mut(dst.byte_mut(true).cast::<MaybeUninit<u8>>(), pairs.len()) };
    match held {
        Held::As(Nibble::Signed) => join_signed(token, pairs, to),
        Held::As(Nibble::Unsigned) => join_unsigned(token, pairs, to),
        Held::As(Nibble::Bits) => join_bits(token, pairs, to),
        Held::Positive => join_positive(token, pairs, to),
        Held::Low => join_low(token, pairs, to),
    }
    if let [last] = last {
        // SAFETY: the byte holds the last element.
        unsafe { set(dst.step(src.len() - 1, 1), saturated(held, *last)) };
    }
}
