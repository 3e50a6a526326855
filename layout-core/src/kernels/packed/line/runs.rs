//! [`Runs`]: where the elements of a box follow one another. Called by the other files of the folder around it.

use super::super::super::cpu::Token;
#[cfg(target_arch = "x86_64")]
use super::super::super::x86_64;
#[cfg(test)]
use super::super::Nibble;
use super::super::{Held, Place};
use super::loops::spread_single;
use super::{get, pack, saturated, set, unpack};
use core::mem::MaybeUninit;

/// Values along x, y and z.
pub(in super::super) type Box3<T> = [T; 3];

/// Every second element, of a run of so many, from which a loop over bytes pays.
const SINGLES: usize = 8;

/// A side of a part as runs of elements that follow one another, and what the part looks like where the runs do as well.
pub(in super::super::super) struct Runs {
    pub(in super::super::super) len: usize,
    /// Number of runs along each direction, and how far apart they are; outside a run's own directions 1.
    pub(in super::super) count: Box3<usize>,
    pub(in super::super) strides: Box3<isize>,
    /// Strides of the part in a buffer.
    pub(in super::super) staged: Box3<isize>,
}

impl Runs {
    /// The longest runs of a box of `len` elements.
    pub(in super::super) fn new(len: Box3<usize>, strides: Box3<isize>) -> Runs {
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
    pub(in super::super) fn between(len: Box3<usize>, strides: Box3<isize>, bytes: Box3<isize>) -> Runs {
        let mut runs = Runs { len: 1, count: len, strides, staged: bytes };
        if (strides[0], bytes[0]) == (1, 1) {
            (runs.len, runs.count[0]) = (len[0], 1);
        }
        runs
    }

    /// Along x, y and z the number of runs, and how far apart they are in memory and in the buffer.
    #[cfg(target_arch = "x86_64")]
    pub(in super::super::super) fn loops(&self) -> Box3<(usize, [isize; 2])> {
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
    pub(in super::super) unsafe fn load(
        &self,
        token: Token,
        held: Held,
        src: Place<*const u8>,
        stage: *mut u8,
    ) {
        #[cfg(target_arch = "x86_64")]
        if let Token::Avx512(_) = token
            && self.len > 1
        {
            // SAFETY: the token proves the features; the caller's promise.
            return unsafe { x86_64::avx512::load_nibbles(self, held, src, stage) };
        }
        #[cfg(target_arch = "x86_64")]
        if let Token::Avx2(_) = token
            && self.len > 1
        {
            // SAFETY: as above.
            return unsafe { x86_64::avx2::load_nibbles(self, held, src, stage) };
        }
        if self.len == 1 && self.strides[0] == 2 && self.staged[0] == 1 && self.count[0] >= SINGLES {
            let rows = Runs { count: [1, self.count[1], self.count[2]], ..*self };
            let len = self.count[0];
            return rows.each(|at, staged| {
                let from = src.step(1, at);
                // SAFETY: each of these bytes holds an element; the caller's promise.
                let bytes = unsafe { core::slice::from_raw_parts(from.byte(true), len) };
                let to = stage.wrapping_offset(staged).cast::<MaybeUninit<u8>>();
                // SAFETY: the caller's promise; `MaybeUninit` needs no value.
                let to = unsafe { core::slice::from_raw_parts_mut(to, len) };
                spread_single(token, held, from.at & 1 == 1, bytes, to);
            });
        }
        self.each(|at, staged| {
            let (from, to) = (src.step(1, at), stage.wrapping_offset(staged));
            if self.len > 1 {
                // SAFETY: the elements of a run follow one another; the caller's promise.
                unsafe { unpack(token, held, from, self.len, to) };
            } else {
                // SAFETY: the caller's promise.
                let byte = unsafe { get(held, from) };
                // SAFETY: the caller's promise.
                unsafe { to.write(byte) };
            }
        });
    }

    /// Puts the bytes of `stage`, which lie as the runs say, in their places from `dst` on.
    ///
    /// # Safety
    /// The bytes can be read, and the elements written.
    pub(in super::super) unsafe fn store(
        &self,
        token: Token,
        held: Held,
        stage: *const u8,
        dst: Place<*mut u8>,
    ) {
        #[cfg(target_arch = "x86_64")]
        if let Token::Avx512(_) = token
            && self.len > 1
        {
            // SAFETY: the token proves the features; the caller's promise.
            return unsafe { x86_64::avx512::store_nibbles(self, held, stage, dst) };
        }
        #[cfg(target_arch = "x86_64")]
        if let Token::Avx2(_) = token
            && self.len > 1
        {
            // SAFETY: as above.
            return unsafe { x86_64::avx2::store_nibbles(self, held, stage, dst) };
        }
        self.each(|at, staged| {
            let (from, to) = (stage.wrapping_offset(staged), dst.step(1, at));
            // SAFETY: the caller's promise: the bytes of a run follow one another.
            let bytes = unsafe { core::slice::from_raw_parts(from, self.len) };
            if let [byte] = bytes {
                // SAFETY: the caller's promise.
                unsafe { set(to, saturated(held, *byte)) };
            } else {
                // SAFETY: as above.
                unsafe { pack(token, held, bytes, to) };
            }
        });
    }
}

/// Every loop at any place and of any length against its definition.
#[cfg(test)]
pub(in super::super::super) fn check_lines(token: Token) {
    const ALL: [Held; 5] = [
        Held::As(Nibble::Signed),
        Held::As(Nibble::Unsigned),
        Held::As(Nibble::Bits),
        Held::Positive,
        Held::Low,
    ];
    let memory: alloc::vec::Vec<u8> = (0..200u32).map(|i| (i * i * 37 + 11 * i) as u8).collect();
    let at = |i: usize| memory[i / 2] >> (4 * (i % 2)) & 15;
    let run = |len: usize| Runs { len, count: [1.min(len), 1, 1], strides: [1; 3], staged: [1; 3] };
    for first in 0..4 {
        for len in (0..130).chain([200, 257, 390]) {
            for held in ALL {
                let mut bytes = alloc::vec![0xA5; len + 1];
                let src = Place { memory: memory.as_ptr(), at: first as isize };
                // SAFETY: so many elements and bytes there are.
                unsafe { run(len).load(token, held, src, bytes.as_mut_ptr()) };
                for (i, &byte) in bytes[..len].iter().enumerate() {
                    let value = at(first + i);
                    let wide = match held {
                        Held::As(Nibble::Signed) if value > 7 => value | 0xF0,
                        Held::Positive if value > 7 => 0,
                        _ => value,
                    };
                    assert_eq!(byte, wide);
                    // SAFETY: there is such an element.
                    assert_eq!(unsafe { get(held, src.step(i, 1)) }, wide);
                }
                assert_eq!(bytes[len], 0xA5);
                let mut packed = memory.clone();
                packed.iter_mut().for_each(|byte| *byte = !*byte);
                let dst = Place { memory: packed.as_mut_ptr(), at: first as isize };
                let bits: alloc::vec::Vec<u8> =
                    (0..=len).map(|i| at(first + i.min(len - 1.min(len)))).collect();
                // SAFETY: so many elements there are.
                unsafe { run(len).store(token, Held::As(Nibble::Bits), bits.as_ptr(), dst) };
                for i in 0..2 * packed.len() {
                    let inside = (first..first + len).contains(&i);
                    let expected = if inside { at(i) } else { at(i) ^ 15 };
                    assert_eq!(packed[i / 2] >> (4 * (i % 2)) & 15, expected);
                }
            }
        }
    }
    let bytes: alloc::vec::Vec<u8> = (0..=255).collect();
    for held in ALL {
        for first in 0..2 {
            let mut packed = [0; 129];
            let dst = Place { memory: packed.as_mut_ptr(), at: first as isize };
            // SAFETY: so many elements there are.
            unsafe { run(256).store(token, held, bytes.as_ptr(), dst) };
            for (i, &byte) in bytes.iter().enumerate() {
                let expected = match held {
                    Held::As(Nibble::Signed) => (byte as i8).clamp(-8, 7) as u8 & 15,
                    Held::As(Nibble::Unsigned) => byte.min(15),
                    Held::As(Nibble::Bits) => byte & 15,
                    Held::Positive => (byte as i8).clamp(0, 15) as u8,
                    Held::Low => byte.min(7),
                };
                assert_eq!(packed[(first + i) / 2] >> (4 * ((first + i) % 2)) & 15, expected);
            }
        }
    }
    for held in ALL {
        for (first, len) in [(0, 8), (1, 9), (3, 33), (6, 64), (7, 190)] {
            let runs = Runs { len: 1, count: [len, 1, 1], strides: [2, 0, 0], staged: [1, 0, 0] };
            let mut bytes = alloc::vec![0xA5; len + 1];
            let src = Place { memory: memory.as_ptr(), at: first as isize };
            // SAFETY: so many elements and bytes there are.
            unsafe { runs.load(token, held, src, bytes.as_mut_ptr()) };
            for (i, &byte) in bytes[..len].iter().enumerate() {
                // SAFETY: there is such an element.
                assert_eq!(byte, unsafe { get(held, src.step(2 * i, 1)) });
            }
            assert_eq!(bytes[len], 0xA5);
        }
    }
    super::super::weave::check_rows(token, &memory);
}
