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
