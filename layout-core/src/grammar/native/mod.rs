//! oneDNN's names: outer letters once each, upper case exactly where the axis is blocked, then the blocks,
//! outermost to innermost; before it, if need be, the logical order and `=>`. Entry point: [`Spec::parse`].
//! Strict: a name that breaks the grammar is an error even where oneDNN has it (`OhwI24o`, which means `Ohwi24o`);
//! to accept such names is the work of a dialect.

mod cursor;
mod print;
mod scan;

use self::cursor::Token;
use self::scan::{Letters, Logical};
use super::template::{Fit, fit};
use super::{ParseError, ParseErrorKind, Spec};
use core::str::FromStr;

/// How the format of rank 0 is written. It holds `a` twice and so is no other format.
const SCALAR: &str = "scalar";

impl Spec {
    /// Parses a format: oneDNN's name of a layout, of rank 1 to [`MAX_RANK`](super::MAX_RANK).
    ///
    /// - Outer letters stand once each, outermost first, upper case exactly where the axis has blocks:
    ///   `nhwc`, `nChw16c`, `OIhw4i16o4i`.
    /// - Behind them come the blocks, a size from 2 to `u32::MAX` and a lower-case letter, outermost to innermost.
    ///   Of several blocks of an axis the rightmost is the least significant.
    /// - The letters select the [`Template`](super::Template) that gives the logical order: `hwio` has the logical
    ///   axes o, i, h, w.
    /// - For other letters the logical order is stated, in lower case: `bshd => bhSd16s`. Spaces are allowed
    ///   around the arrow and nowhere else. Such a format may use any letters from a to z.
    /// - `scalar` is the format of rank 0.
    ///
    /// Works in `const` context and panics for no text.
    ///
    /// # Errors
    /// [`ParseError`] with the first mistake, its place, and through [`ParseError::report`] a way out.
    ///
    /// ```
    /// use layout_core::grammar::Spec;
    /// const ACTIVATIONS: Spec = match Spec::parse("nChw16c") {
    ///     Ok(spec) => spec,
    ///     Err(_) => panic!(),
    /// };
    /// assert_eq!(ACTIVATIONS.rank(), 4);
    /// assert_eq!(ACTIVATIONS.block_of(1), 16);
    ///
    /// let cache = Spec::parse("bshd => bhSd16s").unwrap();
    /// assert_eq!(cache.axis_named('s'), Some(1));
    /// ```
    pub const fn parse(text: &str) -> Result<Spec, ParseError> {
        let bytes = text.as_bytes();
        if bytes.is_empty() {
            return Err(ParseError::new(ParseErrorKind::Empty, 0, 0));
        }
        if is_scalar(bytes) {
            return Ok(Spec::SCALAR);
        }
        let Some(arrow) = find_arrow(bytes) else {
            let letters = tri!(Letters::scan(bytes, 0, bytes.len()));
            let logical = tri!(implied_order(&letters, bytes));
            tri!(letters.check_blocks(bytes));
            tri!(letters.check_case());
            return build(&logical, &letters, bytes);
        };
        let mut left = arrow;
        while left > 0 && bytes[left - 1] == b' ' {
            left -= 1;
        }
        let mut right = arrow + 2;
        while right < bytes.len() && bytes[right] == b' ' {
            right += 1;
        }
        if left == 0 {
            return Err(ParseError::new(ParseErrorKind::EmptyOrder, arrow, 2));
        }
        let logical = tri!(Logical::scan(bytes, left));
        if right == bytes.len() {
            return Err(ParseError::new(ParseErrorKind::EmptyTag, arrow, 2));
        }
        let letters = tri!(Letters::scan(bytes, right, bytes.len()));
        tri!(letters.check_against(&logical));
        tri!(letters.check_blocks(bytes));
        tri!(letters.check_case());
        build(&logical, &letters, bytes)
    }
}

impl FromStr for Spec {
    type Err = ParseError;

    /// [`Spec::parse`].
    fn from_str(text: &str) -> Result<Spec, ParseError> {
        Spec::parse(text)
    }
}

const fn is_scalar(bytes: &[u8]) -> bool {
    let name = SCALAR.as_bytes();
    let mut i = 0;
    while i < bytes.len() && i < name.len() && bytes[i] == name[i] {
        i += 1;
    }
    i == bytes.len() && i == name.len()
}

/// Byte offset of the first `=>`.
const fn find_arrow(bytes: &[u8]) -> Option<usize> {
    let mut i = 1;
    while i < bytes.len() {
        if bytes[i - 1] == b'=' && bytes[i] == b'>' {
            return Some(i - 1);
        }
        i += 1;
    }
    None
}

/// The logical order that the template of the outer letters gives.
const fn implied_order(letters: &Letters, bytes: &[u8]) -> Result<Logical, ParseError> {
    let set = letters.set();
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
const fn build(logical: &Logical, letters: &Letters, bytes: &[u8]) -> Result<Spec, ParseError> {
    let mut spec = Spec::SCALAR;
    let mut cursor = letters.cursor(bytes);
    let mut i = 0;
    while i < logical.rank() {
        if spec.push_axis(logical.letter(i)).is_err() {
            return Err(impossible(cursor.position()));
        }
        i += 1;
    }
    while let Some(token) = tri!(cursor.next()) {
        let Some(axis) = spec.axis_named(token.letter() as char) else {
            return Err(impossible(token.position()));
        };
        match token {
            Token::Outer { at, .. } => {
                if spec.push_top(axis, 1).is_err() {
                    return Err(impossible(at));
                }
            }
            Token::Block { at, len, size, letter, .. } => {
                if spec.push_block(axis, size).is_err() {
                    let kind = ParseErrorKind::BlocksTooLarge { axis: letter as char, size };
                    return Err(ParseError::new(kind, at, len));
                }
            }
        }
    }
    Ok(spec)
}

/// For refusals that the scan has ruled out. An error keeps the parser free of panics even then.
const fn impossible(position: usize) -> ParseError {
    ParseError::new(ParseErrorKind::NoTemplate, position, 1)
}
