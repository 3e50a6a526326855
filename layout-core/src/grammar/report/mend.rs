//! Mends what the text itself says how to mend: case, leading zeros, blocks of 0 or 1, white space, separators.
//! Called for help and by the search. What it returns parses.

use super::super::text::Text;
use super::super::{ParseErrorKind, Spec};
use core::ops::Range;

/// The longest text that is suggested, in bytes.
pub(super) const LONGEST: usize = 96;

/// A format that parses, to be written instead.
pub(super) type Suggestion = Text<LONGEST>;

/// One part of a tag, read leniently.
enum Part<'t> {
    Outer(char),
    /// Digits without leading zeros, and the axis.
    Block(&'t str, char),
}

/// `text` with its mistakes of form mended; `None` where that does not make it a format, or where nothing changed.
pub(super) fn mend(text: &str) -> Option<Suggestion> {
    let mended = rewrite(text)?;
    if mended.as_str() != text && Spec::parse_native(mended.as_str()).is_ok() { Some(mended) } else { None }
}

/// `text` as it is where it is a format, or else mended where it has mistakes of case alone.
pub(super) fn as_format(text: &str) -> Option<(Suggestion, bool)> {
    match Spec::parse_native(text) {
        Ok(_) => {
            let mut out = Suggestion::new();
            out.push(text)?;
            Some((out, false))
        }
        Err(error) => match error.kind() {
            ParseErrorKind::LowerWithBlock { .. }
            | ParseErrorKind::UpperWithoutBlock { .. }
            | ParseErrorKind::UpperInBlock { .. }
            | ParseErrorKind::UpperInOrder { .. } => Some((mend(text)?, true)),
            _ => None,
        },
    }
}

/// `text` as it is where it is a format of any dialect.
pub(super) fn as_any_format(text: &str) -> Option<(Suggestion, bool)> {
    Spec::parse(text).ok()?;
    let mut out = Suggestion::new();
    out.push(text)?;
    Some((out, false))
}

/// `text` with its logical order stated: the outer letters as they come.
pub(super) fn with_order(text: &str) -> Option<Suggestion> {
    if text.contains("=>") {
        return None;
    }
    let mut out = Suggestion::new();
    each_part(text, |part| match part {
        Part::Outer(letter) => out.push_char(letter),
        Part::Block(..) => Some(()),
    })?;
    out.push(" => ")?;
    tag(text, &mut out)?;
    if Spec::parse_native(out.as_str()).is_ok() { Some(out) } else { None }
}

fn rewrite(text: &str) -> Option<Suggestion> {
    let mut out = Suggestion::new();
    let Some((order, rest)) = text.split_once("=>") else {
        tag(text, &mut out)?;
        return Some(out);
    };
    each_part(order, |part| match part {
        Part::Outer(letter) => out.push_char(letter),
        Part::Block(..) => Some(()),
    })?;
    out.push(" => ")?;
    tag(rest, &mut out)?;
    Some(out)
}

/// The outer letters in the case that the blocks ask for, then the blocks.
fn tag(text: &str, out: &mut Suggestion) -> Option<()> {
    let mut blocked = Text::<LONGEST>::new();
    each_part(text, |part| match part {
        Part::Block(_, axis) => blocked.push_char(axis),
        Part::Outer(_) => Some(()),
    })?;
    each_part(text, |part| match part {
        Part::Outer(axis) if blocked.as_str().contains(axis) => out.push_char(axis.to_ascii_uppercase()),
        Part::Outer(axis) => out.push_char(axis),
        Part::Block(..) => Some(()),
    })?;
    each_part(text, |part| match part {
        Part::Block(size, axis) => {
            out.push(size)?;
            out.push_char(axis)
        }
        Part::Outer(_) => Some(()),
    })
}

/// Calls `take` for each part; `None` where it says so or where something is no part.
fn each_part<'t>(text: &'t str, mut take: impl FnMut(Part<'t>) -> Option<()>) -> Option<()> {
    let mut number: Option<Range<usize>> = None;
    for (at, letter) in text.char_indices() {
        let letter = half_width(letter);
        if letter.is_ascii_digit() {
            number = match number {
                None => Some(at..at + 1),
                Some(run) if run.end == at => Some(run.start..at + 1),
                // Two numbers with something between: which is meant cannot be told.
                Some(_) => return None,
            };
            continue;
        }
        let axis = letter.to_ascii_lowercase();
        match number.clone() {
            Some(run) if letter.is_ascii_alphabetic() => {
                // A block of 0 or 1 splits nothing.
                let size = text.get(run)?.trim_start_matches('0');
                if !matches!(size, "" | "1") {
                    take(Part::Block(size, axis))?;
                }
                number = None;
            }
            None if letter.is_ascii_alphabetic() => take(Part::Outer(axis))?,
            _ if letter.is_whitespace() || matches!(letter, '_' | ',' | '-') => {}
            _ => return None,
        }
    }
    if number.is_some() { None } else { Some(()) }
}

/// The ASCII character for its full-width form, which East Asian keyboards produce; others as they are.
/// Digits are left: the text of a number is taken as it stands.
fn half_width(letter: char) -> char {
    match letter {
        'Ａ'..='Ｚ' | 'ａ'..='ｚ' => char::from_u32(letter as u32 - 0xfee0).unwrap_or(letter),
        _ => letter,
    }
}
