//! oneDNN's format tags alone, without our marks, and benchdnn's tags with `x`.
//! Called by the dialects; the tags themselves are read by the native grammar.

use super::super::native::{self, Known, misnamed};
use super::super::text::{Text, same, starts_with};
use super::super::{ParseError, ParseErrorKind, Spec};
use super::Dialect;
use super::named::LONGEST;

/// What stands before the tag in the enumerations of the C interfaces, today's and MKL-DNN's.
const ENUMERATORS: [&str; 2] = ["dnnl_", "mkldnn_"];

/// A tag, or an enumerator. Since it is said that the name is oneDNN's, a misnamed one has oneDNN's meaning.
pub(super) const fn parse(text: &[u8], start: usize, end: usize, known: Known) -> Result<Spec, ParseError> {
    let mut from = start;
    let mut i = 0;
    while i < ENUMERATORS.len() {
        if starts_with(text, start, end, ENUMERATORS[i]) {
            from = start + ENUMERATORS[i].len();
        }
        i += 1;
    }
    if same(text, from, end, "any") || same(text, from, end, "undef") {
        return Err(Dialect::OneDnn.refuses("leaves the layout open", start, end - start));
    }
    if same(text, from, end, "scalar") || from >= end {
        return Err(Dialect::OneDnn.has_not(start, end));
    }
    let mut at = from;
    while at < end {
        if !text[at].is_ascii_alphanumeric() {
            return Err(match text[at] {
                b'_' | b'^' | b'.' | b'=' => {
                    let found = text[at] as char;
                    ParseError::new(ParseErrorKind::UnexpectedChar { found }, at, 1)
                }
                _ => Dialect::OneDnn.has_not(start, end),
            });
        }
        at += 1;
    }
    if let Some(meaning) = misnamed(text, from, end) {
        return native::parse(meaning.as_bytes(), 0, meaning.len(), known);
    }
    native::parse(text, from, end, known)
}

/// A tag in which `x` stands for the axes behind the named ones, in order. It is `..` in our grammar, but the
/// named axes are anonymous, at least a and b, and none between is left out.
///
/// Source: benchdnn's `knobs_tag.md`.
pub(super) const fn parse_meta(
    text: &[u8],
    start: usize,
    end: usize,
    known: Known,
) -> Result<Spec, ParseError> {
    let mut meta = false;
    let mut letters = 0u32;
    let mut out = Text::<LONGEST>::new();
    let mut at = start;
    while at < end {
        let is_meta = text[at] == b'x' && !meta && end - start > 1;
        if !is_meta && text[at].is_ascii_alphabetic() {
            letters |= 1 << (text[at].to_ascii_lowercase() - b'a');
        }
        let pushed = match (is_meta, text[at]) {
            (true, _) => match out.push_byte(b'.') {
                Some(()) => out.push_byte(b'.'),
                None => None,
            },
            (false, byte) if byte.is_ascii_alphanumeric() => out.push_byte(byte),
            _ => None,
        };
        if pushed.is_none() {
            return Err(Dialect::Benchdnn.has_not(start, end));
        }
        meta |= is_meta;
        at += 1;
    }
    if !meta {
        return parse(text, start, end, known);
    }
    let complete = letters & (letters + 1) == 0 && letters & 0b11 == 0b11;
    if !complete {
        return Err(Dialect::Benchdnn.has_not(start, end));
    }
    match native::parse(out.bytes(), 0, out.len(), known) {
        Ok(spec) => Ok(spec),
        // The mistake is at another place in the text that was given.
        Err(error) => Err(ParseError::new(error.kind(), start, end - start)),
    }
}
