//! Rows of elements of 4 bits to bytes that hold an element of each of two rows, and back. Called by `paired` and `four` with a
//! token: the loops are compiled for each family, and vectorise.

use core::mem::MaybeUninit;

use super::super::cpu::Token;

for_families! {
    /// For each byte of two rows the lower halves in one byte and the upper halves in the next.
    weave_rows = woven(even: &[u8], odd: &[u8], dst: &mut [MaybeUninit<[u8; 2]>]);
    /// For each byte of four rows the lower halves in two bytes and the upper halves in the next two.
    weave_four = woven_four(rows: [&[u8]; 4], dst: &mut [MaybeUninit<[u8; 4]>]);
    /// The rows of which [`weave_four`] would make `src`.
    part_four = parted_four(src: &[[u8; 4]], rows: [&mut [MaybeUninit<u8>]; 4]);
}

/// Calls `$piece` with pieces of 16 of several slices, of which the last overlaps the one before, or with single ones where
/// there are fewer.
macro_rules! of_rows {
    ($len:expr; $($from:ident)*; $($to:ident)*; $piece:ident) => {{
        let len = $len;
        $(let $from = $from.split_at(len).0;)*
        $(let $to = $to.split_at_mut(len).0;)*
        for i in 0..len / 16 {
            of_rows!(@16, 16 * i; $($from)*; $($to)*; $piece);
        }
        if len >= 16 && len % 16 > 0 {
            of_rows!(@16, len - 16; $($from)*; $($to)*; $piece);
        }
        for i in 0..if len < 16 { len } else { 0 } {
            of_rows!(@1, i; $($from)*; $($to)*; $piece);
        }
    }};
    (@$count:literal, $at:expr; $($from:ident)*; $($to:ident)*; $piece:ident) => {{
        let at = $at;
        $piece(
            $(&$from[at..].as_chunks::<$count>().0[0],)*
            $(&mut $to[at..].as_chunks_mut::<$count>().0[0],)*
        );
    }};
}

#[inline(always)]
fn woven(even: &[u8], odd: &[u8], dst: &mut [MaybeUninit<[u8; 2]>]) {
    #[inline(always)]
    fn piece<const N: usize>(even: &[u8; N], odd: &[u8; N], dst: &mut [MaybeUninit<[u8; 2]>; N]) {
        for ((even, odd), to) in even.iter().zip(odd).zip(dst) {
            let (even, odd) = (u16::from(*even), u16::from(*odd));
            let low = even & 0x0F | (odd & 0x0F) << 4;
            to.write((low | (even & 0xF0) << 4 | (odd & 0xF0) << 8).to_le_bytes());
        }
    }
    of_rows!(dst.len(); even odd; dst; piece);
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
        for ((a, b), ((c, d), to)) in a.iter().zip(b).zip(c.iter().zip(d).zip(dst)) {
            let halves = swapped::<4>(u32::from_le_bytes([*a, *b, *c, *d]), 0x00F0_00F0);
            to.write(swapped::<8>(halves, 0x0000_FF00).to_le_bytes());
        }
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
        let rows = src.map(|bytes| {
            let halves = swapped::<8>(u32::from_le_bytes(bytes), 0x0000_FF00);
            swapped::<4>(halves, 0x00F0_00F0)
        });
        for (k, to) in [a, b, c, d].into_iter().enumerate() {
            for (row, to) in rows.iter().zip(to) {
                to.write((row >> (8 * k)) as u8);
            }
        }
    }
    of_rows!(src.len(); src; a b c d; piece);
}

/// Every loop against its definition.
#[cfg(test)]
pub(super) fn check_rows(token: Token, memory: &[u8]) {
    let mut both = [MaybeUninit::new([0; 2]); 100];
    weave_rows(token, &memory[..100], &memory[100..], &mut both);
    for (i, pair) in both.into_iter().enumerate() {
        // SAFETY: it was initialised from the start.
        let pair = unsafe { pair.assume_init() };
        let [even, odd] = [memory[i], memory[100 + i]];
        assert_eq!(pair, [even & 15 | (odd & 15) << 4, even >> 4 | odd >> 4 << 4]);
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
        // SAFETY: it was initialised from the start.
        assert!(parted.iter().zip(row).all(|(found, byte)| unsafe { found.assume_init() } == *byte));
    }
}
