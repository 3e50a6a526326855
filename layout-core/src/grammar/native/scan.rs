//! What a tag says about each letter ([`Letters`]) and the logical order of the axes ([`Logical`]), each
//! checked on its own and against the other. Called by the parser; builds no digits.

use super::super::template::{Template, bit};
use super::super::{MAX_RANK, ParseError, ParseErrorKind};
use super::cursor::{Cursor, Token, stray};

/// The outer letters of a tag in physical order.
#[derive(Clone, Copy)]
pub(super) struct Letters {
    start: usize,
    end: usize,
    rank: usize,
    /// Lower case.
    letters: [u8; MAX_RANK],
    positions: [usize; MAX_RANK],
    /// Letters written in upper case, and letters that have a block, as [`bit`]s.
    upper: u32,
    blocked: u32,
    /// Where `..` stands.
    rest: Option<usize>,
}

/// Axis letters in logical order, lower case.
#[derive(Clone, Copy)]
pub(in super::super) struct Logical {
    rank: usize,
    letters: [u8; MAX_RANK],
    positions: [usize; MAX_RANK],
}

impl Letters {
    /// Reads `start..end` of `text`, which must hold tokens alone, each axis once, blocks behind the letters.
    pub(super) const fn scan(text: &[u8], start: usize, end: usize) -> Result<Letters, ParseError> {
        let mut out = Letters {
            start,
            end,
            rank: 0,
            letters: [0; MAX_RANK],
            positions: [0; MAX_RANK],
            upper: 0,
            blocked: 0,
            rest: None,
        };
        let mut cursor = out.cursor(text);
        // Of the run of blocks that the token stands behind.
        let mut first_block: Option<Token> = None;
        while let Some(token) = tri!(cursor.next()) {
            match token {
                Token::Outer { at, letter, upper, separated, .. } => {
                    tri!(admit(&out.letters, &out.positions, out.rank, letter, at));
                    if separated {
                        // `nC16c_hw`: it is said that the block lies outside.
                        first_block = None;
                    }
                    if let Some(Token::Block { at, len, size, letter: axis, .. }) = first_block {
                        let (axis, outer) = (axis as char, letter as char);
                        let kind = ParseErrorKind::BlockBeforeOuter { axis, size, outer };
                        return Err(ParseError::new(kind, at, len));
                    }
                    out.letters[out.rank] = letter;
                    out.positions[out.rank] = at;
                    out.rank += 1;
                    if upper {
                        out.upper |= bit(letter);
                    }
                }
                Token::Rest { at } => {
                    if out.rest.is_some() {
                        return Err(ParseError::new(ParseErrorKind::RepeatedRest, at, 2));
                    }
                    if first_block.is_some() {
                        return Err(ParseError::new(ParseErrorKind::NoRest, at, 2));
                    }
                    out.rest = Some(at);
                }
                Token::Block { letter, .. } => {
                    out.blocked |= bit(letter);
                    if first_block.is_none() {
                        first_block = Some(token);
                    }
                }
            }
        }
        Ok(out)
    }

    pub(super) const fn cursor<'t>(&self, text: &'t [u8]) -> Cursor<'t> {
        Cursor::new(text, self.start, self.end)
    }

    /// The letters as [`bit`]s.
    pub(super) const fn set(&self) -> u32 {
        set_of(&self.letters, self.rank)
    }

    /// Where the outer letters stand: from the first to the last.
    pub(super) const fn span(&self) -> (usize, usize) {
        if self.rank == 0 {
            return (self.start, self.end - self.start);
        }
        (self.positions[0], self.positions[self.rank - 1] + 1 - self.positions[0])
    }

    /// How many outer letters there are.
    pub(super) const fn rank(&self) -> usize {
        self.rank
    }

    /// Whether `letter` is none of the outer letters, and so among those of `..`.
    pub(super) const fn is_rest(&self, letter: u8) -> bool {
        bit(letter) & self.set() == 0
    }

    /// Where `..` stands.
    pub(super) const fn rest(&self) -> Option<usize> {
        self.rest
    }

    /// The leftmost outer letter of a set of [`bit`]s that holds one, and where it stands.
    pub(super) const fn leftmost(&self, set: u32) -> (char, usize) {
        let mut i = 0;
        while i + 1 < self.rank && bit(self.letters[i]) & set == 0 {
            i += 1;
        }
        (self.letters[i] as char, self.positions[i])
    }

    /// Every block has an outer letter.
    pub(super) const fn check_blocks(&self, text: &[u8]) -> Result<(), ParseError> {
        let set = self.set();
        let mut cursor = self.cursor(text);
        while let Some(token) = tri!(cursor.next()) {
            if let Token::Block { size, letter, letter_at, .. } = token
                && bit(letter) & set == 0
            {
                let kind = ParseErrorKind::BlockWithoutAxis { axis: letter as char, size };
                return Err(ParseError::new(kind, letter_at, 1));
            }
        }
        Ok(())
    }

    /// Upper case exactly where there is a block.
    pub(super) const fn check_case(&self) -> Result<(), ParseError> {
        let mut i = 0;
        while i < self.rank {
            let axis = self.letters[i] as char;
            let mark = bit(self.letters[i]);
            let kind = match (self.upper & mark != 0, self.blocked & mark != 0) {
                (true, false) => ParseErrorKind::UpperWithoutBlock { axis },
                (false, true) => ParseErrorKind::LowerWithBlock { axis },
                _ => {
                    i += 1;
                    continue;
                }
            };
            return Err(ParseError::new(kind, self.positions[i], 1));
        }
        Ok(())
    }

    /// The same axes as in a stated logical order.
    pub(super) const fn check_against(&self, logical: &Logical) -> Result<(), ParseError> {
        let (listed, placed) = (set_of(&logical.letters, logical.rank), self.set());
        let mut i = 0;
        while i < self.rank {
            if bit(self.letters[i]) & listed == 0 {
                let kind = ParseErrorKind::AxisNotListed { axis: self.letters[i] as char };
                return Err(ParseError::new(kind, self.positions[i], 1));
            }
            i += 1;
        }
        let mut i = 0;
        while i < logical.rank {
            if bit(logical.letters[i]) & placed == 0 {
                let kind = ParseErrorKind::AxisNotPlaced { axis: logical.letters[i] as char };
                return Err(ParseError::new(kind, logical.positions[i], 1));
            }
            i += 1;
        }
        Ok(())
    }
}

impl Logical {
    /// Reads the stated order in `start..end` of `text`: lower-case letters, each once.
    pub(super) const fn scan(text: &[u8], start: usize, end: usize) -> Result<Logical, ParseError> {
        let mut out = Logical { rank: 0, letters: [0; MAX_RANK], positions: [0; MAX_RANK] };
        let mut at = start;
        while at < end {
            let byte = text[at];
            if byte.is_ascii_digit() {
                let mut len = 1;
                while at + len < end && text[at + len].is_ascii_digit() {
                    len += 1;
                }
                return Err(ParseError::new(ParseErrorKind::BlockInOrder, at, len));
            }
            if !byte.is_ascii_alphabetic() {
                return Err(stray(text, at));
            }
            if byte.is_ascii_uppercase() {
                let kind = ParseErrorKind::UpperInOrder { axis: byte.to_ascii_lowercase() as char };
                return Err(ParseError::new(kind, at, 1));
            }
            tri!(admit(&out.letters, &out.positions, out.rank, byte, at));
            out.letters[out.rank] = byte;
            out.positions[out.rank] = at;
            out.rank += 1;
            at += 1;
        }
        Ok(out)
    }

    /// The letters of `set`, which fit the template, in its order.
    pub(in super::super) const fn of_template(template: Template, set: u32) -> Logical {
        let mut out = Logical { rank: 0, letters: [0; MAX_RANK], positions: [0; MAX_RANK] };
        let pattern = template.pattern().as_bytes();
        let mut i = 0;
        while i < pattern.len() {
            if bit(pattern[i]) & set != 0 && out.rank < MAX_RANK {
                out.letters[out.rank] = pattern[i].to_ascii_lowercase();
                out.rank += 1;
            }
            i += 1;
        }
        out
    }

    pub(super) const fn rank(&self) -> usize {
        self.rank
    }

    /// The letter of logical axis `axis`, which is below the rank.
    pub(in super::super) const fn letter(&self, axis: usize) -> u8 {
        self.letters[axis]
    }
}

const fn set_of(letters: &[u8; MAX_RANK], rank: usize) -> u32 {
    let mut set = 0;
    let mut i = 0;
    while i < rank {
        set |= bit(letters[i]);
        i += 1;
    }
    set
}

/// Whether one more letter may join `rank` others: no repetition, and within the largest rank.
const fn admit(
    letters: &[u8; MAX_RANK],
    positions: &[usize; MAX_RANK],
    rank: usize,
    letter: u8,
    at: usize,
) -> Result<(), ParseError> {
    let axis = letter as char;
    let mut i = 0;
    while i < rank {
        if letters[i] == letter {
            return Err(ParseError::new(ParseErrorKind::RepeatedAxis { axis, first: positions[i] }, at, 1));
        }
        i += 1;
    }
    if rank == MAX_RANK {
        return Err(ParseError::new(ParseErrorKind::RankTooLarge { axis }, at, 1));
    }
    Ok(())
}
