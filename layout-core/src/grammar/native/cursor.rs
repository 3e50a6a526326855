//! [`Cursor`]: from bytes to outer letters and blocks, one [`Token`] at a time.
//! Called by the scan and by the parser; knows single tokens, never what stands beside them.

use super::super::{ParseError, ParseErrorKind};

/// One element of a tag. Letters are lower case here; `upper` says how they were written.
#[derive(Clone, Copy)]
pub(super) enum Token {
    Outer { at: usize, letter: u8, upper: bool },
    Block { at: usize, len: usize, size: u32, letter: u8 },
}

impl Token {
    pub(super) const fn letter(&self) -> u8 {
        match *self {
            Token::Outer { letter, .. } | Token::Block { letter, .. } => letter,
        }
    }

    pub(super) const fn position(&self) -> usize {
        match *self {
            Token::Outer { at, .. } | Token::Block { at, .. } => at,
        }
    }
}

/// A place in `text`; tokens are read up to `end`.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'t> {
    text: &'t [u8],
    at: usize,
    end: usize,
}

impl<'t> Cursor<'t> {
    /// Reads `start..end`, which the caller keeps within the text.
    pub(super) const fn new(text: &'t [u8], start: usize, end: usize) -> Cursor<'t> {
        Cursor { text, at: start, end }
    }

    pub(super) const fn position(&self) -> usize {
        self.at
    }

    const fn peek(&self, at: usize) -> Option<u8> {
        if at < self.end { Some(self.text[at]) } else { None }
    }

    /// The next token; `None` at the end.
    pub(super) const fn next(&mut self) -> Result<Option<Token>, ParseError> {
        let at = self.at;
        let Some(byte) = self.peek(at) else { return Ok(None) };
        if byte.is_ascii_digit() {
            return self.block();
        }
        if !byte.is_ascii_alphabetic() {
            return Err(stray(self.text, at));
        }
        self.at += 1;
        Ok(Some(Token::Outer { at, letter: byte.to_ascii_lowercase(), upper: byte.is_ascii_uppercase() }))
    }

    /// A number and the letter behind it.
    const fn block(&mut self) -> Result<Option<Token>, ParseError> {
        let at = self.at;
        let mut end = at;
        let mut size: Option<u32> = Some(0);
        while let Some(digit) = self.peek(end)
            && digit.is_ascii_digit()
        {
            size = match size {
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
        let Some(size) = size else {
            return Err(ParseError::new(ParseErrorKind::NumberTooLarge, at, digits));
        };
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
        Ok(Some(Token::Block { at, len: digits + 1, size, letter: axis }))
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
