//! [`Text`]: a short text in a fixed buffer. Used by the printer and by the search for what was meant;
//! takes no more than fits and says so.

use core::fmt;

/// Up to `N` bytes of UTF-8.
#[derive(Clone, Copy)]
pub(super) struct Text<const N: usize> {
    bytes: [u8; N],
    len: usize,
}

impl<const N: usize> Text<N> {
    pub(super) const fn new() -> Text<N> {
        Text { bytes: [0; N], len: 0 }
    }

    /// Appends `text`; `None` where it does not fit, and then nothing was appended.
    pub(super) fn push(&mut self, text: &str) -> Option<()> {
        let end = self.len.checked_add(text.len())?;
        self.bytes.get_mut(self.len..end)?.copy_from_slice(text.as_bytes());
        self.len = end;
        Some(())
    }

    /// Appends one byte of ASCII while compiling too; `None` where it does not fit or is not ASCII.
    pub(super) const fn push_byte(&mut self, byte: u8) -> Option<()> {
        if self.len >= N || !byte.is_ascii() {
            return None;
        }
        self.bytes[self.len] = byte;
        self.len += 1;
        Some(())
    }

    /// Appends a number in decimal, while compiling too; `None` where it does not fit.
    pub(super) const fn push_number(&mut self, number: u64) -> Option<()> {
        let mut power = 1;
        while number / power >= 10 {
            power *= 10;
        }
        while power > 0 {
            if self.push_byte(b'0' + (number / power % 10) as u8).is_none() {
                return None;
            }
            power /= 10;
        }
        Some(())
    }

    /// The buffer, of which the first [`Text::len`] bytes are the text.
    pub(super) const fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// Appends one character; `None` where it does not fit.
    pub(super) fn push_char(&mut self, letter: char) -> Option<()> {
        self.push(letter.encode_utf8(&mut [0; 4]))
    }

    pub(super) fn as_str(&self) -> &str {
        // Whole `str`s alone were appended, so this is UTF-8.
        core::str::from_utf8(self.bytes.get(..self.len).unwrap_or_default()).unwrap_or_default()
    }
}

impl<const N: usize> fmt::Write for Text<N> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push(text).ok_or(fmt::Error)
    }
}

/// Whether `start..end` of `text`, which is within it, is `name`.
pub(super) const fn same(text: &[u8], start: usize, end: usize, name: &str) -> bool {
    starts_with(text, start, end, name) && end - start == name.len()
}

/// Whether `start..end` of `text` begins with `name`.
pub(super) const fn starts_with(text: &[u8], start: usize, end: usize, name: &str) -> bool {
    let name = name.as_bytes();
    if end < start || end - start < name.len() {
        return false;
    }
    let mut i = 0;
    while i < name.len() && text[start + i] == name[i] {
        i += 1;
    }
    i == name.len()
}
