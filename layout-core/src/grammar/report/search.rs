//! The search for what was meant: every text one edit away, the best that is a format.
//! Deterministic. Called for help alone.

use super::super::text::Text;
use super::super::{ParseError, ParseErrorKind, Spec};
use super::mend::{LONGEST, Suggestion, as_any_format, as_format};
use core::ops::Range;

/// Longer texts are not searched: the number of edits grows with the length, and so does the cost of each.
const LONGEST_SEARCHED: usize = 64;

/// What an edit may put in. Upper case follows from the blocks.
const ALPHABET: &str = "abcdefghijklmnopqrstuvwxyz0123456789=>";

/// The same for names of dialects.
const FOREIGN: &str = "abcdefghijklmnopqrstuvwxyz0123456789_:{}(),/CDHINOTW";

/// How a candidate is read: what it is as a format, and whether its case had to be mended.
type Read = fn(&str) -> Option<(Suggestion, bool)>;

/// Formats that people use every day; a suggestion is one of them where it can be.
const COMMON: &[&str] = &[
    "a",
    "x",
    "ab",
    "ba",
    "abc",
    "acb",
    "abcd",
    "acdb",
    "abcde",
    "nc",
    "cn",
    "ncw",
    "nwc",
    "nchw",
    "nhwc",
    "chwn",
    "ncdhw",
    "ndhwc",
    "cdhwn",
    "nCw8c",
    "nCw16c",
    "nChw4c",
    "nChw8c",
    "nChw16c",
    "nChw32c",
    "nCdhw8c",
    "nCdhw16c",
    "nCdhw32c",
    "aBcd8b",
    "aBcd16b",
    "oi",
    "io",
    "oiw",
    "wio",
    "oihw",
    "hwio",
    "ohwi",
    "ihwo",
    "iohw",
    "oidhw",
    "dhwio",
    "odhwi",
    "goihw",
    "hwigo",
    "goidhw",
    "Oihw16o",
    "Ohwi16o",
    "OIhw8i8o",
    "OIhw8o8i",
    "OIhw16i16o",
    "OIhw16o16i",
    "OIhw4i16o4i",
    "OIhw8i16o2i",
    "gOIhw8i8o",
    "gOIhw16i16o",
    "Goihw8g",
    "Goihw16g",
    "tn",
    "nt",
    "tnc",
    "ntc",
    "ldnc",
    "ldigo",
    "ldgoi",
    "ldio",
    "ldoi",
    "ldgo",
];

/// What an edit does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edit {
    Case,
    Replace,
    Insert,
    Swap,
    Delete,
}

/// The best text one edit (insert, delete, replace, swap, change of case) away that is a format, if need be after
/// its case was mended. Edits of case come first, then those that give a common format, those at the mistake, and
/// those that add or change a character rather than drop one; among equals the more common format
/// and then one whose axes stand in logical order.
pub(super) fn nearest(error: &ParseError, text: &str) -> Option<Suggestion> {
    search(error, text, ALPHABET, as_format).or_else(|| search(error, text, FOREIGN, as_any_format))
}

fn search(error: &ParseError, text: &str, alphabet: &str, read: Read) -> Option<Suggestion> {
    if text.len() > LONGEST_SEARCHED {
        return None;
    }
    let mut best: Option<(u32, Suggestion)> = None;
    let mut consider = |edit: Edit, range: Range<usize>, new: &[char]| {
        let Some(candidate) = edited(text, range.clone(), new) else { return };
        let Some((found, mended)) = read(candidate.as_str()) else { return };
        let rank = rank(error, edit, range, found.as_str(), mended);
        if best.is_none_or(|(least, _)| rank < least) {
            best = Some((rank, found));
        }
    };
    for (at, letter) in text.char_indices() {
        let end = at + letter.len_utf8();
        if letter.is_ascii_alphabetic() {
            consider(Edit::Case, at..end, &[(letter as u8 ^ 0x20) as char]);
        }
        for new in alphabet.chars() {
            consider(Edit::Replace, at..end, &[new]);
            consider(Edit::Insert, at..at, &[new]);
        }
        if let Some(next) = text.get(end..).and_then(|rest| rest.chars().next()) {
            consider(Edit::Swap, at..end + next.len_utf8(), &[next, letter]);
        }
        consider(Edit::Delete, at..end, &[]);
    }
    for new in alphabet.chars() {
        consider(Edit::Insert, text.len()..text.len(), &[new]);
    }
    best.map(|(_, found)| found)
}

/// How far from what was meant, 0 being nearest.
fn rank(error: &ParseError, edit: Edit, range: Range<usize>, found: &str, mended: bool) -> u32 {
    if edit == Edit::Case && !mended {
        return 0;
    }
    let mistake = error.position()..error.position() + error.len();
    let touches = match edit {
        Edit::Insert => mistake.start <= range.start && range.start <= mistake.end,
        _ => range.start < mistake.end && mistake.start < range.end,
    };
    // What the kind of the mistake says was done, and so is to be undone.
    let expected = match error.kind() {
        ParseErrorKind::RepeatedAxis { .. }
        | ParseErrorKind::UnexpectedChar { .. }
        | ParseErrorKind::NonAscii { .. } => Some(Edit::Delete),
        ParseErrorKind::MissingAxis { .. } | ParseErrorKind::NumberWithoutLetter => Some(Edit::Insert),
        _ => None,
    };
    let common = COMMON.iter().position(|&name| name == found);
    let mut rank = 1;
    rank += if common.is_some() { 0 } else { 8 };
    rank += if touches { 0 } else { 4 };
    rank += if mended { 2 } else { 0 };
    rank += match (expected, edit) {
        (Some(expected), edit) if expected == edit => 0,
        (_, Edit::Delete) => 3,
        (Some(_), _) => 1,
        (None, _) => 0,
    };
    rank * 256 + common.unwrap_or(COMMON.len() + usize::from(!is_in_logical_order(found))) as u32
}

/// Whether the outer letters stand in logical order.
fn is_in_logical_order(format: &str) -> bool {
    Spec::parse_native(format).is_ok_and(|spec| (0..spec.rank()).all(|axis| spec.top_of(axis) == Some(axis)))
}

/// `text` with `range` replaced by `new`.
fn edited(text: &str, range: Range<usize>, new: &[char]) -> Option<Text<LONGEST>> {
    let mut out = Text::new();
    out.push(text.get(..range.start)?)?;
    for &letter in new {
        out.push_char(letter)?;
    }
    out.push(text.get(range.end..)?)?;
    Some(out)
}
