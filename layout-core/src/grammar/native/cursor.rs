//! [`Cursor`]: from bytes to outer letters and blocks, one [`Token`] at a time.
//! Called by the scan and by the parser; knows single tokens, never what stands beside them.

use super::super::{MAX_BLOCKS, ParseError, ParseErrorKind};

/// One element of a tag. Letters are lower case here; `upper` says how they were written, `separated` whether `_`
/// stands before.
#[derive(Clone, Copy)]
pub(super) enum Token {
    Outer {
        at: usize,
        letter: u8,
        upper: bool,
        separated: bool,
        pad: Pad,
    },
    Block {
        at: usize,
        len: usize,
        size: u32,
        letter: u8,
        letter_at: usize,
        significance: Option<u8>,
    },
    /// `..`: the axes that are not named.
    Rest {
        at: usize,
    },
}

/// What an extent is padded to beside the blocks of its axis.
#[derive(Clone, Copy)]
pub(super) enum Pad {
    None,
    Elements(u32),
    Bytes(u32),
}

/// A place in `text`; tokens are read up to `end`.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'t> {
    text: &'t [u8],
    start: usize,
    at: usize,
    end: usize,
}

impl<'t> Cursor<'t> {
    /// Reads `start..end`, which the caller keeps within the text.
    pub(super) const fn new(text: &'t [u8], start: usize, end: usize) -> Cursor<'t> {
        Cursor { text, start, at: start, end }
    }

    pub(super) const fn position(&self) -> usize {
        self.at
    }

    const fn peek(&self, at: usize) -> Option<u8> {
        if at < self.end { Some(self.text[at]) } else { None }
    }

    /// The next token; `None` at the end.
    pub(super) const fn next(&mut self) -> Result<Option<Token>, ParseError> {
        let separated = matches!(self.peek(self.at), Some(b'_'));
        if separated {
            // One, and between two tokens.
            let between = self.at > self.start && !matches!(self.peek(self.at + 1), None | Some(b'_'));
            if !between {
                return Err(stray(self.text, self.at));
            }
            self.at += 1;
        }
        let at = self.at;
        let Some(byte) = self.peek(at) else { return Ok(None) };
        if byte.is_ascii_digit() {
            return self.block();
        }
        if byte == b'.' && matches!(self.peek(at + 1), Some(b'.')) {
            self.at += 2;
            return Ok(Some(Token::Rest { at }));
        }
        if !byte.is_ascii_alphabetic() {
            return Err(stray(self.text, at));
        }
        self.at += 1;
        let letter = byte.to_ascii_lowercase();
        let pad = if matches!(self.peek(self.at), Some(b'^')) { tri!(self.pad(letter)) } else { Pad::None };
        Ok(Some(Token::Outer { at, letter, upper: byte.is_ascii_uppercase(), separated, pad }))
    }

    /// `^`, a number, and `B` for bytes.
    const fn pad(&mut self, letter: u8) -> Result<Pad, ParseError> {
        let at = self.at + 1;
        let (multiple, len) = tri!(self.marked('^'));
        if multiple < 2 {
            let kind = ParseErrorKind::MultipleTooSmall { axis: letter as char, multiple };
            return Err(ParseError::new(kind, at, len));
        }
        if matches!(self.peek(self.at), Some(b'B')) {
            self.at += 1;
            return Ok(Pad::Bytes(multiple));
        }
        Ok(Pad::Elements(multiple))
    }

    /// The number behind the mark that stands here, and its length. Goes behind it.
    const fn marked(&mut self, mark: char) -> Result<(u32, usize), ParseError> {
        let at = self.at;
        let (number, digits) = tri!(self.number(at + 1));
        if digits == 0 {
            return Err(ParseError::new(ParseErrorKind::NumberExpected { mark }, at, 1));
        }
        self.at = at + 1 + digits;
        Ok((number, digits))
    }

    /// The number at `at` and how many digits it has; 0 digits where there is none.
    const fn number(&self, at: usize) -> Result<(u32, usize), ParseError> {
        let mut end = at;
        let mut value: Option<u32> = Some(0);
        while let Some(digit) = self.peek(end)
            && digit.is_ascii_digit()
        {
            value = match value {
                Some(n) => match n.checked_mul(10) {
                    Some(n) => n.checked_add((digit - b'0') as u32),
                    None => None,
                },
                None => None,
            };
            end += 1;
        }
        let digits = end - at;
        if digits > 1 && self.text[at] == b'0' {
            return Err(ParseError::new(ParseErrorKind::LeadingZero, at, digits));
        }
        match value {
            Some(value) => Ok((value, digits)),
            None => Err(ParseError::new(ParseErrorKind::NumberTooLarge, at, digits)),
        }
    }

    /// A number and the letter behind it, and the significance behind that.
    const fn block(&mut self) -> Result<Option<Token>, ParseError> {
        let at = self.at;
        let (size, digits) = tri!(self.number(at));
        let end = at + digits;
        let letter = match self.peek(end) {
            Some(byte) if byte.is_ascii_alphabetic() => byte,
            Some(_) => return Err(stray(self.text, end)),
            None => return Err(ParseError::new(ParseErrorKind::NumberWithoutLetter, at, digits)),
        };
        let axis = letter.to_ascii_lowercase();
        if size < 2 {
            return Err(ParseError::new(
                ParseErrorKind::BlockTooSmall { axis: axis as char, size },
                at,
                digits,
            ));
        }
        if letter.is_ascii_uppercase() {
            return Err(ParseError::new(ParseErrorKind::UpperInBlock { axis: axis as char, size }, end, 1));
        }
        self.at = end + 1;
        let significance =
            if matches!(self.peek(self.at), Some(b'.')) && !matches!(self.peek(self.at + 1), Some(b'.')) {
                let (rank, len) = tri!(self.marked('.'));
                if rank as usize >= MAX_BLOCKS {
                    let kind = ParseErrorKind::BadSignificance { axis: axis as char };
                    return Err(ParseError::new(kind, self.at - len, len));
                }
                Some(rank as u8)
            } else {
                None
            };
        let len = self.at - at;
        Ok(Some(Token::Block { at, len, size, letter: axis, letter_at: end, significance }))
    }
}

/// The error for the character at `at`, which starts no token.
pub(super) const fn stray(text: &[u8], at: usize) -> ParseError {
    let byte = text[at];
    if is_space(byte) {
        let mut end = at;
        while end < text.len() && is_space(text[end]) {
            end += 1;
        }
        return ParseError::new(ParseErrorKind::WhiteSpace, at, end - at);
    }
    if !byte.is_ascii() {
        let (found, len) = decode(text, at);
        return ParseError::new(ParseErrorKind::NonAscii { found }, at, len);
    }
    if byte == b'=' && at + 1 < text.len() && text[at + 1] == b'>' {
        return ParseError::new(ParseErrorKind::RepeatedArrow, at, 2);
    }
    ParseError::new(ParseErrorKind::UnexpectedChar { found: byte as char }, at, 1)
}

const fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

/// The character of several bytes at `at` of a UTF-8 text, and its length.
const fn decode(text: &[u8], at: usize) -> (char, usize) {
    // The text was a `str`, so the leading byte has 2 to 4 leading ones and as many bytes follow.
    let len = text[at].leading_ones() as usize;
    let mut code = (text[at] & (0x7f >> (len % 8))) as u32;
    let mut i = 1;
    while i < len && at + i < text.len() {
        code = code << 6 | (text[at + i] & 0x3f) as u32;
        i += 1;
    }
    match char::from_u32(code) {
        Some(found) => (found, i),
        None => (char::REPLACEMENT_CHARACTER, i),
    }
}
