//! Both elements of each of many bytes, and two to a byte: loops that are compiled for each family, and vectorise. Called by the module
//! around it with a token.

use core::mem::MaybeUninit;

use super::super::super::cpu::Token;
use super::super::{Held, Nibble};
use super::{extended, saturated};

/// The lower halves of two bytes.
const LOW: u16 = 0x0F0F;

for_families! {
    /// Both elements of each byte of `src`, zero-extended.
    [] spread_bits = bits_of(src: &[u8], dst: &mut [MaybeUninit<[u8; 2]>]);
    /// Both elements of each byte of `src`, sign-extended.
    [] spread_signed = signed_of(src: &[u8], dst: &mut [MaybeUninit<[u8; 2]>]);
    /// Both elements of each byte of `src`, zero in place of those that are negative.
    [] spread_positive = positive_of(src: &[u8], dst: &mut [MaybeUninit<[u8; 2]>]);
    /// Every second element, from the first of `src` on, or the second where it is `odd`.
    [] spread_single = single_of(held: Held, odd: bool, src: &[u8], dst: &mut [MaybeUninit<u8>]);
    /// The lower halves of two bytes of `src` as one of `dst`.
    [] join_bits = joined_bits(src: &[[u8; 2]], dst: &mut [MaybeUninit<u8>]);
    /// The nearest signed values of 4 bits, two to a byte.
    [] join_signed = joined_signed(src: &[[u8; 2]], dst: &mut [MaybeUninit<u8>]);
    /// The nearest unsigned values of 4 bits, two to a byte.
    [] join_unsigned = joined_unsigned(src: &[[u8; 2]], dst: &mut [MaybeUninit<u8>]);
    /// The nearest unsigned values of 4 bits to signed bytes, two to a byte.
    [] join_positive = joined_positive(src: &[[u8; 2]], dst: &mut [MaybeUninit<u8>]);
    /// The nearest signed values of 4 bits to unsigned bytes, two to a byte.
    [] join_low = joined_low(src: &[[u8; 2]], dst: &mut [MaybeUninit<u8>]);
}

/// Calls `f` with pieces of two equally long slices: of 64 as long as there are, then of 16, of which the last overlaps the one
/// before, or single ones where there are fewer. What is made of a piece of constant length has no loop.
macro_rules! in_pieces {
    ($src:expr, $dst:expr, |$from:ident, $to:ident| $body:block) => {{
        let len = if $src.len() < $dst.len() { $src.len() } else { $dst.len() };
        let (src, dst) = ($src.split_at(len).0, $dst.split_at_mut(len).0);
        let (pieces, rest) = src.as_chunks::<64>();
        let (places, dst_rest) = dst.as_chunks_mut::<64>();
        for ($from, $to) in pieces.iter().zip(places) $body
        for ($from, $to) in rest.as_chunks::<16>().0.iter().zip(dst_rest.as_chunks_mut::<16>().0) $body
        if len >= 16 && len % 16 > 0 {
            let (last, place) = (src.split_at(len - 16).1, dst.split_at_mut(len - 16).1);
            for ($from, $to) in last.as_chunks::<16>().0.iter().zip(place.as_chunks_mut::<16>().0) $body
        }
        if len < 16 {
            for ($from, $to) in src.as_chunks::<1>().0.iter().zip(dst.as_chunks_mut::<1>().0) $body
        }
    }};
}

#[inline(always)]
fn bits_of(src: &[u8], dst: &mut [MaybeUninit<[u8; 2]>]) {
    in_pieces!(src, dst, |from, to| {
        for (from, to) in from.iter().zip(to) {
            let pair = u16::from(*from);
            to.write(((pair | pair << 4) & LOW).to_le_bytes());
        }
    });
}

#[inline(always)]
fn signed_of(src: &[u8], dst: &mut [MaybeUninit<[u8; 2]>]) {
    in_pieces!(src, dst, |from, to| {
        for (from, to) in from.iter().zip(to) {
            let pair = u16::from(*from);
            let pair = (pair | pair << 4) & LOW;
            // The sign times 0b11110 fills the upper half.
            let sign = pair & 0x0808;
            to.write((pair | (sign << 5).wrapping_sub(sign << 1)).to_le_bytes());
        }
    });
}

#[inline(always)]
fn positive_of(src: &[u8], dst: &mut [MaybeUninit<[u8; 2]>]) {
    in_pieces!(src, dst, |from, to| {
        for (from, to) in from.iter().zip(to) {
            let pair = u16::from(*from);
            let pair = (pair | pair << 4) & LOW;
            // The sign times 0b1.1111 / 8 is all of the lower half.
            let sign = pair & 0x0808;
            to.write((pair & !((sign << 1).wrapping_sub(sign >> 3))).to_le_bytes());
        }
    });
}

#[inline(always)]
fn single_of(held: Held, odd: bool, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    let single = |byte: u8| if odd { byte >> 4 } else { byte & 0x0F };
    // A loop for each, which vectorises.
    match held {
        Held::As(Nibble::Signed) => {
            for (from, to) in src.iter().zip(dst) {
                to.write(extended(Held::As(Nibble::Signed), single(*from)));
            }
        }
        Held::Positive => {
            for (from, to) in src.iter().zip(dst) {
                to.write(extended(Held::Positive, single(*from)));
            }
        }
        Held::As(Nibble::Unsigned | Nibble::Bits) | Held::Low => {
            for (from, to) in src.iter().zip(dst) {
                to.write(single(*from));
            }
        }
    }
}

#[inline(always)]
fn joined(src: &[[u8; 2]], dst: &mut [MaybeUninit<u8>], saturated: impl Fn(u8) -> u8) {
    in_pieces!(src, dst, |from, to| {
        let from = from.map(|pair| pair.map(&saturated));
        for (from, to) in from.iter().zip(to) {
            let pair = u16::from_le_bytes(*from) & LOW;
            to.write((pair | pair >> 4) as u8);
        }
    });
}

#[inline(always)]
fn joined_bits(src: &[[u8; 2]], dst: &mut [MaybeUninit<u8>]) {
    joined(src, dst, |byte| byte);
}

#[inline(always)]
fn joined_signed(src: &[[u8; 2]], dst: &mut [MaybeUninit<u8>]) {
    joined(src, dst, |byte| saturated(Held::As(Nibble::Signed), byte));
}

#[inline(always)]
fn joined_unsigned(src: &[[u8; 2]], dst: &mut [MaybeUninit<u8>]) {
    joined(src, dst, |byte| saturated(Held::As(Nibble::Unsigned), byte));
}

#[inline(always)]
fn joined_positive(src: &[[u8; 2]], dst: &mut [MaybeUninit<u8>]) {
    joined(src, dst, |byte| saturated(Held::Positive, byte));
}

#[inline(always)]
fn joined_low(src: &[[u8; 2]], dst: &mut [MaybeUninit<u8>]) {
    joined(src, dst, |byte| saturated(Held::Low, byte));
}
