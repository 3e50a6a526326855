//! Rows of elements of 4 bits to bytes that hold an element of each of two rows, and back. Called by `paired`, `halved` and `four`
//! with a token: the loops are compiled for each family, and vectorise.

use core::mem::MaybeUninit;

use super::super::cpu::Token;
#[cfg(target_arch = "x86_64")]
use super::super::parts::prefetch;
#[cfg(test)]
use super::Held;
use super::{LINE, Nibble, Place};

for_families! {
    /// For each two rows of a job a row of bytes: a half of those of the first in the lower half, of the second in the upper one.
    ///
    /// # Safety
    /// As many bytes as [`Weave`] says can be read at each row, and written at `dst`; the two do not overlap.
    [unsafe] weave_rows = woven(job: &Weave, dst: *mut u8);
    /// The same, with a byte of the elements behind those that are taken after each byte.
    ///
    /// # Safety
    /// As [`weave_rows`], for twice as many bytes at `dst`, and the elements behind those of each row.
    [unsafe] weave_both = woven_both(job: &Weave, dst: *mut u8);
    /// For each row of bytes two, of the elements in the lower halves and of those in the upper ones.
    ///
    /// # Safety
    /// `len` bytes can be read at each of `count` rows, and at each of twice as many written; the two do not overlap.
    [unsafe] halve_rows = halves(job: &Halves);
    /// For each two rows of bytes one of elements, the first row in the lower halves, saturated.
    ///
    /// # Safety
    /// `len` bytes can be read at each of twice `count` rows, and `count * len` written; the two do not overlap.
    [unsafe] join_rows = both(job: &Join, dst: *mut u8);
    /// For each byte of four rows the lower halves in two bytes and the upper halves in the next two.
    [] weave_four = woven_four(rows: [&[u8]; 4], dst: &mut [MaybeUninit<[u8; 4]>]);
    /// The rows of which [`weave_four`] would make `src`.
    [] part_four = parted_four(src: &[[u8; 4]], rows: [&mut [MaybeUninit<u8>]; 4]);
}

/// Pairs of rows of elements, of which every other element is taken, from the first on: `len` of them.
#[derive(Clone, Copy)]
pub(super) struct Weave {
    /// The first element that is taken of the first row.
    pub(super) src: Place<*const u8>,
    /// Elements between two rows.
    pub(super) row: isize,
    /// Pairs of rows.
    pub(super) count: usize,
    pub(super) len: usize,
}

/// Rows of two elements in a byte, which come to stand in two rows of bytes.
#[derive(Clone, Copy)]
pub(super) struct Halves {
    pub(super) nibble: Nibble,
    pub(super) src: *const u8,
    pub(super) src_row: isize,
    pub(super) dst: *mut u8,
    pub(super) dst_row: isize,
    pub(super) count: usize,
    pub(super) len: usize,
}

/// Pairs of rows of bytes.
#[derive(Clone, Copy)]
pub(super) struct Join {
    pub(super) nibble: Nibble,
    pub(super) src: *const u8,
    pub(super) src_row: isize,
    pub(super) count: usize,
    pub(super) len: usize,
}

/// Calls `$piece` with pieces of several slices of `$len`: of 64, then of 16, of which the last overlaps the one before, or with
/// single ones where there are fewer.
macro_rules! of_rows {
    ($len:expr; $($from:ident)*; $($to:ident)*; $piece:expr) => {{
        let len = $len;
        $(let $from = $from.split_at(len).0;)*
        $(let $to = $to.split_at_mut(len).0;)*
        let whole = len / 64 * 64;
        for i in 0..len / 64 {
            of_rows!(@64, 64 * i; $($from)*; $($to)*; $piece);
        }
        for i in 0..(len - whole) / 16 {
            of_rows!(@16, whole + 16 * i; $($from)*; $($to)*; $piece);
        }
        if len >= 16 && len % 16 > 0 {
            of_rows!(@16, len - 16; $($from)*; $($to)*; $piece);
        }
        for i in 0..if len < 16 { len } else { 0 } {
            of_rows!(@1, i; $($from)*; $($to)*; $piece);
        }
    }};
    (@$count:literal, $at:expr; $($from:ident)*; $($to:ident)*; $piece:expr) => {{
        let at = $at;
        $piece(
            $(&$from[at..].as_chunks::<$count>().0[0],)*
            $(&mut $to[at..].as_chunks_mut::<$count>().0[0],)*
        );
    }};
}

/// Writes all of `out` at once: nothing that was read for it can be what is written.
#[inline(always)]
fn put<T: Copy, const N: usize>(to: &mut [MaybeUninit<T>; N], out: [T; N]) {
    for (to, out) in to.iter_mut().zip(out) {
        to.write(out);
    }
}

/// `len` bytes that can be read.
///
/// # Safety
/// They can be, and nobody writes them.
#[inline(always)]
unsafe fn bytes<'a>(src: *const u8, len: usize) -> &'a [u8] {
    // SAFETY: the caller's promise.
    unsafe { core::slice::from_raw_parts(src, len) }
}

/// `len` bytes that can be written.
///
/// # Safety
/// They can be, and nobody else refers to them.
#[inline(always)]
unsafe fn bytes_mut<'a>(dst: *mut u8, len: usize) -> &'a mut [MaybeUninit<u8>] {
    // SAFETY: the caller's promise; `MaybeUninit` needs no value.
    unsafe { core::slice::from_raw_parts_mut(dst.cast(), len) }
}

/// Brings the line at `src`, if there is one, into the caches.
#[inline(always)]
fn fetch(src: *const u8) {
    #[cfg(target_arch = "x86_64")]
    prefetch(src);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = src;
}

/// Brings what `rows` go on with behind `len` bytes into the caches.
#[inline(always)]
fn fetch_behind(rows: [Place<*const u8>; 2], len: usize) {
    for row in rows {
        let next = row.byte(true).wrapping_add(len);
        fetch(next);
        if len > LINE {
            fetch(next.wrapping_add(LINE));
        }
    }
}

/// # Safety
/// That of [`weave_rows`].
#[inline(always)]
unsafe fn woven(job: &Weave, dst: *mut u8) {
    for k in 0..job.count {
        let [first, second] = [2 * k, 2 * k + 1].map(|row| job.src.step(row, job.row));
        fetch_behind([first, second], job.len);
        // SAFETY: the caller's promise.
        let [a, b] = [first, second].map(|row| unsafe { bytes(row.byte(true), job.len) });
        // SAFETY: as above.
        let to = unsafe { bytes_mut(dst.wrapping_add(k * job.len), job.len) };
        match (first.at & 1 == 1, second.at & 1 == 1) {
            (false, false) => of_rows!(job.len; a b; to; pair::<_, false, false>),
            (false, true) => of_rows!(job.len; a b; to; pair::<_, false, true>),
            (true, false) => of_rows!(job.len; a b; to; pair::<_, true, false>),
            (true, true) => of_rows!(job.len; a b; to; pair::<_, true, true>),
        }
    }
}

/// # Safety
/// That of [`weave_both`].
#[inline(always)]
unsafe fn woven_both(job: &Weave, dst: *mut u8) {
    for k in 0..job.count {
        let rows = [2 * k, 2 * k + 1].map(|row| job.src.step(row, job.row));
        fetch_behind(rows, job.len);
        // SAFETY: the caller's promise.
        let [a, b] = rows.map(|row| unsafe { bytes(row.byte(true), job.len) });
        // SAFETY: as above: the second element of a row that begins with half a byte lies in the next one.
        let [next_a, next_b] = rows.map(|row| unsafe { bytes(row.step(1, 1).byte(true), job.len) });
        let to = dst.wrapping_add(2 * k * job.len).cast::<MaybeUninit<[u8; 2]>>();
        // SAFETY: as above; bytes need no alignment.
        let to = unsafe { core::slice::from_raw_parts_mut(to, job.len) };
        match (rows[0].at & 1 == 1, rows[1].at & 1 == 1) {
            (false, false) => of_rows!(job.len; a b next_a next_b; to; pairs::<_, false, false>),
            (false, true) => of_rows!(job.len; a b next_a next_b; to; pairs::<_, false, true>),
            (true, false) => of_rows!(job.len; a b next_a next_b; to; pairs::<_, true, false>),
            (true, true) => of_rows!(job.len; a b next_a next_b; to; pairs::<_, true, true>),
        }
    }
}

/// What [`pair`] makes of two rows, and of their next elements, byte for byte.
#[inline(always)]
fn pairs<const N: usize, const A_UPPER: bool, const B_UPPER: bool>(
    a: &[u8; N],
    b: &[u8; N],
    next_a: &[u8; N],
    next_b: &[u8; N],
    to: &mut [MaybeUninit<[u8; 2]>; N],
) {
    let (mut firsts, mut seconds, mut out) = ([0; N], [0; N], [[0; 2]; N]);
    for ((a, b), first) in (*a).into_iter().zip(*b).zip(&mut firsts) {
        *first = if A_UPPER { a >> 4 } else { a & 0x0F } | if B_UPPER { b & 0xF0 } else { b << 4 };
    }
    for ((a, b), second) in (*next_a).into_iter().zip(*next_b).zip(&mut seconds) {
        *second = if A_UPPER { a & 0x0F } else { a >> 4 } | if B_UPPER { b << 4 } else { b & 0xF0 };
    }
    for ((first, second), out) in firsts.into_iter().zip(seconds).zip(&mut out) {
        *out = [first, second];
    }
    put(to, out);
}

/// The upper or the lower halves of `a` in the lower ones, and those of `b` in the upper ones.
#[inline(always)]
fn pair<const N: usize, const A_UPPER: bool, const B_UPPER: bool>(
    a: &[u8; N],
    b: &[u8; N],
    to: &mut [MaybeUninit<u8>; N],
) {
    let mut out = [0; N];
    for ((a, b), out) in (*a).into_iter().zip(*b).zip(&mut out) {
        let low = if A_UPPER { a >> 4 } else { a & 0x0F };
        *out = low | if B_UPPER { b & 0xF0 } else { b << 4 };
    }
    put(to, out);
}

/// # Safety
/// That of [`halve_rows`].
#[inline(always)]
unsafe fn halves(job: &Halves) {
    for j in 0..job.count {
        // SAFETY: the caller's promise.
        let from = unsafe { bytes(job.src.wrapping_offset(j as isize * job.src_row), job.len) };
        let [low, high] = [2 * j, 2 * j + 1].map(|row| {
            // SAFETY: as above.
            unsafe { bytes_mut(job.dst.wrapping_offset(row as isize * job.dst_row), job.len) }
        });
        match job.nibble {
            Nibble::Signed => of_rows!(job.len; from; low high; halved::<_, 8>),
            Nibble::Unsigned | Nibble::Bits => of_rows!(job.len; from; low high; halved::<_, 0>),
        }
    }
}

/// The halves of each byte, extended by `SIGN`, the bit that stands for as much below zero.
#[inline(always)]
fn halved<const N: usize, const SIGN: u8>(
    from: &[u8; N],
    low: &mut [MaybeUninit<u8>; N],
    high: &mut [MaybeUninit<u8>; N],
) {
    let extended = |bits: u8| (bits ^ SIGN).wrapping_sub(SIGN);
    let (mut lows, mut highs) = (*from, *from);
    for low in &mut lows {
        *low = extended(*low & 0x0F);
    }
    for high in &mut highs {
        *high = extended(*high >> 4);
    }
    put(low, lows);
    put(high, highs);
}

/// # Safety
/// That of [`join_rows`].
#[inline(always)]
unsafe fn both(job: &Join, dst: *mut u8) {
    for k in 0..job.count {
        let [a, b] = [2 * k, 2 * k + 1].map(|row| {
            // SAFETY: the caller's promise.
            unsafe { bytes(job.src.wrapping_offset(row as isize * job.src_row), job.len) }
        });
        // SAFETY: as above.
        let to = unsafe { bytes_mut(dst.wrapping_add(k * job.len), job.len) };
        match job.nibble {
            Nibble::Signed => of_rows!(job.len; a b; to; joined::<_, true, true>),
            Nibble::Unsigned => of_rows!(job.len; a b; to; joined::<_, true, false>),
            Nibble::Bits => of_rows!(job.len; a b; to; joined::<_, false, false>),
        }
    }
}

/// `a` in the lower halves and `b` in the upper ones; the nearest values of 4 bits, or the lower 4 bits.
#[inline(always)]
fn joined<const N: usize, const NEAREST: bool, const SIGNED: bool>(
    a: &[u8; N],
    b: &[u8; N],
    to: &mut [MaybeUninit<u8>; N],
) {
    let fit = |byte: u8| match (NEAREST, SIGNED) {
        (false, _) => byte,
        (true, false) => byte.min(15),
        (true, true) => byte.cast_signed().clamp(-8, 7).cast_unsigned(),
    };
    let mut out = [0; N];
    for ((a, b), out) in (*a).into_iter().zip(*b).zip(&mut out) {
        *out = fit(a) & 0x0F | fit(b) << 4;
    }
    put(to, out);
}

/// The bits of `x` under `mask` changed for those `BY` further up.
#[inline(always)]
const fn swapped<const BY: u32>(x: u32, mask: u32) -> u32 {
    let differ = (x ^ x >> BY) & mask;
    x ^ differ ^ differ << BY
}

#[inline(always)]
fn woven_four([a, b, c, d]: [&[u8]; 4], dst: &mut [MaybeUninit<[u8; 4]>]) {
    #[inline(always)]
    fn piece<const N: usize>(
        a: &[u8; N],
        b: &[u8; N],
        c: &[u8; N],
        d: &[u8; N],
        dst: &mut [MaybeUninit<[u8; 4]>; N],
    ) {
        let mut out = [[0; 4]; N];
        for ((a, b), ((c, d), out)) in a.iter().zip(b).zip(c.iter().zip(d).zip(&mut out)) {
            *out = [a & 0x0F | b << 4, c & 0x0F | d << 4, a >> 4 | b & 0xF0, c >> 4 | d & 0xF0];
        }
        put(dst, out);
    }
    of_rows!(dst.len(); a b c d; dst; piece);
}

#[inline(always)]
fn parted_four(src: &[[u8; 4]], [a, b, c, d]: [&mut [MaybeUninit<u8>]; 4]) {
    #[inline(always)]
    fn piece<const N: usize>(
        src: &[[u8; 4]; N],
        a: &mut [MaybeUninit<u8>; N],
        b: &mut [MaybeUninit<u8>; N],
        c: &mut [MaybeUninit<u8>; N],
        d: &mut [MaybeUninit<u8>; N],
    ) {
        let mut rows = [0; N];
        for (row, from) in rows.iter_mut().zip(src) {
            *row = swapped::<4>(swapped::<8>(u32::from_le_bytes(*from), 0x0000_FF00), 0x00F0_00F0);
        }
        for (k, to) in [a, b, c, d].into_iter().enumerate() {
            let mut out = [0; N];
            for (out, row) in out.iter_mut().zip(rows) {
                *out = (row >> (8 * k)) as u8;
            }
            put(to, out);
        }
    }
    of_rows!(src.len(); src; a b c d; piece);
}

#[cfg(test)]
pub(super) use tests::check_rows;

#[cfg(test)]
mod tests {
    use super::*;

    /// Every loop against its definition.
    pub(in super::super) fn check_rows(token: Token, memory: &[u8]) {
        let at = |i: usize| memory[i / 2] >> (4 * (i % 2)) & 15;
        let filled = |bytes: &[MaybeUninit<u8>]| -> alloc::vec::Vec<u8> {
            // SAFETY: all were initialised from the start.
            bytes.iter().map(|byte| unsafe { byte.assume_init() }).collect()
        };
        for (len, row, first) in [1, 5, 15, 16, 17, 50, 64, 79, 80, 90].into_iter().flat_map(|len| {
            [(len, 2 * len, 0), (len, 2 * len + 1, 0), (len, 2 * len, 1), (len, 2 * len + 1, 1)]
        }) {
            let mut to = [MaybeUninit::new(0xA5); 91];
            let src = Place { memory: memory.as_ptr(), at: first as isize };
            let job = Weave { src, row: row as isize, count: 1, len };
            // SAFETY: there are two such rows, and room for one of bytes.
            unsafe { weave_rows(token, &job, to.as_mut_ptr().cast()) };
            let found = filled(&to);
            for (j, byte) in found[..len].iter().enumerate() {
                assert_eq!(*byte, at(first + 2 * j) | at(first + row + 2 * j) << 4);
            }
            assert_eq!(found[len], 0xA5);
            let mut both = [MaybeUninit::new(0xA5); 181];
            // SAFETY: there are two such rows and an element behind each, and room for two rows of bytes.
            unsafe { weave_both(token, &job, both.as_mut_ptr().cast()) };
            let found = filled(&both);
            for (j, byte) in found[..2 * len].iter().enumerate() {
                assert_eq!(*byte, at(first + j) | at(first + row + j) << 4);
            }
            assert_eq!(found[2 * len], 0xA5);
            for nibble in [Nibble::Signed, Nibble::Unsigned, Nibble::Bits] {
                let mut rows = [MaybeUninit::new(0xA5); 181];
                let (src, dst) = (memory.as_ptr(), rows.as_mut_ptr().cast());
                let (src_row, dst_row) = (len as isize, len as isize);
                let job = Halves { nibble, src, src_row, dst, dst_row, count: 1, len };
                // SAFETY: there are such rows.
                unsafe { halve_rows(token, &job) };
                let found = filled(&rows);
                for j in 0..len {
                    let wide =
                        |value: u8| if nibble == Nibble::Signed && value > 7 { value | 0xF0 } else { value };
                    assert_eq!([found[j], found[len + j]], [wide(memory[j] & 15), wide(memory[j] >> 4)]);
                }
                assert_eq!(found[2 * len], 0xA5);
                let mut back = [MaybeUninit::new(0xA5); 91];
                let job = Join { nibble, src: memory.as_ptr(), src_row, count: 1, len };
                // SAFETY: there are such rows.
                unsafe { join_rows(token, &job, back.as_mut_ptr().cast()) };
                let found = filled(&back);
                for j in 0..len {
                    let fit = |byte: u8| super::super::line::saturated(Held::As(nibble), byte) & 15;
                    assert_eq!(found[j], fit(memory[j]) | fit(memory[len + j]) << 4);
                }
                assert_eq!(found[len], 0xA5);
            }
        }
        let rows: [&[u8]; 4] = core::array::from_fn(|i| &memory[50 * i..][..50]);
        let mut four = [MaybeUninit::new([0; 4]); 50];
        weave_four(token, rows, &mut four);
        // SAFETY: it was initialised from the start.
        let four = four.map(|four| unsafe { four.assume_init() });
        for (i, bytes) in four.iter().enumerate() {
            for (k, row) in rows.iter().enumerate() {
                let of = |half: usize| bytes[2 * half + k / 2] >> (4 * (k % 2)) & 15;
                assert_eq!([of(0), of(1)], [row[i] & 15, row[i] >> 4]);
            }
        }
        let mut parted = [[MaybeUninit::new(0); 50]; 4];
        part_four(token, &four, parted.each_mut().map(|row| row.as_mut_slice()));
        for (parted, row) in parted.iter().zip(rows) {
            assert_eq!(filled(parted), row);
        }
    }
}
