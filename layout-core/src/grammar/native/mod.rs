//! The native grammar: oneDNN's names, that is outer letters once each, upper case exactly where the axis is
//! blocked, then the blocks, outermost to innermost; our marks `^` `.` `_` `..`; before it, if need be, the logical
//! order and `=>`. Entry point: [`parse`]. Case and order are strict; what oneDNN misnames is an error while compiling.

mod cursor;
mod misnamed;
mod print;
mod rest;
mod scan;

use self::cursor::{Pad, Token};
pub(super) use self::misnamed::misnamed;
pub(super) use self::print::NAME;
use self::scan::Letters;
pub(super) use self::scan::Logical;
use super::template::{Fit, fit};
use super::text::same;
use super::{ParseError, ParseErrorKind, Spec};

/// How the format of rank 0 is written. It holds `a` twice and so is no other format.
const SCALAR: &str = "scalar";

/// What is known about the tensor that a format is for.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub(super) rank: Option<usize>,
    pub(super) element_bits: Option<usize>,
    /// Whether a name that oneDNN misnames has oneDNN's meaning rather than being an error.
    pub(super) misnamed: bool,
}

impl Known {
    /// While compiling.
    pub(super) const NOTHING: Known = Known { rank: None, element_bits: None, misnamed: false };
}

/// Parses `start..end` of `text`, which is within it.
pub(super) const fn parse(text: &[u8], start: usize, end: usize, known: Known) -> Result<Spec, ParseError> {
    if start >= end {
        return Err(ParseError::new(ParseErrorKind::Empty, 0, start));
    }
    if same(text, start, end, SCALAR) {
        return Ok(Spec::SCALAR);
    }
    if let Some(meaning) = misnamed(text, start, end) {
        if known.misnamed {
            return parse(meaning.as_bytes(), 0, meaning.len(), known);
        }
        return Err(ParseError::new(ParseErrorKind::Misnamed { meaning }, start, end - start));
    }
    let Some(arrow) = find_arrow(text, start, end) else {
        let letters = tri!(Letters::scan(text, start, end));
        let logical = tri!(implied_order(&letters, text, known));
        tri!(letters.check_blocks(text));
        tri!(letters.check_case());
        return build(&logical, &letters, text, known);
    };
    let mut left = arrow;
    while left > start && text[left - 1] == b' ' {
        left -= 1;
    }
    let mut right = arrow + 2;
    while right < end && text[right] == b' ' {
        right += 1;
    }
    if left == start {
        return Err(ParseError::new(ParseErrorKind::EmptyOrder, arrow, 2));
    }
    let logical = tri!(Logical::scan(text, start, left));
    if right == end {
        return Err(ParseError::new(ParseErrorKind::EmptyTag, arrow, 2));
    }
    let letters = tri!(Letters::scan(text, right, end));
    if let Some(at) = letters.rest() {
        return Err(ParseError::new(ParseErrorKind::NoRest, at, 2));
    }
    tri!(letters.check_against(&logical));
    tri!(letters.check_blocks(text));
    tri!(letters.check_case());
    build(&logical, &letters, text, known)
}

/// Byte offset of the first `=>`.
const fn find_arrow(text: &[u8], start: usize, end: usize) -> Option<usize> {
    let mut i = start + 1;
    while i < end {
        if text[i - 1] == b'=' && text[i] == b'>' {
            return Some(i - 1);
        }
        i += 1;
    }
    None
}

/// The logical order that the template of the outer letters gives.
const fn implied_order(letters: &Letters, bytes: &[u8], known: Known) -> Result<Logical, ParseError> {
    let set = letters.set();
    if let Some(at) = letters.rest() {
        return rest::complete(letters, at, known);
    }
    if set == 0 {
        // Blocks alone: the first has no outer letter.
        tri!(letters.check_blocks(bytes));
    }
    let (kind, (position, len)) = match fit(set) {
        Fit::Exact(template) => return Ok(Logical::of_template(template, set)),
        Fit::Unknown(surplus) => {
            let (letter, at) = letters.leftmost(surplus);
            (ParseErrorKind::UnknownLetter { letter }, (at, 1))
        }
        other => {
            // A block whose axis is not there says more than that the axis is not there.
            tri!(letters.check_blocks(bytes));
            match other {
                Fit::Lacks(template, axis) => {
                    (ParseErrorKind::MissingAxis { axis: axis as char, template }, letters.span())
                }
                Fit::Either(first, second) => {
                    (ParseErrorKind::TwoTemplates { first, second }, letters.span())
                }
                Fit::Extra(template, surplus) => {
                    let (letter, at) = letters.leftmost(surplus);
                    (ParseErrorKind::OutsideTemplate { letter, template }, (at, 1))
                }
                _ => (ParseErrorKind::NoTemplate, letters.span()),
            }
        }
    };
    Err(ParseError::new(kind, position, len))
}

/// The digits, from a logical order and a scanned tag that agree.
const fn build(logical: &Logical, letters: &Letters, text: &[u8], known: Known) -> Result<Spec, ParseError> {
    let mut spec = Spec::SCALAR;
    let mut cursor = letters.cursor(text);
    let mut axis = 0;
    while axis < logical.rank() {
        if spec.push_axis(logical.letter(axis)).is_err() {
            return Err(impossible(cursor.position()));
        }
        axis += 1;
    }
    let mut marked = false;
    while let Some(token) = tri!(cursor.next()) {
        match token {
            Token::Outer { at, letter, pad, .. } => {
                marked |= !matches!(pad, Pad::None);
                let multiple = tri!(multiple_of(pad, letter, known, at, cursor.position()));
                let Some(axis) = spec.axis_named(letter as char) else { return Err(impossible(at)) };
                if spec.push_top(axis, multiple).is_err() {
                    return Err(impossible(at));
                }
            }
            Token::Rest { at } => {
                let mut axis = 0;
                while axis < logical.rank() {
                    if letters.is_rest(logical.letter(axis)) && spec.push_top(axis, 1).is_err() {
                        return Err(impossible(at));
                    }
                    axis += 1;
                }
            }
            Token::Block { at, len, size, letter, significance, .. } => {
                marked |= significance.is_some();
                let Some(axis) = spec.axis_named(letter as char) else { return Err(impossible(at)) };
                if spec.push_block(axis, size).is_err() {
                    let kind = ParseErrorKind::BlocksTooLarge { axis: letter as char, size };
                    return Err(ParseError::new(kind, at, len));
                }
            }
        }
    }
    if marked { state_significance(spec, logical, letters, text) } else { Ok(spec) }
}

/// The multiple in elements. One of bytes is the least number of elements whose bytes are a multiple of it.
const fn multiple_of(pad: Pad, letter: u8, known: Known, at: usize, end: usize) -> Result<u32, ParseError> {
    let bytes = match pad {
        Pad::None => return Ok(1),
        Pad::Elements(multiple) => return Ok(multiple),
        Pad::Bytes(bytes) => bytes,
    };
    let bits = bytes as u64 * 8;
    let (mut a, mut b) = match known.element_bits {
        Some(size) if size > 0 => (bits, size as u64 % bits),
        _ => {
            let kind = ParseErrorKind::BytesUnknown { axis: letter as char };
            return Err(ParseError::new(kind, at, end - at));
        }
    };
    // The greatest common divisor of the bytes and the element size.
    while b != 0 {
        (a, b) = (b, a % b);
    }
    match bits / a {
        multiple if multiple <= u32::MAX as u64 => Ok(multiple as u32),
        _ => Err(ParseError::new(ParseErrorKind::PaddingTooLarge { axis: letter as char }, at, end - at)),
    }
}

/// The digits with the significances that the tag states, and with every number checked.
const fn state_significance(
    mut spec: Spec,
    logical: &Logical,
    letters: &Letters,
    text: &[u8],
) -> Result<Spec, ParseError> {
    let mut axis = 0;
    while axis < logical.rank() {
        let letter = logical.letter(axis);
        let (mut blocks, mut seen, mut position) = (0u32, 0u64, 0);
        let (mut stated, mut place) = (0, letters.span());
        let mut cursor = letters.cursor(text);
        while let Some(token) = tri!(cursor.next()) {
            match token {
                Token::Block { at, len, letter: of, significance, .. } => {
                    if of == letter {
                        blocks += 1;
                        if let Some(significance) = significance {
                            if stated == 0 {
                                place = (at, len);
                            }
                            stated += 1;
                            seen |= 1 << significance;
                            spec.set_significance(position, significance);
                        }
                    }
                    position += 1;
                }
                Token::Outer { at, letter: of, .. } => {
                    if of == letter && stated == 0 {
                        place = (at, cursor.position() - at);
                    }
                    position += 1;
                }
                Token::Rest { .. } => position += logical.rank() - letters.rank(),
            }
        }
        let axis_name = letter as char;
        if stated > 0 && (stated != blocks || seen != (1 << blocks) - 1) {
            let kind = ParseErrorKind::BadSignificance { axis: axis_name };
            return Err(ParseError::new(kind, place.0, place.1));
        }
        if !spec.padding_fits(axis) {
            let kind = ParseErrorKind::PaddingTooLarge { axis: axis_name };
            return Err(ParseError::new(kind, place.0, place.1));
        }
        axis += 1;
    }
    Ok(spec)
}

/// For refusals that the scan has ruled out. An error keeps the parser free of panics even then.
const fn impossible(position: usize) -> ParseError {
    ParseError::new(ParseErrorKind::NoTemplate, position, 1)
}
