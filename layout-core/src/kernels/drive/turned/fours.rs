//! Groups of four elements of 4 bits and the four rows that they are made of: what families have for these. Called by `packed`,
//! which takes another way where they have none.

use super::super::super::cpu::Token;
#[cfg(target_arch = "x86_64")]
use super::super::super::x86_64;

/// Pieces of four rows of elements of 4 bits, and the groups of four elements that they become, or that become them.
///
/// To be read or written are, for each of `count` repetitions and each of the places, [`Fours::PIECE`] bytes of each row, and the
/// groups.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "AVX-512 alone reads it so far"))]
#[derive(Clone, Copy)]
pub(in super::super::super) struct Fours<'a> {
    /// The first row.
    pub(in super::super::super) rows: *const u8,
    /// Bytes between two rows.
    pub(in super::super::super) row: isize,
    /// Bytes between two repetitions of the rows.
    pub(in super::super::super) rows_z: isize,
    /// The first groups.
    pub(in super::super::super) groups: *mut u8,
    /// Bytes between two repetitions of the groups.
    pub(in super::super::super) groups_z: isize,
    pub(in super::super::super) count: usize,
    /// Bytes from the first row and from the first groups to those of each piece. Families take two pieces at a time.
    pub(in super::super::super) places: &'a [[[isize; 2]; 2]],
}

impl Fours<'_> {
    /// Bytes of a piece of a row.
    pub(in super::super::super) const PIECE: usize = 32;
    /// Pieces that are worth taking together: the processor foresees no more places that are written by turns.
    pub(in super::super::super) const BESIDE: usize = 16;
}

/// Between rows and groups.
#[derive(Clone, Copy)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "AVX-512 alone reads it so far"))]
pub(in super::super::super) enum Four {
    /// Rows to groups of 4 bits.
    Weave,
    /// Rows to groups of bytes.
    Spread { signed: bool },
    /// Groups of 4 bits to rows.
    Part,
}

/// A family's loop for [`Fours`], if it has one.
pub(in super::super::super) fn fours(token: Token, four: Four) -> Option<unsafe fn(job: &Fours<'_>)> {
    match (token, four) {
        #[cfg(target_arch = "x86_64")]
        (Token::Avx512(_), Four::Weave) => Some(x86_64::avx512::weave_fours),
        #[cfg(target_arch = "x86_64")]
        (Token::Avx512(_), Four::Spread { signed: true }) => Some(x86_64::avx512::spread_fours::<true>),
        #[cfg(target_arch = "x86_64")]
        (Token::Avx512(_), Four::Spread { signed: false }) => Some(x86_64::avx512::spread_fours::<false>),
        #[cfg(target_arch = "x86_64")]
        (Token::Avx512(_), Four::Part) => Some(x86_64::avx512::part_fours),
        _ => {
            let _ = (token, four);
            None
        }
    }
}
