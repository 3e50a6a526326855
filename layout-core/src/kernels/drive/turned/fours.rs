//! Groups of four elements of 4 bits and the four rows that they are made of: what families have for these. Called by `packed`,
//! which takes another way where they have none.

use super::super::super::cpu::Token;
#[cfg(target_arch = "x86_64")]
use super::super::super::generic::{step, step_mut};
#[cfg(target_arch = "x86_64")]
use super::super::super::x86_64;

/// Pieces of four rows of elements of 4 bits, and the groups of four elements that they become, or that become them.
///
/// To be read or written are, for each of `count` repetitions and each of the places, [`Fours::PIECE`] bytes of each row, and the
/// groups.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "x86-64 alone reads it so far"))]
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

    /// Calls `f` with the pieces, in twos: the first row of each, and the groups.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(in super::super::super) fn each(&self, f: impl Fn([*const u8; 2], [*mut u8; 2])) {
        let at = |[one, two]: [[isize; 2]; 2]| {
            let rows = [self.rows.wrapping_offset(one[0]), self.rows.wrapping_offset(two[0])];
            (rows, [self.groups.wrapping_offset(one[1]), self.groups.wrapping_offset(two[1])])
        };
        // Two places that stay in registers: to look them up each time takes longer than they do.
        if let &[twos] = self.places {
            let (mut rows, mut groups) = at(twos);
            for _ in 0..self.count {
                f(rows, groups);
                rows = rows.map(|rows| step(rows, 1, self.rows_z));
                groups = groups.map(|groups| step_mut(groups, 1, self.groups_z));
            }
            return;
        }
        for z in 0..self.count {
            for &twos in self.places {
                let (rows, groups) = at(twos);
                f(
                    rows.map(|rows| step(rows, z, self.rows_z)),
                    groups.map(|groups| step_mut(groups, z, self.groups_z)),
                );
            }
        }
    }
}

/// Between rows and groups.
#[derive(Clone, Copy)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "x86-64 alone reads it so far"))]
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
        #[cfg(target_arch = "x86_64")]
        (Token::Avx2(_), Four::Weave) => Some(x86_64::avx2::weave_fours),
        #[cfg(target_arch = "x86_64")]
        (Token::Avx2(_), Four::Spread { signed: true }) => Some(x86_64::avx2::spread_fours::<true>),
        #[cfg(target_arch = "x86_64")]
        (Token::Avx2(_), Four::Spread { signed: false }) => Some(x86_64::avx2::spread_fours::<false>),
        #[cfg(target_arch = "x86_64")]
        (Token::Avx2(_), Four::Part) => Some(x86_64::avx2::part_fours),
        _ => {
            let _ = (token, four);
            None
        }
    }
}
