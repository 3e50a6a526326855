//! Runs of elements of 4 bits, out of memory into bytes and back. Called by the other files of this folder with a token: the
//! loops are compiled for each family, and vectorise.

use core::mem::MaybeUninit;

use super::super::cpu::Token;
#[cfg(target_arch = "x86_64")]
use super::super::x86_64;
use super::{Nibble, Place};

/// The lower halves of two bytes.
const LOW: u16 = 0x0F0F;

for_families! {
    /// Both elements of each byte of `src`, zero-extended.
    [] spread_bits = bits_of(src: &[u8], dst: &mut [MaybeUninit<[u8; 2]>]);
    /// Both elements of each byte of `src`, sign-extended.
    [] spread_signed = signed_of(src: &[u8], dst: &mut [MaybeUninit<[u8; 2]>]);
    /// The lower halves of two bytes of `src` as one of `dst`.
    [] join_bits = joined_bits(src: &[[u8; 2]], dst: &mut [MaybeUninit<u8>]);
    /// The nearest signed values of 4 bits, two to a byte.
    [] join_signed = joined_signed(src: &[[u8; 2]], dst: &mut [MaybeUninit<u8>]);
    /// The nearest unsigned values of 4 bits, two to a byte.
    [] join_unsigned = joined_unsigned(src: &[[u8; 2]], dst: &mut [MaybeUninit<u8>]);
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
    joined(src, dst, |byte| saturated(Nibble::Signed, byte));
}

#[inline(always)]
fn joined_unsigned(src: &[[u8; 2]], dst: &mut [MaybeUninit<u8>]) {
    joined(src, dst, |byte| saturated(Nibble::Unsigned, byte));
}

/// What 4 bits hold of a byte.
#[inline(always)]
pub(in super::super) fn saturated(nibble: Nibble, byte: u8) -> u8 {
    match nibble {
        Nibble::Signed => (byte as i8).clamp(-8, 7) as u8,
        Nibble::Unsigned => byte.min(15),
        Nibble::Bits => byte,
    }
}

/// The byte of one element.
#[inline(always)]
fn extended(nibble: Nibble, bits: u8) -> u8 {
    match nibble {
        Nibble::Signed => ((bits << 4) as i8 >> 4) as u8,
        Nibble::Unsigned | Nibble::Bits => bits,
    }
}

/// Writes the `len` elements from `src` on to `dst`, a byte each.
///
/// # Safety
/// The bytes that hold the elements can be read, and `len` bytes written at `dst`; the two do not overlap.
#[inline]
pub(super) unsafe fn unpack(token: Token, nibble: Nibble, src: Place<*const u8>, len: usize, dst: *mut u8) {
    let (mut src, mut dst, mut len) = (src, dst, len);
    if src.at & 1 == 1 && len > 0 {
        // SAFETY: the byte holds the first element.
        let first = unsafe { get(nibble, src) };
        // SAFETY: there is room for it.
        unsafe { dst.write(first) };
        (src, dst, len) = (src.step(1, 1), dst.wrapping_add(1), len - 1);
    }
    let pairs = len / 2;
    // SAFETY: the caller's promise.
    let from = unsafe { core::slice::from_raw_parts(src.byte(true), pairs) };
    // SAFETY: the caller's promise; `MaybeUninit` needs no value.
    let to = unsafe { core::slice::from_raw_parts_mut(dst.cast::<MaybeUninit<[u8; 2]>>(), pairs) };
    match nibble {
        Nibble::Signed => spread_signed(token, from, to),
        Nibble::Unsigned | Nibble::Bits => spread_bits(token, from, to),
    }
    if len % 2 == 1 {
        // SAFETY: the byte holds the last element.
        let last = unsafe { get(nibble, src.step(len - 1, 1)) };
        // SAFETY: it is one of `len` bytes.
        unsafe { dst.wrapping_add(len - 1).write(last) };
    }
}

/// The byte of one element at `src`.
///
/// # Safety
/// The byte that holds the element can be read.
#[inline(always)]
pub(in super::super) unsafe fn get(nibble: Nibble, src: Place<*const u8>) -> u8 {
    // SAFETY: the caller's promise.
    let byte = unsafe { src.byte(true).read() };
    extended(nibble, if src.at & 1 == 1 { byte >> 4 } else { byte & 0x0F })
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

/// Writes the bytes of `src`, saturated as `nibble` says, as elements from `dst` on. Whole bytes are written without being read.
///
/// # Safety
/// The bytes that hold the elements can be written, and the first and the last of them read where another's element shares
/// them.
#[inline]
pub(super) unsafe fn pack(token: Token, nibble: Nibble, src: &[u8], dst: Place<*mut u8>) {
    let (mut src, mut dst) = (src, dst);
    if dst.at & 1 == 1
        && let [first, rest @ ..] = src
    {
        // SAFETY: the byte holds the first element.
        unsafe { set(dst, saturated(nibble, *first)) };
        (src, dst) = (rest, dst.step(1, 1));
    }
    let (pairs, last) = src.as_chunks::<2>();
    // SAFETY: the caller's promise: these bytes hold two of the elements each.
    let to =
        unsafe { core::slice::from_raw_parts_mut(dst.byte_mut(true).cast::<MaybeUninit<u8>>(), pairs.len()) };
    match nibble {
        Nibble::Signed => join_signed(token, pairs, to),
        Nibble::Unsigned => join_unsigned(token, pairs, to),
        Nibble::Bits => join_bits(token, pairs, to),
    }
    if let [last] = last {
        // SAFETY: the byte holds the last element.
        unsafe { set(dst.step(src.len() - 1, 1), saturated(nibble, *last)) };
    }
}

/// Values along x, y and z.
pub(super) type Box3<T> = [T; 3];

/// A side of a part as runs of elements that follow one another, and what the part looks like where the runs do as well.
pub(in super::super) struct Runs {
    pub(in super::super) len: usize,
    /// Number of runs along each direction, and how far apart they are; outside a run's own directions 1.
    pub(super) count: Box3<usize>,
    pub(super) strides: Box3<isize>,
    /// Strides of the part in a buffer.
    pub(super) staged: Box3<isize>,
}

impl Runs {
    /// The longest runs of a box of `len` elements.
    pub(super) fn new(len: Box3<usize>, strides: Box3<isize>) -> Runs {
        let mut runs = Runs { len: 1, count: len, strides, staged: strides };
        while let Some(next) = (0..3).find(|&i| runs.count[i] > 1 && strides[i] == runs.len as isize) {
            (runs.len, runs.count[next]) = (runs.len * len[next], 1);
        }
        let mut follows = runs.len;
        for i in 0..3 {
            if runs.count[i] > 1 {
                runs.staged[i] = follows as isize;
                follows *= runs.count[i];
            }
        }
        runs
    }

    /// Those along x between memory and bytes, where they follow one another on both sides; else single elements.
    pub(super) fn between(len: Box3<usize>, strides: Box3<isize>, bytes: Box3<isize>) -> Runs {
        let mut runs = Runs { len: 1, count: len, strides, staged: bytes };
        if (strides[0], bytes[0]) == (1, 1) {
            (runs.len, runs.count[0]) = (len[0], 1);
        }
        runs
    }

    /// Along x, y and z the number of runs, and how far apart they are in memory and in the buffer.
    #[cfg(target_arch = "x86_64")]
    pub(in super::super) fn loops(&self) -> Box3<(usize, [isize; 2])> {
        [0, 1, 2].map(|i| (self.count[i], [self.strides[i], self.staged[i]]))
    }

    /// Calls `f` with the place in memory and in the buffer of each run, as distances from the first.
    fn each(&self, mut f: impl FnMut(isize, isize)) {
        let at = |[x, y, z]: Box3<usize>, by: &Box3<isize>| {
            x as isize * by[0] + y as isize * by[1] + z as isize * by[2]
        };
        for z in 0..self.count[2] {
            for y in 0..self.count[1] {
                for x in 0..self.count[0] {
                    f(at([x, y, z], &self.strides), at([x, y, z], &self.staged));
                }
            }
        }
    }

    /// Writes the elements of the runs from `src` on to `stage`, a byte each.
    ///
    /// # Safety
    /// They can be read, and as many bytes written.
    pub(super) unsafe fn load(&self, token: Token, nibble: Nibble, src: Place<*const u8>, stage: *mut u8) {
        #[cfg(target_arch = "x86_64")]
        if let Token::Avx512(_) = token
            && self.len > 1
        {
            // SAFETY: the token proves the features; the caller's promise.
            return unsafe { x86_64::avx512::load_nibbles(self, nibble, src, stage) };
        }
        self.each(|at, staged| {
            let (from, to) = (src.step(1, at), stage.wrapping_offset(staged));
            if self.len > 1 {
                // SAFETY: the elements of a run follow one another; the caller's promise.
                unsafe { unpack(token, nibble, from, self.len, to) };
            } else {
                // SAFETY: the caller's promise.
                let byte = unsafe { get(nibble, from) };
                // SAFETY: the caller's promise.
                unsafe { to.write(byte) };
            }
        });
    }

    /// Puts the bytes of `stage`, which lie as the runs say, in their places from `dst` on.
    ///
    /// # Safety
    /// The bytes can be read, and the elements written.
    pub(super) unsafe fn store(&self, token: Token, nibble: Nibble, stage: *const u8, dst: Place<*mut u8>) {
        #[cfg(target_arch = "x86_64")]
        if let Token::Avx512(_) = token
            && self.len > 1
        {
            // SAFETY: the token proves the features; the caller's promise.
            return unsafe { x86_64::avx512::store_nibbles(self, nibble, stage, dst) };
        }
        self.each(|at, staged| {
            let (from, to) = (stage.wrapping_offset(staged), dst.step(1, at));
            // SAFETY: the caller's promise: the bytes of a run follow one another.
            let bytes = unsafe { core::slice::from_raw_parts(from, self.len) };
            if let [byte] = bytes {
                // SAFETY: the caller's promise.
                unsafe { set(to, saturated(nibble, *byte)) };
            } else {
                // SAFETY: as above.
                unsafe { pack(token, nibble, bytes, to) };
            }
        });
    }
}

/// Every loop at any place and of any length against its definition.
#[cfg(test)]
pub(in super::super) fn check_lines(token: Token) {
    let memory: alloc::vec::Vec<u8> = (0..200u32).map(|i| (i * i * 37 + 11 * i) as u8).collect();
    let at = |i: usize| memory[i / 2] >> (4 * (i % 2)) & 15;
    let run = |len: usize| Runs { len, count: [1.min(len), 1, 1], strides: [1; 3], staged: [1; 3] };
    for first in 0..4 {
        for len in (0..130).chain([200, 257, 390]) {
            for nibble in [Nibble::Signed, Nibble::Unsigned, Nibble::Bits] {
                let mut bytes = alloc::vec![0xA5; len + 1];
                let src = Place { memory: memory.as_ptr(), at: first as isize };
                // SAFETY: so many elements and bytes there are.
                unsafe { run(len).load(token, nibble, src, bytes.as_mut_ptr()) };
                for (i, &byte) in bytes[..len].iter().enumerate() {
                    let value = at(first + i);
                    let wide = if nibble == Nibble::Signed && value > 7 { value | 0xF0 } else { value };
                    assert_eq!(byte, wide);
                    // SAFETY: there is such an element.
                    assert_eq!(unsafe { get(nibble, src.step(i, 1)) }, wide);
                }
                assert_eq!(bytes[len], 0xA5);
                let mut packed = memory.clone();
                packed.iter_mut().for_each(|byte| *byte = !*byte);
                let dst = Place { memory: packed.as_mut_ptr(), at: first as isize };
                // SAFETY: so many elements there are.
                unsafe { run(len).store(token, Nibble::Bits, bytes.as_ptr(), dst) };
                for i in 0..2 * packed.len() {
                    let inside = (first..first + len).contains(&i);
                    let expected = if inside { at(i) } else { at(i) ^ 15 };
                    assert_eq!(packed[i / 2] >> (4 * (i % 2)) & 15, expected);
                }
            }
        }
    }
    let bytes: alloc::vec::Vec<u8> = (0..=255).collect();
    for nibble in [Nibble::Signed, Nibble::Unsigned] {
        for first in 0..2 {
            let mut packed = [0; 129];
            let dst = Place { memory: packed.as_mut_ptr(), at: first as isize };
            // SAFETY: so many elements there are.
            unsafe { run(256).store(token, nibble, bytes.as_ptr(), dst) };
            for (i, &byte) in bytes.iter().enumerate() {
                let expected = match nibble {
                    Nibble::Signed => (byte as i8).clamp(-8, 7) as u8 & 15,
                    _ => byte.min(15),
                };
                assert_eq!(packed[(first + i) / 2] >> (4 * ((first + i) % 2)) & 15, expected);
            }
        }
    }
    super::weave::check_rows(token, &memory);
}
